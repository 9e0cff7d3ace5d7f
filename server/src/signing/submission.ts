import type { Head } from "@countersign/evidence";
import type { PdfPool } from "@countersign/pdf/pool";
import type { Db } from "../db/connect.ts";
import type { Read, Tx } from "../db/sql.ts";
import type { PageCache } from "../documents/page-cache.ts";
import type { FileAnswer } from "../http/endpoint.ts";
import type { ProofPool } from "../proofs/pool.ts";
import type { OrgValues } from "../secrets/org-values.ts";
import type { Actor, Caller, WidgetCaller } from "../shared/caller.ts";
import type { DocumentId, EnvelopeId, MessageId, OrgId, RecipientId, TemplateId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import { Problem } from "../shared/problems.ts";
import type { Slug } from "../shared/slugs.ts";
import type { Texts } from "../texts/text.ts";
import type { SentField } from "./field.ts";
import type { Methods } from "./identity/method.ts";

export const signerStatuses = ["pending", "viewed", "signed", "declined", "locked", "cancelled"] as const;
export type SignerStatus = (typeof signerStatuses)[number];

/** `approved`, `confirmed` and `delivered` are how approvers, viewers and people who get a copy are finished. */
export const recipientStatuses = [...signerStatuses, "approved", "confirmed", "delivered"] as const;
export type RecipientStatus = (typeof recipientStatuses)[number];

export const recipientKinds = ["signer", "approver", "viewer", "cc"] as const;
export type RecipientKind = (typeof recipientKinds)[number];

/** `link`: the service sends no mail. The sender passes the link on or embeds the page. */
export const deliveries = ["email", "link"] as const;
export type Delivery = (typeof deliveries)[number];

/** `steps`: several people act at the same time, and others after them. */
export const signingOrders = ["sequential", "parallel", "steps"] as const;
export type SigningOrder = (typeof signingOrders)[number];

/** A person whom an envelope is for. */
export interface Recipient {
  /** from 1; in the order in which the sender named them */
  readonly turn: number;
  readonly recipient_id: RecipientId;
  readonly kind: RecipientKind;
  /** from 1. The same step means at the same time. Null only for a person who gets nothing but the result */
  readonly step: number | null;
  readonly delivery: Delivery;
  readonly slug: Slug;
  readonly email: string;
  readonly name: string;
  /** names their fields; null for viewers, for people who get a copy and for approvers without fields */
  readonly role: string | null;
  /** the language that the sender chose for the person */
  readonly locale: Locale | null;
  /** from the sender to this person only */
  readonly message: string | null;
  readonly status: RecipientStatus;
  /** when the person signed, approved, confirmed or declined */
  readonly acted_at: Date | null;
  readonly invited_at: Date | null;
  readonly reminded_at: Date | null;
  readonly viewed_at: Date | null;
  readonly signed_at: Date | null;
  readonly declined_at: Date | null;
  readonly paper_requested_at: Date | null;
  /** when the sender changed the name; null once the page of the person has shown the new one */
  readonly renamed_at: Date | null;
}

/** A recipient who signs. */
export type Signer = Recipient & { readonly kind: "signer"; readonly step: number; readonly role: string; readonly status: SignerStatus };

export const isSigner = (recipient: Recipient): recipient is Signer => recipient.kind === "signer";

/** Signers are named as such in the audit trail; the others are recipients. */
export const actorOf = ({ kind, slug }: Pick<Recipient, "kind" | "slug">): Actor =>
  kind === "signer" ? { kind: "signer", id: slug } : { kind: "recipient", id: slug };

/** A person as the audit trail names them when the envelope is sent, and whenever people change. */
export const auditedRecipient = ({ recipient_id, kind, step, email, name, role, delivery }: Recipient) => ({
  recipient_id,
  kind,
  step,
  email,
  name,
  role,
  delivery,
});

/** Everyone who must do something. A person who gets a copy does nothing and delays nothing. */
export const isActing = ({ kind }: Pick<Recipient, "kind">): boolean => kind !== "cc";

/** The query of a signing link: empty unless a language was chosen. */
export const inLanguage = (locale: Locale | null): string => (locale === null ? "" : `?lang=${locale}`);

/** Ended before everyone signed. */
export type Ended = "voided" | "declined" | "expired";

/** What the organization demands of everyone who acts, whatever the sender asks for. */
export interface IdentityPolicy {
  /** 0: nothing */
  readonly min_identity_level: number;
  /** whether people with a token of the organization's own application are asked too */
  readonly embed_identity: "partner" | "same";
}

/** A sent envelope, with what its ceremony needs. */
export interface SentEnvelope {
  readonly envelope_id: EnvelopeId;
  readonly envelope_name: string;
  /** `expired` from its expiry date on, even before it was recorded */
  readonly status: "sent" | "viewed" | "completed" | "vaulted" | Ended;
  readonly expires_at: Date | null;
  readonly sender: string;
  readonly message: string | null;
  readonly signing_order: SigningOrder;
  readonly kba_required: boolean;
  /** whether anyone has to prove who they are, by questions or by a code: then people who have not cannot read the document */
  readonly identity_required: boolean;
  /** the same, as far as people with a token of the organization's own application are asked */
  readonly identity_required_of_tokens: boolean;
  readonly identity_policy: IdentityPolicy;
  /** only the link in the signer's own mail allows signing */
  readonly require_mailed_link: boolean;
  /** the roles whose signers agree that the document is a transferable record */
  readonly maker_roles: readonly string[];
  /** why it ended, in the words of the person who ended it */
  readonly reason: string | null;
  /** the sender's branding of pages */
  readonly branding: Readonly<Record<string, unknown>>;
  /** the language of pages for people without one of their own */
  readonly default_locale: Locale;
  /** the public form on which a visitor started it: what the visitor reads after signing */
  readonly form: { readonly visitor_role: string; readonly success_text: string | null } | null;
}

/** One of several documents of a sent envelope. */
export interface SentPart {
  readonly document_id: DocumentId;
  /** from 1 */
  readonly document_no: number;
  readonly name: string;
  /** of its own PDF, without values */
  readonly sha256: string;
  /** where it begins in what was sent */
  readonly first_page: number;
  readonly pages: number;
  /** made for signers without a field of their own */
  readonly is_signature_page: boolean;
  /** its own sealed PDF; null until it exists, and if the vault has the only sealed document */
  readonly part_sha256: string | null;
}

/** The document that the signers see, frozen when the envelope was sent. */
export interface SentDocument {
  readonly prepared_sha256: string;
  readonly pages: readonly { readonly w_pt: number; readonly h_pt: number }[];
  readonly fields: readonly SentField[];
  /** the documents that it was combined from, in order; empty for an envelope with one document */
  readonly documents: readonly SentPart[];
  /** everyone has signed */
  readonly is_completed: boolean;
  /** the version with the values; null if it does not exist yet */
  readonly stamped_sha256: string | null;
  /** the sealed document; null if it does not exist yet */
  readonly signed_sha256: string | null;
  readonly kba_required: boolean;
  /** the signed document is available */
  readonly is_finished: boolean;
  /** the end of the envelope's chain when the document was read; null without entries */
  readonly head: Head | null;
}

/** A template, or an envelope that is not sent yet, as far as it is prepared. */
export interface Prepared extends Pick<SentEnvelope, "sender" | "branding" | "default_locale" | "message" | "maker_roles"> {
  readonly name: string;
  readonly people: readonly PreparedPerson[];
  readonly pages: SentDocument["pages"];
  /** empty if there is only one */
  readonly documents: readonly Pick<SentPart, "name" | "first_page" | "pages">[];
  /** pages count through all documents */
  readonly fields: readonly SentField[];
}

export interface PreparedPerson {
  readonly kind: RecipientKind;
  readonly role: string | null;
  readonly name: string | null;
  readonly message: string | null;
}

/** An envelope whose ceremony can be opened. */
export type LiveEnvelope = SentEnvelope & { readonly status: Exclude<SentEnvelope["status"], Ended> };

/** A change in a ceremony that the envelope follows. */
export type SubmissionChange = {
  readonly envelope_id: EnvelopeId;
  readonly slug: Slug;
  readonly by: Pick<Caller, "actor" | "ip" | "user_agent" | "request_id" | "by_test">;
  readonly signing_session: string;
} /** by the first signer who sees the document of a sent envelope */ & (
  | { readonly kind: "viewed" }
  | { readonly kind: "declined"; readonly reason: string | null }
  | { readonly kind: "locked" }
  | { readonly kind: "paper_requested" }
  | { readonly kind: "acted" }
);

/** This feature does not import envelopes. `features.ts` passes in what a ceremony needs from them. */
export interface SigningDeps {
  readonly db: Db;
  readonly texts: Texts;
  readonly pdf: PdfPool;
  readonly proofs: ProofPool;
  /** encrypts what people enter */
  readonly values: OrgValues;
  /** the cache of page images */
  readonly pageCache: PageCache;
  /** The bytes of a stored document. Throws document_unavailable. */
  readPdf(org: OrgId, sha256: string): Promise<Uint8Array>;
  findDocument(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SentDocument>;
  /** What is not sent yet, for previews. */
  readonly prepared: {
    /** Throws envelope_not_found, and envelope_wrong_status once it was sent. */
    readonly envelope: (org: OrgId, envelope_id: EnvelopeId) => (read: Read) => Promise<Prepared>;
    readonly template: (org: OrgId, template_id: TemplateId) => (read: Read) => Promise<Prepared>;
  };
  /** The sender's logo, a PNG; null if there is none. */
  lookUpLogo(read: Read, org: OrgId): Promise<Uint8Array | null>;
  /** The document in the form that its reader can have now. Records who got it. */
  issueDocument(who: WidgetCaller): Promise<FileAnswer>;
  /** The document to print and sign in ink. Records who got it. */
  issuePaper(who: WidgetCaller): Promise<FileAnswer>;
  /** the ways in which people can prove who they are, besides identity questions */
  readonly identityMethods: Methods;
  /** Whether codes can be mailed. Without a mail server, admins could read them in the outbox. A sandbox is made for that. */
  mailsCodes(org: OrgId): boolean;
  /** Mails a code to a recipient's address on record, valid for ten minutes. */
  mailCode(tx: Tx, who: WidgetCaller, you: Recipient, code: string): Promise<MessageId>;
  /** Mails a signer the link again and returns the address. Throws not_your_turn for a signer who was not invited yet. */
  mailLinkAgain(tx: Tx, who: WidgetCaller, slug: Slug): Promise<string>;
  /** The completion certificate. Throws envelope_wrong_status before everyone has signed. */
  serveCompletion(org: OrgId, envelope_id: EnvelopeId): Promise<FileAnswer>;
  /** Throws envelope_not_found for a draft. */
  findEnvelope(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SentEnvelope>;
  /** The same, with a lock until the transaction ends. MUST come first in every write of a ceremony. */
  lockEnvelope(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<SentEnvelope>;
  /**
   * Moves the envelope, begins the next step and writes to its chain. MUST come after the recipients were written, in the same
   * transaction. Returns the status after it.
   */
  onSubmission(tx: Tx, org: OrgId, change: SubmissionChange): Promise<"sent" | "viewed" | "completed">;
}

const endings: Record<Ended, string> = {
  voided: "the sender took it back",
  declined: "a recipient declined",
  expired: "the signing deadline has passed",
};

const isEnded = (status: string): status is Ended => Object.hasOwn(endings, status);

/** A token ends with its envelope. The response does not say who declined. */
export function refuseEnded(envelope: SentEnvelope): asserts envelope is LiveEnvelope {
  const { status } = envelope;
  if (!isEnded(status)) return;
  const details = [{ location: "path", field: null, code: status, message: endings[status] }] as const;
  throw new Problem("envelope_ended", status, { details });
}

/** The page recognizes it by the code of the detail. */
export function notYourTask(message: string): Problem {
  return new Problem("not_your_task", "", { details: [{ location: "header", field: "Authorization", code: "not_your_task", message }] });
}

/** For tokens and links of a person who was removed, or whose place another person has taken. */
export const noLongerRecipient = (): Problem => notYourTask("the sender has removed or replaced this recipient");

/** Signed, approved or confirmed. */
export const hasFinished = ({ status }: Pick<Recipient, "status">): boolean =>
  status === "signed" || status === "approved" || status === "confirmed";

/** Whether the step of this recipient has begun: everyone who acts in an earlier step has finished. */
export function hasTurn(recipients: readonly Recipient[], { step }: Pick<Recipient, "step">): boolean {
  return step !== null && recipients.every((other) => !isActing(other) || (other.step ?? 0) >= step || hasFinished(other));
}

/** Has neither acted nor been cancelled. */
export const isWaiting = ({ status }: Pick<Recipient, "status">): boolean =>
  status === "pending" || status === "viewed" || status === "locked";

/** Everyone whose turn it is to act. */
export function atTurn(recipients: readonly Recipient[]): Recipient[] {
  return recipients.filter((one) => isActing(one) && isWaiting(one) && hasTurn(recipients, one));
}

/** The earliest step in which someone still has to act; null if everyone has. */
export function runningStep(recipients: readonly Recipient[]): number | null {
  const open = recipients.filter((one) => isActing(one) && !hasFinished(one)).map(({ step }) => step ?? 1);
  return open.length === 0 ? null : Math.min(...open);
}
