import type { Envelope, EnvelopeAuditEntry, Signer, SigningOrder } from "@countersign/client/types";
import { fromNow, local } from "../parts/when.tsx";
import { isDraft, isOpen } from "./api.ts";

/** Describes the state of an envelope: who it is waiting for, since when, and how it ended. */

export interface Progress {
  /** null: the audit entry was erased */
  readonly order: SigningOrder | null;
  /** when a message to each address (lower case) was last queued, after the first one */
  readonly written: ReadonlyMap<string, string>;
  /** what mail servers last said about a message to each address (lower case) */
  readonly replies: ReadonlyMap<string, MailReply>;
  /** why it was voided or declined, if a reason was given */
  readonly reason: string | null;
}

type MailReply = { readonly text: string; readonly at: string };

/** A mail server's acceptance is not delivery: only a report of the provider says that a message arrived. */
const mailTexts: Readonly<Record<string, string>> = {
  "mail.accepted": "e-mail accepted by the mail server",
  "mail.failed": "e-mail could not be sent",
  "mail.delivered": "e-mail delivered",
  "mail.bounced": "e-mail bounced",
  "mail.complained": "e-mail marked as spam",
};

/** A refusal or a bounce with what the mail server said. */
function replyText(type: string, data: EnvelopeAuditEntry["data"]): string | undefined {
  const said = type === "mail.failed" ? textOf(data?.reply) : type === "mail.bounced" ? textOf(data?.detail) : null;
  return said === null ? mailTexts[type] : `${mailTexts[type]} (“${said}”)`;
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
  let order: Progress["order"] = null;
  let reason: string | null = null;
  for (const { type, at, data } of trail) {
    if (type === "envelope.reminded" && Array.isArray(data?.reminded)) for (const email of data.reminded) write(email, at);
    if (type === "signer.corrected") write((data?.to as { email?: unknown } | undefined)?.email, at);
    const reply = replyText(type, data);
    const to = textOf(data?.to)?.toLowerCase();
    if (reply !== undefined && to !== undefined && !replies.has(to)) replies.set(to, { text: reply, at });
    if (type === "envelope.sent") order = data?.signing_order === "parallel" ? "parallel" : data === null ? null : "sequential";
    if (type === "envelope.voided" || type === "envelope.declined") reason ??= textOf(data?.reason);
  }
  return { order, written, replies, reason };
}

export const isWaiting = ({ status }: Pick<Signer, "status">): boolean =>
  status === "pending" || status === "viewed" || status === "locked";

/** The signers whose turn it is: in sequential order the first who has not signed, otherwise everyone who has not signed. */
export function atTurn({ order }: Pick<Progress, "order">, signers: readonly Signer[]): readonly Signer[] {
  const waiting = signers.filter(isWaiting);
  if (order === "parallel") return waiting;
  const [first] = waiting;
  return first !== undefined && signers.every((one) => one.order >= first.order || one.status === "signed") ? [first] : [];
}

/** When the last message to a signer whose turn it is was queued. */
function queuedAt({ order, written }: Progress, { metadata }: Envelope, signers: readonly Signer[], signer: Signer): string | null {
  const before = order === "parallel" ? [] : signers.filter((one) => one.order < signer.order).map(({ signed_at }) => signed_at);
  const times = [metadata.sent_at, ...before, written.get(signer.email.toLowerCase()) ?? null].filter((at) => at !== null);
  return times.sort().at(-1) ?? null;
}

// Long enough for a mail server that scans a message first. After that the page shows what it knew when it was loaded.
const REPLY_MS = 120_000;

/** Whether the mail server's reply about a message that was just queued is still expected. */
export function awaitsReply({ progress, envelope, signers }: Pick<StatusTextInput, "envelope" | "signers" | "progress">): boolean {
  return atTurn(progress, signers).some((signer) => {
    const queued_at = queuedAt(progress, envelope, signers, signer);
    const reply = progress.replies.get(signer.email.toLowerCase());
    return queued_at !== null && Date.now() - Date.parse(queued_at) < REPLY_MS && (reply === undefined || reply.at < queued_at);
  });
}

/** What became of the last message to a signer. Null if none was queued. */
export function mailText(data: Pick<StatusTextInput, "envelope" | "signers" | "progress" | "isMailed">, signer: Signer): string | null {
  const queued_at = queuedAt(data.progress, data.envelope, data.signers, signer);
  if (queued_at === null) return null;
  if (!data.isMailed) return `message added to the outbox ${fromNow(queued_at)}`;
  const reply = data.progress.replies.get(signer.email.toLowerCase());
  // A reply from before is about an earlier message.
  return reply === undefined || reply.at < queued_at ? `e-mail queued ${fromNow(queued_at)}` : `${reply.text} ${fromNow(reply.at)}`;
}

const joined = new Intl.ListFormat("en", { type: "conjunction" });
export const namesOf = (signers: readonly { readonly name: string }[]): string => joined.format(signers.map(({ name }) => name));

interface StatusTextInput {
  readonly envelope: Envelope;
  readonly signers: readonly Signer[];
  readonly progress: Progress;
  /** false: without a mail server, messages stay in the outbox */
  readonly isMailed: boolean;
}

/** One or two sentences about the state and the next step. */
export function statusText({ envelope, signers, progress, isMailed }: StatusTextInput): string {
  const { status, metadata } = envelope;
  if (status === "pending") return "This envelope has no document yet.";
  if (isDraft(status)) return "Not sent yet.";
  if (isOpen(status)) return waitingText({ envelope, signers, progress, isMailed });
  if (status === "completed") {
    return metadata.auto_vault_enabled
      ? "Everyone has signed. The document is being stored in the vault."
      : "Everyone has signed. You can store the document in the vault.";
  }
  if (status === "vaulted") return "Everyone has signed. The vault keeps the authoritative copy.";
  const because = progress.reason === null ? "" : ` Reason: ${progress.reason}`;
  if (status === "declined")
    return `${namesOf(signers.filter((one) => one.status === "declined")) || "A signer"} declined to sign.${because}`;
  if (status === "voided") return `This envelope was voided and can no longer be signed.${because}`;
  return `This envelope expired${metadata.expires_at === null ? "" : ` on ${local(metadata.expires_at)}`} before everyone signed.`;
}

function waitingText(data: StatusTextInput): string {
  const turn = atTurn(data.progress, data.signers);
  const [first] = turn;
  if (first === undefined) return "Waiting for signers.";
  const locked = turn.filter(({ status }) => status === "locked");
  const help = locked.length === 0 ? "" : ` ${namesOf(locked)} gave too many wrong answers to the identity questions and must be unlocked.`;
  const mailed = turn.length > 1 ? null : mailText(data, first);
  if (mailed === null) return `Waiting for ${namesOf(turn)}.${help}`;
  return `Waiting for ${first.name}. ${mailed.charAt(0).toUpperCase()}${mailed.slice(1)}.${help}`;
}
