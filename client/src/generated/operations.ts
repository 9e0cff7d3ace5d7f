// Written by `npm run generate` from openapi.json. Change the declarations of the service instead.
import type * as T from "./types.ts";

/** Method and path, by operation. */
export const operations = {
  log_in: ["POST", "/auth/login"],
  refresh_session: ["POST", "/auth/refresh"],
  log_out: ["POST", "/auth/logout"],
  get_me: ["GET", "/auth/me"],
  update_me: ["PATCH", "/auth/me"],
  list_sessions: ["GET", "/auth/sessions"],
  end_session: ["DELETE", "/auth/sessions/{session_id}"],
  end_other_sessions: ["POST", "/auth/sessions/end-others"],
  list_devices: ["GET", "/auth/devices"],
  forget_device: ["DELETE", "/auth/devices/{device_id}"],
  remove_password: ["DELETE", "/auth/password"],
  update_password: ["POST", "/auth/password"],
  send_email_code: ["POST", "/auth/email/code"],
  get_email_code_mail: ["GET", "/auth/email/code"],
  verify_email: ["POST", "/auth/email/verify"],
  request_email_change: ["POST", "/auth/email"],
  finish_log_in: ["POST", "/auth/login/second-factor"],
  confirm_identity: ["POST", "/auth/confirm"],
  get_factors: ["GET", "/auth/factors"],
  add_totp: ["POST", "/auth/factors/totp"],
  start_passkey: ["POST", "/auth/passkey/start"],
  log_in_by_passkey: ["POST", "/auth/passkey/finish"],
  offer_account_passkey: ["POST", "/auth/factors/passkeys/start"],
  add_account_passkey: ["POST", "/auth/factors/passkeys"],
  confirm_factor: ["POST", "/auth/factors/{factor_id}/confirm"],
  update_factor: ["PATCH", "/auth/factors/{factor_id}"],
  remove_factor: ["DELETE", "/auth/factors/{factor_id}"],
  renew_recovery_codes: ["POST", "/auth/recovery-codes"],
  list_members: ["GET", "/org/members"],
  update_role: ["PATCH", "/org/members/{user_id}"],
  remove_member: ["DELETE", "/org/members/{user_id}"],
  invite_member: ["POST", "/org/invitations"],
  list_invitations: ["GET", "/org/invitations"],
  revoke_invitation: ["DELETE", "/org/invitations/{invitation_id}"],
  get_settings: ["GET", "/org/settings"],
  update_settings: ["PATCH", "/org/settings"],
  list_org_audit_trail: ["GET", "/org/audit-trail"],
  create_sandbox: ["POST", "/org/sandboxes"],
  list_sandboxes: ["GET", "/org/sandboxes"],
  reset_sandbox: ["POST", "/org/sandboxes/{org_id}/reset"],
  delete_sandbox: ["DELETE", "/org/sandboxes/{org_id}"],
  get_security: ["GET", "/org/security"],
  update_security: ["PATCH", "/org/security"],
  list_member_sessions: ["GET", "/org/members/{user_id}/sessions"],
  end_member_sessions: ["DELETE", "/org/members/{user_id}/sessions"],
  end_member_session: ["DELETE", "/org/members/{user_id}/sessions/{session_id}"],
  end_all_sessions: ["DELETE", "/org/sessions"],
  reset_member_factors: ["POST", "/org/members/{user_id}/reset-factors"],
  get_domains: ["GET", "/org/domains"],
  add_domain: ["POST", "/org/domains"],
  verify_domain: ["POST", "/org/domains/{domain_id}/verify"],
  remove_domain: ["DELETE", "/org/domains/{domain_id}"],
  get_sso_connections: ["GET", "/org/sso"],
  create_sso_connection: ["POST", "/org/sso"],
  update_sso_connection: ["PATCH", "/org/sso/{connection_id}"],
  remove_sso_connection: ["DELETE", "/org/sso/{connection_id}"],
  test_sso_connection: ["POST", "/org/sso/{connection_id}/test"],
  get_caller: ["GET", "/partner/me"],
  create_key: ["POST", "/partners/keys"],
  list_keys: ["GET", "/partners/keys"],
  get_key: ["GET", "/partners/keys/{key_id}"],
  update_key: ["PATCH", "/partners/keys/{key_id}"],
  deactivate_key: ["DELETE", "/partners/keys/{key_id}"],
  rotate_key: ["POST", "/partners/keys/{key_id}/rotate"],
  test_webhook: ["POST", "/partners/keys/{key_id}/test-webhook"],
  upload_customers: ["POST", "/customers/bulk"],
  list_customers: ["GET", "/customers"],
  find_contacts: ["GET", "/contacts"],
  look_up_customer: ["GET", "/partner/customers"],
  create_customer: ["POST", "/partner/customers"],
  get_customer: ["GET", "/partner/customers/{customer_id}"],
  update_customer: ["PATCH", "/partner/customers/{customer_id}"],
  delete_customer: ["DELETE", "/partner/customers/{customer_id}"],
  merge_customers: ["POST", "/partner/customers/{customer_id}/merge"],
  list_merged_customers: ["GET", "/partner/customers/{customer_id}/merged"],
  create_template: ["POST", "/partner/templates"],
  list_templates: ["GET", "/partner/templates"],
  get_template: ["GET", "/partner/templates/{template_id}"],
  archive_template: ["DELETE", "/partner/templates/{template_id}"],
  update_template: ["PATCH", "/partner/templates/{template_id}"],
  get_template_usage: ["GET", "/partner/templates/{template_id}/usage"],
  place_fields: ["POST", "/partner/templates/{template_id}/fields"],
  replace_fields: ["PUT", "/partner/templates/{template_id}/fields"],
  get_template_page: ["GET", "/partner/templates/{template_id}/pages/{page}"],
  get_template_page_text: ["GET", "/partner/templates/{template_id}/pages/{page}/text"],
  copy_template: ["POST", "/partner/templates/{template_id}/copy"],
  restore_template: ["POST", "/partner/templates/{template_id}/restore"],
  list_template_documents: ["GET", "/partner/templates/{template_id}/documents"],
  add_template_document: ["POST", "/partner/templates/{template_id}/documents"],
  change_template_document: ["PATCH", "/partner/templates/{template_id}/documents/{document_id}"],
  remove_template_document: ["DELETE", "/partner/templates/{template_id}/documents/{document_id}"],
  replace_template_document: ["PUT", "/partner/templates/{template_id}/documents/{document_id}/file"],
  get_template_document_file: ["GET", "/partner/templates/{template_id}/documents/{document_id}/file"],
  act_on_envelopes: ["POST", "/partner/envelopes/actions"],
  export_envelopes: ["GET", "/partner/envelopes.csv"],
  download_documents: ["POST", "/partner/envelopes/documents.zip"],
  list_tags: ["GET", "/partner/tags"],
  save_tag: ["PUT", "/partner/tags/{tag}"],
  delete_tag: ["DELETE", "/partner/tags/{tag}"],
  create_envelope: ["POST", "/partner/envelopes"],
  list_envelopes: ["GET", "/partner/envelopes"],
  upload_document: ["POST", "/partner/customers/{customer_id}/documents"],
  get_envelope: ["GET", "/partner/envelopes/{envelope_id}"],
  update_envelope: ["PATCH", "/partner/envelopes/{envelope_id}"],
  discard_envelope: ["DELETE", "/partner/envelopes/{envelope_id}"],
  get_envelope_status: ["GET", "/partner/envelopes/{envelope_id}/status"],
  list_envelope_audit_trail: ["GET", "/partner/envelopes/{envelope_id}/audit-trail"],
  export_audit_trail: ["GET", "/partner/envelopes/{envelope_id}/audit-trail.csv"],
  get_envelope_document: ["GET", "/partner/envelopes/{envelope_id}/document"],
  get_completion_certificate: ["GET", "/partner/envelopes/{envelope_id}/completion-certificate"],
  get_certification_terms: ["GET", "/partner/certification-terms"],
  duplicate_envelope: ["POST", "/partner/envelopes/{envelope_id}/duplicate"],
  save_envelope_as_template: ["POST", "/partner/envelopes/{envelope_id}/template"],
  attach_document: ["POST", "/partner/envelopes/{envelope_id}/upload"],
  get_envelope_fields: ["GET", "/partner/envelopes/{envelope_id}/fields"],
  place_envelope_fields: ["POST", "/partner/envelopes/{envelope_id}/fields"],
  replace_envelope_fields: ["PUT", "/partner/envelopes/{envelope_id}/fields"],
  get_envelope_page: ["GET", "/partner/envelopes/{envelope_id}/pages/{page}"],
  get_envelope_page_text: ["GET", "/partner/envelopes/{envelope_id}/pages/{page}/text"],
  list_envelope_documents: ["GET", "/partner/envelopes/{envelope_id}/documents"],
  add_envelope_document: ["POST", "/partner/envelopes/{envelope_id}/documents"],
  change_envelope_document: ["PATCH", "/partner/envelopes/{envelope_id}/documents/{document_id}"],
  remove_envelope_document: ["DELETE", "/partner/envelopes/{envelope_id}/documents/{document_id}"],
  replace_envelope_document: ["PUT", "/partner/envelopes/{envelope_id}/documents/{document_id}/file"],
  get_envelope_document_file: ["GET", "/partner/envelopes/{envelope_id}/documents/{document_id}/file"],
  send_envelope: ["POST", "/partner/envelopes/{envelope_id}/send"],
  remind_signers: ["POST", "/partner/envelopes/{envelope_id}/remind"],
  correct_signer: ["PATCH", "/partner/envelopes/{envelope_id}/signers/{slug}"],
  void_envelope: ["POST", "/partner/envelopes/{envelope_id}/void"],
  list_recipients: ["GET", "/partner/envelopes/{envelope_id}/recipients"],
  add_recipient: ["POST", "/partner/envelopes/{envelope_id}/recipients"],
  change_recipient: ["PATCH", "/partner/envelopes/{envelope_id}/recipients/{recipient_id}"],
  remove_recipient: ["DELETE", "/partner/envelopes/{envelope_id}/recipients/{recipient_id}"],
  create_bulk_batch: ["POST", "/partner/bulk-batches"],
  list_bulk_batches: ["GET", "/partner/bulk-batches"],
  start_bulk_batch: ["POST", "/partner/bulk-batches/{batch_id}/start"],
  cancel_bulk_batch: ["POST", "/partner/bulk-batches/{batch_id}/cancel"],
  retry_bulk_batch: ["POST", "/partner/bulk-batches/{batch_id}/retry"],
  get_bulk_batch: ["GET", "/partner/bulk-batches/{batch_id}"],
  list_bulk_rows: ["GET", "/partner/bulk-batches/{batch_id}/rows"],
  get_bulk_rows_csv: ["GET", "/partner/bulk-batches/{batch_id}/rows.csv"],
  get_bulk_example: ["GET", "/partner/templates/{template_id}/bulk.csv"],
  get_statistics: ["GET", "/org/statistics"],
  get_attention: ["GET", "/org/attention"],
  get_latest_completed: ["GET", "/org/latest-completed"],
  list_forms: ["GET", "/partner/forms"],
  create_form: ["POST", "/partner/forms"],
  get_form: ["GET", "/partner/forms/{form_id}"],
  update_form: ["PATCH", "/partner/forms/{form_id}"],
  pause_form: ["POST", "/partner/forms/{form_id}/pause"],
  resume_form: ["POST", "/partner/forms/{form_id}/resume"],
  list_views: ["GET", "/views"],
  create_view: ["POST", "/views"],
  update_view: ["PATCH", "/views/{view_id}"],
  delete_view: ["DELETE", "/views/{view_id}"],
  list_notifications: ["GET", "/notifications"],
  read_notifications: ["POST", "/notifications/read"],
  get_notification_settings: ["GET", "/notifications/settings"],
  update_notification_settings: ["PATCH", "/notifications/settings"],
  export_audit_log: ["GET", "/org/audit-log"],
  export_sign_in_events: ["GET", "/org/sign-in-events"],
  list_problems: ["GET", "/org/problems"],
  retry_problem: ["POST", "/org/problems/{problem_id}/retry"],
  list_audit_sinks: ["GET", "/org/audit-sinks"],
  create_audit_sink: ["POST", "/org/audit-sinks"],
  update_audit_sink: ["PATCH", "/org/audit-sinks/{sink_id}"],
  delete_audit_sink: ["DELETE", "/org/audit-sinks/{sink_id}"],
  test_audit_sink: ["POST", "/org/audit-sinks/{sink_id}/test"],
  list_outbox: ["GET", "/org/outbox"],
  get_outbox_message: ["GET", "/org/outbox/{message_id}"],
  sign_test_envelope: ["POST", "/test/envelopes/{envelope_id}/sign"],
  decline_test_envelope: ["POST", "/test/envelopes/{envelope_id}/decline"],
  advance_test_envelope: ["POST", "/test/envelopes/{envelope_id}/advance"],
  append_test_event: ["POST", "/test/events"],
  list_test_messages: ["GET", "/test/messages"],
  list_mail_texts: ["GET", "/org/mail-texts"],
  set_mail_text: ["PUT", "/org/mail-texts"],
  remove_mail_texts: ["DELETE", "/org/mail-texts"],
  preview_mail_text: ["POST", "/org/mail-texts/preview"],
  get_mail_sender: ["GET", "/org/mail-sender"],
  set_mail_sender: ["PUT", "/org/mail-sender"],
  remove_mail_sender: ["DELETE", "/org/mail-sender"],
  check_mail_sender: ["POST", "/org/mail-sender/check"],
  create_embed_token: ["POST", "/embed/token"],
  list_signing_links: ["GET", "/partner/envelopes/{envelope_id}/signing-links"],
  list_signers: ["GET", "/partner/envelopes/{envelope_id}/signers"],
  create_signer_link: ["POST", "/partner/envelopes/{envelope_id}/signers/{slug}/link"],
  set_identity_questions: ["PUT", "/partner/envelopes/{envelope_id}/signers/{slug}/kba"],
  reset_identity_questions: ["POST", "/partner/envelopes/{envelope_id}/signers/{slug}/kba/reset"],
  set_signer_identity: ["PUT", "/partner/envelopes/{envelope_id}/signers/{slug}/identity"],
  reset_signer_identity: ["POST", "/partner/envelopes/{envelope_id}/signers/{slug}/identity/reset"],
  preview_envelope: ["POST", "/partner/envelopes/{envelope_id}/preview"],
  preview_template: ["POST", "/partner/templates/{template_id}/preview"],
  list_legal_texts: ["GET", "/org/legal-texts"],
  create_endpoint: ["POST", "/webhooks/endpoints"],
  list_endpoints: ["GET", "/webhooks/endpoints"],
  get_endpoint: ["GET", "/webhooks/endpoints/{endpoint_id}"],
  update_endpoint: ["PATCH", "/webhooks/endpoints/{endpoint_id}"],
  delete_endpoint: ["DELETE", "/webhooks/endpoints/{endpoint_id}"],
  get_endpoint_statistics: ["GET", "/webhooks/endpoints/{endpoint_id}/statistics"],
  get_endpoint_secret: ["GET", "/webhooks/endpoints/{endpoint_id}/secret"],
  rotate_endpoint_secret: ["POST", "/webhooks/endpoints/{endpoint_id}/rotate-secret"],
  test_endpoint: ["POST", "/webhooks/endpoints/{endpoint_id}/test"],
  list_deliveries: ["GET", "/webhooks/endpoints/{endpoint_id}/deliveries"],
  get_delivery: ["GET", "/webhooks/deliveries/{delivery_id}"],
  replay_delivery: ["POST", "/webhooks/deliveries/{delivery_id}/replay"],
  replay_range: ["POST", "/webhooks/endpoints/{endpoint_id}/replay"],
  list_events: ["GET", "/webhooks/events"],
  get_event: ["GET", "/webhooks/events/{event_id}"],
  list_event_types: ["GET", "/webhooks/event-types"],
  get_transparency: ["GET", "/org/transparency"],
  vault_in_signed: ["POST", "/partner/envelopes/{envelope_id}/vault-in-signed"],
  vault_in_upload: ["POST", "/partner/envelopes/{envelope_id}/vault-in-upload"],
  add_attestation: ["POST", "/partner/envelopes/{envelope_id}/attestations"],
  get_compliance: ["GET", "/partner/envelopes/{envelope_id}/compliance"],
  evaluate_compliance: ["POST", "/partner/envelopes/{envelope_id}/compliance"],
  list_vault: ["GET", "/partner/vault"],
  get_vault_statistics: ["GET", "/org/vault-statistics"],
  get_vault_record: ["GET", "/partner/envelopes/{envelope_id}/vault"],
  get_vault_copy: ["GET", "/partner/envelopes/{envelope_id}/vault/copy"],
  get_compliance_certificate: ["GET", "/partner/envelopes/{envelope_id}/vault/certificate"],
  get_evidence_bundle: ["GET", "/partner/envelopes/{envelope_id}/vault/evidence"],
  list_vault_accesses: ["GET", "/partner/envelopes/{envelope_id}/vault/access-log"],
  initiate_custody_transfer: ["POST", "/partner/envelopes/{envelope_id}/custody-transfers"],
  list_custody_transfers: ["GET", "/partner/custody-transfers"],
  list_custodians: ["GET", "/partner/custodians"],
  get_custody_transfer: ["GET", "/partner/custody-transfers/{permission_id}"],
  accept_custody_transfer: ["POST", "/partner/custody-transfers/{permission_id}/accept"],
  reject_custody_transfer: ["POST", "/partner/custody-transfers/{permission_id}/reject"],
  cancel_custody_transfer: ["POST", "/partner/custody-transfers/{permission_id}/cancel"],
  create_vault_export: ["POST", "/partner/envelopes/{envelope_id}/vault-out"],
  list_vault_exports: ["GET", "/partner/vault-exports"],
  get_vault_export: ["GET", "/partner/vault-exports/{export_id}"],
  get_vault_export_package: ["GET", "/partner/vault-exports/{export_id}/package"],
  acknowledge_vault_export: ["POST", "/partner/vault-exports/{export_id}/acknowledge"],
  cancel_vault_export: ["POST", "/partner/vault-exports/{export_id}/cancel"],
  list_record_endings: ["GET", "/partner/record-endings"],
  get_record_ending: ["GET", "/partner/record-endings/{ending_id}"],
  get_record_ending_certificate: ["GET", "/partner/record-endings/{ending_id}/certificate"],
  cancel_paper: ["POST", "/partner/record-endings/{ending_id}/cancel"],
  create_remote_vault: ["POST", "/partner/remote-vaults"],
  list_remote_vaults: ["GET", "/partner/remote-vaults"],
  delete_remote_vault: ["DELETE", "/partner/remote-vaults/{vault_id}"],
  list_vault_transfers: ["GET", "/partner/vault-transfers"],
  get_vault_transfer: ["GET", "/partner/vault-transfers/{transfer_id}"],
  list_vault_transfer_messages: ["GET", "/partner/vault-transfers/{transfer_id}/messages"],
  receive_vault_transfer_message: ["POST", "/partner/vault-transfers/messages"],
  accept_vault_transfer: ["POST", "/partner/vault-transfers/{transfer_id}/accept"],
  refuse_vault_transfer: ["POST", "/partner/vault-transfers/{transfer_id}/refuse"],
  cancel_vault_transfer: ["POST", "/partner/vault-transfers/{transfer_id}/cancel"],
  get_registry: ["GET", "/org/registry"],
  set_registry: ["PUT", "/org/registry"],
  remove_registry: ["DELETE", "/org/registry"],
  designate_secured_party: ["PUT", "/partner/envelopes/{envelope_id}/secured-party"],
  assign_record: ["POST", "/partner/envelopes/{envelope_id}/assignments"],
  list_assignments: ["GET", "/partner/envelopes/{envelope_id}/assignments"],
  list_possible_duplicates: ["GET", "/partner/possible-duplicates"],
  review_duplicate: ["POST", "/partner/envelopes/{envelope_id}/duplicate-review"],
  extend_retention: ["PUT", "/partner/envelopes/{envelope_id}/vault/retention"],
  place_legal_hold: ["POST", "/partner/envelopes/{envelope_id}/vault/legal-hold"],
  list_legal_holds: ["GET", "/partner/envelopes/{envelope_id}/vault/legal-hold"],
  release_legal_hold: ["DELETE", "/partner/envelopes/{envelope_id}/vault/legal-hold/{hold_id}"],
  create_party: ["POST", "/partner/parties"],
  list_parties: ["GET", "/partner/parties"],
  get_party: ["GET", "/partner/parties/{party_id}"],
  update_party: ["PATCH", "/partner/parties/{party_id}"],
  add_party_person: ["POST", "/partner/parties/{party_id}/people"],
  remove_party_person: ["DELETE", "/partner/parties/{party_id}/people/{person_id}"],
  propose_act: ["POST", "/partner/envelopes/{envelope_id}/acts"],
  list_acts: ["GET", "/partner/acts"],
  list_act_requests: ["GET", "/partner/act-requests"],
  get_act: ["GET", "/partner/acts/{act_id}"],
  decide_act: ["POST", "/partner/acts/{act_id}/decision"],
  cancel_act: ["POST", "/partner/acts/{act_id}/cancel"],
  list_remote_requests: ["GET", "/partner/remote-requests"],
  get_remote_request: ["GET", "/partner/remote-requests/{request_id}"],
  decide_remote_request: ["POST", "/partner/remote-requests/{request_id}/decision"],
  list_remote_request_messages: ["GET", "/partner/remote-requests/{request_id}/messages"],
  list_act_messages: ["GET", "/partner/acts/{act_id}/messages"],
  receive_act_message: ["POST", "/partner/remote-requests/messages"],
  create_control_batch: ["POST", "/partner/control-batches"],
  list_control_batches: ["GET", "/partner/control-batches"],
  get_control_batch: ["GET", "/partner/control-batches/{control_batch_id}"],
  list_control_batch_items: ["GET", "/partner/control-batches/{control_batch_id}/items"],
  get_control_batch_csv: ["GET", "/partner/control-batches/{control_batch_id}/items.csv"],
  get_control_batch_report: ["GET", "/partner/control-batches/{control_batch_id}/report"],
  cancel_control_batch: ["POST", "/partner/control-batches/{control_batch_id}/cancel"],
  list_act_items: ["GET", "/partner/acts/{act_id}/items"],
  get_act_csv: ["GET", "/partner/acts/{act_id}/items.csv"],
  create_audit_grant: ["POST", "/partner/audit-grants"],
  list_audit_grants: ["GET", "/partner/audit-grants"],
  revoke_audit_grant: ["DELETE", "/partner/audit-grants/{grant_id}"],
} as const;

