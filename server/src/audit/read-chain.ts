import type { Actor, Json, Link } from "@countersign/evidence";
import { named, type Read, sql } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import type { AuditType } from "./catalogue.ts";

interface Row {
  seq: number;
  type: string;
  at: Date;
  actor: Actor;
  commitment: string;
  prev: string;
  hash: string;
  salt: Buffer | null;
  data: Json | null;
}

export interface TrailItem {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly actor: Actor;
  readonly data: Json | null;
  readonly hash: string;
}

/** A page of a chain, newest entry first. `data` is null after it was erased. With `type`, only entries of that type. */
export async function listEntries(
  read: Read,
  org: OrgId,
  subject: string,
  { page, limit }: PageRequest,
  type: AuditType | null = null,
): Promise<Page<TrailItem>> {
  const total = await countEntries(read, org, subject, type);
  const offset = (page - 1) * limit;
  // A whole chain has no gaps, so its page starts at a number and reads no entries before it.
  const { rows } = await read.query<Row>(sql`
    select e.*, d.salt, d.data from audit_entries e left join audit_entry_data d using (org_id, subject, seq)
    where e.org_id = ${org} and e.subject = ${subject} and ${type === null ? sql`e.seq <= ${total - offset}` : sql`e.type = ${type}`}
    order by e.seq desc limit ${limit} offset ${type === null ? 0 : offset}`);
  const items = rows.map(({ seq, type, at, actor, data, hash }) => ({ seq, type, at: at.toISOString(), actor, data, hash }));
  return { items, total };
}

/** Without a type this is the number of the chain's last entry. */
async function countEntries(read: Read, org: OrgId, subject: string, type: AuditType | null): Promise<number> {
  const { rows } = await read.query<{ total: number }>(
    type === null
      ? sql`select seq as total from audit_heads where org_id = ${org} and subject = ${subject}`
      : sql`select count(*)::int as total from audit_entries where org_id = ${org} and subject = ${subject} and type = ${type}`,
  );
  return rows[0]?.total ?? 0;
}

/** A whole chain in the form that `firstFault` of evidence/ expects. */
export async function readChain(read: Read, org: OrgId, subject: string): Promise<Link[]> {
  const { rows } = await read.query<Row>(named("read-chain")`
    select e.seq, e.type, e.at, e.actor, e.commitment, e.prev, e.hash, d.salt, d.data
    from audit_entries e left join audit_entry_data d using (org_id, subject, seq)
    where e.org_id = ${org} and e.subject = ${subject} order by e.seq`);
  return rows.map((row) => ({
    entry: {
      v: 1,
      org_id: org,
      subject,
      seq: row.seq,
      type: row.type,
      at: row.at.toISOString(),
      actor: row.actor,
      commitment: row.commitment,
      prev: row.prev,
      hash: row.hash,
    },
    data: row.salt === null || row.data === null ? null : { salt: row.salt.toString("hex"), data: row.data },
  }));
}
