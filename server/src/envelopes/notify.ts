import type { Tx } from "../db/sql.ts";
import type { Message, Words } from "../mail/message.ts";
import {
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
import { DAY_MS } from "../shared/durations.ts";
import { isId, type MessageId, type OrgId } from "../shared/ids.ts";
import { insertLink, linkAddress, newLinkSecret } from "../signing/link-store.ts";
import { markInvited } from "../signing/store.ts";
import type { Signer } from "../signing/submission.ts";
import { type About, type Addressee, factsFor, findCorrespondence, headersOf } from "./correspondence.ts";
import type { Envelope, EnvelopeDeps } from "./envelope.ts";

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
  signer: Pick<Signer, "email" | "slug" | "locale">,
  messageWith: (url: string) => Omit<Message, "to">,
): Promise<MessageId> {
  const secret = newLinkSecret();
  const message = messageWith(linkAddress(deps.embedUrl, signer, secret));
  const message_id = await queueMail(deps.mail, tx, org, { ...message, to: signer.email });
  await insertLink(tx, org, { kind: "mailed", slug: signer.slug, secret, message_id, expires_at: null });
  return message_id;
}

/** The signers whose turn has come. */
export async function invite(
  deps: EnvelopeDeps,
  tx: Tx,
  org: OrgId,
  envelope: About,
  signers: readonly Signer[],
  first: boolean,
): Promise<void> {
  if (signers.length === 0) return;
  await toSigners(deps, tx, org, envelope, signers, first ? invitationToSign : yourTurnToSign);
  await markInvited(
    tx,
    org,
    signers.map(({ slug }) => slug),
  );
}

export function remind(deps: EnvelopeDeps, tx: Tx, org: OrgId, envelope: About, signers: readonly Addressee[]): Promise<void> {
  return toSigners(deps, tx, org, envelope, signers, reminderToSign);
}

export function correct(deps: EnvelopeDeps, tx: Tx, org: OrgId, envelope: About, signer: Addressee): Promise<void> {
  return toSigners(deps, tx, org, envelope, [signer], correctedSigner);
}

async function toSigners(
  deps: EnvelopeDeps,
  tx: Tx,
  org: OrgId,
  envelope: About,
  signers: readonly Addressee[],
  words: (facts: SigningFacts) => Words,
): Promise<void> {
  const { envelope_id, expires_at } = envelope;
  if (expires_at === null) throw new Error("a sent envelope has no expiry date");
  const correspondence = await findCorrespondence(tx, org, envelope);
  for (const signer of signers) {
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

/** Why it ended. A void has its sender's reason. The reason of a decline is not shown to the other signers. */
export type HowEnded = { readonly voided: string } | "declined" | "expired";

/** Tells the signers who were invited that the envelope has ended. */
export async function tellEnded(
  deps: EnvelopeDeps,
  tx: Tx,
  org: OrgId,
  envelope: About,
  signers: readonly Signer[],
  how: HowEnded,
): Promise<void> {
  const invited = signers.filter(({ invited_at }) => invited_at !== null);
  if (invited.length === 0) return;
  const { envelope_id, expires_at } = envelope;
  const correspondence = await findCorrespondence(tx, org, envelope);
  const until = new Date(tx.now.getTime() + NEWS_MS);
  for (const signer of invited) {
    const words = newsOf(how, factsFor(correspondence, signer), expires_at ?? tx.now);
    await queueMail(deps.mail, tx, org, { ...words, ...headersOf(correspondence), to: signer.email, expires_at: until, envelope_id });
  }
}

function newsOf(how: HowEnded, facts: SignerFacts, expired_at: Date): Words {
  if (how === "declined") return declinedForSigner(facts);
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
