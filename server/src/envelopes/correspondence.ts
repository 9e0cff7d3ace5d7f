import type { Tx } from "../db/sql.ts";
import { lookOf } from "../mail/look.ts";
import type { Message } from "../mail/message.ts";
import type { Part, SignerFacts } from "../mail/messages/to-signer.ts";
import { findMailOrg, type MailOrg } from "../mail/org-store.ts";
import type { MailTextKind, MailTextParts } from "../mail/texts/text.ts";
import { isId, type OrgId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import type { Recipient } from "../signing/submission.ts";
import { findMailed, type Mailed } from "./correspondence-store.ts";
import type { Envelope } from "./envelope.ts";

export type Addressee = Pick<Recipient, "kind" | "email" | "slug" | "locale" | "name" | "role" | "turn" | "delivery" | "message">;
export type About = Pick<Envelope, "envelope_id" | "envelope_name" | "message" | "mail_subject" | "expires_at" | "sent_by">;

/** What all messages to the recipients of one envelope have in common. Read once for all of them. */
export interface Correspondence {
  readonly envelope: About;
  readonly org: MailOrg;
  readonly mailed: Mailed;
}

export async function findCorrespondence(tx: Tx, org: OrgId, envelope: About): Promise<Correspondence> {
  return { envelope, org: await findMailOrg(tx, org), mailed: await findMailed(tx, org, envelope.envelope_id, envelope.sent_by) };
}

/** Who a message comes from, and who gets a reply: the member who sends, for a key its creator, otherwise the organization's contact address. */
export function headersOf({ org, mailed, envelope }: Correspondence): Pick<Message, "org_name" | "sender_name" | "reply_to"> {
  const reply_to = mailed.person?.email ?? org.contact_email;
  const sender_name = senderOf(envelope, mailed);
  return { org_name: org.name, ...(sender_name !== null && { sender_name }), ...(reply_to !== null && { reply_to }) };
}

/** A member is named. A key is a program, and its creator may know nothing of the envelope: there the organization is named. */
const senderOf = ({ sent_by }: About, { person }: Mailed): string | null =>
  sent_by !== null && isId("user", sent_by) ? (person?.name ?? null) : null;

export function factsFor({ org, mailed, envelope }: Correspondence, signer: Addressee): SignerFacts & { readonly part: Part | null } {
  const locale = signer.locale ?? org.default_locale;
  return {
    locale,
    time_zone: mailed.zones[signer.slug] ?? org.time_zone,
    look: lookOf(org),
    kind: signer.kind,
    recipient_name: signer.name,
    envelope_name: envelope.envelope_name,
    pages: mailed.pages,
    sender_name: senderOf(envelope, mailed),
    replies_to: mailed.person?.name ?? (org.contact_email === null ? null : org.name),
    message: [envelope.message, signer.message].filter((part) => part !== null).join("\n\n") || null,
    expires_at: envelope.expires_at,
    mail_subject: envelope.mail_subject,
    texts: textsIn(org, locale),
    part: partOf(mailed, signer),
  };
}

/** In the message's own language only: other words would be in a language that the signer may not read. */
const textsIn = ({ texts }: MailOrg, locale: Locale): Partial<Record<MailTextKind, MailTextParts>> =>
  Object.fromEntries(texts.filter((text) => text.locale === locale).map((text) => [text.kind, text]));

function partOf({ parts }: Mailed, { role, turn }: Addressee): Part {
  const own = parts.filter((part) => (part.role !== null && part.role === role) || (part.role === null && turn === 1));
  const sum = (name: "fields" | "initials" | "signatures") => own.reduce((total, part) => total + part[name], 0);
  return { fields: sum("fields"), initials: sum("initials"), signatures: sum("signatures") };
}
