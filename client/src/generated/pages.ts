// Written by `npm run generate` from openapi-pages.json: the protocol of Countersign's own pages. It may change in any release.

export interface AcceptInvitationRequest {
  readonly token: string;
  /** 12 to 128 characters */
  readonly password?: string | undefined;
  readonly name?: Name | undefined;
  /** `token`: the refresh token is in the response, for programs. `cookie` (the default): it is set as a cookie that scripts cannot read */
  readonly mode?: SessionMode | undefined;
}

export interface AcceptSigningAgreementRequest {
  readonly agreement_version: string;
  readonly agreement_sha256: Sha256;
}

export interface AcceptedSigningAgreement {
  accepted_at: Timestamp;
}

export interface AcceptedSigningAgreementResponse {
  data: AcceptedSigningAgreement;
}

export interface AcknowledgePersonExportRequest {
  /** SHA-256 of the downloaded package */
  readonly package_sha256: Sha256;
}

export interface Act {
  act_id: ActId;
  kind: ActKind;
  state: ActState;
  /** One line that says what is decided */
  summary: string;
  /** Of another organization's act that asks you: whose act it is. Null for an act of your own */
  org_name: string | null;
  envelope_id: EnvelopeId | null;
  /** What those who decide agree to; sha256 is that of its canonical bytes (RFC 8785) */
  document: { [name: string]: unknown };
  sha256: Sha256;
  needs: ActNeed[];
  approvals: ActApproval[];
  proposed_by: Actor;
  proposed_at: Timestamp;
  expires_at: Timestamp;
  /** When an act takes effect that two admins confirmed because no approver of the party can be reached, unless one of the party's people objects */
  waits_until: Timestamp | null;
  /** When it took effect or ended */
  closed_at: Timestamp | null;
  updated_at: Timestamp;
}

export interface ActApproval {
  role: string;
  party_id: PartyId | null;
  by: Actor;
  email: string;
  decision: ActDecision;
  method: ActMethod;
  /** The person is also a member of the organization whose act it is */
  is_member: boolean;
  /** The organization had replaced the approvers of the party by then */
  approvers_replaced: boolean;
  at: Timestamp;
}

export type ActDecision = "confirm" | "refuse";

export type ActId = string;

export type ActKind = "designate" | "correct_party" | "assign" | "release" | "participate" | "pledge" | "release_pledge" | "designate_custodian" | "move_custody" | "acknowledge_control" | "release_hold" | "transfer_out" | "export_out" | "paper_out" | "destroy" | "recover" | "change_people";

/** passkey: a signature over the act. code: a code sent to the person's address for this act. session, key: of a member or another organization. vault_key: another installation signed the decision of one of its members */
export type ActMethod = "passkey" | "code" | "session" | "key" | "vault_key";

export interface ActNeed {
  /** Why they are asked: controller, assignee, pledgee, party, custodian, admin or approver */
  role: string;
  party_id: PartyId | null;
  user_id: UserId | null;
  name: string;
  /** false: the party has no approver, and the control policy lets the act take effect without it */
  asked: boolean;
  decided: boolean;
  /** Addresses of its people to which the request could not be delivered, or of the installation that did not take it. Empty for readers outside the organization */
  unreachable: string[];
}

export type ActState = "proposed" | "confirmed" | "registering" | "effective" | "refused" | "cancelled" | "expired" | "superseded";

export interface Actor {
  kind: string;
  id: string;
}

export interface AddPasskeyRequest {
  readonly credential: PasskeyRegistration;
  /** How the person calls it; default: Passkey */
  readonly name?: Label | undefined;
}

export interface AddedPasskey {
  passkey_id: PasskeyId;
}

export interface AddedPasskeyResponse {
  data: AddedPasskey;
}

export interface AnswerAccessCodeRequest {
  readonly challenge_id: string;
  readonly code: string;
}

export interface AnswerEmailCodeRequest {
  readonly challenge_id: string;
  readonly code: string;
}

export interface AnswerIdentityQuestionsRequest {
  readonly challenge_id: string;
  readonly answers: readonly IdentityAnswer[];
}

export interface ApproveDocumentRequest {
  /** Of the document as it was shown. If it has changed since, the answer is 409 */
  readonly state_sha256: Sha256;
  /** Of the approver's own fields. If they have changed since, the answer is 409 */
  readonly revision?: number | undefined;
  /** The language of the page, in which your numbers and dates are written into the document */
  readonly locale?: Locale | undefined;
  /** Your time zone, for fields that take the day */
  readonly timezone?: string | undefined;
}

export interface ApprovedDocument {
  status: "approved";
  acted_at: Timestamp;
  envelope_status: "sent" | "viewed" | "completed";
}

export interface ApprovedDocumentResponse {
  data: ApprovedDocument;
}

export type AssignmentStatus = "pending" | "effective" | "refused";

export interface AuditedRecord {
  envelope_id: EnvelopeId;
  envelope_name: string;
  org_name: string;
  /** The party for which you look at it */
  party_name: string;
  state: VaultCopyState;
  sha256: Sha256;
  stored_at: Timestamp;
  retention_until: Timestamp;
  /** Of the latest certificate */
  revision: number;
  compliance: Compliance;
  may_download: boolean;
  until: Timestamp;
}

export interface AuditedRecordResponse {
  data: AuditedRecord;
}

export type AuthoritativeCopyId = string;

export type Base64Url = string;

export interface CodeMail {
  /** `queued`: it has not left yet, and we keep trying. `sent`: a mail server has accepted it. `failed`: it will not be sent. Null: no mailed code can be entered */
  state: CodeMailState | null;
}

export interface CodeMailResponse {
  data: CodeMail;
}

export type CodeMailState = "queued" | "sent" | "failed";

export interface CompleteSigningRequest {
  readonly revision: number;
  readonly prepared_sha256: Sha256;
  readonly state_sha256: Sha256;
  readonly intent: SigningIntent;
  readonly timezone?: string | undefined;
}

export interface CompletedSigning {
  status: "signed";
  signed_at: Timestamp;
  envelope_status: "viewed" | "completed";
  signed: number;
  total: number;
}

export interface CompletedSigningResponse {
  data: CompletedSigning;
}

export interface Compliance {
  envelope_id: EnvelopeId;
  envelope_name: string;
  customer_id: CustomerId | null;
  envelope_status: EnvelopeStatus;
  vaulted: boolean;
  /** A certificate exists, regardless of its score */
  compliant: boolean;
  /** The score is 100 */
  passed: boolean;
  score: number;
  /** The rules of the evaluation; those of rules 1 have no grades */
  rules: number;
  proven_score: number | null;
  /** null in a preview */
  standing: ComplianceStanding | null;
  evaluated_at: Timestamp;
  certificate_path: string | null;
  missing_requirements: string[];
  warnings: ComplianceWarning[];
  checks: ComplianceCheckResult[];
  /** Facts beside the clauses of statutes, which no score counts. For chattel_paper UCC 9-105, for transferable_record 15 USC 7021 and UETA 16, for other none */
  annexes: ComplianceAnnex[];
}

export interface ComplianceAnnex {
  id: ComplianceAnnexId;
  /** The statute */
  title: string;
  clauses: ComplianceClause[];
}

export type ComplianceAnnexId = "ucc_9_105_b" | "ucc_9_105_2022" | "usc_15_7021" | "ueta_16";

export interface ComplianceAsOf {
  at: Timestamp;
  chain_seq: number;
  chain_hash: Sha256;
  tree_size: number;
}

export interface ComplianceCertificate {
  type: "countersign/compliance/1" | "countersign/compliance/2";
  certificate_id: string;
  revision: number;
  /** Where the document was signed, as in evidence files. Vault records show it as signed_here */
  source: "signed_here" | "electronic_signed" | "paper_upload";
  envelope_id: EnvelopeId;
  envelope_name: string;
  customer_id: CustomerId | null;
  envelope_status: EnvelopeStatus;
  vaulted: boolean;
  /** A certificate exists, regardless of its score */
  compliant: boolean;
  /** The score is 100 */
  passed: boolean;
  score: number;
  /** The rules of the evaluation; those of rules 1 have no grades */
  rules: number;
  proven_score: number | null;
  /** null in a preview */
  standing: ComplianceStanding | null;
  evaluated_at: Timestamp;
  certificate_path: string | null;
  missing_requirements: string[];
  warnings: ComplianceWarning[];
  checks: ComplianceCheckResult[];
  /** Missing for a record of type other, as in the file */
  annexes?: ComplianceAnnex[];
  document_sha256: Sha256;
  facts_sha256: Sha256;
  chain_head: string;
  checkpoint: ComplianceCheckpoint | null;
  time_source: string;
  /** What was looked at: the last entry of the audit trail and the size of the log; null under rules 1 */
  as_of: ComplianceAsOf | null;
}

export interface ComplianceCertificateResponse {
  data: ComplianceCertificate;
}

export type ComplianceCheck = "single_authoritative_copy" | "tamper_evident_record" | "custodian" | "signatures_complete" | "consent_and_attribution" | "audit_trail" | "copies_and_retention" | "secured_party";

export interface ComplianceCheckResult {
  number: number;
  id: ComplianceCheck;
  requirement: string;
  legal_reference: string;
  /** The points that the check adds to the score if it is satisfied */
  weight: number;
  satisfied: boolean;
  /** What was found */
  detail: string;
  remedy: string | null;
  grade: ComplianceGrade | null;
  grade_reason: string | null;
}

export interface ComplianceCheckpoint {
  tree_size: number;
  root: Sha256;
  at: Timestamp;
  key_id: Sha256;
}

export interface ComplianceClause {
  /** The number of the clause */
  clause: string;
  /** What the service recorded that bears on the clause. No conclusion of law */
  fact: string;
  grade: ComplianceGrade;
  /** Why this grade */
  reason: string;
  /** The audit entries that the fact rests on */
  entries: number[];
}

/** proven: a third party can recompute it. attested: it rests on a statement of the depositor, or on this installation's own clock, lock or key alone. not_shown: the check is not satisfied. null for a certificate from before grades */
export type ComplianceGrade = "proven" | "attested" | "not_shown";

