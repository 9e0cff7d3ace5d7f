// Written by `npm run generate` from docs/errors.md. Change that instead.

interface Explained {
  readonly status: number;
  /** what the response says */
  readonly says: string;
  readonly to_do: string;
}

export const errors: Readonly<Record<string, Explained>> = {
  "malformed_request": {
    "status": 400,
    "says": "Bad request",
    "to_do": "The request is not valid HTTP."
  },
  "duplicate_host": {
    "status": 400,
    "says": "The request has more than one Host header",
    "to_do": "Send exactly one. With two, a proxy and the service could each use a different one."
  },
  "malformed_json": {
    "status": 400,
    "says": "The request body is not valid JSON",
    "to_do": "Check the body with a JSON parser; it must be UTF-8."
  },
  "malformed_form": {
    "status": 400,
    "says": "The request body is not valid multipart/form-data",
    "to_do": "Check the boundary and that the form ends with it. A form can have at most 32 parts."
  },
  "form_part_missing": {
    "status": 400,
    "says": "The form must have: {parts}",
    "to_do": "Add the missing parts. An empty part counts as missing. The file part needs a file name."
  },
  "form_json_malformed": {
    "status": 400,
    "says": "{part} is not valid JSON",
    "to_do": "Check the part with a JSON parser."
  },
  "file_twice": {
    "status": 400,
    "says": "The form must have a single file",
    "to_do": "Send exactly one part named `file`."
  },
  "invalid_api_key": {
    "status": 401,
    "says": "Invalid or missing API key",
    "to_do": "Check the X-API-Key header. Missing, malformed, unknown, deactivated and expired keys all get this answer, and so does a key from an address that it does not allow."
  },
  "api_key_in_authorization": {
    "status": 401,
    "says": "Send the API key in the X-API-Key header",
    "to_do": "The Authorization header contains an API key, but it accepts only session and widget tokens. The key itself was not checked."
  },
  "invalid_session": {
    "status": 401,
    "says": "Invalid or expired session",
    "to_do": "Log in again, or refresh the token."
  },
  "invalid_credentials": {
    "status": 401,
    "says": "Wrong e-mail or password",
    "to_do": "Check both; an unknown address gets the same answer."
  },
  "invalid_refresh_token": {
    "status": 401,
    "says": "Invalid or expired refresh token",
    "to_do": "Log in again. A refresh token works once."
  },
  "invalid_token": {
    "status": 401,
    "says": "Invalid or expired token",
    "to_do": "Request a new token with POST /embed/token, or open the link in the e-mail again. At /mail-events: send the value of MAIL_EVENTS_TOKEN."
  },
  "invalid_code": {
    "status": 401,
    "says": "The code is wrong or has expired",
    "to_do": "By e-mail: check the latest one; a code works once, for 10 minutes and 5 attempts, and an unknown address gets the same answer. Of an authenticator app: wait for the next code; each works once. Recovery codes work once, too."
  },
  "invalid_login_token": {
    "status": 401,
    "says": "This log-in has expired or had too many wrong codes. Log in again",
    "to_do": "Start again with POST /auth/login. A log-in waits 10 minutes for its second factor and ends with the fifth wrong code, a new password or a removed factor."
  },
  "invalid_sso_code": {
    "status": 401,
    "says": "This log-in has expired or was already used. Begin again",
    "to_do": "The code of `POST /auth/sso/finish` works once, for a minute, in the browser in which the log-in began. Begin again with `POST /auth/sso/start`."
  },
  "invalid_passkey": {
    "status": 401,
    "says": "The passkey was not accepted",
    "to_do": "Ask for new options and try again, or log in with a code. A challenge works once, for 5 minutes."
  },
  "scope_missing": {
    "status": 403,
    "says": "Missing required scope: {scope}",
    "to_do": "Give the key the scope with PATCH /partners/keys/:key_id."
  },
  "admin_required": {
    "status": 403,
    "says": "Admin role required",
    "to_do": "Ask an admin."
  },
  "insufficient_permission": {
    "status": 403,
    "says": "Permission required: {permission}",
    "to_do": "Your role does not have the permission. `GET /auth/me` lists what it has."
  },
  "role_too_low": {
    "status": 403,
    "says": "Your role does not allow this",
    "to_do": "Ask an admin for a higher role."
  },
  "session_required": {
    "status": 403,
    "says": "Only a member who is logged in can do this, not an API key",
    "to_do": "Saved views and notifications belong to people. Use the console, or a session."
  },
  "draft_of_another": {
    "status": 403,
    "says": "With drafts:write alone, a key reads and changes only drafts that it created",
    "to_do": "Create a draft with this key, or use a key with `envelopes:write` (to read: `envelopes:read`)."
  },
  "origin_refused": {
    "status": 403,
    "says": "This request must come from the console",
    "to_do": "A refresh cookie works only from the pages of PUBLIC_URL; scripts send the refresh token in the body."
  },
  "read_only": {
    "status": 403,
    "says": "This document is read-only for you, because you are not one of its signers",
    "to_do": "Create the token for a signer's e-mail address."
  },
  "not_your_task": {
    "status": 403,
    "says": "This is not your task for this document, or the sender has removed you from it",
    "to_do": "Signers complete, approvers approve, viewers confirm. Tokens and links of a removed or replaced recipient end at once."
  },
  "token_not_renewable": {
    "status": 403,
    "says": "This token cannot be renewed",
    "to_do": "Only the signing page of a public form renews its own token. Create a new token with `POST /embed/token`, or open the link again."
  },
  "download_not_granted": {
    "status": 403,
    "says": "Your grant covers looking at this record, not downloading",
    "to_do": "Ask the organization for an audit grant with `may_download`."
  },
  "evidence_for_parties": {
    "status": 403,
    "says": "Only members of the organization and signers can download the evidence",
    "to_do": "Create the vault widget's token for the e-mail address of a member or signer. Keys with `vault:read` can download the evidence through the API."
  },
  "transfer_of_your_own": {
    "status": 403,
    "says": "The person who started a custody transfer cannot accept or reject it",
    "to_do": "Let the proposed custodian do it. All keys that one person created count as that person."
  },
  "recipient_must_acknowledge": {
    "status": 403,
    "says": "The recipient must acknowledge this export, with the link in the e-mail",
    "to_do": "The control policy of the record is `confirmed`. The link leads to `/p/`."
  },
  "export_key_for_recipient": {
    "status": 403,
    "says": "Since 24 hours after the acknowledgement, only the recipient gets the export key, with the link in the e-mail",
    "to_do": "The recipient logs in at `/p/` and opens *Originals*."
  },
  "same_principal": {
    "status": 403,
    "says": "Another person must do this: you proposed it, or you have already decided",
    "to_do": "Let another person decide. All keys that one person created count as that person."
  },
  "no_principal": {
    "status": 403,
    "says": "The creator of this key is not a member of the organization, so the key cannot propose or confirm anything",
    "to_do": "Use a key that a present member created, or the console. Keys from the command line have no creator."
  },
  "not_asked": {
    "status": 403,
    "says": "This act does not ask you, or you have already decided",
    "to_do": "See `needs` of the act: who is asked, and in which role."
  },
  "vault_not_pinned": {
    "status": 403,
    "says": "The two organizations have not pinned each other's vaults",
    "to_do": "An admin of each organization calls `POST /partner/remote-vaults` with the address, the root and the organization of the other."
  },
  "transfer_to_another": {
    "status": 403,
    "says": "Only the proposed custodian can accept or reject this transfer in the console",
    "to_do": "Log in as the proposed custodian, or use a key."
  },
  "reauthentication_required": {
    "status": 403,
    "says": "Confirm your identity",
    "to_do": "The session logged in, or confirmed its user, more than 10 minutes ago. POST /auth/confirm, then repeat the request. API keys never get this answer."
  },
  "enrollment_required": {
    "status": 403,
    "says": "Set up a second factor first",
    "to_do": "Your organization requires a second factor, and you have none. Add one with `POST /auth/factors/totp`; until then the session can only use `/auth/`."
  },
  "sso_required": {
    "status": 403,
    "says": "Log in with your organization's account",
    "to_do": "The password or passkey was right, but only single sign-on opens this organization to you. `details[].connection_id` is the connection for `POST /auth/sso/start`."
  },
  "address_not_allowed": {
    "status": 403,
    "says": "Your organization does not allow log-ins from this address",
    "to_do": "Password, passkey or token were right, but the organization has a list of addresses (`allowed_cidrs` of `/org/security`), and yours, which `details` names, is not in it. Connect from the organization's network, or ask an admin. A request of an open session gets 401 `invalid_session` there, and works again at an address of the list."
  },
  "not_provisioned": {
    "status": 403,
    "says": "Your organization has not given you access",
    "to_do": "The identity provider vouches for you, but the organization does not let you in. `details` says why; the audit trail has the same reason as `sso.refused`."
  },
  "email_code_required": {
    "status": 403,
    "says": "Enter the code from the e-mail",
    "to_do": "A session that is limited to enrolment needs `email_code`: the code that was mailed with the new factor, or that the operator printed with `countersign users code`."
  },
  "passkey_required": {
    "status": 403,
    "says": "Log in with one of your passkeys to add or remove a passkey",
    "to_do": "A code from an e-mail is enough for the first passkey only."
  },
  "code_required": {
    "status": 403,
    "says": "Log in with a code from an e-mail to add your first passkey",
    "to_do": "POST /p/api/code, then POST /p/api/session."
  },
  "not_found": {
    "status": 404,
    "says": "Not found",
    "to_do": "Check the path."
  },
  "key_not_found": {
    "status": 404,
    "says": "Key not found",
    "to_do": "Check the id; another organization's key looks the same."
  },
  "sandbox_not_found": {
    "status": 404,
    "says": "Sandbox not found",
    "to_do": "`GET /org/sandboxes` lists those of your organization."
  },
  "member_not_found": {
    "status": 404,
    "says": "Member not found",
    "to_do": "Check the id."
  },
  "invitation_not_found": {
    "status": 404,
    "says": "Invitation not found",
    "to_do": "Check the id."
  },
  "envelope_not_found": {
    "status": 404,
    "says": "Envelope not found",
    "to_do": "Check the id; another organization's envelope looks the same."
  },
  "recipient_not_found": {
    "status": 404,
    "says": "Recipient not found",
    "to_do": "`GET /partner/envelopes/:id/recipients` lists them. A removed recipient is not found either."
  },
  "document_not_found": {
    "status": 404,
    "says": "Document not found",
    "to_do": "`GET …/documents` of the envelope or template lists them. A removed document is not found either."
  },
  "signer_not_found": {
    "status": 404,
    "says": "Signer not found",
    "to_do": "A corrected signer has a new slug: `GET /partner/envelopes/:id/signers`."
  },
  "template_not_found": {
    "status": 404,
    "says": "Template not found",
    "to_do": "Check the id; another organization's template looks the same."
  },
  "session_not_found": {
    "status": 404,
    "says": "Session not found",
    "to_do": "Check the id."
  },
  "tag_not_found": {
    "status": 404,
    "says": "Tag not found",
    "to_do": "`GET /partner/tags` lists your tags."
  },
  "problem_not_found": {
    "status": 404,
    "says": "Problem not found",
    "to_do": "`GET /org/problems` lists them."
  },
  "view_not_found": {
    "status": 404,
    "says": "View not found",
    "to_do": "`GET /views` lists your views and the shared ones. A view of another person looks the same as a missing one."
  },
  "form_not_found": {
    "status": 404,
    "says": "Form not found",
    "to_do": "`GET /partner/forms` lists your forms."
  },
  "customer_not_found": {
    "status": 404,
    "says": "Customer not found",
    "to_do": "Check the id, client_id or e-mail; another organization's customer looks the same."
  },
  "message_not_found": {
    "status": 404,
    "says": "Message not found",
    "to_do": "Check the id; another organization's message looks the same."
  },
  "party_not_found": {
    "status": 404,
    "says": "Party not found",
    "to_do": "Check the id; another organization's party looks the same."
  },
  "person_not_found": {
    "status": 404,
    "says": "This person does not act for the party",
    "to_do": "Read the party again: `people` lists who acts for it."
  },
  "act_not_found": {
    "status": 404,
    "says": "Act not found",
    "to_do": "Check the id; another organization's act looks the same, unless it asks your organization."
  },
  "batch_not_found": {
    "status": 404,
    "says": "Bulk send not found",
    "to_do": "Check the id; another organization's bulk send looks the same."
  },
  "control_batch_not_found": {
    "status": 404,
    "says": "Control batch not found",
    "to_do": "Check the id; another organization's batch looks the same."
  },
  "audit_grant_not_found": {
    "status": 404,
    "says": "Audit grant not found",
    "to_do": "Check the id; another organization's grant looks the same."
  },
  "pledge_not_found": {
    "status": 404,
    "says": "This party holds no pledge on the record",
    "to_do": "Read the record's control: `pledges` lists those that stand."
  },
  "link_not_found": {
    "status": 404,
    "says": "This link is not valid, or is no longer valid",
    "to_do": "The slug is unknown, or the secret after the `#` of the link is missing, wrong or revoked. Use the link in the latest e-mail, or request a new one with `POST /embed/links/:slug/send`."
  },
  "page_not_found": {
    "status": 404,
    "says": "The document has no such page",
    "to_do": "Page numbers start at 1. `document.page_count`, or the length of `pages`, is the number of pages."
  },
  "audit_sink_not_found": {
    "status": 404,
    "says": "Audit sink not found",
    "to_do": "Check the id; another organization's sink looks the same."
  },
  "endpoint_not_found": {
    "status": 404,
    "says": "Endpoint not found",
    "to_do": "Check the id; another organization's endpoint looks the same."
  },
  "event_not_found": {
    "status": 404,
    "says": "Event not found",
    "to_do": "Check the id. Events are deleted some time after EVENT_RETENTION_DAYS, a month of them at a time."
  },
  "delivery_not_found": {
    "status": 404,
    "says": "Delivery not found",
    "to_do": "Check the id. Deliveries are deleted some days after WEBHOOK_RETENTION_DAYS, a week of them at a time."
  },
  "transfer_not_found": {
    "status": 404,
    "says": "Custody transfer not found",
    "to_do": "Check the id; another organization's looks the same."
  },
  "export_not_found": {
    "status": 404,
    "says": "Vault export not found",
    "to_do": "Check the id; another organization's looks the same."
  },
  "ending_not_found": {
    "status": 404,
    "says": "No such conversion to paper or destruction",
    "to_do": "`GET /partner/record-endings` lists them."
  },
  "hold_not_found": {
    "status": 404,
    "says": "Legal hold not found",
    "to_do": "Check both ids; another organization's looks the same."
  },
  "device_not_found": {
    "status": 404,
    "says": "Browser not found",
    "to_do": "Check the id; a browser that was forgotten or not used for 180 days is gone."
  },
  "factor_not_found": {
    "status": 404,
    "says": "Second factor not found",
    "to_do": "Check the id; another person's factor looks the same. A factor that is not confirmed within 15 minutes is deleted."
  },
  "domain_not_found": {
    "status": 404,
    "says": "Domain not found",
    "to_do": "Check the ID in the path."
  },
  "connection_not_found": {
    "status": 404,
    "says": "Connection not found",
    "to_do": "Check the ID in the path."
  },
  "sso_not_offered": {
    "status": 404,
    "says": "No organization offers single sign-on for this address",
    "to_do": "Log in with your password. An admin verifies the domain of the address, activates a connection and sets `sso_mode`."
  },
  "passkey_not_found": {
    "status": 404,
    "says": "Passkey not found",
    "to_do": "Check the id; another person's passkey looks the same."
  },
  "remote_vault_not_found": {
    "status": 404,
    "says": "Remote vault not found",
    "to_do": "Check the id; another organization's looks the same."
  },
  "remote_request_not_found": {
    "status": 404,
    "says": "Request of another installation not found",
    "to_do": "Check the id; another organization's looks the same."
  },
  "vault_transfer_not_found": {
    "status": 404,
    "says": "Vault transfer not found",
    "to_do": "Check the id and the scope: transfers out need `vault:release`, transfers in `vault:write`. Another organization's looks the same."
  },
  "method_not_allowed": {
    "status": 405,
    "says": "Method not allowed",
    "to_do": "The Allow header lists the allowed methods."
  },
  "act_closed": {
    "status": 409,
    "says": "The act is {state}, so nothing can be decided about it any more",
    "to_do": "Read the act. Propose a new one if it is still needed."
  },
  "control_batch_closed": {
    "status": 409,
    "says": "The control batch is {state}, so it cannot be cancelled any more",
    "to_do": "A batch with an act can be cancelled until everyone has confirmed."
  },
  "control_batch_unfinished": {
    "status": 409,
    "says": "The control batch has no report yet. Try again when its state is done",
    "to_do": "`GET /partner/control-batches/:control_batch_id` shows how many records are done."
  },
  "batch_wrong_state": {
    "status": 409,
    "says": "The bulk send is {state}, so it cannot be {act}",
    "to_do": "Read it again: `state` says what is possible ([bulk.md](bulk.md))."
  },
  "batch_has_invalid_rows": {
    "status": 409,
    "says": "{invalid} rows have problems. Correct them, or start with accept_invalid to leave them out",
    "to_do": "`GET …/rows.csv?state=invalid` has these rows with the reasons."
  },
  "batch_without_ready_rows": {
    "status": 409,
    "says": "No row is ready to be sent",
    "to_do": "Correct the rows with problems and upload them again."
  },
  "batch_without_rows_to_retry": {
    "status": 409,
    "says": "No row failed or was skipped, so there is nothing to try again",
    "to_do": "Nothing to do."
  },
  "batch_rows_erased": {
    "status": 409,
    "says": "The contents of the rows have been deleted. Upload the file again",
    "to_do": "They are kept for BULK_RETENTION_DAYS after the last change of the bulk send."
  },
  "template_changed": {
    "status": 409,
    "says": "The template was changed after the rows were checked. Check the rows again with retry",
    "to_do": "`POST …/retry`, then start the bulk send."
  },
  "control_changed": {
    "status": 409,
    "says": "Who controls or keeps the record has changed in the meantime. Read it again",
    "to_do": "Read `control_version` of the vault record again, look at what changed, and propose with the new version."
  },
  "party_not_enrolled": {
    "status": 409,
    "says": "{party} has no approver yet, so it cannot confirm. Add an approver to the party; if only its name is on record, create the party and propose correct_party",
    "to_do": "`POST /partner/parties/:party_id/people` with the right to approve. A secured party that is known by its name alone first becomes a party: propose `correct_party`."
  },
  "confirmation_required": {
    "status": 409,
    "says": "A party must confirm this first. Propose an act, which it confirms itself",
    "to_do": "`POST /partner/envelopes/:envelope_id/acts`, or wait until the party has confirmed the act that is open."
  },
  "party_exists": {
    "status": 409,
    "says": "Another party has this identifier, or is the same organization",
    "to_do": "Use that party; `GET /partner/parties` finds it."
  },
  "last_approver": {
    "status": 409,
    "says": "This is the only approver of the party. Add another approver first",
    "to_do": "Add an approver, then remove this one."
  },
  "setup_done": {
    "status": 409,
    "says": "This installation is already set up. Log in, or ask an admin for an invitation",
    "to_do": "Set-up happens once."
  },
  "key_deactivated": {
    "status": 409,
    "says": "The key is deactivated. Create a new one",
    "to_do": "Deactivation is final."
  },
  "last_admin": {
    "status": 409,
    "says": "The last admin cannot be removed or demoted. Make another member an admin first",
    "to_do": "An organization always has an admin."
  },
  "custodian_of_copies": {
    "status": 409,
    "says": "This member is custodian of {copies}. Transfer custody first, or remove the member with custody=leave",
    "to_do": "`GET /partner/custodians` shows how many copies each custodian has. `POST /partner/envelopes/:id/custody-transfers` asks another member to take custody of a copy. With `?custody=leave` the copies keep a custodian who is not a member, and check 3 fails."
  },
  "already_member": {
    "status": 409,
    "says": "This person is already a member",
    "to_do": "Nothing to do."
  },
  "invitation_ended": {
    "status": 409,
    "says": "The invitation was already accepted or revoked",
    "to_do": "Nothing to do."
  },
  "sign_in_to_join": {
    "status": 409,
    "says": "Log in to join",
    "to_do": "The address already has an account. Log in, then POST /auth/invitations/accept with the session's token and `{token}`."
  },
  "invitation_for_other_address": {
    "status": 409,
    "says": "This invitation is for a different e-mail address",
    "to_do": "Log in with the account of the invited address, or ask the admin to invite the address of your account."
  },
  "address_not_verified": {
    "status": 409,
    "says": "Verify your e-mail address before you join another organization",
    "to_do": "POST /auth/email/code, then POST /auth/email/verify. Without a mail server the operator runs `countersign users verify`."
  },
  "address_verified": {
    "status": 409,
    "says": "Your e-mail address is already verified",
    "to_do": "Nothing to do."
  },
  "account_exists": {
    "status": 409,
    "says": "This e-mail address already has an account",
    "to_do": "Use another address for the first admin, or run `countersign orgs create` without a password, which prints an invitation link."
  },
  "mail_not_set_up": {
    "status": 409,
    "says": "No mail server is set up. Ask the operator of the service",
    "to_do": "The operator runs `countersign users verify`, or sets SMTP_URL."
  },
  "address_taken": {
    "status": 409,
    "says": "Another account has this e-mail address now",
    "to_do": "The address was free when the link was mailed. Use another address, or free this one in the other account."
  },
  "password_missing": {
    "status": 409,
    "says": "You have no password. Set one first",
    "to_do": "POST /auth/password in a session, or a link by e-mail: POST /auth/password-reset."
  },
  "passkeys_missing": {
    "status": 409,
    "says": "Without a password you need two passkeys and an unused recovery code. Add them first",
    "to_do": "POST /auth/factors/passkeys, POST /auth/recovery-codes. Or set a password first."
  },
  "codes_unavailable": {
    "status": 409,
    "says": "No mail server is set up, so no codes can be sent. Log in with a passkey",
    "to_do": "The operator sets SMTP_URL."
  },
  "too_many_factors": {
    "status": 409,
    "says": "You already have 2 authenticator apps, the maximum. Remove one first",
    "to_do": "`DELETE /auth/factors/:factor_id`."
  },
  "sandbox_follows_live": {
    "status": 409,
    "says": "Change this in the organization. Its sandboxes follow it",
    "to_do": "Members, invitations, security, domains and single sign-on of a sandbox are those of its organization. Switch to it with `POST /auth/refresh` and its `org_id`."
  },
  "too_many_sandboxes": {
    "status": 409,
    "says": "An organization has at most 5 sandboxes",
    "to_do": "Use one that you have, or delete one."
  },
  "sandbox_resetting": {
    "status": 409,
    "says": "This sandbox is being reset. Try again when it is done",
    "to_do": "`GET /org/sandboxes` in the organization says when it is done. Its keys have ended."
  },
  "sandbox_full": {
    "status": 409,
    "says": "This sandbox is full: it can have 1,000 new envelopes a day and 2 GB of documents. Reset it, or try again tomorrow",
    "to_do": "See [sandboxes](sandboxes.md#limits)."
  },
  "managed_by_sso": {
    "status": 409,
    "says": "Your organization manages this",
    "to_do": "The session began with single sign-on, or the identity provider decides the role. Such a session cannot change the account, its password, factors or address, and cannot go to another organization: log in with your password for that. Confirm your identity with `POST /auth/sso/start` and `purpose: confirm`."
  },
  "domain_taken": {
    "status": 409,
    "says": "This domain cannot be added. Contact the operator",
    "to_do": "Another organization has proved it."
  },
  "domain_exists": {
    "status": 409,
    "says": "The organization already has this domain",
    "to_do": "Use the one that is there."
  },
  "domain_not_proven": {
    "status": 409,
    "says": "The TXT record of this domain was not found",
    "to_do": "Publish the record that the domain shows, wait until the name servers have it, and try again."
  },
  "domain_verified": {
    "status": 409,
    "says": "This domain is already verified",
    "to_do": "You do not need to do anything."
  },
  "too_many_domains": {
    "status": 409,
    "says": "The organization already has 20 domains, the maximum. Remove one first",
    "to_do": "Remove a domain that you no longer need."
  },
  "too_many_connections": {
    "status": 409,
    "says": "The organization already has 3 connections, the maximum. Delete one first",
    "to_do": "Delete a connection that you no longer need."
  },
  "member_without_factor": {
    "status": 409,
    "says": "This member has no second factor",
    "to_do": "There is nothing to reset: the password alone logs in."
  },
  "operator_only": {
    "status": 409,
    "says": "Only the operator can reset this person's factors, because they are in another organization too",
    "to_do": "The operator runs `countersign users reset-factors`."
  },
  "factor_missing": {
    "status": 409,
    "says": "You have no second factor. Add one first",
    "to_do": "Recovery codes replace a lost factor: POST /auth/factors/totp."
  },
  "passkey_known": {
    "status": 409,
    "says": "This passkey is already registered",
    "to_do": "Log in with it."
  },
  "too_many_passkeys": {
    "status": 409,
    "says": "You already have 10 passkeys, the maximum. Remove one first",
    "to_do": "`DELETE /p/api/passkeys/:passkey_id`."
  },
  "template_archived": {
    "status": 409,
    "says": "The template is archived. Restore it first",
    "to_do": "Restore the template with `POST /partner/templates/:template_id/restore`, or use another one."
  },
  "template_without_document": {
    "status": 409,
    "says": "The template has no document",
    "to_do": "Create a new template from the PDF."
  },
  "template_without_counterpart": {
    "status": 409,
    "says": "The template does not exist at the signing provider. Create a new one",
    "to_do": "The template was created while another provider was configured."
  },
  "fields_changed": {
    "status": 409,
    "says": "The fields have changed in the meantime. Read them again",
    "to_do": "A PUT keeps a field by position and name, but the field at that position has a different name now. Read the fields and send the list again."
  },
  "several_customers": {
    "status": 409,
    "says": "Several customers share this e-mail address. Look up the customer by client_id",
    "to_do": "The body adds `candidates`: `customer_id`, `name` and `client_id` of each, oldest first, at most 100."
  },
  "client_id_taken": {
    "status": 409,
    "says": "Another customer has this client_id",
    "to_do": "A client_id can belong to only one customer; case is ignored. Update that customer, or use another client_id."
  },
  "customer_audited": {
    "status": 409,
    "says": "An audit grant covers the records of one of the two customers. Revoke the grant, or wait until it ends",
    "to_do": "A merge would change which records the auditors see."
  },
  "customer_too_large": {
    "status": 409,
    "says": "The duplicate has more than 20,000 envelopes. Merge the other customer into this one instead",
    "to_do": "Swap `customer_id` and `duplicate_customer_id`. The customer that stays can have any number."
  },
  "customers_changed": {
    "status": 409,
    "says": "The customer was merged or deleted at the same time. Try again",
    "to_do": "Get the customers and try again."
  },
  "customer_kept": {
    "status": 409,
    "says": "The customer cannot be deleted: {reasons}",
    "to_do": "The sentence counts what keeps the customer: drafts, envelopes out for signature, signed documents, records in the vault with the end of their retention, records on the way from another vault."
  },
  "tag_exists": {
    "status": 409,
    "says": "Another tag has this name",
    "to_do": "Names are compared without regard to case. Use the tag that exists, or delete it first."
  },
  "too_many_tags": {
    "status": 409,
    "says": "Your organization has 500 tags, the maximum. Delete a tag first",
    "to_do": "`GET /partner/tags` shows how many envelopes each tag has."
  },
  "problem_handled": {
    "status": 409,
    "says": "Problem was already handled",
    "to_do": "Another admin asked for it first, or the problem is settled. `GET /org/problems` shows its state."
  },
  "too_many_views": {
    "status": 409,
    "says": "There are 100 views already, the maximum. Delete a view first",
    "to_do": "The limit is for each person, and again for shared views."
  },
  "envelope_wrong_status": {
    "status": 409,
    "says": "The envelope is {status}, which does not allow this",
    "to_do": "`GET /partner/envelopes/:id/status` shows its status."
  },
  "document_not_reusable": {
    "status": 409,
    "says": "The document of this envelope was signed elsewhere, came from another vault or was destroyed. It cannot be used again",
    "to_do": "Create a new envelope and upload the document."
  },
  "envelope_without_document": {
    "status": 409,
    "says": "The envelope has no document yet. Upload one first",
    "to_do": "`POST /partner/envelopes/:id/upload`."
  },
  "envelope_changed": {
    "status": 409,
    "says": "The envelope changed in the meantime. Review it and try again",
    "to_do": "Another request changed it while it was being sent. Nothing was sent."
  },
  "signer_opened": {
    "status": 409,
    "says": "The signer has already opened the document",
    "to_do": "Void the envelope and send a new one."
  },
  "form_closed": {
    "status": 409,
    "says": "This form is not open",
    "to_do": "The form is paused, full for today or in all, past its last day, or unknown, or its template can no longer be sent. All of these give the same answer."
  },
  "form_address_taken": {
    "status": 409,
    "says": "This e-mail address already belongs to another recipient of this document. Use another address",
    "to_do": "The visitor entered the address of another recipient of the form. With `verify_email`, only a visitor who confirmed the address learns this."
  },
  "recipient_without_mail": {
    "status": 409,
    "says": "The sender gives this person the link, and the service sends no e-mail",
    "to_do": "Ask the sender for a new link."
  },
  "recipient_has_acted": {
    "status": 409,
    "says": "This recipient has already acted on the document",
    "to_do": "What a person signed, approved or confirmed stays. Void the envelope and send a new one."
  },
  "last_signer": {
    "status": 409,
    "says": "This is the only signer of the envelope. Void the envelope instead",
    "to_do": "An envelope needs at least one signer."
  },
  "last_document": {
    "status": 409,
    "says": "This is the only document. Replace its file instead",
    "to_do": "An envelope or template that has documents keeps at least one. Discard the draft or archive the template instead."
  },
  "several_documents": {
    "status": 409,
    "says": "A deposited original is one file, but this envelope has several documents",
    "to_do": "Remove the other documents, or deposit each file as an envelope of its own."
  },
  "maker_required": {
    "status": 409,
    "says": "A maker of a transferable record cannot be removed. Void the envelope instead",
    "to_do": "Change the person with PATCH instead, or void the envelope."
  },
  "nobody_to_remind": {
    "status": 409,
    "says": "None of these signers can be reminded now",
    "to_do": "They have already signed, or it is not their turn."
  },
  "reminded_already": {
    "status": 409,
    "says": "These signers were reminded a moment ago. Try again later",
    "to_do": "Wait for the number of seconds in Retry-After."
  },
  "message_closed": {
    "status": 409,
    "says": "A mail server is configured, so only the recipient can read the text of this message",
    "to_do": "The outbox shows the state of each message. Texts can be read only while SMTP_URL is not set."
  },
  "envelope_ended": {
    "status": 409,
    "says": "This document can no longer be signed",
    "to_do": "`details[0].code` says why: `voided`, `declined` or `expired`. Ask the sender for a new one."
  },
  "already_signed": {
    "status": 409,
    "says": "You have already signed this document",
    "to_do": "A signature cannot be withdrawn. Contact the sender."
  },
  "mailed_link_required": {
    "status": 409,
    "says": "Sign with the link in your e-mail. The sender accepts no other link",
    "to_do": "The organization has set `require_mailed_link`, so embed tokens, links that the sender passed on and links created before links had secrets cannot sign. `POST /embed/links/:slug/send` mails the signer a new link."
  },
  "session_mismatch": {
    "status": 409,
    "says": "This signing session was started with another link. Reload the page",
    "to_do": "An `X-Signing-Session` belongs to one link, or to embed tokens. Start a new session."
  },
  "not_your_turn": {
    "status": 409,
    "says": "It is not your turn yet",
    "to_do": "Wait for the e-mail. `details[0].code` is `not_your_turn`; the next problems also repeat their code there."
  },
  "identity_required": {
    "status": 409,
    "says": "Only a signer who has confirmed their identity can see this document",
    "to_do": "`identity.steps` of GET /embed/sign/:envelope_id says what is open: POST …/identity/:method/start and …/answer, or GET and POST …/kba. A token for an address that is not a recipient's has nothing to answer. Your staff can use GET /partner/envelopes/:id/document."
  },
  "identity_expired": {
    "status": 409,
    "says": "Your identity check has expired. Confirm your identity again",
    "to_do": "The identity check is valid for 60 minutes, and the signer must sign within that time."
  },
  "identity_unavailable": {
    "status": 409,
    "says": "This identity check is not available for you",
    "to_do": "This method is not asked, or there are no questions yet: the sender sets them with PUT /partner/envelopes/:id/signers/:slug/kba."
  },
  "challenge_over": {
    "status": 409,
    "says": "This was already answered or has expired. Request it again",
    "to_do": "GET /embed/sign/:envelope_id/kba, or POST …/identity/:method/start; it does not count as an attempt."
  },
  "signer_locked": {
    "status": 409,
    "says": "Too many wrong answers. The sender must let you try again",
    "to_do": "POST /partner/envelopes/:id/signers/:slug/identity/reset, or …/kba/reset."
  },
  "document_not_rendered": {
    "status": 409,
    "says": "Page 1 of the document must be shown before you agree",
    "to_do": "Fetch page 1 in the same signing session and report it in `rendered_pages`."
  },
  "consent_required": {
    "status": 409,
    "says": "Agree to sign electronically first",
    "to_do": "POST /embed/sign/:envelope_id/consent."
  },
  "mail_server_missing": {
    "status": 409,
    "says": "This installation has no mail server. The operator sets SMTP_URL first",
    "to_do": "Ask the operator. An organization's own sender needs it, because messages fall back on it."
  },
  "mail_sender_missing": {
    "status": 409,
    "says": "The organization has no sender of its own. Set it first",
    "to_do": "PUT /org/mail-sender, then check again."
  },
  "mail_sender_changed": {
    "status": 409,
    "says": "The sender was changed in the meantime. Look at it and try again",
    "to_do": "GET /org/mail-sender, then repeat the request."
  },
  "registry_awaited": {
    "status": 409,
    "says": "Acts wait for the registry: {count}. Cancel them or wait for its answer first",
    "to_do": "POST /partner/acts/:id/cancel for each, or wait: an act without an answer expires after 7 days."
  },
  "registration_required": {
    "status": 409,
    "says": "The registry must accept this first. Propose an act on this record alone",
    "to_do": "POST …/acts: after everyone has confirmed, the registry is asked."
  },
  "agreement_required": {
    "status": 409,
    "says": "Agree first that the document is a transferable record",
    "to_do": "POST /embed/sign/:envelope_id/agreement."
  },
  "agreement_not_needed": {
    "status": 409,
    "says": "This signer does not have to agree that the document is a transferable record",
    "to_do": "Only signers in `maker_roles` of a transferable record are asked."
  },
  "signing_stale": {
    "status": 409,
    "says": "The document, your entries or your name has changed. Review them and try again",
    "to_do": "GET /embed/sign/:envelope_id, show what changed, then complete with its hashes and revision."
  },
  "signer_signed": {
    "status": 409,
    "says": "The signer has already signed",
    "to_do": "Questions can be changed only until the signer has signed."
  },
  "kba_not_required": {
    "status": 409,
    "says": "The envelope does not require identity questions",
    "to_do": "Set `kba_required` before the envelope is sent."
  },
  "record_mismatch": {
    "status": 409,
    "says": "The stored record of this document does not match its audit trail. It cannot be signed, sealed or downloaded until the record is repaired",
    "to_do": "The entry `document.record_mismatch` in the audit trail names the difference, and the admins get an e-mail. The operator restores the rows with `countersign vault repair-rows`."
  },
  "paper_not_requested": {
    "status": 409,
    "says": "Ask to sign on paper first",
    "to_do": "`POST …/paper` of the signing page, so that the sender knows."
  },
  "document_not_ready": {
    "status": 409,
    "says": "The signed document is still being prepared. Try again in a moment",
    "to_do": "Try again after `Retry-After` seconds."
  },
  "envelope_not_vaulted": {
    "status": 409,
    "says": "The envelope is not vaulted",
    "to_do": "Wait for `vault.stored` and the compliance event, or store the envelope in the vault."
  },
  "copy_wrong_state": {
    "status": 409,
    "says": "The authoritative copy is {state}, which does not allow this",
    "to_do": "`escrowed`: acknowledge or cancel the export. `exported`: the copy has left the vault permanently. `tampered`: restore the file with the recorded hash."
  },
  "vault_already_pinned": {
    "status": 409,
    "says": "This organization of that vault is already pinned",
    "to_do": "`GET /partner/remote-vaults` lists it."
  },
  "vault_in_use": {
    "status": 409,
    "says": "Transfers with this vault are under way, or a party that it stands for is asked or has rights in a record",
    "to_do": "`GET /partner/vault-transfers` lists transfers, `GET /partner/acts?party_id=` the acts that ask the party. Wait until they have ended, or cancel them. A record that the party controls, or holds a pledge on, must be assigned or released first."
  },
  "vault_transfer_pending": {
    "status": 409,
    "says": "The record is already offered to another vault. Cancel that transfer first",
    "to_do": "`POST /partner/vault-transfers/:transfer_id/cancel`."
  },
  "vault_transfer_closed": {
    "status": 409,
    "says": "The vault transfer is {state}, which does not allow this",
    "to_do": "`released`: the record may already be the other vault's, so only its refusal brings it back. A transfer in is refused, not cancelled. Otherwise it has ended, or the step is not due yet."
  },
  "receipt_missing": {
    "status": 409,
    "says": "The other vault has not confirmed that it holds the original, so the copy here must stay",
    "to_do": "`GET /partner/vault-transfers` shows the transfer. Destroy the copy when it is `confirmed`."
  },
  "receipt_on_record": {
    "status": 409,
    "says": "The other vault has signed that it holds the original, so it cannot be recovered here",
    "to_do": "`recover` is for a receiver that is gone for good and never answered. Ask the other vault to transfer the record back."
  },
  "lineage_is_live": {
    "status": 409,
    "says": "This installation already holds the original of this record",
    "to_do": "The record is in this installation, in this or another organization. Its holder must release it first."
  },
  "copy_on_hold": {
    "status": 409,
    "says": "The authoritative copy is under legal hold. Release the hold first",
    "to_do": "`DELETE …/vault/legal-hold/:hold_id` for each active hold."
  },
  "transfer_pending": {
    "status": 409,
    "says": "A custody transfer of this copy is pending. Cancel it or wait until it ends",
    "to_do": "`GET /partner/custody-transfers?status=pending` shows it."
  },
  "transfer_closed": {
    "status": 409,
    "says": "The custody transfer is {status}, which does not allow this",
    "to_do": "Start a new one."
  },
  "custody_changed": {
    "status": 409,
    "says": "Custody changed in the meantime. Review it and try again",
    "to_do": "A custody transfer was accepted in the meantime."
  },
  "receiver_gone": {
    "status": 409,
    "says": "The proposed custodian is no longer a member. Cancel the transfer",
    "to_do": "Then start a transfer to another member."
  },
  "export_closed": {
    "status": 409,
    "says": "The export is {status}, which does not allow this",
    "to_do": "Start a new one, unless the copy has already been exported."
  },
  "export_receipt_used": {
    "status": 409,
    "says": "The receipt of this export was used before, for another deposit",
    "to_do": "An original comes back once."
  },
  "not_downloaded": {
    "status": 409,
    "says": "Download the file first. Only those who have it can confirm that",
    "to_do": "`GET /p/api/exports/:export_id/package`, or `/p/api/papers/:ending_id/document`."
  },
  "ending_closed": {
    "status": 409,
    "says": "This conversion to paper or destruction is {status}, which does not allow this",
    "to_do": "`GET /partner/record-endings/:ending_id` shows it."
  },
  "ending_not_done": {
    "status": 409,
    "says": "There is no certificate yet: the paper is not confirmed, or the files are not removed",
    "to_do": "`GET /partner/record-endings/:ending_id` shows it."
  },
  "paper_downloaded": {
    "status": 409,
    "says": "The PDF for printing was downloaded, so the paper may exist. This cannot be cancelled any more",
    "to_do": "The recipient confirms that it is printed."
  },
  "retention_not_over": {
    "status": 409,
    "says": "The record must be kept until {until}",
    "to_do": "Propose it again afterwards."
  },
  "object_lock_not_over": {
    "status": 409,
    "says": "The document store keeps the record locked until {until}",
    "to_do": "Propose it again afterwards."
  },
  "record_pledged": {
    "status": 409,
    "says": "A pledge stands on the record. It can be destroyed when the pledge has ended",
    "to_do": "Propose `release_pledge`, which the pledgee confirms."
  },
  "export_key_erased": {
    "status": 409,
    "says": "The export key was available for 24 hours and has been deleted",
    "to_do": "Only the recipient of the export still has the key."
  },
  "retention_shorter": {
    "status": 409,
    "says": "Retention can only be extended",
    "to_do": "Name a later date."
  },
  "bytes_not_recorded": {
    "status": 409,
    "says": "The file does not match any hash that the vault has on record for this envelope",
    "to_do": "`countersign restore` accepts only a file with the recorded SHA-256. Try an older backup."
  },
  "document_already_vaulted": {
    "status": 409,
    "says": "This document is already recorded in the vault, as {envelope_id}",
    "to_do": "The file is the same, has something appended or cut off, or names that envelope. That also holds for a copy that was exported or destroyed. Use the record on file."
  },
  "use_vault_in_signed": {
    "status": 409,
    "says": "This is the signed document of {envelope_id}, which is not vaulted yet. Vault that envelope with vault-in-signed",
    "to_do": "`POST /partner/envelopes/:id/vault-in-signed` with the id in the sentence."
  },
  "nothing_to_review": {
    "status": 409,
    "says": "These two records have nothing in common that is still to be compared",
    "to_do": "`GET /partner/possible-duplicates` lists the pairs that wait for a review."
  },
  "secured_party_on_record": {
    "status": 409,
    "says": "A secured party is already on record. Only an assignment with its consent can change it",
    "to_do": "`POST …/assignments`."
  },
  "assignee_changed": {
    "status": 409,
    "says": "The secured party has changed in the meantime. The consent is not from the current one",
    "to_do": "`GET …/assignments` shows the current secured party. Its consent is needed."
  },
  "secured_party_missing": {
    "status": 409,
    "says": "No secured party is on record yet. Name one first",
    "to_do": "`PUT …/secured-party`."
  },
  "too_many_audit_sinks": {
    "status": 409,
    "says": "The organization already has 3 audit sinks, the maximum. Delete one first",
    "to_do": "One system can receive the entries and forward them."
  },
  "too_many_endpoints": {
    "status": 409,
    "says": "The organization already has 20 endpoints, the maximum. Delete one first",
    "to_do": "One endpoint can receive all events and forward them."
  },
  "endpoint_disabled": {
    "status": 409,
    "says": "The endpoint is disabled. Enable it first",
    "to_do": "PATCH it with `enabled: true`. `disabled_reason` says why it was disabled."
  },
  "endpoint_deleted": {
    "status": 409,
    "says": "The endpoint of this delivery was deleted",
    "to_do": "Its payload is in `GET /webhooks/deliveries/:delivery_id`."
  },
  "audit_position_unknown": {
    "status": 409,
    "says": "This position is not in the log",
    "to_do": "`after` is larger than the log: an older backup of the database was restored. Compare what you have with `GET /org/audit-log` from the last position that you both have."
  },
  "idempotency_in_progress": {
    "status": 409,
    "says": "A request with this Idempotency-Key is still running. Try again",
    "to_do": "Wait for the number of seconds in Retry-After and send the same request again."
  },
  "idempotency_secret": {
    "status": 409,
    "says": "This request already succeeded. Its response contained a secret that is shown only once",
    "to_do": "The first request succeeded. If you lost its response, rotate the key, or revoke the invitation and invite the person again."
  },
  "precondition_failed": {
    "status": 412,
    "says": "The record has changed since you read it. Read it again",
    "to_do": "The `If-Match` header is not the record's current ETag. Nothing was changed. GET the record, and repeat the change if it still applies."
  },
  "request_timeout": {
    "status": 408,
    "says": "The request did not arrive in time",
    "to_do": "Headers must arrive within 12 seconds, a body without a credential within 15, a whole request within 300. The connection is closed."
  },
  "headers_too_large": {
    "status": 431,
    "says": "The request's headers are too large",
    "to_do": "All headers together can have at most 16 KiB."
  },
  "body_too_large": {
    "status": 413,
    "says": "The request body is too large. The maximum is {limit}",
    "to_do": "A JSON body can have at most 1 MB, and at most 16 KB in requests without a credential (log-in, set-up, links from e-mails)."
  },
  "bulk_file_too_large": {
    "status": 413,
    "says": "The CSV file is larger than 10 MB",
    "to_do": "Split the file into several bulk sends."
  },
  "file_too_large": {
    "status": 413,
    "says": "The file is larger than 50 MB",
    "to_do": "A file can have at most 52,428,800 bytes."
  },
  "wrong_form_type": {
    "status": 415,
    "says": "The body must be multipart/form-data, without a Content-Encoding",
    "to_do": "Let your HTTP client set the Content-Type with its boundary."
  },
  "wrong_media_type": {
    "status": 415,
    "says": "The body must be application/json in UTF-8, without a Content-Encoding",
    "to_do": "Send Content-Type: application/json."
  },
  "not_a_pdf": {
    "status": 415,
    "says": "The file is not a PDF",
    "to_do": "The type is detected from the content, not from the file name or the declared type."
  },
  "not_a_document": {
    "status": 415,
    "says": "The file is not a PDF, PNG or JPEG",
    "to_do": "The type is detected from the content, not from the file name or the declared type."
  },
  "not_evidence": {
    "status": 415,
    "says": "The evidence file is not a PDF, PNG, JPEG or JSON file",
    "to_do": "The type is detected from the content, not from the file name. JSON must be an object or a list of at most 5 MiB, nested at most 100 levels deep."
  },
  "wrong_host": {
    "status": 421,
    "says": "This service is in local mode and accepts only loopback host names. Set PUBLIC_URL to the address that people use",
    "to_do": "This happens only while PUBLIC_URL is a loopback address."
  },
  "control_batch_refused": {
    "status": 422,
    "says": "Some records cannot be in this control batch, so it was not created",
    "to_do": "`details` names up to 100 records, each with the reason. Remove them, or send a batch for each controller."
  },
  "invalid_request": {
    "status": 422,
    "says": "Validation failed",
    "to_do": "`details` names each field that is wrong."
  },
  "search_too_broad": {
    "status": 422,
    "says": "Too many records have words that begin like this. Type more letters",
    "to_do": "More than 10,000 envelopes have words that begin like each word of `q`, and none of them is a whole word. Give more letters, or another word."
  },
  "page_too_deep": {
    "status": 422,
    "says": "This list ends after 10,000 rows. Narrow your search",
    "to_do": "Lists with words, tags, owners or another order, and those of events and of filtered changes, have 10,000 rows at most. Add a filter such as a time, or export them."
  },
  "export_too_large": {
    "status": 422,
    "says": "More than 100,000 envelopes match. Narrow the export, for example by date of creation",
    "to_do": "Export parts, with `created_from` and `created_to`."
  },
  "message_malformed": {
    "status": 422,
    "says": "This is not a message between vaults in canonical form",
    "to_do": "See docs/transfer.md. `bytes` and `signature` are base64."
  },
  "message_not_signed": {
    "status": 422,
    "says": "The message is not signed by a key of the vault that it names",
    "to_do": "The key must be in the trust document of the pinned vault at the time that the message names."
  },
  "message_not_for_this_vault": {
    "status": 422,
    "says": "The message is for another vault",
    "to_do": "It names another root or organization as the side that must take it."
  },
  "release_not_for_this_vault": {
    "status": 422,
    "says": "The release is for another vault",
    "to_do": "It names another root or organization as receiver. Its key opens nowhere else."
  },
  "release_not_proven": {
    "status": 422,
    "says": "The release is not shown to be in the sender's log",
    "to_do": "The proof of inclusion, the note or its signature is wrong."
  },
  "message_contradicts": {
    "status": 422,
    "says": "The message contradicts what is known of this transfer or act",
    "to_do": "It names another record, package, key, act or root than the messages before it, or comes from a vault that was not asked."
  },
  "batch_asks_vault": {
    "status": 422,
    "says": "{party} is another installation, which decides about one record at a time",
    "to_do": "Propose an act for each record (`POST …/acts`)."
  },
  "message_out_of_order": {
    "status": 422,
    "says": "This message arrived before the step that must come first",
    "to_do": "Send the earlier message first. Repeating a message is always allowed."
  },
  "document_blank": {
    "status": 422,
    "says": "Every page of the document is blank",
    "to_do": "The pages may have been scanned face down. Scan the document again and upload it to a new envelope."
  },
  "upload_is_a_copy": {
    "status": 422,
    "says": "The file is marked as a copy, so it is not an original. Deposit the original",
    "to_do": "Every page or the seal says that the file is a copy, or that not all parties have signed."
  },
  "pdf_unreadable": {
    "status": 422,
    "says": "The PDF could not be read",
    "to_do": "Open it in a viewer and save or print it to PDF again."
  },
  "pdf_encrypted": {
    "status": 422,
    "says": "The PDF is password-protected. Remove the password and upload it again",
    "to_do": "A document can be signed only if everyone can open it."
  },
  "pdf_restricted": {
    "status": 422,
    "says": "The PDF opens without a password, but its owner does not allow changes. Upload a copy without this restriction",
    "to_do": "Signing changes a document. Anyone with the owner's password can save it without the restriction, and so can the program that created it."
  },
  "pdf_too_complex": {
    "status": 422,
    "says": "The PDF is too large or complex: {limit}",
    "to_do": "The message names the limit."
  },
  "pdf_content_lost": {
    "status": 422,
    "says": "Cleaning the PDF would lose content of {limit}. Print it to PDF and upload it again",
    "to_do": "The message names the first such page. Each upload is compared with its cleaned version, so that what is signed is what was uploaded."
  },
  "pdf_dynamic_xfa": {
    "status": 422,
    "says": "This form can be opened only in Adobe software. Print it to PDF first",
    "to_do": "The file is a dynamic XFA form and does not contain its pages."
  },
  "pdf_not_drawable": {
    "status": 422,
    "says": "{part} cannot be drawn as viewers show it. Print the document to PDF and upload that file",
    "to_do": "`details` names every form field and annotation, with the reason: a character without a font, or a text that does not fit."
  },
  "image_unreadable": {
    "status": 422,
    "says": "The image could not be read",
    "to_do": "Open it in a viewer and save it again as PNG or JPEG."
  },
  "image_too_large": {
    "status": 422,
    "says": "The image is too large: {limit}",
    "to_do": "The message names the limit."
  },
  "tags_invalid": {
    "status": 422,
    "says": "The document's tags are not valid",
    "to_do": "`details` names page, tag and attribute of each mistake."
  },
  "envelope_too_large": {
    "status": 422,
    "says": "Together the documents are too large: at most 20 documents, 2,000 pages and 50 MB",
    "to_do": "The cleaned PDFs count, 52,428,800 bytes in all. Send fewer documents in one envelope."
  },
  "provider_cannot": {
    "status": 422,
    "says": "The signing provider of this installation knows only signers, one after the other or all at once, and one document",
    "to_do": "Send it to signers only, or ask the operator for the built-in provider."
  },
  "unknown_roles": {
    "status": 422,
    "says": "A signer has a role that does not occur in the document",
    "to_do": "`details` lists the roles in the document's tags."
  },
  "certification_required": {
    "status": 422,
    "says": "Accept the vault-in certification terms first",
    "to_do": "The envelope will be stored in the vault. Send `certification` with the version from `GET /partner/certification-terms`."
  },
  "certification_terms_outdated": {
    "status": 422,
    "says": "The certification terms have changed. Accept the current version",
    "to_do": "Show the sender the current terms, then send their version."
  },
  "anchor_not_found": {
    "status": 422,
    "says": "Anchor text not found",
    "to_do": "The text must be in the PDF's text layer. A scan has no text layer."
  },
  "occurrence_out_of_range": {
    "status": 422,
    "says": "The anchor text occurs fewer times than requested",
    "to_do": "`details` says how often it occurs."
  },
  "area_outside_page": {
    "status": 422,
    "says": "The area is outside the page",
    "to_do": "Check the offsets."
  },
  "page_out_of_range": {
    "status": 422,
    "says": "The document has no such page",
    "to_do": "Page numbers start at 1."
  },
  "idempotency_mismatch": {
    "status": 422,
    "says": "This Idempotency-Key was used with a different request",
    "to_do": "Use a new key for a new request."
  },
  "would_lock_out": {
    "status": 422,
    "says": "You would lock yourself out",
    "to_do": "`details` says what is missing: a list of addresses contains your own; an organization that requires single sign-on keeps a tested, active connection and at least one break-glass admin with a second factor."
  },
  "invalid_link": {
    "status": 422,
    "says": "The link is not valid, was already used, or has expired",
    "to_do": "Request a new link."
  },
  "rate_limited": {
    "status": 429,
    "says": "Rate limit exceeded",
    "to_do": "Wait for the number of seconds in Retry-After."
  },
  "internal": {
    "status": 500,
    "says": "Internal server error",
    "to_do": "Report the X-Request-Id to the operator."
  },
  "template_not_saved": {
    "status": 500,
    "says": "The template could not be saved",
    "to_do": "Nothing was saved. Report the X-Request-Id to the operator."
  },
  "provider_rejected": {
    "status": 502,
    "says": "The signing provider rejected the request",
    "to_do": "The service's log has the reason."
  },
  "provider_unreachable": {
    "status": 502,
    "says": "The signing provider could not be reached",
    "to_do": "Try again."
  },
  "template_pdf_unavailable": {
    "status": 502,
    "says": "The template's PDF could not be fetched",
    "to_do": "The operator should check the document store."
  },
  "document_unavailable": {
    "status": 502,
    "says": "The document could not be fetched",
    "to_do": "The operator should check the document store."
  },
  "identity_provider_away": {
    "status": 502,
    "says": "Identity provider cannot be reached",
    "to_do": "Try again. Nothing was changed. If it lasts, a break-glass admin logs in with a password, or the operator runs `countersign orgs sso-off <org>`."
  },
  "name_servers_away": {
    "status": 502,
    "says": "The name servers of this domain do not answer. Try again",
    "to_do": "Try again later, or check `DNS_SERVERS`."
  },
  "provider_not_configured": {
    "status": 503,
    "says": "No signing provider is configured",
    "to_do": "The operator sets SIGNING_PROVIDER."
  },
  "pdf_busy": {
    "status": 503,
    "says": "Too many documents are being processed. Try again",
    "to_do": "Wait for the number of seconds in Retry-After."
  },
  "passwords_busy": {
    "status": 503,
    "says": "Too many passwords are being checked. Try again in a second",
    "to_do": "Wait for the number of seconds in Retry-After. Passwords and identity answers are checked in separate threads, and at most 32 requests can wait for them."
  },
  "disk_full": {
    "status": 503,
    "says": "Not enough disk space for uploads",
    "to_do": "Try again after `Retry-After` seconds. The operator has to make room on the disk of `DATA_DIR`."
  },
  "storage_away": {
    "status": 503,
    "says": "The document store cannot be reached. Try again",
    "to_do": "The store may be down or full."
  },
  "key_service_away": {
    "status": 503,
    "says": "The key service cannot be reached. Try again",
    "to_do": "Retry. The operator sees the reason in the log; `KMS` in docs/keys.md."
  },
  "database_away": {
    "status": 503,
    "says": "Service unavailable",
    "to_do": "Try again in a few seconds."
  },
  "not_ready": {
    "status": 503,
    "says": "The service is not ready",
    "to_do": "Only for `GET /readyz`, whose body lists each check instead of an error."
  }
};

