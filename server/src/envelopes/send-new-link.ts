import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { addressGroup } from "../http/address.ts";
import { takeQuota } from "../http/quota.ts";
import { newLinkForSigner, newLinkToCopy } from "../mail/messages/to-signer.ts";
import { asSystem, type Origin } from "../shared/caller.ts";
import { DAY_MS, HOUR_SECONDS } from "../shared/durations.ts";
import type { MessageId, OrgId } from "../shared/ids.ts";
import type { Slug } from "../shared/slugs.ts";
import { LINKS_PER_HOUR, linkQuota } from "../signing/link-store.ts";
import { listRecipients, lookUpLink } from "../signing/store.ts";
import { hasFinished, isActing, isWaiting, type Recipient } from "../signing/submission.ts";
import { factsFor, findCorrespondence, headersOf } from "./correspondence.ts";
import { type Envelope, type EnvelopeDeps, open } from "./envelope.ts";
import { mailLink } from "./notify.ts";
import { lockRow } from "./store.ts";

// An office can have many signers behind one IP address. A higher limit would only fill the table of quotas.
const ASKED_PER_ADDRESS = 100;
// Long enough that the link still arrives if a mail server was down over a weekend.
const COPY_LINK_DAYS = 7;

/**
 * Sends a new link to a recipient who opened a link without its secret. It always goes to the address on record. The caller learns nothing:
 * the response is the same whether the slug is unknown, was mailed too often or has nothing to open.
 */
export async function sendNewLink(deps: EnvelopeDeps, from: Origin, slug: Slug): Promise<void> {
  const found = await deps.db.system(async (tx) => {
    const asked = await takeQuota(tx, `new-link:address:${addressGroup(from.ip)}`, ASKED_PER_ADDRESS, HOUR_SECONDS);
    if (!asked.accepted) return null;
    const { accepted } = await takeQuota(tx, linkQuota(slug), LINKS_PER_HOUR, HOUR_SECONDS);
    return accepted ? lookUpLink(tx, slug) : null;
  });
  if (found === null) return;
  const { org_id: org, envelope_id } = found;
  await deps.db.tx(org, async (tx) => {
    const envelope = await lockRow(tx, org, envelope_id);
    const signer = (await listRecipients(tx, org, envelope_id)).find((one) => one.slug === slug);
    if (signer === undefined) return;
    const message_id = await maybeMailLink(deps, tx, org, envelope, signer);
    if (message_id === null) return;
    const by = asSystem(from);
    await appendAudit(tx, org, { type: "signer.link_sent", by, envelope_id, data: { user_email: signer.email, message_id } });
  });
}

/** Null for a person whom the sender gives the link, and when there is nothing to open: not invited yet, or ended before they acted. */
export async function maybeMailLink(
  deps: EnvelopeDeps,
  tx: Tx,
  org: OrgId,
  envelope: Envelope,
  signer: Recipient,
): Promise<MessageId | null> {
  const { envelope_id, status, expires_at } = envelope;
  // The sender hands the link over. The address may be anyone's: on a form without a check of addresses, visitors type it.
  if (signer.delivery === "link") return null;
  const correspondence = await findCorrespondence(tx, org, envelope);
  const facts = factsFor(correspondence, signer);
  if (open.includes(status) && isActing(signer) && isWaiting(signer) && signer.invited_at !== null && expires_at !== null) {
    return mailLink(deps, tx, org, signer, (url) => ({
      ...newLinkForSigner({ ...facts, url, expires_at }),
      ...headersOf(correspondence),
      expires_at,
      about: envelope_id,
      envelope_id,
    }));
  }
  const isKept = open.includes(status) || status === "completed" || status === "vaulted";
  const hasCopy = hasFinished(signer) || (!isActing(signer) && (signer.invited_at !== null || !open.includes(status)));
  if (!hasCopy || !isKept) return null;
  const until = new Date(tx.now.getTime() + COPY_LINK_DAYS * DAY_MS);
  return mailLink(deps, tx, org, signer, (copy_url) => ({
    ...newLinkToCopy({ ...facts, copy_url }),
    ...headersOf(correspondence),
    expires_at: until,
    about: envelope_id,
    envelope_id,
  }));
}
