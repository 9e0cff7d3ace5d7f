// All that an evaluation looked at, as one canonical JSON document: what was found beside what was recorded. Nothing here is a
// verdict about the law, and nothing is computed again by whoever reads it: the eight checks are a function of this and of nothing
// else. Before vaulting it is the same document, with null where there is nothing yet.
//
// Times are UTC with milliseconds (2026-01-02T03:04:05.678Z), dates are 2026-01-02, hashes are lower-case hex of SHA-256.

import type { ChainFacts } from "./rules/1/chain-facts.ts";

/** How the record was signed. It selects the conditions of each check. */
export type Source = "signed_here" | "electronic_signed" | "paper_upload";

export type Facts = {
  readonly type: "countersign/facts/1";
  readonly evaluated_at: string;
  readonly source: Source;
  /** who ran the ceremony: `builtin`, or a provider whose audit document is the evidence file; null for an upload */
  readonly provider: string | null;
  readonly org: OrgFacts;
  readonly envelope: EnvelopeFacts;
  /** null in a preview: nothing was stored, and no certificate will say so */
  readonly certificate: { readonly revision: number; readonly path: string } | null;
  readonly copy: CopyFacts | null;
  /** the oldest other live copy of the org with the same content, if it is older than this one by (stored_at, copy_id) */
  readonly older_copy: { readonly envelope_id: string; readonly copy_id: string } | null;
  readonly document: DocumentFacts | null;
  /** every row of document_versions */
  readonly versions: readonly VersionFacts[];
  readonly seal: SealFacts | null;
  /** signatures inside the uploaded PDF, verified again in the bytes that are stored */
  readonly upload_signatures: readonly UploadSignature[];
  /** what `chainFacts` says of the chain as it was read for this evaluation */
  readonly chain: ChainFacts;
  readonly checkpoint: CheckpointFacts | null;
  readonly time: TimeFacts;
  readonly signers: readonly SignerFacts[];
  /** the latest one that counts; null without one, or without `attested_by.name` */
  readonly attestation: Attestation | null;
  readonly evidence_file: { readonly sha256: string; readonly size: number; readonly found_sha256: string | null } | null;
  readonly certification: CertificationFacts | null;
  /** every text that a consent, a signature or an acceptance names */
  readonly texts: readonly TextFacts[];
  /** every row of custodian_permissions, oldest first */
  readonly permissions: readonly PermissionFacts[];
  /** of every user that a permission names */
  readonly members: readonly { readonly user_id: string; readonly active: boolean }[];
  /** a designation of the custodian by the secured party is on record */
  readonly custodian_designated: boolean;
  /** every row of the register, by seq */
  readonly assignments: readonly AssignmentFacts[];
  /** copies of the span that check 7 looks at (vault.md section 11), oldest first */
  readonly copies: readonly CopyIssueFacts[];
  /** how many sealed documents went out before vaulting */
  readonly issued_before: number;
  /** a COPY rendition made for this evaluation and opened again; null in a preview */
  readonly rendition: RenditionFacts | null;
};

export type OrgFacts = {
  readonly org_id: string;
  readonly name: string;
  readonly min_retention_days: number;
  readonly require_external_time: boolean;
};

export type Party = {
  readonly name: string;
  readonly role?: string;
  readonly address?: string;
  readonly email?: string;
  readonly identifier?: string;
};

export type EnvelopeFacts = {
  readonly envelope_id: string;
  readonly envelope_name: string;
  readonly external_id: string | null;
  readonly customer_id: string | null;
  readonly status: string;
  readonly auto_vault_enabled: boolean;
  readonly kba_required: boolean;
  readonly signing_order: "sequential" | "parallel";
  /** exactly as it is stored: the register's hash is of this */
  readonly secured_party: Party | null;
};

export type CopyState = "active" | "escrowed" | "exported" | "tampered" | "destroyed";

