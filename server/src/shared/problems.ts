/** Groups problems by what the caller can do. Only `http/problem.ts` turns a kind into a status code. */
export type ProblemKind =
  | "malformed"
  | "unauthenticated"
  | "forbidden"
  | "missing"
  | "wrong_method"
  | "timeout"
  | "conflict"
  | "precondition"
  | "too_large"
  | "headers_too_large"
  | "wrong_type"
  | "misdirected"
  | "invalid"
  | "rate_limited"
  | "internal"
  | "bad_peer"
  | "unavailable";

/** `says` is what the caller reads. It never contains an id of another organization, SQL or a path. A test keeps docs/errors.md equal. */
export const problems = {
  malformed_request: { kind: "malformed", says: "Bad request" },
  duplicate_host: { kind: "malformed", says: "The request has more than one Host header" },
  malformed_json: { kind: "malformed", says: "The request body is not valid JSON" },
  malformed_form: { kind: "malformed", says: "The request body is not valid multipart/form-data" },
  form_part_missing: { kind: "malformed", says: "The form must have: {parts}" },
  form_json_malformed: { kind: "malformed", says: "{part} is not valid JSON" },
  file_twice: { kind: "malformed", says: "The form must have a single file" },

  invalid_api_key: { kind: "unauthenticated", says: "Invalid or missing API key" },
  api_key_in_authorization: { kind: "unauthenticated", says: "Send the API key in the X-API-Key header" },
  invalid_session: { kind: "unauthenticated", says: "Invalid or expired session" },
  invalid_credentials: { kind: "unauthenticated", says: "Wrong e-mail or password" },
  invalid_refresh_token: { kind: "unauthenticated", says: "Invalid or expired refresh token" },
  invalid_token: { kind: "unauthenticated", says: "Invalid or expired token" },
  invalid_code: { kind: "unauthenticated", says: "The code is wrong or has expired" },
  invalid_login_token: { kind: "unauthenticated", says: "This log-in has expired or had too many wrong codes. Log in again" },
  invalid_sso_code: { kind: "unauthenticated", says: "This log-in has expired or was already used. Begin again" },
  invalid_passkey: { kind: "unauthenticated", says: "The passkey was not accepted" },

  scope_missing: { kind: "forbidden", says: "Missing required scope: {scope}" },
  admin_required: { kind: "forbidden", says: "Admin role required" },
  insufficient_permission: { kind: "forbidden", says: "Permission required: {permission}" },
  role_too_low: { kind: "forbidden", says: "Your role does not allow this" },
  session_required: { kind: "forbidden", says: "Only a member who is logged in can do this, not an API key" },
  draft_of_another: {
    kind: "forbidden",
    says: "With drafts:write alone, a key reads and changes only drafts that it created",
  },
  origin_refused: { kind: "forbidden", says: "This request must come from the console" },
  read_only: { kind: "forbidden", says: "This document is read-only for you, because you are not one of its signers" },
  not_your_task: { kind: "forbidden", says: "This is not your task for this document, or the sender has removed you from it" },
  token_not_renewable: { kind: "forbidden", says: "This token cannot be renewed" },
  download_not_granted: { kind: "forbidden", says: "Your grant covers looking at this record, not downloading" },
  evidence_for_parties: { kind: "forbidden", says: "Only members of the organization and signers can download the evidence" },
  transfer_of_your_own: {
    kind: "forbidden",
    says: "The person who started a custody transfer cannot accept or reject it",
  },
  recipient_must_acknowledge: { kind: "forbidden", says: "The recipient must acknowledge this export, with the link in the e-mail" },
  export_key_for_recipient: {
    kind: "forbidden",
    says: "Since 24 hours after the acknowledgement, only the recipient gets the export key, with the link in the e-mail",
  },
  same_principal: { kind: "forbidden", says: "Another person must do this: you proposed it, or you have already decided" },
  no_principal: {
    kind: "forbidden",
    says: "The creator of this key is not a member of the organization, so the key cannot propose or confirm anything",
  },
  not_asked: { kind: "forbidden", says: "This act does not ask you, or you have already decided" },
  vault_not_pinned: { kind: "forbidden", says: "The two organizations have not pinned each other's vaults" },
  transfer_to_another: { kind: "forbidden", says: "Only the proposed custodian can accept or reject this transfer in the console" },

  reauthentication_required: { kind: "forbidden", says: "Confirm your identity" },
  enrollment_required: { kind: "forbidden", says: "Set up a second factor first" },
  sso_required: { kind: "forbidden", says: "Log in with your organization's account" },
  address_not_allowed: { kind: "forbidden", says: "Your organization does not allow log-ins from this address" },
  not_provisioned: { kind: "forbidden", says: "Your organization has not given you access" },
  email_code_required: { kind: "forbidden", says: "Enter the code from the e-mail" },
  passkey_required: { kind: "forbidden", says: "Log in with one of your passkeys to add or remove a passkey" },
  code_required: { kind: "forbidden", says: "Log in with a code from an e-mail to add your first passkey" },

  not_found: { kind: "missing", says: "Not found" },
  key_not_found: { kind: "missing", says: "Key not found" },
  sandbox_not_found: { kind: "missing", says: "Sandbox not found" },
  member_not_found: { kind: "missing", says: "Member not found" },
  invitation_not_found: { kind: "missing", says: "Invitation not found" },
  envelope_not_found: { kind: "missing", says: "Envelope not found" },
  recipient_not_found: { kind: "missing", says: "Recipient not found" },
  document_not_found: { kind: "missing", says: "Document not found" },
  signer_not_found: { kind: "missing", says: "Signer not found" },
  template_not_found: { kind: "missing", says: "Template not found" },
  session_not_found: { kind: "missing", says: "Session not found" },
  tag_not_found: { kind: "missing", says: "Tag not found" },
  problem_not_found: { kind: "missing", says: "Problem not found" },
  view_not_found: { kind: "missing", says: "View not found" },
  form_not_found: { kind: "missing", says: "Form not found" },
  customer_not_found: { kind: "missing", says: "Customer not found" },
  message_not_found: { kind: "missing", says: "Message not found" },
  party_not_found: { kind: "missing", says: "Party not found" },
  person_not_found: { kind: "missing", says: "This person does not act for the party" },
  act_not_found: { kind: "missing", says: "Act not found" },
  batch_not_found: { kind: "missing", says: "Bulk send not found" },
  control_batch_not_found: { kind: "missing", says: "Control batch not found" },
  audit_grant_not_found: { kind: "missing", says: "Audit grant not found" },
  pledge_not_found: { kind: "missing", says: "This party holds no pledge on the record" },
  link_not_found: { kind: "missing", says: "This link is not valid, or is no longer valid" },
  page_not_found: { kind: "missing", says: "The document has no such page" },
  audit_sink_not_found: { kind: "missing", says: "Audit sink not found" },
  endpoint_not_found: { kind: "missing", says: "Endpoint not found" },
  event_not_found: { kind: "missing", says: "Event not found" },
  delivery_not_found: { kind: "missing", says: "Delivery not found" },
  transfer_not_found: { kind: "missing", says: "Custody transfer not found" },
  export_not_found: { kind: "missing", says: "Vault export not found" },
  ending_not_found: { kind: "missing", says: "No such conversion to paper or destruction" },
  hold_not_found: { kind: "missing", says: "Legal hold not found" },
  device_not_found: { kind: "missing", says: "Browser not found" },
  factor_not_found: { kind: "missing", says: "Second factor not found" },
  domain_not_found: { kind: "missing", says: "Domain not found" },
  connection_not_found: { kind: "missing", says: "Connection not found" },
  sso_not_offered: { kind: "missing", says: "No organization offers single sign-on for this address" },
  passkey_not_found: { kind: "missing", says: "Passkey not found" },
  remote_vault_not_found: { kind: "missing", says: "Remote vault not found" },
  remote_request_not_found: { kind: "missing", says: "Request of another installation not found" },
  vault_transfer_not_found: { kind: "missing", says: "Vault transfer not found" },

  method_not_allowed: { kind: "wrong_method", says: "Method not allowed" },

  act_closed: { kind: "conflict", says: "The act is {state}, so nothing can be decided about it any more" },
  control_batch_closed: { kind: "conflict", says: "The control batch is {state}, so it cannot be cancelled any more" },
  control_batch_unfinished: { kind: "conflict", says: "The control batch has no report yet. Try again when its state is done" },
  batch_wrong_state: { kind: "conflict", says: "The bulk send is {state}, so it cannot be {act}" },
  batch_has_invalid_rows: {
    kind: "conflict",
    says: "{invalid} rows have problems. Correct them, or start with accept_invalid to leave them out",
  },
  batch_without_ready_rows: { kind: "conflict", says: "No row is ready to be sent" },
  batch_without_rows_to_retry: { kind: "conflict", says: "No row failed or was skipped, so there is nothing to try again" },
  batch_rows_erased: { kind: "conflict", says: "The contents of the rows have been deleted. Upload the file again" },
  template_changed: { kind: "conflict", says: "The template was changed after the rows were checked. Check the rows again with retry" },
  control_changed: { kind: "conflict", says: "Who controls or keeps the record has changed in the meantime. Read it again" },
  party_not_enrolled: {
    kind: "conflict",
    says: "{party} has no approver yet, so it cannot confirm. Add an approver to the party; if only its name is on record, create the party and propose correct_party",
  },
  confirmation_required: { kind: "conflict", says: "A party must confirm this first. Propose an act, which it confirms itself" },
  party_exists: { kind: "conflict", says: "Another party has this identifier, or is the same organization" },
  last_approver: { kind: "conflict", says: "This is the only approver of the party. Add another approver first" },
  setup_done: { kind: "conflict", says: "This installation is already set up. Log in, or ask an admin for an invitation" },
  key_deactivated: { kind: "conflict", says: "The key is deactivated. Create a new one" },
  last_admin: { kind: "conflict", says: "The last admin cannot be removed or demoted. Make another member an admin first" },
  custodian_of_copies: {
    kind: "conflict",
    says: "This member is custodian of {copies}. Transfer custody first, or remove the member with custody=leave",
  },
  already_member: { kind: "conflict", says: "This person is already a member" },
  invitation_ended: { kind: "conflict", says: "The invitation was already accepted or revoked" },
  sign_in_to_join: { kind: "conflict", says: "Log in to join" },
  invitation_for_other_address: { kind: "conflict", says: "This invitation is for a different e-mail address" },
  address_not_verified: { kind: "conflict", says: "Verify your e-mail address before you join another organization" },
  address_verified: { kind: "conflict", says: "Your e-mail address is already verified" },
  account_exists: { kind: "conflict", says: "This e-mail address already has an account" },
  mail_not_set_up: { kind: "conflict", says: "No mail server is set up. Ask the operator of the service" },
  address_taken: { kind: "conflict", says: "Another account has this e-mail address now" },
  password_missing: { kind: "conflict", says: "You have no password. Set one first" },
  passkeys_missing: {
    kind: "conflict",
    says: "Without a password you need two passkeys and an unused recovery code. Add them first",
  },
  codes_unavailable: { kind: "conflict", says: "No mail server is set up, so no codes can be sent. Log in with a passkey" },
  too_many_factors: { kind: "conflict", says: "You already have 2 authenticator apps, the maximum. Remove one first" },
  sandbox_follows_live: { kind: "conflict", says: "Change this in the organization. Its sandboxes follow it" },
  too_many_sandboxes: { kind: "conflict", says: "An organization has at most 5 sandboxes" },
  sandbox_resetting: { kind: "conflict", says: "This sandbox is being reset. Try again when it is done" },
  sandbox_full: {
    kind: "conflict",
    says: "This sandbox is full: it can have 1,000 new envelopes a day and 2 GB of documents. Reset it, or try again tomorrow",
  },
  managed_by_sso: { kind: "conflict", says: "Your organization manages this" },
  domain_taken: { kind: "conflict", says: "This domain cannot be added. Contact the operator" },
  domain_exists: { kind: "conflict", says: "The organization already has this domain" },
  domain_not_proven: { kind: "conflict", says: "The TXT record of this domain was not found" },
  domain_verified: { kind: "conflict", says: "This domain is already verified" },
  too_many_domains: { kind: "conflict", says: "The organization already has 20 domains, the maximum. Remove one first" },
  too_many_connections: { kind: "conflict", says: "The organization already has 3 connections, the maximum. Delete one first" },
  member_without_factor: { kind: "conflict", says: "This member has no second factor" },
  operator_only: {
    kind: "conflict",
    says: "Only the operator can reset this person's factors, because they are in another organization too",
  },
  factor_missing: { kind: "conflict", says: "You have no second factor. Add one first" },
  passkey_known: { kind: "conflict", says: "This passkey is already registered" },
  too_many_passkeys: { kind: "conflict", says: "You already have 10 passkeys, the maximum. Remove one first" },
  template_archived: { kind: "conflict", says: "The template is archived. Restore it first" },
  template_without_document: { kind: "conflict", says: "The template has no document" },
  template_without_counterpart: { kind: "conflict", says: "The template does not exist at the signing provider. Create a new one" },
  fields_changed: { kind: "conflict", says: "The fields have changed in the meantime. Read them again" },
  several_customers: { kind: "conflict", says: "Several customers share this e-mail address. Look up the customer by client_id" },
  client_id_taken: { kind: "conflict", says: "Another customer has this client_id" },
  customer_audited: {
    kind: "conflict",
    says: "An audit grant covers the records of one of the two customers. Revoke the grant, or wait until it ends",
  },
  customer_too_large: {
    kind: "conflict",
    says: "The duplicate has more than 20,000 envelopes. Merge the other customer into this one instead",
  },
  customers_changed: { kind: "conflict", says: "The customer was merged or deleted at the same time. Try again" },
  customer_kept: { kind: "conflict", says: "The customer cannot be deleted: {reasons}" },
  tag_exists: { kind: "conflict", says: "Another tag has this name" },
  too_many_tags: { kind: "conflict", says: "Your organization has 500 tags, the maximum. Delete a tag first" },
  problem_handled: { kind: "conflict", says: "Problem was already handled" },
  too_many_views: { kind: "conflict", says: "There are 100 views already, the maximum. Delete a view first" },
  envelope_wrong_status: { kind: "conflict", says: "The envelope is {status}, which does not allow this" },
  document_not_reusable: {
    kind: "conflict",
    says: "The document of this envelope was signed elsewhere, came from another vault or was destroyed. It cannot be used again",
  },
  envelope_without_document: { kind: "conflict", says: "The envelope has no document yet. Upload one first" },
  envelope_changed: { kind: "conflict", says: "The envelope changed in the meantime. Review it and try again" },
  signer_opened: { kind: "conflict", says: "The signer has already opened the document" },
  form_closed: { kind: "conflict", says: "This form is not open" },
  form_address_taken: {
    kind: "conflict",
    says: "This e-mail address already belongs to another recipient of this document. Use another address",
  },
  recipient_without_mail: { kind: "conflict", says: "The sender gives this person the link, and the service sends no e-mail" },
  recipient_has_acted: { kind: "conflict", says: "This recipient has already acted on the document" },
  last_signer: { kind: "conflict", says: "This is the only signer of the envelope. Void the envelope instead" },
  last_document: { kind: "conflict", says: "This is the only document. Replace its file instead" },
  several_documents: { kind: "conflict", says: "A deposited original is one file, but this envelope has several documents" },
  maker_required: { kind: "conflict", says: "A maker of a transferable record cannot be removed. Void the envelope instead" },
  nobody_to_remind: { kind: "conflict", says: "None of these signers can be reminded now" },
  reminded_already: { kind: "conflict", says: "These signers were reminded a moment ago. Try again later" },
  message_closed: { kind: "conflict", says: "A mail server is configured, so only the recipient can read the text of this message" },
  envelope_ended: { kind: "conflict", says: "This document can no longer be signed" },
  already_signed: { kind: "conflict", says: "You have already signed this document" },
  mailed_link_required: { kind: "conflict", says: "Sign with the link in your e-mail. The sender accepts no other link" },
  session_mismatch: { kind: "conflict", says: "This signing session was started with another link. Reload the page" },
  not_your_turn: { kind: "conflict", says: "It is not your turn yet" },
  identity_required: { kind: "conflict", says: "Only a signer who has confirmed their identity can see this document" },
  identity_expired: { kind: "conflict", says: "Your identity check has expired. Confirm your identity again" },
  identity_unavailable: { kind: "conflict", says: "This identity check is not available for you" },
  challenge_over: { kind: "conflict", says: "This was already answered or has expired. Request it again" },
  signer_locked: { kind: "conflict", says: "Too many wrong answers. The sender must let you try again" },
  document_not_rendered: { kind: "conflict", says: "Page 1 of the document must be shown before you agree" },
  consent_required: { kind: "conflict", says: "Agree to sign electronically first" },
  mail_server_missing: { kind: "conflict", says: "This installation has no mail server. The operator sets SMTP_URL first" },
  mail_sender_missing: { kind: "conflict", says: "The organization has no sender of its own. Set it first" },
  mail_sender_changed: { kind: "conflict", says: "The sender was changed in the meantime. Look at it and try again" },
  registry_awaited: { kind: "conflict", says: "Acts wait for the registry: {count}. Cancel them or wait for its answer first" },
  registration_required: { kind: "conflict", says: "The registry must accept this first. Propose an act on this record alone" },
  agreement_required: { kind: "conflict", says: "Agree first that the document is a transferable record" },
  agreement_not_needed: { kind: "conflict", says: "This signer does not have to agree that the document is a transferable record" },
  signing_stale: { kind: "conflict", says: "The document, your entries or your name has changed. Review them and try again" },
  signer_signed: { kind: "conflict", says: "The signer has already signed" },
  kba_not_required: { kind: "conflict", says: "The envelope does not require identity questions" },
  record_mismatch: {
    kind: "conflict",
    says: "The stored record of this document does not match its audit trail. It cannot be signed, sealed or downloaded until the record is repaired",
  },
  paper_not_requested: { kind: "conflict", says: "Ask to sign on paper first" },
  document_not_ready: { kind: "conflict", says: "The signed document is still being prepared. Try again in a moment" },
  envelope_not_vaulted: { kind: "conflict", says: "The envelope is not vaulted" },
  copy_wrong_state: { kind: "conflict", says: "The authoritative copy is {state}, which does not allow this" },
  vault_already_pinned: { kind: "conflict", says: "This organization of that vault is already pinned" },
  vault_in_use: {
    kind: "conflict",
    says: "Transfers with this vault are under way, or a party that it stands for is asked or has rights in a record",
  },
  vault_transfer_pending: { kind: "conflict", says: "The record is already offered to another vault. Cancel that transfer first" },
  vault_transfer_closed: { kind: "conflict", says: "The vault transfer is {state}, which does not allow this" },
  receipt_missing: { kind: "conflict", says: "The other vault has not confirmed that it holds the original, so the copy here must stay" },
  receipt_on_record: { kind: "conflict", says: "The other vault has signed that it holds the original, so it cannot be recovered here" },
  lineage_is_live: { kind: "conflict", says: "This installation already holds the original of this record" },
  copy_on_hold: { kind: "conflict", says: "The authoritative copy is under legal hold. Release the hold first" },
  transfer_pending: { kind: "conflict", says: "A custody transfer of this copy is pending. Cancel it or wait until it ends" },
  transfer_closed: { kind: "conflict", says: "The custody transfer is {status}, which does not allow this" },
  custody_changed: { kind: "conflict", says: "Custody changed in the meantime. Review it and try again" },
  receiver_gone: { kind: "conflict", says: "The proposed custodian is no longer a member. Cancel the transfer" },
  export_closed: { kind: "conflict", says: "The export is {status}, which does not allow this" },
  export_receipt_used: { kind: "conflict", says: "The receipt of this export was used before, for another deposit" },
  not_downloaded: { kind: "conflict", says: "Download the file first. Only those who have it can confirm that" },
  ending_closed: { kind: "conflict", says: "This conversion to paper or destruction is {status}, which does not allow this" },
  ending_not_done: { kind: "conflict", says: "There is no certificate yet: the paper is not confirmed, or the files are not removed" },
  paper_downloaded: {
    kind: "conflict",
    says: "The PDF for printing was downloaded, so the paper may exist. This cannot be cancelled any more",
  },
  retention_not_over: { kind: "conflict", says: "The record must be kept until {until}" },
  object_lock_not_over: { kind: "conflict", says: "The document store keeps the record locked until {until}" },
  record_pledged: { kind: "conflict", says: "A pledge stands on the record. It can be destroyed when the pledge has ended" },
  export_key_erased: { kind: "conflict", says: "The export key was available for 24 hours and has been deleted" },
  retention_shorter: { kind: "conflict", says: "Retention can only be extended" },
  bytes_not_recorded: { kind: "conflict", says: "The file does not match any hash that the vault has on record for this envelope" },
  document_already_vaulted: { kind: "conflict", says: "This document is already recorded in the vault, as {envelope_id}" },
  use_vault_in_signed: {
    kind: "conflict",
    says: "This is the signed document of {envelope_id}, which is not vaulted yet. Vault that envelope with vault-in-signed",
  },
  nothing_to_review: {
    kind: "conflict",
    says: "These two records have nothing in common that is still to be compared",
  },
  secured_party_on_record: {
    kind: "conflict",
    says: "A secured party is already on record. Only an assignment with its consent can change it",
  },
  assignee_changed: { kind: "conflict", says: "The secured party has changed in the meantime. The consent is not from the current one" },
  secured_party_missing: { kind: "conflict", says: "No secured party is on record yet. Name one first" },
  too_many_audit_sinks: { kind: "conflict", says: "The organization already has 3 audit sinks, the maximum. Delete one first" },
  too_many_endpoints: { kind: "conflict", says: "The organization already has 20 endpoints, the maximum. Delete one first" },
  endpoint_disabled: { kind: "conflict", says: "The endpoint is disabled. Enable it first" },
  endpoint_deleted: { kind: "conflict", says: "The endpoint of this delivery was deleted" },
  audit_position_unknown: { kind: "conflict", says: "This position is not in the log" },
  idempotency_in_progress: { kind: "conflict", says: "A request with this Idempotency-Key is still running. Try again" },
  idempotency_secret: { kind: "conflict", says: "This request already succeeded. Its response contained a secret that is shown only once" },

  precondition_failed: { kind: "precondition", says: "The record has changed since you read it. Read it again" },

  request_timeout: { kind: "timeout", says: "The request did not arrive in time" },
  headers_too_large: { kind: "headers_too_large", says: "The request's headers are too large" },
  body_too_large: { kind: "too_large", says: "The request body is too large. The maximum is {limit}" },
  bulk_file_too_large: { kind: "too_large", says: "The CSV file is larger than 10 MB" },
  file_too_large: { kind: "too_large", says: "The file is larger than 50 MB" },
  wrong_form_type: { kind: "wrong_type", says: "The body must be multipart/form-data, without a Content-Encoding" },
  wrong_media_type: { kind: "wrong_type", says: "The body must be application/json in UTF-8, without a Content-Encoding" },
  not_a_pdf: { kind: "wrong_type", says: "The file is not a PDF" },
  not_a_document: { kind: "wrong_type", says: "The file is not a PDF, PNG or JPEG" },
  not_evidence: { kind: "wrong_type", says: "The evidence file is not a PDF, PNG, JPEG or JSON file" },
  wrong_host: {
    kind: "misdirected",
    says: "This service is in local mode and accepts only loopback host names. Set PUBLIC_URL to the address that people use",
  },

  control_batch_refused: { kind: "invalid", says: "Some records cannot be in this control batch, so it was not created" },
  invalid_request: { kind: "invalid", says: "Validation failed" },
  search_too_broad: { kind: "invalid", says: "Too many records have words that begin like this. Type more letters" },
  page_too_deep: { kind: "invalid", says: "This list ends after 10,000 rows. Narrow your search" },
  export_too_large: { kind: "invalid", says: "More than 100,000 envelopes match. Narrow the export, for example by date of creation" },
  message_malformed: { kind: "invalid", says: "This is not a message between vaults in canonical form" },
  message_not_signed: { kind: "invalid", says: "The message is not signed by a key of the vault that it names" },
  message_not_for_this_vault: { kind: "invalid", says: "The message is for another vault" },
  release_not_for_this_vault: { kind: "invalid", says: "The release is for another vault" },
  release_not_proven: { kind: "invalid", says: "The release is not shown to be in the sender's log" },
  message_contradicts: { kind: "invalid", says: "The message contradicts what is known of this transfer or act" },
  batch_asks_vault: { kind: "invalid", says: "{party} is another installation, which decides about one record at a time" },
  message_out_of_order: { kind: "invalid", says: "This message arrived before the step that must come first" },
  document_blank: { kind: "invalid", says: "Every page of the document is blank" },
  upload_is_a_copy: { kind: "invalid", says: "The file is marked as a copy, so it is not an original. Deposit the original" },
  pdf_unreadable: { kind: "invalid", says: "The PDF could not be read" },
  pdf_encrypted: { kind: "invalid", says: "The PDF is password-protected. Remove the password and upload it again" },
  pdf_restricted: {
    kind: "invalid",
    says: "The PDF opens without a password, but its owner does not allow changes. Upload a copy without this restriction",
  },
  pdf_too_complex: { kind: "invalid", says: "The PDF is too large or complex: {limit}" },
  pdf_content_lost: { kind: "invalid", says: "Cleaning the PDF would lose content of {limit}. Print it to PDF and upload it again" },
  pdf_dynamic_xfa: { kind: "invalid", says: "This form can be opened only in Adobe software. Print it to PDF first" },
  pdf_not_drawable: { kind: "invalid", says: "{part} cannot be drawn as viewers show it. Print the document to PDF and upload that file" },
  image_unreadable: { kind: "invalid", says: "The image could not be read" },
  image_too_large: { kind: "invalid", says: "The image is too large: {limit}" },
  tags_invalid: { kind: "invalid", says: "The document's tags are not valid" },
  envelope_too_large: { kind: "invalid", says: "Together the documents are too large: at most 20 documents, 2,000 pages and 50 MB" },
  provider_cannot: {
    kind: "invalid",
    says: "The signing provider of this installation knows only signers, one after the other or all at once, and one document",
  },
  unknown_roles: { kind: "invalid", says: "A signer has a role that does not occur in the document" },
  certification_required: { kind: "invalid", says: "Accept the vault-in certification terms first" },
  certification_terms_outdated: { kind: "invalid", says: "The certification terms have changed. Accept the current version" },
  anchor_not_found: { kind: "invalid", says: "Anchor text not found" },
  occurrence_out_of_range: { kind: "invalid", says: "The anchor text occurs fewer times than requested" },
  area_outside_page: { kind: "invalid", says: "The area is outside the page" },
  page_out_of_range: { kind: "invalid", says: "The document has no such page" },
  idempotency_mismatch: { kind: "invalid", says: "This Idempotency-Key was used with a different request" },
  would_lock_out: { kind: "invalid", says: "You would lock yourself out" },
  invalid_link: { kind: "invalid", says: "The link is not valid, was already used, or has expired" },

  rate_limited: { kind: "rate_limited", says: "Rate limit exceeded" },
  internal: { kind: "internal", says: "Internal server error" },
  template_not_saved: { kind: "internal", says: "The template could not be saved" },
  provider_rejected: { kind: "bad_peer", says: "The signing provider rejected the request" },
  provider_unreachable: { kind: "bad_peer", says: "The signing provider could not be reached" },
  template_pdf_unavailable: { kind: "bad_peer", says: "The template's PDF could not be fetched" },
  document_unavailable: { kind: "bad_peer", says: "The document could not be fetched" },
  identity_provider_away: { kind: "bad_peer", says: "Identity provider cannot be reached" },
  name_servers_away: { kind: "bad_peer", says: "The name servers of this domain do not answer. Try again" },
  provider_not_configured: { kind: "unavailable", says: "No signing provider is configured" },
  pdf_busy: { kind: "unavailable", says: "Too many documents are being processed. Try again" },
  passwords_busy: { kind: "unavailable", says: "Too many passwords are being checked. Try again in a second" },
  disk_full: { kind: "unavailable", says: "Not enough disk space for uploads" },
  storage_away: { kind: "unavailable", says: "The document store cannot be reached. Try again" },
  key_service_away: { kind: "unavailable", says: "The key service cannot be reached. Try again" },
  database_away: { kind: "unavailable", says: "Service unavailable" },
  not_ready: { kind: "unavailable", says: "The service is not ready" },
} as const satisfies Record<string, { kind: ProblemKind; says: string }>;

