import type { Locale } from "../../shared/locales.ts";
import type { Look } from "../look.ts";
import type { Words } from "../message.ts";
import { asksFor, filled, type MailTextKind, type MailTextParts, type Values } from "../texts/text.ts";
import type { MailWords, Named } from "../words/en.ts";
import { words } from "../words/words.ts";
import { writeLetter } from "../write-letter.ts";
import { named, zonedTime } from "./envelope.ts";

/** Messages to recipients, in their language. They name the document and its sender, never the other recipients. */

/** What the reader of a message has to do with the document. */
export type Reader = "signer" | "approver" | "viewer" | "cc";

/** What every message to one signer about one envelope needs. */
export interface SignerFacts {
  readonly locale: Locale;
  /** the signer's, or the organization's */
  readonly time_zone: string;
  readonly look: Look;
  /** a signer if missing */
  readonly kind?: Reader;
  readonly recipient_name: string;
  readonly envelope_name: string;
  readonly pages: number | null;
  /** the member who sends; null if that is a program, and the organization is named instead */
  readonly sender_name: string | null;
  /** the name of the person or organization that a reply goes to; null if replies go nowhere */
  readonly replies_to: string | null;
  readonly message: string | null;
  readonly expires_at: Date | null;
  /** the subject that the sender chose for this envelope */
  readonly mail_subject: string | null;
  /** the organization's own words for this kind of message in this language */
  readonly texts: Readonly<Partial<Record<MailTextKind, MailTextParts>>>;
}

/** How much the signer has to fill in. */
export interface Part {
  readonly fields: number;
  readonly initials: number;
  readonly signatures: number;
}

export interface SigningFacts extends SignerFacts {
  readonly url: string;
  readonly expires_at: Date;
  readonly part: Part | null;
}

export function invitationToSign(facts: SigningFacts): Words {
  return askToSign(facts, "invitation", "signing_invitation", (letter) => ({ closing: [], notices: [letter.unexpected] }));
}

/** Who acted before the reader. A person who was added to the first step, or took a place in it, comes after no one. */
export type After = "signers" | "others" | "no one";

export function yourTurnToSign(facts: SigningFacts & { readonly after?: After }): Words {
  return askToSign(facts, "turn", "signing_turn", (letter) => ({ closing: [], notices: [letter.unexpected] }));
}

export function reminderToSign(facts: SigningFacts): Words {
  const { kind = "signer" } = facts;
  const decline = kind === "signer" ? [words[facts.locale].reminder.decline] : [];
  return askToSign(facts, "reminder", "signing_reminder", () => ({ closing: decline, notices: [] }));
}

/** To a person who gets a copy, when the step begins at which the sender wants them to have it. */
export function copyForReader(facts: SigningFacts): Words {
  const w = words[facts.locale];
  const letter = begin(facts, "invitation");
  const { message } = facts;
  return writeLetter({
    ...letter.parts,
    kind: "recipient_copy",
    quote: message === null ? null : { by: w.wrote(letter.named.sender), name: letter.named.sender, text: message },
    facts: [letter.document],
    link: { lead: w.readDocument, button: w.readDocument, url: facts.url, fails: w.buttonFails },
    closing: [w.cc.later, ...letter.questions],
    notices: [w.personalReader, letter.unexpected],
  });
}

/** To a recipient whose address the sender has corrected. The earlier link is revoked. */
export function correctedSigner(facts: SigningFacts): Words {
  return askToSign(facts, "corrected", "signing_corrected", (letter) => ({
    opening: [words[facts.locale].corrected.earlier],
    closing: [],
    notices: [letter.unexpected],
  }));
}

/** To a signer who requested a new link on the page that opens when a link has no valid secret. */
export function newLinkForSigner(facts: SigningFacts): Words {
  return askToSign(facts, "link", "signing_link", () => ({ closing: [], notices: [words[facts.locale].notRequested] }));
}

/** A code that the recipient enters on the signing page. It has no link: a person who opens the page already has one. */
export function codeForSigner(facts: SignerFacts & { readonly code: string }): Words {
  const w = words[facts.locale];
  const letter = begin(facts, "link");
  return writeLetter({
    ...letter.parts,
    subject: w.code.subject(letter.named),
    heading: w.code.heading(letter.named),
    opening: [w.code.intro(letter.named)],
    kind: "signing_code",
    facts: [{ label: w.code.label, value: facts.code }, letter.document],
    closing: [w.code.validFor, ...letter.questions],
    notices: [w.code.keep],
  });
}

