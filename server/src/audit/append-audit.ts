import { randomBytes } from "node:crypto";
import { type Head, type Json, nextEntry } from "@countersign/evidence";
import { sql, type Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import type { AuditType } from "./catalogue.ts";

export interface NewEntry {
  readonly type: AuditType;
  readonly by: Pick<Caller, "actor" | "ip" | "user_agent" | "request_id" | "operator">;
  /** an envelope's own chain; without it the entry goes to the chain of the org */
  readonly envelope_id?: EnvelopeId;
  readonly data: Readonly<Record<string, Json>>;
}

/** The new head of the chain. */
export interface Appended {
  readonly seq: number;
  readonly hash: string;
  readonly at: string;
}

/**
 * Appends one link to a hash chain, in the transaction of the act it records. The head's row is the lock: appends to one chain
 * take turns, and it comes last in the lock order, so nobody waits for another lock while holding it. The queue's row is written under
 * it too: that a chain's entries get into the log in their order rests on this. The hash is what the log knows the entry by.
 */
export async function appendAudit(tx: Tx, org: OrgId, { type, by, envelope_id, data }: NewEntry): Promise<Appended> {
  const subject = envelope_id ?? org;
  const { head, now } = await lockHead(tx, org, subject);
  const salt = randomBytes(32);
  const operator = by.operator === undefined ? {} : { operator: by.operator };
  const told = { ...data, ...operator, ip: by.ip, user_agent: by.user_agent, request_id: by.request_id };
  const next = nextEntry(head, { org_id: org, subject, type, at: now, actor: { ...by.actor }, data: told, salt });
  const { seq, at, actor, commitment, prev, hash } = next.entry;
  await tx.query(sql`
    with entry as (
      insert into audit_entries (org_id, subject, seq, type, at, actor, commitment, prev, hash)
      values (${org}, ${subject}, ${seq}, ${type}, ${at}, ${JSON.stringify(actor)}, ${commitment}, ${prev}, ${hash})
    ), opened as (
      insert into audit_entry_data (org_id, subject, seq, salt, data) values (${org}, ${subject}, ${seq}, ${salt}, ${JSON.stringify(told)})
    ), queued as (
      insert into log_queue (hash) values (${hash})
    )
    update audit_heads set seq = ${seq}, hash = ${hash}, at = ${at} where org_id = ${org} and subject = ${subject}`);
  return { seq, hash, at };
}

interface HeadRow {
  seq: number;
  hash: string;
  at: Date;
  now: Date;
}

async function lockHead(tx: Tx, org: OrgId, subject: string): Promise<{ head: Head | null; now: string }> {
  for (;;) {
    const { rows } = await tx.query<HeadRow>(sql`
      select seq, hash, at, clock_timestamp() as now from audit_heads
      where org_id = ${org} and subject = ${subject} for no key update`);
    const row = rows[0];
    if (row !== undefined) {
      const head = row.seq === 0 ? null : { seq: row.seq, hash: row.hash, at: row.at.toISOString() };
      return { head, now: row.now.toISOString() };
    }
    // A chain that nobody has begun: whoever loses this race waits for the winner's commit and reads its head.
    await tx.query(sql`
      insert into audit_heads (org_id, subject, seq, hash, at) values (${org}, ${subject}, 0, '', '-infinity') on conflict do nothing`);
  }
}