export type ProblemCode = keyof typeof problems;

/** Why a value was refused: a closed list that clients can switch on. A problem without details gets one detail with its own code. */
export const detailCodes = [
  "email_code_required",
  "required",
  "invalid_type",
  "invalid_format",
  "invalid_value",
  "too_small",
  "too_big",
  "too_long",
  "duplicate",
  "step_missing",
  "unknown_role",
  "unknown_field",
  "does_not_fit",
  "not_found",
  "out_of_range",
  "conflict",
  "insufficient_scope",
  "certification_required",
  "certification_terms_outdated",
  "voided",
  "declined",
  "expired",
  "read_only",
  "consent_required",
  "agreement_required",
  "document_not_rendered",
  "identity_required",
  "identity_expired",
  "identity_unavailable",
  "locked",
  "not_your_turn",
  "mailed_link_required",
  "identity_level_too_low",
  "adopt_first",
  "stale",
  "precondition_failed",
  "custodian_of_copies",
  "record_mismatch",
  "not_vaulted",
  "other_controller",
  "exported",
  "tampered",
  "destroyed",
  "unknown_browser",
  "sign_in_to_join",
  "invitation_for_other_address",
  "address_not_verified",
  "address_verified",
  "account_exists",
  "mail_not_set_up",
] as const;

