import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import type { Message, Words } from "../mail/message.ts";
import { yourTurnForMember } from "../mail/messages/to-sender.ts";
import {
  copyForReader,
  correctedSigner,
  declinedForSigner,
  expiredForSigner,
  invitationToSign,
  reminderToSign,
  type SignerFacts,
  type SigningFacts,
  voidedForSigner,
  yourTurnToSign,
} from "../mail/messages/to-signer.ts";
import { queueMail, withdrawMail } from "../mail/queue-mail.ts";
import { appendNotification } from "../notifications/append-notification.ts";
import type { News } from "../notifications/notification.ts";
import { asSystem, systemOrigin } from "../shared/caller.ts";
import { DAY_MS } from "../shared/durations.ts";
import { type EnvelopeId, isId, type MessageId, type OrgId } from "../shared/ids.ts";
import { hasRequirements } from "../signing/identity/store.ts";
import { insertLink, linkAddress, newLinkSecret } from "../signing/link-store.ts";
import { markInvited } from "../signing/store.ts";
import { hasTurn, isActing, isSigner, type Recipient } from "../signing/submission.ts";
import { type About, type Addressee, factsFor, findCorrespondence, headersOf } from "./correspondence.ts";
import type { Envelope, EnvelopeDeps } from "./envelope.ts";
import { findSigningEnvelope } from "./signing-envelope-store.ts";
import { listMembersByEmail } from "./store.ts";

/** Mail about an envelope, queued in the transaction of what it reports. */

// After this time, a message that an envelope has ended is no longer useful.
const NEWS_MS = 7 * DAY_MS;

/**
 * Queues a message with a signing link. The secret of the link is only in this message, so a person who uses the link has read the
 * message.
 */
export async function mailLink(
  deps: Pick<EnvelopeDeps, "embedUrl" | "mail">,
  tx: Tx,
  org: OrgId,
  signer: Pick<Recipient, "email" | "slug" | "locale">,
  messageWith: (url: string) => Omit<Message, "to">,
): Promise<MessageId> {
  const secret = newLinkSecret();
  const message = messageWith(linkAddress(deps.embedUrl, signer, secret));
  const message_id = await queueMail(deps.mail, tx, org, { ...message, to: signer.email });
  await insertLink(tx, org, { kind: "mailed", slug: signer.slug, secret, message_id, expires_at: null });
  return message_id;
}

interface Inviting {
  /** when the envelope is sent */
  readonly first: boolean;
  /** everyone: what happened before decides what is said */
  readonly recipients: readonly Recipient[];
}

/** The people whose turn has come. Those who get their link from the sender get no mail. */
export async function invite(
  deps: EnvelopeDeps,
  tx: Tx,
  org: OrgId,
  envelope: About,
  due: readonly Recipient[],
  { first, recipients }: Inviting,
): Promise<void> {
  if (due.length === 0) return;
  const before = recipients.filter((one) => isActing(one) && due.some(({ step }) => (one.step ?? 0) < (step ?? 0)));
  const after = before.length === 0 ? "no one" : before.every(isSigner) ? "signers" : "others";
  const words = (facts: SigningFacts) => (first ? invitationToSign(facts) : yourTurnToSign({ ...facts, after }));
  await toRecipients(deps, tx, org, envelope, due, words);
  await markInvited(
    tx,
    org,
    due.map(({ slug }) => slug),
  );
  if (!first) await tellMembers(deps, tx, org, envelope, due, after === "no one");
}

/** Members who sign too get no link by mail, because they sign in the console. */
async function tellMembers(
  deps: EnvelopeDeps,
  tx: Tx,
  org: OrgId,
  envelope: About,
  due: readonly Recipient[],
  is_first: boolean,
): Promise<void> {
  const { envelope_id, envelope_name } = envelope;
  const addresses = due.filter(({ delivery }) => delivery === "link").map(({ email }) => email);
  const members = addresses.length === 0 ? [] : await listMembersByEmail(tx, org, addresses);
  if (members.length === 0) return;
  const { sender: org_name } = await findSigningEnvelope(tx, org, envelope_id);
  const mail = yourTurnForMember({ envelope_name, org_name, url: `${deps.consoleUrl}/envelopes/${envelope_id}`, is_first });
  const news = { kind: "action_needed", envelope_name, because: "your_turn" } as const;
  for (const user_id of members) await appendNotification(tx, org, { envelope_id, people: [user_id] }, news, mail);
}

