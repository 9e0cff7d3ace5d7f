import type { Envelope, EnvelopeAuditEntry, Recipient } from "@countersign/client/types";
import { fromNow, local } from "../parts/when.tsx";
import { serverNow } from "../server-now.ts";
import { en as words } from "../words/progress/en.ts";
import { isDiscarded, isDraft, isOpen } from "./api.ts";
import { atTurn } from "./at-turn.ts";
import { namesOf } from "./names-of.ts";
import { ownTurn } from "./own-turn.ts";

/** Describes the state of an envelope: who it is waiting for, since when, and how it ended. */

export interface Progress {
  /** when a message to each address (lower case) was last queued, after the first one */
  readonly written: ReadonlyMap<string, string>;
  /** what mail servers last said about a message to each address (lower case) */
  readonly replies: ReadonlyMap<string, MailReply>;
  /** why it was voided or declined, if a reason was given */
  readonly reason: string | null;
}

type MailReply = { readonly text: string; readonly at: string };

/** A mail server's acceptance is not delivery: only a report of the provider says that a message arrived. */
const mailTexts = words.replies;

/** A refusal or a bounce with what the mail server said. */
function replyText(type: string, data: EnvelopeAuditEntry["data"]): string | undefined {
  const said = type === "mail.failed" ? textOf(data?.reply) : type === "mail.bounced" ? textOf(data?.detail) : null;
  const text = mailTexts[type];
  return text === undefined || said === null ? text : words.quoted(text, said);
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** From entries of the audit trail, newest first. */
export function progressOf(trail: readonly EnvelopeAuditEntry[]): Progress {
  const written = new Map<string, string>();
  const write = (email: unknown, at: string) => {
    const key = textOf(email)?.toLowerCase();
    if (key !== undefined && !written.has(key)) written.set(key, at);
  };
  const replies = new Map<string, MailReply>();
  let reason: string | null = null;
  for (const { type, at, data } of trail) {
    if (type === "envelope.reminded" && Array.isArray(data?.reminded)) for (const email of data.reminded) write(email, at);
    if (type === "signer.corrected" || type === "recipient.replaced") write((data?.to as { email?: unknown } | undefined)?.email, at);
    const reply = replyText(type, data);
    const to = textOf(data?.to)?.toLowerCase();
    if (reply !== undefined && to !== undefined && !replies.has(to)) replies.set(to, { text: reply, at });
    if (type === "envelope.voided" || type === "envelope.declined") reason ??= textOf(data?.reason);
  }
  return { written, replies, reason };
}

/** When the last message to a person whose turn it is was queued. */
function queuedAt({ written }: Progress, { metadata }: Envelope, recipients: readonly Recipient[], one: Recipient): string | null {
  const before = recipients.filter(({ kind, step }) => kind !== "cc" && (step ?? 1) < (one.step ?? 1)).map(({ acted_at }) => acted_at);
  const times = [metadata.sent_at, ...before, written.get(one.email.toLowerCase()) ?? null].filter((at) => at !== null);
  return times.sort().at(-1) ?? null;
}

// Long enough for a mail server that scans a message first. After that the page shows what it knew when it was loaded.
const REPLY_MS = 120_000;

/** Whether the mail server's reply about a message that was just queued is still expected. */
export function awaitsReply({ progress, envelope, recipients }: Pick<StatusTextInput, "envelope" | "recipients" | "progress">): boolean {
  return atTurn(recipients).some((one) => {
    if (one.delivery === "link") return false;
    const queued_at = queuedAt(progress, envelope, recipients, one);
    const reply = progress.replies.get(one.email.toLowerCase());
    return queued_at !== null && serverNow() - Date.parse(queued_at) < REPLY_MS && (reply === undefined || reply.at < queued_at);
  });
}

/** What became of the last message to a person. Null if none was queued. */
export function mailText(data: StatusTextInput, one: Recipient): string | null {
  if (one.delivery === "link") return null;
  const queued_at = queuedAt(data.progress, data.envelope, data.recipients, one);
  if (queued_at === null) return null;
  if (!data.isMailed) return words.inOutbox(fromNow(queued_at));
  const reply = data.progress.replies.get(one.email.toLowerCase());
  // A reply from before is about an earlier message.
  return reply === undefined || reply.at < queued_at ? words.queued(fromNow(queued_at)) : words.replied(reply.text, fromNow(reply.at));
}

interface StatusTextInput {
  readonly envelope: Envelope;
  readonly recipients: readonly Recipient[];
  readonly progress: Progress;
  /** false: without a mail server, messages stay in the outbox */
  readonly isMailed: boolean;
}

/** One or two sentences about the state and the next step. */
export function statusText({ envelope, recipients, progress, isMailed }: StatusTextInput): string {
  const { status, metadata } = envelope;
  if (status === "pending") return words.noDocument;
  if (isDraft(status)) return words.notSent;
  if (isOpen(status)) return waitingText({ envelope, recipients, progress, isMailed });
  const isSigned = recipients.every(({ kind }) => kind === "signer" || kind === "cc");
  if (status === "completed") return metadata.auto_vault_enabled ? words.storing(isSigned) : words.canStore(isSigned);
  if (status === "vaulted") return words.vaulted(isSigned);
  if (status === "declined") {
    const declined = recipients.filter((one) => one.status === "declined");
    const isRejected = declined.some(({ kind }) => kind === "approver");
    return isRejected ? words.rejected(namesOf(declined), progress.reason) : words.declined(namesOf(declined), progress.reason);
  }
  if (isDiscarded(envelope)) return words.discarded;
  if (status === "voided") return words.voided(progress.reason);
  return words.expired(metadata.expires_at === null ? null : local(metadata.expires_at), isSigned);
}

function waitingText(data: StatusTextInput): string {
  const turn = atTurn(data.recipients);
  const [first] = turn;
  if (first === undefined) return words.waitingForAny;
  const locked = namesOf(turn.filter(({ status }) => status === "locked"));
  const own = ownTurn(data.envelope, data.recipients);
  if (own !== null) return words.yourTurn(namesOf(turn.filter((one) => one !== own)), locked);
  const mailed = turn.length > 1 ? null : mailText(data, first);
  return mailed === null ? words.waiting(namesOf(turn), locked) : words.waitingMailed(first.name, mailed, locked);
}
