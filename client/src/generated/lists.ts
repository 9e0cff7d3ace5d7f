// Written by `npm run generate` from openapi.json. Change the declarations of the service instead.
export { detailCodes, errorCodes } from "./error-codes.ts";

export const actDecisions = [
  "confirm",
  "refuse",
] as const;

export const actKinds = [
  "designate",
  "correct_party",
  "assign",
  "release",
  "participate",
  "pledge",
  "release_pledge",
  "designate_custodian",
  "move_custody",
  "acknowledge_control",
  "release_hold",
  "transfer_out",
  "export_out",
  "paper_out",
  "destroy",
  "recover",
  "change_people",
] as const;

export const actMessageKinds = [
  "request",
  "decision",
  "closing",
] as const;

/** passkey: a signature over the act. code: a code sent to the person's address for this act. session, key: of a member or another organization. vault_key: another installation signed the decision of one of its members */
export const actMethods = [
  "passkey",
  "code",
  "session",
  "key",
  "vault_key",
] as const;

export const actStates = [
  "proposed",
  "confirmed",
  "registering",
  "effective",
  "refused",
  "cancelled",
  "expired",
  "superseded",
] as const;

export const apiKeyStatuses = [
  "active",
  "expired",
  "deactivated",
] as const;

export const appliedDeadlines = [
  "reminded",
  "expiry_announced",
  "expired",
] as const;

/** Only `written` is accepted in this version */
export const assignmentConsentMethods = [
  "written",
  "email_confirmation",
] as const;

export const assignmentStatuses = [
  "pending",
  "effective",
  "refused",
] as const;

export const attestationAuthMethods = [
  "email_link",
  "access_code",
  "sms",
  "kba",
  "sso",
  "government_id",
  "in_person",
  "unknown",
] as const;

export const attestationDispositions = [
  "destroyed",
  "marked_as_copy",
  "retained",
] as const;

export const attestationIdentifications = [
  "known_personally",
  "government_id",
  "notary",
  "witness",
  "unknown",
] as const;

export const attestationPriorCopyStatuses = [
  "none_existed",
  "exported_with_acknowledgment",
  "marked_as_copy",
  "unknown",
] as const;

/** `beginning`: all entries of the organization; `now`: those recorded from now on */
export const auditSinkFroms = [
  "beginning",
  "now",
] as const;

export const auditSinkKinds = [
  "webhook",
  "syslog",
] as const;

export const auditSinkStates = [
  "ok",
  "failing",
  "off",
] as const;

export const brandingFonts = [
  "system",
  "serif",
  "rounded",
] as const;

export const brandingSchemes = [
  "light",
  "dark",
  "auto",
] as const;

/** checking: the rows are being checked. checked: ready to start. refused: the file cannot be used, see `problems`. queued: starts when the bulk send before it has ended. paused: see `reason`; start it again, or check the rows again with retry. ended: every ready row was sent or failed. cancelled: the rows that were left were skipped */
export const bulkBatchStates = [
  "checking",
  "checked",
  "refused",
  "queued",
  "running",
  "paused",
  "ended",
  "cancelled",
] as const;

/** ready: checked and not sent yet. invalid: see `errors`; it is not sent. sent: the envelope was sent. failed: it could not be sent, see `errors`. skipped: the bulk send was cancelled before its turn */
export const bulkRowStates = [
  "ready",
  "invalid",
  "sent",
  "failed",
  "skipped",
] as const;

export const codeMailStates = [
  "queued",
  "sent",
  "failed",
] as const;

export const complianceAnnexIds = [
  "ucc_9_105_b",
  "ucc_9_105_2022",
  "usc_15_7021",
  "ueta_16",
] as const;

export const complianceChecks = [
  "single_authoritative_copy",
  "tamper_evident_record",
  "custodian",
  "signatures_complete",
  "consent_and_attribution",
  "audit_trail",
  "copies_and_retention",
  "secured_party",
] as const;

/** proven: a third party can recompute it. attested: it rests on a statement of the depositor, or on this installation's own clock, lock or key alone. not_shown: the check is not satisfied. null for a certificate from before grades */
export const complianceGrades = [
  "proven",
  "attested",
  "not_shown",
] as const;

/** proven: all eight checks. attested: score 100, at least one check attested. not_passed: below 100. left, destroyed: what became of the copy. not_assessed: the latest certificate is from before grades */
export const complianceStandings = [
  "proven",
  "attested",
  "not_passed",
  "left",
  "destroyed",
  "not_assessed",
] as const;