/** To a signer who has already signed and requested a new link. */
export function newLinkToCopy(facts: SignerFacts & { readonly copy_url: string }): Words {
  const w = words[facts.locale];
  const letter = begin(facts, "copy");
  return writeLetter({
    ...letter.parts,
    kind: "signing_copy_link",
    facts: [letter.document],
    link: { lead: w.openDocument, button: w.openDocument, url: facts.copy_url, fails: w.buttonFails },
    closing: letter.questions,
    notices: [w.personalCopy, w.notRequested],
  });
}

/** `attached`: the signed document is part of the message. */
export function completedForSigner(
  facts: SignerFacts & { readonly copy_url: string; readonly completed_at: Date; readonly attached: boolean },
): Words {
  const w = words[facts.locale];
  const letter = begin(facts, "completed");
  const at = { label: w.facts.completedAt, value: zonedTime(facts.completed_at, facts.locale, facts.time_zone) };
  return writeLetter({
    ...letter.parts,
    kind: "signing_completed",
    facts: [letter.document, at],
    link: { lead: w.openCopy, button: w.openCopy, url: facts.copy_url, fails: w.buttonFails },
    closing: [facts.attached ? w.completed.attached : w.completed.keep, ...letter.questions],
    notices: [w.personalCopy],
  });
}

export function voidedForSigner(facts: SignerFacts & { readonly reason: string | null }): Words {
  const w = words[facts.locale];
  const letter = begin(facts, "voided");
  const { reason } = facts;
  return writeLetter({
    ...letter.parts,
    kind: "signing_voided",
    // Any member can void it, so that the organization is named and not the person who sent it.
    quote: reason === null ? null : { by: w.gaveReason(letter.named.org), text: reason },
    facts: [letter.document],
    closing: [w.nothingToDo, ...letter.questions],
  });
}

/** To the other recipients. Only the sender learns who declined and why. `rejected`: by an approver. */
export function declinedForSigner(facts: SignerFacts & { readonly rejected?: boolean }): Words {
  const w = words[facts.locale];
  const letter = begin(facts, "declined");
  const isOwn = facts.texts.declined?.intro != null;
  return writeLetter({
    ...letter.parts,
    ...(facts.rejected === true && !isOwn && { opening: [w.declined.rejected(letter.named)] }),
    kind: "signing_declined",
    facts: [letter.document],
    closing: [w.nothingToDo, ...letter.questions],
  });
}

/** `is_signed`: every signer has signed, and others have not acted. */
export function expiredForSigner(facts: SignerFacts & { readonly expired_at: Date; readonly is_signed?: boolean }): Words {
  const w = words[facts.locale];
  const letter = begin(facts, "expired");
  const at = { label: w.facts.expiredAt, value: zonedTime(facts.expired_at, facts.locale, facts.time_zone) };
  return writeLetter({
    ...letter.parts,
    ...(facts.is_signed === true && facts.texts.expired?.intro == null && { opening: [w.expired.incomplete(letter.named)] }),
    kind: "signing_expired",
    facts: [letter.document, at],
    closing: [...againFor(facts, letter.named), ...letter.questions],
  });
}

function againFor({ locale, kind = "signer" }: SignerFacts, all: Named): string[] {
  if (kind === "cc") return [];
  return [kind === "signer" ? words[locale].expired.again(all) : words[locale].expired.needed(all)];
}

type Task = "invitation" | "turn" | "reminder" | "corrected" | "link";

/** A message with a link to act. `more`: what only this kind says. */
function askToSign(
  facts: SigningFacts & { readonly after?: After },
  task: Task,
  kind: string,
  more: (letter: Begun) => {
    readonly opening?: readonly string[];
    readonly closing: readonly string[];
    readonly notices: readonly string[];
  },
): Words {
  const { locale, time_zone, expires_at, message, url, kind: reader = "signer" } = facts;
  const w = words[locale];
  const letter = begin(facts, task);
  const { opening = [], closing, notices } = more(letter);
  const { label, button } = askedOf(reader, w);
  const hasOwnWords = reader !== "signer" || facts.texts.invitation?.intro != null;
  const turn = task === "turn" && !hasOwnWords ? turnWords(w, facts.after)(letter.named) : null;
  const isQuoted = message !== null && isFirst(task) && !letter.quotesMessage;
  return writeLetter({
    ...letter.parts,
    kind,
    opening: [...(turn === null ? letter.parts.opening : [turn]), ...opening],
    quote: isQuoted ? { by: w.wrote(letter.named.sender), name: letter.named.sender, text: message } : null,
    facts: [letter.document, ...partOf(facts), { label, value: zonedTime(expires_at, locale, time_zone) }],
    link: { lead: button, button, url, fails: w.buttonFails },
    closing: [...closing, ...letter.questions],
    notices: [w.personal, ...notices],
  });
}

