// Everything that an evaluation looked at, as one canonical JSON document: what was recorded and what was found. The eight checks depend
// on this document only. It contains no legal conclusions, and readers recompute nothing in it. Before vaulting, members without a value
// yet are null.
//
// Times are UTC with milliseconds (2026-01-02T03:04:05.678Z), dates are 2026-01-02, hashes are SHA-256 in lower-case hex.

import type { ChainFacts } from "./rules/1/chain-facts.ts";

/** How the record was signed. Each check has its own condition for each source. */
export type Source = "signed_here" | "electronic_signed" | "paper_upload";

export type Facts = {
  readonly type: "countersign/facts/1";
  readonly evaluated_at: string;
  readonly source: Source;
  /** who ran the signing ceremony: `builtin`, or a provider whose audit document is the evidence file; null for an upload */
  readonly provider: string | null;
  readonly org: OrgFacts;
  readonly envelope: EnvelopeFacts;
  /** null in a preview, which stores nothing and issues no certificate */
  readonly certificate: { readonly revision: number; readonly path: string } | null;
  readonly copy: CopyFacts | null;
  /** the oldest other live copy in the organization with the same content, if it is older than this one by (stored_at, copy_id) */
  readonly older_copy: { readonly envelope_id: string; readonly copy_id: string } | null;
  readonly document: DocumentFacts | null;
  /** every row of document_versions */
  readonly versions: readonly VersionFacts[];
  readonly seal: SealFacts | null;
  /** signatures inside the uploaded PDF, verified again in the stored bytes */
  readonly upload_signatures: readonly UploadSignature[];
  /** the result of `chainFacts` for the chain as read for this evaluation */
  readonly chain: ChainFacts;
  readonly checkpoint: CheckpointFacts | null;
  readonly time: TimeFacts;
  readonly signers: readonly SignerFacts[];
  /** the latest valid attestation; null if there is none, or if it has no `attested_by.name` */
  readonly attestation: Attestation | null;
  readonly evidence_file: { readonly sha256: string; readonly size: number; readonly found_sha256: string | null } | null;
  readonly certification: CertificationFacts | null;
  /** every text that a consent, signature or acceptance refers to */
  readonly texts: readonly TextFacts[];
  /** every row of custodian_permissions, oldest first */
  readonly permissions: readonly PermissionFacts[];
  /** every user that a permission names */
  readonly members: readonly { readonly user_id: string; readonly active: boolean }[];
  /** whether the secured party's designation of the custodian is recorded */
  readonly custodian_designated: boolean;
  /** every row of the register, ordered by seq */
  readonly assignments: readonly AssignmentFacts[];
  /** the copies in the period that check 7 looks at (vault.md section 11), oldest first */
  readonly copies: readonly CopyIssueFacts[];
  /** how many sealed documents were issued before vaulting */
  readonly issued_before: number;
  /** a COPY rendition that was made and reopened for this evaluation; null in a preview */
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
  /** exactly as stored, because the register hashes it */
  readonly secured_party: Party | null;
};

export type CopyState = "active" | "escrowed" | "exported" | "tampered" | "destroyed";

/** The row of the authoritative copy, and what was read from storage during this evaluation. */
export type CopyFacts = {
  readonly copy_id: string;
  readonly state: CopyState;
  /** when it was exported, found tampered with or destroyed; null while it is live */
  readonly state_since: string | null;
  readonly sha256: string;
  readonly size: number;
  /** hash of the content before our seal; for an upload, of the received bytes */
  readonly content_sha256: string;
  readonly stored_at: string;
  readonly retention_until: string;
  readonly lock: { readonly kind: "application" | "object_lock"; readonly until: string } | null;
  readonly read_at: string;
  /** null if storage has no such bytes */
  readonly found_sha256: string | null;
  readonly found_size: number | null;
};

export type DocumentFacts = {
  readonly content_type: string;
  /** hash of the file kept for its owner: the PDF, or the image it was made from */
  readonly hash: string;
  readonly found_sha256: string | null;
  /** page count of the displayed PDF */
  readonly pages: number;
  /** page count of the stored PDF, opened now; null if it does not open */
  readonly found_pages: number | null;
  /** whether this is a signed upload that was kept unchanged */
  readonly byte_for_byte: boolean;
  /** the lowest resolution of any scanned page; null if no page is a scan */
  readonly lowest_dpi: number | null;
};