export type DetailCode = (typeof detailCodes)[number];

/** Every code that can occur in `details`. */
export const codesInDetails: readonly (DetailCode | ProblemCode)[] = [
  ...new Set([...detailCodes, ...(Object.keys(problems) as ProblemCode[])]),
];

/** `request`: the whole request, if no single part of it is wrong. */
export const detailLocations = ["body", "form", "query", "path", "header", "request"] as const;

export interface Detail {
  readonly location: (typeof detailLocations)[number];
  /** `fields[0].placement.w`; null for the whole body or request */
  readonly field: string | null;
  readonly code: DetailCode | ProblemCode;
  readonly message: string;
  /** of single sign-on, with which the log-in can go on */
  readonly connection_id?: string;
}

/** One of the customers who share an e-mail address, for the caller to choose from. */
export interface Candidate {
  readonly customer_id: string;
  readonly name: string | null;
  readonly client_id: string | null;
}

export interface ProblemOptions {
  readonly details?: readonly Detail[];
  readonly candidates?: readonly Candidate[];
  /** values for the `{…}` placeholders in `says` */
  readonly words?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
  /** the quota that was used up, if it is not the credential's own */
  readonly quota?: { readonly limit: number; readonly remaining: number; readonly reset: number };
  readonly cause?: unknown;
}