/** proven: all eight checks. attested: score 100, at least one check attested. not_passed: below 100. left, destroyed: what became of the copy. not_assessed: the latest certificate is from before grades */
export type ComplianceStanding = "proven" | "attested" | "not_passed" | "left" | "destroyed" | "not_assessed";

export interface ComplianceWarning {
  code: ComplianceWarningCode;
  message: string;
}

export type ComplianceWarningCode = "secured_party_incomplete" | "time_self_operated" | "seal_self_issued" | "lock_application_only" | "identity_asserted_by_partner" | "kba_weak_provider" | "low_resolution" | "signatures_removed_by_cleaning" | "tamper_detected" | "custodian_not_designated_by_secured_party" | "time_late" | "witness_conflict" | "log_not_public" | "controller_is_depositor" | "possible_duplicate" | "instrument_not_identified" | "release_not_witnessed" | "recovered_after_release" | "transferable_record_not_agreed";

export interface ConfirmDomainRequest {
  readonly token: string;
}

export interface ConfirmEmailChangeRequest {
  readonly token: string;
}

export interface ConfirmFormRequest {
  /** The part of the mailed link after `#c=` */
  readonly code: string;
}

export interface ConfirmPasswordResetRequest {
  readonly token: string;
  /** 12 to 128 characters */
  readonly password: string;
}

export interface ConfirmReadingRequest {
  /** Of the document as it was shown. If it has changed since, the answer is 409 */
  readonly state_sha256: Sha256;
}

export interface ConfirmedDomain {
  domain: string;
  org_name: string;
}

export interface ConfirmedDomainResponse {
  data: ConfirmedDomain;
}

export interface ConfirmedReading {
  status: "confirmed";
  acted_at: Timestamp;
  envelope_status: "sent" | "viewed" | "completed";
}

export interface ConfirmedReadingResponse {
  data: ConfirmedReading;
}

export interface ControlBatchItem {
  /** The place in the Merkle tree, from 0 */
  index: number;
  envelope_id: EnvelopeId;
  /** The name of the envelope when the batch was created */
  record_name: string;
  copy_sha256: Sha256;
  /** control_version when the batch was created; the record is skipped if it has changed by then */
  expected_version: number;
  present_party: ControlBatchParty | null;
  state: ControlBatchItemState;
  /** Why the record was skipped: a code of the list of errors, control_batch_cancelled or not_evaluated */
  code: string | null;
  /** Of re_evaluate and evidence */
  result: ControlBatchResult | null;
  settled_at: Timestamp | null;
}

export type ControlBatchItemState = "waiting" | "done" | "skipped";

export interface ControlBatchItems {
  items: ControlBatchItem[];
  /** How many records the act is about */
  total: number;
}

export interface ControlBatchItemsResponse {
  data: ControlBatchItems;
}

export interface ControlBatchParty {
  party_id: PartyId | null;
  name: string;
  identifier: string | null;
}

export interface ControlBatchResult {
  /** re_evaluate: of the new certificate */
  revision: number | null;
  score: number | null;
  standing: string | null;
  /** evidence: of the bundle that was made. The bundle itself is not kept */
  bundle_sha256: Sha256 | null;
  bundle_size: number | null;
  /** evidence: whether the verifier accepted the bundle */
  verified: boolean | null;
}

export interface CreateLinkTokenRequest {
  /** The part of the link after `#k=` */
  readonly secret?: string | undefined;
}

export type CustodyTransferStatus = "pending" | "accepted" | "rejected" | "cancelled" | "expired";

export interface CustomerCandidate {
  customer_id: string;
  name: string | null;
  client_id: string | null;
}

export type CustomerId = string;

export interface DecidePersonRequestRequest {
  readonly decision: ActDecision;
  readonly sha256: Sha256;
  readonly reason?: Reason | undefined;
  readonly assertion?: PasskeyAssertion | undefined;
  readonly code?: PersonCode | undefined;
}

export interface DeclineSigningRequest {
  readonly reason?: string | undefined;
}

export interface DeclinedSigning {
  envelope_id: EnvelopeId;
  status: "declined";
  declined_at: Timestamp;
}

export interface DeclinedSigningResponse {
  data: DeclinedSigning;
}

export type DetailCode = "email_code_required" | "required" | "invalid_type" | "invalid_format" | "invalid_value" | "too_small" | "too_big" | "too_long" | "duplicate" | "step_missing" | "unknown_role" | "unknown_field" | "does_not_fit" | "not_found" | "out_of_range" | "conflict" | "insufficient_scope" | "certification_required" | "certification_terms_outdated" | "voided" | "declined" | "expired" | "read_only" | "consent_required" | "agreement_required" | "document_not_rendered" | "identity_required" | "identity_expired" | "identity_unavailable" | "locked" | "not_your_turn" | "mailed_link_required" | "identity_level_too_low" | "adopt_first" | "stale" | "precondition_failed" | "custodian_of_copies" | "record_mismatch" | "not_vaulted" | "other_controller" | "exported" | "tampered" | "destroyed" | "unknown_browser" | "sign_in_to_join" | "invitation_for_other_address" | "address_not_verified" | "address_verified" | "account_exists" | "mail_not_set_up" | "malformed_request" | "duplicate_host" | "malformed_json" | "malformed_form" | "form_part_missing" | "form_json_malformed" | "file_twice" | "invalid_api_key" | "api_key_in_authorization" | "invalid_session" | "invalid_credentials" | "invalid_refresh_token" | "invalid_token" | "invalid_code" | "invalid_login_token" | "invalid_sso_code" | "invalid_passkey" | "scope_missing" | "admin_required" | "insufficient_permission" | "role_too_low" | "session_required" | "draft_of_another" | "origin_refused" | "not_your_task" | "token_not_renewable" | "download_not_granted" | "evidence_for_parties" | "transfer_of_your_own" | "recipient_must_acknowledge" | "export_key_for_recipient" | "same_principal" | "no_principal" | "not_asked" | "vault_not_pinned" | "transfer_to_another" | "reauthentication_required" | "enrollment_required" | "sso_required" | "address_not_allowed" | "not_provisioned" | "passkey_required" | "code_required" | "key_not_found" | "sandbox_not_found" | "member_not_found" | "invitation_not_found" | "envelope_not_found" | "recipient_not_found" | "document_not_found" | "signer_not_found" | "template_not_found" | "session_not_found" | "tag_not_found" | "problem_not_found" | "view_not_found" | "form_not_found" | "customer_not_found" | "message_not_found" | "party_not_found" | "person_not_found" | "act_not_found" | "batch_not_found" | "control_batch_not_found" | "audit_grant_not_found" | "pledge_not_found" | "link_not_found" | "page_not_found" | "audit_sink_not_found" | "endpoint_not_found" | "event_not_found" | "delivery_not_found" | "transfer_not_found" | "export_not_found" | "ending_not_found" | "hold_not_found" | "device_not_found" | "factor_not_found" | "domain_not_found" | "connection_not_found" | "sso_not_offered" | "passkey_not_found" | "remote_vault_not_found" | "remote_request_not_found" | "vault_transfer_not_found" | "method_not_allowed" | "act_closed" | "control_batch_closed" | "control_batch_unfinished" | "batch_wrong_state" | "batch_has_invalid_rows" | "batch_without_ready_rows" | "batch_without_rows_to_retry" | "batch_rows_erased" | "template_changed" | "control_changed" | "party_not_enrolled" | "confirmation_required" | "party_exists" | "last_approver" | "setup_done" | "key_deactivated" | "last_admin" | "already_member" | "invitation_ended" | "address_taken" | "password_missing" | "passkeys_missing" | "codes_unavailable" | "too_many_factors" | "sandbox_follows_live" | "too_many_sandboxes" | "sandbox_resetting" | "sandbox_full" | "managed_by_sso" | "domain_taken" | "domain_exists" | "domain_not_proven" | "domain_verified" | "too_many_domains" | "too_many_connections" | "member_without_factor" | "operator_only" | "factor_missing" | "passkey_known" | "too_many_passkeys" | "template_archived" | "template_without_document" | "template_without_counterpart" | "fields_changed" | "several_customers" | "client_id_taken" | "customer_audited" | "customer_too_large" | "customers_changed" | "customer_kept" | "tag_exists" | "too_many_tags" | "problem_handled" | "too_many_views" | "envelope_wrong_status" | "document_not_reusable" | "envelope_without_document" | "envelope_changed" | "signer_opened" | "form_closed" | "form_address_taken" | "recipient_without_mail" | "recipient_has_acted" | "last_signer" | "last_document" | "several_documents" | "maker_required" | "nobody_to_remind" | "reminded_already" | "message_closed" | "envelope_ended" | "already_signed" | "session_mismatch" | "challenge_over" | "signer_locked" | "mail_server_missing" | "mail_sender_missing" | "mail_sender_changed" | "registry_awaited" | "registration_required" | "agreement_not_needed" | "signing_stale" | "signer_signed" | "kba_not_required" | "paper_not_requested" | "document_not_ready" | "envelope_not_vaulted" | "copy_wrong_state" | "vault_already_pinned" | "vault_in_use" | "vault_transfer_pending" | "vault_transfer_closed" | "receipt_missing" | "receipt_on_record" | "lineage_is_live" | "copy_on_hold" | "transfer_pending" | "transfer_closed" | "custody_changed" | "receiver_gone" | "export_closed" | "export_receipt_used" | "not_downloaded" | "ending_closed" | "ending_not_done" | "paper_downloaded" | "retention_not_over" | "object_lock_not_over" | "record_pledged" | "export_key_erased" | "retention_shorter" | "bytes_not_recorded" | "document_already_vaulted" | "use_vault_in_signed" | "nothing_to_review" | "secured_party_on_record" | "assignee_changed" | "secured_party_missing" | "too_many_audit_sinks" | "too_many_endpoints" | "endpoint_disabled" | "endpoint_deleted" | "audit_position_unknown" | "idempotency_in_progress" | "idempotency_secret" | "request_timeout" | "headers_too_large" | "body_too_large" | "bulk_file_too_large" | "file_too_large" | "wrong_form_type" | "wrong_media_type" | "not_a_pdf" | "not_a_document" | "not_evidence" | "wrong_host" | "control_batch_refused" | "invalid_request" | "search_too_broad" | "page_too_deep" | "export_too_large" | "message_malformed" | "message_not_signed" | "message_not_for_this_vault" | "release_not_for_this_vault" | "release_not_proven" | "message_contradicts" | "batch_asks_vault" | "message_out_of_order" | "document_blank" | "upload_is_a_copy" | "pdf_unreadable" | "pdf_encrypted" | "pdf_restricted" | "pdf_too_complex" | "pdf_content_lost" | "pdf_dynamic_xfa" | "pdf_not_drawable" | "image_unreadable" | "image_too_large" | "tags_invalid" | "envelope_too_large" | "provider_cannot" | "unknown_roles" | "anchor_not_found" | "occurrence_out_of_range" | "area_outside_page" | "page_out_of_range" | "idempotency_mismatch" | "would_lock_out" | "invalid_link" | "rate_limited" | "internal" | "template_not_saved" | "provider_rejected" | "provider_unreachable" | "template_pdf_unavailable" | "document_unavailable" | "identity_provider_away" | "name_servers_away" | "provider_not_configured" | "pdf_busy" | "passwords_busy" | "disk_full" | "storage_away" | "key_service_away" | "database_away" | "not_ready";