/** A link to read the document, for people who get a copy and whose step has begun. Not where others must prove their identity first. */
export async function shareCopies(
  deps: EnvelopeDeps,
  tx: Tx,
  org: OrgId,
  envelope: About & Pick<Envelope, "kba_required">,
  recipients: readonly Recipient[],
): Promise<void> {
  const due = recipients.filter((one) => one.kind === "cc" && one.invited_at === null && hasTurn(recipients, one));
  if (due.length === 0 || envelope.kba_required || (await hasRequirements(tx, org, envelope.envelope_id))) return;
  await toRecipients(deps, tx, org, envelope, due, copyForReader);
  for (const one of due) {
    if (one.delivery === "email") await noteShared(tx, org, envelope.envelope_id, one, "step");
    else await markInvited(tx, org, [one.slug]);
  }
}

const SERVICE = asSystem(systemOrigin("countersign", "envelopes.share-copies"));

/** Once for each person: with the first message that they get. */
export async function noteShared(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  { recipient_id, email: user_email, slug }: Recipient,
  what: "step" | "result",
): Promise<void> {
  await markInvited(tx, org, [slug]);
  await appendAudit(tx, org, { type: "recipient.notified", by: SERVICE, envelope_id, data: { recipient_id, user_email, what } });
}

export function remind(deps: EnvelopeDeps, tx: Tx, org: OrgId, envelope: About, due: readonly Addressee[]): Promise<void> {
  return toRecipients(deps, tx, org, envelope, due, reminderToSign);
}

export function correct(deps: EnvelopeDeps, tx: Tx, org: OrgId, envelope: About, signer: Addressee): Promise<void> {
  return toRecipients(deps, tx, org, envelope, [signer], correctedSigner);
}

async function toRecipients(
  deps: EnvelopeDeps,
  tx: Tx,
  org: OrgId,
  envelope: About,
  recipients: readonly Addressee[],
  words: (facts: SigningFacts) => Words,
): Promise<void> {
  const mailed = recipients.filter(({ delivery }) => delivery === "email");
  if (mailed.length === 0) return;
  const { envelope_id, expires_at } = envelope;
  if (expires_at === null) throw new Error("a sent envelope has no expiry date");
  const correspondence = await findCorrespondence(tx, org, envelope);
  for (const signer of mailed) {
    await mailLink(deps, tx, org, signer, (url) => ({
      ...words({ ...factsFor(correspondence, signer), url, expires_at }),
      ...headersOf(correspondence),
      expires_at,
      about: envelope_id,
      envelope_id,
    }));
  }
}

/** Withdraws queued messages with links that no longer work. With `to`, only messages to that address. */
export function withdrawLinks(tx: Tx, { envelope_id }: Pick<Envelope, "envelope_id">, to: string | null = null): Promise<void> {
  return withdrawMail(tx, envelope_id, to);
}

/** Why it ended. A void has its sender's reason. The reason of a decline or a rejection is not shown to the others. */
export type HowEnded = { readonly voided: string } | "declined" | "rejected" | "expired";

/** Tells the people who were invited that the envelope has ended. */
export async function tellEnded(
  deps: EnvelopeDeps,
  tx: Tx,
  org: OrgId,
  envelope: About,
  recipients: readonly Recipient[],
  how: HowEnded,
): Promise<void> {
  const invited = recipients.filter(({ invited_at, delivery }) => invited_at !== null && delivery === "email");
  if (invited.length === 0) return;
  const { envelope_id, expires_at } = envelope;
  const correspondence = await findCorrespondence(tx, org, envelope);
  const until = new Date(tx.now.getTime() + NEWS_MS);
  const is_signed = !recipients.some(isSigner);
  for (const signer of invited) {
    const words = newsOf(how, { ...factsFor(correspondence, signer), is_signed }, expires_at ?? tx.now);
    await queueMail(deps.mail, tx, org, { ...words, ...headersOf(correspondence), to: signer.email, expires_at: until, envelope_id });
  }
}

function newsOf(how: HowEnded, facts: SignerFacts & { readonly is_signed: boolean }, expired_at: Date): Words {
  if (how === "declined" || how === "rejected") return declinedForSigner({ ...facts, rejected: how === "rejected" });
  if (how === "expired") return expiredForSigner({ ...facts, expired_at });
  return voidedForSigner({ ...facts, reason: how.voided });
}

/** The member who sent it. If a key did, the owner; if neither is a member any more, the admins: a decline and an expiry are no events. */
export function tellSender(
  tx: Tx,
  org: OrgId,
  { envelope_id, sent_by, owner_user_id }: Pick<Envelope, "envelope_id" | "sent_by" | "owner_user_id">,
  news: News,
  words: Words,
): Promise<void> {
  const sender = sent_by !== null && isId("user", sent_by) ? sent_by : null;
  return appendNotification(tx, org, { envelope_id, people: [sender, owner_user_id] }, news, words);
}
