import type { Instrument, RecordType } from "@countersign/evidence";
import type { PdfPool } from "@countersign/pdf/pool";
import type { Db } from "../db/connect.ts";
import type { Read } from "../db/sql.ts";
import type { PageCache } from "../documents/page-cache.ts";
import type { MailDeps } from "../mail/message.ts";
import type { ProofPool } from "../proofs/pool.ts";
import type { BatchId, CustomerId, EnvelopeId, FormId, KeyId, OrgId, SubmissionId, TemplateId, UserId } from "../shared/ids.ts";
import type { TimedSteps } from "../shared/time-step.ts";
import type { Methods } from "../signing/identity/method.ts";
import type { KeptAuthentication } from "../signing/identity/requirement.ts";
import type { SigningProvider } from "../signing/provider.ts";
import type { SealingDeps } from "../signing/sealed-columns.ts";
import type { Recipient, SigningOrder } from "../signing/submission.ts";
import type { StorageDeps } from "../storage/store-blob.ts";
import type { Texts } from "../texts/text.ts";
import type { SavedRecipient } from "./recipient-input.ts";

export interface EnvelopeDeps extends TimedSteps {
  readonly db: Db;
  readonly pdf: PdfPool;
  readonly texts: Texts;
  /** hashes the answers to identity questions */
  readonly proofs: ProofPool;
  /** encrypts the texts of identity questions, and what people enter */
  readonly values: SealingDeps["values"];
  readonly storage: StorageDeps;
  readonly provider: SigningProvider;
  /** the ways in which recipients can prove who they are, besides identity questions */
  readonly identityMethods: Methods;
  /** the cache of page images */
  readonly pageCache: PageCache;
  readonly mail: MailDeps;
  /** adds the org's seal to a PDF; viewers show `reason` with it */
  readonly seal: (org: OrgId, pdf: Uint8Array, reason: string) => Promise<Sealed>;
  /** the same for a copy to hand out: without time-stamp and validation data, so that the reader does not wait for them */
  readonly sealCopy: (org: OrgId, pdf: Uint8Array, reason: string) => Promise<Sealed>;
  /** throws if the original in the vault is no longer as it was stored */
  readonly requireUndamaged: (org: OrgId, envelope_id: EnvelopeId) => Promise<void>;
  /** the base URL of signing links */
  readonly embedUrl: string;
  /** the SHA-256 of the installation's root certificate, for readers of certificates; null if it has none yet */
  readonly lookUpRoot: (read: Read, org: OrgId) => Promise<string | null>;
  /** where the keys are published that verify records of the organization */
  readonly trustAddress: (org: OrgId) => string;
  /** the base URL of the installation's public pages */
  readonly publicUrl: string;
  /** the base URL of the console */
  readonly consoleUrl: string;
  /** the minimum number of seconds between two reminders of a signer */
  readonly remindMinSeconds: number;
}

export interface Sealed {
  readonly bytes: Uint8Array;
  readonly seal: {
    readonly seal_id: string;
    readonly certificate_sha256: string;
    readonly subject: string;
    readonly level: "B-B" | "B-T" | "B-LT" | "B-LTA";
    readonly tsa_error?: string;
    readonly level_error?: string;
    readonly sealed_at: Date;
  };
}

/** All statuses of an envelope. See the specification, "States and transitions". */
export const statuses = [
  "pending",
  "uploaded",
  "preparing",
  "sent",
  "viewed",
  "completed",
  "vaulted",
  "declined",
  "voided",
  "expired",
] as const;
export type Status = (typeof statuses)[number];

/** All moves between statuses. Only `moveEnvelope` writes `status`, and it follows this table. */
export const moves = {
  attach: { from: ["pending"], to: "uploaded" },
  place: { from: ["uploaded", "preparing"], to: "preparing" },
  send: { from: ["uploaded", "preparing"], to: "sent" },
  view: { from: ["sent"], to: "viewed" },
  complete: { from: ["viewed"], to: "completed" },
  // A signed original from elsewhere: on paper, or from another system.
  deposit: { from: ["uploaded"], to: "completed" },
  vault: { from: ["completed"], to: "vaulted" },
  // A record that another vault releases to this one: the envelope begins here.
  import: { from: [], to: "completed" },
  decline: { from: ["sent", "viewed"], to: "declined" },
  discard: { from: ["pending", "uploaded", "preparing"], to: "voided" },
  void: { from: ["pending", "uploaded", "preparing", "sent", "viewed"], to: "voided" },
  expire: { from: ["sent", "viewed"], to: "expired" },
} as const satisfies Record<string, { from: readonly Status[]; to: Status }>;
export type Move = keyof typeof moves;