export interface Done {
  done: true;
}

export interface DoneResponse {
  data: Done;
}

export interface DrawnMark {
  kind: "drawn";
  w: number;
  h: number;
  strokes: number[][][];
}

export interface DrawnMarkInput {
  readonly kind: "drawn";
  readonly w: number;
  readonly h: number;
  readonly strokes: readonly (readonly (readonly number[])[])[];
}

export type Email = string;

export interface EmailChanged {
  /** The address of the account from now on */
  email: Email;
}

export interface EmailChangedResponse {
  data: EmailChanged;
}

export type EnvelopeId = string;

export type EnvelopeStatus = "pending" | "uploaded" | "preparing" | "sent" | "viewed" | "completed" | "vaulted" | "declined" | "voided" | "expired";

export interface Error {
  /** Human-readable message */
  error: string;
  details?: ErrorDetail[];
  /** Only if several customers share an e-mail address: these customers, oldest first */
  candidates?: CustomerCandidate[];
}

/** The same code as in the header X-Error-Code */
export type ErrorCode = "malformed_request" | "duplicate_host" | "malformed_json" | "malformed_form" | "form_part_missing" | "form_json_malformed" | "file_twice" | "invalid_api_key" | "api_key_in_authorization" | "invalid_session" | "invalid_credentials" | "invalid_refresh_token" | "invalid_token" | "invalid_code" | "invalid_login_token" | "invalid_sso_code" | "invalid_passkey" | "scope_missing" | "admin_required" | "insufficient_permission" | "role_too_low" | "session_required" | "draft_of_another" | "origin_refused" | "read_only" | "not_your_task" | "token_not_renewable" | "download_not_granted" | "evidence_for_parties" | "transfer_of_your_own" | "recipient_must_acknowledge" | "export_key_for_recipient" | "same_principal" | "no_principal" | "not_asked" | "vault_not_pinned" | "transfer_to_another" | "reauthentication_required" | "enrollment_required" | "sso_required" | "address_not_allowed" | "not_provisioned" | "email_code_required" | "passkey_required" | "code_required" | "not_found" | "key_not_found" | "sandbox_not_found" | "member_not_found" | "invitation_not_found" | "envelope_not_found" | "recipient_not_found" | "document_not_found" | "signer_not_found" | "template_not_found" | "session_not_found" | "tag_not_found" | "problem_not_found" | "view_not_found" | "form_not_found" | "customer_not_found" | "message_not_found" | "party_not_found" | "person_not_found" | "act_not_found" | "batch_not_found" | "control_batch_not_found" | "audit_grant_not_found" | "pledge_not_found" | "link_not_found" | "page_not_found" | "audit_sink_not_found" | "endpoint_not_found" | "event_not_found" | "delivery_not_found" | "transfer_not_found" | "export_not_found" | "ending_not_found" | "hold_not_found" | "device_not_found" | "factor_not_found" | "domain_not_found" | "connection_not_found" | "sso_not_offered" | "passkey_not_found" | "remote_vault_not_found" | "remote_request_not_found" | "vault_transfer_not_found" | "method_not_allowed" | "act_closed" | "control_batch_closed" | "control_batch_unfinished" | "batch_wrong_state" | "batch_has_invalid_rows" | "batch_without_ready_rows" | "batch_without_rows_to_retry" | "batch_rows_erased" | "template_changed" | "control_changed" | "party_not_enrolled" | "confirmation_required" | "party_exists" | "last_approver" | "setup_done" | "key_deactivated" | "last_admin" | "custodian_of_copies" | "already_member" | "invitation_ended" | "sign_in_to_join" | "invitation_for_other_address" | "address_not_verified" | "address_verified" | "account_exists" | "mail_not_set_up" | "address_taken" | "password_missing" | "passkeys_missing" | "codes_unavailable" | "too_many_factors" | "sandbox_follows_live" | "too_many_sandboxes" | "sandbox_resetting" | "sandbox_full" | "managed_by_sso" | "domain_taken" | "domain_exists" | "domain_not_proven" | "domain_verified" | "too_many_domains" | "too_many_connections" | "member_without_factor" | "operator_only" | "factor_missing" | "passkey_known" | "too_many_passkeys" | "template_archived" | "template_without_document" | "template_without_counterpart" | "fields_changed" | "several_customers" | "client_id_taken" | "customer_audited" | "customer_too_large" | "customers_changed" | "customer_kept" | "tag_exists" | "too_many_tags" | "problem_handled" | "too_many_views" | "envelope_wrong_status" | "document_not_reusable" | "envelope_without_document" | "envelope_changed" | "signer_opened" | "form_closed" | "form_address_taken" | "recipient_without_mail" | "recipient_has_acted" | "last_signer" | "last_document" | "several_documents" | "maker_required" | "nobody_to_remind" | "reminded_already" | "message_closed" | "envelope_ended" | "already_signed" | "mailed_link_required" | "session_mismatch" | "not_your_turn" | "identity_required" | "identity_expired" | "identity_unavailable" | "challenge_over" | "signer_locked" | "document_not_rendered" | "consent_required" | "mail_server_missing" | "mail_sender_missing" | "mail_sender_changed" | "registry_awaited" | "registration_required" | "agreement_required" | "agreement_not_needed" | "signing_stale" | "signer_signed" | "kba_not_required" | "record_mismatch" | "paper_not_requested" | "document_not_ready" | "envelope_not_vaulted" | "copy_wrong_state" | "vault_already_pinned" | "vault_in_use" | "vault_transfer_pending" | "vault_transfer_closed" | "receipt_missing" | "receipt_on_record" | "lineage_is_live" | "copy_on_hold" | "transfer_pending" | "transfer_closed" | "custody_changed" | "receiver_gone" | "export_closed" | "export_receipt_used" | "not_downloaded" | "ending_closed" | "ending_not_done" | "paper_downloaded" | "retention_not_over" | "object_lock_not_over" | "record_pledged" | "export_key_erased" | "retention_shorter" | "bytes_not_recorded" | "document_already_vaulted" | "use_vault_in_signed" | "nothing_to_review" | "secured_party_on_record" | "assignee_changed" | "secured_party_missing" | "too_many_audit_sinks" | "too_many_endpoints" | "endpoint_disabled" | "endpoint_deleted" | "audit_position_unknown" | "idempotency_in_progress" | "idempotency_secret" | "precondition_failed" | "request_timeout" | "headers_too_large" | "body_too_large" | "bulk_file_too_large" | "file_too_large" | "wrong_form_type" | "wrong_media_type" | "not_a_pdf" | "not_a_document" | "not_evidence" | "wrong_host" | "control_batch_refused" | "invalid_request" | "search_too_broad" | "page_too_deep" | "export_too_large" | "message_malformed" | "message_not_signed" | "message_not_for_this_vault" | "release_not_for_this_vault" | "release_not_proven" | "message_contradicts" | "batch_asks_vault" | "message_out_of_order" | "document_blank" | "upload_is_a_copy" | "pdf_unreadable" | "pdf_encrypted" | "pdf_restricted" | "pdf_too_complex" | "pdf_content_lost" | "pdf_dynamic_xfa" | "pdf_not_drawable" | "image_unreadable" | "image_too_large" | "tags_invalid" | "envelope_too_large" | "provider_cannot" | "unknown_roles" | "certification_required" | "certification_terms_outdated" | "anchor_not_found" | "occurrence_out_of_range" | "area_outside_page" | "page_out_of_range" | "idempotency_mismatch" | "would_lock_out" | "invalid_link" | "rate_limited" | "internal" | "template_not_saved" | "provider_rejected" | "provider_unreachable" | "template_pdf_unavailable" | "document_unavailable" | "identity_provider_away" | "name_servers_away" | "provider_not_configured" | "pdf_busy" | "passwords_busy" | "disk_full" | "storage_away" | "key_service_away" | "database_away" | "not_ready";

export interface ErrorDetail {
  location: "body" | "form" | "query" | "path" | "header" | "request";
  field: string | null;
  code: DetailCode;
  message: string;
  /** Only with `sso_required`: the connection for POST /auth/sso/start */
  connection_id?: string;
}

