import type { VaultAccess } from "@countersign/client/pages";
import { signal } from "@preact/signals";
import { callForPage } from "./api.ts";

/** Who had what: read page by page, newest first, while others may be looking too. */

interface Log {
  readonly items: readonly VaultAccess[];
  readonly total: number;
}

// What fits on a screen or two; older ones are asked for.
const AT_ONCE = 50;

/** null: not read yet */
export const log = signal<Log | null>(null);

export function forgetLog(): void {
  log.value = null;
}

/** From the top, as far as it is known: what came since is there too. */
export async function readLog(): Promise<void> {
  const { data, meta } = await pageOf(1);
  log.value = { items: merged(data, log.value?.items ?? []), total: meta.total };
}

/** New ones push older ones onto the next page: what comes twice is shown once. */
export async function readOlder(): Promise<void> {
  const known = log.value?.items ?? [];
  const { data, meta } = await pageOf(Math.floor(known.length / AT_ONCE) + 1);
  log.value = { items: merged(known, data), total: meta.total };
}

function merged(newer: readonly VaultAccess[], older: readonly VaultAccess[]): readonly VaultAccess[] {
  return [...new Map([...newer, ...older].map((item) => [item.seq, item])).values()].sort((a, b) => b.seq - a.seq);
}

const pageOf = (page: number) => callForPage("GET /access-log", { query: { page, limit: AT_ONCE } });
