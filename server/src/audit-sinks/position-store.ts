import type { Actor, Json } from "@countersign/evidence";
import { type Read, sql } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";

/** Audit entries of an organization, all chains together, in the order of the log. */

export interface PlacedEntry {
  readonly leaf_index: number;
  readonly subject: string;
  readonly seq: number;
  readonly type: string;
  readonly at: Date;
  readonly actor: Actor;
  /** null after it was erased */
  readonly data: Json | null;
  readonly hash: string;
  readonly prev: string | null;
}

/** The last position of the log, over all organizations; -1 if it is empty. */
export async function lastPosition(read: Read): Promise<number> {
  const { rows } = await read.query<{ last: string }>(sql`select coalesce(max(leaf_index), -1) as last from log_leaves`);
  return Number(rows[0]?.last);
}

interface Part {
  readonly after: number;
  /** inclusive */
  readonly until: number;
  readonly types: readonly string[] | null;
  readonly limit: number;
}

export async function listPlaced(read: Read, org: OrgId, { after, until, types, limit }: Part): Promise<PlacedEntry[]> {
  const { rows } = await read.query<PlacedEntry & { leaf_index: string }>(sql`
    select p.leaf_index, e.subject, e.seq, e.type, e.at, e.actor, d.data, e.hash, e.prev
    from audit_positions p join audit_entries e using (org_id, subject, seq) left join audit_entry_data d using (org_id, subject, seq)
    where p.org_id = ${org} and p.leaf_index > ${after} and p.leaf_index <= ${until} and (${types}::text[] is null or e.type = any(${types}))
    order by p.leaf_index limit ${limit}`);
  return rows.map((row) => ({ ...row, leaf_index: Number(row.leaf_index) }));
}