/** What a field has beyond its type. Each type has its own settings; others are refused with 422 */
export interface FieldSettings {
  /** The sender fills in the field before sending, and it is locked for the signer. Not for signatures, initials and labels */
  sender_fills?: boolean;
  /** text: whether it can have several lines. Without it a text with settings has one line, and a text without any settings as many as fit its area */
  multiline?: boolean;
  /** text: the largest number of characters, 1 to 2000. Not together with `mask` */
  max_length?: number;
  /** text: `email`; `phone`, which is `+` and 6 to 15 digits (spaces and hyphens are removed); `digits`; or `letters`, which are letters, spaces, hyphens and apostrophes of any script */
  format?: string;
  /** text: its form, such as `99-AA-9999`: `9` is a digit, `A` a letter of any script, `*` either; everything else stands as it is. At most 100 characters */
  mask?: string;
  /** date: `signing_day` fills in the day of signing, in the signer's time zone, otherwise in UTC. No other setting beside it */
  fill?: string;
  /** date: the first day allowed, YYYY-MM-DD */
  earliest?: string;
  /** date: the last day allowed, YYYY-MM-DD */
  latest?: string;
  /** number: the smallest value, as text such as "0.5". checkbox, on the first field of a group: how many boxes must be ticked, as text such as "1" */
  min?: string;
  /** number: the largest value, as text. checkbox, on the first field of a group: how many boxes can be ticked, as text */
  max?: string;
  /** number: digits after the decimal point, 0 to 6; zeros are added */
  places?: number;
  /** number: written after the value, at most 20 characters */
  unit?: string;
  /** checkbox: the name of its group among the fields of its role, at most 50 characters */
  group?: string;
}

export type FieldType = "signature" | "initials" | "text" | "date" | "number" | "checkbox" | "select" | "radio" | "label";

export interface FinishSsoRequest {
  readonly code: string;
  /** `token`: the refresh token is in the response, for programs. `cookie` (the default): it is set as a cookie that scripts cannot read */
  readonly mode?: SessionMode | undefined;
}

export interface FormCopy {
  /** Opens the visitor's signing page */
  embed_url: string;
}

export interface FormCopyResponse {
  data: FormCopy;
}

export interface GiveSigningConsentRequest {
  /** false withdraws the consent; the other fields are ignored then */
  readonly accepted: boolean;
  readonly disclosure_version?: string | undefined;
  readonly disclosure_sha256?: Sha256 | undefined;
  readonly rendered_pages?: readonly number[] | undefined;
}

export interface IdentityAnswer {
  readonly id: number;
  readonly value: string;
}

export interface IdentityChallenge {
  challenge_id: string;
  expires_at: Timestamp;
  questions: IdentityChallengeQuestion[];
  attempts_left: number;
}

export interface IdentityChallengeQuestion {
  id: number;
  text: string;
}

export interface IdentityChallengeResponse {
  data: IdentityChallenge;
}

export type IdentityMethod = "email_code" | "access_code" | "kba";

export interface InvitationPreview {
  org_name: string;
  email: string;
  role: Role;
}

export interface InvitationPreviewResponse {
  data: InvitationPreview;
}

export interface JoinedOrganization {
  user: User;
  org: OrganizationReference;
  role: Role;
}

export interface JoinedOrganizationResponse {
  data: JoinedOrganization;
}

export interface KnowBrowserRequest {
  readonly token: string;
}

export type Label = string;

export interface LinkToken {
  envelope_id: EnvelopeId;
  token: string;
  expires_at: Timestamp;
}

export interface LinkTokenResponse {
  data: LinkToken;
}

export interface ListPersonExportsResponse {
  data: PersonExport[];
}

export interface ListPersonPapersResponse {
  data: PersonPaper[];
}

export interface ListPersonRecordsResponse {
  data: PersonRecord[];
}

export interface ListPersonRequestsResponse {
  data: PersonRequest[];
}

export type Locale = "en" | "es" | "fr" | "de";

export type Mark = DrawnMark | TypedMark | UploadedMark;

export type MarkFont = "dancing-script" | "caveat" | "great-vibes" | "plain";

export type MarkInput = DrawnMarkInput | TypedMarkInput | UploadedMarkInput;

export interface Meta {
  page: number;
  limit: number;
  total: number;
  /** true: counting stopped at `total`. There are more, but no pages after it */
  total_capped?: boolean;
}

export type Name = string;

export interface OpenedSigning {
  envelope: OpenedSigningEnvelope;
  you: OpenedSigningReader;
  /** What the person of this token has to do; null if the address is no recipient's */
  recipient: OpenedSigningRecipient | null;
  state: SigningState;
  signers: SigningTurns;
  identity: SigningIdentity;
  consent: SigningDisclosure | null;
  /** For a maker of a transferable record: the text to accept before signing */
  agreement: SigningAgreement | null;
  intent: SigningText | null;
  document: OpenedSigningDocument | null;
  documents: SigningDocumentPart[] | null;
  fields: SigningField[] | null;
  others: SigningFieldOfOthers[] | null;
  marks: SigningMark[] | null;
  signature: Mark | null;
  initials: Mark | null;
  progress: SigningProgress | null;
  revision: number | null;
  copy: OpenedSigningCopy;
  default_locale: Locale;
  /** The organization's branding, as PATCH /org/settings sets it */
  branding: { [name: string]: unknown };
  token_expires_at: Timestamp;
  /** true: this page can renew its token itself (POST …/token), because a public form made it */
  token_renewable: boolean;
  server_time: Timestamp;
}

export interface OpenedSigningCopy {
  ready: boolean;
}

export interface OpenedSigningDocument {
  prepared_sha256: Sha256;
  state_sha256: Sha256;
  page_count: number;
  pages: ShownPage[];
  /** Whether numbers and dates are written into the document in the language of the person who entered them, or as they are stored, as for envelopes sent by an earlier version */
  prints_by_language: boolean;
}

export interface OpenedSigningEnvelope {
  envelope_id: EnvelopeId;
  name: string;
  status: "sent" | "viewed" | "completed" | "vaulted";
  expires_at: Timestamp | null;
  sender: string;
  message: string | null;
  /** What the visitor of a public form reads after signing */
  success_text: string | null;
}

export interface OpenedSigningReader {
  name: string | null;
  email: string;
  role: string | null;
  status: RecipientStatus | null;
  /** `sign` for signers only */
  mode: "sign" | "view";
  signed_at: Timestamp | null;
  paper_requested_at: Timestamp | null;
}

export interface OpenedSigningRecipient {
  kind: RecipientKind;
  /** People of the same step act at the same time; null for a cc who only gets the result */
  step: number | null;
  delivery: RecipientDelivery;
}

export interface OpenedSigningResponse {
  data: OpenedSigning;
}

export interface OpenedVault {
  envelope: OpenedVaultEnvelope;
  you: OpenedVaultReader;
  copy: OpenedVaultCopy;
  document: OpenedVaultDocument;
  /** null once the copy has left the vault */
  custodian: OpenedVaultCustodian | null;
  /** Newest first */
  custody: OpenedVaultCustodyStep[];
  secured_party: SecuredParty | null;
  /** Newest first */
  assignments: OpenedVaultAssignee[];
  certificate: OpenedVaultCertificate;
  checks: ComplianceCheckResult[];
  warnings: ComplianceWarning[];
  time_source: "external" | "self_operated";
  default_locale: Locale;
  /** The organization's branding, as PATCH /org/settings sets it */
  branding: { [name: string]: unknown };
  token_expires_at: Timestamp;
  server_time: Timestamp;
}

export interface OpenedVaultAssignee {
  seq: number;
  name: string;
  status: AssignmentStatus;
  /** Whether the previous party consented; false for the first party */
  with_consent: boolean;
  recorded_at: Timestamp;
}

export interface OpenedVaultCertificate {
  revision: number;
  score: number;
  passed: boolean;
  /** The rules of the evaluation; those of rules 1 have no grades */
  rules: number;
  proven_score: number | null;
  standing: ComplianceStanding;
  evaluated_at: Timestamp;
}

export interface OpenedVaultCopy {
  copy_id: AuthoritativeCopyId;
  state: VaultCopyState;
  state_since: Timestamp | null;
  /** As in the event vault.stored; null if the copy was stored automatically after signing */
  source: VaultDepositSource | null;
  /** true: signed through this service. false: deposited as a file that was signed elsewhere */
  signed_here: boolean;
  sha256: Sha256;
  size: number;
  stored_at: Timestamp;
  verified_at: Timestamp | null;
  retention_until: Timestamp;
  legal_hold: boolean;
}

export interface OpenedVaultCustodian {
  name: string;
  since: Timestamp;
}

export interface OpenedVaultCustodyStep {
  from: string | null;
  to: string;
  status: CustodyTransferStatus;
  initiated_at: Timestamp;
  since: Timestamp | null;
  until: Timestamp | null;
}

export interface OpenedVaultDocument {
  page_count: number;
  pages: ShownPage[];
}

export interface OpenedVaultEnvelope {
  envelope_id: EnvelopeId;
  name: string;
  status: EnvelopeStatus;
  /** The organization */
  sender: string;
}

export interface OpenedVaultReader {
  email: string;
  may_have_evidence: boolean;
}

export interface OpenedVaultResponse {
  data: OpenedVault;
}

export type OrgId = string;

export interface OrganizationReference {
  org_id: OrgId;
  name: string;
}

/** A whole number from 1 */
export type PageNumber = string;

export interface PageText {
  page: number;
  /** In reading order */
  blocks: string[];
  /** For each block: where it begins on the page, from 0 at the top to 1 at the bottom, and whether it is a heading */
  places: PageTextPlace[];
  /** Whether the page has a text layer */
  has_text: boolean;
}

export interface PageTextPlace {
  top: number;
  is_heading: boolean;
}

export interface PageTextResponse {
  data: PageText;
}

export type PartyId = string;

export interface Passkey {
  passkey_id: PasskeyId;
  credential_id: string;
  name: string;
  algorithm: "ES256" | "EdDSA" | "RS256";
  /** When it was made: synchronized between devices, or otherwise backed up */
  backed_up: boolean;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
}

export interface PasskeyAlgorithm {
  type: "public-key";
  alg: number;
}

