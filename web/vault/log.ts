import type { VaultAccess } from "@countersign/client/pages";
import { signal } from "@preact/signals";
import { callForPage } from "./api.ts";

/** The access log, loaded page by page, newest first. New entries may arrive while it is read. */

interface Log {
  readonly items: readonly VaultAccess[];
  readonly total: number;
}

// About two screens. Older entries are loaded on request.
const PAGE_SIZE = 50;

/** null: not loaded yet */
export const log = signal<Log | null>(null);

export function forgetLog(): void {
  log.value = null;
}

/** Loads the first page and keeps older entries that are already loaded. */
export async function readLog(): Promise<void> {
  const { data, meta } = await pageOf(1);
  log.value = { items: merged(data, log.value?.items ?? []), total: meta.total };
}

/** Loads the next page. New entries shift older ones to later pages, so duplicates are dropped. */
export async function readOlder(): Promise<void> {
  const known = log.value?.items ?? [];
  const { data, meta } = await pageOf(Math.floor(known.length / PAGE_SIZE) + 1);
  log.value = { items: merged(known, data), total: meta.total };
}

function merged(newer: readonly VaultAccess[], older: readonly VaultAccess[]): readonly VaultAccess[] {
  return [...new Map([...newer, ...older].map((item) => [item.seq, item])).values()].sort((a, b) => b.seq - a.seq);
}

const pageOf = (page: number) => callForPage("GET /access-log", { query: { page, limit: PAGE_SIZE } });
