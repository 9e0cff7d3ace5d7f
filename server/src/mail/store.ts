import { named, type Read, sql, type Tx } from "../db/sql.ts";
import type { EnvelopeId, MessageId, OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { EnvelopeMail, State, StoredMessage } from "./message.ts";

const columns = sql`message_id, kind, to_address, state, created_at, sent_at, last_error, body_context, body_enc`;

export interface NewMessage {
  readonly message_id: MessageId;
  readonly kind: string;
  readonly to_address: string;
  readonly body_context: string;
  readonly body_enc: Uint8Array;
  readonly expires_at: Date;
  readonly about: string | null;
  readonly envelope_id: EnvelopeId | null;
  readonly captured: boolean;
}

export async function insertMessage(tx: Tx, org: OrgId | null, message: NewMessage): Promise<void> {
  await tx.query(named("queue-mail")`
    insert into mail_messages (org_id, message_id, kind, to_address, body_context, body_enc, expires_at, about, envelope_id, captured,
      next_attempt_at)
    values (${org}, ${message.message_id}, ${message.kind}, ${message.to_address}, ${message.body_context}, ${message.body_enc},
      ${message.expires_at}, ${message.about}, ${message.envelope_id}, ${message.captured},
      case when ${message.captured} then 'infinity' else now() end)`);
}

/** For the operator, before a restored installation is released. Returns how many there were. */
export async function cancelMailBefore(tx: Tx, time: Date): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(sql`select withdraw_mail_before(${time})::int as n`);
  return rows[0]?.n ?? 0;
}

export async function withdrawMessages(tx: Tx, about: string, to: string | null): Promise<void> {
  await tx.query(sql`select withdraw_mail(${about}, ${to})`);
}

export interface Claimed {
  /** null for a message that belongs to a person */
  readonly org_id: OrgId | null;
  readonly to_address: string;
  readonly body_context: string;
  readonly body_enc: Uint8Array;
  /** counted from 1 */
  readonly attempt: number;
}

/** Claims a message until the lease ends. Null if it was sent, failed or expired, is not due yet, or is claimed by another worker. */
export async function claimMessage(tx: Tx, message_id: MessageId, lease_seconds: number): Promise<Claimed | null> {
  const { rows } = await tx.query<Claimed>(sql`select * from claim_mail(${message_id}, make_interval(secs => ${lease_seconds}))`);
  return rows[0] ?? null;
}

export interface Settlement {
  readonly state: State;
  readonly error: string | null;
  /** until the next attempt, if the message is queued again */
  readonly pause_seconds: number;
}

/** False when another attempt has claimed the message in the meantime. */
export async function settleMessage(tx: Tx, message_id: MessageId, attempt: number, settlement: Settlement): Promise<boolean> {
  const { state, error, pause_seconds } = settlement;
  const { rows } = await tx.query<{ settled: boolean }>(sql`
    select settle_mail(${message_id}, ${attempt}, ${state}, ${error}, make_interval(secs => ${pause_seconds})) as settled`);
  return rows[0]?.settled === true;
}

export interface FailedMessage {
  readonly org_id: OrgId;
  readonly to_address: string;
  readonly about: string;
}

/** Null for a message that did not fail, belongs to a person, or is about nothing that can be named. */
export async function lookUpFailedMessage(tx: Tx, message_id: MessageId): Promise<FailedMessage | null> {
  const { rows } = await tx.query<FailedMessage>(sql`select * from find_failed_mail(${message_id})`);
  return rows[0] ?? null;
}

/** Null for a message that is not about an envelope, or was queued before envelopes recorded their mail. */
export async function lookUpEnvelopeMail(tx: Tx, message_id: MessageId): Promise<EnvelopeMail | null> {
  const { rows } = await tx.query<Omit<EnvelopeMail, "message_id">>(sql`
    select org_id, envelope_id, kind, to_address as "to", about from find_mail_envelope(${message_id})`);
  return rows[0] === undefined ? null : { message_id, ...rows[0] };
}

/**
 * Comes before the message and the chain in the lock order. Signing and voiding also withdraw messages of an envelope that they have
 * locked; without this lock they could wait for the message while this transaction waits for the chain.
 */
export async function lockEnvelopeOf(tx: Tx, { org_id, envelope_id }: EnvelopeMail): Promise<void> {
  await tx.query(sql`select from envelopes where org_id = ${org_id} and envelope_id = ${envelope_id} for no key update`);
}

export const mailEvents = ["delivered", "bounced", "complained"] as const;
export type MailEventType = (typeof mailEvents)[number];

/** False if the message was never attempted, or if the same was reported before. */
export async function recordMailEvent(tx: Tx, message_id: MessageId, event: MailEventType): Promise<boolean> {
  const { rows } = await tx.query<{ recorded: boolean }>(sql`select record_mail_event(${message_id}, ${event}) as recorded`);
  return rows[0]?.recorded === true;
}

/** Records the first bounce of a message that asks a party to decide on an act. Null for every other message. */
export async function takeActBounce(tx: Tx, message_id: MessageId): Promise<FailedMessage | null> {
  const { rows } = await tx.query<FailedMessage>(sql`select org_id, about, to_address from take_act_bounce(${message_id})`);
  return rows[0] ?? null;
}

/** Messages that asked a party to decide on one of these acts and were refused or came back, each with its address. */
export async function listUndelivered(
  read: Read,
  org: OrgId,
  abouts: readonly string[],
): Promise<{ readonly about: string; readonly to: string }[]> {
  const { rows } = await read.query<{ about: string; to: string }>(sql`
    select about, to_address as "to" from mail_messages
    where org_id = ${org} and kind = 'act_asked' and about = any(${abouts}) and (state = 'failed' or bounced_at is not null)
    order by message_id`);
  return rows;
}

/** Due messages of all organizations and of persons, the oldest first. */
export async function listDueMessages(tx: Tx, limit: number): Promise<MessageId[]> {
  const { rows } = await tx.query<{ message_id: MessageId }>(sql`select message_id from find_due_mail(${limit})`);
  return rows.map((row) => row.message_id);
}

export async function listMessages(read: Read, org: OrgId, { page, limit }: PageRequest): Promise<Page<StoredMessage>> {
  const { rows } = await read.query<StoredMessage>(sql`
    select ${columns} from mail_messages where org_id = ${org} order by message_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`
    select count(*)::int as total from mail_messages where org_id = ${org}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

export async function findMessage(read: Read, org: OrgId, message_id: MessageId): Promise<StoredMessage> {
  const { rows } = await read.query<StoredMessage>(sql`
    select ${columns} from mail_messages where org_id = ${org} and message_id = ${message_id}`);
  const message = rows[0];
  if (message === undefined) throw new Problem("message_not_found");
  return message;
}