export interface PasskeyAssertion {
  readonly id: Base64Url;
  readonly rawId: Base64Url;
  readonly type: "public-key";
  readonly authenticatorAttachment?: string | null | undefined;
  readonly clientExtensionResults?: unknown | undefined;
  readonly response: PasskeyAssertionResponse;
}

export interface PasskeyAssertionOptions {
  challenge: string;
  rpId: string;
  userVerification: "required";
  timeout: number;
}

export interface PasskeyAssertionOptionsResponse {
  data: PasskeyAssertionOptions;
}

export interface PasskeyAssertionResponse {
  readonly clientDataJSON: Base64Url;
  readonly authenticatorData: Base64Url;
  readonly signature: Base64Url;
  readonly userHandle?: Base64Url | null | undefined;
}

export interface PasskeyDescriptor {
  type: "public-key";
  id: string;
}

export type PasskeyId = string;

export interface PasskeyRegistration {
  readonly id: Base64Url;
  readonly rawId: Base64Url;
  readonly type: "public-key";
  readonly authenticatorAttachment?: string | null | undefined;
  readonly clientExtensionResults?: unknown | undefined;
  readonly response: PasskeyRegistrationResponse;
}

export interface PasskeyRegistrationOptions {
  challenge: string;
  rp: PasskeySite;
  user: PasskeyUser;
  pubKeyCredParams: PasskeyAlgorithm[];
  excludeCredentials: PasskeyDescriptor[];
  authenticatorSelection: PasskeySelection;
  attestation: "none";
  timeout: number;
}

export interface PasskeyRegistrationOptionsResponse {
  data: PasskeyRegistrationOptions;
}

export interface PasskeyRegistrationResponse {
  readonly clientDataJSON: Base64Url;
  readonly attestationObject: Base64Url;
  readonly transports?: readonly string[] | undefined;
  readonly authenticatorData?: Base64Url | undefined;
  readonly publicKey?: Base64Url | null | undefined;
  readonly publicKeyAlgorithm?: number | undefined;
}

export interface PasskeySelection {
  residentKey: "required";
  requireResidentKey: true;
  userVerification: "required";
}

export interface PasskeySite {
  id: string;
  name: string;
}

export interface PasskeyUser {
  id: string;
  name: string;
  displayName: string;
}

export interface Passkeys {
  email: string;
  passkeys: Passkey[];
}

export interface PasskeysResponse {
  data: Passkeys;
}

export type Permission = "envelopes:read" | "envelopes:write" | "drafts:write" | "esign:write" | "customers:read" | "customers:write" | "vault:read" | "vault:write" | "vault:release" | "compliance:read" | "custody:write" | "control:write" | "control:approve" | "parties:write" | "webhooks:read" | "webhooks:write" | "audit:read" | "members:manage" | "keys:manage" | "settings:manage" | "security:manage" | "mail:manage" | "audit:export";

export type PersonCode = string;

export interface PersonDone {
  done: true;
}

export interface PersonDoneResponse {
  data: PersonDone;
}

export interface PersonExport {
  export_id: VaultExportId;
  envelope_id: EnvelopeId;
  copy_id: AuthoritativeCopyId;
  envelope_name: string;
  /** Who hands the original over */
  org_name: string;
  recipient_name: string;
  status: VaultExportStatus;
  reason: string;
  /** SHA-256 of the authoritative copy */
  sha256: Sha256;
  package_sha256: Sha256;
  /** Bytes */
  package_size: number;
  created_at: Timestamp;
  expires_at: Timestamp;
  downloaded_at: Timestamp | null;
  closed_at: Timestamp | null;
  receipt: VaultExportReceipt | null;
}

export interface PersonExportResponse {
  data: PersonExport;
}

export interface PersonPaper {
  ending_id: RecordEndingId;
  status: RecordEndingStatus;
  envelope_id: EnvelopeId;
  envelope_name: string;
  org_name: string;
  reason: string;
  /** SHA-256 of the electronic original */
  sha256: Sha256;
  /** Of the PDF for printing; null until it is made */
  pdf_sha256: Sha256 | null;
  /** When the electronic record ended */
  begun_at: Timestamp;
  downloaded_at: Timestamp | null;
  done_at: Timestamp | null;
  has_certificate: boolean;
}

export interface PersonPaperResponse {
  data: PersonPaper;
}

export interface PersonRecord {
  envelope_id: EnvelopeId;
  envelope_name: string;
  org_name: string;
  party_id: PartyId;
  party_name: string;
  held_as: "controller" | "pledgee" | "participant" | "audit";
  state: VaultCopyState;
  sha256: Sha256;
  stored_at: Timestamp;
  standing: ComplianceStanding | null;
}

export interface PersonRequest {
  /** One line that says what is decided */
  summary: string;
  /** The parties of the act for which you decide */
  parties: PersonRequestParty[];
  act: Act;
}

export interface PersonRequestParty {
  party_id: PartyId;
  /** As the act names it */
  name: string;
}

export interface PersonRequestResponse {
  data: PersonRequest;
}

export interface PersonSession {
  token: string;
  expires_at: Timestamp;
}

export interface PersonSessionResponse {
  data: PersonSession;
}

export interface PreviewInvitationRequest {
  readonly token: string;
}

export type Reason = string;

/** With `link`, the service sends this person no mail: hand over a link or embed the page */
export type RecipientDelivery = "email" | "link";

/** A signer signs, an approver approves or rejects, a viewer confirms that they have read it, a cc gets a copy */
export type RecipientKind = "signer" | "approver" | "viewer" | "cc";

export type RecipientStatus = "pending" | "viewed" | "signed" | "declined" | "locked" | "cancelled" | "approved" | "confirmed" | "delivered";

export type RecordEndingId = string;

/** begun: the paper is not printed yet, or the files are not removed yet. cancelled: the record returned to the vault */
export type RecordEndingStatus = "begun" | "done" | "cancelled";

export interface ReportLogInRequest {
  readonly token: string;
}

export interface RequestBrowserLinkRequest {
  readonly email: Email;
}

export interface RequestPasswordResetRequest {
  readonly email: Email;
}

export interface RequestPersonCodeRequest {
  readonly email: Email;
  /** The act that the code is for */
  readonly act_id?: string | undefined;
}

export type Role = "admin" | "member" | "viewer" | "custodian" | "security_admin" | "auditor";

export interface SaveSigningFieldsRequest {
  /** The latest revision that the page has seen. The last write to a field wins */
  readonly revision?: number | undefined;
  readonly values?: readonly SigningFieldValue[] | undefined;
  readonly adopt?: SigningAdoption | undefined;
}

export interface SavedSigningFields {
  revision: number;
  progress: SigningProgress;
  /** Values that cannot be signed as they are */
  errors: SigningFieldError[];
}

export interface SavedSigningFieldsResponse {
  data: SavedSigningFields;
}

export interface SecuredParty {
  name: string;
  role?: string;
  address?: string;
  email?: Email;
  /** For example a registration number */
  identifier?: string;
}

export interface SendNewLinkResponse {
  data: { [name: string]: unknown };
}

export type SessionMode = "cookie" | "token";

export interface SessionTokens {
  status: "signed_in";
  /** For the header Authorization: Bearer */
  token: string;
  /** When the token expires; get the next one with POST /auth/refresh */
  expires_at: Timestamp;
  /** Only in the mode `token` */
  refresh_token?: string;
  user: User;
  org: OrganizationReference;
  role: Role;
  /** What the role allows in this organization */
  permissions: Permission[];
  /** Only if the session began with single sign-on: its connection. Such a session stays in its organization and cannot change the account */
  sso_connection_id?: SsoConnectionId;
  /** Only in a sandbox */
  mode?: "test";
  /** The organization requires a second factor and the user has none. Until they have added one, only /auth/ works */
  limited?: "enroll";
}

export interface SessionTokensResponse {
  data: SessionTokens;
}

export interface SetUpRequest {
  readonly token: string;
  readonly org_name: Name;
  readonly name: Name;
  readonly email: Email;
  /** 12 to 128 characters */
  readonly password: string;
  /** `token`: the refresh token is in the response, for programs. `cookie` (the default): it is set as a cookie that scripts cannot read */
  readonly mode?: SessionMode | undefined;
}

export type Sha256 = string;

export interface ShownPage {
  n: number;
  w: number;
  h: number;
}

export interface SigningAdoption {
  readonly signature?: MarkInput | undefined;
  readonly initials?: MarkInput | undefined;
}

export interface SigningAgreement {
  accepted_at: Timestamp | null;
  text: SigningText;
}

