// Written by `npm run generate` from openapi.json. Change the declarations of the service instead.
import type { FileInput } from "../files.ts";

export interface AbsolutePlacement {
  readonly mode: "absolute";
  readonly areas: readonly FieldAreaInput[];
}

export interface AcceptVaultTransferRequest {
  readonly customer_id: CustomerId;
  readonly custodian_user_id: UserId;
}

export interface AcknowledgeVaultExportRequest {
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

export interface ActListResponse {
  data: Act[];
  meta: Meta;
}

export interface ActMessage {
  kind: ActMessageKind;
  at: Timestamp;
  /** The message in canonical JSON, as base64 */
  bytes: string;
  /** Ed25519 over these bytes by the records key of the vault that sends them, as base64 */
  signature: string;
}

export type ActMessageKind = "request" | "decision" | "closing";

export interface ActMessageReceived {
  act_id: string;
  /** Of the request, or of your act if the message was a decision */
  state: string;
  /** The decision, which the other side may have missed */
  reply: LinkMessageFile | null;
}

export interface ActMessageReceivedResponse {
  data: ActMessageReceived;
}

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

export interface ActOnEnvelopesRequest {
  readonly action: EnvelopeAction;
  readonly envelope_ids: readonly EnvelopeId[];
  /** For tag and untag */
  readonly tags?: readonly TagName[] | undefined;
  /** For set_owner: a member of your organization */
  readonly owner_user_id?: UserId | undefined;
  /** For void */
  readonly reason?: Reason | undefined;
}

export interface ActProposed {
  act_id: ActId;
  status: "proposed";
}

export interface ActProposedResponse {
  data: ActProposed;
}

export interface ActResponse {
  data: Act;
}

export type ActState = "proposed" | "confirmed" | "registering" | "effective" | "refused" | "cancelled" | "expired" | "superseded";

export interface Actor {
  kind: string;
  id: string;
}

export interface AddAccountPasskeyRequest {
  readonly credential: PasskeyRegistration;
  readonly name?: string | undefined;
  /** Required while an organization requires the user's first factor, as in a `limited` session: the code that was mailed when the factor was created, or printed by the operator */
  readonly email_code?: string | undefined;
}

export interface AddDomainRequest {
  readonly domain: string;
}

export interface AddEnvelopeDocumentRequest {
  readonly template_id: TemplateId;
}

export interface AddEnvelopeDocumentRequestForm {
  /** At most 50 MB */
  readonly file: FileInput;
  readonly name?: Name | undefined;
}

export interface AddPartyPersonRequest {
  readonly email: Email;
  readonly name: Name;
  readonly rights: "approve" | "view";
  /** No approver of the party can be reached; needs a reason and another admin */
  readonly approvers_lost?: boolean | undefined;
  /** Only with approvers_lost */
  readonly reason?: Reason | undefined;
}

export interface AddRecipientRequest {
  readonly kind: "approver" | "viewer" | "cc";
  readonly email: Email;
  readonly name: Name;
  /** People of the same step act at the same time, after everyone of the steps before. On everyone who acts, or on none */
  readonly step?: number | null | undefined;
  readonly locale?: SignerLocale | undefined;
  /** Shown to this person only, below the message of the envelope */
  readonly message?: string | null | undefined;
  readonly delivery?: RecipientDelivery | undefined;
}

export interface AddTemplateDocumentRequest {
  readonly template_id: TemplateId;
}

export interface AddTemplateDocumentRequestForm {
  /** At most 50 MB */
  readonly file: FileInput;
  readonly name?: Name | undefined;
}

export interface AddTotpRequest {
  readonly name?: string | undefined;
}

export interface AdvanceTestEnvelopeRequest {
  readonly days: number;
}

export interface AdvancedTestEnvelope {
  status: EnvelopeStatus;
  /** What happened, in this order. `expiry_announced`: the sender was told that the envelope expires soon */
  applied: AppliedDeadline[];
}

export interface AdvancedTestEnvelopeResponse {
  data: AdvancedTestEnvelope;
}

export interface AnchorMatches {
  /** Index of the field in the request */
  field: number;
  matches: FieldArea[];
}

export interface AnchorPlacement {
  readonly mode: "anchor";
  /** Text of the document to place the field at */
  readonly anchor_text: string;
  /** Which occurrence of the text, counted from 1 */
  readonly occurrence?: number | undefined;
  /** Search this page only, counted from 1 */
  readonly page?: number | undefined;
  /** Distance from the left edge of the text, as a fraction of the page width */
  readonly offset_x?: number | undefined;
  /** Distance from the top edge of the text, as a fraction of the page height */
  readonly offset_y?: number | undefined;
  readonly w: number;
  readonly h: number;
}

export interface ApiKey {
  key_id: KeyId;
  partner_name: string;
  /** The first 7 and the last 4 characters of the raw key */
  key_hint: string;
  scopes: Scope[];
  rate_limit_rpm: number;
  /** `test`: a key of a sandbox, which reaches test data alone */
  mode: Mode;
  /** `expired`: `expires_at` has passed. Requests with an expired or deactivated key return 401 */
  status: ApiKeyStatus;
  /** true: unknown fields in a body are ignored and listed in `X-Ignored-Fields`; false: they are refused with 422 */
  lenient_fields: boolean;
  /** Your own notes, at most 4,096 bytes as JSON. They have no effect on webhook endpoints, which belong to the organization */
  webhook: { [name: string]: unknown } | null;
  /** From then on, requests with the key return 401; null: it does not expire. From 1 hour to 5 years ahead */
  expires_at: Timestamp | null;
  /** The addresses that the key works from, as ranges such as `203.0.113.0/24`. Empty: all. From other addresses it returns 401 */
  allowed_cidrs: string[];
  last_used_at: Timestamp | null;
  last_used_ip: string | null;
  last_used_user_agent: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  rotated_at: Timestamp | null;
  /** When the raw key from before the last rotation stops working; null if it no longer works */
  previous_key_expires_at: Timestamp | null;
  deactivated_at: Timestamp | null;
  /** The admin who created the key */
  created_by: UserId | null;
}

export interface ApiKeyListResponse {
  data: ApiKey[];
  meta: Meta;
}

export interface ApiKeyResponse {
  data: ApiKey;
}

export type ApiKeyStatus = "active" | "expired" | "deactivated";

export interface ApiKeyWebhookTest {
  event_id: EventId;
  /** The number of enabled endpoints that get the event */
  endpoints: number;
}

export interface ApiKeyWebhookTestResponse {
  data: ApiKeyWebhookTest;
}

export interface AppendTestEventRequest {
  /** A reserved type is 422 */
  readonly event_type: EventType;
  /** The envelope that the event names, with its customer. Without it, an ID that no envelope has */
  readonly envelope_id?: EnvelopeId | undefined;
}

export interface AppendedTestEvent {
  event_id: EventId;
  event_type: EventType;
  envelope_id: EnvelopeId | null;
}

export interface AppendedTestEventResponse {
  data: AppendedTestEvent;
}

export type AppliedDeadline = "reminded" | "expiry_announced" | "expired";

export interface ArchivedTemplate {
  template_id: TemplateId;
  status: "archived";
  archived_at: Timestamp;
}

export interface ArchivedTemplateResponse {
  data: ArchivedTemplate;
}

export interface AssignRecordRequest {
  readonly secured_party: SecuredPartyInput;
  /** The consent of the current secured party */
  readonly consent: AssignmentConsentInput;
  /** Required: the seq of the party that gave the consent. Returns 409 if the secured party changed in the meantime */
  readonly present_seq?: number | undefined;
}

export interface Assignment {
  envelope_id: EnvelopeId;
  /** Position in the register, counted from 1 */
  seq: number;
  secured_party: SecuredParty;
  /** The consent of the previous party; null for the first one */
  consent: AssignmentConsent | null;
  status: AssignmentStatus;
  /** Null if the party is known by its name alone */
  party_id: PartyId | null;
  /** confirmed: the party confirmed with a credential of its own that the record is assigned to it. corrected: the next entry replaces a wrong name */
  confirmation: "unconfirmed" | "confirmed" | "corrected";
  /** The act by which the entry was made, confirmed or corrected */
  act_id: ActId | null;
  recorded_at: Timestamp;
}

export interface AssignmentConsent {
  /** written: the caller attested it. act, correction: see act_id */
  method: string;
  given_by: AssignmentConsentGiver | null;
  statement: string | null;
  given_at: Timestamp | null;
  /** The act that the parties confirmed, or that corrected a name; null for written consent */
  act_id: ActId | null;
}

export interface AssignmentConsentGiver {
  name: string;
  email: string | null;
}

export interface AssignmentConsentGiverInput {
  readonly name: Name;
  readonly email?: Email | undefined;
}

export interface AssignmentConsentInput {
  readonly method: AssignmentConsentMethod;
  readonly given_by: AssignmentConsentGiverInput;
  readonly statement?: string | undefined;
  /** Not in the future */
  readonly given_at: Timestamp;
}

/** Only `written` is accepted in this version */
export type AssignmentConsentMethod = "written" | "email_confirmation";

export interface AssignmentListResponse {
  data: Assignment[];
  meta: Meta;
}

export interface AssignmentResponse {
  data: Assignment;
}

export type AssignmentStatus = "pending" | "effective" | "refused";

export interface AttachDocumentRequest {
  /** At most 50 MB */
  readonly file: FileInput;
}

export type AttemptId = string;

export interface Attention {
  /** Open envelopes that you were asked to act on. Null for API keys, which are not people */
  waiting_for_me: AttentionList | null;
  /** Envelopes that were sent and have not ended */
  open: AttentionCount;
  /** Envelopes that were not sent yet */
  drafts: AttentionList;
  /** Open envelopes whose last message to a person who still has to act did not arrive */
  undelivered: AttentionList;
  /** Open envelopes that expire within 3 days, the first to expire first */
  expiring_soon: AttentionList;
  /** Webhook deliveries that were given up and not replayed. Null without webhooks:read */
  failed_deliveries: AttentionCount | null;
}

export interface AttentionCount {
  /** Stops at 1,000 */
  count: number;
  /** Whether there are more than `count` */
  capped: boolean;
}

export interface AttentionEnvelope {
  envelope_id: EnvelopeId;
  envelope_name: string;
  status: EnvelopeStatus;
  updated_at: Timestamp;
  sent_at: Timestamp | null;
  expires_at: Timestamp | null;
  /** Whose message did not arrive; null in the other lists */
  person: AttentionPerson | null;
  /** At most 5, by step */
  recipients: AttentionRecipient[];
  /** All of them, also those that are not in `recipients` */
  recipient_count: number;
}

export interface AttentionList {
  /** Stops at 1,000 */
  count: number;
  /** Whether there are more than `count` */
  capped: boolean;
  /** At most 5 */
  items: AttentionEnvelope[];
}

export interface AttentionPerson {
  name: string;
  email: string;
}

export interface AttentionRecipient {
  name: string;
  kind: RecipientKind;
  status: RecipientStatus;
}

export interface AttentionResponse {
  data: Attention;
}

export interface Attestation {
  readonly attested_by?: AttestationAuthor | null | undefined;
  readonly signers?: readonly AttestationSigner[] | undefined;
  readonly paper?: AttestationPaper | null | undefined;
  readonly external?: AttestationExternal | null | undefined;
}

export type AttestationAuthMethod = "email_link" | "access_code" | "sms" | "kba" | "sso" | "government_id" | "in_person" | "unknown";

export interface AttestationAuthor {
  readonly name: string;
  readonly title?: string | null | undefined;
}

export type AttestationDisposition = "destroyed" | "marked_as_copy" | "retained";

export interface AttestationExternal {
  readonly provider?: string | null | undefined;
  readonly transaction_id?: string | null | undefined;
  readonly consent_confirmed?: boolean | null | undefined;
  readonly prior_copy_status?: AttestationPriorCopyStatus | null | undefined;
  readonly document_sha256?: Sha256 | null | undefined;
  readonly evidence_sha256?: Sha256 | null | undefined;
}

export type AttestationIdentification = "known_personally" | "government_id" | "notary" | "witness" | "unknown";

export interface AttestationPaper {
  readonly ink_signed?: boolean | null | undefined;
  readonly all_signatures_present?: boolean | null | undefined;
  readonly page_count?: number | null | undefined;
  readonly original_disposition?: AttestationDisposition | null | undefined;
  readonly disposition_on?: Day | null | undefined;
  readonly disposition_by?: string | null | undefined;
}

export type AttestationPriorCopyStatus = "none_existed" | "exported_with_acknowledgment" | "marked_as_copy" | "unknown";

export interface AttestationRecord {
  envelope_id: EnvelopeId;
  attestation_no: number;
  /** SHA-256 of the canonical JSON (RFC 8785) of the attestation */
  attestation_sha256: Sha256;
  recorded_at: Timestamp;
}

export interface AttestationRecordResponse {
  data: AttestationRecord;
}

export interface AttestationSigner {
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly role?: string | null | undefined;
  readonly signed_on?: Day | null | undefined;
  readonly identified_by?: AttestationIdentification | null | undefined;
  readonly auth_methods?: readonly AttestationAuthMethod[] | undefined;
}

export interface AuditActor {
  kind: string;
  id: string;
}

export interface AuditFilter {
  customer_id?: string;
  /** The secured party on record */
  controller_party_id?: PartyId;
  external_ids?: string[];
}

export interface AuditFilterInput {
  readonly customer_id?: string | undefined;
  /** The secured party on record */
  readonly controller_party_id?: PartyId | undefined;
  readonly external_ids?: readonly string[] | undefined;
}

export interface AuditGrant {
  grant_id: AuditGrantId;
  party_id: PartyId;
  party_name: string;
  envelope_ids: EnvelopeId[] | null;
  filter: AuditFilter | null;
  may_download: boolean;
  until: Timestamp;
  state: "active" | "ended" | "revoked";
  granted_by: Actor;
  granted_at: Timestamp;
  revoked_at: Timestamp | null;
}

export type AuditGrantId = string;

export interface AuditGrantListResponse {
  data: AuditGrant[];
  meta: Meta;
}

export interface AuditGrantResponse {
  data: AuditGrant;
}

export interface AuditSink {
  sink_id: AuditSinkId;
  kind: AuditSinkKind;
  target: string;
  enabled: boolean;
  state: AuditSinkState;
  /** `leaf_index` of the last position that it has. Null: nothing yet */
  after: number | null;
  last_success_at: Timestamp | null;
  /** The first failure after which nothing arrived */
  failing_since: Timestamp | null;
  /** Why the latest attempt failed: an error as in webhook attempts, `status_` and the status of the answer, `key_service_away`, `secret_unreadable` if the stored secret was changed or its key is gone (add the sink again), or `position_unknown` after an older backup was restored */
  last_error: string | null;
  /** After a failure: when it is tried again */
  next_attempt_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** `beginning`: all entries of the organization; `now`: those recorded from now on */
export type AuditSinkFrom = "beginning" | "now";

export type AuditSinkId = string;

export type AuditSinkKind = "webhook" | "syslog";

export interface AuditSinkListResponse {
  data: AuditSink[];
  meta: Meta;
}

export interface AuditSinkResponse {
  data: AuditSink;
}

export type AuditSinkState = "ok" | "failing" | "off";

export interface AuditSinkTest {
  sink_id: AuditSinkId;
  /** The receiver answered 2xx. For syslog: the line was handed over, which has no receipt */
  accepted: boolean;
  /** Why it was not accepted */
  error: string | null;
}

export interface AuditSinkTestResponse {
  data: AuditSinkTest;
}

export interface AuditSinkWithSecret {
  sink_id: AuditSinkId;
  kind: AuditSinkKind;
  target: string;
  enabled: boolean;
  state: AuditSinkState;
  /** `leaf_index` of the last position that it has. Null: nothing yet */
  after: number | null;
  last_success_at: Timestamp | null;
  /** The first failure after which nothing arrived */
  failing_since: Timestamp | null;
  /** Why the latest attempt failed: an error as in webhook attempts, `status_` and the status of the answer, `key_service_away`, `secret_unreadable` if the stored secret was changed or its key is gone (add the sink again), or `position_unknown` after an older backup was restored */
  last_error: string | null;
  /** After a failure: when it is tried again */
  next_attempt_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  /** Signs the requests according to Standard Webhooks. Shown only here; null for syslog */
  secret: string | null;
}

export interface AuditSinkWithSecretResponse {
  data: AuditSinkWithSecret;
}

export type AuthoritativeCopyId = string;

export type Base64 = string;

export type Base64Url = string;

/** A CSS color as hexadecimal digits, rgb(), hsl() or oklch() */
export type BrandingColor = string;

export type BrandingFont = "system" | "serif" | "rounded";

export type BrandingScheme = "light" | "dark" | "auto";

export interface BulkBatch {
  batch_id: BulkBatchId;
  name: string;
  template_id: TemplateId;
  state: BulkBatchState;
  /** Why it is paused: `template_changed`, `certification_terms_outdated`, `identity_level_too_low`, or the code of an error that came again and again */
  reason: string | null;
  options: BulkBatchOptions;
  /** All rows of the file */
  rows: number;
  /** Rows that are ready and not sent yet */
  ready: number;
  invalid: number;
  sent: number;
  failed: number;
  skipped: number;
  /** Rows that are ready and have a warning, such as a duplicate */
  warned: number;
  created_at: Timestamp;
  started_at: Timestamp | null;
  ended_at: Timestamp | null;
  /** When the contents of the rows were deleted; numbers and envelope ids stay */
  erased_at: Timestamp | null;
  /** Of the uploaded file, which is deleted once its rows are read */
  file_sha256: Sha256;
  /** The header of the file */
  columns: string[];
  /** Why the file was refused */
  problems: BulkFileProblem[];
}

export type BulkBatchId = string;

export interface BulkBatchListResponse {
  data: BulkBatch[];
  meta: Meta;
}

export interface BulkBatchOptions {
  /** For every envelope, in addition to those of its row */
  tags?: TagName[];
  /** Shown to each signer; null removes it */
  message?: string | null;
  /** Counted from the moment the envelope is sent */
  expires_in_days?: number;
  reminders?: EnvelopeReminders | null;
  /** true: starting requires `certification`, which counts for every envelope */
  auto_vault_enabled?: boolean;
}

export interface BulkBatchResponse {
  data: BulkBatch;
}

/** checking: the rows are being checked. checked: ready to start. refused: the file cannot be used, see `problems`. queued: starts when the bulk send before it has ended. paused: see `reason`; start it again, or check the rows again with retry. ended: every ready row was sent or failed. cancelled: the rows that were left were skipped */
export type BulkBatchState = "checking" | "checked" | "refused" | "queued" | "running" | "paused" | "ended" | "cancelled";

export interface BulkFileProblem {
  /** null for the file as a whole */
  column: string | null;
  message: string;
}

export interface BulkOptions {
  /** Of the bulk send. The default is the name of the file */
  readonly name?: Name | undefined;
  /** For every envelope, in addition to those of its row */
  readonly tags?: readonly TagName[] | undefined;
  /** Shown to each signer; null removes it */
  readonly message?: string | null | undefined;
  /** Counted from the moment the envelope is sent */
  readonly expires_in_days?: number | undefined;
  readonly reminders?: EnvelopeRemindersInput | null | undefined;
  /** true: starting requires `certification`, which counts for every envelope */
  readonly auto_vault_enabled?: boolean | undefined;
  /** Only false: identity questions are personal, so true is 422 */
  readonly kba_required?: boolean | undefined;
}

export interface BulkRow {
  /** As a spreadsheet numbers it: the header is row 1 */
  row_no: number;
  state: BulkRowState;
  /** From the moment the envelope is created. A row that failed can have a draft */
  envelope_id: EnvelopeId | null;
  errors: BulkRowFault[];
  warnings: BulkRowFault[];
  /** In the order of `columns` of the bulk send; null after they were deleted */
  cells: string[] | null;
}

export interface BulkRowFault {
  /** null for the row as a whole */
  column: string | null;
  code: string;
  /** Follows the name of the column */
  message: string;
}

export interface BulkRowListResponse {
  data: BulkRow[];
  meta: Meta;
}

/** ready: checked and not sent yet. invalid: see `errors`; it is not sent. sent: the envelope was sent. failed: it could not be sent, see `errors`. skipped: the bulk send was cancelled before its turn */
export type BulkRowState = "ready" | "invalid" | "sent" | "failed" | "skipped";

export interface CapturedMessage {
  message_id: MessageId;
  to: string;
  /** What the message is about, for example `signing_invitation` */
  kind: string;
  envelope_id: EnvelopeId | null;
  subject: string | null;
  text: string | null;
  html: string | null;
  /** The links in the text, in their order: a signing link is one of them */
  links: string[];
  created_at: Timestamp;
}

export interface CapturedMessageListResponse {
  data: CapturedMessage[];
  meta: Meta;
}

export interface Certification {
  accepted: true;
  terms_version: string;
  terms_sha256: Sha256;
  accepted_by: Certifier | null;
}

export interface CertificationInput {
  readonly accepted: boolean;
  /** The current version, from `get_certification_terms` */
  readonly terms_version: string;
  readonly accepted_by?: CertifierInput | undefined;
}

export interface CertificationTerms {
  terms_version: string;
  terms_sha256: Sha256;
  /** Markdown */
  text: string;
  effective_at: Timestamp;
}

export interface CertificationTermsResponse {
  data: CertificationTerms;
}

export interface Certifier {
  name: string;
  email: string;
}

/** The person who accepts the terms. Without it the API key or user accepts them */
export interface CertifierInput {
  readonly name: Name;
  readonly email: Email;
}

export interface ChangeEnvelopeDocumentRequest {
  readonly name?: Name | undefined;
  /** Its new place in the order. A number beyond the end means last */
  readonly document_no?: number | undefined;
}

export interface ChangeRecipientRequest {
  /** Another person takes this place, with a new link. Consent and entries start again */
  readonly email?: Email | undefined;
  readonly name?: Name | undefined;
  /** Not below the step that is running */
  readonly step?: number | undefined;
  /** Shown to this person only, below the message of the envelope */
  readonly message?: string | null | undefined;
  readonly locale?: SignerLocale | undefined;
}

export interface ChangeTemplateDocumentRequest {
  readonly name?: Name | undefined;
  /** Its new place in the order. A number beyond the end means last */
  readonly document_no?: number | undefined;
}

export interface CodeMail {
  /** `queued`: it has not left yet, and we keep trying. `sent`: a mail server has accepted it. `failed`: it will not be sent. Null: no mailed code can be entered */
  state: CodeMailState | null;
}

export interface CodeMailResponse {
  data: CodeMail;
}

export type CodeMailState = "queued" | "sent" | "failed";

export interface CompletedEnvelope {
  envelope_id: EnvelopeId;
  envelope_name: string;
  status: EnvelopeStatus;
  completed_at: Timestamp;
  /** At most 5, by step */
  recipients: AttentionRecipient[];
  /** All of them, also those that are not in `recipients` */
  recipient_count: number;
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

export interface ComplianceResponse {
  data: Compliance;
}

/** proven: all eight checks. attested: score 100, at least one check attested. not_passed: below 100. left, destroyed: what became of the copy. not_assessed: the latest certificate is from before grades */
export type ComplianceStanding = "proven" | "attested" | "not_passed" | "left" | "destroyed" | "not_assessed";

export interface ComplianceWarning {
  code: ComplianceWarningCode;
  message: string;
}

export type ComplianceWarningCode = "secured_party_incomplete" | "time_self_operated" | "seal_self_issued" | "lock_application_only" | "identity_asserted_by_partner" | "kba_weak_provider" | "low_resolution" | "signatures_removed_by_cleaning" | "tamper_detected" | "custodian_not_designated_by_secured_party" | "time_late" | "witness_conflict" | "log_not_public" | "controller_is_depositor" | "possible_duplicate" | "instrument_not_identified" | "release_not_witnessed" | "recovered_after_release" | "transferable_record_not_agreed";

export interface ConfirmFactorRequest {
  readonly code: string;
  /** Required while an organization requires the user's first factor, as in a `limited` session: the code that was mailed when the factor was created, or printed by the operator */
  readonly email_code?: string | undefined;
}

export interface ConfirmIdentityRequest {
  /** 12 to 128 characters */
  readonly password?: string | undefined;
  /** Of an authenticator app. Required if you have a second factor, unless `recovery_code` is given */
  readonly code?: string | undefined;
  /** One of the recovery codes, instead of `code` */
  readonly recovery_code?: string | undefined;
  /** What a passkey signed, with the options of POST /auth/passkey/start */
  readonly passkey?: PasskeyAssertion | undefined;
}

export interface ConfirmedFactor {
  factor_id: FactorId;
  /** Only for the first factor */
  recovery_codes?: string[];
}

export interface ConfirmedFactorResponse {
  data: ConfirmedFactor;
}

export interface ConfirmedIdentity {
  /** Until then this session can call operations that need a recent confirmation */
  confirmed_until: Timestamp;
}

export interface ConfirmedIdentityResponse {
  data: ConfirmedIdentity;
}

export interface Contact {
  name: string | null;
  email: string;
  /** null for a person who is not a customer */
  customer_id: CustomerId | null;
  /** When you last sent an envelope to this address */
  last_used_at: Timestamp | null;
}

export interface ControlBatch {
  control_batch_id: ControlBatchId;
  kind: ControlBatchKind;
  state: ControlBatchState;
  reason: string;
  /** The act that the parties confirm; null for re_evaluate and evidence */
  act_id: ActId | null;
  /** The root of the Merkle tree over the items, which the document of the act names */
  root: Sha256;
  /** How many records */
  count: number;
  done: number;
  skipped: number;
  created_by: Actor;
  created_at: Timestamp;
  /** When the last record got its result */
  finished_at: Timestamp | null;
}

export interface ControlBatchFilter {
  readonly customer_id?: CustomerId | undefined;
  /** The secured party on record */
  readonly controller_party_id?: PartyId | undefined;
  readonly external_ids?: readonly string[] | undefined;
}

export type ControlBatchId = string;

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

export interface ControlBatchItemListResponse {
  data: ControlBatchItem[];
  meta: Meta;
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

export type ControlBatchKind = "designate" | "assign" | "pledge" | "release_pledge" | "move_custody" | "transfer_out" | "re_evaluate" | "evidence";

export interface ControlBatchListResponse {
  data: ControlBatch[];
  meta: Meta;
}

export interface ControlBatchParty {
  party_id: PartyId | null;
  name: string;
  identifier: string | null;
}

export interface ControlBatchReport {
  document: ControlBatchReportDocument;
  /** Ed25519 over the canonical JSON (RFC 8785) of `document` */
  signature: string;
}

export interface ControlBatchReportDocument {
  type: "countersign/control-batch-report/1";
  org_id: OrgId;
  control_batch_id: ControlBatchId;
  kind: ControlBatchKind;
  act_id: ActId | null;
  act_sha256: Sha256 | null;
  root: Sha256;
  count: number;
  done: number;
  skipped: number;
  created_at: Timestamp;
  finished_at: Timestamp;
  items: ControlBatchReportItem[];
  /** The key of this installation that signed the report */
  key_id: string;
}

export interface ControlBatchReportItem {
  index: number;
  envelope_id: EnvelopeId;
  copy_sha256: Sha256;
  state: "done" | "skipped";
  code: string | null;
  result: { [name: string]: unknown } | null;
  settled_at: Timestamp;
}

export interface ControlBatchReportResponse {
  data: ControlBatchReport;
}

export interface ControlBatchResponse {
  data: ControlBatch;
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

/** proposed: not everyone has confirmed. running: records get their result one after the other. done: every record has its result, and the report is signed */
export type ControlBatchState = "proposed" | "running" | "done" | "refused" | "cancelled" | "expired";

export interface CopyTemplateRequest {
  /** The default is the name of the template, followed by (copy) */
  readonly name?: Name | undefined;
}

export interface CorrectSignerRequest {
  readonly email?: Email | undefined;
  readonly name?: Name | undefined;
  readonly locale?: SignerLocale | undefined;
}

export interface CreateAuditGrantRequest {
  readonly party_id: PartyId;
  readonly envelope_ids?: readonly EnvelopeId[] | undefined;
  readonly filter?: AuditFilterInput | undefined;
  readonly may_download: boolean;
  readonly until: Timestamp;
}

export interface CreateAuditSinkRequest {
  readonly kind: AuditSinkKind;
  /** For webhook an address that webhooks may be sent to, for syslog one such as `syslog+tls://logs.example.com:6514` */
  readonly target: string;
  readonly enabled?: boolean | undefined;
  readonly from?: AuditSinkFrom | undefined;
}

export interface CreateBulkBatchRequest {
  /** At most 50 MB */
  readonly file: FileInput;
  readonly template_id: string;
  readonly options?: BulkOptions | undefined;
}

export interface CreateControlBatchRequest {
  readonly kind: ControlBatchKind;
  readonly reason: Reason;
  /** The records, instead of filter */
  readonly envelope_ids?: readonly EnvelopeId[] | undefined;
  /** All active records in the vault that match every given member */
  readonly filter?: ControlBatchFilter | undefined;
  /** For designate, assign, pledge and release_pledge */
  readonly party_id?: PartyId | undefined;
  /** The new custodian; only for move_custody */
  readonly user_id?: UserId | undefined;
  /** Only for transfer_out */
  readonly vault_id?: RemoteVaultId | undefined;
}

export interface CreateCustomerRequest {
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly company?: string | null | undefined;
  readonly job_title?: string | null | undefined;
  readonly entity_type?: string | null | undefined;
  readonly client_id?: string | null | undefined;
  readonly category?: string | null | undefined;
  readonly industry?: string | null | undefined;
  readonly address_line1?: string | null | undefined;
  readonly address_line2?: string | null | undefined;
  readonly city?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly postal_code?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly website_url?: string | null | undefined;
  readonly primary_contact_name?: string | null | undefined;
}

export interface CreateEmbedTokenRequest {
  readonly envelope_id: string;
  /** The person who will use the widget. If the address is not a recipient's, the document is read-only */
  readonly user_email: Email;
  readonly widget_type: WidgetType;
  /** The language of the widget, added to `embed_url` as `?lang=`. Default: the language of the signer, if any */
  readonly locale?: Locale | undefined;
}

export interface CreateEndpointRequest {
  /** Must start with https://; http:// works only if the installation allows it */
  readonly url: string;
  readonly description?: string | null | undefined;
  readonly event_types?: EventTypeFilter | undefined;
  readonly enabled?: boolean | undefined;
}

export interface CreateEnvelopeRequest {
  readonly envelope_name: Name;
  readonly customer_email: Email;
  readonly customer_name: Name;
  readonly template_id?: string | undefined;
  /** Your own id for the envelope */
  readonly external_id?: string | undefined;
  /** Values by the name of the template's field */
  readonly prefilled_data?: { readonly [name: string]: unknown } | undefined;
  readonly secured_party?: SecuredPartyInput | undefined;
  readonly record_type?: RecordType | undefined;
  readonly instrument?: InstrumentInput | undefined;
  /** Only for record_type transferable_record: the roles of its makers. Before signing, they accept a text that says that the document is a transferable record */
  readonly maker_roles?: readonly Label[] | undefined;
  readonly signers?: readonly EnvelopeSignerInput[] | undefined;
  /** Everyone whom the envelope is for. Not together with `signers`, which is the short form for people who sign */
  readonly recipients?: readonly DraftRecipient[] | undefined;
  /** true: signers answer identity questions before they can sign */
  readonly kba_required?: boolean | undefined;
  /** true: the document is stored in the vault after everyone has signed. Sending then requires `certification` */
  readonly auto_vault_enabled?: boolean | undefined;
  /** Names of tags. A tag that does not exist yet is created. Case does not matter */
  readonly tags?: readonly TagName[] | undefined;
  /** The member who looks after the envelope. The default is its creator, or the creator of the API key */
  readonly owner_user_id?: UserId | undefined;
  /** Your own data, at most 4 KiB as JSON. Returned as `metadata.custom` */
  readonly metadata?: { readonly [name: string]: unknown } | undefined;
  /** Shown to each signer; null removes it */
  readonly message?: string | null | undefined;
  /** The subject of the e-mail that asks for the signature. It can contain the placeholders {{recipient_name}}, {{sender_name}}, {{organization}}, {{envelope_name}}, {{message}} and {{expires_at}}; null uses the organization's subject */
  readonly mail_subject?: string | null | undefined;
  readonly signing_order?: SigningOrder | undefined;
  /** Counted from the moment the envelope is sent */
  readonly expires_in_days?: number | undefined;
  readonly reminders?: EnvelopeRemindersInput | null | undefined;
}

export interface CreateFormRequest {
  readonly template_id: TemplateId;
  /** Shown on the form, and the name of its envelopes. Default: the template's name */
  readonly name?: Name | undefined;
  readonly settings?: FormSettingsBody | undefined;
}

export interface CreateKeyRequest {
  /** Any text that helps you recognize who uses the key */
  readonly partner_name: string;
  /** What the key is allowed to do */
  readonly scopes: readonly Scope[];
  /** The maximum number of requests in any 60 seconds */
  readonly rate_limit_rpm?: number | undefined;
  /** From then on, requests with the key return 401; null: it does not expire. From 1 hour to 5 years ahead */
  readonly expires_at?: Timestamp | null | undefined;
  /** The addresses that the key works from, as ranges such as `203.0.113.0/24`. Empty: all. From other addresses it returns 401 */
  readonly allowed_cidrs?: readonly string[] | undefined;
}

export interface CreatePartyRequest {
  readonly kind: "people" | "org" | "vault";
  readonly name: Name;
  readonly identifier?: string | undefined;
  readonly address?: string | undefined;
  readonly people?: readonly PartyPersonInput[] | undefined;
  /** Only for kind org */
  readonly org_id?: OrgId | undefined;
  /** Only for kind vault: a vault that you have pinned */
  readonly vault_id?: RemoteVaultId | undefined;
}

export interface CreateRemoteVaultRequest {
  /** The address of the installation: https, or http on this machine */
  readonly url: string;
  /** SHA-256 of its root certificate */
  readonly root_sha256: Sha256;
  /** The organization there */
  readonly org_id: OrgId;
  readonly name?: Name | undefined;
}

export interface CreateSandboxRequest {
  readonly name: string;
}

export interface CreateSsoConnectionRequest {
  readonly name: string;
  /** The issuer's address, exactly as the provider publishes it */
  readonly issuer: string;
  readonly client_id: string;
  /** Stored encrypted and never shown */
  readonly client_secret: string;
  /** What we ask the provider for; `openid` and `email` are needed */
  readonly scopes?: readonly string[] | undefined;
  /** The claim of the ID token that names roles, such as `roles` or `realm_access.roles`. The role is then set at each log-in, and other changes of it return 409. Null: members keep the role that they are given by hand */
  readonly role_claim?: string | null | undefined;
  /** The first one whose value is in the claim decides */
  readonly role_map?: readonly SsoRoleRuleInput[] | undefined;
  /** The role if no rule applies, and of new members without `role_claim`. Null: they get no access */
  readonly default_role?: Role | null | undefined;
  /** Whether an address counts that the provider says it did not verify. Only in domains that are proved by DNS */
  readonly trust_email?: boolean | undefined;
  /** The value that the claim `acr` must have. With it or `required_amr`, a log-in counts as a second factor */
  readonly required_acr?: string | null | undefined;
  /** Values that the claim `amr` must contain, such as `mfa` */
  readonly required_amr?: readonly string[] | null | undefined;
  /** A session ends this many hours after the log-in, or earlier if the organization demands it */
  readonly max_hours?: number | undefined;
  readonly provision?: SsoProvisioning | undefined;
}

export interface CreateTemplateRequest {
  /** At most 50 MB */
  readonly file: FileInput;
  readonly name: Name;
  /** Your own id for the template */
  readonly external_id?: string | undefined;
  readonly fields_json?: readonly FieldInput[] | undefined;
  readonly maker_roles_json?: readonly Label[] | undefined;
}

export interface CreateVaultExportRequest {
  readonly recipient: VaultExportRecipientInput;
  readonly reason: Reason;
}

export interface CreateViewRequest {
  readonly name: Label;
  /** Parameters of the list of envelopes, as texts. Others are 422 */
  readonly query: { readonly [name: string]: unknown };
  /** true: every member sees it. Only members and admins can share */
  readonly shared?: boolean | undefined;
  readonly position?: number | undefined;
}

export interface CreatedTemplate {
  template_id: TemplateId;
  /** The id of the template at the signing provider */
  provider_template_id: number | null;
  name: string;
  fields_added: number;
  fields: PlacedTemplateField[];
  warnings?: Warning[];
}

export interface CreatedTemplateResponse {
  data: CreatedTemplate;
}

export interface CurrentUser {
  user: User;
  /** Whether the address is verified. An account with an unverified address cannot join another organization */
  email_verified: boolean;
  /** The language in which the user gets documents to sign from their own organizations, if the sender chooses none. Null for that of the organization */
  locale: Locale | null;
  /** False if only passkeys log in */
  has_password: boolean;
  /** By when the user must add a second factor, because the organization requires one. Null if nothing is due */
  second_factor_due_at: Timestamp | null;
  /** The organization of this session */
  org: OrganizationReference;
  role: Role;
  /** What the role allows in this organization */
  permissions: Permission[];
  /** All organizations of the user, with their sandboxes. A session of single sign-on shows only its own, and in a sandbox the organization with all its sandboxes */
  orgs: Membership[];
  /** Only if the session began with single sign-on: its connection. Such a session stays in its organization and cannot change the account */
  sso_connection_id?: SsoConnectionId;
}

export interface CurrentUserResponse {
  data: CurrentUser;
}

export interface Custodian {
  user_id: UserId;
  name: string;
  email: string;
  /** null: no longer a member. Their copies need another custodian */
  role: Role | null;
  /** Number of authoritative copies whose custodian is this person */
  copies: number;
}

export interface CustodianListResponse {
  data: Custodian[];
  meta: Meta;
}

export type CustodianPermissionId = string;

export interface CustodianTransferEvent {
  event_type: "custodian.transfer";
  event_id: string;
  org_id: string;
  envelope_id: string | null;
  timestamp: Timestamp;
  data: CustodianTransferEventData;
}

export interface CustodianTransferEventData {
  envelope_id: string;
  from_user_id: string;
  to_user_id: string;
  permission_id: string;
  customer_id: string | null;
  external_id: string | null;
  form_id?: string;
  batch_id?: string;
  /** Only in events of a sandbox */
  test?: true;
}

export interface CustodyTransfer {
  permission_id: CustodianPermissionId;
  envelope_id: EnvelopeId;
  from_user_id: UserId;
  to_user_id: UserId;
  status: CustodyTransferStatus;
  initiated_at: Timestamp;
  expires_at: Timestamp;
  reason: string | null;
  initiated_by: Actor;
  /** When it was accepted, rejected or cancelled, or when it expired */
  decided_at: Timestamp | null;
}

export interface CustodyTransferInitiated {
  permission_id: CustodianPermissionId;
  envelope_id: EnvelopeId;
  from_user_id: UserId;
  to_user_id: UserId;
  status: CustodyTransferStatus;
  initiated_at: Timestamp;
  expires_at: Timestamp;
}

export interface CustodyTransferInitiatedResponse {
  data: CustodyTransferInitiated;
}

export interface CustodyTransferListResponse {
  data: CustodyTransfer[];
  meta: Meta;
}

export interface CustodyTransferResponse {
  data: CustodyTransfer;
}

export type CustodyTransferStatus = "pending" | "accepted" | "rejected" | "cancelled" | "expired";

export interface Customer {
  customer_id: CustomerId;
  name: string | null;
  email: string | null;
  phone: string | null;
  company: string | null;
  job_title: string | null;
  entity_type: string | null;
  /** Your own ID for the customer, unique; case is ignored */
  client_id: string | null;
  category: string | null;
  industry: string | null;
  address_line1: string | null;
  address_line2: string | null;
  city: string | null;
  state: string | null;
  postal_code: string | null;
  country: string | null;
  website_url: string | null;
  primary_contact_name: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface CustomerCandidate {
  customer_id: string;
  name: string | null;
  client_id: string | null;
}

export type CustomerId = string;

export interface CustomerListResponse {
  data: Customer[];
  meta: Meta;
}

export interface CustomerResponse {
  data: Customer;
}

export interface CustomerRowError {
  /** As in a spreadsheet, the header is row 1 */
  row: number;
  /** Null if the error concerns the whole row */
  column: string | null;
  message: string;
}

export interface CustomerUpload {
  /** Total of created, updated and failed rows */
  rows: number;
  created: number;
  /** Rows with a known client_id, including those that changed nothing */
  updated: number;
  failed: number;
  /** The first 1,000 errors */
  errors: CustomerRowError[];
}

export interface CustomerUploadResponse {
  data: CustomerUpload;
}

export type Day = string;

export interface DeactivatedApiKey {
  key_id: KeyId;
  status: "deactivated";
  deactivated_at: Timestamp;
}

export interface DeactivatedApiKeyResponse {
  data: DeactivatedApiKey;
}

export interface DecideActRequest {
  readonly decision: ActDecision;
  readonly sha256: Sha256;
  readonly reason?: Reason | undefined;
}

export interface DecideRemoteRequestRequest {
  readonly decision: ActDecision;
  readonly sha256: Sha256;
  readonly reason?: Reason | undefined;
}

export interface DeclineTestEnvelopeRequest {
  /** The signer or approver who declines */
  readonly email: Email;
  /** An approver must give one */
  readonly reason?: string | undefined;
}

export interface DeletedAuditSink {
  sink_id: AuditSinkId;
  deleted: true;
}

export interface DeletedAuditSinkResponse {
  data: DeletedAuditSink;
}

export interface DeletedCustomer {
  customer_id: CustomerId;
  deleted: true;
}

export interface DeletedCustomerResponse {
  data: DeletedCustomer;
}

export interface DeletedSandbox {
  org_id: OrgId;
  deleted: true;
}

export interface DeletedSandboxResponse {
  data: DeletedSandbox;
}

export interface DeletedView {
  view_id: ViewId;
}

export interface DeletedViewResponse {
  data: DeletedView;
}

export interface DeletedWebhookEndpoint {
  endpoint_id: EndpointId;
  deleted: true;
}

export interface DeletedWebhookEndpointResponse {
  data: DeletedWebhookEndpoint;
}

export type DeliveryId = string;

export interface DestroyedFile {
  what: string;
  sha256: Sha256;
  /** Bytes */
  size: number;
  /** Not removed, because a template or another record uses the same bytes */
  kept: boolean;
}

export type DetailCode = "email_code_required" | "required" | "invalid_type" | "invalid_format" | "invalid_value" | "too_small" | "too_big" | "too_long" | "duplicate" | "step_missing" | "unknown_role" | "unknown_field" | "does_not_fit" | "not_found" | "out_of_range" | "conflict" | "insufficient_scope" | "certification_required" | "certification_terms_outdated" | "voided" | "declined" | "expired" | "read_only" | "consent_required" | "agreement_required" | "document_not_rendered" | "identity_required" | "identity_expired" | "identity_unavailable" | "locked" | "not_your_turn" | "mailed_link_required" | "identity_level_too_low" | "adopt_first" | "stale" | "precondition_failed" | "custodian_of_copies" | "record_mismatch" | "not_vaulted" | "other_controller" | "exported" | "tampered" | "destroyed" | "unknown_browser" | "sign_in_to_join" | "invitation_for_other_address" | "address_not_verified" | "address_verified" | "account_exists" | "mail_not_set_up" | "malformed_request" | "duplicate_host" | "malformed_json" | "malformed_form" | "form_part_missing" | "form_json_malformed" | "file_twice" | "invalid_api_key" | "api_key_in_authorization" | "invalid_session" | "invalid_credentials" | "invalid_refresh_token" | "invalid_token" | "invalid_code" | "invalid_login_token" | "invalid_sso_code" | "invalid_passkey" | "scope_missing" | "admin_required" | "insufficient_permission" | "role_too_low" | "session_required" | "draft_of_another" | "origin_refused" | "not_your_task" | "token_not_renewable" | "download_not_granted" | "evidence_for_parties" | "transfer_of_your_own" | "recipient_must_acknowledge" | "export_key_for_recipient" | "same_principal" | "no_principal" | "not_asked" | "vault_not_pinned" | "transfer_to_another" | "reauthentication_required" | "enrollment_required" | "sso_required" | "address_not_allowed" | "not_provisioned" | "passkey_required" | "code_required" | "key_not_found" | "sandbox_not_found" | "member_not_found" | "invitation_not_found" | "envelope_not_found" | "recipient_not_found" | "document_not_found" | "signer_not_found" | "template_not_found" | "session_not_found" | "tag_not_found" | "problem_not_found" | "view_not_found" | "form_not_found" | "customer_not_found" | "message_not_found" | "party_not_found" | "person_not_found" | "act_not_found" | "batch_not_found" | "control_batch_not_found" | "audit_grant_not_found" | "pledge_not_found" | "link_not_found" | "page_not_found" | "audit_sink_not_found" | "endpoint_not_found" | "event_not_found" | "delivery_not_found" | "transfer_not_found" | "export_not_found" | "ending_not_found" | "hold_not_found" | "device_not_found" | "factor_not_found" | "domain_not_found" | "connection_not_found" | "sso_not_offered" | "passkey_not_found" | "remote_vault_not_found" | "remote_request_not_found" | "vault_transfer_not_found" | "method_not_allowed" | "act_closed" | "control_batch_closed" | "control_batch_unfinished" | "batch_wrong_state" | "batch_has_invalid_rows" | "batch_without_ready_rows" | "batch_without_rows_to_retry" | "batch_rows_erased" | "template_changed" | "control_changed" | "party_not_enrolled" | "confirmation_required" | "party_exists" | "last_approver" | "setup_done" | "key_deactivated" | "last_admin" | "already_member" | "invitation_ended" | "address_taken" | "password_missing" | "passkeys_missing" | "codes_unavailable" | "too_many_factors" | "sandbox_follows_live" | "too_many_sandboxes" | "sandbox_resetting" | "sandbox_full" | "managed_by_sso" | "domain_taken" | "domain_exists" | "domain_not_proven" | "domain_verified" | "too_many_domains" | "too_many_connections" | "member_without_factor" | "operator_only" | "factor_missing" | "passkey_known" | "too_many_passkeys" | "template_archived" | "template_without_document" | "template_without_counterpart" | "fields_changed" | "several_customers" | "client_id_taken" | "customer_audited" | "customer_too_large" | "customers_changed" | "customer_kept" | "tag_exists" | "too_many_tags" | "problem_handled" | "too_many_views" | "envelope_wrong_status" | "document_not_reusable" | "envelope_without_document" | "envelope_changed" | "signer_opened" | "form_closed" | "form_address_taken" | "recipient_without_mail" | "recipient_has_acted" | "last_signer" | "last_document" | "several_documents" | "maker_required" | "nobody_to_remind" | "reminded_already" | "message_closed" | "envelope_ended" | "already_signed" | "session_mismatch" | "challenge_over" | "signer_locked" | "mail_server_missing" | "mail_sender_missing" | "mail_sender_changed" | "registry_awaited" | "registration_required" | "agreement_not_needed" | "signing_stale" | "signer_signed" | "kba_not_required" | "paper_not_requested" | "document_not_ready" | "envelope_not_vaulted" | "copy_wrong_state" | "vault_already_pinned" | "vault_in_use" | "vault_transfer_pending" | "vault_transfer_closed" | "receipt_missing" | "receipt_on_record" | "lineage_is_live" | "copy_on_hold" | "transfer_pending" | "transfer_closed" | "custody_changed" | "receiver_gone" | "export_closed" | "export_receipt_used" | "not_downloaded" | "ending_closed" | "ending_not_done" | "paper_downloaded" | "retention_not_over" | "object_lock_not_over" | "record_pledged" | "export_key_erased" | "retention_shorter" | "bytes_not_recorded" | "document_already_vaulted" | "use_vault_in_signed" | "nothing_to_review" | "secured_party_on_record" | "assignee_changed" | "secured_party_missing" | "too_many_audit_sinks" | "too_many_endpoints" | "endpoint_disabled" | "endpoint_deleted" | "audit_position_unknown" | "idempotency_in_progress" | "idempotency_secret" | "request_timeout" | "headers_too_large" | "body_too_large" | "bulk_file_too_large" | "file_too_large" | "wrong_form_type" | "wrong_media_type" | "not_a_pdf" | "not_a_document" | "not_evidence" | "wrong_host" | "control_batch_refused" | "invalid_request" | "search_too_broad" | "page_too_deep" | "export_too_large" | "message_malformed" | "message_not_signed" | "message_not_for_this_vault" | "release_not_for_this_vault" | "release_not_proven" | "message_contradicts" | "batch_asks_vault" | "message_out_of_order" | "document_blank" | "upload_is_a_copy" | "pdf_unreadable" | "pdf_encrypted" | "pdf_restricted" | "pdf_too_complex" | "pdf_content_lost" | "pdf_dynamic_xfa" | "pdf_not_drawable" | "image_unreadable" | "image_too_large" | "tags_invalid" | "envelope_too_large" | "provider_cannot" | "unknown_roles" | "anchor_not_found" | "occurrence_out_of_range" | "area_outside_page" | "page_out_of_range" | "idempotency_mismatch" | "would_lock_out" | "invalid_link" | "rate_limited" | "internal" | "template_not_saved" | "provider_rejected" | "provider_unreachable" | "template_pdf_unavailable" | "document_unavailable" | "identity_provider_away" | "name_servers_away" | "provider_not_configured" | "pdf_busy" | "passwords_busy" | "disk_full" | "storage_away" | "key_service_away" | "database_away" | "not_ready";

export type DeviceId = string;

export type DocumentContentType = "application/pdf" | "image/png" | "image/jpeg";

export type DocumentId = string;

export interface DocumentPage {
  /** Displayed width in points (1/72 inch) */
  w_pt: number;
  /** Displayed height in points */
  h_pt: number;
  /** Rotation of the page in degrees */
  rotate: number;
  /** false: no anchor text can be found on this page */
  has_text: boolean;
  /** Resolution of an image that covers the page; null if there is none */
  scan_dpi: number | null;
}

export interface DocumentToPlaceOn {
  document_id: DocumentId;
  document_no: number;
  name: string;
  pages: DocumentPage[];
}

export type DomainMailbox = "postmaster" | "admin" | "hostmaster";

export type DomainProofMethod = "dns" | "mail";

export interface Done {
  done: true;
}

export interface DoneResponse {
  data: Done;
}

export interface DownloadDocumentsRequest {
  readonly envelope_ids: readonly EnvelopeId[];
}

export interface DraftIdentity {
  /** `access_code`: the draft keeps that a code is asked for, never the code. Name it in the request that sends */
  method: "email_code" | "access_code";
}

export interface DraftIdentityInput {
  /** `access_code`: the draft keeps that a code is asked for, never the code. Name it in the request that sends */
  readonly method: "email_code" | "access_code";
}

export interface DraftRecipient {
  readonly kind: RecipientKind;
  readonly email: Email;
  readonly name: Name;
  /** People of the same step act at the same time, after everyone of the steps before. On everyone who acts, or on none */
  readonly step?: number | null | undefined;
  readonly locale?: SignerLocale | undefined;
  /** Shown to this person only, below the message of the envelope */
  readonly message?: string | null | undefined;
  readonly delivery?: RecipientDelivery | undefined;
  /** Names the person's fields. Required for signers; not for viewers and cc */
  readonly role?: Label | null | undefined;
  /** What the person will have to enter before they can see the document, in this order */
  readonly authentication?: readonly DraftIdentityInput[] | undefined;
}

export interface DuplicateReview {
  envelope_id: EnvelopeId;
  other_envelope_id: EnvelopeId;
  statement: string;
  /** The person behind the session or key */
  reviewed_by: UserId;
  at: Timestamp;
}

export interface DuplicateReviewResponse {
  data: DuplicateReview;
}

export type Email = string;

export interface EmailVerified {
  email_verified: true;
}

export interface EmailVerifiedResponse {
  data: EmailVerified;
}

export interface EmbedToken {
  token: string;
  expires_at: Timestamp;
  /** The token is in the fragment, which browsers do not send to servers */
  embed_url: string;
  widget_type: WidgetType;
  envelope_id: EnvelopeId;
}

export interface EmbedTokenResponse {
  data: EmbedToken;
}

export interface EndedSessions {
  /** How many sessions ended */
  ended: number;
}

export interface EndedSessionsResponse {
  data: EndedSessions;
}

export type EndpointId = string;

export interface Envelope {
  envelope_id: EnvelopeId;
  envelope_name: string;
  status: EnvelopeStatus;
  customer_id: CustomerId | null;
  external_id: string | null;
  template_id: TemplateId | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  vaulted: boolean;
  /** true: a compliance certificate exists, whatever its score */
  compliant: boolean;
  metadata: EnvelopeMetadata;
}

export type EnvelopeAction = "remind" | "void" | "discard" | "tag" | "untag" | "set_owner";

export interface EnvelopeActionFailure {
  envelope_id: EnvelopeId;
  /** The error code that the request for this envelope alone would have */
  code: string;
  error: string;
}

export interface EnvelopeActionResult {
  done: EnvelopeId[];
  failed: EnvelopeActionFailure[];
}

export interface EnvelopeActionResultResponse {
  data: EnvelopeActionResult;
}

export interface EnvelopeAuditEntry {
  /** Place in the hash chain, counted from 1 */
  seq: number;
  type: string;
  at: Timestamp;
  actor: AuditActor;
  /** null after the data was erased */
  data: { [name: string]: unknown } | null;
  hash: Sha256;
}

export interface EnvelopeAuditEntryListResponse {
  data: EnvelopeAuditEntry[];
  meta: Meta;
}

export interface EnvelopeCounts {
  pending: number;
  uploaded: number;
  preparing: number;
  sent: number;
  viewed: number;
  completed: number;
  vaulted: number;
  declined: number;
  voided: number;
  expired: number;
}

export interface EnvelopeCreatedEvent {
  event_type: "envelope.created";
  event_id: string;
  org_id: string;
  envelope_id: string | null;
  timestamp: Timestamp;
  data: EnvelopeCreatedEventData;
}

export interface EnvelopeCreatedEventData {
  envelope_id: string;
  customer_id: string | null;
  external_id: string | null;
  form_id?: string;
  batch_id?: string;
  /** Only in events of a sandbox */
  test?: true;
}

export interface EnvelopeDocument {
  document_id: DocumentId;
  /** Its place in the order, from 1. Fields name their document by it */
  document_no: number;
  name: string;
  pages: number;
  /** SHA-256 of the stored file */
  hash: string;
  /** Of the stored file, in bytes */
  size: number;
  contentType: string;
  /** Where it begins in the document that was sent; null before that */
  first_page: number | null;
}

export interface EnvelopeDocuments {
  envelope_id: EnvelopeId;
  documents: EnvelopeDocument[];
  warnings?: Warning[];
}

export interface EnvelopeDocumentsResponse {
  data: EnvelopeDocuments;
}

export interface EnvelopeField {
  name: string;
  type: FieldType;
  /** null in a draft whose tags name no role; the first signer then fills in the field */
  role: string | null;
  required: boolean;
  /** Where the anchor text was found; only for fields placed by an anchor */
  anchor_match?: FieldArea;
  /** Fractions of the page as displayed, measured from its top left corner */
  areas: FieldArea[];
  /** The number of its document; missing for the first one. Pages count within the document */
  document?: number;
  /** true: signers cannot change its value */
  readonly: boolean;
  default_value: string | null;
  /** Choices of a select or radio field; null for other types */
  options: string[] | null;
  settings?: FieldSettings;
  /** By which programs name the field */
  field_key?: string;
  /** What the sender has filled in */
  prefilled?: string;
}

export interface EnvelopeFields {
  envelope_id: EnvelopeId;
  /** Roles of the fields, in the order in which they first appear */
  roles: string[];
  pages: DocumentPage[];
  /** The documents in order. `pages` next to it has the pages of all of them */
  documents: DocumentToPlaceOn[];
  fields: EnvelopeField[];
}

export interface EnvelopeFieldsResponse {
  data: EnvelopeFields;
}

export type EnvelopeId = string;

export interface EnvelopeMetadata {
  /** Your own data, as given in `metadata` when the envelope was created */
  custom: { [name: string]: unknown } | null;
  /** true: created by uploading a customer's document */
  is_upload: boolean;
  directory_id: string | null;
  auto_vault_enabled: boolean;
  kba_required: boolean;
  sent_at: Timestamp | null;
  expires_at: Timestamp | null;
  signer_count: number;
  secured_party: SecuredParty | null;
  record_type: RecordType;
  instrument: Instrument | null;
  /** Only for record_type transferable_record: the roles of its makers. Before signing, they accept a text that says that the document is a transferable record */
  maker_roles: Label[];
  vault_file_path: string | null;
  /** Shown to each signer; null removes it */
  message: string | null;
  /** The subject of the e-mail that asks for the signature. It can contain the placeholders {{recipient_name}}, {{sender_name}}, {{organization}}, {{envelope_name}}, {{message}} and {{expires_at}}; null uses the organization's subject */
  mail_subject: string | null;
  signing_order: SigningOrder;
  /** Counted from the moment the envelope is sent */
  expires_in_days: number;
  reminders: EnvelopeReminders | null;
  /** The signers of a draft, as PATCH accepts them. null after the envelope is sent; use list_signers instead */
  signers: EnvelopeSigner[] | null;
  /** Everyone whom the envelope is for, by step */
  recipients: Recipient[];
  tags: string[];
  /** The member who looks after the envelope; null if the installation created it */
  owner_user_id: UserId | null;
  /** The public form on which a visitor started the envelope; null for every other envelope */
  form_id: FormId | null;
  /** The bulk send that created the envelope */
  batch_id: BulkBatchId | null;
  /** The API key that created the envelope; null if a person or the installation did */
  prepared_by: PreparingKey | null;
}

export interface EnvelopeRecipient {
  readonly kind: RecipientKind;
  readonly email: Email;
  readonly name: Name;
  /** People of the same step act at the same time, after everyone of the steps before. On everyone who acts, or on none */
  readonly step?: number | null | undefined;
  readonly locale?: SignerLocale | undefined;
  /** Shown to this person only, below the message of the envelope */
  readonly message?: string | null | undefined;
  readonly delivery?: RecipientDelivery | undefined;
  /** Names the person's fields. Required for signers; not for viewers and cc */
  readonly role?: Label | null | undefined;
}

export interface EnvelopeReminder {
  envelope_id: EnvelopeId;
  /** The e-mail addresses of the reminded signers */
  reminded: string[];
  reminded_at: Timestamp;
}

export interface EnvelopeReminderResponse {
  data: EnvelopeReminder;
}

export interface EnvelopeReminderSentEvent {
  event_type: "envelope.reminder_sent";
  event_id: string;
  org_id: string;
  envelope_id: string | null;
  timestamp: Timestamp;
  data: EnvelopeReminderSentEventData;
}

export interface EnvelopeReminderSentEventData {
  envelope_id: string;
  reminded: string[];
  customer_id: string | null;
  external_id: string | null;
  form_id?: string;
  batch_id?: string;
  /** Only in events of a sandbox */
  test?: true;
}

/** Automatic reminders for signers whose turn it is; null turns them off */
export interface EnvelopeReminders {
  every_days: number;
  /** Days from sending to the first reminder. The default is `every_days` */
  first_after_days?: number;
  /** The last reminder is sent this many days before the envelope expires. By default they go on until it expires */
  last_days_before?: number;
}

/** Automatic reminders for signers whose turn it is; null turns them off */
export interface EnvelopeRemindersInput {
  readonly every_days: number;
  /** Days from sending to the first reminder. The default is `every_days` */
  readonly first_after_days?: number | undefined;
  /** The last reminder is sent this many days before the envelope expires. By default they go on until it expires */
  readonly last_days_before?: number | undefined;
}

export interface EnvelopeResponse {
  data: Envelope;
}

export interface EnvelopeSentEvent {
  event_type: "envelope.sent";
  event_id: string;
  org_id: string;
  envelope_id: string | null;
  timestamp: Timestamp;
  data: EnvelopeSentEventData;
}

export interface EnvelopeSentEventData {
  envelope_id: string;
  sent_at: string;
  submission_id: string;
  customer_id: string | null;
  external_id: string | null;
  form_id?: string;
  batch_id?: string;
  /** Only in events of a sandbox */
  test?: true;
}

export interface EnvelopeSigner {
  email: Email;
  name: Name;
  role: Label;
  locale?: SignerLocale;
}

export interface EnvelopeSignerInput {
  readonly email: Email;
  readonly name: Name;
  readonly role: Label;
  readonly locale?: SignerLocale | undefined;
}

/** -created_at: newest first. -updated_at: latest change first. expires_at: open envelopes by expiry date, then the others. envelope_name: by name */
export type EnvelopeSort = "-created_at" | "-updated_at" | "expires_at" | "envelope_name";

export type EnvelopeStatus = "pending" | "uploaded" | "preparing" | "sent" | "viewed" | "completed" | "vaulted" | "declined" | "voided" | "expired";

export interface EnvelopeStatusSummary {
  envelope_id: EnvelopeId;
  status: EnvelopeStatus;
  vaulted: boolean;
  compliant: boolean;
  /** When the last signer signed */
  signed_at: Timestamp | null;
  updated_at: Timestamp;
}

export interface EnvelopeStatusSummaryResponse {
  data: EnvelopeStatusSummary;
}

export interface EnvelopeSummary {
  envelope_id: EnvelopeId;
  envelope_name: string;
  status: EnvelopeStatus;
  customer_id: CustomerId | null;
  external_id: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  /** Only with expand=signers, in signing order. Before sending, the signers saved with the draft */
  signers?: EnvelopeSummarySigner[];
  /** Only with expand=customer */
  customer?: EnvelopeSummaryCustomer | null;
  /** Only with expand=recipients. Before sending, the people saved with the draft */
  recipients?: Recipient[];
  /** Only with expand=tags */
  tags?: string[];
  /** Only with expand=owner */
  owner?: EnvelopeSummaryOwner | null;
}

export interface EnvelopeSummaryCustomer {
  customer_id: CustomerId;
  name: string | null;
  email: string | null;
}

export interface EnvelopeSummaryListResponse {
  data: EnvelopeSummary[];
  meta: Meta;
}

export interface EnvelopeSummaryOwner {
  user_id: UserId;
  name: string;
}

export interface EnvelopeSummarySigner {
  name: string;
  email: string;
  role: string;
  order: number;
  status: SignerStatus;
}

export interface EnvelopeVoidedEvent {
  event_type: "envelope.voided";
  event_id: string;
  org_id: string;
  envelope_id: string | null;
  timestamp: Timestamp;
  data: EnvelopeVoidedEventData;
}

export interface EnvelopeVoidedEventData {
  envelope_id: string;
  reason: string;
  customer_id: string | null;
  external_id: string | null;
  form_id?: string;
  batch_id?: string;
  /** Only in events of a sandbox */
  test?: true;
}

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

export type EventId = string;

export type EventType = "envelope.created" | "envelope.sent" | "envelope.voided" | "envelope.reminder_sent" | "vault.stored" | "vault.compliance.passed" | "vault.compliance.failed" | "custodian.transfer" | "webhook.test" | "envelope.viewed" | "envelope.completed" | "envelope.declined" | "envelope.expired" | "vault.document.accessed" | "vault.document.tamper_detected" | "custodian.accepted" | "custodian.rejected";

export interface EventTypeDescription {
  event_type: string;
  status: EventTypeStatus;
  /** The JSON schema of the event's data */
  schema: { [name: string]: unknown };
}

export interface EventTypeDescriptionListResponse {
  data: EventTypeDescription[];
  meta: Meta;
}

/** Event types, or all of one kind such as `vault.*`. Without it, or if it is empty or `*`, the endpoint gets every event */
export type EventTypeFilter = readonly string[];

export type EventTypeStatus = "dispatched" | "reserved";

export interface ExtendRetentionRequest {
  /** Not earlier than the date on record, and within 100 years */
  readonly retention_until: Timestamp;
}

export interface Factor {
  factor_id: FactorId;
  /** `totp`: an authenticator app */
  kind: FactorKind;
  name: string;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
}

export type FactorId = string;

export type FactorKind = "totp" | "passkey";

export interface FactorResponse {
  data: Factor;
}

export interface Factors {
  factors: Factor[];
  /** How many recovery codes are unused */
  recovery_codes_left: number;
}

export interface FactorsResponse {
  data: Factors;
}

export interface FailedJob {
  problem_id: ProblemId;
  /** What failed, such as `vault.store` */
  task: string;
  envelope_id: EnvelopeId | null;
  /** Null for members who may not read envelopes */
  envelope_name: string | null;
  /** `retrying`: it failed several times and is tried again. `failed`: it is not tried any more. `retry_requested`: a worker tries it within seconds. `resolved`: it is done. `discarded`: the operator gave it up */
  state: "retrying" | "failed" | "retry_requested" | "resolved" | "discarded";
  attempts: number;
  first_failed_at: Timestamp;
  last_failed_at: Timestamp;
  next_attempt_at: Timestamp | null;
  /** The kind of cause, as a sentence */
  explanation: string;
  can_retry: boolean;
}

export interface FailedJobListResponse {
  data: FailedJob[];
  meta: Meta;
}

export interface FieldArea {
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Fractions of the page as displayed, measured from its top left corner */
export interface FieldAreaInput {
  /** Counted from 1, within the document */
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface FieldInput {
  readonly name: Label;
  readonly type: PlaceableFieldType;
  /** The role of the signer who fills in the field. Required, except for a label */
  readonly role?: Label | undefined;
  /** The choices of a select or radio field, 2 to 100 */
  readonly options?: readonly string[] | undefined;
  readonly settings?: FieldSettingsInput | undefined;
  /** By which programs name the field, once in a document. Made from its name if it is not given */
  readonly field_key?: string | undefined;
  /** The number of the document that it is on; 1 if it is not given */
  readonly document?: number | undefined;
  readonly required?: boolean | undefined;
  /** For text, date, number, select, radio, and label fields; dates are YYYY-MM-DD */
  readonly default_value?: string | undefined;
  readonly placement: FieldPlacement;
}

export type FieldPlacement = AbsolutePlacement | AnchorPlacement;

/** Either a new field, which needs `name`, `type`, `role` and `placement`, or an existing field with `keep` */
export interface FieldReplacement {
  readonly name?: Label | undefined;
  readonly type?: PlaceableFieldType | undefined;
  /** The role of the signer who fills in the field. Required for a new field, except for a label */
  readonly role?: Label | null | undefined;
  /** The choices of a select or radio field, 2 to 100 */
  readonly options?: readonly string[] | null | undefined;
  readonly settings?: FieldSettingsInput | undefined;
  /** By which programs name the field, once in a document. Made from its name if it is not given */
  readonly field_key?: string | undefined;
  /** The number of the document that it is on; 1 if it is not given */
  readonly document?: number | undefined;
  readonly required?: boolean | undefined;
  /** A value that a field of this type can hold; null removes it */
  readonly default_value?: string | null | undefined;
  readonly placement?: FieldPlacement | undefined;
  readonly keep?: KeptField | undefined;
  /** Moves a kept field to these areas; only with `keep` */
  readonly areas?: readonly FieldAreaInput[] | undefined;
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

/** What a field has beyond its type. Each type has its own settings; others are refused with 422 */
export interface FieldSettingsInput {
  /** The sender fills in the field before sending, and it is locked for the signer. Not for signatures, initials and labels */
  readonly sender_fills?: boolean | undefined;
  /** text: whether it can have several lines. Without it a text with settings has one line, and a text without any settings as many as fit its area */
  readonly multiline?: boolean | undefined;
  /** text: the largest number of characters, 1 to 2000. Not together with `mask` */
  readonly max_length?: number | undefined;
  /** text: `email`; `phone`, which is `+` and 6 to 15 digits (spaces and hyphens are removed); `digits`; or `letters`, which are letters, spaces, hyphens and apostrophes of any script */
  readonly format?: string | undefined;
  /** text: its form, such as `99-AA-9999`: `9` is a digit, `A` a letter of any script, `*` either; everything else stands as it is. At most 100 characters */
  readonly mask?: string | undefined;
  /** date: `signing_day` fills in the day of signing, in the signer's time zone, otherwise in UTC. No other setting beside it */
  readonly fill?: string | undefined;
  /** date: the first day allowed, YYYY-MM-DD */
  readonly earliest?: string | undefined;
  /** date: the last day allowed, YYYY-MM-DD */
  readonly latest?: string | undefined;
  /** number: the smallest value, as text such as "0.5". checkbox, on the first field of a group: how many boxes must be ticked, as text such as "1" */
  readonly min?: string | undefined;
  /** number: the largest value, as text. checkbox, on the first field of a group: how many boxes can be ticked, as text */
  readonly max?: string | undefined;
  /** number: digits after the decimal point, 0 to 6; zeros are added */
  readonly places?: number | undefined;
  /** number: written after the value, at most 20 characters */
  readonly unit?: string | undefined;
  /** checkbox: the name of its group among the fields of its role, at most 50 characters */
  readonly group?: string | undefined;
}

export type FieldType = "signature" | "initials" | "text" | "date" | "number" | "checkbox" | "select" | "radio" | "label";

export interface FindContactsResponse {
  data: Contact[];
}

/** file: the same file. revision: the file with something appended. ours: made from the same record by this service. text: the same words. instrument: the same declared instrument. pdf_id: the same identifier of the PDF */
export type FingerprintKind = "file" | "revision" | "ours" | "text" | "instrument" | "pdf_id";

export interface FinishLogInRequest {
  readonly login_token: string;
  /** Of an authenticator app. Required if you have a second factor, unless `recovery_code` is given */
  readonly code?: string | undefined;
  /** One of the recovery codes, instead of `code` */
  readonly recovery_code?: string | undefined;
  /** What a passkey signed, with the options of POST /auth/passkey/start */
  readonly passkey?: PasskeyAssertion | undefined;
  /** Do not ask for a second factor in this browser again, for as long as the organization allows. Only for browsers, not for `mode: token` */
  readonly remember_device?: boolean | undefined;
  /** `token`: the refresh token is in the response, for programs. `cookie` (the default): it is set as a cookie that scripts cannot read */
  readonly mode?: SessionMode | undefined;
}

export interface Form {
  form_id: FormId;
  name: string;
  template_id: TemplateId;
  /** The address to publish */
  url: string;
  state: FormState;
  settings: FormSettings;
  /** Envelopes that visitors have started */
  opened: number;
  /** Of these, the ones that everyone has finished */
  completed: number;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export type FormId = string;

export interface FormListResponse {
  data: Form[];
  meta: Meta;
}

export interface FormRecipient {
  kind: RecipientKind;
  email: string;
  name: string;
  role: string | null;
  step: number | null;
  locale: Locale | null;
  message: string | null;
  delivery: RecipientDelivery;
}

export interface FormResponse {
  data: Form;
}

export interface FormSettings {
  visitor_role: string;
  recipients: FormRecipient[];
  /** true: visitors get a link by e-mail before anything is created. false: they sign at once, their address is not verified and gets no e-mail, and an unsigned envelope expires after 24 hours */
  verify_email: boolean;
  /** Envelopes in any 24 hours */
  max_per_day: number;
  /** The form closes after this number of envelopes; null: no limit */
  max_total: number | null;
  /** Shown to the visitor after signing; null: only the standard words */
  success_text: string | null;
  /** From this time on, the form is closed; null: never */
  closes_at: Timestamp | null;
}

export interface FormSettingsBody {
  /** The role in which visitors sign. Default: the first role of the template that no other recipient has */
  readonly visitor_role?: Label | undefined;
  /** The other people of every envelope. Visitors act first; with steps, visitors have step 1 and the others the steps you give */
  readonly recipients?: readonly EnvelopeRecipient[] | undefined;
  /** true: visitors get a link by e-mail before anything is created. false: they sign at once, their address is not verified and gets no e-mail, and an unsigned envelope expires after 24 hours */
  readonly verify_email?: boolean | undefined;
  /** Envelopes in any 24 hours */
  readonly max_per_day?: number | undefined;
  /** The form closes after this number of envelopes; null: no limit */
  readonly max_total?: number | null | undefined;
  /** Shown to the visitor after signing; null: only the standard words */
  readonly success_text?: string | null | undefined;
  /** From this time on, the form is closed; null: never */
  readonly closes_at?: Timestamp | null | undefined;
}

/** closed: after `closes_at`, after `max_total` envelopes, or while the template is archived or has changed so that no envelope could be sent */
export type FormState = "open" | "paused" | "closed";

export interface FormerCustomer {
  customer_id: CustomerId;
  name: string | null;
  email: string | null;
  /** null if the customer had none, or if the other customer took it over */
  client_id: string | null;
  merged_at: Timestamp;
}

export interface FormerCustomerListResponse {
  data: FormerCustomer[];
  meta: Meta;
}

export type IdentityMethod = "email_code" | "access_code" | "kba";

export interface IdentityQuestion {
  readonly text: string;
  /** Stored as a hash and never shown again */
  readonly answer: string;
}

export interface InitiateCustodyTransferRequest {
  /** The member who is asked to take custody */
  readonly to_user_id: string;
  readonly reason?: Reason | undefined;
  readonly expires_in_days?: number | undefined;
}

export interface InstanceKey {
  /** root: issues seal certificates. records: signs checkpoints, bundles and receipts. log: signs the notes of the log. vault: others encrypt for this vault with it */
  purpose: InstanceKeyPurpose;
  /** Counts the keys of a purpose, from 1 */
  generation: number;
  /** SHA-256 of the public key */
  key_id: Sha256;
  algorithm: string;
  /** Of a root: SHA-256 of its certificate; null for other keys */
  certificate_sha256: Sha256 | null;
  /** Of a root; null for other keys */
  certificate_expires_at: Timestamp | null;
  not_before: Timestamp;
  /** null while in use. A replaced key of the log keeps signing for 30 days */
  not_after: Timestamp | null;
  revoked_at: Timestamp | null;
  /** What it signed from then on does not count */
  invalid_from: Timestamp | null;
  /** Why it ended or was revoked: `rotated`, `key_lost` or another reason */
  reason: string | null;
}

export type InstanceKeyPurpose = "root" | "records" | "log" | "vault";

/** The instrument that the document is. A second record of the same one is recognized by it, also as a scan */
export interface Instrument {
  /** For example promissory note */
  type: Label;
  number: Label;
  date: Day;
}

/** The instrument that the document is. A second record of the same one is recognized by it, also as a scan */
export interface InstrumentInput {
  /** For example promissory note */
  readonly type: Label;
  readonly number: Label;
  readonly date: Day;
}

export interface Invitation {
  invitation_id: InvitationId;
  email: string;
  role: Role;
  /** Null when the operator of the installation sent the invitation */
  invited_by: UserId | null;
  created_at: Timestamp;
  expires_at: Timestamp;
  accepted_at: Timestamp | null;
  revoked_at: Timestamp | null;
}

export type InvitationId = string;

export interface InvitationListResponse {
  data: Invitation[];
  meta: Meta;
}

export interface InviteMemberRequest {
  readonly email: Email;
  readonly role: Role;
}

/** The existing field to keep. Its type cannot change; the values given next to `keep` replace those it has */
export interface KeptField {
  /** Index of the field in the current list, counted from 0 */
  readonly position: number;
  /** Current name of the field */
  readonly name: string;
}

export interface KeyCaller {
  org_id: OrgId;
  org_name: string;
  /** `test`: the organization is a sandbox */
  mode: Mode;
  /** Null for a console session */
  key_id: KeyId | null;
  partner_name: string | null;
  scopes: Scope[];
  rate_limit_rpm: number | null;
  /** true: unknown fields in a body are ignored and listed in `X-Ignored-Fields`; false: they are refused with 422 */
  lenient_fields: boolean;
  /** The address of the console, where people work */
  console_url: string;
}

export interface KeyCallerResponse {
  data: KeyCaller;
}

export type KeyId = string;

export interface KnownBrowser {
  device_id: DeviceId;
  /** The browser and its system, as it named itself at its last log-in */
  browser: string;
  first_ip: string;
  last_ip: string;
  created_at: Timestamp;
  /** The last log-in */
  last_seen_at: Timestamp;
  known_until: Timestamp;
  /** When the user asked that this browser replaces their second factor, for as long as each organization allows. Null if they did not */
  remembered_at: Timestamp | null;
  /** Whether the session of this request began in this browser */
  current: boolean;
}

export interface KnownBrowsers {
  devices: KnownBrowser[];
}

export interface KnownBrowsersResponse {
  data: KnownBrowsers;
}

export type Label = string;

export interface LatestCompleted {
  /** At most 5, the latest first */
  items: CompletedEnvelope[];
}

export interface LatestCompletedResponse {
  data: LatestCompleted;
}

export interface LegalHold {
  hold_id: LegalHoldId;
  envelope_id: EnvelopeId;
  reason: string;
  placed_by: Actor;
  placed_at: Timestamp;
  released_by: Actor | null;
  /** null while the hold is in force */
  released_at: Timestamp | null;
}

export type LegalHoldId = string;

export interface LegalHoldListResponse {
  data: LegalHold[];
  meta: Meta;
}

export interface LegalHoldResponse {
  data: LegalHold;
}

export interface LegalText {
  kind: LegalTextKind;
  version: string;
  locale: Locale;
  sha256: Sha256;
  /** Which lawyer who practises in this language has read the text, and when. Null: none has */
  review: LegalTextReview | null;
}

export type LegalTextKind = "disclosure" | "intent" | "terms" | "agreement";

export interface LegalTextReview {
  by: string;
  at: Day;
}

export interface LegalTexts {
  texts: LegalText[];
}

export interface LegalTextsResponse {
  data: LegalTexts;
}

export interface LinkMessage {
  kind: LinkMessageKind;
  at: Timestamp;
  /** The message in canonical JSON, as base64 */
  bytes: string;
  /** Ed25519 over these bytes by the records key of the vault that sends them, as base64 */
  signature: string;
}

export interface LinkMessageFile {
  /** The message in canonical JSON, as base64 */
  bytes: string;
  /** Ed25519 over these bytes by the records key of the vault that sends them, as base64 */
  signature: string;
}

export type LinkMessageKind = "offer" | "package" | "release" | "cancel" | "accept" | "ready" | "receipt" | "refusal";

export interface LinkMessageReceived {
  transfer_id: VaultTransferId;
  /** Of the side that took the message */
  state: VaultTransferState;
  /** The latest message of that side, which the sender may have missed */
  reply: LinkMessageFile | null;
}

export interface LinkMessageReceivedResponse {
  data: LinkMessageReceived;
}

export interface ListActMessagesResponse {
  data: ActMessage[];
}

export interface ListActRequestsResponse {
  data: Act[];
}

export interface ListRemoteRequestMessagesResponse {
  data: ActMessage[];
}

export interface ListTagsResponse {
  data: TagSummary[];
}

export interface ListVaultTransferMessagesResponse {
  data: LinkMessage[];
}

export interface ListViewsResponse {
  data: SavedView[];
}

export type Locale = "en" | "es" | "fr" | "de";

export interface LogInByPasskeyRequest {
  readonly passkey: PasskeyAssertion;
  readonly org_id?: OrgId | undefined;
  /** `token`: the refresh token is in the response, for programs. `cookie` (the default): it is set as a cookie that scripts cannot read */
  readonly mode?: SessionMode | undefined;
}

export interface LogInRequest {
  readonly email: string;
  /** 12 to 128 characters */
  readonly password: string;
  readonly org_id?: OrgId | undefined;
  /** `token`: the refresh token is in the response, for programs. `cookie` (the default): it is set as a cookie that scripts cannot read */
  readonly mode?: SessionMode | undefined;
}

export interface LogOutRequest {
  /** If it is left out and there is no token, the cookie is used */
  readonly refresh_token?: string | undefined;
}

export interface LogRestart {
  origin: string;
  at: Timestamp;
}

export interface LogState {
  tree_size: number;
  root: string;
  at: Timestamp;
  /** The checkpoint as a signed note */
  note: string | null;
}

export interface MailSender {
  from_name: string;
  from_address: string;
  /** Your own mail server; null: that of the installation */
  smtp: MailSenderServerState | null;
  records: MailSenderRecord[];
  checked_at: Timestamp | null;
  /** Null: e-mails come from the installation's address until a check finds the DKIM record */
  verified_at: Timestamp | null;
}

export interface MailSenderRecord {
  record: MailSenderRecordName;
  /** The name under which the TXT record is published */
  name: string;
  /** For DKIM the text to publish. For SPF and DMARC a suggestion, if you have no record yet */
  value: string;
  /** What the last check found; `unknown` if the name servers did not answer. Null before the first check */
  state: MailSenderRecordState | null;
  /** The texts of this kind that the last check found */
  found: string[];
}

export type MailSenderRecordName = "dkim" | "spf" | "dmarc";

export type MailSenderRecordState = "found" | "missing" | "different" | "unknown";

export interface MailSenderServer {
  /** A public name or address */
  readonly host: string;
  readonly port: number;
  /** true: TLS from the first byte (usually port 465). false: STARTTLS is required (usually port 587) */
  readonly secure: boolean;
  readonly user: string | null;
  /** Stored encrypted and never shown */
  readonly password: string | null;
}

export interface MailSenderServerState {
  /** A public name or address */
  host: string;
  port: number;
  /** true: TLS from the first byte (usually port 465). false: STARTTLS is required (usually port 587) */
  secure: boolean;
  user: string | null;
}

export interface MailSenderState {
  sender: MailSender | null;
}

export interface MailSenderStateResponse {
  data: MailSenderState;
}

export interface MailText {
  kind: MailTextKind;
  locale: Locale;
  subject: string | null;
  intro: string | null;
  footer: string | null;
  updated_at: Timestamp;
}

export type MailTextKind = "invitation" | "reminder" | "completed" | "declined" | "voided" | "expired" | "copy";

export interface MailTextPreview {
  subject: string;
  text: string;
  html: string;
  /** Your address, if the preview was mailed */
  sent_to: string | null;
}

export interface MailTextPreviewResponse {
  data: MailTextPreview;
}

export interface MailTextResponse {
  data: MailText;
}

export interface MailTexts {
  /** The organization's own words */
  texts: MailText[];
  /** The standard words of every kind in every language, with placeholders */
  standard: StandardMailText[];
  placeholders: string[];
}

export interface MailTextsResponse {
  data: MailTexts;
}

export interface Member {
  user_id: UserId;
  email: string;
  name: string;
  role: Role;
  joined_at: Timestamp;
  /** Whether the member has a second factor. Only admins see it, in the list */
  second_factor?: boolean;
}

export interface MemberListResponse {
  data: Member[];
  meta: Meta;
}

export interface MemberResponse {
  data: Member;
}

export interface Membership {
  org_id: OrgId;
  name: string;
  role: Role;
  /** Only for a sandbox: its organization */
  sandbox_of?: OrgId;
}

export interface MergeCustomersRequest {
  /** The customer that is merged away */
  readonly duplicate_customer_id: CustomerId;
}

export interface MergedCustomers {
  customer: Customer;
  merged_customer_id: CustomerId;
  envelopes_moved: number;
}

export interface MergedCustomersResponse {
  data: MergedCustomers;
}

export type MessageId = string;

export interface Meta {
  page: number;
  limit: number;
  total: number;
  /** true: counting stopped at `total`. There are more, but no pages after it */
  total_capped?: boolean;
}

export type Mode = "live" | "test";

export type Name = string;

export interface NewApiKey {
  key_id: KeyId;
  partner_name: string;
  /** The first 7 and the last 4 characters of the raw key */
  key_hint: string;
  scopes: Scope[];
  rate_limit_rpm: number;
  /** `test`: a key of a sandbox, which reaches test data alone */
  mode: Mode;
  /** `expired`: `expires_at` has passed. Requests with an expired or deactivated key return 401 */
  status: ApiKeyStatus;
  /** true: unknown fields in a body are ignored and listed in `X-Ignored-Fields`; false: they are refused with 422 */
  lenient_fields: boolean;
  /** Your own notes, at most 4,096 bytes as JSON. They have no effect on webhook endpoints, which belong to the organization */
  webhook: { [name: string]: unknown } | null;
  /** From then on, requests with the key return 401; null: it does not expire. From 1 hour to 5 years ahead */
  expires_at: Timestamp | null;
  /** The addresses that the key works from, as ranges such as `203.0.113.0/24`. Empty: all. From other addresses it returns 401 */
  allowed_cidrs: string[];
  last_used_at: Timestamp | null;
  last_used_ip: string | null;
  last_used_user_agent: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  rotated_at: Timestamp | null;
  /** When the raw key from before the last rotation stops working; null if it no longer works */
  previous_key_expires_at: Timestamp | null;
  deactivated_at: Timestamp | null;
  /** The admin who created the key */
  created_by: UserId | null;
  /** The raw key. It is only in this response; store it now */
  api_key: string;
}

export interface NewApiKeyResponse {
  data: NewApiKey;
}

export interface NewInvitation {
  invitation_id: InvitationId;
  email: string;
  role: Role;
  /** Null when the operator of the installation sent the invitation */
  invited_by: UserId | null;
  created_at: Timestamp;
  expires_at: Timestamp;
  accepted_at: Timestamp | null;
  revoked_at: Timestamp | null;
  /** Only without a mail server. Otherwise the link is only in the e-mail, so that accepting it verifies the address */
  accept_url?: string;
}

export interface NewInvitationResponse {
  data: NewInvitation;
}

export interface NewTotp {
  factor_id: FactorId;
  /** In base32, for an app that cannot scan */
  secret: string;
  /** For a QR code that the app scans */
  otpauth_url: string;
}

export interface NewTotpResponse {
  data: NewTotp;
}

export interface Notification {
  notification_id: NotificationId;
  /** `expires_soon`: within two days. `mail_failed`: a message to a signer could not be delivered. `action_needed`: a signer is locked out after a failed identity check, or asks to sign on paper, or it is your turn in an envelope for which you get no mail, or a bulk send is paused. `batch_ended`: a bulk send has ended */
  kind: NotificationKind;
  envelope_id: EnvelopeId | null;
  /** The bulk send that it is about */
  batch_id: BulkBatchId | null;
  /** What happened, in English, with the names of that time */
  text: string;
  created_at: Timestamp;
  read_at: Timestamp | null;
}

export type NotificationId = string;

export type NotificationKind = "completed" | "declined" | "expires_soon" | "expired" | "mail_failed" | "action_needed" | "batch_ended";

export interface NotificationKinds {
  completed: NotificationWays;
  declined: NotificationWays;
  expires_soon: NotificationWays;
  expired: NotificationWays;
  mail_failed: NotificationWays;
  action_needed: NotificationWays;
  batch_ended: NotificationWays;
}

export interface NotificationKindsChange {
  readonly completed?: NotificationWaysChange | undefined;
  readonly declined?: NotificationWaysChange | undefined;
  readonly expires_soon?: NotificationWaysChange | undefined;
  readonly expired?: NotificationWaysChange | undefined;
  readonly mail_failed?: NotificationWaysChange | undefined;
  readonly action_needed?: NotificationWaysChange | undefined;
  readonly batch_ended?: NotificationWaysChange | undefined;
}

export interface NotificationListResponse {
  data: Notification[];
  meta: Meta;
}

export interface NotificationSettings {
  kinds: NotificationKinds;
}

export interface NotificationSettingsResponse {
  data: NotificationSettings;
}

export interface NotificationWays {
  /** Listed in the console */
  console: boolean;
  /** Sent by e-mail */
  mail: boolean;
}

export interface NotificationWaysChange {
  /** Listed in the console */
  readonly console?: boolean | undefined;
  /** Sent by e-mail */
  readonly mail?: boolean | undefined;
}

export type OrgDomainId = string;

export type OrgId = string;

export interface OrganizationAuditActor {
  kind: string;
  id: string;
}

export interface OrganizationAuditEntry {
  /** Position of the entry in the chain, counted from 1 */
  seq: number;
  /** What was done, for example `key.created` */
  type: string;
  at: Timestamp;
  actor: OrganizationAuditActor;
  /** Null after it was erased */
  data: { [name: string]: unknown } | null;
  /** SHA-256 in hexadecimal; the next entry includes it */
  hash: string;
}

export interface OrganizationAuditEntryListResponse {
  data: OrganizationAuditEntry[];
  meta: Meta;
}

export interface OrganizationBranding {
  accent?: BrandingColor;
  accent_text?: BrandingColor;
  background?: BrandingColor;
  surface?: BrandingColor;
  text?: BrandingColor;
  border?: BrandingColor;
  /** Corner radius, 0px to 16px */
  radius?: string;
  font?: BrandingFont;
  scheme?: BrandingScheme;
  /** A PNG of at most 100 KB and 1000 × 400 pixels */
  logo?: Base64;
}

export interface OrganizationBrandingInput {
  readonly accent?: BrandingColor | undefined;
  readonly accent_text?: BrandingColor | undefined;
  readonly background?: BrandingColor | undefined;
  readonly surface?: BrandingColor | undefined;
  readonly text?: BrandingColor | undefined;
  readonly border?: BrandingColor | undefined;
  /** Corner radius, 0px to 16px */
  readonly radius?: string | undefined;
  readonly font?: BrandingFont | undefined;
  readonly scheme?: BrandingScheme | undefined;
  /** A PNG of at most 100 KB and 1000 × 400 pixels; null removes it */
  readonly logo?: Base64 | null | undefined;
}

export interface OrganizationDomain {
  domain_id: OrgDomainId;
  domain: string;
  /** The name under which the TXT record is published */
  record_name: string;
  /** The text to publish */
  record_value: string;
  /** Null: the domain is not proved, or no longer */
  verified_at: Timestamp | null;
  /** How it was proved. A domain that is proved by `dns` is checked every day */
  method: DomainProofMethod | null;
  /** When the record was last found */
  last_seen_at: Timestamp | null;
  /** Since when the record is missing. After 30 days the domain is no longer verified */
  failing_since: Timestamp | null;
  /** The mailbox that the last link was mailed to */
  mailed_to: string | null;
  created_at: Timestamp;
}

export interface OrganizationDomainResponse {
  data: OrganizationDomain;
}

export interface OrganizationDomains {
  domains: OrganizationDomain[];
}

export interface OrganizationDomainsResponse {
  data: OrganizationDomains;
}

export interface OrganizationReference {
  org_id: OrgId;
  name: string;
}

export interface OrganizationSecurity {
  /** required: after the days of grace, a member without a second factor can only add one. Until then everything else returns 403 `enrollment_required` */
  second_factor: "off" | "required";
  /** How many days members have to add a second factor, from the day it became required or they joined */
  grace_days: number;
  /** How many days a browser in which a member proved a second factor needs the password alone, if the member asked for it. 0: never */
  remember_device_days: number;
  /** A session ends after this many minutes without a request, at most a minute late. Lists on a visible page of the console are refreshed by requests */
  idle_minutes: number;
  /** A session ends this many hours after the log-in */
  max_hours: number;
  /** The fewest characters of a new password. Existing passwords keep working */
  min_password: number;
  /** How many days ahead `expires_at` of an API key can be that is created or changed from now on; a new key without one gets the latest. Existing keys go on. Null: no limit */
  max_key_days: number | null;
  /** optional: members can log in with a connection of `/org/sso`. required: other log-ins get 403 `sso_required`, and sessions that began with one end with their next request, except those of `break_glass` */
  sso_mode: "off" | "optional" | "required";
  /** What everyone who acts on an envelope must at least prove, from the next envelope that is sent. 1: a code by e-mail is asked of people of whom nothing else is. 2: an access code or identity questions, and a code by e-mail, which is added; sending without one of the two is 422 `identity_level_too_low`. The levels are those of this service, not of eIDAS */
  min_identity_level: number;
  /** partner: level 1 is not asked of people with an embed token; it is left to your application, or to the member whose session made the token. same: it is. Visitors of public forms are always asked, and what a sender requires is too */
  embed_identity: "partner" | "same";
  /** At most 2 admins with a second factor, who log in without single sign-on where it is required. All admins get an e-mail each time. Only shown to members with the permission security:manage */
  break_glass?: UserId[];
  /** The addresses from which members use the organization, as ranges such as `203.0.113.0/24`. Empty: all. From other addresses log-ins get 403 `address_not_allowed`, and requests of sessions 401. API keys have lists of their own. Only shown to members with the permission security:manage */
  allowed_cidrs?: string[];
  /** When a second factor became required */
  second_factor_since: Timestamp | null;
  updated_at: Timestamp;
}

export interface OrganizationSecurityResponse {
  data: OrganizationSecurity;
}

export interface OrganizationSettings {
  name: Name;
  /** Exact origins such as https://app.example.com whose pages may embed signing and vault pages */
  embed_origins: string[];
  /** Minimum retention of documents that are stored in the vault from now on */
  min_retention_days: number;
  /** The member who becomes custodian of newly stored documents */
  default_custodian_user_id: UserId | null;
  /** Documents pass the compliance checks only with a time stamp from an external authority */
  require_external_time: boolean;
  /** Signers can only sign with the link in an e-mail that a mail server accepted. Embed tokens and other links get 409 */
  require_mailed_link: boolean;
  /** confirmed: a change of who controls or keeps a vaulted record takes effect only when each party concerned has confirmed it with a credential of its own. attested: a party without an approver is not asked, and the compliance checks say so. Records of the types transferable_record and chattel_paper are always under confirmed */
  control_policy: "attested" | "confirmed";
  /** The public status pages of vaulted documents show the names of the organization and of the secured party */
  status_shows_parties: boolean;
  default_locale: Locale;
  /** A time zone of the IANA database, such as Europe/Berlin. Times in e-mails to signers are in it until they have signed */
  time_zone: string;
  /** Where replies to e-mails go if neither a member nor a member's key sent the envelope */
  contact_email: Email | null;
  /** link: the e-mail that everyone has signed has a link to the document. attachment: it also has the document, up to the size that the operator allows. With auto-vault or a secured party that is a marked copy; otherwise it is the sealed document, which counts as a copy that was handed out */
  completed_mail: "link" | "attachment";
  branding: OrganizationBranding;
  updated_at: Timestamp;
}

export interface OrganizationSettingsResponse {
  data: OrganizationSettings;
}

export interface OutboxMessage {
  message_id: MessageId;
  to: string;
  /** Null after the message was sent, failed or expired, because its text is then erased */
  subject: string | null;
  /** What the message is about, for example `signing_invitation` */
  kind: string;
  /** `sent`: a mail server accepted the message, which does not show that it reached a mailbox */
  state: OutboxMessageState;
  created_at: Timestamp;
  /** When the mail server accepted the message */
  sent_at: Timestamp | null;
  /** The mail server's reply code and the SMTP command that it replied to */
  last_error: string | null;
}

export interface OutboxMessageListResponse {
  data: OutboxMessage[];
  meta: Meta;
}

export type OutboxMessageState = "queued" | "sent" | "failed";

export interface OutboxMessageWithText {
  message_id: MessageId;
  to: string;
  /** Null after the message was sent, failed or expired, because its text is then erased */
  subject: string | null;
  /** What the message is about, for example `signing_invitation` */
  kind: string;
  /** `sent`: a mail server accepted the message, which does not show that it reached a mailbox */
  state: OutboxMessageState;
  created_at: Timestamp;
  /** When the mail server accepted the message */
  sent_at: Timestamp | null;
  /** The mail server's reply code and the SMTP command that it replied to */
  last_error: string | null;
  text: string | null;
  html: string | null;
}

export interface OutboxMessageWithTextResponse {
  data: OutboxMessageWithText;
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

export interface Party {
  party_id: PartyId;
  /** people: persons act for it. org: another organization of this installation. vault: an organization of another installation, by a vault that you have pinned */
  kind: "people" | "org" | "vault";
  name: string;
  /** A registration number or the like, unique among your parties */
  identifier: string | null;
  address: string | null;
  org_id: OrgId | null;
  /** Of the pinned vault, for kind vault */
  vault_id: RemoteVaultId | null;
  people: PartyPerson[];
  /** When you first named an approver because none could be reached. What the party confirms since then is attested at most */
  approvers_replaced_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export type PartyId = string;

export interface PartyListResponse {
  data: Party[];
  meta: Meta;
}

export interface PartyPerson {
  person_id: PersonId;
  email: string;
  name: string;
  /** approve: confirms and refuses acts for the party. view: sees its records */
  rights: "approve" | "view";
  /** invited: has not logged in yet */
  state: "invited" | "active" | "removed";
  added_at: Timestamp;
}

export interface PartyPersonInput {
  readonly email: Email;
  readonly name: Name;
  readonly rights: "approve" | "view";
}

export interface PartyResponse {
  data: Party;
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

export type Permission = "envelopes:read" | "envelopes:write" | "drafts:write" | "esign:write" | "customers:read" | "customers:write" | "vault:read" | "vault:write" | "vault:release" | "compliance:read" | "custody:write" | "control:write" | "control:approve" | "parties:write" | "webhooks:read" | "webhooks:write" | "audit:read" | "members:manage" | "keys:manage" | "settings:manage" | "security:manage" | "mail:manage" | "audit:export";

export type PersonId = string;

export interface PlaceEnvelopeFieldsRequest {
  readonly fields: readonly FieldInput[];
}

export interface PlaceFieldsRequest {
  readonly fields: readonly FieldInput[];
}

export interface PlaceLegalHoldRequest {
  readonly reason: Reason;
}

export type PlaceableFieldType = "signature" | "initials" | "text" | "date" | "number" | "checkbox" | "select" | "radio" | "label";

export interface PlacedEnvelopeField {
  name: string;
  type: FieldType;
  /** null in a draft whose tags name no role; the first signer then fills in the field */
  role: string | null;
  required: boolean;
  /** Where the anchor text was found; only for fields placed by an anchor */
  anchor_match?: FieldArea;
  /** Fractions of the page as displayed, measured from its top left corner */
  areas: FieldArea[];
  /** The number of its document; missing for the first one. Pages count within the document */
  document?: number;
}

export interface PlacedEnvelopeFields {
  envelope_id: EnvelopeId;
  fields_added: number;
  fields: PlacedEnvelopeField[];
  warnings?: Warning[];
  /** Only with dry_run=true: every place where each anchor text was found. Match n is occurrence n */
  anchors?: AnchorMatches[];
}

export interface PlacedEnvelopeFieldsResponse {
  data: PlacedEnvelopeFields;
}

export interface PlacedTemplateField {
  name: string;
  type: FieldType;
  /** Null for a label */
  role: string | null;
  required: boolean;
  /** Where the anchor text was found; only for fields placed by an anchor */
  anchor_match?: FieldArea;
  /** Fractions of the page as displayed, measured from its top left corner */
  areas: FieldArea[];
  /** The number of its document; missing for the first one. Pages count within the document */
  document?: number;
}

export interface PlacedTemplateFields {
  template_id: TemplateId;
  fields_added: number;
  fields: PlacedTemplateField[];
  warnings?: Warning[];
  /** Only with dry_run=true: every place where each anchor text was found. Match n is occurrence n */
  anchors?: AnchorMatches[];
}

export interface PlacedTemplateFieldsResponse {
  data: PlacedTemplateFields;
}

export interface PossibleDuplicate {
  envelope_id: EnvelopeId;
  envelope_name: string;
  state: VaultCopyState;
  stored_at: Timestamp;
  other: PossibleDuplicateOther;
  /** What both records have in common */
  kinds: FingerprintKind[];
}

export interface PossibleDuplicateListResponse {
  data: PossibleDuplicate[];
  meta: Meta;
}

export interface PossibleDuplicateOther {
  envelope_id: EnvelopeId;
  envelope_name: string;
  state: VaultCopyState;
  stored_at: Timestamp;
}

export interface PreparingKey {
  key_id: KeyId;
  partner_name: string;
}

export interface PreviewEnvelopeRequest {
  /** A role that has fields */
  readonly role: Label;
  /** The language of the texts; English if it is left out */
  readonly lang?: Locale | undefined;
  readonly values?: readonly SigningFieldValue[] | undefined;
}

export interface PreviewMailTextRequest {
  readonly kind: MailTextKind;
  readonly locale: Locale;
  /** Plain text. It can contain {{recipient_name}}, {{sender_name}}, {{organization}}, {{envelope_name}}, {{message}}, {{expires_at}}. Null: the standard subject */
  readonly subject?: string | null | undefined;
  /** Plain text. It can contain {{recipient_name}}, {{sender_name}}, {{organization}}, {{envelope_name}}, {{message}}, {{expires_at}}. Null: the standard introduction */
  readonly intro?: string | null | undefined;
  /** Below the message, such as your postal address. Plain text. It can contain {{recipient_name}}, {{sender_name}}, {{organization}}, {{envelope_name}}, {{message}}, {{expires_at}}. Null: the organization's name */
  readonly footer?: string | null | undefined;
  readonly send?: boolean | undefined;
}

export interface PreviewTemplateRequest {
  /** A role that has fields */
  readonly role: Label;
  /** The language of the texts; English if it is left out */
  readonly lang?: Locale | undefined;
  readonly values?: readonly SigningFieldValue[] | undefined;
}

export interface PreviewedRecipient {
  /** Null if it is not known yet */
  name: string | null;
  role: string;
  kind: RecipientKind;
}

export type ProblemId = string;

export interface ProposeActRequest {
  readonly kind: "designate" | "correct_party" | "assign" | "release" | "participate" | "pledge" | "release_pledge" | "designate_custodian" | "move_custody" | "acknowledge_control" | "release_hold" | "transfer_out" | "export_out" | "paper_out" | "destroy" | "recover";
  readonly reason: Reason;
  /** control_version of the vault record, as you read it. Returns 409 if who controls or keeps the record changed in the meantime */
  readonly present_version: number;
  readonly party_id?: PartyId | undefined;
  /** In basis points; only for participate */
  readonly share_bp?: number | undefined;
  /** The custodian; for designate_custodian, move_custody and acknowledge_control */
  readonly user_id?: UserId | undefined;
  /** Only for release_hold */
  readonly hold_id?: LegalHoldId | undefined;
  /** Only for transfer_out */
  readonly vault_id?: RemoteVaultId | undefined;
  /** Who receives the original; for export_out and paper_out */
  readonly recipient?: VaultExportRecipientInput | undefined;
}

export interface ReadNotificationsRequest {
  readonly ids: readonly NotificationId[];
}

export type Reason = string;

export interface ReceiveActMessageRequest {
  /** The message in canonical JSON, as base64 */
  readonly bytes: string;
  /** Ed25519 over these bytes by the records key of the vault that sends them, as base64 */
  readonly signature: string;
}

export interface ReceiveVaultTransferMessageRequest {
  /** The message in canonical JSON, as base64 */
  readonly bytes: string;
  /** Ed25519 over these bytes by the records key of the vault that sends them, as base64 */
  readonly signature: string;
}

export interface Recipient {
  /** null in a draft */
  recipient_id: RecipientId | null;
  kind: RecipientKind;
  email: string;
  name: string;
  role: string | null;
  /** Recipients of the same step act at the same time; null for a cc who only gets the result */
  step: number | null;
  status: RecipientStatus;
  /** Identifies the recipient in paths. It does not open the document. null in a draft, and for callers who cannot send */
  slug: string | null;
  delivery: RecipientDelivery;
  /** When the person signed, approved, confirmed or declined */
  acted_at: Timestamp | null;
  locale: SignerLocale;
  /** To this person only */
  message: string | null;
  /** Only in a draft that asks the person for codes. After sending, `list_signers` says what is required of signers */
  authentication?: DraftIdentity[];
}

/** With `link`, the service sends this person no mail: hand over a link or embed the page */
export type RecipientDelivery = "email" | "link";

export type RecipientId = string;

/** A signer signs, an approver approves or rejects, a viewer confirms that they have read it, a cc gets a copy */
export type RecipientKind = "signer" | "approver" | "viewer" | "cc";

export interface RecipientResponse {
  data: Recipient;
}

export type RecipientStatus = "pending" | "viewed" | "signed" | "declined" | "locked" | "cancelled" | "approved" | "confirmed" | "delivered";

export interface Recipients {
  recipients: Recipient[];
}

export interface RecipientsResponse {
  data: Recipients;
}

export interface RecordEnding {
  ending_id: RecordEndingId;
  kind: RecordEndingKind;
  status: RecordEndingStatus;
  envelope_id: EnvelopeId;
  copy_id: AuthoritativeCopyId;
  act_id: ActId;
  reason: string;
  /** When the electronic record ended */
  begun_at: Timestamp;
  done_at: Timestamp | null;
  /** Of paper: who prints it */
  recipient: VaultExportRecipient | null;
  /** Of paper: the PDF for printing */
  pdf_sha256: Sha256 | null;
  /** Of paper: when the recipient first downloaded the PDF */
  downloaded_at: Timestamp | null;
  /** Of a destruction, once it is done */
  files: DestroyedFile[] | null;
  /** The sealed certificate; null until it is made */
  certificate_sha256: Sha256 | null;
}

export type RecordEndingId = string;

export type RecordEndingKind = "paper" | "destruction";

export interface RecordEndingListResponse {
  data: RecordEnding[];
  meta: Meta;
}

export interface RecordEndingResponse {
  data: RecordEnding;
}

/** begun: the paper is not printed yet, or the files are not removed yet. cancelled: the record returned to the vault */
export type RecordEndingStatus = "begun" | "done" | "cancelled";

/** What kind of record the document is, as declared */
export type RecordType = "chattel_paper" | "transferable_record" | "other";

export interface RecoveryCodes {
  /** Ten codes, each of which works once. They are shown only here */
  recovery_codes: string[];
}

export interface RecoveryCodesResponse {
  data: RecoveryCodes;
}

export interface RefreshSessionRequest {
  /** If it is left out, the cookie is used */
  readonly refresh_token?: string | undefined;
  readonly org_id?: OrgId | undefined;
}

export type RegisteredActKind = "designate" | "correct_party" | "assign" | "release" | "participate" | "pledge" | "release_pledge" | "designate_custodian" | "move_custody" | "acknowledge_control" | "release_hold" | "transfer_out" | "export_out" | "paper_out" | "destroy" | "recover";

export interface Registry {
  url: string;
  mode: RegistryMode;
  kinds: RegisteredActKind[];
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** gate: a confirmed act waits until the registry has accepted it. notify: the registry is told after an act took effect */
export type RegistryMode = "notify" | "gate";

export interface RegistryState {
  registry: Registry | null;
  /** Acts that wait for an answer of the registry */
  waiting: number;
  /** Why the latest request that is still open failed, as in webhook attempts */
  last_error: string | null;
}

export interface RegistryStateResponse {
  data: RegistryState;
}

export interface RejectCustodyTransferRequest {
  readonly reason?: Reason | undefined;
}

export interface RemindSignersRequest {
  /** Only these signers; without it every signer whose turn it is */
  readonly emails?: readonly string[] | undefined;
}

export interface RemoteRequest {
  request_id: RemoteRequestId;
  /** open: needs your decision. decided: the act has not ended yet. closed: nothing can be decided */
  state: RemoteRequestState;
  /** One line that says what is decided */
  summary: string;
  kind: ActKind;
  /** The organization whose act it is, as it calls itself */
  org_name: string;
  /** The installation that asks, which you have pinned */
  vault_id: RemoteVaultId;
  /** The name under which you pinned it */
  vault_name: string;
  /** The party that your organization stands for, as the other organization calls it */
  party_name: string;
  /** Of the other organization */
  act_id: string;
  /** What you agree to; sha256 is that of its canonical bytes (RFC 8785) */
  document: { [name: string]: unknown };
  sha256: Sha256;
  decision: ActDecision | null;
  reason: string | null;
  /** The member who decided, and the name of the API key if one was used; the other organization gets this */
  decided_by: RemoteRequestDecider | null;
  decided_at: Timestamp | null;
  /** The other installation has the decision, or no longer needs it */
  delivered: boolean;
  /** Why the decision could not be delivered yet, or the code with which the other installation refused it */
  last_error: string | null;
  /** How the act ended, as the other installation states it; unpinned: you unpinned that installation before */
  outcome: "effective" | "refused" | "cancelled" | "expired" | "superseded" | "unpinned" | null;
  received_at: Timestamp;
  expires_at: Timestamp;
  closed_at: Timestamp | null;
  updated_at: Timestamp;
}

export interface RemoteRequestDecider {
  name: string;
  email: string;
  key_name: string | null;
}

export type RemoteRequestId = string;

export interface RemoteRequestListResponse {
  data: RemoteRequest[];
  meta: Meta;
}

export interface RemoteRequestResponse {
  data: RemoteRequest;
}

export type RemoteRequestState = "open" | "decided" | "closed";

export interface RemoteVault {
  vault_id: RemoteVaultId;
  name: string;
  url: string;
  /** SHA-256 of the root certificate of that installation */
  root_sha256: Sha256;
  /** The organization there */
  org_id: OrgId;
  state: "pinned" | "removed";
  pinned_at: Timestamp;
}

export type RemoteVaultId = string;

export interface RemoteVaultListResponse {
  data: RemoteVault[];
  meta: Meta;
}

export interface RemoteVaultResponse {
  data: RemoteVault;
}

export interface RemovedMailSender {
  removed: true;
}

export interface RemovedMailSenderResponse {
  data: RemovedMailSender;
}

export interface RemovedMailTexts {
  removed: true;
}

export interface RemovedMailTextsResponse {
  data: RemovedMailTexts;
}

export interface RemovedMember {
  user_id: UserId;
  removed: true;
}

export interface RemovedMemberResponse {
  data: RemovedMember;
}

export interface RemovedRecipient {
  envelope_id: EnvelopeId;
  recipient_id: RecipientId;
  status: EnvelopeStatus;
  /** `fields_left_empty` names the fields that no one fills in any more */
  warnings: Warning[];
}

export interface RemovedRecipientResponse {
  data: RemovedRecipient;
}

export interface RemovedRegistry {
  removed: true;
}

export interface RemovedRegistryResponse {
  data: RemovedRegistry;
}

export interface RemovedTag {
  removed: true;
}

export interface RemovedTagResponse {
  data: RemovedTag;
}

export interface ReplaceEnvelopeDocumentRequest {
  /** At most 50 MB */
  readonly file: FileInput;
}

export interface ReplaceEnvelopeFieldsRequest {
  readonly fields: readonly FieldReplacement[];
}

export interface ReplaceFieldsRequest {
  readonly fields: readonly FieldReplacement[];
}

export interface ReplaceTemplateDocumentRequest {
  /** At most 50 MB */
  readonly file: FileInput;
}

export interface ReplayRangeRequest {
  readonly since: Timestamp;
  /** The end of the range, not included. The default is now */
  readonly until?: Timestamp | undefined;
  /** The default is failed and cancelled */
  readonly status?: WebhookReplayStatus | undefined;
  readonly event_types?: EventTypeFilter | undefined;
  /** Only counts matching deliveries and sends nothing */
  readonly dry_run?: boolean | undefined;
  /** `next_after` of the previous response, to continue from there */
  readonly after?: DeliveryId | undefined;
}

export interface RequestEmailChangeRequest {
  readonly new_email: Email;
}

export interface RequiredIdentity {
  /** `email_code`: a code that we mail to the person. `access_code`: a code that you agree on with the person; we never mail it */
  readonly method: "email_code" | "access_code";
  /** For `access_code` only. Stored as a hash and never shown again */
  readonly code?: string | undefined;
}

export interface RequiredMethod {
  method: IdentityMethod;
  /** `passed`: in their latest attempt. A pass is valid for an hour, in one visit */
  state: "unavailable" | "required" | "passed" | "locked";
  /** Added by the organization's `min_identity_level`, and not asked of a person with an embed token */
  links_only?: true;
}

export interface ResetMemberFactorsRequest {
  readonly reason: string;
}

export interface RetriedJob {
  problem_id: ProblemId;
  /** `retrying`: it failed several times and is tried again. `failed`: it is not tried any more. `retry_requested`: a worker tries it within seconds. `resolved`: it is done. `discarded`: the operator gave it up */
  state: "retrying" | "failed" | "retry_requested" | "resolved" | "discarded";
}

export interface RetriedJobResponse {
  data: RetriedJob;
}

export interface ReviewDuplicateRequest {
  readonly other_envelope_id: EnvelopeId;
  /** What you compared and found, for the audit trail */
  readonly statement: string;
}

export interface RevokedInvitation {
  invitation_id: InvitationId;
  revoked: true;
}

export interface RevokedInvitationResponse {
  data: RevokedInvitation;
}

export type Role = "admin" | "member" | "viewer" | "custodian" | "security_admin" | "auditor";

export interface RotateEndpointSecretRequest {
  /** How long the previous secret also signs deliveries; 0 ends it at once */
  readonly grace_period_seconds?: number | undefined;
}

export interface RotateKeyRequest {
  /** How long the previous raw key keeps working; 0 ends it at once */
  readonly grace_period_seconds?: number | undefined;
}

export interface RotatedWebhookSecret {
  endpoint_id: EndpointId;
  secret: WebhookSecret;
  previous_secret_expires_at: Timestamp | null;
}

export interface RotatedWebhookSecretResponse {
  data: RotatedWebhookSecret;
}

export interface Sandbox {
  /** For `POST /auth/refresh`, which switches a session to it. Its eleventh character after `org_` is `g` or `h` */
  org_id: OrgId;
  name: string;
  /** The organization that it belongs to */
  sandbox_of: OrgId;
  created_at: Timestamp;
  /** When its reset was requested, while the job removes its data and requests that write there are refused. Null otherwise */
  resetting_since: Timestamp | null;
}

export interface SandboxResponse {
  data: Sandbox;
}

export interface Sandboxes {
  sandboxes: Sandbox[];
}

export interface SandboxesResponse {
  data: Sandboxes;
}

export interface SaveEnvelopeAsTemplateRequest {
  readonly name: Name;
  readonly keep_people?: boolean | undefined;
}

export interface SaveTagRequest {
  readonly name?: TagName | undefined;
  readonly colour?: string | null | undefined;
}

export interface SavedView {
  view_id: ViewId;
  name: Label;
  /** Parameters of the list of envelopes, as texts. Others are 422 */
  query: { [name: string]: unknown };
  /** true: every member sees it. Only members and admins can share */
  shared: boolean;
  position: number;
}

export interface SavedViewResponse {
  data: SavedView;
}

export type Scope = "envelopes:read" | "envelopes:write" | "drafts:write" | "esign:write" | "customers:read" | "customers:write" | "vault:read" | "vault:write" | "vault:release" | "compliance:read" | "custody:write" | "control:write" | "control:approve" | "parties:write" | "webhooks:read" | "webhooks:write" | "audit:read";

export type SecondFactorMethod = "totp" | "passkey" | "recovery_code";

export interface SecondFactorRequired {
  status: "second_factor_required";
  /** For POST /auth/login/second-factor. It opens nothing without a code */
  login_token: string;
  /** What completes the log-in */
  methods: SecondFactorMethod[];
  /** How many days this browser can replace the second factor, with `remember_device`. 0: the organization does not allow it */
  remember_device_days: number;
  expires_at: Timestamp;
}

export interface SecondFactorRequiredResponse {
  data: SecondFactorRequired;
}

export interface SecuredParty {
  name: string;
  role?: string;
  address?: string;
  email?: Email;
  /** For example a registration number */
  identifier?: string;
}

export interface SecuredPartyInput {
  readonly name: string;
  readonly role?: string | undefined;
  readonly address?: string | undefined;
  readonly email?: Email | undefined;
  /** For example a registration number */
  readonly identifier?: string | undefined;
}

export interface SendEnvelopeRequest {
  /** In signing order. The default is the signers of the draft or, if it has none, the customer */
  readonly signers?: readonly SendSigner[] | undefined;
  /** At least one signer. The default is the people of the draft or, if it has none, the customer. Not together with `signers` */
  readonly recipients?: readonly SendRecipient[] | undefined;
  /** Shown to each signer; null removes it */
  readonly message?: string | null | undefined;
  /** The subject of the e-mail that asks for the signature. It can contain the placeholders {{recipient_name}}, {{sender_name}}, {{organization}}, {{envelope_name}}, {{message}} and {{expires_at}}; null uses the organization's subject */
  readonly mail_subject?: string | null | undefined;
  readonly signing_order?: SigningOrder | undefined;
  /** Counted from the moment the envelope is sent */
  readonly expires_in_days?: number | undefined;
  readonly reminders?: EnvelopeRemindersInput | null | undefined;
  readonly certification?: CertificationInput | undefined;
}

export interface SendRecipient {
  readonly kind: RecipientKind;
  readonly email: Email;
  readonly name: Name;
  /** People of the same step act at the same time, after everyone of the steps before. On everyone who acts, or on none */
  readonly step?: number | null | undefined;
  readonly locale?: SignerLocale | undefined;
  /** Shown to this person only, below the message of the envelope */
  readonly message?: string | null | undefined;
  readonly delivery?: RecipientDelivery | undefined;
  /** Names the person's fields. Required for signers; not for viewers and cc */
  readonly role?: Label | null | undefined;
  /** What the person must enter before they can see the document, in this order */
  readonly authentication?: readonly RequiredIdentity[] | undefined;
  readonly kba?: SendRecipientQuestions | undefined;
}

/** Identity questions to answer first; the envelope must have `kba_required` */
export interface SendRecipientQuestions {
  readonly questions: readonly IdentityQuestion[];
}

export interface SendSigner {
  readonly email: Email;
  readonly name: Name;
  readonly role: Label;
  readonly locale?: SignerLocale | undefined;
  /** What the person must enter before they can see the document, in this order */
  readonly authentication?: readonly RequiredIdentity[] | undefined;
  readonly kba?: SendSignerQuestions | undefined;
}

/** Identity questions to answer first; the envelope must have `kba_required` */
export interface SendSignerQuestions {
  readonly questions: readonly IdentityQuestion[];
}

export interface SentEnvelope {
  envelope_id: EnvelopeId;
  status: EnvelopeStatus;
  submission_id: SubmissionId | null;
  sent_at: Timestamp | null;
  expires_at: Timestamp | null;
  /** Those who sign, in signing order */
  signers: SentSigner[];
  /** Everyone, by step */
  recipients: Recipient[];
  certification: Certification | null;
  warnings: Warning[];
}

export interface SentEnvelopeResponse {
  data: SentEnvelope;
}

export interface SentSigner {
  email: string;
  name: string;
  role: string;
  /** Place in the signing order, counted from 1 */
  order: number;
  /** Identifies the signer in paths. It does not open the document; opening it requires a link or a token */
  slug: string;
  status: SignerStatus;
}

export interface SentSignerResponse {
  data: SentSigner;
}

export interface Session {
  session_id: SessionId;
  ip: string;
  user_agent: string;
  created_at: Timestamp;
  last_used_at: Timestamp;
  expires_at: Timestamp;
  /** Whether this is the session of the current request */
  current: boolean;
}

export type SessionId = string;

export interface SessionListResponse {
  data: Session[];
  meta: Meta;
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

export interface SetIdentityQuestionsRequest {
  readonly questions: readonly IdentityQuestion[];
}

export interface SetMailSenderRequest {
  readonly from_name: Name;
  readonly from_address: Email;
  readonly smtp?: MailSenderServer | null | undefined;
  /** true replaces the key; its record has to be published and checked again */
  readonly new_key?: boolean | undefined;
}

export interface SetMailTextRequest {
  readonly kind: MailTextKind;
  readonly locale: Locale;
  /** Plain text. It can contain {{recipient_name}}, {{sender_name}}, {{organization}}, {{envelope_name}}, {{message}}, {{expires_at}}. Null: the standard subject */
  readonly subject?: string | null | undefined;
  /** Plain text. It can contain {{recipient_name}}, {{sender_name}}, {{organization}}, {{envelope_name}}, {{message}}, {{expires_at}}. Null: the standard introduction */
  readonly intro?: string | null | undefined;
  /** Below the message, such as your postal address. Plain text. It can contain {{recipient_name}}, {{sender_name}}, {{organization}}, {{envelope_name}}, {{message}}, {{expires_at}}. Null: the organization's name */
  readonly footer?: string | null | undefined;
}

export interface SetRegistry {
  registry: Registry | null;
  /** Acts that wait for an answer of the registry */
  waiting: number;
  /** Why the latest request that is still open failed, as in webhook attempts */
  last_error: string | null;
  /** Signs the requests. Shown only when it is new; null if it stays */
  secret: string | null;
}

export interface SetRegistryRequest {
  /** Where requests go: https, to an address that webhooks may be sent to */
  readonly url: string;
  readonly mode: RegistryMode;
  readonly kinds: readonly RegisteredActKind[];
  /** true replaces the secret at once */
  readonly new_secret?: boolean | undefined;
}

export interface SetRegistryResponse {
  data: SetRegistry;
}

export interface SetSignerIdentityRequest {
  /** What the person must enter before they can see the document, in this order */
  readonly authentication: readonly RequiredIdentity[];
}

export type Sha256 = string;

export interface ShownPage {
  n: number;
  w: number;
  h: number;
}

export interface SignTestEnvelopeRequest {
  /** The recipients to act for. Without it, everyone who must act and has not */
  readonly emails?: readonly Email[] | undefined;
  /** What the recipients enter, by the name of the field, as in `prefilled_data`. A required field without a value is 422 */
  readonly values?: { readonly [name: string]: unknown } | undefined;
}

export interface Signer {
  email: string;
  name: string;
  role: string;
  order: number;
  /** Identifies the signer. It does not open the document; opening it requires a link or a token. null before the envelope is sent, and for viewers of the console */
  slug: Slug | null;
  status: SignerStatus;
  /** The language of the signing page; null means the language of the browser */
  locale: Locale | null;
  viewed_at: Timestamp | null;
  signed_at: Timestamp | null;
  declined_at: Timestamp | null;
  /** When the signer asked to sign on paper. They can still sign electronically */
  paper_requested_at: Timestamp | null;
  /** What the signer must pass before they can see the document; empty before the envelope is sent */
  authentication: RequiredMethod[];
}

export interface SignerIdentity {
  email: string;
  slug: Slug;
  status: RecipientStatus;
  authentication: RequiredMethod[];
}

export interface SignerIdentityQuestions {
  email: string;
  slug: Slug;
  status: RecipientStatus;
  /** The number of questions that are set */
  questions: number;
}

export interface SignerIdentityQuestionsResponse {
  data: SignerIdentityQuestions;
}

export interface SignerIdentityReset {
  email: string;
  slug: Slug;
  status: RecipientStatus;
}

export interface SignerIdentityResetResponse {
  data: SignerIdentityReset;
}

export interface SignerIdentityResponse {
  data: SignerIdentity;
}

export interface SignerLink {
  url: string;
  expires_at: Timestamp;
}

export interface SignerLinkResponse {
  data: SignerLink;
}

/** Language of the signing page; null uses the language of the signer's browser */
export type SignerLocale = "en" | "es" | "fr" | "de" | null;

export type SignerStatus = "pending" | "viewed" | "signed" | "declined" | "locked" | "cancelled";

export interface Signers {
  signers: Signer[];
}

export interface SignersResponse {
  data: Signers;
}

export interface SigningArea {
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
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

export interface SigningLink {
  email: string;
  name: string;
  /** Identifies the signer. It does not open the document; opening it requires a link or a token */
  slug: Slug;
  /** Opens the signing page for 15 minutes */
  embed_url: string;
  status: SignerStatus;
}

export interface SigningLinks {
  signers: SigningLink[];
}

export interface SigningLinksResponse {
  data: SigningLinks;
}

/** For recipients without steps. With steps, answers say what they amount to: `steps` if some act together and others after them */
export type SigningOrder = "sequential" | "parallel" | "steps";

export interface SigningPreview {
  /** Of the envelope or template */
  name: string;
  sender: string;
  message: string | null;
  recipient: PreviewedRecipient;
  /** How many people would sign */
  signers: number;
  /** Null for a person who does not sign, like `intent` */
  disclosure: SigningText | null;
  agreement: SigningText | null;
  intent: SigningText | null;
  pages: ShownPage[];
  /** The documents of an envelope with several, in order; empty for an envelope with one */
  documents: SigningDocumentPart[];
  /** With the given values, and what is wrong with them */
  fields: SigningField[];
  /** What the sender has filled in for others */
  others: SigningFieldOfOthers[];
  progress: SigningProgress;
  default_locale: Locale;
  /** The organization's branding, as PATCH /org/settings sets it */
  branding: { [name: string]: unknown };
}

export interface SigningPreviewResponse {
  data: SigningPreview;
}

export interface SigningProgress {
  done: number;
  total: number;
}

export interface SigningText {
  version: string;
  locale: Locale;
  sha256: Sha256;
  text: string;
}

export type Slug = string;

export interface SsoConnection {
  connection_id: SsoConnectionId;
  name: string;
  /** The issuer's address, exactly as the provider publishes it */
  issuer: string;
  client_id: string;
  /** What we ask the provider for; `openid` and `email` are needed */
  scopes: string[];
  /** The claim of the ID token that names roles, such as `roles` or `realm_access.roles`. The role is then set at each log-in, and other changes of it return 409. Null: members keep the role that they are given by hand */
  role_claim: string | null;
  /** The first one whose value is in the claim decides */
  role_map: SsoRoleRule[];
  /** The role if no rule applies, and of new members without `role_claim`. Null: they get no access */
  default_role: Role | null;
  /** Whether an address counts that the provider says it did not verify. Only in domains that are proved by DNS */
  trust_email: boolean;
  /** The value that the claim `acr` must have. With it or `required_amr`, a log-in counts as a second factor */
  required_acr: string | null;
  /** Values that the claim `amr` must contain, such as `mfa` */
  required_amr: string[] | null;
  /** A session ends this many hours after the log-in, or earlier if the organization demands it */
  max_hours: number;
  provision: SsoProvisioning;
  state: SsoConnectionState;
  /** The address to register at the provider. All connections of the organization have the same */
  redirect_uri: string;
  /** When an admin last tested it with success. Null: not since it was changed */
  tested_at: Timestamp | null;
  tested_by: UserId | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export type SsoConnectionId = string;

export interface SsoConnectionResponse {
  data: SsoConnection;
}

export type SsoConnectionState = "draft" | "active" | "disabled";

export interface SsoConnections {
  connections: SsoConnection[];
  /** The address to register at the provider. All connections of the organization have the same */
  redirect_uri: string;
}

export interface SsoConnectionsResponse {
  data: SsoConnections;
}

/** create: who logs in for the first time becomes a member. off: only members log in */
export type SsoProvisioning = "off" | "create";

/** The role for a value of the claim */
export interface SsoRoleRule {
  /** A value of the claim `role_claim` */
  value: string;
  role: Role;
}

/** The role for a value of the claim */
export interface SsoRoleRuleInput {
  /** A value of the claim `role_claim` */
  readonly value: string;
  readonly role: Role;
}

export interface SsoStart {
  /** Where to send the browser */
  redirect_url: string;
  expires_at: Timestamp;
}

export interface SsoStartResponse {
  data: SsoStart;
}

export interface StandardMailText {
  kind: MailTextKind;
  locale: Locale;
  subject: string | null;
  intro: string | null;
  footer: string | null;
}

export interface StartBulkBatchRequest {
  /** true: rows with problems are left out. Without it they are 409 */
  readonly accept_invalid?: boolean | undefined;
  /** Required with auto_vault_enabled. Counts for every envelope of the bulk send */
  readonly certification?: CertificationInput | undefined;
}

export interface Statistics {
  /** Start of the first day */
  since: Timestamp;
  /** All envelopes, whenever they were created */
  by_status: EnvelopeCounts;
  /** Drafts that were discarded; `by_status` counts them as voided */
  discarded: number;
  /** Oldest first; the last day is today */
  days: StatisticsDay[];
  time_to_sign: StatisticsTimeToSign;
  webhooks: StatisticsWebhooks;
}

export interface StatisticsDay {
  day: Day;
  created: number;
  sent: number;
  completed: number;
  vaulted: number;
  declined: number;
  /** Without discarded drafts */
  voided: number;
  expired: number;
}

export interface StatisticsResponse {
  data: Statistics;
}

/** Seconds from sent to completed, for the envelopes completed since, at most the latest 10,000; null if there are none */
export interface StatisticsTimeToSign {
  median_s: number | null;
  p90_s: number | null;
  count: number;
}

export interface StatisticsWebhookDay {
  day: Day;
  succeeded: number;
  failed: number;
}

export interface StatisticsWebhooks {
  /** Finished delivery attempts */
  days: StatisticsWebhookDay[];
  endpoints: number;
  /** Endpoints whose latest attempts failed, except those that were disabled manually */
  failing: number;
}

export type SubmissionId = string;

export interface Tag {
  name: string;
  colour: string | null;
}

/** The name of a tag */
export type TagInPath = string;

export type TagName = string;

export interface TagResponse {
  data: Tag;
}

export interface TagSummary {
  name: string;
  colour: string | null;
  /** How many envelopes have the tag, at most 1,000 */
  envelopes: number;
  /** true: more than 1,000 have it */
  envelopes_capped: boolean;
}

export interface Template {
  template_id: TemplateId;
  /** The id of the template at the signing provider */
  provider_template_id: number | null;
  name: string;
  external_id: string | null;
  pages: DocumentPage[];
  /** The documents in order. `pages` next to it has the pages of all of them */
  documents: DocumentToPlaceOn[];
  /** Roles of the fields, in the order in which they first appear */
  roles: string[];
  /** The roles of makers in envelopes of record_type transferable_record from this template */
  maker_roles: string[];
  /** The people of envelopes from this template, as `roles` of an update sets them, with a signer for each other role of the fields */
  recipients: TemplateRecipient[];
  defaults: TemplateDefaults;
  /** Names of the tags of the template */
  tags: string[];
  /** Counts every change of name, fields, roles and defaults */
  revision: number;
  fields: TemplateField[];
  created_at: Timestamp;
  updated_at: Timestamp;
  archived_at: Timestamp | null;
}

/** What envelopes from this template start with, where their request says nothing else */
export interface TemplateDefaults {
  /** Shown to each signer */
  message?: string;
  /** The subject of the e-mail that asks for the signature */
  mail_subject?: string;
  /** For people without steps */
  signing_order?: "sequential" | "parallel";
  /** Counted from the moment the envelope is sent */
  expires_in_days?: number;
  reminders?: TemplateReminders;
  /** Signers answer identity questions first */
  kba_required?: boolean;
  /** The signed document is stored in the vault */
  auto_vault_enabled?: boolean;
}

/** What envelopes from this template start with, where their request says nothing else */
export interface TemplateDefaultsInput {
  /** Shown to each signer */
  readonly message?: string | undefined;
  /** The subject of the e-mail that asks for the signature */
  readonly mail_subject?: string | undefined;
  /** For people without steps */
  readonly signing_order?: "sequential" | "parallel" | undefined;
  /** Counted from the moment the envelope is sent */
  readonly expires_in_days?: number | undefined;
  readonly reminders?: TemplateRemindersInput | undefined;
  /** Signers answer identity questions first */
  readonly kba_required?: boolean | undefined;
  /** The signed document is stored in the vault */
  readonly auto_vault_enabled?: boolean | undefined;
}

export interface TemplateDocuments {
  template_id: TemplateId;
  documents: EnvelopeDocument[];
  warnings?: Warning[];
}

export interface TemplateDocumentsResponse {
  data: TemplateDocuments;
}

export interface TemplateField {
  name: string;
  type: FieldType;
  /** Null for a label */
  role: string | null;
  required: boolean;
  /** Where the anchor text was found; only for fields placed by an anchor */
  anchor_match?: FieldArea;
  /** Fractions of the page as displayed, measured from its top left corner */
  areas: FieldArea[];
  /** The number of its document; missing for the first one. Pages count within the document */
  document?: number;
  /** true: signers cannot change its value */
  readonly: boolean;
  default_value: string | null;
  /** Choices of a select or radio field; null for other types */
  options: string[] | null;
  settings?: FieldSettings;
  /** By which programs name the field */
  field_key?: string;
}

export type TemplateId = string;

export interface TemplateRecipient {
  kind: RecipientKind;
  /** The role of the fields. Required for signers; null for viewers and cc */
  role: Label | null;
  /** People of the same step act at the same time. On everyone who acts, or on none */
  step: number | null;
  /** Who it is in every envelope; null if that is different each time */
  name: Name | null;
  email: Email | null;
  /** Language of the signing page */
  locale: "en" | "es" | "fr" | "de" | null;
  /** Shown to this person only */
  message: string | null;
  delivery: "email" | "link";
}

export interface TemplateReminders {
  every_days: number;
  first_after_days?: number;
  last_days_before?: number;
}

export interface TemplateRemindersInput {
  readonly every_days: number;
  readonly first_after_days?: number | undefined;
  readonly last_days_before?: number | undefined;
}

export interface TemplateResponse {
  data: Template;
}

export interface TemplateRole {
  readonly kind: RecipientKind;
  /** The role of the fields. Required for signers; null for viewers and cc */
  readonly role?: Label | null | undefined;
  /** People of the same step act at the same time. On everyone who acts, or on none */
  readonly step?: number | null | undefined;
  /** Who it is in every envelope; null if that is different each time */
  readonly name?: Name | null | undefined;
  readonly email?: Email | null | undefined;
  /** Language of the signing page */
  readonly locale?: "en" | "es" | "fr" | "de" | null | undefined;
  /** Shown to this person only */
  readonly message?: string | null | undefined;
  readonly delivery?: "email" | "link" | undefined;
}

export interface TemplateSummary {
  template_id: TemplateId;
  /** The id of the template at the signing provider */
  provider_template_id: number | null;
  name: string;
  external_id: string | null;
  page_count: number;
  field_count: number;
  /** Roles of the fields, in the order in which they first appear */
  roles: string[];
  /** Names of the tags of the template */
  tags: string[];
  created_at: Timestamp;
  updated_at: Timestamp;
  archived_at: Timestamp | null;
}

export interface TemplateSummaryListResponse {
  data: TemplateSummary[];
  meta: Meta;
}

export interface TemplateUsage {
  template_id: TemplateId;
  /** Envelopes that were created from it, drafts included and discarded drafts not. 10,000 means that many or more */
  envelopes: number;
  /** Those that are not sent yet. 10,000 means that many or more */
  drafts: number;
  /** Public forms, open and paused */
  forms: number;
  /** Bulk sends in any state */
  bulk_batches: number;
}

export interface TemplateUsageResponse {
  data: TemplateUsage;
}

/** ISO 8601, UTC, milliseconds */
export type Timestamp = string;

export interface Transparency {
  /** The public name of the log; null before its first checkpoint */
  origin: string | null;
  /** The keys of the log for witnesses, newest first */
  vkeys: string[];
  /** Where monitors read the log */
  address: string;
  /** Whether the log is served at this address */
  public: boolean;
  latest: LogState | null;
  quorum: number;
  witnesses: Witness[];
  conflicts: WitnessConflict[];
  restarts: LogRestart[];
  /** SHA-256 of the current root certificate, which readers of evidence bundles compare; null before the first keys exist */
  root_sha256: Sha256 | null;
  /** The keys of the installation, all generations, newest first within a purpose. The signed list is /.well-known/countersign-trust.json */
  keys: InstanceKey[];
  warnings: TransparencyWarning[];
}

export interface TransparencyResponse {
  data: Transparency;
}

export type TransparencyWarning = "witness_conflict" | "log_not_public";

export interface UnreadNotifications {
  unread: number;
}

export interface UnreadNotificationsResponse {
  data: UnreadNotifications;
}

export interface UpdateAuditSinkRequest {
  /** For webhook an address that webhooks may be sent to, for syslog one such as `syslog+tls://logs.example.com:6514` */
  readonly target?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly from?: AuditSinkFrom | undefined;
}

export interface UpdateCustomerRequest {
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly company?: string | null | undefined;
  readonly job_title?: string | null | undefined;
  readonly entity_type?: string | null | undefined;
  readonly client_id?: string | null | undefined;
  readonly category?: string | null | undefined;
  readonly industry?: string | null | undefined;
  readonly address_line1?: string | null | undefined;
  readonly address_line2?: string | null | undefined;
  readonly city?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly postal_code?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly website_url?: string | null | undefined;
  readonly primary_contact_name?: string | null | undefined;
}

export interface UpdateEndpointRequest {
  /** Must start with https://; http:// works only if the installation allows it */
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly event_types?: EventTypeFilter | undefined;
  readonly enabled?: boolean | undefined;
}

export interface UpdateEnvelopeRequest {
  readonly envelope_name?: Name | undefined;
  readonly external_id?: string | null | undefined;
  /** true: signers answer identity questions before they can sign */
  readonly kba_required?: boolean | undefined;
  /** true: the document is stored in the vault after everyone has signed. Sending then requires `certification` */
  readonly auto_vault_enabled?: boolean | undefined;
  readonly secured_party?: SecuredPartyInput | null | undefined;
  /** Only for record_type transferable_record: the roles of its makers. Before signing, they accept a text that says that the document is a transferable record */
  readonly maker_roles?: readonly Label[] | undefined;
  readonly signers?: readonly EnvelopeSignerInput[] | undefined;
  /** Everyone whom the envelope is for. Not together with `signers`, which is the short form for people who sign */
  readonly recipients?: readonly DraftRecipient[] | undefined;
  /** Replaces the tags of the envelope, in any status. A tag that does not exist yet is created */
  readonly tags?: readonly TagName[] | undefined;
  /** The member who looks after the envelope. Can be changed in any status */
  readonly owner_user_id?: UserId | undefined;
  /** Values by the name of the document's field, in addition to those that were given before. null takes a value away */
  readonly prefilled_data?: { readonly [name: string]: unknown } | undefined;
  /** A new date of expiry for an envelope that is `sent` or `viewed`: at least 1 hour and at most 365 days from now */
  readonly expires_at?: Timestamp | undefined;
  /** Shown to each signer; null removes it */
  readonly message?: string | null | undefined;
  /** The subject of the e-mail that asks for the signature. It can contain the placeholders {{recipient_name}}, {{sender_name}}, {{organization}}, {{envelope_name}}, {{message}} and {{expires_at}}; null uses the organization's subject */
  readonly mail_subject?: string | null | undefined;
  readonly signing_order?: SigningOrder | undefined;
  /** Counted from the moment the envelope is sent */
  readonly expires_in_days?: number | undefined;
  readonly reminders?: EnvelopeRemindersInput | null | undefined;
}

export interface UpdateFactorRequest {
  readonly name: string;
}

export interface UpdateFormRequest {
  readonly name?: Name | undefined;
  readonly settings?: FormSettingsBody | undefined;
}

export interface UpdateKeyRequest {
  /** Any text that helps you recognize who uses the key */
  readonly partner_name?: string | undefined;
  /** What the key is allowed to do */
  readonly scopes?: readonly Scope[] | undefined;
  /** The maximum number of requests in any 60 seconds */
  readonly rate_limit_rpm?: number | undefined;
  /** From then on, requests with the key return 401; null: it does not expire. From 1 hour to 5 years ahead */
  readonly expires_at?: Timestamp | null | undefined;
  /** The addresses that the key works from, as ranges such as `203.0.113.0/24`. Empty: all. From other addresses it returns 401 */
  readonly allowed_cidrs?: readonly string[] | undefined;
  /** true: unknown fields in a body are ignored and listed in `X-Ignored-Fields`; false: they are refused with 422 */
  readonly lenient_fields?: boolean | undefined;
  /** Your own notes, at most 4,096 bytes as JSON. They have no effect on webhook endpoints, which belong to the organization */
  readonly webhook?: { readonly [name: string]: unknown } | null | undefined;
}

export interface UpdateMeRequest {
  readonly name?: Name | undefined;
  readonly locale?: Locale | null | undefined;
}

export interface UpdateNotificationSettingsRequest {
  readonly kinds: NotificationKindsChange;
}

export interface UpdatePartyRequest {
  readonly name?: Name | undefined;
  readonly identifier?: string | null | undefined;
  readonly address?: string | null | undefined;
}

export interface UpdatePasswordRequest {
  /** 12 to 128 characters */
  readonly current_password?: string | undefined;
  /** 12 to 128 characters */
  readonly new_password: string;
}

export interface UpdateRoleRequest {
  readonly role: Role;
}

export interface UpdateSecurityRequest {
  /** required: after the days of grace, a member without a second factor can only add one. Until then everything else returns 403 `enrollment_required` */
  readonly second_factor?: "off" | "required" | undefined;
  /** How many days members have to add a second factor, from the day it became required or they joined */
  readonly grace_days?: number | undefined;
  /** How many days a browser in which a member proved a second factor needs the password alone, if the member asked for it. 0: never */
  readonly remember_device_days?: number | undefined;
  /** A session ends after this many minutes without a request, at most a minute late. Lists on a visible page of the console are refreshed by requests */
  readonly idle_minutes?: number | undefined;
  /** A session ends this many hours after the log-in */
  readonly max_hours?: number | undefined;
  /** The fewest characters of a new password. Existing passwords keep working */
  readonly min_password?: number | undefined;
  /** How many days ahead `expires_at` of an API key can be that is created or changed from now on; a new key without one gets the latest. Existing keys go on. Null: no limit */
  readonly max_key_days?: number | null | undefined;
  /** optional: members can log in with a connection of `/org/sso`. required: other log-ins get 403 `sso_required`, and sessions that began with one end with their next request, except those of `break_glass` */
  readonly sso_mode?: "off" | "optional" | "required" | undefined;
  /** What everyone who acts on an envelope must at least prove, from the next envelope that is sent. 1: a code by e-mail is asked of people of whom nothing else is. 2: an access code or identity questions, and a code by e-mail, which is added; sending without one of the two is 422 `identity_level_too_low`. The levels are those of this service, not of eIDAS */
  readonly min_identity_level?: number | undefined;
  /** partner: level 1 is not asked of people with an embed token; it is left to your application, or to the member whose session made the token. same: it is. Visitors of public forms are always asked, and what a sender requires is too */
  readonly embed_identity?: "partner" | "same" | undefined;
  /** At most 2 admins with a second factor, who log in without single sign-on where it is required. All admins get an e-mail each time. Only shown to members with the permission security:manage */
  readonly break_glass?: readonly UserId[] | undefined;
  /** The addresses from which members use the organization, as ranges such as `203.0.113.0/24`. Empty: all. From other addresses log-ins get 403 `address_not_allowed`, and requests of sessions 401. API keys have lists of their own. Only shown to members with the permission security:manage */
  readonly allowed_cidrs?: readonly string[] | undefined;
}

export interface UpdateSettingsRequest {
  readonly name?: Name | undefined;
  /** Exact origins such as https://app.example.com whose pages may embed signing and vault pages */
  readonly embed_origins?: readonly string[] | undefined;
  /** Minimum retention of documents that are stored in the vault from now on */
  readonly min_retention_days?: number | undefined;
  /** The member who becomes custodian of newly stored documents */
  readonly default_custodian_user_id?: UserId | null | undefined;
  /** Documents pass the compliance checks only with a time stamp from an external authority */
  readonly require_external_time?: boolean | undefined;
  /** Signers can only sign with the link in an e-mail that a mail server accepted. Embed tokens and other links get 409 */
  readonly require_mailed_link?: boolean | undefined;
  /** confirmed: a change of who controls or keeps a vaulted record takes effect only when each party concerned has confirmed it with a credential of its own. attested: a party without an approver is not asked, and the compliance checks say so. Records of the types transferable_record and chattel_paper are always under confirmed */
  readonly control_policy?: "attested" | "confirmed" | undefined;
  /** The public status pages of vaulted documents show the names of the organization and of the secured party */
  readonly status_shows_parties?: boolean | undefined;
  readonly default_locale?: Locale | undefined;
  /** A time zone of the IANA database, such as Europe/Berlin. Times in e-mails to signers are in it until they have signed */
  readonly time_zone?: string | undefined;
  /** Where replies to e-mails go if neither a member nor a member's key sent the envelope */
  readonly contact_email?: Email | null | undefined;
  /** link: the e-mail that everyone has signed has a link to the document. attachment: it also has the document, up to the size that the operator allows. With auto-vault or a secured party that is a marked copy; otherwise it is the sealed document, which counts as a copy that was handed out */
  readonly completed_mail?: "link" | "attachment" | undefined;
  /** Replaces the whole branding; values that you leave out are removed */
  readonly branding?: OrganizationBrandingInput | undefined;
}

export interface UpdateSsoConnectionRequest {
  readonly name?: string | undefined;
  /** The issuer's address, exactly as the provider publishes it */
  readonly issuer?: string | undefined;
  readonly client_id?: string | undefined;
  /** What we ask the provider for; `openid` and `email` are needed */
  readonly scopes?: readonly string[] | undefined;
  /** The claim of the ID token that names roles, such as `roles` or `realm_access.roles`. The role is then set at each log-in, and other changes of it return 409. Null: members keep the role that they are given by hand */
  readonly role_claim?: string | null | undefined;
  /** The first one whose value is in the claim decides */
  readonly role_map?: readonly SsoRoleRuleInput[] | undefined;
  /** The role if no rule applies, and of new members without `role_claim`. Null: they get no access */
  readonly default_role?: Role | null | undefined;
  /** Whether an address counts that the provider says it did not verify. Only in domains that are proved by DNS */
  readonly trust_email?: boolean | undefined;
  /** The value that the claim `acr` must have. With it or `required_amr`, a log-in counts as a second factor */
  readonly required_acr?: string | null | undefined;
  /** Values that the claim `amr` must contain, such as `mfa` */
  readonly required_amr?: readonly string[] | null | undefined;
  /** A session ends this many hours after the log-in, or earlier if the organization demands it */
  readonly max_hours?: number | undefined;
  readonly provision?: SsoProvisioning | undefined;
  /** Stored encrypted and never shown */
  readonly client_secret?: string | undefined;
  /** `disabled` also ends the sessions that were started with it */
  readonly state?: "active" | "disabled" | undefined;
}

export interface UpdateTemplateRequest {
  readonly name?: Name | undefined;
  /** The people of envelopes from this template: kind, step and role, and name and e-mail where they are always the same. Roles of the fields that are left out are signers */
  readonly roles?: readonly TemplateRole[] | undefined;
  readonly defaults?: TemplateDefaultsInput | undefined;
  /** Replaces the tags of the template. A tag that does not exist yet is created */
  readonly tags?: readonly TagName[] | undefined;
}

export interface UpdateViewRequest {
  readonly name?: Label | undefined;
  /** Parameters of the list of envelopes, as texts. Others are 422 */
  readonly query?: { readonly [name: string]: unknown } | undefined;
  /** true: every member sees it. Only members and admins can share */
  readonly shared?: boolean | undefined;
  readonly position?: number | undefined;
}

export interface UpdatedWebhookEndpoint {
  endpoint_id: EndpointId;
  url: string;
  description: string | null;
  event_types: string[];
  enabled: boolean;
  /** `manual`: a caller disabled it. `gone`: it answered 410. `failing`: it failed for 120 hours */
  disabled_reason: WebhookDisabledReason | null;
  disabled_at: Timestamp | null;
  /** The first failed attempt after which none succeeded */
  failing_since: Timestamp | null;
  last_success_at: Timestamp | null;
  secret_rotated_at: Timestamp | null;
  /** Until this time, deliveries also have a signature with the previous secret */
  previous_secret_expires_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  /** Only if there are warnings */
  warnings?: WebhookEndpointWarning[];
}

export interface UpdatedWebhookEndpointResponse {
  data: UpdatedWebhookEndpoint;
}

export interface UploadCustomersRequest {
  /** At most 50 MB */
  readonly file: FileInput;
}

export interface UploadDocumentRequest {
  /** At most 50 MB */
  readonly file: FileInput;
  readonly name?: Name | undefined;
  readonly signers?: readonly EnvelopeSignerInput[] | undefined;
  readonly auto_vault_enabled?: "true" | "false" | undefined;
  readonly kba_required?: "true" | "false" | undefined;
}

export interface UploadedDocument {
  customer_id: CustomerId;
  envelope_id: EnvelopeId;
  name: string;
  signers: UploadedDocumentSigner[];
  path: string;
  /** Of the stored file. A PDF is cleaned before it is stored */
  hash: Sha256;
  /** Bytes of the stored file */
  size: number;
  contentType: DocumentContentType;
  auto_vault_enabled: boolean;
  kba_required: boolean;
  warnings?: Warning[];
}

export interface UploadedDocumentResponse {
  data: UploadedDocument;
}

export interface UploadedDocumentSigner {
  email: Email;
  name: Name;
  role: Label;
}

export interface User {
  user_id: UserId;
  email: string;
  name: string;
}

export type UserId = string;

export interface VaultCertificate {
  path: string;
  revision: number;
  score: number;
  passed: boolean;
  /** The rules of the evaluation; those of rules 1 have no grades */
  rules: number;
  proven_score: number | null;
  standing: ComplianceStanding;
}

export interface VaultComplianceFailedEvent {
  event_type: "vault.compliance.failed";
  event_id: string;
  org_id: string;
  envelope_id: string | null;
  timestamp: Timestamp;
  data: VaultComplianceFailedEventData;
}

export interface VaultComplianceFailedEventData {
  score: number;
  missing_requirements: string[];
  certificate_path: string;
  rules: number;
  proven_score: number;
  standing: "proven" | "attested" | "not_passed" | "left" | "destroyed" | "not_assessed";
  customer_id: string | null;
  external_id: string | null;
  form_id?: string;
  batch_id?: string;
  /** Only in events of a sandbox */
  test?: true;
}

export interface VaultCompliancePassedEvent {
  event_type: "vault.compliance.passed";
  event_id: string;
  org_id: string;
  envelope_id: string | null;
  timestamp: Timestamp;
  data: VaultCompliancePassedEventData;
}

export interface VaultCompliancePassedEventData {
  score: number;
  certificate_path: string;
  rules: number;
  proven_score: number;
  standing: "proven" | "attested" | "not_passed" | "left" | "destroyed" | "not_assessed";
  customer_id: string | null;
  external_id: string | null;
  form_id?: string;
  batch_id?: string;
  /** Only in events of a sandbox */
  test?: true;
}

export interface VaultControl {
  policy: "attested" | "confirmed";
  /** The secured party on record; null: the organization itself */
  controller: VaultController | null;
  pledges: VaultPledge[];
  participations: VaultParticipation[];
}

export interface VaultController {
  party_id: PartyId | null;
  name: string;
  confirmation: "unconfirmed" | "confirmed" | "corrected";
}

export type VaultCopyState = "active" | "escrowed" | "exported" | "tampered" | "destroying" | "destroyed" | "transferred" | "papering" | "papered";

export interface VaultCustodian {
  permission_id: CustodianPermissionId;
  user_id: UserId;
  since: Timestamp;
}

export interface VaultDeposit {
  envelope_id: EnvelopeId;
  status: EnvelopeStatus;
  vaulted: boolean;
  /** A certificate exists, regardless of its score */
  compliant: boolean;
  /** As in the event vault.stored; null if the copy was stored automatically after signing */
  source?: VaultDepositSource | null;
  /** true: signed through this service. false: deposited as a file that was signed elsewhere */
  signed_here?: boolean;
  path: string | null;
  /** SHA-256 of the authoritative copy */
  hash: Sha256 | null;
  size: number | null;
  stored_at: Timestamp | null;
  score: number | null;
  passed: boolean | null;
  missing_requirements: string[] | null;
  /** What the score does not count and you should know; null like the score */
  warnings: ComplianceWarning[] | null;
  certificate_path: string | null;
}

export interface VaultDepositResponse {
  data: VaultDeposit;
}

export type VaultDepositSource = "paper_upload" | "electronic_signed";

export interface VaultExport {
  export_id: VaultExportId;
  envelope_id: EnvelopeId;
  status: VaultExportStatus;
  recipient: VaultExportRecipient;
  package_path: string;
  package_sha256: Sha256;
  /** Bytes */
  package_size: number;
  expires_at: Timestamp;
  copy_id: AuthoritativeCopyId;
  reason: string;
  /** The act by which a party confirmed it; null if none had to */
  act_id: ActId | null;
  initiated_by: Actor;
  created_at: Timestamp;
  /** When the recipient first downloaded the package at /p/ */
  downloaded_at: Timestamp | null;
  closed_at: Timestamp | null;
  receipt: VaultExportReceipt | null;
}

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

export interface VaultExportChainHeadInput {
  readonly seq: number;
  readonly hash: Sha256;
  readonly at: Timestamp;
}

export type VaultExportId = string;

export interface VaultExportListResponse {
  data: VaultExport[];
  meta: Meta;
}

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

export interface VaultExportReceiptDocumentInput {
  readonly type: "countersign/export-receipt/1";
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId;
  readonly export_id: VaultExportId;
  readonly copy_id: AuthoritativeCopyId;
  /** SHA-256 of the authoritative copy */
  readonly sha256: Sha256;
  readonly package_sha256: Sha256;
  readonly recipient: VaultExportRecipientInput;
  readonly acknowledged_at: Timestamp;
  /** The last entry of the envelope's audit trail at the time of the export */
  readonly chain_head: VaultExportChainHeadInput;
  /** The key of this installation that signed the receipt */
  readonly key_id: string;
}

export interface VaultExportReceiptInput {
  readonly document: VaultExportReceiptDocumentInput;
  /** Ed25519 over the canonical JSON (RFC 8785) of `document` */
  readonly signature: string;
}

export interface VaultExportRecipient {
  name: Name;
  email: Email;
}

export interface VaultExportRecipientInput {
  readonly name: Name;
  readonly email: Email;
}

export interface VaultExportResponse {
  data: VaultExport;
}

export interface VaultExportStarted {
  export_id: VaultExportId;
  envelope_id: EnvelopeId;
  status: VaultExportStatus;
  recipient: VaultExportRecipient;
  package_path: string;
  package_sha256: Sha256;
  /** Bytes */
  package_size: number;
  expires_at: Timestamp;
}

export interface VaultExportStartedResponse {
  data: VaultExportStarted;
}

export type VaultExportStatus = "escrowed" | "acknowledged" | "cancelled" | "expired";

export interface VaultInSignedRequest {
  readonly certification: CertificationInput;
  readonly secured_party?: SecuredPartyInput | undefined;
}

export interface VaultInUploadRequest {
  readonly source: VaultDepositSource;
  readonly certification: CertificationInput;
  readonly secured_party?: SecuredPartyInput | undefined;
  readonly attestation?: Attestation | undefined;
  readonly record_type?: RecordType | undefined;
  readonly instrument?: InstrumentInput | undefined;
  /** Of an original that left a vault: the signed receipt of its export. The file must be authoritative.pdf of the package */
  readonly export_receipt?: VaultExportReceiptInput | undefined;
}

export interface VaultInUploadRequestForm {
  /** At most 50 MB */
  readonly evidence: FileInput;
  readonly payload: VaultInUploadRequest;
}

export interface VaultParticipation {
  party_id: PartyId;
  name: string;
  act_id: ActId;
  /** In basis points */
  share_bp: number;
  since: Timestamp;
}

export interface VaultPledge {
  party_id: PartyId;
  name: string;
  act_id: ActId;
  since: Timestamp;
}

export interface VaultRecord {
  envelope_id: EnvelopeId;
  state: VaultCopyState;
  /** As in the event vault.stored; null if the copy was stored automatically after signing */
  source: VaultDepositSource | null;
  /** true: signed through this service. false: deposited as a file that was signed elsewhere */
  signed_here: boolean;
  path: string;
  /** SHA-256 of the authoritative copy */
  hash: Sha256;
  /** Bytes */
  size: number;
  stored_at: Timestamp;
  retention_until: Timestamp;
  /** At least one legal hold is in force */
  legal_hold: boolean;
  /** null once the copy has left the vault */
  custodian: VaultCustodian | null;
  secured_party: SecuredParty | null;
  /** What the organization's registry called the latest registration of an act */
  registry_reference: string | null;
  /** Grows with each change of who controls or keeps the record; an act names it */
  control_version: number;
  control: VaultControl;
  record_type: RecordType;
  instrument: Instrument | null;
  certificate: VaultCertificate;
  /** When the stored file was last read and found unchanged */
  verified_at: Timestamp | null;
  /** A public page without log-in that says the present state of the record; with `.json` at its end, a signed answer */
  status_url: string;
}

export interface VaultRecordResponse {
  data: VaultRecord;
}

export interface VaultRetention {
  envelope_id: EnvelopeId;
  retention_until: Timestamp;
  /** What prevents the stored file from being deleted: this service, or the object lock of the storage */
  lock: VaultRetentionLock;
}

export interface VaultRetentionLock {
  kind: "application" | "object_lock";
  until: Timestamp;
}

export interface VaultRetentionResponse {
  data: VaultRetention;
}

export interface VaultStandingCounts {
  proven: number;
  attested: number;
  not_passed: number;
  left: number;
  destroyed: number;
  not_assessed: number;
}

export interface VaultStatistics {
  /** All records of the vault, by the standing of their latest certificate */
  by_standing: VaultStandingCounts;
  /** Those of them whose stored bytes are no longer the ones that were sealed */
  tampered: VaultStandingCounts;
}

export interface VaultStatisticsResponse {
  data: VaultStatistics;
}

export interface VaultStoredEvent {
  event_type: "vault.stored";
  event_id: string;
  org_id: string;
  envelope_id: string | null;
  timestamp: Timestamp;
  data: VaultStoredEventData;
}

export interface VaultStoredEventData {
  path: string;
  hash: string;
  source?: "paper_upload" | "electronic_signed";
  customer_id: string | null;
  external_id: string | null;
  form_id?: string;
  batch_id?: string;
  /** Only in events of a sandbox */
  test?: true;
}

export interface VaultTransfer {
  transfer_id: VaultTransferId;
  /** out: this organization sends the record; in: it receives it */
  direction: VaultTransferDirection;
  state: VaultTransferState;
  vault_id: RemoteVaultId;
  /** The name under which this organization pinned the other vault */
  vault_name: string;
  /** Of this organization; null at the receiver until the record is stored */
  envelope_id: EnvelopeId | null;
  copy_id: AuthoritativeCopyId | null;
  /** Of the sender */
  origin_envelope_id: string;
  origin_copy_id: string;
  envelope_name: string;
  /** SHA-256 of the authoritative copy */
  copy_sha256: Sha256;
  /** The first root that sealed the record and its copy ID there; the same wherever it goes */
  lineage_id: string;
  /** The act by which the controller confirmed it */
  act_id: string | null;
  customer_id: CustomerId | null;
  custodian_user_id: UserId | null;
  package_sha256: Sha256 | null;
  /** Why it was cancelled or refused */
  reason: string | null;
  /** Why the latest message could not be delivered, or the latest step not be done */
  last_error: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  /** When the sender takes back what it has not released */
  expires_at: Timestamp;
  closed_at: Timestamp | null;
  /** When the other vault had taken the last message */
  settled_at: Timestamp | null;
}

export type VaultTransferDirection = "out" | "in";

export type VaultTransferId = string;

export interface VaultTransferListResponse {
  data: VaultTransfer[];
  meta: Meta;
}

export interface VaultTransferResponse {
  data: VaultTransfer;
}

export type VaultTransferState = "offered" | "accepted" | "packed" | "ready" | "released" | "done" | "confirmed" | "cancelled" | "refused" | "recovered" | "disputed";

export interface VaultedEnvelope {
  envelope_id: EnvelopeId;
  envelope_name: string;
  customer_id: CustomerId | null;
  external_id: string | null;
  state: VaultCopyState;
  /** As in the event vault.stored; null if the copy was stored automatically after signing */
  source: VaultDepositSource | null;
  /** true: signed through this service. false: deposited as a file that was signed elsewhere */
  signed_here: boolean;
  score: number;
  passed: boolean;
  /** The rules of the evaluation; those of rules 1 have no grades */
  rules: number;
  proven_score: number | null;
  standing: ComplianceStanding;
  stored_at: Timestamp;
  retention_until: Timestamp;
  /** When the stored file was last read and found unchanged */
  verified_at: Timestamp | null;
}

export interface VaultedEnvelopeListResponse {
  data: VaultedEnvelope[];
  meta: Meta;
}

export interface VerifyDomainRequest {
  readonly method: DomainProofMethod;
  readonly mailbox?: DomainMailbox | undefined;
}

export interface VerifyEmailRequest {
  readonly code: string;
}

export type ViewId = string;

export interface VoidEnvelopeRequest {
  readonly reason: Reason;
}

export interface VoidedEnvelope {
  envelope_id: EnvelopeId;
  status: EnvelopeStatus;
  voided_at: Timestamp | null;
  reason: string | null;
}

export interface VoidedEnvelopeResponse {
  data: VoidedEnvelope;
}

export interface Warning {
  code: string;
  message: string;
}

export interface WebhookAttempt {
  attempt_id: AttemptId;
  delivery_id: DeliveryId;
  endpoint_id: EndpointId;
  event_id: EventId;
  event_type: string;
  envelope_id: EnvelopeId | null;
  status: WebhookDeliveryStatus;
  response_code: number | null;
  /** The first 16 KB */
  response_body: string | null;
  response_body_truncated: boolean;
  /** The number of this attempt within its delivery */
  attempt_count: number;
  duration_ms: number | null;
  next_retry_at: Timestamp | null;
  error: WebhookAttemptError | null;
  trigger: WebhookAttemptTrigger;
  url: string;
  created_at: Timestamp;
  /** Null when no request was sent */
  attempted_at: Timestamp | null;
}

export type WebhookAttemptError = "timeout" | "dns_error" | "connection_error" | "tls_error" | "blocked_address" | "redirect" | "http_error" | "endpoint_disabled" | "cancelled_by_operator" | "interrupted";

export interface WebhookAttemptListResponse {
  data: WebhookAttempt[];
  meta: Meta;
}

export interface WebhookAttemptRequest {
  method: "POST";
  headers: { [name: string]: string };
}

export type WebhookAttemptTrigger = "event" | "retry" | "replay" | "test";

export interface WebhookAttemptWithRequest {
  attempt_id: AttemptId;
  delivery_id: DeliveryId;
  endpoint_id: EndpointId;
  event_id: EventId;
  event_type: string;
  envelope_id: EnvelopeId | null;
  status: WebhookDeliveryStatus;
  response_code: number | null;
  /** The first 16 KB */
  response_body: string | null;
  response_body_truncated: boolean;
  /** The number of this attempt within its delivery */
  attempt_count: number;
  duration_ms: number | null;
  next_retry_at: Timestamp | null;
  error: WebhookAttemptError | null;
  trigger: WebhookAttemptTrigger;
  url: string;
  created_at: Timestamp;
  /** Null when no request was sent */
  attempted_at: Timestamp | null;
  /** The request as far as it is recorded, without its signature and user agent. Null when no request was sent */
  request: WebhookAttemptRequest | null;
}

export interface WebhookDelivery {
  delivery_id: DeliveryId;
  endpoint_id: EndpointId;
  event_id: EventId;
  event_type: string;
  envelope_id: EnvelopeId | null;
  status: WebhookDeliveryStatus;
  /** Attempts so far */
  attempt_count: number;
  next_attempt_at: Timestamp | null;
  created_at: Timestamp;
}

export interface WebhookDeliveryResponse {
  data: WebhookDelivery;
}

export type WebhookDeliveryStatus = "pending" | "succeeded" | "failed" | "cancelled";

export interface WebhookDeliveryWithPayload {
  delivery_id: DeliveryId;
  endpoint_id: EndpointId;
  event_id: EventId;
  event_type: string;
  envelope_id: EnvelopeId | null;
  status: WebhookDeliveryStatus;
  /** Attempts so far */
  attempt_count: number;
  next_attempt_at: Timestamp | null;
  created_at: Timestamp;
  payload: { [name: string]: unknown };
  /** The exact bytes that every attempt sends, as text. Signatures are calculated from them */
  payload_text: string;
  /** The newest 200, newest first */
  attempts: WebhookAttemptWithRequest[];
}

export interface WebhookDeliveryWithPayloadResponse {
  data: WebhookDeliveryWithPayload;
}

export type WebhookDisabledReason = "manual" | "gone" | "failing";

export interface WebhookEndpoint {
  endpoint_id: EndpointId;
  url: string;
  description: string | null;
  event_types: string[];
  enabled: boolean;
  /** `manual`: a caller disabled it. `gone`: it answered 410. `failing`: it failed for 120 hours */
  disabled_reason: WebhookDisabledReason | null;
  disabled_at: Timestamp | null;
  /** The first failed attempt after which none succeeded */
  failing_since: Timestamp | null;
  last_success_at: Timestamp | null;
  secret_rotated_at: Timestamp | null;
  /** Until this time, deliveries also have a signature with the previous secret */
  previous_secret_expires_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface WebhookEndpointDay {
  day: Day;
  succeeded: number;
  failed: number;
  p50_ms: number | null;
  p95_ms: number | null;
}

export interface WebhookEndpointListResponse {
  data: WebhookEndpoint[];
  meta: Meta;
}

export interface WebhookEndpointResponse {
  data: WebhookEndpoint;
}

export interface WebhookEndpointSecret {
  endpoint_id: EndpointId;
  secret: WebhookSecret;
}

export interface WebhookEndpointSecretResponse {
  data: WebhookEndpointSecret;
}

export interface WebhookEndpointStatistics {
  endpoint_id: EndpointId;
  /** Attempts that ended on each day in UTC, oldest first; today is the last */
  days: WebhookEndpointDay[];
  succeeded: number;
  failed: number;
  /** Null when no attempt ended */
  success_rate: number | null;
}

export interface WebhookEndpointStatisticsResponse {
  data: WebhookEndpointStatistics;
}

export interface WebhookEndpointTest {
  endpoint_id: EndpointId;
  event_id: EventId;
  delivery_id: DeliveryId;
}

export interface WebhookEndpointTestResponse {
  data: WebhookEndpointTest;
}

export interface WebhookEndpointWarning {
  code: "reserved_events_only";
  message: string;
}

export interface WebhookEndpointWithSecret {
  endpoint_id: EndpointId;
  url: string;
  description: string | null;
  event_types: string[];
  enabled: boolean;
  /** `manual`: a caller disabled it. `gone`: it answered 410. `failing`: it failed for 120 hours */
  disabled_reason: WebhookDisabledReason | null;
  disabled_at: Timestamp | null;
  /** The first failed attempt after which none succeeded */
  failing_since: Timestamp | null;
  last_success_at: Timestamp | null;
  secret_rotated_at: Timestamp | null;
  /** Until this time, deliveries also have a signature with the previous secret */
  previous_secret_expires_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  /** Only if there are warnings */
  warnings?: WebhookEndpointWarning[];
  secret: WebhookSecret;
}

export interface WebhookEndpointWithSecretResponse {
  data: WebhookEndpointWithSecret;
}

export type WebhookEvent = EnvelopeCreatedEvent | EnvelopeSentEvent | EnvelopeVoidedEvent | EnvelopeReminderSentEvent | VaultStoredEvent | VaultCompliancePassedEvent | VaultComplianceFailedEvent | CustodianTransferEvent | WebhookTestEvent;

export interface WebhookEventListResponse {
  data: WebhookEvent[];
  meta: Meta;
}

export interface WebhookEventResponse {
  data: WebhookEvent;
}

export interface WebhookReplay {
  /** Deliveries in the range after `after` */
  matched: number;
  /** Deliveries that this call sends again */
  queued: number;
  /** Null when nothing is left. Otherwise call again with this value as `after` */
  next_after: DeliveryId | null;
}

export interface WebhookReplayResponse {
  data: WebhookReplay;
}

export type WebhookReplayStatus = "succeeded" | "failed" | "cancelled";

/** Signs deliveries according to Standard Webhooks */
export type WebhookSecret = string;

export interface WebhookTestEvent {
  event_type: "webhook.test";
  event_id: string;
  org_id: string;
  envelope_id: string | null;
  timestamp: Timestamp;
  data: WebhookTestEventData;
}

export interface WebhookTestEventData {
  message: string;
  /** Only in events of a sandbox */
  test?: true;
}

export type WidgetType = "sign" | "vault";

export interface Witness {
  name: string;
  vkey: string;
  address: string;
  /** The latest checkpoint that this witness cosigned, and when the service received it */
  cosigned: WitnessCosignature | null;
  /** Why the latest request failed */
  last_error: WitnessError | null;
}

export interface WitnessConflict {
  witness: string;
  /** Of the checkpoint that the witness refused */
  tree_size: number;
  /** Of the latest checkpoint that the witness cosigned, if it said so */
  witness_size: number | null;
  says: string;
  at: Timestamp;
}

export interface WitnessCosignature {
  tree_size: number;
  at: Timestamp;
}

export interface WitnessError {
  error: string;
  at: Timestamp;
}

export interface ListSessionsQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListMembersQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface RemoveMemberQuery {
  /** Remove the member although they are custodian of copies. Compliance check 3 of these copies then fails */
  readonly custody?: "leave" | undefined;
}

export interface ListInvitationsQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListOrgAuditTrailQuery {
  /** Who acted: the ID of a member (usr_…) or of an API key (lk_…) */
  readonly actor_id?: string | undefined;
  /** Entries of this type, for example `key.created` */
  readonly type?: string | undefined;
  /** At this time or later */
  readonly from?: Timestamp | undefined;
  /** Before this time */
  readonly to?: Timestamp | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListMemberSessionsQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListKeysQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListCustomersQuery {
  /** Beginnings of words of the name, e-mail, company or client_id */
  readonly q?: string | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface FindContactsQuery {
  /** Beginnings of words, in any order */
  readonly q: string;
}

export interface LookUpCustomerQuery {
  readonly client_id?: string | undefined;
  readonly email?: string | undefined;
}

export interface ListMergedCustomersQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListTemplatesQuery {
  /** Text in the name or the external_id. Case does not matter */
  readonly q?: string | undefined;
  /** Your own id for the template */
  readonly external_id?: string | undefined;
  /** The name of a tag, without regard to case */
  readonly tag?: TagName | undefined;
  /** Lists only archived templates */
  readonly archived?: "exclude" | "only" | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface PlaceFieldsQuery {
  /** true checks the request and resolves anchors without saving anything */
  readonly dry_run?: "true" | "false" | undefined;
}

export interface ReplaceFieldsQuery {
  /** true checks the request and resolves anchors without saving anything */
  readonly dry_run?: "true" | "false" | undefined;
}

export interface GetTemplatePageQuery {
  /** Width in pixels; default 1224 */
  readonly w?: "204" | "1224" | "2448" | undefined;
}

export interface ExportEnvelopesQuery {
  readonly customer_id?: string | undefined;
  readonly status?: EnvelopeStatus | undefined;
  /** draft: not sent yet (pending, uploaded or preparing). open: sent, and not ended (sent or viewed) */
  readonly stage?: "draft" | "open" | undefined;
  /** Exactly this external_id; several envelopes can have it */
  readonly external_id?: string | undefined;
  /** Beginnings of words, in any order: each must begin a word of the envelope's name, external_id or tags, of a name or e-mail address of its signers or, with customers:read, of its customer's name, e-mail, company or client_id. Case does not matter. An e-mail address also counts as one word */
  readonly q?: string | undefined;
  /** Created at this time or later */
  readonly created_from?: Timestamp | undefined;
  /** Created before this time */
  readonly created_to?: Timestamp | undefined;
  /** The name of a tag. Case does not matter */
  readonly tag?: string | undefined;
  /** The user ID of the owner, or `me` in a console session */
  readonly owner?: string | undefined;
  /** Sent to this address. Drafts are not searched */
  readonly recipient_email?: Email | undefined;
  readonly template_id?: TemplateId | undefined;
  readonly batch_id?: BulkBatchId | undefined;
  readonly form_id?: FormId | undefined;
  /** Open envelopes that you were asked to sign and have not signed. Only in a console session */
  readonly waiting_for?: "me" | undefined;
  /** Leaves out discarded drafts, or lists only them. Without it the list has both */
  readonly discarded?: "exclude" | "only" | undefined;
  readonly sort?: EnvelopeSort | undefined;
  /** Only these envelopes: up to 200 IDs, separated by commas */
  readonly envelope_ids?: string | undefined;
}

export interface ListEnvelopesQuery {
  readonly customer_id?: string | undefined;
  readonly status?: EnvelopeStatus | undefined;
  /** draft: not sent yet (pending, uploaded or preparing). open: sent, and not ended (sent or viewed) */
  readonly stage?: "draft" | "open" | undefined;
  /** Exactly this external_id; several envelopes can have it */
  readonly external_id?: string | undefined;
  /** Beginnings of words, in any order: each must begin a word of the envelope's name, external_id or tags, of a name or e-mail address of its signers or, with customers:read, of its customer's name, e-mail, company or client_id. Case does not matter. An e-mail address also counts as one word */
  readonly q?: string | undefined;
  /** Created at this time or later */
  readonly created_from?: Timestamp | undefined;
  /** Created before this time */
  readonly created_to?: Timestamp | undefined;
  /** The name of a tag. Case does not matter */
  readonly tag?: string | undefined;
  /** The user ID of the owner, or `me` in a console session */
  readonly owner?: string | undefined;
  /** Sent to this address. Drafts are not searched */
  readonly recipient_email?: Email | undefined;
  readonly template_id?: TemplateId | undefined;
  readonly batch_id?: BulkBatchId | undefined;
  readonly form_id?: FormId | undefined;
  /** Open envelopes that you were asked to sign and have not signed. Only in a console session */
  readonly waiting_for?: "me" | undefined;
  /** Leaves out discarded drafts, or lists only them. Without it the list has both */
  readonly discarded?: "exclude" | "only" | undefined;
  readonly sort?: EnvelopeSort | undefined;
  /** Comma-separated related objects to include: signers, customer, recipients, tags, owner (customer needs customers:read) */
  readonly expand?: string | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListEnvelopeAuditTrailQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface PlaceEnvelopeFieldsQuery {
  /** true checks the request and resolves anchors without saving anything */
  readonly dry_run?: "true" | "false" | undefined;
}

export interface ReplaceEnvelopeFieldsQuery {
  /** true checks the request and resolves anchors without saving anything */
  readonly dry_run?: "true" | "false" | undefined;
}

export interface GetEnvelopePageQuery {
  /** Width in pixels; default 1224 */
  readonly w?: "204" | "1224" | "2448" | undefined;
  /** prepared: as it was sent. current: with everything that was filled in and signed so far; once it is vaulted, as a marked copy made for you */
  readonly version?: "prepared" | "current" | undefined;
}

export interface GetEnvelopePageTextQuery {
  /** prepared: as it was sent. current: with everything that was filled in and signed so far; once it is vaulted, as a marked copy made for you */
  readonly version?: "prepared" | "current" | undefined;
}

export interface ListBulkBatchesQuery {
  readonly state?: BulkBatchState | undefined;
  readonly template_id?: string | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListBulkRowsQuery {
  readonly state?: BulkRowState | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface GetBulkRowsCsvQuery {
  readonly state?: BulkRowState | undefined;
}

export interface GetStatisticsQuery {
  readonly days?: number | undefined;
}

export interface ListFormsQuery {
  readonly template_id?: TemplateId | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListNotificationsQuery {
  /** `true`: only those that you have not read */
  readonly unread?: "true" | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ExportAuditLogQuery {
  /** The last `leaf_index` that you have. Omit it to start at the beginning */
  readonly after?: number | undefined;
  /** The last `leaf_index` to return */
  readonly until?: number | undefined;
  /** Only these types, separated by commas */
  readonly types?: string | undefined;
  /** The maximum number of entries */
  readonly limit?: number | undefined;
}

export interface ExportSignInEventsQuery {
  /** The last `event_no` that you have. Omit it to start at the beginning */
  readonly after?: number | undefined;
  /** Only this many of the latest events. Not together with `after` */
  readonly latest?: number | undefined;
  /** The maximum number of events */
  readonly limit?: number | undefined;
}

export interface ListProblemsQuery {
  /** `retrying`: it failed several times and is tried again. `failed`: it is not tried any more. `retry_requested`: a worker tries it within seconds. `resolved`: it is done. `discarded`: the operator gave it up */
  readonly state?: "retrying" | "failed" | "retry_requested" | "resolved" | "discarded" | undefined;
  readonly envelope_id?: string | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListAuditSinksQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListOutboxQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListTestMessagesQuery {
  /** Only messages to this address */
  readonly to?: Email | undefined;
  /** Only messages about this envelope */
  readonly envelope_id?: EnvelopeId | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface RemoveMailTextsQuery {
  readonly kind?: MailTextKind | undefined;
  readonly locale?: Locale | undefined;
}

export interface ListEndpointsQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface GetEndpointStatisticsQuery {
  /** Number of days, including today */
  readonly days?: number | undefined;
}

export interface ListDeliveriesQuery {
  readonly status?: WebhookDeliveryStatus | undefined;
  readonly event_type?: EventType | undefined;
  readonly event_id?: EventId | undefined;
  /** Attempts made at this time or later */
  readonly created_from?: Timestamp | undefined;
  /** Attempts made before this time */
  readonly created_to?: Timestamp | undefined;
  /** Deprecated: use created_from */
  readonly since?: string | undefined;
  /** Deprecated: use created_to */
  readonly until?: string | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListEventsQuery {
  readonly event_type?: EventType | undefined;
  readonly envelope_id?: EnvelopeId | undefined;
  /** Events of this time or later */
  readonly created_from?: Timestamp | undefined;
  /** Events before this time */
  readonly created_to?: Timestamp | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListEventTypesQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListVaultQuery {
  readonly state?: VaultCopyState | undefined;
  /** As in the vault record. The value signed_here is deprecated: use signed_here=true */
  readonly source?: "paper_upload" | "electronic_signed" | "signed_here" | undefined;
  readonly signed_here?: "true" | "false" | undefined;
  readonly passed?: "true" | "false" | undefined;
  readonly standing?: ComplianceStanding | undefined;
  readonly customer_id?: string | undefined;
  /** Copies whose custodian is this person */
  readonly custodian_user_id?: string | undefined;
  /** Beginnings of words of the envelope, its signers or its tags */
  readonly q?: string | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface GetComplianceCertificateQuery {
  /** json: the certificate as data. file: the exact JSON file whose hash is on record. pdf: the sealed PDF */
  readonly format?: "pdf" | "json" | "file" | undefined;
}

export interface ListVaultAccessesQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListCustodyTransfersQuery {
  readonly to_user_id?: string | undefined;
  readonly from_user_id?: string | undefined;
  readonly envelope_id?: string | undefined;
  readonly status?: CustodyTransferStatus | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListCustodiansQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListVaultExportsQuery {
  readonly envelope_id?: string | undefined;
  readonly status?: VaultExportStatus | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListRecordEndingsQuery {
  readonly envelope_id?: string | undefined;
  readonly kind?: RecordEndingKind | undefined;
  readonly status?: RecordEndingStatus | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListRemoteVaultsQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListVaultTransfersQuery {
  readonly direction?: VaultTransferDirection | undefined;
  readonly state?: VaultTransferState | undefined;
  readonly envelope_id?: string | undefined;
  readonly updated_since?: Timestamp | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListAssignmentsQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListPossibleDuplicatesQuery {
  /** Only the matches of this record */
  readonly envelope_id?: string | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListLegalHoldsQuery {
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListPartiesQuery {
  readonly kind?: "people" | "org" | "vault" | undefined;
  /** Part of the name or the identifier */
  readonly search?: string | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListActsQuery {
  readonly state?: ActState | undefined;
  readonly envelope_id?: string | undefined;
  /** Acts that ask this party */
  readonly party_id?: string | undefined;
  readonly updated_since?: Timestamp | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListRemoteRequestsQuery {
  readonly state?: RemoteRequestState | undefined;
  readonly updated_since?: Timestamp | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListControlBatchesQuery {
  readonly state?: ControlBatchState | undefined;
  readonly kind?: ControlBatchKind | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListControlBatchItemsQuery {
  readonly state?: ControlBatchItemState | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export interface ListActItemsQuery {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

export interface ListAuditGrantsQuery {
  readonly party_id?: string | undefined;
  readonly page?: number | undefined;
  /** A larger value is reduced to the maximum; meta.limit shows the value used */
  readonly limit?: number | undefined;
}

export type StartPasskeyBody = { readonly [name: string]: unknown };