/** Not sent yet. The sender can change it. */
export const drafts: readonly Status[] = moves.discard.from;
/** Sent and waiting for signers. */
export const open: readonly Status[] = moves.expire.from;

export interface ListedEnvelope {
  readonly envelope_id: EnvelopeId;
  readonly envelope_name: string;
  readonly status: Status;
  readonly customer_id: CustomerId | null;
  readonly external_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface SecuredParty {
  readonly name: string;
  readonly role?: string;
  readonly address?: string;
  readonly email?: string;
  readonly identifier?: string;
}

/** A person of an envelope, as answers show them. Times are as JSON has them. In a draft, there are no ids and slugs yet. */
export type ShownRecipient = Pick<Recipient, "kind" | "email" | "name" | "role" | "step" | "status" | "delivery" | "locale" | "message"> & {
  readonly recipient_id: Recipient["recipient_id"] | null;
  readonly slug: Recipient["slug"] | null;
  readonly acted_at: string | null;
  /** what a draft keeps of the codes that the person must enter; null or absent if it keeps none */
  readonly authentication?: KeptAuthentication | null;
};

/** `status` is the current status: an envelope is `expired` from its expiry date on, even before the sweep has run. */
export interface Envelope extends ListedEnvelope {
  /** the customer that it had when it was created, if that one was merged or deleted since */
  readonly original_customer_id: CustomerId | null;
  readonly template_id: TemplateId | null;
  readonly is_upload: boolean;
  readonly directory_id: string | null;
  readonly auto_vault_enabled: boolean;
  readonly kba_required: boolean;
  /** the people of a draft; kept as they were after it is sent */
  readonly signers: readonly SavedRecipient[];
  /** everyone whom it was sent to, by step; for a draft, the saved ones */
  readonly recipients: readonly ShownRecipient[];
  readonly custom: Readonly<Record<string, unknown>> | null;
  readonly secured_party: SecuredParty | null;
  readonly message: string | null;
  /** of the message that asks for a signature; null: the organization's */
  readonly mail_subject: string | null;
  readonly signing_order: SigningOrder;
  readonly expires_in_days: number;
  readonly remind_every_days: number | null;
  /** from sending; null: as many days as between two reminders */
  readonly remind_first_after_days: number | null;
  /** before the expiry; null: reminders go on until then */
  readonly remind_last_days_before: number | null;
  readonly submission_id: SubmissionId | null;
  readonly sent_at: Date | null;
  readonly sent_by: string | null;
  readonly expires_at: Date | null;
  readonly next_reminder_at: Date | null;
  readonly completed_at: Date | null;
  readonly ended_at: Date | null;
  readonly reason: string | null;
  readonly certificate_path: string | null;
  readonly vault_file_path: string | null;
  /** what the depositor declared; null for an envelope that was not deposited */
  readonly deposit_source: "paper_upload" | "electronic_signed" | null;
  readonly record_type: RecordType;
  /** the instrument that the document is, as declared */
  readonly instrument: Instrument | null;
  /** the roles of a transferable record's makers */
  readonly maker_roles: readonly string[];
  /** the signers it was sent to; for a draft, the saved ones */
  readonly signer_count: number;
  /** the member who looks after it; null if the installation created it */
  readonly owner_user_id: UserId | null;
  /** the public form on which a visitor started it */
  readonly form_id: FormId | null;
  /** names, in the order in which they are compared */
  readonly tags: readonly string[];
  /** the bulk send that created it */
  readonly batch_id: BatchId | null;
  /** the API key that created it; null if a person or the installation did */
  readonly prepared_by: { readonly key_id: KeyId; readonly partner_name: string } | null;
  /** only written: when a draft was discarded */
  readonly discarded_at?: Date;
}

export const isVaulted = ({ status }: Pick<Envelope, "status">): boolean => status === "vaulted";
/** A certificate exists, regardless of its score. */
export const isCompliant = ({ certificate_path }: Pick<Envelope, "certificate_path">): boolean => certificate_path !== null;

/** The fields that webhook receivers route by, for the data of an event. */
export const routeOf = ({
  customer_id,
  external_id,
  form_id,
  batch_id,
}: Pick<Envelope, "customer_id" | "external_id" | "form_id" | "batch_id">) => ({
  customer_id,
  external_id,
  ...(form_id !== null && { form_id }),
  ...(batch_id !== null && { batch_id }),
});