export interface SigningArea {
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface SigningChanges {
  envelope_status: "sent" | "viewed" | "completed" | "vaulted" | "voided" | "declined" | "expired";
  /** Why the sender withdrew the document; null for every other status */
  reason: string | null;
  /** Null for a person who is no recipient */
  your_status: RecipientStatus | null;
  /** How many signers have signed */
  signed: number;
}

export interface SigningChangesResponse {
  data: SigningChanges;
}

export interface SigningConsent {
  accepted: boolean;
  accepted_at: Timestamp | null;
}

export interface SigningConsentResponse {
  data: SigningConsent;
}

export interface SigningDisclosure {
  accepted_at: Timestamp | null;
  disclosure: SigningText;
}

export interface SigningDocumentPart {
  name: string;
  /** Counted from 1, through all documents */
  first_page: number;
  pages: number;
}

export interface SigningField {
  field_id: SigningFieldId;
  name: string;
  type: FieldType;
  required: boolean;
  readonly: boolean;
  options: string[] | null;
  /** As the sender set them. Every checkbox of a group has the `min` and `max` of its group */
  settings: FieldSettings;
  areas: SigningArea[];
  /** The number of the document that it is on. Pages count through all documents */
  document: number;
  /** As it is stored. A field that the sender locked has it as it is written into the document. Null for a day that is filled in at signing */
  value: string | boolean | null;
  error: SigningFieldProblem | null;
}

export interface SigningFieldError {
  field_id: SigningFieldId;
  code: string;
  message: string;
}

export type SigningFieldId = string;

export interface SigningFieldOfOthers {
  /** The name of the field */
  label: string;
  type: FieldType;
  areas: SigningArea[];
  options: string[] | null;
  /** As it is written into the document */
  value: string | boolean | null;
  mark_sha256: Sha256 | null;
  name: string | null;
}

export interface SigningFieldProblem {
  code: "required" | "invalid_value" | "does_not_fit";
  message: string;
}

export interface SigningFieldValue {
  readonly field_id: string;
  /** For a signature or initials, true applies the adopted mark */
  readonly value: string | number | boolean | null;
}

export interface SigningIdentity {
  /** Of the first step that is not passed. The other two members are of this step too */
  state: SigningIdentityState;
  valid_until: Timestamp | null;
  attempts_left: number | null;
  /** Of what is passed now. The levels are ours, not those of eIDAS */
  level: number;
  /** What must be passed, in this order */
  steps: SigningIdentityStep[];
}

export interface SigningIdentityResponse {
  data: SigningIdentity;
}

export type SigningIdentityState = "not_required" | "unavailable" | "required" | "passed" | "expired" | "locked";

export interface SigningIdentityStep {
  method: IdentityMethod;
  state: "unavailable" | "required" | "passed" | "expired" | "locked";
  attempts_left: number | null;
  valid_until: Timestamp | null;
  /** Where a code is sent, shortened */
  hint: string | null;
}

export interface SigningIdentityStepResponse {
  data: SigningIdentityStep;
}

export interface SigningIntent {
  readonly version: string;
  readonly locale: string;
  readonly sha256: Sha256;
}

export interface SigningLinkSent {
  /** The signer's address on record, to which the link is mailed */
  sent_to: string;
}

export interface SigningLinkSentResponse {
  data: SigningLinkSent;
}

export interface SigningMark {
  sha256: Sha256;
  mark: Mark | null;
}

export interface SigningPaper {
  requested_at: Timestamp;
}

export interface SigningPaperResponse {
  data: SigningPaper;
}

export interface SigningProgress {
  done: number;
  total: number;
}

export type SigningState = "ready" | "signed" | "approved" | "confirmed" | "read_only" | "waiting" | "mailed_link_required" | "locked" | "identity_unavailable";

export interface SigningText {
  version: string;
  locale: Locale;
  sha256: Sha256;
  text: string;
}

/** `before_you`: how many people of earlier steps have not acted yet */
export interface SigningTurns {
  signed: number;
  total: number;
  before_you: number;
}

export type Slug = string;

export interface SsoChecked {
  status: SsoCheckedStatus;
  confirmed_until?: Timestamp;
  /** Of a test: the person's identifier at the provider */
  subject?: string;
  email?: string;
  /** Of a test: the role that the rules give; null if roles are given by hand */
  role?: Role | null;
}

export interface SsoCheckedResponse {
  data: SsoChecked;
}

export type SsoCheckedStatus = "confirmed" | "tested";

export type SsoConnectionId = string;

export interface SsoStart {
  /** Where to send the browser */
  redirect_url: string;
  expires_at: Timestamp;
}

export interface SsoStartResponse {
  data: SsoStart;
}

export interface StartFormAlternativeResponse {
  data: { [name: string]: unknown };
}

export interface StartFormRequest {
  readonly name: Name;
  readonly email: Email;
  /** The language of the e-mail and of the signing page. Default: the organization's */
  readonly locale?: Locale | undefined;
  /** Must be empty. People do not see this field */
  readonly website?: string | undefined;
}

export interface StartPasskeySessionRequest {
  readonly credential: PasskeyAssertion;
}

export interface StartPersonSessionRequest {
  readonly email: Email;
  readonly code: PersonCode;
}

export interface StartSsoRequest {
  readonly email?: Email | undefined;
  readonly connection_id?: SsoConnectionId | undefined;
  readonly purpose?: "login" | "confirm" | undefined;
}

export interface StartedIdentityStep {
  challenge_id: string;
  expires_at: Timestamp;
  /** Where the code was sent, shortened; null if none is sent */
  sent_to: string | null;
  /** When another code can be requested; null if none is sent */
  resend_after: Timestamp | null;
}

export interface StartedIdentityStepResponse {
  data: StartedIdentityStep;
}

/** ISO 8601, UTC, milliseconds */
export type Timestamp = string;

export interface TypedMark {
  kind: "typed";
  text: string;
  font: string;
}

export interface TypedMarkInput {
  readonly kind: "typed";
  readonly text: string;
  readonly font: MarkFont;
}

export interface UndoEmailChangeRequest {
  readonly token: string;
}

export interface UploadedMark {
  kind: "uploaded";
  png: string;
}

export interface UploadedMarkInput {
  readonly kind: "uploaded";
  /** At most 512 KB */
  readonly png: string;
}

export interface UseFactorResetRequest {
  readonly token: string;
  /** 12 to 128 characters */
  readonly password: string;
}

export interface User {
  user_id: UserId;
  email: string;
  name: string;
}

export type UserId = string;

export interface VaultAccess {
  seq: number;
  at: Timestamp;
  kind: "key" | "user" | "system" | "signer" | "recipient" | "viewer" | "person" | "vault";
  who: string | null;
  what: string | null;
  ip: string | null;
}

export interface VaultAccessListResponse {
  data: VaultAccess[];
  meta: Meta;
}

export type VaultCopyState = "active" | "escrowed" | "exported" | "tampered" | "destroying" | "destroyed" | "transferred" | "papering" | "papered";

export type VaultDepositSource = "paper_upload" | "electronic_signed";

export interface VaultExportAcknowledged {
  export_id: VaultExportId;
  envelope_id: EnvelopeId;
  status: VaultExportStatus;
  /** Decrypts the package (AES-256-GCM). Repeating the request returns it again for 24 hours */
  key: string;
  receipt: VaultExportReceipt;
}

export interface VaultExportAcknowledgedResponse {
  data: VaultExportAcknowledged;
}

export interface VaultExportChainHead {
  seq: number;
  hash: Sha256;
  at: Timestamp;
}

export type VaultExportId = string;

export interface VaultExportReceipt {
  document: VaultExportReceiptDocument;
  /** Ed25519 over the canonical JSON (RFC 8785) of `document` */
  signature: string;
}

export interface VaultExportReceiptDocument {
  type: "countersign/export-receipt/1";
  org_id: OrgId;
  envelope_id: EnvelopeId;
  export_id: VaultExportId;
  copy_id: AuthoritativeCopyId;
  /** SHA-256 of the authoritative copy */
  sha256: Sha256;
  package_sha256: Sha256;
  recipient: VaultExportRecipient;
  acknowledged_at: Timestamp;
  /** The last entry of the envelope's audit trail at the time of the export */
  chain_head: VaultExportChainHead;
  /** The key of this installation that signed the receipt */
  key_id: string;
}

export interface VaultExportRecipient {
  name: Name;
  email: Email;
}

export type VaultExportStatus = "escrowed" | "acknowledged" | "cancelled" | "expired";

export interface VaultKnownFile {
  kind: "authoritative" | "certificate" | "copy" | "signed";
  copy_id: string | null;
  revision: number | null;
  at: Timestamp;
}

export interface VaultVerification {
  checked_at: Timestamp;
  recorded_sha256: Sha256;
  found_sha256: Sha256 | null;
  match: boolean;
  seal: "sound" | "broken" | "unread";
  chain: "sound" | "broken";
  entries: number;
  registers: "sound" | "different" | "unread";
  timestamp: "external" | "broken" | "self_operated" | "unread";
  /** Everything that was checked matches the record */
  sound: boolean;
  state: VaultCopyState;
  duration_ms: number;
  /** null if no file was asked about, or if it does not belong to this record */
  file: VaultKnownFile | null;
}

export interface VaultVerificationResponse {
  data: VaultVerification;
}

export interface VerifyVaultRecordRequest {
  /** SHA-256 of a file, to find out whether this record knows it */
  readonly sha256?: Sha256 | undefined;
}

export interface OpenSigningQuery {
  /** The language of `disclosure`, `agreement` and `intent`; English if that language is not available */
  readonly lang?: string | undefined;
}

export interface GetSigningPageQuery {
  /** Width in pixels; default 1224 */
  readonly w?: "204" | "1224" | "2448" | undefined;
  /** Show the entered values as they will be signed */
  readonly values?: "1" | undefined;
  /** With `values`: the language in which your numbers and dates are written */
  readonly lang?: Locale | undefined;
  /** With `values`: your time zone, for the day of signing */
  readonly timezone?: string | undefined;
}

export interface GetSigningDisclosureQuery {
  /** The language of `disclosure`, `agreement` and `intent`; English if that language is not available */
  readonly lang?: string | undefined;
}

export interface GetVaultPageQuery {
  /** Width in pixels; default 1224 */
  readonly w?: "204" | "1224" | "2448" | undefined;
}

export interface ListVaultWidgetAccessesQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface GetVaultWidgetCertificateQuery {
  /** json: the certificate as data. file: the exact JSON file whose hash is on record. pdf: the sealed PDF */
  readonly format?: "pdf" | "json" | "file" | undefined;
}

export interface GetPersonCodeQuery {
  readonly act_id: string;
}

export interface ListPersonRequestItemsQuery {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

/** Method and path, by operation. */
export const pageOperations = {
  request_password_reset: ["POST", "/auth/password-reset"],
  confirm_password_reset: ["POST", "/auth/password-reset/confirm"],
  request_browser_link: ["POST", "/auth/known-browser/request"],
  know_browser: ["POST", "/auth/known-browser"],
  report_log_in: ["POST", "/auth/not-me"],
  set_up: ["POST", "/setup"],
  preview_invitation: ["POST", "/auth/invitations/preview"],
  accept_invitation: ["POST", "/auth/invitations/accept"],
  confirm_email_change: ["POST", "/auth/email/confirm"],
  undo_email_change: ["POST", "/auth/email/undo"],
  use_factor_reset: ["POST", "/auth/factors/reset"],
  confirm_domain: ["POST", "/org/domains/confirm"],
  start_sso: ["POST", "/auth/sso/start"],
  finish_sso: ["POST", "/auth/sso/finish"],
  start_form: ["POST", "/forms/{slug}/start"],
  confirm_form: ["POST", "/forms/{slug}/confirm"],
  create_link_token: ["POST", "/embed/links/{slug}/token"],
  renew_token: ["POST", "/embed/sign/{envelope_id}/token"],
  send_new_link: ["POST", "/embed/links/{slug}/send"],
  open_signing: ["GET", "/embed/sign/{envelope_id}"],
  get_signing_progress: ["GET", "/embed/sign/{envelope_id}/progress"],
  get_signing_page: ["GET", "/embed/sign/{envelope_id}/pages/{page}"],
  get_signing_page_text: ["GET", "/embed/sign/{envelope_id}/pages/{page}/text"],
  get_signing_document: ["GET", "/embed/sign/{envelope_id}/document"],
  get_signing_completion_certificate: ["GET", "/embed/sign/{envelope_id}/completion-certificate"],
  get_identity_questions: ["GET", "/embed/sign/{envelope_id}/kba"],
  answer_identity_questions: ["POST", "/embed/sign/{envelope_id}/kba"],
  give_signing_consent: ["POST", "/embed/sign/{envelope_id}/consent"],
  start_email_code: ["POST", "/embed/sign/{envelope_id}/identity/email_code/start"],
  answer_email_code: ["POST", "/embed/sign/{envelope_id}/identity/email_code/answer"],
  start_access_code: ["POST", "/embed/sign/{envelope_id}/identity/access_code/start"],
  answer_access_code: ["POST", "/embed/sign/{envelope_id}/identity/access_code/answer"],
  get_email_code: ["GET", "/embed/sign/{envelope_id}/identity/email_code"],
  accept_signing_agreement: ["POST", "/embed/sign/{envelope_id}/agreement"],
  save_signing_fields: ["PUT", "/embed/sign/{envelope_id}/fields"],
  complete_signing: ["POST", "/embed/sign/{envelope_id}/complete"],
  approve_document: ["POST", "/embed/sign/{envelope_id}/approve"],
  confirm_reading: ["POST", "/embed/sign/{envelope_id}/confirm"],
  decline_signing: ["POST", "/embed/sign/{envelope_id}/decline"],
  get_signing_disclosure: ["GET", "/embed/sign/{envelope_id}/disclosure"],
  request_signing_paper: ["POST", "/embed/sign/{envelope_id}/paper"],
  get_signing_paper: ["GET", "/embed/sign/{envelope_id}/paper"],
  finish_signing_later: ["POST", "/embed/sign/{envelope_id}/finish-later"],
  open_vault: ["GET", "/embed/vault/{envelope_id}"],
  get_vault_page: ["GET", "/embed/vault/{envelope_id}/pages/{page}"],
  get_vault_page_text: ["GET", "/embed/vault/{envelope_id}/pages/{page}/text"],
  list_vault_widget_accesses: ["GET", "/embed/vault/{envelope_id}/access-log"],
  get_vault_widget_copy: ["GET", "/embed/vault/{envelope_id}/copy"],
  get_vault_widget_certificate: ["GET", "/embed/vault/{envelope_id}/certificate"],
  get_vault_widget_evidence: ["GET", "/embed/vault/{envelope_id}/evidence"],
  verify_vault_record: ["POST", "/embed/vault/{envelope_id}/verify"],
  request_person_code: ["POST", "/p/api/code"],
  get_person_code: ["GET", "/p/api/code"],
  start_person_session: ["POST", "/p/api/session"],
  end_person_session: ["DELETE", "/p/api/session"],
  offer_passkey_session: ["POST", "/p/api/session/passkey-options"],
  start_passkey_session: ["POST", "/p/api/session/passkey"],
  list_passkeys: ["GET", "/p/api/passkeys"],
  offer_passkey: ["POST", "/p/api/passkeys"],
  add_passkey: ["POST", "/p/api/passkeys/verify"],
  remove_passkey: ["DELETE", "/p/api/passkeys/{passkey_id}"],
  list_person_requests: ["GET", "/p/api/requests"],
  get_person_request: ["GET", "/p/api/acts/{act_id}"],
  decide_person_request: ["POST", "/p/api/acts/{act_id}/decision"],
  list_person_records: ["GET", "/p/api/records"],
  list_person_exports: ["GET", "/p/api/exports"],
  get_person_export: ["GET", "/p/api/exports/{export_id}"],
  get_person_export_package: ["GET", "/p/api/exports/{export_id}/package"],
  acknowledge_person_export: ["POST", "/p/api/exports/{export_id}/acknowledge"],
  list_person_papers: ["GET", "/p/api/papers"],
  get_person_paper: ["GET", "/p/api/papers/{ending_id}"],
  get_person_paper_document: ["GET", "/p/api/papers/{ending_id}/document"],
  confirm_printing: ["POST", "/p/api/papers/{ending_id}/confirm"],
  get_person_paper_certificate: ["GET", "/p/api/papers/{ending_id}/certificate"],
  list_person_request_items: ["GET", "/p/api/acts/{act_id}/items"],
  get_person_request_csv: ["GET", "/p/api/acts/{act_id}/items.csv"],
  get_audited_record: ["GET", "/p/api/records/{envelope_id}"],
  get_audited_copy: ["GET", "/p/api/records/{envelope_id}/copy"],
  get_audited_certificate: ["GET", "/p/api/records/{envelope_id}/certificate"],
  get_audited_evidence: ["GET", "/p/api/records/{envelope_id}/evidence"],
} as const;

/** The parameters and the response of each operation. */
export interface PageOperations {
  request_password_reset: {
    method: "POST";
    path: "/auth/password-reset";
    params: undefined;
    query: undefined;
    body: RequestPasswordResetRequest;
    kind: "data";
    answer: Done;
  };
  confirm_password_reset: {
    method: "POST";
    path: "/auth/password-reset/confirm";
    params: undefined;
    query: undefined;
    body: ConfirmPasswordResetRequest;
    kind: "data";
    answer: Done;
  };
  request_browser_link: {
    method: "POST";
    path: "/auth/known-browser/request";
    params: undefined;
    query: undefined;
    body: RequestBrowserLinkRequest;
    kind: "data";
    answer: Done;
  };
  know_browser: {
    method: "POST";
    path: "/auth/known-browser";
    params: undefined;
    query: undefined;
    body: KnowBrowserRequest;
    kind: "data";
    answer: Done;
  };
  report_log_in: {
    method: "POST";
    path: "/auth/not-me";
    params: undefined;
    query: undefined;
    body: ReportLogInRequest;
    kind: "data";
    answer: Done;
  };
  set_up: {
    method: "POST";
    path: "/setup";
    params: undefined;
    query: undefined;
    body: SetUpRequest;
    kind: "data";
    answer: SessionTokens;
  };
  preview_invitation: {
    method: "POST";
    path: "/auth/invitations/preview";
    params: undefined;
    query: undefined;
    body: PreviewInvitationRequest;
    kind: "data";
    answer: InvitationPreview;
  };
  accept_invitation: {
    method: "POST";
    path: "/auth/invitations/accept";
    params: undefined;
    query: undefined;
    body: AcceptInvitationRequest;
    kind: "data";
    answer: JoinedOrganization | SessionTokens;
  };
  confirm_email_change: {
    method: "POST";
    path: "/auth/email/confirm";
    params: undefined;
    query: undefined;
    body: ConfirmEmailChangeRequest;
    kind: "data";
    answer: EmailChanged;
  };
  undo_email_change: {
    method: "POST";
    path: "/auth/email/undo";
    params: undefined;
    query: undefined;
    body: UndoEmailChangeRequest;
    kind: "data";
    answer: EmailChanged;
  };
  use_factor_reset: {
    method: "POST";
    path: "/auth/factors/reset";
    params: undefined;
    query: undefined;
    body: UseFactorResetRequest;
    kind: "data";
    answer: Done;
  };
  confirm_domain: {
    method: "POST";
    path: "/org/domains/confirm";
    params: undefined;
    query: undefined;
    body: ConfirmDomainRequest;
    kind: "data";
    answer: ConfirmedDomain;
  };
  start_sso: {
    method: "POST";
    path: "/auth/sso/start";
    params: undefined;
    query: undefined;
    body: StartSsoRequest | undefined;
    kind: "data";
    answer: SsoStart;
  };
  finish_sso: {
    method: "POST";
    path: "/auth/sso/finish";
    params: undefined;
    query: undefined;
    body: FinishSsoRequest;
    kind: "data";
    answer: SsoChecked | SessionTokens;
  };
  start_form: {
    method: "POST";
    path: "/forms/{slug}/start";
    params: { slug: Slug };
    query: undefined;
    body: StartFormRequest;
    kind: "data";
    answer: FormCopy | { [name: string]: unknown };
  };
  confirm_form: {
    method: "POST";
    path: "/forms/{slug}/confirm";
    params: { slug: Slug };
    query: undefined;
    body: ConfirmFormRequest;
    kind: "data";
    answer: FormCopy;
  };
  create_link_token: {
    method: "POST";
    path: "/embed/links/{slug}/token";
    params: { slug: Slug };
    query: undefined;
    body: CreateLinkTokenRequest | undefined;
    kind: "data";
    answer: LinkToken;
  };
  renew_token: {
    method: "POST";
    path: "/embed/sign/{envelope_id}/token";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: LinkToken;
  };
  send_new_link: {
    method: "POST";
    path: "/embed/links/{slug}/send";
    params: { slug: Slug };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: { [name: string]: unknown };
  };
  open_signing: {
    method: "GET";
    path: "/embed/sign/{envelope_id}";
    params: { envelope_id: EnvelopeId };
    query: OpenSigningQuery | undefined;
    body: undefined;
    kind: "data";
    answer: OpenedSigning;
  };
  get_signing_progress: {
    method: "GET";
    path: "/embed/sign/{envelope_id}/progress";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: SigningChanges;
  };
  get_signing_page: {
    method: "GET";
    path: "/embed/sign/{envelope_id}/pages/{page}";
    params: { envelope_id: EnvelopeId; page: number };
    query: GetSigningPageQuery | undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_signing_page_text: {
    method: "GET";
    path: "/embed/sign/{envelope_id}/pages/{page}/text";
    params: { envelope_id: EnvelopeId; page: number };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: PageText;
  };
  get_signing_document: {
    method: "GET";
    path: "/embed/sign/{envelope_id}/document";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_signing_completion_certificate: {
    method: "GET";
    path: "/embed/sign/{envelope_id}/completion-certificate";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_identity_questions: {
    method: "GET";
    path: "/embed/sign/{envelope_id}/kba";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: IdentityChallenge;
  };
  answer_identity_questions: {
    method: "POST";
    path: "/embed/sign/{envelope_id}/kba";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: AnswerIdentityQuestionsRequest;
    kind: "data";
    answer: SigningIdentity;
  };
  give_signing_consent: {
    method: "POST";
    path: "/embed/sign/{envelope_id}/consent";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: GiveSigningConsentRequest;
    kind: "data";
    answer: SigningConsent;
  };
  start_email_code: {
    method: "POST";
    path: "/embed/sign/{envelope_id}/identity/email_code/start";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: StartedIdentityStep;
  };
  answer_email_code: {
    method: "POST";
    path: "/embed/sign/{envelope_id}/identity/email_code/answer";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: AnswerEmailCodeRequest;
    kind: "data";
    answer: SigningIdentityStep;
  };
  start_access_code: {
    method: "POST";
    path: "/embed/sign/{envelope_id}/identity/access_code/start";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: StartedIdentityStep;
  };
  answer_access_code: {
    method: "POST";
    path: "/embed/sign/{envelope_id}/identity/access_code/answer";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: AnswerAccessCodeRequest;
    kind: "data";
    answer: SigningIdentityStep;
  };
  get_email_code: {
    method: "GET";
    path: "/embed/sign/{envelope_id}/identity/email_code";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: CodeMail;
  };
  accept_signing_agreement: {
    method: "POST";
    path: "/embed/sign/{envelope_id}/agreement";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: AcceptSigningAgreementRequest;
    kind: "data";
    answer: AcceptedSigningAgreement;
  };
  save_signing_fields: {
    method: "PUT";
    path: "/embed/sign/{envelope_id}/fields";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: SaveSigningFieldsRequest | undefined;
    kind: "data";
    answer: SavedSigningFields;
  };
  complete_signing: {
    method: "POST";
    path: "/embed/sign/{envelope_id}/complete";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: CompleteSigningRequest;
    kind: "data";
    answer: CompletedSigning;
  };
  approve_document: {
    method: "POST";
    path: "/embed/sign/{envelope_id}/approve";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: ApproveDocumentRequest;
    kind: "data";
    answer: ApprovedDocument;
  };
  confirm_reading: {
    method: "POST";
    path: "/embed/sign/{envelope_id}/confirm";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: ConfirmReadingRequest;
    kind: "data";
    answer: ConfirmedReading;
  };
  decline_signing: {
    method: "POST";
    path: "/embed/sign/{envelope_id}/decline";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: DeclineSigningRequest | undefined;
    kind: "data";
    answer: DeclinedSigning;
  };
  get_signing_disclosure: {
    method: "GET";
    path: "/embed/sign/{envelope_id}/disclosure";
    params: { envelope_id: EnvelopeId };
    query: GetSigningDisclosureQuery | undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  request_signing_paper: {
    method: "POST";
    path: "/embed/sign/{envelope_id}/paper";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: SigningPaper;
  };
  get_signing_paper: {
    method: "GET";
    path: "/embed/sign/{envelope_id}/paper";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  finish_signing_later: {
    method: "POST";
    path: "/embed/sign/{envelope_id}/finish-later";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: SigningLinkSent;
  };
  open_vault: {
    method: "GET";
    path: "/embed/vault/{envelope_id}";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: OpenedVault;
  };
  get_vault_page: {
    method: "GET";
    path: "/embed/vault/{envelope_id}/pages/{page}";
    params: { envelope_id: EnvelopeId; page: number };
    query: GetVaultPageQuery | undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_vault_page_text: {
    method: "GET";
    path: "/embed/vault/{envelope_id}/pages/{page}/text";
    params: { envelope_id: EnvelopeId; page: number };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: PageText;
  };
  list_vault_widget_accesses: {
    method: "GET";
    path: "/embed/vault/{envelope_id}/access-log";
    params: { envelope_id: EnvelopeId };
    query: ListVaultWidgetAccessesQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (VaultAccess)[];
    meta: { page: number; limit: number; total: number };
  };
  get_vault_widget_copy: {
    method: "GET";
    path: "/embed/vault/{envelope_id}/copy";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_vault_widget_certificate: {
    method: "GET";
    path: "/embed/vault/{envelope_id}/certificate";
    params: { envelope_id: EnvelopeId };
    query: GetVaultWidgetCertificateQuery | undefined;
    body: undefined;
    kind: "file";
    answer: ComplianceCertificate;
  };
  get_vault_widget_evidence: {
    method: "GET";
    path: "/embed/vault/{envelope_id}/evidence";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  verify_vault_record: {
    method: "POST";
    path: "/embed/vault/{envelope_id}/verify";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: VerifyVaultRecordRequest | undefined;
    kind: "data";
    answer: VaultVerification;
  };
  request_person_code: {
    method: "POST";
    path: "/p/api/code";
    params: undefined;
    query: undefined;
    body: RequestPersonCodeRequest;
    kind: "data";
    answer: PersonDone;
  };
  get_person_code: {
    method: "GET";
    path: "/p/api/code";
    params: undefined;
    query: GetPersonCodeQuery;
    body: undefined;
    kind: "data";
    answer: CodeMail;
  };
  start_person_session: {
    method: "POST";
    path: "/p/api/session";
    params: undefined;
    query: undefined;
    body: StartPersonSessionRequest;
    kind: "data";
    answer: PersonSession;
  };
  end_person_session: {
    method: "DELETE";
    path: "/p/api/session";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: PersonDone;
  };
  offer_passkey_session: {
    method: "POST";
    path: "/p/api/session/passkey-options";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: PasskeyAssertionOptions;
  };
  start_passkey_session: {
    method: "POST";
    path: "/p/api/session/passkey";
    params: undefined;
    query: undefined;
    body: StartPasskeySessionRequest;
    kind: "data";
    answer: PersonSession;
  };
  list_passkeys: {
    method: "GET";
    path: "/p/api/passkeys";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: Passkeys;
  };
  offer_passkey: {
    method: "POST";
    path: "/p/api/passkeys";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: PasskeyRegistrationOptions;
  };
  add_passkey: {
    method: "POST";
    path: "/p/api/passkeys/verify";
    params: undefined;
    query: undefined;
    body: AddPasskeyRequest;
    kind: "data";
    answer: AddedPasskey;
  };
  remove_passkey: {
    method: "DELETE";
    path: "/p/api/passkeys/{passkey_id}";
    params: { passkey_id: PasskeyId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: PersonDone;
  };
  list_person_requests: {
    method: "GET";
    path: "/p/api/requests";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: PersonRequest[];
  };
  get_person_request: {
    method: "GET";
    path: "/p/api/acts/{act_id}";
    params: { act_id: ActId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: PersonRequest;
  };
  decide_person_request: {
    method: "POST";
    path: "/p/api/acts/{act_id}/decision";
    params: { act_id: ActId };
    query: undefined;
    body: DecidePersonRequestRequest;
    kind: "data";
    answer: PersonRequest;
  };
  list_person_records: {
    method: "GET";
    path: "/p/api/records";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: PersonRecord[];
  };
  list_person_exports: {
    method: "GET";
    path: "/p/api/exports";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: PersonExport[];
  };
  get_person_export: {
    method: "GET";
    path: "/p/api/exports/{export_id}";
    params: { export_id: VaultExportId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: PersonExport;
  };
  get_person_export_package: {
    method: "GET";
    path: "/p/api/exports/{export_id}/package";
    params: { export_id: VaultExportId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  acknowledge_person_export: {
    method: "POST";
    path: "/p/api/exports/{export_id}/acknowledge";
    params: { export_id: VaultExportId };
    query: undefined;
    body: AcknowledgePersonExportRequest;
    kind: "data";
    answer: VaultExportAcknowledged;
  };
  list_person_papers: {
    method: "GET";
    path: "/p/api/papers";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: PersonPaper[];
  };
  get_person_paper: {
    method: "GET";
    path: "/p/api/papers/{ending_id}";
    params: { ending_id: RecordEndingId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: PersonPaper;
  };
  get_person_paper_document: {
    method: "GET";
    path: "/p/api/papers/{ending_id}/document";
    params: { ending_id: RecordEndingId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  confirm_printing: {
    method: "POST";
    path: "/p/api/papers/{ending_id}/confirm";
    params: { ending_id: RecordEndingId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: PersonPaper;
  };
  get_person_paper_certificate: {
    method: "GET";
    path: "/p/api/papers/{ending_id}/certificate";
    params: { ending_id: RecordEndingId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  list_person_request_items: {
    method: "GET";
    path: "/p/api/acts/{act_id}/items";
    params: { act_id: ActId };
    query: ListPersonRequestItemsQuery | undefined;
    body: undefined;
    kind: "data";
    answer: ControlBatchItems;
  };
  get_person_request_csv: {
    method: "GET";
    path: "/p/api/acts/{act_id}/items.csv";
    params: { act_id: ActId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_audited_record: {
    method: "GET";
    path: "/p/api/records/{envelope_id}";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: AuditedRecord;
  };
  get_audited_copy: {
    method: "GET";
    path: "/p/api/records/{envelope_id}/copy";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_audited_certificate: {
    method: "GET";
    path: "/p/api/records/{envelope_id}/certificate";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_audited_evidence: {
    method: "GET";
    path: "/p/api/records/{envelope_id}/evidence";
    params: { envelope_id: EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
}