export type VersionKind = "received" | "stored" | "prepared" | "stamped" | "signed" | "authoritative";

export type VersionFacts = {
  readonly kind: VersionKind;
  readonly sha256: string;
  readonly parent_sha256: string | null;
  /** null if it was not read or no such bytes exist. Received files that were then cleaned are never kept, so they are never found */
  readonly found_sha256: string | null;
};

/** The result of verify-seal for the authoritative copy, by every rule of vault.md section 9. */
export type SealFacts = {
  readonly valid: boolean;
  /** why it is not valid, in words; null if valid */
  readonly fault: string | null;
  readonly seal_id: string;
  readonly subject: string;
  readonly certificate_sha256: string;
  readonly level: "B-B" | "B-T" | "B-LT" | "B-LTA";
  /** `/Reason` in the file */
  readonly reason: string;
  /** whether the seal certificate was issued by this installation's root, not purchased */
  readonly self_issued: boolean;
  /** revisions of the sealed file, and of the version that it seals */
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
  /** the last entry of this chain up to which all entries are in the log at this size; 0 if none */
  readonly covers_seq: number;
  /** whether its signature is valid */
  readonly signed: boolean;
};

export type TimeFacts = {
  /** whether TSA_URL is set */
  readonly configured: boolean;
  /** for this or a later checkpoint; null if there is none */
  readonly token: { readonly gen_time: string; readonly valid: boolean; readonly fault: string | null; readonly tree_size: number } | null;
  /** why there is no token although one was requested: "timeout" */
  readonly failure: string | null;
};

/** An expected signer. For an upload, the signers saved with it, without any acts in this service. */
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
  /** the signer's required fields, in document order */
  readonly required_fields: readonly { readonly name: string; readonly filled: boolean }[];
  /** one per signature and initials field */
  readonly signatures: readonly SignatureFacts[];
  readonly sessions: readonly SessionFacts[];
  readonly consents: readonly ConsentFacts[];
  readonly kba: readonly KbaFacts[];
  /** whether the invitation link still opens a copy; null if not tried */
  readonly link_opens: boolean | null;
};

export type SignatureFacts = {
  /** the ID in the list of the stamping step */
  readonly field_id: string;
  readonly position: number;
  readonly kind: "signature" | "initials";
  readonly method: string | null;
  readonly mark_sha256: string;
  readonly session: string;
  readonly intent_sha256: string | null;
  readonly prepared_sha256: string;
  readonly state_sha256: string;
  /** recomputed from the prepared version and the values of earlier signers */
  readonly found_state_sha256: string;
  readonly applied_at: string;
  readonly signed_at: string;
};

export type SessionFacts = {
  readonly session: string;
  readonly credential: string;
  /** the address for which the link or token was created */
  readonly email: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly opened_at: string;
  /** for a link: how it reached its user; missing in facts from before links had secrets */
  readonly link_kind?: "mailed" | "handed_over" | "shared";
  /**
   * for a mailed link: the message that contained it, and when a mail server accepted that message, as recorded when the link was used
   */
  readonly message_id?: string;
  readonly mail_sent_at?: string | null;
  /** for a token or a handed-over link: the key or user it was created for; null if not recorded */
  readonly issued_by?: string | null;
  /** `test_operation`: in a sandbox, a program acted in place of the person. Missing for the visit of a person */
  readonly by?: string;
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
  readonly kind: "disclosure" | "intent" | "terms" | "agreement";
  readonly version: string;
  readonly sha256: string;
  /** whether this installation or organization published exactly these bytes */
  readonly published: boolean;
  /** for a disclosure: which of the eight elements it declares (vault.md section 5) */
  readonly elements: readonly string[];
};

export type CertificationFacts = {
  readonly terms_version: string;
  readonly terms_sha256: string;
  readonly accepted_at: string;
};

/** vault.md section 4. Members that were not given are null; lists that were not given are empty. */
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
  /** consent of the previous party; null for the first designation */
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
  /** number of pages whose text layer contains the mark */
  readonly marked_pages: number;
  /** why no copy could be made; null if one was */
  readonly fault: string | null;
};
