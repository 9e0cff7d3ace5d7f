import type { Tx } from "../../db/sql.ts";
import type { Member } from "../../shared/caller.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { lookOf } from "../look.ts";
import type { MailDeps, Words } from "../message.ts";
import {
  completedForSigner,
  declinedForSigner,
  expiredForSigner,
  invitationToSign,
  newLinkToCopy,
  reminderToSign,
  type SigningFacts,
  voidedForSigner,
} from "../messages/to-signer.ts";
import { findMailOrg } from "../org-store.ts";
import { queueMail } from "../queue-mail.ts";
import { findReader } from "./store.ts";
import { type MailText, type MailTextKind, refuseBadTexts } from "./text.ts";

export interface Preview extends Words {
  readonly sent_to: string | null;
}

const DEADLINE_DAYS = 30;

/**
 * A message of this kind with the given words, addressed to the caller. `send`: it is also mailed, to the caller and to no one else. Its
 * link opens no document.
 */
export function previewText(
  deps: Pick<MailDeps, "db" | "mailKey" | "smtp">,
  admin: Member,
  text: MailText,
  { url, send }: { readonly url: string; readonly send: boolean },
): Promise<Preview> {
  refuseBadTexts({ subject: text.subject, intro: text.intro, footer: text.footer });
  return deps.db.tx(admin.org, async (tx) => {
    const { facts, email } = await sampleOf(tx, admin, text, url);
    const words = { ...write[text.kind](facts), kind: "mail_preview" };
    if (!send) return { ...words, sent_to: null };
    const expires_at = new Date(tx.now.getTime() + DAY_MS);
    await queueMail(deps, tx, admin.org, { ...words, to: email, org_name: facts.look.org_name, expires_at });
    return { ...words, sent_to: email };
  });
}

async function sampleOf(tx: Tx, admin: Member, text: MailText, url: string): Promise<{ facts: SigningFacts; email: string }> {
  const org = await findMailOrg(tx, admin.org);
  const { name, email } = await findReader(tx, admin.org, admin.actor.id);
  const facts: SigningFacts = {
    locale: text.locale,
    time_zone: org.time_zone,
    look: lookOf(org),
    recipient_name: name,
    envelope_name: "Service agreement",
    pages: 3,
    sender_name: name,
    replies_to: name,
    message: "Please read page 3.",
    expires_at: new Date(tx.now.getTime() + DEADLINE_DAYS * DAY_MS),
    mail_subject: null,
    texts: { [text.kind]: text },
    part: { fields: 2, initials: 1, signatures: 1 },
    url,
  };
  return { facts, email };
}

const write: Readonly<Record<MailTextKind, (facts: SigningFacts) => Words>> = {
  invitation: invitationToSign,
  reminder: reminderToSign,
  completed: (facts) => completedForSigner({ ...facts, copy_url: facts.url, completed_at: facts.expires_at, attached: false }),
  declined: declinedForSigner,
  voided: (facts) => voidedForSigner({ ...facts, reason: facts.message }),
  expired: (facts) => expiredForSigner({ ...facts, expired_at: facts.expires_at }),
  copy: (facts) => newLinkToCopy({ ...facts, copy_url: facts.url }),
};
