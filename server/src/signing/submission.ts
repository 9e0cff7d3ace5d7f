import type { PdfPool } from "@countersign/pdf/pool";
import type { Db } from "../db/connect.ts";
import type { Read, Tx } from "../db/sql.ts";
import type { FileAnswer } from "../http/endpoint.ts";
import type { ProofPool } from "../proofs/pool.ts";
import type { Caller, WidgetCaller } from "../shared/caller.ts";
import type { EnvelopeId, OrgId, RecipientId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import { Problem } from "../shared/problems.ts";
import type { Slug } from "../shared/slugs.ts";
import type { Texts } from "../texts/text.ts";
import type { SentField } from "./field.ts";

export const signerStatuses = ["pending", "viewed", "signed", "declined", "locked", "cancelled"] as const;
export type SignerStatus = (typeof signerStatuses)[number];

export interface Signer {
  /** from 1, in signing order */
  readonly turn: number;
  /** null for a signer from before recipients had ids */
  readonly recipient_id: RecipientId | null;
  readonly kind: "signer";
  readonly step: number | null;
  readonly delivery: "email";
  readonly slug: Slug;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  /** the language that the sender chose for the signer */
  readonly locale: Locale | null;
  readonly status: SignerStatus;
  readonly invited_at: Date | null;
  readonly reminded_at: Date | null;
  readonly viewed_at: Date | null;
  readonly signed_at: Date | null;
  readonly declined_at: Date | null;
  readonly paper_requested_at: Date | null;
}

/** The query of a signing link: empty unless a language was chosen. */
export const inLanguage = (locale: Locale | null): string => (locale === null ? "" : `?lang=${locale}`);

/** Ended before everyone signed. */
export type Ended = "voided" | "declined" | "expired";

/** A sent envelope, with what its ceremony needs. */
export interface SentEnvelope {
  readonly envelope_id: EnvelopeId;
  readonly envelope_name: string;
  /** `expired` from its expiry date on, even before it was recorded */
  readonly status: "sent" | "viewed" | "completed" | "vaulted" | Ended;
  readonly expires_at: Date | null;
  readonly sender: string;
  readonly message: string | null;
  readonly signing_order: "sequential" | "parallel";
  readonly kba_required: boolean;
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
}

/** The document that the signers see, frozen when the envelope was sent. */
export interface SentDocument {
  readonly prepared_sha256: string;
  readonly pages: readonly { readonly w_pt: number; readonly h_pt: number }[];
  readonly fields: readonly SentField[];
  /** everyone has signed */
  readonly is_completed: boolean;
  /** the version with the values; null if it does not exist yet */
  readonly stamped_sha256: string | null;
  /** the sealed document; null if it does not exist yet */
  readonly signed_sha256: string | null;
  readonly kba_required: boolean;
  /** the signed document is available */
  readonly is_finished: boolean;
}

/** An envelope whose ceremony can be opened. */
export type LiveEnvelope = SentEnvelope & { readonly status: Exclude<SentEnvelope["status"], Ended> };

/** A change in a ceremony that the envelope follows. */
export type SubmissionChange = {
  readonly envelope_id: EnvelopeId;
  readonly slug: Slug;
  readonly by: Pick<Caller, "actor" | "ip" | "user_agent" | "request_id">;
  readonly signing_session: string;
} & (
  | { readonly kind: "viewed" }
  | { readonly kind: "declined"; readonly reason: string | null }
  | { readonly kind: "locked" }
  | { readonly kind: "paper_requested" }
  | { readonly kind: "signed" }
  | { readonly kind: "completed"; readonly at: Date }
);

/** This feature does not import envelopes. `features.ts` passes in what a ceremony needs from them. */
export interface SigningDeps {
  readonly db: Db;
  readonly texts: Texts;
  readonly pdf: PdfPool;
  readonly proofs: ProofPool;
  /** the cache of page images */
  readonly pageCache: string;
  /** The bytes of a stored document. Throws document_unavailable. */
  readPdf(org: OrgId, sha256: string): Promise<Uint8Array>;
  findDocument(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SentDocument>;
  /** The sender's logo, a PNG; null if there is none. */
  lookUpLogo(read: Read, org: OrgId): Promise<Uint8Array | null>;
  /** The document in the form that its reader can have now. Records who got it. */
  issueDocument(who: WidgetCaller): Promise<FileAnswer>;
  /** The document to print and sign in ink. Records who got it. */
  issuePaper(who: WidgetCaller): Promise<FileAnswer>;
  /** Mails a signer the link again and returns the address. Throws not_your_turn for a signer who was not invited yet. */
  mailLinkAgain(tx: Tx, who: WidgetCaller, slug: Slug): Promise<string>;
  /** The completion certificate. Throws envelope_wrong_status before everyone has signed. */
  serveCompletion(org: OrgId, envelope_id: EnvelopeId): Promise<FileAnswer>;
  /** Throws envelope_not_found for a draft. */
  findEnvelope(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SentEnvelope>;
  /** The same, with a lock until the transaction ends. MUST come first in every write of a ceremony. */
  lockEnvelope(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<SentEnvelope>;
  /** Moves the envelope and writes to its chain. MUST come after the signers were written, in the same transaction. */
  onSubmission(tx: Tx, org: OrgId, change: SubmissionChange): Promise<void>;
}

const endings: Record<Ended, string> = {
  voided: "the sender took it back",
  declined: "a signer declined",
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

/** Whether it is this signer's turn. With sequential signing, everyone before them must have signed. */
export function hasTurn(order: SentEnvelope["signing_order"], signers: readonly Signer[], signer: Signer): boolean {
  return order === "parallel" || signers.every(({ turn, status }) => turn >= signer.turn || status === "signed");
}

/** Has neither signed nor been cancelled. */
export const isWaiting = ({ status }: Pick<Signer, "status">): boolean =>
  status === "pending" || status === "viewed" || status === "locked";

/** The signers whose turn it is: the next one, or all of them in parallel. */
export function atTurn(order: SentEnvelope["signing_order"], signers: readonly Signer[]): Signer[] {
  return signers.filter((signer) => isWaiting(signer) && hasTurn(order, signers, signer));
}
