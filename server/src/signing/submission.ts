import type { PdfPool } from "@countersign/pdf/pool";
import type { Db } from "../db/connect.ts";
import type { Read, Tx } from "../db/sql.ts";
import type { FileAnswer } from "../http/endpoint.ts";
import type { ProofPool } from "../proofs/pool.ts";
import type { Caller, WidgetCaller } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import { Problem } from "../shared/problems.ts";
import type { Slug } from "../shared/slugs.ts";
import type { SentField } from "./field.ts";

export const signerStatuses = ["pending", "viewed", "signed", "declined", "locked", "cancelled"] as const;
export type SignerStatus = (typeof signerStatuses)[number];

export interface Signer {
  /** from 1, in signing order */
  readonly turn: number;
  readonly slug: Slug;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  /** the language that the sender chose for them */
  readonly locale: Locale | null;
  readonly status: SignerStatus;
  readonly invited_at: Date | null;
  readonly reminded_at: Date | null;
  readonly viewed_at: Date | null;
  readonly signed_at: Date | null;
  readonly declined_at: Date | null;
}

/** What an address of a signer's page has before its fragment: nothing, unless somebody chose a language. */
export const inLanguage = (locale: Locale | null): string => (locale === null ? "" : `?lang=${locale}`);

/** Over before everybody signed. */
export type Ended = "voided" | "declined" | "expired";

/** An envelope that was sent, as far as its ceremony needs it. */
export interface SentEnvelope {
  readonly envelope_id: EnvelopeId;
  readonly envelope_name: string;
  /** `expired` from the moment that its time is over, whether or not that was recorded yet */
  readonly status: "sent" | "viewed" | "completed" | "vaulted" | Ended;
  readonly expires_at: Date | null;
  readonly sender: string;
  readonly message: string | null;
  readonly signing_order: "sequential" | "parallel";
  readonly kba_required: boolean;
  /** only the link in the signer's own mail may sign */
  readonly require_mailed_link: boolean;
  /** how the sender wants pages to look */
  readonly branding: Readonly<Record<string, unknown>>;
  /** of pages for people of whom nothing else is known */
  readonly default_locale: Locale;
}

/** What the signers see, as it was frozen when the envelope was sent. */
export interface SentDocument {
  readonly prepared_sha256: string;
  readonly pages: readonly { readonly w_pt: number; readonly h_pt: number }[];
  readonly fields: readonly SentField[];
  /** everybody has signed */
  readonly is_completed: boolean;
  /** the version with the values in it; null before there is one */
  readonly stamped_sha256: string | null;
  /** the sealed document; null before there is one */
  readonly signed_sha256: string | null;
  readonly kba_required: boolean;
  /** what everybody signed can be had */
  readonly is_finished: boolean;
}

/** One whose ceremony can be opened. */
export type LiveEnvelope = SentEnvelope & { readonly status: Exclude<SentEnvelope["status"], Ended> };

/** What happened in a ceremony, for the envelope to follow. */
export type SubmissionChange = {
  readonly envelope_id: EnvelopeId;
  readonly slug: Slug;
  readonly by: Pick<Caller, "actor" | "ip" | "user_agent" | "request_id">;
  readonly signing_session: string;
} & (
  | { readonly kind: "viewed" }
  | { readonly kind: "declined"; readonly reason: string | null }
  | { readonly kind: "locked" }
  | { readonly kind: "signed" }
  | { readonly kind: "completed"; readonly at: Date }
);

/** Envelopes are not known here: `features.ts` hands in what a ceremony needs of them. */
export interface SigningDeps {
  readonly db: Db;
  readonly pdf: PdfPool;
  readonly proofs: ProofPool;
  /** where pictures of pages are kept for the next who asks */
  readonly pageCache: string;
  /** The bytes of a stored document. Throws document_unavailable. */
  readPdf(org: OrgId, sha256: string): Promise<Uint8Array>;
  findDocument(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SentDocument>;
  /** The sender's, a PNG; null without one. */
  lookUpLogo(read: Read, org: OrgId): Promise<Uint8Array | null>;
  /** The document as its reader may have it now, with a trace of who got it. */
  issueDocument(who: WidgetCaller): Promise<FileAnswer>;
  /** Throws envelope_not_found for one that was never sent. */
  findEnvelope(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SentEnvelope>;
  /** The same, and nobody else moves it until the transaction ends. MUST come first in every write of a ceremony. */
  lockEnvelope(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<SentEnvelope>;
  /** Moves the envelope and writes its chain. MUST come after the signers were written, in the same transaction. */
  onSubmission(tx: Tx, org: OrgId, change: SubmissionChange): Promise<void>;
}

const endings: Record<Ended, string> = {
  voided: "the sender took it back",
  declined: "a signer declined",
  expired: "the time to sign has passed",
};

const isEnded = (status: string): status is Ended => Object.hasOwn(endings, status);

/** A token dies with its envelope. Who declined is not said. */
export function refuseEnded(envelope: SentEnvelope): asserts envelope is LiveEnvelope {
  const { status } = envelope;
  if (!isEnded(status)) return;
  const details = [{ location: "path", field: null, code: status, message: endings[status] }] as const;
  throw new Problem("envelope_ended", status, { details });
}

/** Whether it is this signer's turn: in sequence everybody before them has signed. */
export function hasTurn(order: SentEnvelope["signing_order"], signers: readonly Signer[], signer: Signer): boolean {
  return order === "parallel" || signers.every(({ turn, status }) => turn >= signer.turn || status === "signed");
}

/** Has neither signed nor dropped out. */
export const isWaiting = ({ status }: Pick<Signer, "status">): boolean =>
  status === "pending" || status === "viewed" || status === "locked";

/** Those whose turn it is: one after the other in order, or all at once. */
export function atTurn(order: SentEnvelope["signing_order"], signers: readonly Signer[]): Signer[] {
  return signers.filter((signer) => isWaiting(signer) && hasTurn(order, signers, signer));
}