export const complianceWarningCodes = [
  "secured_party_incomplete",
  "time_self_operated",
  "seal_self_issued",
  "lock_application_only",
  "identity_asserted_by_partner",
  "kba_weak_provider",
  "low_resolution",
  "signatures_removed_by_cleaning",
  "tamper_detected",
  "custodian_not_designated_by_secured_party",
  "time_late",
  "witness_conflict",
  "log_not_public",
  "controller_is_depositor",
  "possible_duplicate",
  "instrument_not_identified",
  "release_not_witnessed",
  "recovered_after_release",
  "transferable_record_not_agreed",
] as const;

export const controlBatchItemStates = [
  "waiting",
  "done",
  "skipped",
] as const;

export const controlBatchKinds = [
  "designate",
  "assign",
  "pledge",
  "release_pledge",
  "move_custody",
  "transfer_out",
  "re_evaluate",
  "evidence",
] as const;

/** proposed: not everyone has confirmed. running: records get their result one after the other. done: every record has its result, and the report is signed */
export const controlBatchStates = [
  "proposed",
  "running",
  "done",
  "refused",
  "cancelled",
  "expired",
] as const;

export const custodyTransferStatuses = [
  "pending",
  "accepted",
  "rejected",
  "cancelled",
  "expired",
] as const;

export const documentContentTypes = [
  "application/pdf",
  "image/png",
  "image/jpeg",
] as const;

export const domainMailboxes = [
  "postmaster",
  "admin",
  "hostmaster",
] as const;

export const domainProofMethods = [
  "dns",
  "mail",
] as const;

export const envelopeActions = [
  "remind",
  "void",
  "discard",
  "tag",
  "untag",
  "set_owner",
] as const;

/** -created_at: newest first. -updated_at: latest change first. expires_at: open envelopes by expiry date, then the others. envelope_name: by name */
export const envelopeSorts = [
  "-created_at",
  "-updated_at",
  "expires_at",
  "envelope_name",
] as const;