/** The row of the authoritative copy, and what was read from the store during this evaluation. */
export type CopyFacts = {
  readonly copy_id: string;
  readonly state: CopyState;
  /** since when it is exported, tampered or destroyed; null while it is live */
  readonly state_since: string | null;
  readonly sha256: string;
  readonly size: number;
  /** before our seal; of an upload, of the received bytes */
  readonly content_sha256: string;
  readonly stored_at: string;
  readonly retention_until: string;
  readonly lock: { readonly kind: "application" | "object_lock"; readonly until: string } | null;
  readonly read_at: string;
  /** null: the store has no such bytes */
  readonly found_sha256: string | null;
  readonly found_size: number | null;
};

export type DocumentFacts = {
  readonly content_type: string;
  /** of the file that is kept for its owner: the PDF, or the picture that was wrapped */
  readonly hash: string;
  readonly found_sha256: string | null;
  /** of the PDF that is shown */
  readonly pages: number;
  /** of the PDF in the store, opened now; null: it does not open */
  readonly found_pages: number | null;
  /** a signed upload, kept as it came */
  readonly byte_for_byte: boolean;
  /** of the scan with the fewest dots per inch; null where no page is a scan */
  readonly lowest_dpi: number | null;
};

export type VersionKind = "received" | "stored" | "prepared" | "stamped" | "signed" | "authoritative";

export type VersionFacts = {
  readonly kind: VersionKind;
  readonly sha256: string;
  readonly parent_sha256: string | null;
  /** null: not read, or no such bytes. What was received and then cleaned is never kept, so it is never found */
  readonly found_sha256: string | null;
};

/** What verify-seal says of the authoritative copy, by every rule of vault.md section 9. */
export type SealFacts = {
  readonly valid: boolean;
  /** why not, in words; null when valid */
  readonly fault: string | null;
  readonly seal_id: string;
  readonly subject: string;
  readonly certificate_sha256: string;
  readonly level: "B-B" | "B-T";
  /** `/Reason`, as it stands in the file */
  readonly reason: string;
  /** issued under the root of this installation, and not bought */
  readonly self_issued: boolean;
  /** of the sealed file, and of the version that it seals */
  readonly revisions: number;
  readonly sealed_revisions: number;
};

export type UploadSignature = {
  readonly field: string;
  readonly intact: boolean;
  readonly fault: string | null;
};

export type CheckpointFacts = {
  readonly tree_size: number;
  readonly root: string;
  readonly at: string;
  readonly key_id: string;
  /** of the entries of this chain, from the first one without a gap, the last that is in the log at this size; 0: none */
  readonly covers_seq: number;
  /** the signature over its bytes holds */
  readonly signed: boolean;
};

export type TimeFacts = {
  /** TSA_URL is set */
  readonly configured: boolean;
  /** over that or a later checkpoint; null without one */
  readonly token: { readonly gen_time: string; readonly valid: boolean; readonly fault: string | null; readonly tree_size: number } | null;
  /** why there is none although one was asked for: "timeout" */
  readonly failure: string | null;
};

/** Someone who was to sign. Of an upload: who was saved with it, without acts of their own here. */
export type SignerFacts = {
  /** null for an upload, which sends no link */
  readonly slug: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly role: string | null;
  /** from 1 */
  readonly order: number;
  readonly required: boolean;
  readonly status: string;
  readonly signed_at: string | null;
  /** required fields of this signer, in the order of the document */
  readonly required_fields: readonly { readonly name: string; readonly filled: boolean }[];
  /** one per signature and initials field */
  readonly signatures: readonly SignatureFacts[];
  readonly sessions: readonly SessionFacts[];
  readonly consents: readonly ConsentFacts[];
  readonly kba: readonly KbaFacts[];
  /** the link of the invitation still opens a copy; null where that was not tried */
  readonly link_opens: boolean | null;
};

export type SignatureFacts = {
  /** as the stamper's list names it */
  readonly field_id: string;
  readonly position: number;
  readonly kind: "signature" | "initials";
  readonly method: string | null;
  readonly mark_sha256: string;
  readonly session: string;
  readonly intent_sha256: string | null;
  readonly prepared_sha256: string;
  readonly state_sha256: string;
  /** recomputed from the prepared version and the values of those who signed before */
  readonly found_state_sha256: string;
  readonly applied_at: string;
  readonly signed_at: string;
};

