// The entries of an envelope's audit trail in plain words, for readers of a completion certificate.

import type { Json } from "../canonical.ts";
import { isOfForm } from "../form-token.ts";
import { methodWords } from "../identity-methods.ts";
import { TEST_OPERATION } from "../test-record.ts";
import type { Link } from "../verify-chain.ts";
import { saidIn, textIn } from "./chain-signers.ts";
import { toWords } from "./wording.ts";

type Said = ReturnType<typeof saidIn>;
type Actor = Link["entry"]["actor"];

const MESSAGES: Readonly<Record<string, string>> = {
  signing_invitation: "the invitation",
  signing_turn: "the invitation",
  signing_reminder: "the reminder",
  signing_corrected: "the invitation",
  signing_link: "the new link",
  signing_code: "the code",
  signing_completed: "the message that everyone has signed",
  recipient_copy: "the document to read",
};

const called = (name: Json | undefined): string => (textIn(name) === null ? "" : ` “${textIn(name)}”`);
const messageTo = ({ kind, to }: Said): string => `${MESSAGES[textIn(kind) ?? ""] ?? "the message"} to ${textIn(to) ?? "the signer"}`;
const withReason = (sentence: string, reason: Json | undefined): string =>
  textIn(reason) === null || reason === "" ? sentence : `${sentence} Reason given: ${textIn(reason)}`;

const words: Readonly<Record<string, string | ((said: Said, by: Actor) => string)>> = {
  "envelope.created": "Created the envelope",
  "envelope.changed": "Changed the draft",
  "envelope.tagged": "Changed the tags of the envelope",
  "envelope.owner_changed": "Gave the envelope to another member",
  "envelope.expiry_changed": ({ to }) => `Changed the date of expiry${textIn(to) === null ? "" : ` to ${textIn(to)}`}`,
  "envelope.reminders_changed": "Changed the automatic reminders",
  "envelope.fields_placed": "Placed the fields",
  "envelope.sent": ({ signers, recipients }) => `Sent the envelope to ${namesIn(recipients ?? signers)}`,
  "envelope.reminded": ({ reminded }) => `Reminded ${namesIn(reminded)}`,
  "envelope.viewed": "The envelope was opened for the first time",
  // The last act can be an approval or a removal.
  "envelope.completed": (_, { kind }) => (kind === "signer" ? "Everyone has signed" : "Everyone has finished"),
  // An approver is never asked to sign.
  "envelope.declined": ({ reason }, { kind }) => withReason(kind === "recipient" ? "Rejected the document." : "Declined to sign.", reason),
  "envelope.voided": ({ reason }) => withReason("Voided the envelope.", reason),
  "envelope.expired": "The envelope expired",
  "form.confirmed": ({ user_email }) => `A visitor of the public form opened the link that was mailed${toPerson(user_email)}`,
  "recipient.added": ({ name, kind }) => `Added ${textIn(name) ?? "a person"} as ${KINDS[textIn(kind) ?? ""] ?? "a recipient"}`,
  "recipient.removed": ({ name }) => `Removed ${textIn(name) ?? "a recipient"}`,
  "recipient.replaced": ({ from, to, other_person }) => {
    const [before, after] = [namesIn([from ?? null]), namesIn([to ?? null])];
    if (other_person === true) return `Gave the place of ${before} to ${after}`;
    return `Changed the recipient ${before === after ? after : `${before}: now ${after}`}`;
  },
  "recipient.opened": (said) => `Opened the page of the document with ${accessIn(said)}`,
  "recipient.approved": "Approved the document",
  "recipient.confirmed": "Confirmed that they have read the document",
  "recipient.notified": ({ user_email, what }) =>
    `Queued an e-mail with access to the ${what === "result" ? "signed document" : "document"}${forPerson(user_email)}`,
  "signer.corrected": ({ to }) => `Corrected a signer: now ${namesIn([to ?? null])}`,
  "signer.link_handed_over": ({ user_email }) => `Created a signing link to hand over${forPerson(user_email)}`,
  "signer.link_sent": ({ user_email }) => `Queued an e-mail with a new link${forPerson(user_email)}`,
  "signer.opened": (said) => `Opened the signing page with ${accessIn(said)}`,
  "signer.paper_requested": "Asked to sign on paper",
  "viewer.opened": ({ user_email }) => `The document was opened read-only${forPerson(user_email)}`,
  "certification.accepted": ({ terms_version }) => `Accepted the certification terms${inVersion(terms_version)}`,
  "document.received": ({ name }) => `Uploaded the document${called(name)}`,
  "document.copied": "Added the documents of a template",
  "document.changed": ({ name }) => `Renamed or moved the document${called(name)}`,
  "document.removed": ({ name }) => `Removed the document${called(name)}`,
  "document.part_sealed": ({ document_no }) => `Document ${document_no} was sealed on its own`,
  "document.prepared": ({ documents }) =>
    Array.isArray(documents) ? "Combined the documents and froze them for signing" : "Froze the document for signing",
  "document.rendered": "Page 1 of the document was shown",
  "document.stamped": "Signatures and values were put onto the pages",
  "document.sealed": "The signed document was sealed",
  "document.record_mismatch": "The stored record was found to differ from the audit trail",
  "document.rows_repaired": "The stored record was repaired",
  "copy.issued": ({ kind, issued_to }) => `${COPIES[textIn(kind) ?? ""] ?? "A copy was handed out"}${toPerson(issued_to)}`,
  "token.minted": ({ user_email }) => `Created a token for the page${forPerson(user_email)}`,
  "consent.accepted": ({ disclosure_version }) => `Agreed to sign electronically (disclosure${inVersion(disclosure_version)})`,
  "consent.withdrawn": "Withdrew the consent to sign electronically",
  "agreement.accepted": "Agreed that the document is a transferable record",
  "identity.set": ({ methods, link_methods }) => `Set how the person must prove who they are: ${methodsIn(methods, link_methods)}`,
  "identity.sent": ({ hint }) => `Requested a code${toPerson(hint)}`,
  "identity.passed": ({ method, by }) =>
    by === TEST_OPERATION
      ? `Recorded as passed: ${methodWords(textIn(method) ?? "code")}`
      : `Entered the right code (${methodWords(textIn(method) ?? "code")})`,
  "identity.failed": ({ method }) => `Entered a wrong code (${methodWords(textIn(method) ?? "code")})`,
  "identity.locked": "Locked out after wrong codes",
  "identity.reset": "Allowed new attempts at the codes",
  "kba.set": "Set identity questions",
  "kba.passed": ({ by }) =>
    by === TEST_OPERATION ? "Recorded as passed: identity questions" : "Answered the identity questions correctly",
  "kba.failed": "Answered the identity questions wrongly",
  "kba.locked": "Locked out after wrong answers",
  "kba.reset": "Allowed new attempts at the identity questions",
  "mail.accepted": (said) => `A mail server accepted ${messageTo(said)}`,
  "mail.failed": (said) => `Not sent: ${messageTo(said)}`,
  "mail.delivered": (said) => `The mail provider reported as delivered: ${messageTo(said)}`,
  "mail.bounced": (said) => `The mail provider reported as bounced: ${messageTo(said)}`,
  "mail.complained": (said) => `The mail provider reported as marked as spam: ${messageTo(said)}`,
  "signature.applied": ({ kind, field, method }) =>
    `${kind === "initials" ? "Initialled" : "Signed"}${textIn(field) === null ? "" : ` “${textIn(field)}”`}${textIn(method) === null ? "" : ` (${textIn(method)})`}`,
  "attestation.recorded": "Declared how the document was signed elsewhere",
  "duplicate.reviewed": "Compared the document with a similar record",
  "vault.stored": "The sealed original was stored in the vault",
  "vault.certificate.issued": "The compliance certificate was issued",
  "custody.assigned": "The custodian was assigned",
  "assignment.recorded": "The secured party was recorded",
  "act.proposed": "A change of control was proposed",
  "chain.imported": "The record was taken over from another vault",
};