function turnWords({ turn, invitation }: MailWords, after: After = "signers"): (all: Named) => string {
  if (after === "no one") return invitation.intro;
  return after === "signers" ? turn.intro : turn.afterOthers;
}

function askedOf(reader: Reader, w: MailWords): { readonly label: string; readonly button: string } {
  if (reader === "signer") return { label: w.facts.signBy, button: w.reviewAndSign };
  return { label: w.facts.answerBy, button: reader === "approver" ? w.reviewDocument : w.readDocument };
}

type Begun = ReturnType<typeof begin>;

/** What all messages to a recipient begin and end with. */
function begin(facts: SignerFacts, task: AnyTask) {
  const { locale, look, mail_subject, replies_to } = facts;
  const w = words[locale];
  const org = named(look.org_name);
  const sender = facts.sender_name === null ? org : named(facts.sender_name);
  const from = facts.sender_name === null ? org : `${sender} (${org})`;
  const all: Named = { name: named(facts.recipient_name), sender, from, org, document: named(facts.envelope_name) };
  const own = ownTexts(facts, task);
  const values = valuesOf(facts, all);
  const standard = standardWords(facts, task);
  const subject = isFirst(task) && isAskedToSign(facts) ? (mail_subject ?? own?.subject ?? null) : (own?.subject ?? null);
  return {
    named: all,
    quotesMessage: own?.intro != null && asksFor(own.intro, "message"),
    document: { label: w.facts.document, value: all.document, ...(facts.pages !== null && { more: w.pages(facts.pages) }) },
    questions: replies_to === null ? [] : [w.questions(named(replies_to))],
    unexpected: w.unexpected(sender),
    parts: {
      locale,
      look: { ...look, org_name: org },
      subject: subject === null ? standard.subject(all) : filled(subject, values),
      heading: standard.heading(all),
      opening: [own?.intro == null ? standard.intro(all) : filled(own.intro, values)],
      footer: [own?.footer == null ? org : filled(own.footer, values), w.sentWith],
    },
  };
}

const isAskedToSign = ({ kind = "signer" }: SignerFacts): boolean => kind === "signer";

type AnyTask = Task | Exclude<MailTextKind, "invitation" | "reminder">;

/** What is asked of approvers and viewers has words of its own. Other news is the same for all. */
function standardWords(
  { locale, kind = "signer" }: SignerFacts,
  task: AnyTask,
): Pick<MailWords["invitation"], "subject" | "heading" | "intro"> {
  const w = words[locale];
  if (kind === "signer") return w[task];
  if (task === "copy") return { ...w.copy, intro: w.copy.others };
  if (task === "completed" || task === "voided" || task === "declined" || task === "expired") return w[task];
  if (kind === "cc") return w.cc;
  return task === "reminder" ? w[kind].reminder : w[kind].invitation;
}

/** The sender's subject and message are for the message that first asks for the signature. */
const isFirst = (task: string): boolean => task === "invitation" || task === "turn";

/** The messages about a corrected address and a new link have standard words, since they say what happened to an earlier link. */
function ownTexts({ texts, kind = "signer" }: SignerFacts, task: Task | MailTextKind): MailTextParts | undefined {
  // The organization's words ask for a signature. Those who do not sign are asked in the standard words.
  const asks = task === "invitation" || task === "turn" || task === "reminder" || task === "copy";
  if (asks && kind !== "signer") return { subject: null, intro: null, footer: texts.invitation?.footer ?? null };
  if (task === "turn") return texts.invitation;
  if (task === "corrected" || task === "link") return { subject: null, intro: null, footer: texts.invitation?.footer ?? null };
  return texts[task];
}

function valuesOf({ locale, time_zone, message, expires_at }: SignerFacts, { name, sender, org, document }: Named): Values {
  return {
    recipient_name: name,
    sender_name: sender,
    organization: org,
    envelope_name: document,
    message: message ?? "",
    expires_at: expires_at === null ? "" : zonedTime(expires_at, locale, time_zone),
  };
}

function partOf({ locale, part }: SigningFacts): { label: string; value: string }[] {
  if (part === null) return [];
  const w = words[locale];
  const { fields, initials, signatures } = part;
  const value = [fields > 0 && w.fields(fields), initials > 0 && w.initials, signatures > 0 && w.signatures(signatures)];
  const shown = value.filter((one) => one !== false);
  return shown.length === 0 ? [] : [{ label: w.facts.yourPart, value: shown.join(", ") }];
}