/** What a code means that is about one field. */
export const details: Readonly<Record<string, string>> = {
  "email_code_required": "The code is missing that was mailed with the new factor",
  "required": "the field is missing",
  "invalid_type": "a different JSON type is required",
  "invalid_format": "the text does not have the required format, or contains NUL or an unpaired surrogate",
  "invalid_value": "the value is not allowed",
  "too_small": "a number, text or list is below its minimum",
  "too_big": "a number is above its maximum",
  "too_long": "a text or list is longer than its maximum",
  "duplicate": "a value occurs twice where values must be unique",
  "step_missing": "some of the recipients who act have a step, and this one has none",
  "unknown_role": "the role does not occur in the document",
  "unknown_field": "the query parameter, field, form part or attribute does not exist; the message suggests a similar name if there is one",
  "does_not_fit": "the value cannot be drawn legibly in its area",
  "not_found": "the field names something that does not exist",
  "out_of_range": "the position or time is outside the allowed range",
  "conflict": "the value conflicts with the current state or with another value",
  "insufficient_scope": "the key lacks a scope that this value needs",
  "certification_required": "the vault-in terms were not accepted",
  "certification_terms_outdated": "the accepted terms are not the current version",
  "voided": "the sender voided the envelope",
  "declined": "one of the signers declined",
  "expired": "the time to sign, or to use a code, has passed",
  "read_only": "the token's e-mail address is not a signer's, or the sender has locked the field",
  "consent_required": "the signer has not agreed to sign electronically, or has withdrawn the consent",
  "agreement_required": "the signer is a maker of a transferable record and has not agreed that it is one",
  "document_not_rendered": "page 1 was not fetched and displayed in this signing session",
  "identity_required": "the identity was not confirmed in this signing session, or the token is not for a signer",
  "identity_expired": "the identity was confirmed too long ago",
  "identity_unavailable": "this identity check is not asked, or no questions are set yet",
  "locked": "the identity questions were answered incorrectly too often",
  "not_your_turn": "another signer must sign first",
  "mailed_link_required": "signing requires the link in the signer's own e-mail",
  "identity_level_too_low": "the codes and questions of a person do not reach the identity level that the organization demands (`min_identity_level`)",
  "adopt_first": "the signature must be created before it is applied",
  "stale": "the document, the entries or the questions have changed since they were shown",
  "precondition_failed": "`If-Match` is not the record's current ETag",
  "custodian_of_copies": "the member is custodian of authoritative copies; the message says how many",
  "record_mismatch": "the stored data of the document does not match its audit trail",
  "not_vaulted": "the vault widget's envelope has no authoritative copy with a certificate yet",
  "other_controller": "the record has another controller than the first record of the control batch",
  "exported": "the authoritative copy has left the vault",
  "tampered": "the authoritative copy or its record has been changed since it was stored",
  "destroyed": "the authoritative copy was destroyed after its retention ended",
  "unknown_browser": "after too many failed log-ins for this account or from this network, log-ins with a browser that is new to the account are refused; a mailed link makes a browser known",
  "sign_in_to_join": "the invited address already has an account",
  "invitation_for_other_address": "the session's account has a different address than the invitation",
  "address_not_verified": "the account's address is not verified",
  "address_verified": "the address is already verified",
  "account_exists": "the address already has an account",
  "mail_not_set_up": "the service sends no mail"
};
