import { randomBytes } from "node:crypto";
import { type Head, type Json, nextEntry, TEST_OPERATION } from "@countersign/evidence";
import { named, type Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import type { AuditType } from "./catalogue.ts";

export interface NewEntry {
  readonly type: AuditType;
  readonly by: Pick<Caller, "actor" | "ip" | "user_agent" | "request_id" | "operator" | "by_test">;
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
export async function appendAudit(tx: Tx, org: OrgId, { envelope_id, ...entry }: NewEntry): Promise<Appended> {
  return appendEntries(tx, org, envelope_id ?? org, [entry]);
}

/** Several entries of one envelope, in this order and at the same time. */
export async function appendAll(tx: Tx, org: OrgId, envelope_id: EnvelopeId, entries: readonly EnvelopeEntry[]): Promise<void> {
  if (entries.length > 0) await appendEntries(tx, org, envelope_id, entries);
}

/** An entry of an envelope that is named elsewhere. */
export type EnvelopeEntry = Omit<NewEntry, "envelope_id">;

async function appendEntries(tx: Tx, org: OrgId, subject: string, entries: readonly EnvelopeEntry[]): Promise<Appended> {
  const { head, now } = await lockHead(tx, org, subject);
  let last = head;
  const rows = entries.map(({ type, by, data }) => {
    const salt = randomBytes(32);
    const operator = by.operator === undefined ? {} : { operator: by.operator };
    const test = by.by_test === true ? { by: TEST_OPERATION } : {};
    const recorded = { ...data, ...operator, ...test, ip: by.ip, user_agent: by.user_agent, request_id: by.request_id };
    const next = nextEntry(last, { org_id: org, subject, type, at: now, actor: { ...by.actor }, data: recorded, salt });
    const { seq, at, actor, commitment, prev, hash } = next.entry;
    last = next.head;
    return { seq, type, at, actor, actor_id: subject === org ? actor.id : null, commitment, prev, hash, ...next.data };
  });
  if (last === null) throw new Error("nothing to append");
  await tx.query(named("append-audit")`
    with given as (
      select seq, type, at, actor, actor_id, commitment, prev, hash, salt, data from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as g (seq int, type text, at timestamptz, actor jsonb, actor_id text, commitment text, prev text, hash text, salt text, data jsonb)
    ), entry as (
      insert into audit_entries (org_id, subject, seq, type, at, actor, actor_id, commitment, prev, hash)
      select ${org}, ${subject}, seq, type, at, actor, actor_id, commitment, prev, hash from given
    ), opened as (
      insert into audit_entry_data (org_id, subject, seq, salt, data) select ${org}, ${subject}, seq, decode(salt, 'hex'), data from given
    ), queued as (
      insert into log_queue (hash, org_id, subject, seq) select hash, ${org}, ${subject}, seq from given order by seq
    )
    update audit_heads set seq = ${last.seq}, hash = ${last.hash}, at = ${last.at} where org_id = ${org} and subject = ${subject}`);
  return last;
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
