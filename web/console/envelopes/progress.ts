import type { Envelope, EnvelopeAuditEntry, Signer, SigningOrder } from "@countersign/client/types";
import { fromNow, local } from "../parts/when.tsx";
import { isDraft, isOpen } from "./api.ts";

/** Describes the state of an envelope: who it is waiting for, since when, and how it ended. */

export interface Progress {
  /** null: the audit entry was erased */
  readonly order: SigningOrder | null;
  /** when each address (lower case) last got a mail after the first one */
  readonly written: ReadonlyMap<string, string>;
  /** why it was voided or declined, if a reason was given */
  readonly reason: string | null;
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** From entries of the audit trail, newest first. */
export function progressOf(trail: readonly EnvelopeAuditEntry[]): Progress {
  const written = new Map<string, string>();
  const write = (email: unknown, at: string) => {
    const key = textOf(email)?.toLowerCase();
    if (key !== undefined && !written.has(key)) written.set(key, at);
  };
  let order: Progress["order"] = null;
  let reason: string | null = null;
  for (const { type, at, data } of trail) {
    if (type === "envelope.reminded" && Array.isArray(data?.reminded)) for (const email of data.reminded) write(email, at);
    if (type === "signer.corrected") write((data?.to as { email?: unknown } | undefined)?.email, at);
    if (type === "envelope.sent") order = data?.signing_order === "parallel" ? "parallel" : data === null ? null : "sequential";
    if (type === "envelope.voided" || type === "envelope.declined") reason ??= textOf(data?.reason);
  }
  return { order, written, reason };
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

/** When a signer whose turn it is last got a mail. */
export function mailedAt({ order, written }: Progress, { metadata }: Envelope, signers: readonly Signer[], signer: Signer): string | null {
  const before = order === "parallel" ? [] : signers.filter((one) => one.order < signer.order).map(({ signed_at }) => signed_at);
  const times = [metadata.sent_at, ...before, written.get(signer.email.toLowerCase()) ?? null].filter((at) => at !== null);
  return times.sort().at(-1) ?? null;
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
  if (isOpen(status)) return waitingText(envelope, signers, progress, isMailed);
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

function waitingText(envelope: Envelope, signers: readonly Signer[], progress: Progress, isMailed: boolean): string {
  const turn = atTurn(progress, signers);
  const [first] = turn;
  if (first === undefined) return "Waiting for signers.";
  const locked = turn.filter(({ status }) => status === "locked");
  const help = locked.length === 0 ? "" : ` ${namesOf(locked)} gave too many wrong answers to the identity questions and must be unlocked.`;
  const mailed = mailedAt(progress, envelope, signers, first);
  if (turn.length > 1 || mailed === null) return `Waiting for ${namesOf(turn)}.${help}`;
  return `Waiting for ${first.name}. ${isMailed ? "E-mailed" : "Message added to the outbox"} ${fromNow(mailed)}.${help}`;
}
