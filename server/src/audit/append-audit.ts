import { randomBytes } from "node:crypto";
import { type Head, type Json, nextEntry } from "@countersign/evidence";
import { named, type Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import type { AuditType } from "./catalogue.ts";

export interface NewEntry {
  readonly type: AuditType;
  readonly by: Pick<Caller, "actor" | "ip" | "user_agent" | "request_id" | "operator">;
  /** the chain of this envelope; without it the entry goes to the chain of the org */
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
 * Appends one entry to a hash chain, in the transaction of the action that it records. The head's row is the lock: appends to one chain
 * wait for each other. It comes last in the lock order, so no transaction waits for another lock while holding it. The row of the log
 * queue is written under the same lock, so a chain's entries enter the log in order. The log identifies the entry by its hash.
 */
export async function appendAudit(tx: Tx, org: OrgId, { type, by, envelope_id, data }: NewEntry): Promise<Appended> {
  const subject = envelope_id ?? org;
  const { head, now } = await lockHead(tx, org, subject);
  const salt = randomBytes(32);
  const operator = by.operator === undefined ? {} : { operator: by.operator };
  const recorded = { ...data, ...operator, ip: by.ip, user_agent: by.user_agent, request_id: by.request_id };
  const next = nextEntry(head, { org_id: org, subject, type, at: now, actor: { ...by.actor }, data: recorded, salt });
  const { seq, at, actor, commitment, prev, hash } = next.entry;
  await tx.query(named("append-audit")`
    with entry as (
      insert into audit_entries (org_id, subject, seq, type, at, actor, actor_id, commitment, prev, hash)
      values (${org}, ${subject}, ${seq}, ${type}, ${at}, ${JSON.stringify(actor)}, ${subject === org ? actor.id : null}, ${commitment}, ${prev},
        ${hash})
    ), opened as (
      insert into audit_entry_data (org_id, subject, seq, salt, data) values (${org}, ${subject}, ${seq}, ${salt}, ${JSON.stringify(recorded)})
    ), queued as (
      insert into log_queue (hash, org_id, subject, seq) values (${hash}, ${org}, ${subject}, ${seq})
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
    const { rows } = await tx.query<HeadRow>(named("lock-head-to-append")`
      select seq, hash, at, clock_timestamp() as now from audit_heads
      where org_id = ${org} and subject = ${subject} for no key update`);
    const row = rows[0];
    if (row !== undefined) {
      const head = row.seq === 0 ? null : { seq: row.seq, hash: row.hash, at: row.at.toISOString() };
      return { head, now: row.now.toISOString() };
    }
    // The chain is new. If two transactions start it at once, the second waits for the first to commit and reads its head.
    const begun = await tx.query<Pick<HeadRow, "now">>(named("begin-chain")`
      insert into audit_heads (org_id, subject, seq, hash, at) values (${org}, ${subject}, 0, '', '-infinity') on conflict do nothing
      returning clock_timestamp() as now`);
    if (begun.rows[0] !== undefined) return { head: null, now: begun.rows[0].now.toISOString() };
  }
}