export type SessionFacts = {
  readonly session: string;
  readonly credential: string;
  /** the address that the link or token was made for */
  readonly email: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly opened_at: string;
  /** of a link: how it reached its user. Facts from before links had secrets do not say */
  readonly link_kind?: "mailed" | "handed_over" | "shared";
  /** of a mailed link: the message that carried it, and when a mail server accepted that message, as recorded when the link was used */
  readonly message_id?: string;
  readonly mail_sent_at?: string | null;
  /** of a token or a link that was handed over: the key or person it was made for; null if that was not recorded */
  readonly issued_by?: string | null;
};

export type ConsentFacts = {
  readonly session: string;
  readonly disclosure_version: string;
  readonly disclosure_sha256: string;
  readonly rendered_at: string | null;
  readonly accepted_at: string;
  readonly withdrawn_at: string | null;
};

export type KbaFacts = {
  readonly session: string;
  readonly provider: string;
  readonly passed: boolean;
  readonly at: string;
};

export type TextFacts = {
  readonly kind: "disclosure" | "intent" | "terms";
  readonly version: string;
  readonly sha256: string;
  /** this installation or org published exactly these bytes */
  readonly published: boolean;
  /** of a disclosure: which of the eight elements it declares (vault.md section 5) */
  readonly elements: readonly string[];
};

export type CertificationFacts = {
  readonly terms_version: string;
  readonly terms_sha256: string;
  readonly accepted_at: string;
};

/** vault.md section 4; a member that was not given is null, a list that was not given is empty. */
export type Attestation = {
  readonly attested_by: { readonly name: string; readonly title: string | null };
  readonly signers: readonly AttestedSigner[];
  readonly paper: PaperAttestation | null;
  readonly external: ExternalAttestation | null;
};

export type AttestedSigner = {
  readonly name: string | null;
  readonly email: string | null;
  readonly role: string | null;
  readonly signed_on: string | null;
  readonly identified_by: string | null;
  readonly auth_methods: readonly string[];
};

export type PaperAttestation = {
  readonly ink_signed: boolean | null;
  readonly all_signatures_present: boolean | null;
  readonly page_count: number | null;
  readonly original_disposition: "destroyed" | "marked_as_copy" | "retained" | null;
  readonly disposition_on: string | null;
  readonly disposition_by: string | null;
};

export type ExternalAttestation = {
  readonly provider: string | null;
  readonly transaction_id: string | null;
  readonly consent_confirmed: boolean | null;
  readonly prior_copy_status: "none_existed" | "exported_with_acknowledgment" | "marked_as_copy" | "unknown" | null;
  readonly document_sha256: string | null;
  readonly evidence_sha256: string | null;
};

export type PermissionState = "pending" | "active" | "released" | "rejected" | "cancelled" | "expired";

export type PermissionFacts = {
  readonly permission_id: string;
  readonly user_id: string;
  readonly from_user_id: string | null;
  readonly state: PermissionState;
  readonly activated_at: string | null;
  readonly closed_at: string | null;
};

export type ConsentOfParty = {
  readonly method: "written" | "email_confirmation";
  readonly given_by: { readonly name: string; readonly email: string | null };
  readonly statement: string | null;
  readonly given_at: string;
};

export type AssignmentFacts = {
  readonly seq: number;
  readonly party: Party;
  readonly party_sha256: string;
  /** of the party before; null for the first designation */
  readonly consent: ConsentOfParty | null;
  readonly state: "pending" | "effective" | "refused";
  readonly entry_seq: number;
};

export type CopyIssueFacts = {
  readonly copy_id: string;
  readonly kind: string;
  readonly issued_at: string;
  readonly pages: number;
  readonly marked_pages: number;
};

export type RenditionFacts = {
  readonly pages: number;
  /** pages whose text layer holds the mark */
  readonly marked_pages: number;
  /** why no copy could be produced; null when one was */
  readonly fault: string | null;
};