/** The parameters and the response of each operation. */
export interface Operations {
  log_in: {
    method: "POST";
    path: "/auth/login";
    params: undefined;
    query: undefined;
    body: T.LogInRequest;
    kind: "data";
    answer: T.SessionTokens | T.SecondFactorRequired;
  };
  refresh_session: {
    method: "POST";
    path: "/auth/refresh";
    params: undefined;
    query: undefined;
    body: T.RefreshSessionRequest | undefined;
    kind: "data";
    answer: T.SessionTokens;
  };
  log_out: {
    method: "POST";
    path: "/auth/logout";
    params: undefined;
    query: undefined;
    body: T.LogOutRequest | undefined;
    kind: "data";
    answer: T.Done;
  };
  get_me: {
    method: "GET";
    path: "/auth/me";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.CurrentUser;
  };
  update_me: {
    method: "PATCH";
    path: "/auth/me";
    params: undefined;
    query: undefined;
    body: T.UpdateMeRequest | undefined;
    kind: "data";
    answer: T.CurrentUser;
  };
  list_sessions: {
    method: "GET";
    path: "/auth/sessions";
    params: undefined;
    query: T.ListSessionsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.Session)[];
    meta: { page: number; limit: number; total: number };
  };
  end_session: {
    method: "DELETE";
    path: "/auth/sessions/{session_id}";
    params: { session_id: T.SessionId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Done;
  };
  end_other_sessions: {
    method: "POST";
    path: "/auth/sessions/end-others";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.EndedSessions;
  };
  list_devices: {
    method: "GET";
    path: "/auth/devices";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.KnownBrowsers;
  };
  forget_device: {
    method: "DELETE";
    path: "/auth/devices/{device_id}";
    params: { device_id: T.DeviceId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Done;
  };
  remove_password: {
    method: "DELETE";
    path: "/auth/password";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Done;
  };
  update_password: {
    method: "POST";
    path: "/auth/password";
    params: undefined;
    query: undefined;
    body: T.UpdatePasswordRequest;
    kind: "data";
    answer: T.Done;
  };
  send_email_code: {
    method: "POST";
    path: "/auth/email/code";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Done;
  };
  get_email_code_mail: {
    method: "GET";
    path: "/auth/email/code";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.CodeMail;
  };
  verify_email: {
    method: "POST";
    path: "/auth/email/verify";
    params: undefined;
    query: undefined;
    body: T.VerifyEmailRequest;
    kind: "data";
    answer: T.EmailVerified;
  };
  request_email_change: {
    method: "POST";
    path: "/auth/email";
    params: undefined;
    query: undefined;
    body: T.RequestEmailChangeRequest;
    kind: "data";
    answer: T.Done;
  };
  finish_log_in: {
    method: "POST";
    path: "/auth/login/second-factor";
    params: undefined;
    query: undefined;
    body: T.FinishLogInRequest;
    kind: "data";
    answer: T.SessionTokens;
  };
  confirm_identity: {
    method: "POST";
    path: "/auth/confirm";
    params: undefined;
    query: undefined;
    body: T.ConfirmIdentityRequest | undefined;
    kind: "data";
    answer: T.ConfirmedIdentity;
  };
  get_factors: {
    method: "GET";
    path: "/auth/factors";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Factors;
  };
  add_totp: {
    method: "POST";
    path: "/auth/factors/totp";
    params: undefined;
    query: undefined;
    body: T.AddTotpRequest | undefined;
    kind: "data";
    answer: T.NewTotp;
  };
  start_passkey: {
    method: "POST";
    path: "/auth/passkey/start";
    params: undefined;
    query: undefined;
    body: T.StartPasskeyBody | undefined;
    kind: "data";
    answer: T.PasskeyAssertionOptions;
  };
  log_in_by_passkey: {
    method: "POST";
    path: "/auth/passkey/finish";
    params: undefined;
    query: undefined;
    body: T.LogInByPasskeyRequest;
    kind: "data";
    answer: T.SessionTokens;
  };
  offer_account_passkey: {
    method: "POST";
    path: "/auth/factors/passkeys/start";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.PasskeyRegistrationOptions;
  };
  add_account_passkey: {
    method: "POST";
    path: "/auth/factors/passkeys";
    params: undefined;
    query: undefined;
    body: T.AddAccountPasskeyRequest;
    kind: "data";
    answer: T.ConfirmedFactor;
  };
  confirm_factor: {
    method: "POST";
    path: "/auth/factors/{factor_id}/confirm";
    params: { factor_id: T.FactorId };
    query: undefined;
    body: T.ConfirmFactorRequest;
    kind: "data";
    answer: T.ConfirmedFactor;
  };
  update_factor: {
    method: "PATCH";
    path: "/auth/factors/{factor_id}";
    params: { factor_id: T.FactorId };
    query: undefined;
    body: T.UpdateFactorRequest;
    kind: "data";
    answer: T.Factor;
  };
  remove_factor: {
    method: "DELETE";
    path: "/auth/factors/{factor_id}";
    params: { factor_id: T.FactorId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Done;
  };
  renew_recovery_codes: {
    method: "POST";
    path: "/auth/recovery-codes";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.RecoveryCodes;
  };
  list_members: {
    method: "GET";
    path: "/org/members";
    params: undefined;
    query: T.ListMembersQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.Member)[];
    meta: { page: number; limit: number; total: number };
  };
  update_role: {
    method: "PATCH";
    path: "/org/members/{user_id}";
    params: { user_id: T.UserId };
    query: undefined;
    body: T.UpdateRoleRequest;
    kind: "data";
    answer: T.Member;
  };
  remove_member: {
    method: "DELETE";
    path: "/org/members/{user_id}";
    params: { user_id: T.UserId };
    query: T.RemoveMemberQuery | undefined;
    body: undefined;
    kind: "data";
    answer: T.RemovedMember;
  };
  invite_member: {
    method: "POST";
    path: "/org/invitations";
    params: undefined;
    query: undefined;
    body: T.InviteMemberRequest;
    kind: "data";
    answer: T.NewInvitation;
  };
  list_invitations: {
    method: "GET";
    path: "/org/invitations";
    params: undefined;
    query: T.ListInvitationsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.Invitation)[];
    meta: { page: number; limit: number; total: number };
  };
  revoke_invitation: {
    method: "DELETE";
    path: "/org/invitations/{invitation_id}";
    params: { invitation_id: T.InvitationId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.RevokedInvitation;
  };
  get_settings: {
    method: "GET";
    path: "/org/settings";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.OrganizationSettings;
  };
  update_settings: {
    method: "PATCH";
    path: "/org/settings";
    params: undefined;
    query: undefined;
    body: T.UpdateSettingsRequest | undefined;
    kind: "data";
    answer: T.OrganizationSettings;
  };
  list_org_audit_trail: {
    method: "GET";
    path: "/org/audit-trail";
    params: undefined;
    query: T.ListOrgAuditTrailQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.OrganizationAuditEntry)[];
    meta: { page: number; limit: number; total: number };
  };
  create_sandbox: {
    method: "POST";
    path: "/org/sandboxes";
    params: undefined;
    query: undefined;
    body: T.CreateSandboxRequest;
    kind: "data";
    answer: T.Sandbox;
  };
  list_sandboxes: {
    method: "GET";
    path: "/org/sandboxes";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Sandboxes;
  };
  reset_sandbox: {
    method: "POST";
    path: "/org/sandboxes/{org_id}/reset";
    params: { org_id: T.OrgId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Sandbox;
  };
  delete_sandbox: {
    method: "DELETE";
    path: "/org/sandboxes/{org_id}";
    params: { org_id: T.OrgId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.DeletedSandbox;
  };
  get_security: {
    method: "GET";
    path: "/org/security";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.OrganizationSecurity;
  };
  update_security: {
    method: "PATCH";
    path: "/org/security";
    params: undefined;
    query: undefined;
    body: T.UpdateSecurityRequest | undefined;
    kind: "data";
    answer: T.OrganizationSecurity;
  };
  list_member_sessions: {
    method: "GET";
    path: "/org/members/{user_id}/sessions";
    params: { user_id: T.UserId };
    query: T.ListMemberSessionsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.Session)[];
    meta: { page: number; limit: number; total: number };
  };
  end_member_sessions: {
    method: "DELETE";
    path: "/org/members/{user_id}/sessions";
    params: { user_id: T.UserId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.EndedSessions;
  };
  end_member_session: {
    method: "DELETE";
    path: "/org/members/{user_id}/sessions/{session_id}";
    params: { user_id: T.UserId; session_id: T.SessionId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Done;
  };
  end_all_sessions: {
    method: "DELETE";
    path: "/org/sessions";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.EndedSessions;
  };
  reset_member_factors: {
    method: "POST";
    path: "/org/members/{user_id}/reset-factors";
    params: { user_id: T.UserId };
    query: undefined;
    body: T.ResetMemberFactorsRequest;
    kind: "data";
    answer: T.Done;
  };
  get_domains: {
    method: "GET";
    path: "/org/domains";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.OrganizationDomains;
  };
  add_domain: {
    method: "POST";
    path: "/org/domains";
    params: undefined;
    query: undefined;
    body: T.AddDomainRequest;
    kind: "data";
    answer: T.OrganizationDomain;
  };
  verify_domain: {
    method: "POST";
    path: "/org/domains/{domain_id}/verify";
    params: { domain_id: T.OrgDomainId };
    query: undefined;
    body: T.VerifyDomainRequest;
    kind: "data";
    answer: T.OrganizationDomain;
  };
  remove_domain: {
    method: "DELETE";
    path: "/org/domains/{domain_id}";
    params: { domain_id: T.OrgDomainId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Done;
  };
  get_sso_connections: {
    method: "GET";
    path: "/org/sso";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.SsoConnections;
  };
  create_sso_connection: {
    method: "POST";
    path: "/org/sso";
    params: undefined;
    query: undefined;
    body: T.CreateSsoConnectionRequest;
    kind: "data";
    answer: T.SsoConnection;
  };
  update_sso_connection: {
    method: "PATCH";
    path: "/org/sso/{connection_id}";
    params: { connection_id: T.SsoConnectionId };
    query: undefined;
    body: T.UpdateSsoConnectionRequest | undefined;
    kind: "data";
    answer: T.SsoConnection;
  };
  remove_sso_connection: {
    method: "DELETE";
    path: "/org/sso/{connection_id}";
    params: { connection_id: T.SsoConnectionId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Done;
  };
  test_sso_connection: {
    method: "POST";
    path: "/org/sso/{connection_id}/test";
    params: { connection_id: T.SsoConnectionId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.SsoStart;
  };
  get_caller: {
    method: "GET";
    path: "/partner/me";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.KeyCaller;
  };
  create_key: {
    method: "POST";
    path: "/partners/keys";
    params: undefined;
    query: undefined;
    body: T.CreateKeyRequest;
    kind: "data";
    answer: T.NewApiKey;
  };
  list_keys: {
    method: "GET";
    path: "/partners/keys";
    params: undefined;
    query: T.ListKeysQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.ApiKey)[];
    meta: { page: number; limit: number; total: number };
  };
  get_key: {
    method: "GET";
    path: "/partners/keys/{key_id}";
    params: { key_id: T.KeyId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.ApiKey;
  };
  update_key: {
    method: "PATCH";
    path: "/partners/keys/{key_id}";
    params: { key_id: T.KeyId };
    query: undefined;
    body: T.UpdateKeyRequest | undefined;
    kind: "data";
    answer: T.ApiKey;
  };
  deactivate_key: {
    method: "DELETE";
    path: "/partners/keys/{key_id}";
    params: { key_id: T.KeyId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.DeactivatedApiKey;
  };
  rotate_key: {
    method: "POST";
    path: "/partners/keys/{key_id}/rotate";
    params: { key_id: T.KeyId };
    query: undefined;
    body: T.RotateKeyRequest | undefined;
    kind: "data";
    answer: T.NewApiKey;
  };
  test_webhook: {
    method: "POST";
    path: "/partners/keys/{key_id}/test-webhook";
    params: { key_id: T.KeyId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.ApiKeyWebhookTest;
  };
  upload_customers: {
    method: "POST";
    path: "/customers/bulk";
    params: undefined;
    query: undefined;
    body: T.UploadCustomersRequest;
    kind: "data";
    answer: T.CustomerUpload;
  };
  list_customers: {
    method: "GET";
    path: "/customers";
    params: undefined;
    query: T.ListCustomersQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.Customer)[];
    meta: { page: number; limit: number; total: number };
  };
  find_contacts: {
    method: "GET";
    path: "/contacts";
    params: undefined;
    query: T.FindContactsQuery;
    body: undefined;
    kind: "data";
    answer: T.Contact[];
  };
  look_up_customer: {
    method: "GET";
    path: "/partner/customers";
    params: undefined;
    query: T.LookUpCustomerQuery | undefined;
    body: undefined;
    kind: "data";
    answer: T.Customer;
  };
  create_customer: {
    method: "POST";
    path: "/partner/customers";
    params: undefined;
    query: undefined;
    body: T.CreateCustomerRequest | undefined;
    kind: "data";
    answer: T.Customer;
  };
  get_customer: {
    method: "GET";
    path: "/partner/customers/{customer_id}";
    params: { customer_id: T.CustomerId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Customer;
  };
  update_customer: {
    method: "PATCH";
    path: "/partner/customers/{customer_id}";
    params: { customer_id: T.CustomerId };
    query: undefined;
    body: T.UpdateCustomerRequest | undefined;
    kind: "data";
    answer: T.Customer;
  };
  delete_customer: {
    method: "DELETE";
    path: "/partner/customers/{customer_id}";
    params: { customer_id: T.CustomerId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.DeletedCustomer;
  };
  merge_customers: {
    method: "POST";
    path: "/partner/customers/{customer_id}/merge";
    params: { customer_id: T.CustomerId };
    query: undefined;
    body: T.MergeCustomersRequest;
    kind: "data";
    answer: T.MergedCustomers;
  };
  list_merged_customers: {
    method: "GET";
    path: "/partner/customers/{customer_id}/merged";
    params: { customer_id: T.CustomerId };
    query: T.ListMergedCustomersQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.FormerCustomer)[];
    meta: { page: number; limit: number; total: number };
  };
  create_template: {
    method: "POST";
    path: "/partner/templates";
    params: undefined;
    query: undefined;
    body: T.CreateTemplateRequest;
    kind: "data";
    answer: T.CreatedTemplate;
  };
  list_templates: {
    method: "GET";
    path: "/partner/templates";
    params: undefined;
    query: T.ListTemplatesQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.TemplateSummary)[];
    meta: { page: number; limit: number; total: number };
  };
  get_template: {
    method: "GET";
    path: "/partner/templates/{template_id}";
    params: { template_id: T.TemplateId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Template;
  };
  archive_template: {
    method: "DELETE";
    path: "/partner/templates/{template_id}";
    params: { template_id: T.TemplateId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.ArchivedTemplate;
  };
  update_template: {
    method: "PATCH";
    path: "/partner/templates/{template_id}";
    params: { template_id: T.TemplateId };
    query: undefined;
    body: T.UpdateTemplateRequest | undefined;
    kind: "data";
    answer: T.Template;
  };
  get_template_usage: {
    method: "GET";
    path: "/partner/templates/{template_id}/usage";
    params: { template_id: T.TemplateId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.TemplateUsage;
  };
  place_fields: {
    method: "POST";
    path: "/partner/templates/{template_id}/fields";
    params: { template_id: T.TemplateId };
    query: T.PlaceFieldsQuery | undefined;
    body: T.PlaceFieldsRequest;
    kind: "data";
    answer: T.PlacedTemplateFields;
  };
  replace_fields: {
    method: "PUT";
    path: "/partner/templates/{template_id}/fields";
    params: { template_id: T.TemplateId };
    query: T.ReplaceFieldsQuery | undefined;
    body: T.ReplaceFieldsRequest;
    kind: "data";
    answer: T.PlacedTemplateFields;
  };
  get_template_page: {
    method: "GET";
    path: "/partner/templates/{template_id}/pages/{page}";
    params: { template_id: T.TemplateId; page: number };
    query: T.GetTemplatePageQuery | undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_template_page_text: {
    method: "GET";
    path: "/partner/templates/{template_id}/pages/{page}/text";
    params: { template_id: T.TemplateId; page: number };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.PageText;
  };
  copy_template: {
    method: "POST";
    path: "/partner/templates/{template_id}/copy";
    params: { template_id: T.TemplateId };
    query: undefined;
    body: T.CopyTemplateRequest | undefined;
    kind: "data";
    answer: T.Template;
  };
  restore_template: {
    method: "POST";
    path: "/partner/templates/{template_id}/restore";
    params: { template_id: T.TemplateId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Template;
  };
  list_template_documents: {
    method: "GET";
    path: "/partner/templates/{template_id}/documents";
    params: { template_id: T.TemplateId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.TemplateDocuments;
  };
  add_template_document: {
    method: "POST";
    path: "/partner/templates/{template_id}/documents";
    params: { template_id: T.TemplateId };
    query: undefined;
    body: T.AddTemplateDocumentRequest | T.AddTemplateDocumentRequestForm;
    kind: "data";
    answer: T.TemplateDocuments;
  };
  change_template_document: {
    method: "PATCH";
    path: "/partner/templates/{template_id}/documents/{document_id}";
    params: { template_id: T.TemplateId; document_id: T.DocumentId };
    query: undefined;
    body: T.ChangeTemplateDocumentRequest | undefined;
    kind: "data";
    answer: T.TemplateDocuments;
  };
  remove_template_document: {
    method: "DELETE";
    path: "/partner/templates/{template_id}/documents/{document_id}";
    params: { template_id: T.TemplateId; document_id: T.DocumentId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.TemplateDocuments;
  };
  replace_template_document: {
    method: "PUT";
    path: "/partner/templates/{template_id}/documents/{document_id}/file";
    params: { template_id: T.TemplateId; document_id: T.DocumentId };
    query: undefined;
    body: T.ReplaceTemplateDocumentRequest;
    kind: "data";
    answer: T.TemplateDocuments;
  };
  get_template_document_file: {
    method: "GET";
    path: "/partner/templates/{template_id}/documents/{document_id}/file";
    params: { template_id: T.TemplateId; document_id: T.DocumentId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  act_on_envelopes: {
    method: "POST";
    path: "/partner/envelopes/actions";
    params: undefined;
    query: undefined;
    body: T.ActOnEnvelopesRequest;
    kind: "data";
    answer: T.EnvelopeActionResult;
  };
  export_envelopes: {
    method: "GET";
    path: "/partner/envelopes.csv";
    params: undefined;
    query: T.ExportEnvelopesQuery | undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  download_documents: {
    method: "POST";
    path: "/partner/envelopes/documents.zip";
    params: undefined;
    query: undefined;
    body: T.DownloadDocumentsRequest;
    kind: "file";
    answer: never;
  };
  list_tags: {
    method: "GET";
    path: "/partner/tags";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.TagSummary[];
  };
  save_tag: {
    method: "PUT";
    path: "/partner/tags/{tag}";
    params: { tag: T.TagInPath };
    query: undefined;
    body: T.SaveTagRequest | undefined;
    kind: "data";
    answer: T.Tag;
  };
  delete_tag: {
    method: "DELETE";
    path: "/partner/tags/{tag}";
    params: { tag: T.TagInPath };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.RemovedTag;
  };
  create_envelope: {
    method: "POST";
    path: "/partner/envelopes";
    params: undefined;
    query: undefined;
    body: T.CreateEnvelopeRequest;
    kind: "data";
    answer: T.Envelope;
  };
  list_envelopes: {
    method: "GET";
    path: "/partner/envelopes";
    params: undefined;
    query: T.ListEnvelopesQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.EnvelopeSummary)[];
    meta: { page: number; limit: number; total: number };
  };
  upload_document: {
    method: "POST";
    path: "/partner/customers/{customer_id}/documents";
    params: { customer_id: T.CustomerId };
    query: undefined;
    body: T.UploadDocumentRequest;
    kind: "data";
    answer: T.UploadedDocument;
  };
  get_envelope: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Envelope;
  };
  update_envelope: {
    method: "PATCH";
    path: "/partner/envelopes/{envelope_id}";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.UpdateEnvelopeRequest | undefined;
    kind: "data";
    answer: T.Envelope;
  };
  discard_envelope: {
    method: "DELETE";
    path: "/partner/envelopes/{envelope_id}";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.VoidedEnvelope;
  };
  get_envelope_status: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/status";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.EnvelopeStatusSummary;
  };
  list_envelope_audit_trail: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/audit-trail";
    params: { envelope_id: T.EnvelopeId };
    query: T.ListEnvelopeAuditTrailQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.EnvelopeAuditEntry)[];
    meta: { page: number; limit: number; total: number };
  };
  export_audit_trail: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/audit-trail.csv";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_envelope_document: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/document";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_completion_certificate: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/completion-certificate";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_certification_terms: {
    method: "GET";
    path: "/partner/certification-terms";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.CertificationTerms;
  };
  duplicate_envelope: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/duplicate";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Envelope;
  };
  save_envelope_as_template: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/template";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.SaveEnvelopeAsTemplateRequest;
    kind: "data";
    answer: T.Template;
  };
  attach_document: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/upload";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.AttachDocumentRequest;
    kind: "data";
    answer: T.Envelope;
  };
  get_envelope_fields: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/fields";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.EnvelopeFields;
  };
  place_envelope_fields: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/fields";
    params: { envelope_id: T.EnvelopeId };
    query: T.PlaceEnvelopeFieldsQuery | undefined;
    body: T.PlaceEnvelopeFieldsRequest;
    kind: "data";
    answer: T.PlacedEnvelopeFields;
  };
  replace_envelope_fields: {
    method: "PUT";
    path: "/partner/envelopes/{envelope_id}/fields";
    params: { envelope_id: T.EnvelopeId };
    query: T.ReplaceEnvelopeFieldsQuery | undefined;
    body: T.ReplaceEnvelopeFieldsRequest;
    kind: "data";
    answer: T.PlacedEnvelopeFields;
  };
  get_envelope_page: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/pages/{page}";
    params: { envelope_id: T.EnvelopeId; page: number };
    query: T.GetEnvelopePageQuery | undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_envelope_page_text: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/pages/{page}/text";
    params: { envelope_id: T.EnvelopeId; page: number };
    query: T.GetEnvelopePageTextQuery | undefined;
    body: undefined;
    kind: "data";
    answer: T.PageText;
  };
  list_envelope_documents: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/documents";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.EnvelopeDocuments;
  };
  add_envelope_document: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/documents";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.AddEnvelopeDocumentRequest | T.AddEnvelopeDocumentRequestForm;
    kind: "data";
    answer: T.EnvelopeDocuments;
  };
  change_envelope_document: {
    method: "PATCH";
    path: "/partner/envelopes/{envelope_id}/documents/{document_id}";
    params: { envelope_id: T.EnvelopeId; document_id: T.DocumentId };
    query: undefined;
    body: T.ChangeEnvelopeDocumentRequest | undefined;
    kind: "data";
    answer: T.EnvelopeDocuments;
  };
  remove_envelope_document: {
    method: "DELETE";
    path: "/partner/envelopes/{envelope_id}/documents/{document_id}";
    params: { envelope_id: T.EnvelopeId; document_id: T.DocumentId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.EnvelopeDocuments;
  };
  replace_envelope_document: {
    method: "PUT";
    path: "/partner/envelopes/{envelope_id}/documents/{document_id}/file";
    params: { envelope_id: T.EnvelopeId; document_id: T.DocumentId };
    query: undefined;
    body: T.ReplaceEnvelopeDocumentRequest;
    kind: "data";
    answer: T.EnvelopeDocuments;
  };
  get_envelope_document_file: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/documents/{document_id}/file";
    params: { envelope_id: T.EnvelopeId; document_id: T.DocumentId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  send_envelope: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/send";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.SendEnvelopeRequest | undefined;
    kind: "data";
    answer: T.SentEnvelope;
  };
  remind_signers: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/remind";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.RemindSignersRequest | undefined;
    kind: "data";
    answer: T.EnvelopeReminder;
  };
  correct_signer: {
    method: "PATCH";
    path: "/partner/envelopes/{envelope_id}/signers/{slug}";
    params: { envelope_id: T.EnvelopeId; slug: T.Slug };
    query: undefined;
    body: T.CorrectSignerRequest | undefined;
    kind: "data";
    answer: T.SentSigner;
  };
  void_envelope: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/void";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.VoidEnvelopeRequest;
    kind: "data";
    answer: T.VoidedEnvelope;
  };
  list_recipients: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/recipients";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Recipients;
  };
  add_recipient: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/recipients";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.AddRecipientRequest;
    kind: "data";
    answer: T.Recipient;
  };
  change_recipient: {
    method: "PATCH";
    path: "/partner/envelopes/{envelope_id}/recipients/{recipient_id}";
    params: { envelope_id: T.EnvelopeId; recipient_id: T.RecipientId };
    query: undefined;
    body: T.ChangeRecipientRequest | undefined;
    kind: "data";
    answer: T.Recipient;
  };
  remove_recipient: {
    method: "DELETE";
    path: "/partner/envelopes/{envelope_id}/recipients/{recipient_id}";
    params: { envelope_id: T.EnvelopeId; recipient_id: T.RecipientId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.RemovedRecipient;
  };
  create_bulk_batch: {
    method: "POST";
    path: "/partner/bulk-batches";
    params: undefined;
    query: undefined;
    body: T.CreateBulkBatchRequest;
    kind: "data";
    answer: T.BulkBatch;
  };
  list_bulk_batches: {
    method: "GET";
    path: "/partner/bulk-batches";
    params: undefined;
    query: T.ListBulkBatchesQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.BulkBatch)[];
    meta: { page: number; limit: number; total: number };
  };
  start_bulk_batch: {
    method: "POST";
    path: "/partner/bulk-batches/{batch_id}/start";
    params: { batch_id: T.BulkBatchId };
    query: undefined;
    body: T.StartBulkBatchRequest | undefined;
    kind: "data";
    answer: T.BulkBatch;
  };
  cancel_bulk_batch: {
    method: "POST";
    path: "/partner/bulk-batches/{batch_id}/cancel";
    params: { batch_id: T.BulkBatchId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.BulkBatch;
  };
  retry_bulk_batch: {
    method: "POST";
    path: "/partner/bulk-batches/{batch_id}/retry";
    params: { batch_id: T.BulkBatchId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.BulkBatch;
  };
  get_bulk_batch: {
    method: "GET";
    path: "/partner/bulk-batches/{batch_id}";
    params: { batch_id: T.BulkBatchId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.BulkBatch;
  };
  list_bulk_rows: {
    method: "GET";
    path: "/partner/bulk-batches/{batch_id}/rows";
    params: { batch_id: T.BulkBatchId };
    query: T.ListBulkRowsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.BulkRow)[];
    meta: { page: number; limit: number; total: number };
  };
  get_bulk_rows_csv: {
    method: "GET";
    path: "/partner/bulk-batches/{batch_id}/rows.csv";
    params: { batch_id: T.BulkBatchId };
    query: T.GetBulkRowsCsvQuery | undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_bulk_example: {
    method: "GET";
    path: "/partner/templates/{template_id}/bulk.csv";
    params: { template_id: T.TemplateId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_statistics: {
    method: "GET";
    path: "/org/statistics";
    params: undefined;
    query: T.GetStatisticsQuery | undefined;
    body: undefined;
    kind: "data";
    answer: T.Statistics;
  };
  get_attention: {
    method: "GET";
    path: "/org/attention";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Attention;
  };
  get_latest_completed: {
    method: "GET";
    path: "/org/latest-completed";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.LatestCompleted;
  };
  list_forms: {
    method: "GET";
    path: "/partner/forms";
    params: undefined;
    query: T.ListFormsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.Form)[];
    meta: { page: number; limit: number; total: number };
  };
  create_form: {
    method: "POST";
    path: "/partner/forms";
    params: undefined;
    query: undefined;
    body: T.CreateFormRequest;
    kind: "data";
    answer: T.Form;
  };
  get_form: {
    method: "GET";
    path: "/partner/forms/{form_id}";
    params: { form_id: T.FormId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Form;
  };
  update_form: {
    method: "PATCH";
    path: "/partner/forms/{form_id}";
    params: { form_id: T.FormId };
    query: undefined;
    body: T.UpdateFormRequest | undefined;
    kind: "data";
    answer: T.Form;
  };
  pause_form: {
    method: "POST";
    path: "/partner/forms/{form_id}/pause";
    params: { form_id: T.FormId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Form;
  };
  resume_form: {
    method: "POST";
    path: "/partner/forms/{form_id}/resume";
    params: { form_id: T.FormId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Form;
  };
  list_views: {
    method: "GET";
    path: "/views";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.SavedView[];
  };
  create_view: {
    method: "POST";
    path: "/views";
    params: undefined;
    query: undefined;
    body: T.CreateViewRequest;
    kind: "data";
    answer: T.SavedView;
  };
  update_view: {
    method: "PATCH";
    path: "/views/{view_id}";
    params: { view_id: T.ViewId };
    query: undefined;
    body: T.UpdateViewRequest | undefined;
    kind: "data";
    answer: T.SavedView;
  };
  delete_view: {
    method: "DELETE";
    path: "/views/{view_id}";
    params: { view_id: T.ViewId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.DeletedView;
  };
  list_notifications: {
    method: "GET";
    path: "/notifications";
    params: undefined;
    query: T.ListNotificationsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.Notification)[];
    meta: { page: number; limit: number; total: number };
  };
  read_notifications: {
    method: "POST";
    path: "/notifications/read";
    params: undefined;
    query: undefined;
    body: T.ReadNotificationsRequest;
    kind: "data";
    answer: T.UnreadNotifications;
  };
  get_notification_settings: {
    method: "GET";
    path: "/notifications/settings";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.NotificationSettings;
  };
  update_notification_settings: {
    method: "PATCH";
    path: "/notifications/settings";
    params: undefined;
    query: undefined;
    body: T.UpdateNotificationSettingsRequest;
    kind: "data";
    answer: T.NotificationSettings;
  };
  export_audit_log: {
    method: "GET";
    path: "/org/audit-log";
    params: undefined;
    query: T.ExportAuditLogQuery | undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  export_sign_in_events: {
    method: "GET";
    path: "/org/sign-in-events";
    params: undefined;
    query: T.ExportSignInEventsQuery | undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  list_problems: {
    method: "GET";
    path: "/org/problems";
    params: undefined;
    query: T.ListProblemsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.FailedJob)[];
    meta: { page: number; limit: number; total: number };
  };
  retry_problem: {
    method: "POST";
    path: "/org/problems/{problem_id}/retry";
    params: { problem_id: T.ProblemId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.RetriedJob;
  };
  list_audit_sinks: {
    method: "GET";
    path: "/org/audit-sinks";
    params: undefined;
    query: T.ListAuditSinksQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.AuditSink)[];
    meta: { page: number; limit: number; total: number };
  };
  create_audit_sink: {
    method: "POST";
    path: "/org/audit-sinks";
    params: undefined;
    query: undefined;
    body: T.CreateAuditSinkRequest;
    kind: "data";
    answer: T.AuditSinkWithSecret;
  };
  update_audit_sink: {
    method: "PATCH";
    path: "/org/audit-sinks/{sink_id}";
    params: { sink_id: T.AuditSinkId };
    query: undefined;
    body: T.UpdateAuditSinkRequest | undefined;
    kind: "data";
    answer: T.AuditSink;
  };
  delete_audit_sink: {
    method: "DELETE";
    path: "/org/audit-sinks/{sink_id}";
    params: { sink_id: T.AuditSinkId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.DeletedAuditSink;
  };
  test_audit_sink: {
    method: "POST";
    path: "/org/audit-sinks/{sink_id}/test";
    params: { sink_id: T.AuditSinkId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.AuditSinkTest;
  };
  list_outbox: {
    method: "GET";
    path: "/org/outbox";
    params: undefined;
    query: T.ListOutboxQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.OutboxMessage)[];
    meta: { page: number; limit: number; total: number };
  };
  get_outbox_message: {
    method: "GET";
    path: "/org/outbox/{message_id}";
    params: { message_id: T.MessageId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.OutboxMessageWithText;
  };
  sign_test_envelope: {
    method: "POST";
    path: "/test/envelopes/{envelope_id}/sign";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.SignTestEnvelopeRequest | undefined;
    kind: "data";
    answer: T.EnvelopeStatusSummary;
  };
  decline_test_envelope: {
    method: "POST";
    path: "/test/envelopes/{envelope_id}/decline";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.DeclineTestEnvelopeRequest;
    kind: "data";
    answer: T.EnvelopeStatusSummary;
  };
  advance_test_envelope: {
    method: "POST";
    path: "/test/envelopes/{envelope_id}/advance";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.AdvanceTestEnvelopeRequest;
    kind: "data";
    answer: T.AdvancedTestEnvelope;
  };
  append_test_event: {
    method: "POST";
    path: "/test/events";
    params: undefined;
    query: undefined;
    body: T.AppendTestEventRequest;
    kind: "data";
    answer: T.AppendedTestEvent;
  };
  list_test_messages: {
    method: "GET";
    path: "/test/messages";
    params: undefined;
    query: T.ListTestMessagesQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.CapturedMessage)[];
    meta: { page: number; limit: number; total: number };
  };
  list_mail_texts: {
    method: "GET";
    path: "/org/mail-texts";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.MailTexts;
  };
  set_mail_text: {
    method: "PUT";
    path: "/org/mail-texts";
    params: undefined;
    query: undefined;
    body: T.SetMailTextRequest;
    kind: "data";
    answer: T.MailText;
  };
  remove_mail_texts: {
    method: "DELETE";
    path: "/org/mail-texts";
    params: undefined;
    query: T.RemoveMailTextsQuery | undefined;
    body: undefined;
    kind: "data";
    answer: T.RemovedMailTexts;
  };
  preview_mail_text: {
    method: "POST";
    path: "/org/mail-texts/preview";
    params: undefined;
    query: undefined;
    body: T.PreviewMailTextRequest;
    kind: "data";
    answer: T.MailTextPreview;
  };
  get_mail_sender: {
    method: "GET";
    path: "/org/mail-sender";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.MailSenderState;
  };
  set_mail_sender: {
    method: "PUT";
    path: "/org/mail-sender";
    params: undefined;
    query: undefined;
    body: T.SetMailSenderRequest;
    kind: "data";
    answer: T.MailSenderState;
  };
  remove_mail_sender: {
    method: "DELETE";
    path: "/org/mail-sender";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.RemovedMailSender;
  };
  check_mail_sender: {
    method: "POST";
    path: "/org/mail-sender/check";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.MailSenderState;
  };
  create_embed_token: {
    method: "POST";
    path: "/embed/token";
    params: undefined;
    query: undefined;
    body: T.CreateEmbedTokenRequest;
    kind: "data";
    answer: T.EmbedToken;
  };
  list_signing_links: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/signing-links";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.SigningLinks;
  };
  list_signers: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/signers";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Signers;
  };
  create_signer_link: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/signers/{slug}/link";
    params: { envelope_id: T.EnvelopeId; slug: T.Slug };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.SignerLink;
  };
  set_identity_questions: {
    method: "PUT";
    path: "/partner/envelopes/{envelope_id}/signers/{slug}/kba";
    params: { envelope_id: T.EnvelopeId; slug: T.Slug };
    query: undefined;
    body: T.SetIdentityQuestionsRequest;
    kind: "data";
    answer: T.SignerIdentityQuestions;
  };
  reset_identity_questions: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/signers/{slug}/kba/reset";
    params: { envelope_id: T.EnvelopeId; slug: T.Slug };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.SignerIdentityReset;
  };
  set_signer_identity: {
    method: "PUT";
    path: "/partner/envelopes/{envelope_id}/signers/{slug}/identity";
    params: { envelope_id: T.EnvelopeId; slug: T.Slug };
    query: undefined;
    body: T.SetSignerIdentityRequest;
    kind: "data";
    answer: T.SignerIdentity;
  };
  reset_signer_identity: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/signers/{slug}/identity/reset";
    params: { envelope_id: T.EnvelopeId; slug: T.Slug };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.SignerIdentity;
  };
  preview_envelope: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/preview";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.PreviewEnvelopeRequest;
    kind: "data";
    answer: T.SigningPreview;
  };
  preview_template: {
    method: "POST";
    path: "/partner/templates/{template_id}/preview";
    params: { template_id: T.TemplateId };
    query: undefined;
    body: T.PreviewTemplateRequest;
    kind: "data";
    answer: T.SigningPreview;
  };
  list_legal_texts: {
    method: "GET";
    path: "/org/legal-texts";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.LegalTexts;
  };
  create_endpoint: {
    method: "POST";
    path: "/webhooks/endpoints";
    params: undefined;
    query: undefined;
    body: T.CreateEndpointRequest;
    kind: "data";
    answer: T.WebhookEndpointWithSecret;
  };
  list_endpoints: {
    method: "GET";
    path: "/webhooks/endpoints";
    params: undefined;
    query: T.ListEndpointsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.WebhookEndpoint)[];
    meta: { page: number; limit: number; total: number };
  };
  get_endpoint: {
    method: "GET";
    path: "/webhooks/endpoints/{endpoint_id}";
    params: { endpoint_id: T.EndpointId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.WebhookEndpoint;
  };
  update_endpoint: {
    method: "PATCH";
    path: "/webhooks/endpoints/{endpoint_id}";
    params: { endpoint_id: T.EndpointId };
    query: undefined;
    body: T.UpdateEndpointRequest | undefined;
    kind: "data";
    answer: T.UpdatedWebhookEndpoint;
  };
  delete_endpoint: {
    method: "DELETE";
    path: "/webhooks/endpoints/{endpoint_id}";
    params: { endpoint_id: T.EndpointId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.DeletedWebhookEndpoint;
  };
  get_endpoint_statistics: {
    method: "GET";
    path: "/webhooks/endpoints/{endpoint_id}/statistics";
    params: { endpoint_id: T.EndpointId };
    query: T.GetEndpointStatisticsQuery | undefined;
    body: undefined;
    kind: "data";
    answer: T.WebhookEndpointStatistics;
  };
  get_endpoint_secret: {
    method: "GET";
    path: "/webhooks/endpoints/{endpoint_id}/secret";
    params: { endpoint_id: T.EndpointId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.WebhookEndpointSecret;
  };
  rotate_endpoint_secret: {
    method: "POST";
    path: "/webhooks/endpoints/{endpoint_id}/rotate-secret";
    params: { endpoint_id: T.EndpointId };
    query: undefined;
    body: T.RotateEndpointSecretRequest | undefined;
    kind: "data";
    answer: T.RotatedWebhookSecret;
  };
  test_endpoint: {
    method: "POST";
    path: "/webhooks/endpoints/{endpoint_id}/test";
    params: { endpoint_id: T.EndpointId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.WebhookEndpointTest;
  };
  list_deliveries: {
    method: "GET";
    path: "/webhooks/endpoints/{endpoint_id}/deliveries";
    params: { endpoint_id: T.EndpointId };
    query: T.ListDeliveriesQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.WebhookAttempt)[];
    meta: { page: number; limit: number; total: number };
  };
  get_delivery: {
    method: "GET";
    path: "/webhooks/deliveries/{delivery_id}";
    params: { delivery_id: T.DeliveryId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.WebhookDeliveryWithPayload;
  };
  replay_delivery: {
    method: "POST";
    path: "/webhooks/deliveries/{delivery_id}/replay";
    params: { delivery_id: T.DeliveryId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.WebhookDelivery;
  };
  replay_range: {
    method: "POST";
    path: "/webhooks/endpoints/{endpoint_id}/replay";
    params: { endpoint_id: T.EndpointId };
    query: undefined;
    body: T.ReplayRangeRequest;
    kind: "data";
    answer: T.WebhookReplay;
  };
  list_events: {
    method: "GET";
    path: "/webhooks/events";
    params: undefined;
    query: T.ListEventsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.WebhookEvent)[];
    meta: { page: number; limit: number; total: number };
  };
  get_event: {
    method: "GET";
    path: "/webhooks/events/{event_id}";
    params: { event_id: T.EventId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.WebhookEvent;
  };
  list_event_types: {
    method: "GET";
    path: "/webhooks/event-types";
    params: undefined;
    query: T.ListEventTypesQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.EventTypeDescription)[];
    meta: { page: number; limit: number; total: number };
  };
  get_transparency: {
    method: "GET";
    path: "/org/transparency";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Transparency;
  };
  vault_in_signed: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/vault-in-signed";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.VaultInSignedRequest;
    kind: "data";
    answer: T.VaultDeposit;
  };
  vault_in_upload: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/vault-in-upload";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.VaultInUploadRequest | T.VaultInUploadRequestForm;
    kind: "data";
    answer: T.VaultDeposit;
  };
  add_attestation: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/attestations";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.Attestation | undefined;
    kind: "data";
    answer: T.AttestationRecord;
  };
  get_compliance: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/compliance";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Compliance;
  };
  evaluate_compliance: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/compliance";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Compliance;
  };
  list_vault: {
    method: "GET";
    path: "/partner/vault";
    params: undefined;
    query: T.ListVaultQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.VaultedEnvelope)[];
    meta: { page: number; limit: number; total: number };
  };
  get_vault_statistics: {
    method: "GET";
    path: "/org/vault-statistics";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.VaultStatistics;
  };
  get_vault_record: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/vault";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.VaultRecord;
  };
  get_vault_copy: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/vault/copy";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_compliance_certificate: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/vault/certificate";
    params: { envelope_id: T.EnvelopeId };
    query: T.GetComplianceCertificateQuery | undefined;
    body: undefined;
    kind: "file";
    answer: T.ComplianceCertificate;
  };
  get_evidence_bundle: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/vault/evidence";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  list_vault_accesses: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/vault/access-log";
    params: { envelope_id: T.EnvelopeId };
    query: T.ListVaultAccessesQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.EnvelopeAuditEntry)[];
    meta: { page: number; limit: number; total: number };
  };
  initiate_custody_transfer: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/custody-transfers";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.InitiateCustodyTransferRequest;
    kind: "data";
    answer: T.CustodyTransferInitiated;
  };
  list_custody_transfers: {
    method: "GET";
    path: "/partner/custody-transfers";
    params: undefined;
    query: T.ListCustodyTransfersQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.CustodyTransfer)[];
    meta: { page: number; limit: number; total: number };
  };
  list_custodians: {
    method: "GET";
    path: "/partner/custodians";
    params: undefined;
    query: T.ListCustodiansQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.Custodian)[];
    meta: { page: number; limit: number; total: number };
  };
  get_custody_transfer: {
    method: "GET";
    path: "/partner/custody-transfers/{permission_id}";
    params: { permission_id: T.CustodianPermissionId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.CustodyTransfer;
  };
  accept_custody_transfer: {
    method: "POST";
    path: "/partner/custody-transfers/{permission_id}/accept";
    params: { permission_id: T.CustodianPermissionId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.CustodyTransfer;
  };
  reject_custody_transfer: {
    method: "POST";
    path: "/partner/custody-transfers/{permission_id}/reject";
    params: { permission_id: T.CustodianPermissionId };
    query: undefined;
    body: T.RejectCustodyTransferRequest | undefined;
    kind: "data";
    answer: T.CustodyTransfer;
  };
  cancel_custody_transfer: {
    method: "POST";
    path: "/partner/custody-transfers/{permission_id}/cancel";
    params: { permission_id: T.CustodianPermissionId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.CustodyTransfer;
  };
  create_vault_export: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/vault-out";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.CreateVaultExportRequest;
    kind: "data";
    answer: T.VaultExportStarted | T.ActProposed;
  };
  list_vault_exports: {
    method: "GET";
    path: "/partner/vault-exports";
    params: undefined;
    query: T.ListVaultExportsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.VaultExport)[];
    meta: { page: number; limit: number; total: number };
  };
  get_vault_export: {
    method: "GET";
    path: "/partner/vault-exports/{export_id}";
    params: { export_id: T.VaultExportId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.VaultExport;
  };
  get_vault_export_package: {
    method: "GET";
    path: "/partner/vault-exports/{export_id}/package";
    params: { export_id: T.VaultExportId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  acknowledge_vault_export: {
    method: "POST";
    path: "/partner/vault-exports/{export_id}/acknowledge";
    params: { export_id: T.VaultExportId };
    query: undefined;
    body: T.AcknowledgeVaultExportRequest;
    kind: "data";
    answer: T.VaultExportAcknowledged;
  };
  cancel_vault_export: {
    method: "POST";
    path: "/partner/vault-exports/{export_id}/cancel";
    params: { export_id: T.VaultExportId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.VaultExport;
  };
  list_record_endings: {
    method: "GET";
    path: "/partner/record-endings";
    params: undefined;
    query: T.ListRecordEndingsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.RecordEnding)[];
    meta: { page: number; limit: number; total: number };
  };
  get_record_ending: {
    method: "GET";
    path: "/partner/record-endings/{ending_id}";
    params: { ending_id: T.RecordEndingId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.RecordEnding;
  };
  get_record_ending_certificate: {
    method: "GET";
    path: "/partner/record-endings/{ending_id}/certificate";
    params: { ending_id: T.RecordEndingId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  cancel_paper: {
    method: "POST";
    path: "/partner/record-endings/{ending_id}/cancel";
    params: { ending_id: T.RecordEndingId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.RecordEnding;
  };
  create_remote_vault: {
    method: "POST";
    path: "/partner/remote-vaults";
    params: undefined;
    query: undefined;
    body: T.CreateRemoteVaultRequest;
    kind: "data";
    answer: T.RemoteVault;
  };
  list_remote_vaults: {
    method: "GET";
    path: "/partner/remote-vaults";
    params: undefined;
    query: T.ListRemoteVaultsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.RemoteVault)[];
    meta: { page: number; limit: number; total: number };
  };
  delete_remote_vault: {
    method: "DELETE";
    path: "/partner/remote-vaults/{vault_id}";
    params: { vault_id: T.RemoteVaultId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.RemoteVault;
  };
  list_vault_transfers: {
    method: "GET";
    path: "/partner/vault-transfers";
    params: undefined;
    query: T.ListVaultTransfersQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.VaultTransfer)[];
    meta: { page: number; limit: number; total: number };
  };
  get_vault_transfer: {
    method: "GET";
    path: "/partner/vault-transfers/{transfer_id}";
    params: { transfer_id: T.VaultTransferId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.VaultTransfer;
  };
  list_vault_transfer_messages: {
    method: "GET";
    path: "/partner/vault-transfers/{transfer_id}/messages";
    params: { transfer_id: T.VaultTransferId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.LinkMessage[];
  };
  receive_vault_transfer_message: {
    method: "POST";
    path: "/partner/vault-transfers/messages";
    params: undefined;
    query: undefined;
    body: T.ReceiveVaultTransferMessageRequest;
    kind: "data";
    answer: T.LinkMessageReceived;
  };
  accept_vault_transfer: {
    method: "POST";
    path: "/partner/vault-transfers/{transfer_id}/accept";
    params: { transfer_id: T.VaultTransferId };
    query: undefined;
    body: T.AcceptVaultTransferRequest;
    kind: "data";
    answer: T.VaultTransfer;
  };
  refuse_vault_transfer: {
    method: "POST";
    path: "/partner/vault-transfers/{transfer_id}/refuse";
    params: { transfer_id: T.VaultTransferId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.VaultTransfer;
  };
  cancel_vault_transfer: {
    method: "POST";
    path: "/partner/vault-transfers/{transfer_id}/cancel";
    params: { transfer_id: T.VaultTransferId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.VaultTransfer;
  };
  get_registry: {
    method: "GET";
    path: "/org/registry";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.RegistryState;
  };
  set_registry: {
    method: "PUT";
    path: "/org/registry";
    params: undefined;
    query: undefined;
    body: T.SetRegistryRequest;
    kind: "data";
    answer: T.SetRegistry;
  };
  remove_registry: {
    method: "DELETE";
    path: "/org/registry";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.RemovedRegistry;
  };
  designate_secured_party: {
    method: "PUT";
    path: "/partner/envelopes/{envelope_id}/secured-party";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.SecuredPartyInput;
    kind: "data";
    answer: T.Assignment;
  };
  assign_record: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/assignments";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.AssignRecordRequest;
    kind: "data";
    answer: T.Assignment;
  };
  list_assignments: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/assignments";
    params: { envelope_id: T.EnvelopeId };
    query: T.ListAssignmentsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.Assignment)[];
    meta: { page: number; limit: number; total: number };
  };
  list_possible_duplicates: {
    method: "GET";
    path: "/partner/possible-duplicates";
    params: undefined;
    query: T.ListPossibleDuplicatesQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.PossibleDuplicate)[];
    meta: { page: number; limit: number; total: number };
  };
  review_duplicate: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/duplicate-review";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.ReviewDuplicateRequest;
    kind: "data";
    answer: T.DuplicateReview;
  };
  extend_retention: {
    method: "PUT";
    path: "/partner/envelopes/{envelope_id}/vault/retention";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.ExtendRetentionRequest;
    kind: "data";
    answer: T.VaultRetention;
  };
  place_legal_hold: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/vault/legal-hold";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.PlaceLegalHoldRequest;
    kind: "data";
    answer: T.LegalHold;
  };
  list_legal_holds: {
    method: "GET";
    path: "/partner/envelopes/{envelope_id}/vault/legal-hold";
    params: { envelope_id: T.EnvelopeId };
    query: T.ListLegalHoldsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.LegalHold)[];
    meta: { page: number; limit: number; total: number };
  };
  release_legal_hold: {
    method: "DELETE";
    path: "/partner/envelopes/{envelope_id}/vault/legal-hold/{hold_id}";
    params: { envelope_id: T.EnvelopeId; hold_id: T.LegalHoldId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.LegalHold;
  };
  create_party: {
    method: "POST";
    path: "/partner/parties";
    params: undefined;
    query: undefined;
    body: T.CreatePartyRequest;
    kind: "data";
    answer: T.Party;
  };
  list_parties: {
    method: "GET";
    path: "/partner/parties";
    params: undefined;
    query: T.ListPartiesQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.Party)[];
    meta: { page: number; limit: number; total: number };
  };
  get_party: {
    method: "GET";
    path: "/partner/parties/{party_id}";
    params: { party_id: T.PartyId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Party;
  };
  update_party: {
    method: "PATCH";
    path: "/partner/parties/{party_id}";
    params: { party_id: T.PartyId };
    query: undefined;
    body: T.UpdatePartyRequest | undefined;
    kind: "data";
    answer: T.Party;
  };
  add_party_person: {
    method: "POST";
    path: "/partner/parties/{party_id}/people";
    params: { party_id: T.PartyId };
    query: undefined;
    body: T.AddPartyPersonRequest;
    kind: "data";
    answer: T.Party | T.ActProposed;
  };
  remove_party_person: {
    method: "DELETE";
    path: "/partner/parties/{party_id}/people/{person_id}";
    params: { party_id: T.PartyId; person_id: T.PersonId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Party | T.ActProposed;
  };
  propose_act: {
    method: "POST";
    path: "/partner/envelopes/{envelope_id}/acts";
    params: { envelope_id: T.EnvelopeId };
    query: undefined;
    body: T.ProposeActRequest;
    kind: "data";
    answer: T.Act;
  };
  list_acts: {
    method: "GET";
    path: "/partner/acts";
    params: undefined;
    query: T.ListActsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.Act)[];
    meta: { page: number; limit: number; total: number };
  };
  list_act_requests: {
    method: "GET";
    path: "/partner/act-requests";
    params: undefined;
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Act[];
  };
  get_act: {
    method: "GET";
    path: "/partner/acts/{act_id}";
    params: { act_id: T.ActId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Act;
  };
  decide_act: {
    method: "POST";
    path: "/partner/acts/{act_id}/decision";
    params: { act_id: T.ActId };
    query: undefined;
    body: T.DecideActRequest;
    kind: "data";
    answer: T.Act;
  };
  cancel_act: {
    method: "POST";
    path: "/partner/acts/{act_id}/cancel";
    params: { act_id: T.ActId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.Act;
  };
  list_remote_requests: {
    method: "GET";
    path: "/partner/remote-requests";
    params: undefined;
    query: T.ListRemoteRequestsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.RemoteRequest)[];
    meta: { page: number; limit: number; total: number };
  };
  get_remote_request: {
    method: "GET";
    path: "/partner/remote-requests/{request_id}";
    params: { request_id: T.RemoteRequestId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.RemoteRequest;
  };
  decide_remote_request: {
    method: "POST";
    path: "/partner/remote-requests/{request_id}/decision";
    params: { request_id: T.RemoteRequestId };
    query: undefined;
    body: T.DecideRemoteRequestRequest;
    kind: "data";
    answer: T.RemoteRequest;
  };
  list_remote_request_messages: {
    method: "GET";
    path: "/partner/remote-requests/{request_id}/messages";
    params: { request_id: T.RemoteRequestId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.ActMessage[];
  };
  list_act_messages: {
    method: "GET";
    path: "/partner/acts/{act_id}/messages";
    params: { act_id: T.ActId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.ActMessage[];
  };
  receive_act_message: {
    method: "POST";
    path: "/partner/remote-requests/messages";
    params: undefined;
    query: undefined;
    body: T.ReceiveActMessageRequest;
    kind: "data";
    answer: T.ActMessageReceived;
  };
  create_control_batch: {
    method: "POST";
    path: "/partner/control-batches";
    params: undefined;
    query: undefined;
    body: T.CreateControlBatchRequest;
    kind: "data";
    answer: T.ControlBatch;
  };
  list_control_batches: {
    method: "GET";
    path: "/partner/control-batches";
    params: undefined;
    query: T.ListControlBatchesQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.ControlBatch)[];
    meta: { page: number; limit: number; total: number };
  };
  get_control_batch: {
    method: "GET";
    path: "/partner/control-batches/{control_batch_id}";
    params: { control_batch_id: T.ControlBatchId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.ControlBatch;
  };
  list_control_batch_items: {
    method: "GET";
    path: "/partner/control-batches/{control_batch_id}/items";
    params: { control_batch_id: T.ControlBatchId };
    query: T.ListControlBatchItemsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.ControlBatchItem)[];
    meta: { page: number; limit: number; total: number };
  };
  get_control_batch_csv: {
    method: "GET";
    path: "/partner/control-batches/{control_batch_id}/items.csv";
    params: { control_batch_id: T.ControlBatchId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  get_control_batch_report: {
    method: "GET";
    path: "/partner/control-batches/{control_batch_id}/report";
    params: { control_batch_id: T.ControlBatchId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.ControlBatchReport;
  };
  cancel_control_batch: {
    method: "POST";
    path: "/partner/control-batches/{control_batch_id}/cancel";
    params: { control_batch_id: T.ControlBatchId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.ControlBatch;
  };
  list_act_items: {
    method: "GET";
    path: "/partner/acts/{act_id}/items";
    params: { act_id: T.ActId };
    query: T.ListActItemsQuery | undefined;
    body: undefined;
    kind: "data";
    answer: T.ControlBatchItems;
  };
  get_act_csv: {
    method: "GET";
    path: "/partner/acts/{act_id}/items.csv";
    params: { act_id: T.ActId };
    query: undefined;
    body: undefined;
    kind: "file";
    answer: never;
  };
  create_audit_grant: {
    method: "POST";
    path: "/partner/audit-grants";
    params: undefined;
    query: undefined;
    body: T.CreateAuditGrantRequest;
    kind: "data";
    answer: T.AuditGrant;
  };
  list_audit_grants: {
    method: "GET";
    path: "/partner/audit-grants";
    params: undefined;
    query: T.ListAuditGrantsQuery | undefined;
    body: undefined;
    kind: "list";
    answer: (T.AuditGrant)[];
    meta: { page: number; limit: number; total: number };
  };
  revoke_audit_grant: {
    method: "DELETE";
    path: "/partner/audit-grants/{grant_id}";
    params: { grant_id: T.AuditGrantId };
    query: undefined;
    body: undefined;
    kind: "data";
    answer: T.AuditGrant;
  };
}