/** The caller's mistake, or a record whose state does not allow the operation. `why` is for our log and contains no customer text. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly details: readonly Detail[] | undefined;
  readonly candidates: readonly Candidate[] | undefined;
  readonly says: string;
  readonly retryAfterSeconds: number | undefined;
  readonly quota: ProblemOptions["quota"];

  constructor(code: ProblemCode, why = "", options: ProblemOptions = {}) {
    super(why === "" ? code : `${code}: ${why}`, { cause: options.cause });
    this.name = "Problem";
    this.code = code;
    this.details = options.details;
    this.candidates = options.candidates;
    this.says = problems[code].says.replace(/\{(\w+)\}/g, (_, word: string) => options.words?.[word] ?? "");
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.quota = options.quota;
  }
}

/** A problem whose code is repeated in `details`, with a message that says what to do. */
export function coded(code: ProblemCode & DetailCode, message: string, options: Pick<ProblemOptions, "cause"> = {}): Problem {
  return new Problem(code, "", { ...options, details: [{ location: "body", field: null, code, message }] });
}

/** 422 for one field of the body. */
export function invalidField(field: string, code: DetailCode, message: string): Problem {
  return new Problem("invalid_request", `${field} ${code}`, { details: [{ location: "body", field, code, message }] });
}

/** 422 for one parameter of the query. */
export function invalidQuery(field: string, code: DetailCode | ProblemCode, message: string): Problem {
  return new Problem("invalid_request", `${field} ${code}`, { details: [{ location: "query", field, code, message }] });
}