export const envelopeStatuses = [
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

export const eventTypes = [
  "envelope.created",
  "envelope.sent",
  "envelope.voided",
  "envelope.reminder_sent",
  "vault.stored",
  "vault.compliance.passed",
  "vault.compliance.failed",
  "custodian.transfer",
  "webhook.test",
  "envelope.viewed",
  "envelope.completed",
  "envelope.declined",
  "envelope.expired",
  "vault.document.accessed",
  "vault.document.tamper_detected",
  "custodian.accepted",
  "custodian.rejected",
] as const;

export const eventTypeStatuses = [
  "dispatched",
  "reserved",
] as const;

export const factorKinds = [
  "totp",
  "passkey",
] as const;

export const fieldTypes = [
  "signature",
  "initials",
  "text",
  "date",
  "number",
  "checkbox",
  "select",
  "radio",
  "label",
] as const;

/** file: the same file. revision: the file with something appended. ours: made from the same record by this service. text: the same words. instrument: the same declared instrument. pdf_id: the same identifier of the PDF */
export const fingerprintKinds = [
  "file",
  "revision",
  "ours",
  "text",
  "instrument",
  "pdf_id",
] as const;

/** closed: after `closes_at`, after `max_total` envelopes, or while the template is archived or has changed so that no envelope could be sent */
export const formStates = [
  "open",
  "paused",
  "closed",
] as const;

export const identityMethods = [
  "email_code",
  "access_code",
  "kba",
] as const;

export const instanceKeyPurposes = [
  "root",
  "records",
  "log",
  "vault",
] as const;

export const legalTextKinds = [
  "disclosure",
  "intent",
  "terms",
  "agreement",
] as const;

export const linkMessageKinds = [
  "offer",
  "package",
  "release",
  "cancel",
  "accept",
  "ready",
  "receipt",
  "refusal",
] as const;

export const locales = [
  "en",
  "es",
  "fr",
  "de",
] as const;

export const mailSenderRecordNames = [
  "dkim",
  "spf",
  "dmarc",
] as const;

export const mailSenderRecordStates = [
  "found",
  "missing",
  "different",
  "unknown",
] as const;

export const mailTextKinds = [
  "invitation",
  "reminder",
  "completed",
  "declined",
  "voided",
  "expired",
  "copy",
] as const;

export const modes = [
  "live",
  "test",
] as const;

export const notificationKinds = [
  "completed",
  "declined",
  "expires_soon",
  "expired",
  "mail_failed",
  "action_needed",
  "batch_ended",
] as const;

export const outboxMessageStates = [
  "queued",
  "sent",
  "failed",
] as const;

export const permissions = [
  "envelopes:read",
  "envelopes:write",
  "drafts:write",
  "esign:write",
  "customers:read",
  "customers:write",
  "vault:read",
  "vault:write",
  "vault:release",
  "compliance:read",
  "custody:write",
  "control:write",
  "control:approve",
  "parties:write",
  "webhooks:read",
  "webhooks:write",
  "audit:read",
  "members:manage",
  "keys:manage",
  "settings:manage",
  "security:manage",
  "mail:manage",
  "audit:export",
] as const;

export const placeableFieldTypes = [
  "signature",
  "initials",
  "text",
  "date",
  "number",
  "checkbox",
  "select",
  "radio",
  "label",
] as const;

/** With `link`, the service sends this person no mail: hand over a link or embed the page */
export const recipientDeliveries = [
  "email",
  "link",
] as const;

/** A signer signs, an approver approves or rejects, a viewer confirms that they have read it, a cc gets a copy */
export const recipientKinds = [
  "signer",
  "approver",
  "viewer",
  "cc",
] as const;

export const recipientStatuses = [
  "pending",
  "viewed",
  "signed",
  "declined",
  "locked",
  "cancelled",
  "approved",
  "confirmed",
  "delivered",
] as const;

export const recordEndingKinds = [
  "paper",
  "destruction",
] as const;

/** begun: the paper is not printed yet, or the files are not removed yet. cancelled: the record returned to the vault */
export const recordEndingStatuses = [
  "begun",
  "done",
  "cancelled",
] as const;

/** What kind of record the document is, as declared */
export const recordTypes = [
  "chattel_paper",
  "transferable_record",
  "other",
] as const;

export const registeredActKinds = [
  "designate",
  "correct_party",
  "assign",
  "release",
  "participate",
  "pledge",
  "release_pledge",
  "designate_custodian",
  "move_custody",
  "acknowledge_control",
  "release_hold",
  "transfer_out",
  "export_out",
  "paper_out",
  "destroy",
  "recover",
] as const;

/** gate: a confirmed act waits until the registry has accepted it. notify: the registry is told after an act took effect */
export const registryModes = [
  "notify",
  "gate",
] as const;

export const remoteRequestStates = [
  "open",
  "decided",
  "closed",
] as const;

export const roles = [
  "admin",
  "member",
  "viewer",
  "custodian",
  "security_admin",
  "auditor",
] as const;

export const scopes = [
  "envelopes:read",
  "envelopes:write",
  "drafts:write",
  "esign:write",
  "customers:read",
  "customers:write",
  "vault:read",
  "vault:write",
  "vault:release",
  "compliance:read",
  "custody:write",
  "control:write",
  "control:approve",
  "parties:write",
  "webhooks:read",
  "webhooks:write",
  "audit:read",
] as const;

export const secondFactorMethods = [
  "totp",
  "passkey",
  "recovery_code",
] as const;

export const sessionModes = [
  "cookie",
  "token",
] as const;

export const signerStatuses = [
  "pending",
  "viewed",
  "signed",
  "declined",
  "locked",
  "cancelled",
] as const;

/** For recipients without steps. With steps, answers say what they amount to: `steps` if some act together and others after them */
export const signingOrders = [
  "sequential",
  "parallel",
  "steps",
] as const;

export const ssoConnectionStates = [
  "draft",
  "active",
  "disabled",
] as const;

/** create: who logs in for the first time becomes a member. off: only members log in */
export const ssoProvisionings = [
  "off",
  "create",
] as const;

export const transparencyWarnings = [
  "witness_conflict",
  "log_not_public",
] as const;

export const vaultCopyStates = [
  "active",
  "escrowed",
  "exported",
  "tampered",
  "destroying",
  "destroyed",
  "transferred",
  "papering",
  "papered",
] as const;

export const vaultDepositSources = [
  "paper_upload",
  "electronic_signed",
] as const;

export const vaultExportStatuses = [
  "escrowed",
  "acknowledged",
  "cancelled",
  "expired",
] as const;

export const vaultTransferDirections = [
  "out",
  "in",
] as const;

export const vaultTransferStates = [
  "offered",
  "accepted",
  "packed",
  "ready",
  "released",
  "done",
  "confirmed",
  "cancelled",
  "refused",
  "recovered",
  "disputed",
] as const;

export const webhookAttemptErrors = [
  "timeout",
  "dns_error",
  "connection_error",
  "tls_error",
  "blocked_address",
  "redirect",
  "http_error",
  "endpoint_disabled",
  "cancelled_by_operator",
  "interrupted",
] as const;

export const webhookAttemptTriggers = [
  "event",
  "retry",
  "replay",
  "test",
] as const;

export const webhookDeliveryStatuses = [
  "pending",
  "succeeded",
  "failed",
  "cancelled",
] as const;

export const webhookDisabledReasons = [
  "manual",
  "gone",
  "failing",
] as const;

export const webhookReplayStatuses = [
  "succeeded",
  "failed",
  "cancelled",
] as const;

export const widgetTypes = [
  "sign",
  "vault",
] as const;
