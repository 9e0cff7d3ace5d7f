import { listEntries, type TrailItem } from "../../audit/read-chain.ts";
import type { Read } from "../../db/sql.ts";
import type { Actor, WidgetCaller } from "../../shared/caller.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { namesOfUsers } from "./store.ts";
import { findVaulted, isParty } from "./visit.ts";

export interface Access {
  readonly seq: number;
  readonly at: string;
  readonly kind: Actor["kind"];
  /** null for a key, which belongs to the organization, and after it was erased */
  readonly who: string | null;
  /** null after it was erased */
  readonly what: string | null;
  /** null for viewers who may not see it */
  readonly ip: string | null;
}

/** All accesses, newest first, without slugs and ids: ids mean nothing to the reader, and slugs reveal too much. */
export async function listAccesses(read: Read, who: WidgetCaller, asked: PageRequest): Promise<Page<Access>> {
  const { org, holder } = who;
  await findVaulted(read, org, holder.envelope_id);
  const { items, total } = await listEntries(read, org, holder.envelope_id, asked, "vault.document.accessed");
  const names = await namesOfUsers(
    read,
    items.filter(({ actor }) => actor.kind === "user").map(({ actor }) => actor.id),
  );
  const isShown = await isParty(read, who);
  return { items: items.map((item) => accessOf(item, names, isShown)), total };
}

function accessOf({ seq, at, actor, data }: TrailItem, names: ReadonlyMap<string, string>, isShown: boolean): Access {
  const { what, by, ip } = Object(data) as Partial<Record<"what" | "by" | "ip", unknown>>;
  const kind = actor.kind as Access["kind"];
  return {
    seq,
    at,
    kind,
    who: kind === "user" ? (names.get(actor.id) ?? null) : hasAddress.has(kind) ? textOrNull(by) : null,
    what: textOrNull(what),
    ip: isShown ? textOrNull(ip) : null,
  };
}

/** Their address is in the data of the entry. */
const hasAddress: ReadonlySet<Actor["kind"]> = new Set(["signer", "recipient", "viewer", "person"]);

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);
