// What became of the messages to signers, from the entries of an envelope's chain alone. A mail server's acceptance is not delivery: after
// it, only a report of the mail provider says more, and that report rests on the provider's word.

import type { Json } from "./canonical.ts";
import type { Link } from "./verify-chain.ts";

/** From the least to the most decisive: a later state replaces an earlier one, whatever the order of the entries. */
const states = [
  "queued", // named in the chain, but no mail server has replied yet
  "failed", // refused for good, or given up
  "accepted", // a mail server accepted it, possibly after another attempt was recorded as failed
  "delivered", // the provider reported delivery
  "complained", // the recipient marked it as unwanted, so it arrived
  "bounced", // the provider reported that it came back; a report of delivery does not hide this
] as const;
export type MailState = (typeof states)[number];

/** The reply with which a mail server accepted a message. */
export type MailAcceptance = {
  /** the number of the entry */
  readonly seq: number;
  readonly at: string;
  /** such as 250 */
  readonly code: number | null;
  /** host and port */
  readonly server: string | null;
  /** null without TLS */
  readonly tls: { readonly protocol: string; readonly cipher: string } | null;
  readonly header_id: string | null;
  readonly body_sha256: string | null;
};

export type MailEvidence = {
  readonly message_id: string;
  /** such as signing_invitation; null if no entry says it */
  readonly kind: string | null;
  readonly to: string | null;
  readonly state: MailState;
  /** when the entry with this state was written */
  readonly at: string;
  /** also if the message bounced later; null if no mail server is recorded to have accepted the message */
  readonly accepted: MailAcceptance | null;
};

const stateOf: ReadonlyMap<string, MailState> = new Map<string, MailState>([
  // These two name a message: one that was just queued, and one whose link was used.
  ["signer.link_sent", "queued"],
  ["signer.opened", "queued"],
  ["mail.failed", "failed"],
  ["mail.accepted", "accepted"],
  ["mail.delivered", "delivered"],
  ["mail.complained", "complained"],
  ["mail.bounced", "bounced"],
]);

/** Every message that the chain names, in the order in which it names them. Entries whose data was erased say nothing. Never throws. */
export function mailEvidence(links: readonly Link[]): MailEvidence[] {
  const found = new Map<string, MailEvidence>();
  for (const link of links) {
    const state = stateOf.get(link.entry.type);
    const data = dataOf(link);
    const message_id = text(data.message_id);
    if (state === undefined || message_id === null) continue;
    found.set(message_id, added(found.get(message_id), { message_id, state, link, data }));
  }
  return [...found.values()];
}

type Data = Readonly<Record<string, Json | undefined>>;
type Said = { readonly message_id: string; readonly state: MailState; readonly link: Link; readonly data: Data };

function added(before: MailEvidence | undefined, { message_id, state, link, data }: Said): MailEvidence {
  const { seq, at } = link.entry;
  const isDecisive = before === undefined || states.indexOf(state) > states.indexOf(before.state);
  return {
    message_id,
    kind: before?.kind ?? text(data.kind),
    to: before?.to ?? text(data.to) ?? text(data.user_email),
    state: isDecisive ? state : before.state,
    at: isDecisive ? at : before.at,
    accepted: before?.accepted ?? (state === "accepted" ? acceptanceOf(seq, at, data) : null),
  };
}

function acceptanceOf(seq: number, at: string, data: Data): MailAcceptance {
  const tls = Object(data.tls ?? {}) as Data;
  const [protocol, cipher] = [text(tls.protocol), text(tls.cipher)];
  return {
    seq,
    at,
    code: typeof data.code === "number" ? data.code : null,
    server: text(data.server),
    tls: protocol === null || cipher === null ? null : { protocol, cipher },
    header_id: text(data.header_id),
    body_sha256: text(data.body_sha256),
  };
}

// The messages that carry a link to sign. Those about a copy, and those that say that the envelope has ended, do not.
const INVITING: readonly unknown[] = ["signing_invitation", "signing_turn", "signing_reminder", "signing_corrected", "signing_link"];
export const isInviting = (kind: unknown): boolean => INVITING.includes(kind);

/**
 * The message that brought a signer to the document: the one whose link was used last, otherwise the latest message with a link to the
 * signer's address. Null if the chain names none: the message waits, was withdrawn, or was sent before mail was recorded.
 * @example invitationOf(links, { slug: "s-Qx7_b2", email: "ann@example.com" })?.state // "accepted"
 */
export function invitationOf(links: readonly Link[], signer: { readonly slug: string; readonly email: string }): MailEvidence | null {
  const messages = mailEvidence(links);
  const opened = links.findLast(
    (link) => link.entry.type === "signer.opened" && link.entry.actor.id === signer.slug && text(dataOf(link).message_id) !== null,
  );
  if (opened !== undefined) return messages.find(({ message_id }) => message_id === dataOf(opened).message_id) ?? null;
  const isTheirs = ({ kind, to }: MailEvidence) => isInviting(kind) && to?.toLowerCase() === signer.email.toLowerCase();
  return messages.findLast(isTheirs) ?? null;
}

const dataOf = ({ data }: Link): Data => Object(data?.data ?? {}) as Data;
const text = (value: Json | undefined): string | null => (typeof value === "string" ? value : null);
