import type { Envelope, EnvelopeAuditEntry, Signer, SigningOrder } from "@countersign/client/types";
import { fromNow, local } from "../parts/when.tsx";
import { isDraft, isOpen } from "./api.ts";

/** How an envelope stands, in words: who is waited for, since when, and what ended it. */

export interface Story {
  /** null: its entry was erased */
  readonly order: SigningOrder | null;
  /** when each address was last written to beyond the first mail, lower case */
  readonly written: ReadonlyMap<string, string>;
  /** why it was voided or declined, if somebody said so */
  readonly reason: string | null;
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** From entries of the audit trail, newest first. */
export function storyOf(trail: readonly EnvelopeAuditEntry[]): Story {
  const written = new Map<string, string>();
  const write = (email: unknown, at: string) => {
    const key = textOf(email)?.toLowerCase();
    if (key !== undefined && !written.has(key)) written.set(key, at);
  };
  let order: Story["order"] = null;
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

/** Those whose turn it is: in sequence the first who has not signed, else all of them. */
export function atTurn({ order }: Pick<Story, "order">, signers: readonly Signer[]): readonly Signer[] {
  const waiting = signers.filter(isWaiting);
  if (order === "parallel") return waiting;
  const [first] = waiting;
  return first !== undefined && signers.every((one) => one.order >= first.order || one.status === "signed") ? [first] : [];
}

/** When somebody whose turn it is was last written to. */
export function mailedAt({ order, written }: Story, { metadata }: Envelope, signers: readonly Signer[], signer: Signer): string | null {
  const before = order === "parallel" ? [] : signers.filter((one) => one.order < signer.order).map(({ signed_at }) => signed_at);
  const times = [metadata.sent_at, ...before, written.get(signer.email.toLowerCase()) ?? null].filter((at) => at !== null);
  return times.sort().at(-1) ?? null;
}

const joined = new Intl.ListFormat("en", { type: "conjunction" });
export const namesOf = (signers: readonly { readonly name: string }[]): string => joined.format(signers.map(({ name }) => name));

interface Standing {
  readonly envelope: Envelope;
  readonly signers: readonly Signer[];
  readonly story: Story;
  /** without a mail server messages wait in the outbox */
  readonly isMailed: boolean;
}

/** What has to happen next. */
export function nextWords({ envelope, signers, story, isMailed }: Standing): string {
  const { status, metadata } = envelope;
  if (status === "pending") return "It has no document yet.";
  if (isDraft(status)) return "It is a draft: nobody has been asked to sign yet.";
  if (isOpen(status)) return waitsWords(envelope, signers, story, isMailed);
  if (status === "completed") {
    return metadata.auto_vault_enabled
      ? "Everybody has signed. The vault is taking it in."
      : "Everybody has signed. It is not in the vault; it can be taken in.";
  }
  if (status === "vaulted") return "Everybody has signed, and the vault keeps the authoritative copy.";
  const because = story.reason === null ? "" : ` The reason given: ${story.reason}`;
  if (status === "declined") return `${namesOf(signers.filter((one) => one.status === "declined")) || "A signer"} declined.${because}`;
  if (status === "voided") return `It was voided; nobody can sign it any more.${because}`;
  return `The time to sign it was over${metadata.expires_at === null ? "" : ` on ${local(metadata.expires_at)}`}.`;
}

function waitsWords(envelope: Envelope, signers: readonly Signer[], story: Story, isMailed: boolean): string {
  const turn = atTurn(story, signers);
  const [first] = turn;
  if (first === undefined) return "It waits for its signers.";
  const locked = turn.filter(({ status }) => status === "locked");
  const help = locked.length === 0 ? "" : ` ${namesOf(locked)} answered the questions wrongly too often and must be let in again.`;
  const mailed = mailedAt(story, envelope, signers, first);
  if (turn.length > 1 || mailed === null) return `Waits for ${namesOf(turn)}.${help}`;
  return `Waits for ${first.name}, ${isMailed ? "who was mailed" : "whose mail was put into the outbox"} ${fromNow(mailed)}.${help}`;
}