const KINDS: Readonly<Record<string, string>> = { approver: "an approver", viewer: "a viewer", cc: "a person who gets a copy" };

const COPIES: Readonly<Record<string, string>> = {
  partial: "The document was handed out before everyone had signed",
  prepared: "The unsigned document was handed out",
  signed: "The signed document was handed out",
  copy: "A marked copy was handed out",
};

const CREDENTIALS: Readonly<Record<string, string>> = {
  mailed: "the link sent by e-mail",
  handed_over: "a link handed over by the sender",
  shared: "a signing link",
};

function accessIn({ credential, link_kind, mail_sent_at, issued_by }: Said): string {
  if (isOfForm({ credential, issued_by })) return "access that the public form gave, without proof of the e-mail address";
  if (credential === "embed_token") return "access that the sender created for an embedded page";
  if (link_kind === "mailed" && typeof mail_sent_at !== "string") {
    return "a link in a message that no mail server is recorded to have accepted";
  }
  return CREDENTIALS[textIn(link_kind) ?? "shared"] ?? "a signing link";
}

const forPerson = (email: Json | undefined): string => (textIn(email) === null ? "" : ` for ${textIn(email)}`);

/** The methods that a sender set, in words. */
function methodsIn(methods: Json | undefined, ofLinks: Json | undefined): string {
  const named = [...wordsOf(methods), ...wordsOf(ofLinks).map((words) => `${words} (not with a token)`)];
  return named.length === 0 ? "by the link alone" : named.join(", ");
}

const wordsOf = (methods: Json | undefined): string[] =>
  (Array.isArray(methods) ? methods : []).flatMap((method) => (typeof method === "string" ? [methodWords(method)] : []));

const toPerson = (named: Json | undefined): string => (textIn(named) === null ? "" : ` to ${textIn(named)}`);
const inVersion = (version: Json | undefined): string => (textIn(version) === null ? "" : `, version ${textIn(version)}`);

/** Of a list of addresses, or of people with a name or an address. */
function namesIn(people: Json | undefined): string {
  const named = (Array.isArray(people) ? people : []).flatMap((one) => {
    const { name, email } = Object(one) as Said;
    return textIn(one) ?? textIn(name) ?? textIn(email) ?? [];
  });
  return named.length === 0 ? "the signers" : named.join(", ");
}

/** The sentence for an entry. An entry of a type that has no sentence is named by its type. */
export function eventWords(link: Link): string {
  const { type } = link.entry;
  const found = Object.hasOwn(words, type) ? words[type] : undefined;
  if (found === undefined) return toWords(type.replaceAll(".", " "));
  const said = saidIn(link);
  const sentence = typeof found === "string" ? found : found(said, link.entry.actor);
  return said.by === TEST_OPERATION ? `${sentence} (test operation)` : sentence;
}
