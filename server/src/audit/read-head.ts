import type { Head } from "@countersign/evidence";
import { empty, named, type Read, type Sql, sql, type Tx } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";

/** The head of a chain; null if it has no entries. */
export function readHead(read: Read, org: OrgId, subject: EnvelopeId | OrgId): Promise<Head | null> {
  return headOf(read, org, subject, "read-head", empty);
}

/** The same with a lock, so that no entry is appended until the transaction ends. Last in the lock order. */
export function lockHead(tx: Tx, org: OrgId, subject: EnvelopeId | OrgId): Promise<Head | null> {
  return headOf(tx, org, subject, "lock-head", sql`for no key update`);
}

async function headOf(read: Read, org: OrgId, subject: EnvelopeId | OrgId, name: string, lock: Sql): Promise<Head | null> {
  const { rows } = await read.query<{ seq: number; hash: string; at: Date }>(named(name)`
    select seq, hash, at from audit_heads where org_id = ${org} and subject = ${subject} and seq > 0 ${lock}`);
  const head = rows[0];
  return head === undefined ? null : { seq: head.seq, hash: head.hash, at: head.at.toISOString() };
}
