// Written by `npm run generate` from openapi.json. Change the declarations of the service instead.
import { operations } from "./operations.ts";
import type * as T from "./types.ts";
import type { Call } from "../call.ts";
import type { Caller } from "../caller.ts";
import type { Download } from "../download.ts";
import type { ConditionalOptions } from "../options.ts";
import type { IdempotentOptions } from "../options.ts";
import type { RequestOptions } from "../options.ts";
import type { List } from "../pager.ts";

export class SessionsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Log in with e-mail and password.
   *
   * Starts a session in the organization `org_id`, or in the one that the user used last. The token works for 15 minutes; renew it with `POST /auth/refresh`. A wrong e-mail address, password or organization returns the same 401, and too many attempts return 429. For a user with a second factor the response is 202 with the status `second_factor_required` and a `login_token`; complete the log-in with `POST /auth/login/second-factor`. For an organization that requires single sign-on, a correct password returns 403 `sso_required`, and for one that does not allow your address 403 `address_not_allowed`. Programs should use an API key where possible.
   */
  logIn(body: T.LogInRequest, options: RequestOptions = {}): Call<T.SessionTokens | T.SecondFactorRequired> {
    return this.caller.data(operations.log_in, { body, options });
  }

  /**
   * Refresh a session.
   *
   * Exchanges a refresh token for a new token and the next refresh token; each refresh token works once, within 24 hours. Using one twice ends the session. With `org_id` the session switches to another of the user's organizations, or to a sandbox and back. A session ends 7 days after log-in.
   */
  refresh(body: T.RefreshSessionRequest = {}, options: RequestOptions = {}): Call<T.SessionTokens> {
    return this.caller.data(operations.refresh_session, { body, options });
  }

  /**
   * Sign out.
   *
   * Ends the session of the token in `Authorization`, of the refresh token, or of both. Their tokens stop working with the next request. Ending a session that has already ended is not an error.
   */
  logOut(body: T.LogOutRequest = {}, options: RequestOptions = {}): Call<T.Done> {
    return this.caller.data(operations.log_out, { body, options });
  }

  /**
   * List your sessions.
   *
   * Lists the caller's own sessions in this organization that have not ended, newest first.
   */
  list(query: T.ListSessionsQuery = {}, options: RequestOptions = {}): List<T.Session> {
    return this.caller.list(operations.list_sessions, { query, key: "session_id", options });
  }

  /**
   * End one of your sessions.
   *
   * Ends one of the caller's own sessions in this organization, for example on a lost device. Its tokens stop working with the next request. Sessions of other people and sessions that have ended return 404.
   */
  end(session_id: T.SessionId, options: RequestOptions = {}): Call<T.Done> {
    return this.caller.data(operations.end_session, { params: { session_id }, options });
  }

  /**
   * End your other sessions.
   *
   * Ends all sessions of the caller except this one, in every organization of theirs and its sandboxes, for example after a second factor was added. Their tokens and refresh tokens stop working with the next request. A session of single sign-on ends only those in its own organization. Each organization in which a session ended records it in its audit trail.
   */
  endOthers(options: RequestOptions = {}): Call<T.EndedSessions> {
    return this.caller.data(operations.end_other_sessions, { options });
  }

  /**
   * Complete a log-in with a second factor.
   *
   * Completes a log-in that `POST /auth/login` answered with `second_factor_required`, with a code of an authenticator app, a recovery code or a passkey. Each code works once. A wrong code returns 401 `invalid_code`; the fifth, and a log-in older than 10 minutes, 401 `invalid_login_token`: log in again. After 20 wrong codes in an hour the account returns 429.
   */
  finishLogIn(body: T.FinishLogInRequest, options: RequestOptions = {}): Call<T.SessionTokens> {
    return this.caller.data(operations.finish_log_in, { body, options });
  }

  /**
   * Confirm your identity.
   *
   * Confirms with the password, and with a second factor if you have one, or with a passkey alone, that the caller is still the person who logged in. Operations that need it answer 403 `reauthentication_required` when log-in and the last confirmation were more than 10 minutes ago. The tokens of the session stay the same. A wrong password or code returns 422, and too many attempts return 429.
   */
  confirm(body: T.ConfirmIdentityRequest = {}, options: RequestOptions = {}): Call<T.ConfirmedIdentity> {
    return this.caller.data(operations.confirm_identity, { body, options });
  }

  /**
   * Get options to use a passkey.
   *
   * Returns what a browser needs to ask for a passkey: to log in (`POST /auth/passkey/finish`), for the second step of a log-in, or to confirm who you are. The response is the same for everyone, except for the challenge, which works once, for 5 minutes.
   */
  startPasskey(body: T.StartPasskeyBody = {}, options: RequestOptions = {}): Call<T.PasskeyAssertionOptions> {
    return this.caller.data(operations.start_passkey, { body, options });
  }

  /**
   * Log in with a passkey.
   *
   * Starts a session in the organization `org_id`, or in the one that the user used last. A passkey needs neither password nor code. A passkey that is not accepted, and an organization that the user is not in, return the same 401.
   */
  logInByPasskey(body: T.LogInByPasskeyRequest, options: RequestOptions = {}): Call<T.SessionTokens> {
    return this.caller.data(operations.log_in_by_passkey, { body, options });
  }
}

export class MeDevicesResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List the browsers that your account knows.
   *
   * Lists the browsers in which the caller logged in during the last 180 days, the one used last first; at most 50. Failed log-ins elsewhere do not block them. Programs that log in are not listed. A session of single sign-on gets an empty list, because it is limited to its organization.
   */
  list(options: RequestOptions = {}): Call<T.KnownBrowsers> {
    return this.caller.data(operations.list_devices, { options });
  }

  /**
   * Forget a browser.
   *
   * The browser is new to the caller's account at its next log-in: it needs the second factor again, and the caller gets an e-mail about the log-in. Sessions in it go on; end them with `DELETE /auth/sessions/:session_id`.
   */
  forget(device_id: T.DeviceId, options: RequestOptions = {}): Call<T.Done> {
    return this.caller.data(operations.forget_device, { params: { device_id }, options });
  }
}

export class MeFactorsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get your second factors.
   *
   * Returns the caller's second factors and how many recovery codes are unused. Without a factor, the password alone logs in.
   */
  get(options: RequestOptions = {}): Call<T.Factors> {
    return this.caller.data(operations.get_factors, { options });
  }

  /**
   * Add an authenticator app.
   *
   * Creates the secret of an authenticator app. Show `otpauth_url` as a QR code, then confirm the factor with a code of the app within 15 minutes; until then the factor has no effect. A second call replaces a factor that is not confirmed yet. A person has at most 2.
   */
  addTotp(body: T.AddTotpRequest = {}, options: RequestOptions = {}): Call<T.NewTotp> {
    return this.caller.data(operations.add_totp, { body, options });
  }

  /**
   * Get options to make a passkey.
   *
   * Returns what a browser needs to make a passkey for the caller. The options work once, for 5 minutes. While an organization requires the user's first factor, it also mails the code for `email_code`. A person has at most 10 passkeys.
   */
  offerPasskey(options: RequestOptions = {}): Call<T.PasskeyRegistrationOptions> {
    return this.caller.data(operations.offer_account_passkey, { options });
  }

  /**
   * Add a passkey.
   *
   * Keeps the public key of a passkey that was made with these options. From then on the passkey logs in, and the password alone does not. The first factor returns ten recovery codes, which are shown only once. While an organization requires that factor of the user, it needs `email_code`, otherwise 403 `email_code_required`, and other sessions of the user there end.
   */
  addPasskey(body: T.AddAccountPasskeyRequest, options: RequestOptions = {}): Call<T.ConfirmedFactor> {
    return this.caller.data(operations.add_account_passkey, { body, options });
  }

  /**
   * Confirm a second factor with its first code.
   *
   * Turns the factor on. From then on, logging in needs a code of one of the caller's factors. The first factor returns ten recovery codes, which are shown only once. A wrong code returns 422. While an organization requires the user's first factor, it needs `email_code`, otherwise 403 `email_code_required`, and other sessions of the user there end.
   */
  confirm(factor_id: T.FactorId, body: T.ConfirmFactorRequest, options: RequestOptions = {}): Call<T.ConfirmedFactor> {
    return this.caller.data(operations.confirm_factor, { params: { factor_id }, body, options });
  }

  /**
   * Rename a second factor.
   *
   * Changes the name under which the caller knows one of their second factors.
   */
  update(factor_id: T.FactorId, body: T.UpdateFactorRequest, options: RequestOptions = {}): Call<T.Factor> {
    return this.caller.data(operations.update_factor, { params: { factor_id }, body, options });
  }

  /**
   * Remove a second factor.
   *
   * Removes one of the caller's second factors. Log-ins that wait for a code end. With the last factor the recovery codes are removed too, and the password alone logs in again. A break-glass admin of an organization that requires single sign-on keeps one: 422 `would_lock_out`.
   */
  remove(factor_id: T.FactorId, options: RequestOptions = {}): Call<T.Done> {
    return this.caller.data(operations.remove_factor, { params: { factor_id }, options });
  }

  /**
   * Replace your recovery codes.
   *
   * Returns ten new recovery codes. The previous ones stop working. Returns 409 for a person without a second factor.
   */
  renewRecoveryCodes(options: RequestOptions = {}): Call<T.RecoveryCodes> {
    return this.caller.data(operations.renew_recovery_codes, { options });
  }
}

export class MeResource {
  protected readonly caller: Caller;
  readonly devices: MeDevicesResource;
  readonly factors: MeFactorsResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.devices = new MeDevicesResource(caller);
    this.factors = new MeFactorsResource(caller);
  }

  /**
   * Get the signed-in user.
   *
   * Returns the current user with their role and its permissions, the organization of this session, and all their organizations.
   */
  get(options: RequestOptions = {}): Call<T.CurrentUser> {
    return this.caller.data(operations.get_me, { options });
  }

  /**
   * Change your name or language.
   *
   * Changes what you send and keeps the rest. Each organization of the user records the change in its audit trail. Signatures and documents from before keep the name that they have.
   */
  update(body: T.UpdateMeRequest = {}, options: RequestOptions = {}): Call<T.CurrentUser> {
    return this.caller.data(operations.update_me, { body, options });
  }

  /**
   * Remove your password.
   *
   * From then on only passkeys log in. Needs two passkeys and an unused recovery code, otherwise 409. Set a password again with `POST /auth/password`, or with a link by e-mail.
   */
  removePassword(options: RequestOptions = {}): Call<T.Done> {
    return this.caller.data(operations.remove_password, { options });
  }

  /**
   * Change your password.
   *
   * Replaces the caller's password; the current password is required, unless the caller has none. All the caller's sessions end, including this one, so log in again. A wrong current password or a weak new one returns 422, and too many attempts return 429.
   */
  updatePassword(body: T.UpdatePasswordRequest, options: RequestOptions = {}): Call<T.Done> {
    return this.caller.data(operations.update_password, { body, options });
  }

  /**
   * Mail a code that verifies your address.
   *
   * Mails a six-digit code to the caller's own address, at most 10 times a day. Enter it with `POST /auth/email/verify` within 10 minutes; a new code replaces the previous one. Returns 409 if the address is already verified or no mail server is configured.
   */
  sendEmailCode(options: RequestOptions = {}): Call<T.Done> {
    return this.caller.data(operations.send_email_code, { options });
  }

  /**
   * Get whether the e-mail with your code has left.
   *
   * For a page that asks for the code of `POST /auth/email/code`, or for the code that adding a first factor takes. Says what became of the message with the caller's latest code.
   */
  getEmailCode(options: RequestOptions = {}): Call<T.CodeMail> {
    return this.caller.data(operations.get_email_code_mail, { options });
  }

  /**
   * Verify your e-mail address with a code.
   *
   * Verifies the caller's address with the six-digit code that was mailed to it. A code works for 10 minutes and 5 attempts. An account with a verified address can join other organizations.
   */
  verifyEmail(body: T.VerifyEmailRequest, options: RequestOptions = {}): Call<T.EmailVerified> {
    return this.caller.data(operations.verify_email, { body, options });
  }

  /**
   * Change your e-mail address.
   *
   * Mails a link to the new address. The account keeps its address until the link is used, within 1 hour; then the old address gets a link that reverses the change for 7 days. The response is the same if the new address has an account: its owner gets a notice, and nothing changes. A new request replaces the one before, and a password reset withdraws it. At most 5 requests a day.
   */
  changeEmail(body: T.RequestEmailChangeRequest, options: RequestOptions = {}): Call<T.Done> {
    return this.caller.data(operations.request_email_change, { body, options });
  }
}

export class MembersSessionsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List the sessions of a member.
   *
   * Lists the sessions of a member in this organization that have not ended, newest first. Those in its sandboxes are not listed; they end with all others.
   */
  list(user_id: T.UserId, query: T.ListMemberSessionsQuery = {}, options: RequestOptions = {}): List<T.Session> {
    return this.caller.list(operations.list_member_sessions, { params: { user_id }, query, key: "session_id", options });
  }

  /**
   * End all sessions of a member.
   *
   * Ends all sessions of a member in this organization and its sandboxes. Their tokens stop working with the next request, and the member gets an e-mail. Sessions in other organizations stay.
   */
  endAll(user_id: T.UserId, options: RequestOptions = {}): Call<T.EndedSessions> {
    return this.caller.data(operations.end_member_sessions, { params: { user_id }, options });
  }

  /**
   * End a session of a member.
   *
   * Ends one session of a member in this organization. Its tokens stop working with the next request, and the member gets an e-mail.
   */
  end(user_id: T.UserId, session_id: T.SessionId, options: RequestOptions = {}): Call<T.Done> {
    return this.caller.data(operations.end_member_session, { params: { user_id, session_id }, options });
  }

  /**
   * End all sessions of the organization.
   *
   * Ends all sessions in this organization and its sandboxes except the caller's. Each person gets an e-mail.
   */
  endAllOfOrganization(options: RequestOptions = {}): Call<T.EndedSessions> {
    return this.caller.data(operations.end_all_sessions, { options });
  }
}

export class MembersResource {
  protected readonly caller: Caller;
  readonly sessions: MembersSessionsResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.sessions = new MembersSessionsResource(caller);
  }

  /**
   * List members.
   *
   * Lists the members of the organization with their roles, newest accounts first. Every role can call it.
   */
  list(query: T.ListMembersQuery = {}, options: RequestOptions = {}): List<T.Member> {
    return this.caller.list(operations.list_members, { query, key: "user_id", options });
  }

  /**
   * Change the role of a member.
   *
   * Gives a member another role, which applies from their next request. Returns 409 if it would leave the organization without an admin.
   */
  update(user_id: T.UserId, body: T.UpdateRoleRequest, options: RequestOptions = {}): Call<T.Member> {
    return this.caller.data(operations.update_role, { params: { user_id }, body, options });
  }

  /**
   * Remove a member.
   *
   * Removes a person from the organization and ends their sessions in it at once. If they were the default custodian, that setting is cleared. Their account and their other organizations stay. Returns 409 for the last admin, and for a custodian of vaulted copies unless `custody=leave` is given.
   */
  remove(user_id: T.UserId, query: T.RemoveMemberQuery = {}, options: RequestOptions = {}): Call<T.RemovedMember> {
    return this.caller.data(operations.remove_member, { params: { user_id }, query, options });
  }

  /**
   * Let a member remove their second factors.
   *
   * For a member who lost their second factors and recovery codes. Mails them a link that works for 1 hour; with it and their password, their factors are removed and their sessions end. Until then nothing changes. Returns 409 for a person who is in another organization too, unless your organization has verified the domain of their address: only the operator can help them.
   */
  resetFactors(user_id: T.UserId, body: T.ResetMemberFactorsRequest, options: RequestOptions = {}): Call<T.Done> {
    return this.caller.data(operations.reset_member_factors, { params: { user_id }, body, options });
  }
}

export class InvitationsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Invite a member.
   *
   * Invites a person by e-mail with a link that works once, for 7 days, and only for this address. Without a mail server, the response contains the link for you to pass on. Returns 409 if the person is already a member.
   */
  create(body: T.InviteMemberRequest, options: IdempotentOptions = {}): Call<T.NewInvitation> {
    return this.caller.data(operations.invite_member, { body, idempotent: true, options });
  }

  /**
   * List invitations.
   *
   * Lists invitations, newest first: open, accepted, revoked and expired ones.
   */
  list(query: T.ListInvitationsQuery = {}, options: RequestOptions = {}): List<T.Invitation> {
    return this.caller.list(operations.list_invitations, { query, key: "invitation_id", options });
  }

  /**
   * Revoke an invitation.
   *
   * Revokes an invitation, so that its link no longer works. Revoking it again changes nothing. Returns 409 if it was accepted; remove the member instead.
   */
  revoke(invitation_id: T.InvitationId, options: RequestOptions = {}): Call<T.RevokedInvitation> {
    return this.caller.data(operations.revoke_invitation, { params: { invitation_id }, options });
  }
}

export class OrganizationSettingsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get the settings of the organization.
   *
   * Returns the organization's settings: name, origins that may embed its pages, retention, default custodian, signing rules, language and branding. Every role can call it.
   */
  get(options: RequestOptions = {}): Call<T.OrganizationSettings> {
    return this.caller.data(operations.get_settings, { options });
  }

  /**
   * Update the settings of the organization.
   *
   * Changes the settings that you send; the others keep their values. `branding` is replaced as a whole. Each change is recorded in the audit trail with the values before and after.
   */
  update(body: T.UpdateSettingsRequest = {}, options: ConditionalOptions = {}): Call<T.OrganizationSettings> {
    return this.caller.data(operations.update_settings, { body, options });
  }
}

export class OrganizationAuditTrailResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List the audit trail of the organization.
   *
   * Lists changes to keys, members, sessions, customers, webhook endpoints and settings, newest first. Each entry is a link in the organization's hash chain. With a filter, `meta.total` stops at 10,000 with `meta.total_capped`, and later pages are 422. Envelopes have their own audit trails.
   */
  list(query: T.ListOrgAuditTrailQuery = {}, options: RequestOptions = {}): List<T.OrganizationAuditEntry> {
    return this.caller.list(operations.list_org_audit_trail, { query, key: "seq", options });
  }
}

export class OrganizationSecurityResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get the security settings of the organization.
   *
   * Returns what the organization demands of log-ins, sessions, new passwords and API keys. Every role can call it, because the settings apply to every member.
   */
  get(options: RequestOptions = {}): Call<T.OrganizationSecurity> {
    return this.caller.data(operations.get_security, { options });
  }

  /**
   * Update the security settings of the organization.
   *
   * Changes the settings that you send; the others keep their values. Limits of sessions apply from their next request. Returns 409 if you require a second factor and have none yourself, and 422 `would_lock_out` if you require single sign-on without a break-glass admin, or more than an hour after you tested it, or if `allowed_cidrs` does not contain your own address. Each change is recorded in the audit trail with the values before and after.
   */
  update(body: T.UpdateSecurityRequest = {}, options: ConditionalOptions = {}): Call<T.OrganizationSecurity> {
    return this.caller.data(operations.update_security, { body, options });
  }
}

export class OrganizationDomainsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get the domains of the organization.
   *
   * Returns the domains that the organization has added, newest first, with the record that proves each.
   */
  get(options: RequestOptions = {}): Call<T.OrganizationDomains> {
    return this.caller.data(operations.get_domains, { options });
  }

  /**
   * Add a domain.
   *
   * Adds a domain, which counts once it is proved. Single sign-on accepts only addresses in proved domains. A subdomain is a domain of its own. Domains that many people share, such as those of mail providers, return 422, and a domain that another organization has proved returns 409. An organization has at most 20.
   */
  add(body: T.AddDomainRequest, options: IdempotentOptions = {}): Call<T.OrganizationDomain> {
    return this.caller.data(operations.add_domain, { body, idempotent: true, options });
  }

  /**
   * Prove a domain.
   *
   * With `dns`, looks for the TXT record and verifies the domain if it is there. With `mail`, mails a link to `mailbox` of the domain, which works for 24 hours; the domain is verified when it is used. Returns 409 if the record is missing.
   */
  verify(domain_id: T.OrgDomainId, body: T.VerifyDomainRequest, options: RequestOptions = {}): Call<T.OrganizationDomain> {
    return this.caller.data(operations.verify_domain, { params: { domain_id }, body, options });
  }

  /**
   * Remove a domain.
   *
   * Removes a domain. Single sign-on makes no new members with addresses in it; members who used it before still log in. Another organization can then prove the domain.
   */
  remove(domain_id: T.OrgDomainId, options: RequestOptions = {}): Call<T.Done> {
    return this.caller.data(operations.remove_domain, { params: { domain_id }, options });
  }
}

export class OrganizationSsoResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get the connections for single sign-on.
   *
   * Returns the organization's connections to identity providers, newest first, and the address to register at a provider before you connect it. Client secrets are never shown.
   */
  list(options: RequestOptions = {}): Call<T.SsoConnections> {
    return this.caller.data(operations.get_sso_connections, { options });
  }

  /**
   * Connect an identity provider.
   *
   * Adds a connection to an OpenID Connect provider, as a draft. Register `redirect_uri` of the response at the provider, test the connection, then set its state to active. Returns 422 on `issuer` if the provider's metadata cannot be read. Only admins can do this, because the provider decides who logs in as an admin. At most 3.
   */
  create(body: T.CreateSsoConnectionRequest, options: IdempotentOptions = {}): Call<T.SsoConnection> {
    return this.caller.data(operations.create_sso_connection, { body, idempotent: true, options });
  }

  /**
   * Change or enable a connection.
   *
   * Changes the settings that you send. A change of what a test depends on makes the connection untested. Another issuer or client forgets which people the provider named, so they are found by their e-mail address at their next log-in, and ends the sessions that began with the connection. Disabling it ends the sessions that began with it, and returns 422 `would_lock_out` for the only active connection of an organization that requires single sign-on.
   */
  update(connection_id: T.SsoConnectionId, body: T.UpdateSsoConnectionRequest = {}, options: RequestOptions = {}): Call<T.SsoConnection> {
    return this.caller.data(operations.update_sso_connection, { params: { connection_id }, body, options });
  }

  /**
   * Remove a connection.
   *
   * Removes a connection and ends the sessions that began with it. Members whom it made stay, but cannot log in without another connection. Returns 422 `would_lock_out` for the only active connection of an organization that requires single sign-on.
   */
  remove(connection_id: T.SsoConnectionId, options: RequestOptions = {}): Call<T.Done> {
    return this.caller.data(operations.remove_sso_connection, { params: { connection_id }, options });
  }

  /**
   * Test a connection.
   *
   * Begins a log-in at the provider that checks everything a real one needs, and makes and changes no member. Send the browser to `redirect_url`, in which the console then shows the result. Single sign-on can be required within an hour after a test.
   */
  test(connection_id: T.SsoConnectionId, options: RequestOptions = {}): Call<T.SsoStart> {
    return this.caller.data(operations.test_sso_connection, { params: { connection_id }, options });
  }
}

export class OrganizationStatisticsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get statistics.
   *
   * Returns the number of envelopes in each status, daily counts for envelopes and webhooks, and how long signing takes. Use it for a dashboard. Days are in UTC; the default is 30 days, the maximum 90.
   */
  get(query: T.GetStatisticsQuery = {}, options: RequestOptions = {}): Call<T.Statistics> {
    return this.caller.data(operations.get_statistics, { query, options });
  }
}

export class OrganizationAttentionResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get what needs attention.
   *
   * Returns what you and others have to do: envelopes to act on, drafts, messages that did not arrive, envelopes that expire soon and failed webhook deliveries. Counts stop at 1,000. Use it for a dashboard.
   */
  get(options: RequestOptions = {}): Call<T.Attention> {
    return this.caller.data(operations.get_attention, { options });
  }
}

export class OrganizationLatestCompletedResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get the latest completed envelopes.
   *
   * Returns the envelopes that all recipients completed most recently, at most five. Originals that were signed elsewhere and deposited are left out. Use it for a dashboard; to act on each completion, use webhooks.
   */
  get(options: RequestOptions = {}): Call<T.LatestCompleted> {
    return this.caller.data(operations.get_latest_completed, { options });
  }
}

export class OrganizationAuditLogResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Export the audit log of the organization.
   *
   * Returns audit entries of the organization and of all its envelopes as lines of JSON (`application/x-ndjson`), in the order of the log: `leaf_index`, `org_id`, `subject` (the chain: the organization or an envelope), `seq`, `type`, `at`, `actor`, `data`, `hash` and `prev`. The last line is `{"next_after": …}`: pass it as `after` to continue. A reader that does so gets each entry once and misses none. An entry appears when the log takes it in, which a worker does every minute. Returns 409 if the log does not have the position `after`, because an older backup was restored.
   */
  export(query: T.ExportAuditLogQuery = {}, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.export_audit_log, { query, options });
  }
}

export class OrganizationSignInEventsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Export failed log-ins and refused requests.
   *
   * Returns failed and blocked log-ins of members, refused API keys, and requests that were answered with 403, as lines of JSON (`application/x-ndjson`): `event_no`, `user_id` or `key_id`, `ip`, `user_agent`, `method` (`password`, `totp`, `recovery_code`, `passkey`, `session`, `api_key`), `result` (`failed`, `blocked`, `refused`, `forbidden`), `reason`, `count`, `first_at` and `last_at`. One line is one person or key, group of addresses, and reason in one minute; `ip` and `user_agent` are those of its first attempt. At most 200 lines of a minute are kept. Failures of a person are shown to each of their organizations; attempts with addresses that have no account to none. The last line is `{"next_after": …}`: pass it as `after` to continue. An event appears when its minute is over, within about a minute, and is kept for 400 days unless the operator set another time. These events are not part of the audit chain.
   */
  export(query: T.ExportSignInEventsQuery = {}, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.export_sign_in_events, { query, options });
  }
}

export class OrganizationProblemsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List what did not work.
   *
   * Lists work of your organization that failed several times, newest first: storing a document, sealing, sending. Without `state` only what is not settled; with `envelope_id` only of this envelope. Deliveries of webhooks and e-mails have their own lists.
   */
  list(query: T.ListProblemsQuery = {}, options: RequestOptions = {}): List<T.FailedJob> {
    return this.caller.list(operations.list_problems, { query, key: "problem_id", options });
  }

  /**
   * Try failed work again.
   *
   * Asks a worker to try again, which it does within seconds. Returns 409 if it was asked already, or if the problem is settled. The request is recorded in the audit trail.
   */
  retry(problem_id: T.ProblemId, options: IdempotentOptions = {}): Call<T.RetriedJob> {
    return this.caller.data(operations.retry_problem, { params: { problem_id }, idempotent: true, options });
  }
}

export class OrganizationAuditSinksResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List audit sinks.
   *
   * Lists the systems that the organization's audit entries are sent to, newest first, with their state.
   */
  list(query: T.ListAuditSinksQuery = {}, options: RequestOptions = {}): List<T.AuditSink> {
    return this.caller.list(operations.list_audit_sinks, { query, key: "sink_id", options });
  }

  /**
   * Create an audit sink.
   *
   * Sends the organization's audit entries to another system, in the order of the log and as the lines of `GET /org/audit-log`. `webhook`: a POST request with up to 500 lines (`application/x-ndjson`), signed like webhooks; the next lines follow after an answer 2xx. `syslog`: one message of RFC 5424 for each line, over TLS, with the length before each message; syslog has no receipts, so up to 500 lines can be lost if the connection breaks. Lines can arrive twice after a failure: `leaf_index` identifies them. Failed attempts are repeated at growing intervals, at least once an hour, and the admins get an e-mail after an hour of failures. An organization can have 3 sinks.
   */
  create(body: T.CreateAuditSinkRequest, options: IdempotentOptions = {}): Call<T.AuditSinkWithSecret> {
    return this.caller.data(operations.create_audit_sink, { body, idempotent: true, options });
  }

  /**
   * Update an audit sink.
   *
   * Changes the fields that you send. Any change makes the next attempt due at once. `from` moves the position; without it the sink continues after the last entry that it has, also after it was off.
   */
  update(sink_id: T.AuditSinkId, body: T.UpdateAuditSinkRequest = {}, options: RequestOptions = {}): Call<T.AuditSink> {
    return this.caller.data(operations.update_audit_sink, { params: { sink_id }, body, options });
  }

  /**
   * Delete an audit sink.
   *
   * Deletes a sink. Nothing more is sent to it.
   */
  delete(sink_id: T.AuditSinkId, options: RequestOptions = {}): Call<T.DeletedAuditSink> {
    return this.caller.data(operations.delete_audit_sink, { params: { sink_id }, options });
  }

  /**
   * Test an audit sink.
   *
   * Sends one line of the type `audit_sink.test`, which is no audit entry, and returns whether it was accepted.
   */
  test(sink_id: T.AuditSinkId, options: RequestOptions = {}): Call<T.AuditSinkTest> {
    return this.caller.data(operations.test_audit_sink, { params: { sink_id }, options });
  }
}

export class OrganizationResource {
  protected readonly caller: Caller;
  readonly settings: OrganizationSettingsResource;
  readonly auditTrail: OrganizationAuditTrailResource;
  readonly security: OrganizationSecurityResource;
  readonly domains: OrganizationDomainsResource;
  readonly sso: OrganizationSsoResource;
  readonly statistics: OrganizationStatisticsResource;
  readonly attention: OrganizationAttentionResource;
  readonly latestCompleted: OrganizationLatestCompletedResource;
  readonly auditLog: OrganizationAuditLogResource;
  readonly signInEvents: OrganizationSignInEventsResource;
  readonly problems: OrganizationProblemsResource;
  readonly auditSinks: OrganizationAuditSinksResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.settings = new OrganizationSettingsResource(caller);
    this.auditTrail = new OrganizationAuditTrailResource(caller);
    this.security = new OrganizationSecurityResource(caller);
    this.domains = new OrganizationDomainsResource(caller);
    this.sso = new OrganizationSsoResource(caller);
    this.statistics = new OrganizationStatisticsResource(caller);
    this.attention = new OrganizationAttentionResource(caller);
    this.latestCompleted = new OrganizationLatestCompletedResource(caller);
    this.auditLog = new OrganizationAuditLogResource(caller);
    this.signInEvents = new OrganizationSignInEventsResource(caller);
    this.problems = new OrganizationProblemsResource(caller);
    this.auditSinks = new OrganizationAuditSinksResource(caller);
  }
}

export class SandboxesResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Create a sandbox.
   *
   * Creates an organization for tests, with the members, security settings and look of this one. Switch a session to it with `POST /auth/refresh` and its `org_id`, then create keys there: they reach its data alone, and their requests return `X-Mode: test`. Every page of its documents says that it is a test, its seals come from a test root, and its e-mails stay in its outbox. An organization has at most 5.
   */
  create(body: T.CreateSandboxRequest, options: IdempotentOptions = {}): Call<T.Sandbox> {
    return this.caller.data(operations.create_sandbox, { body, idempotent: true, options });
  }

  /**
   * List sandboxes.
   *
   * Lists the sandboxes of the organization, oldest first. In a sandbox it lists those of its organization.
   */
  list(options: RequestOptions = {}): Call<T.Sandboxes> {
    return this.caller.data(operations.list_sandboxes, { options });
  }

  /**
   * Reset a sandbox.
   *
   * Removes everything from a sandbox: envelopes, templates, customers, keys, webhook endpoints, e-mails, audit trail and settings. Its keys and sessions end at once; a job removes the data, and until it is done, requests that write there return 409 `sandbox_resetting`. The sandbox itself, its members and its ID stay, and it begins again with the settings of the organization. Entries stay in the log of the installation as hashes.
   */
  reset(org_id: T.OrgId, options: IdempotentOptions = {}): Call<T.Sandbox> {
    return this.caller.data(operations.reset_sandbox, { params: { org_id }, idempotent: true, options });
  }

  /**
   * Delete a sandbox.
   *
   * Deletes a sandbox with everything in it. Its keys and sessions end at once and it leaves the list; a job removes the data. It does not count as one of the 5 any more.
   */
  delete(org_id: T.OrgId, options: RequestOptions = {}): Call<T.DeletedSandbox> {
    return this.caller.data(operations.delete_sandbox, { params: { org_id }, options });
  }
}

export class ApiKeysResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get what your credential is.
   *
   * Returns the organization that the key belongs to, what the key may do, and whether its data are tests. Call it first to check that a program has the right key. A console session gets the same without a key.
   */
  me(options: RequestOptions = {}): Call<T.KeyCaller> {
    return this.caller.data(operations.get_caller, { options });
  }

  /**
   * Create an API key.
   *
   * Creates a key with which a partner's server calls this API. The raw key is only in this response, so store it now. With `expires_at` and `allowed_cidrs` you limit until when and from where it works. Without `rate_limit_rpm` the key gets the installation's default limit. Only an admin in a console session can manage keys.
   */
  create(body: T.CreateKeyRequest, options: IdempotentOptions = {}): Call<T.NewApiKey> {
    return this.caller.data(operations.create_key, { body, idempotent: true, options });
  }

  /**
   * List API keys.
   *
   * Lists all keys of the organization, newest first, including deactivated ones. Raw keys are never shown again.
   */
  list(query: T.ListKeysQuery = {}, options: RequestOptions = {}): List<T.ApiKey> {
    return this.caller.list(operations.list_keys, { query, key: "key_id", options });
  }

  /**
   * Get an API key.
   *
   * Returns one key with its scopes, its rate limit and the time of its last use. The raw key is never shown again.
   */
  get(key_id: T.KeyId, options: RequestOptions = {}): Call<T.ApiKey> {
    return this.caller.data(operations.get_key, { params: { key_id }, options });
  }

  /**
   * Update an API key.
   *
   * Changes the name, scopes, rate limit, expiry, addresses or notes of a key, or what happens to unknown fields. Fields that you leave out keep their values. The same raw key keeps working, and the change applies from the next request. Returns 409 if the key is deactivated.
   */
  update(key_id: T.KeyId, body: T.UpdateKeyRequest = {}, options: ConditionalOptions = {}): Call<T.ApiKey> {
    return this.caller.data(operations.update_key, { params: { key_id }, body, options });
  }

  /**
   * Deactivate an API key.
   *
   * Deactivates a key permanently. Requests with it return 401 from now on. The key stays in the list for the audit trail. Deactivating it again changes nothing and returns the original time.
   */
  deactivate(key_id: T.KeyId, options: RequestOptions = {}): Call<T.DeactivatedApiKey> {
    return this.caller.data(operations.deactivate_key, { params: { key_id }, options });
  }

  /**
   * Rotate an API key.
   *
   * Creates a new raw key, which is only in this response. The previous raw key keeps working until the grace period ends. A second rotation within that time ends the oldest one at once, so at most two raw keys work. Returns 409 if the key is deactivated.
   */
  rotate(key_id: T.KeyId, body: T.RotateKeyRequest = {}, options: IdempotentOptions = {}): Call<T.NewApiKey> {
    return this.caller.data(operations.rotate_key, { params: { key_id }, body, idempotent: true, options });
  }

  /**
   * Send a test event to all webhook endpoints.
   *
   * Sends a `webhook.test` event that names this key to every enabled webhook endpoint of the organization, regardless of their subscriptions. To test one endpoint, use `POST /webhooks/endpoints/{endpoint_id}/test`. Returns 409 if the key is deactivated.
   */
  testWebhook(key_id: T.KeyId, options: IdempotentOptions = {}): Call<T.ApiKeyWebhookTest> {
    return this.caller.data(operations.test_webhook, { params: { key_id }, idempotent: true, options });
  }
}

export class CustomersDocumentsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Create an envelope from a customer's document.
   *
   * Stores a PDF, PNG or JPEG file for a customer and creates an envelope with it. Tags in the text of a PDF become fields. You can then add fields and send the envelope, or deposit an original that is already signed in the vault. The file can have at most 50 MB.
   */
  create(customer_id: T.CustomerId, body: T.UploadDocumentRequest, options: IdempotentOptions = {}): Call<T.UploadedDocument> {
    return this.caller.data(operations.upload_document, { params: { customer_id }, body, form: { files: ["file"], json: ["signers"], only: true }, idempotent: true, options });
  }
}

export class CustomersResource {
  protected readonly caller: Caller;
  readonly documents: CustomersDocumentsResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.documents = new CustomersDocumentsResource(caller);
  }

  /**
   * Import customers from a CSV file.
   *
   * Creates and updates customers from a CSV file in UTF-8 whose first row names the fields. A row with a known `client_id` updates that customer, and empty cells leave values as they are; any other row creates a customer. Rows with errors are reported in the response; the others are imported. Rows are saved while the file arrives, so an interrupted upload keeps the rows that arrived.
   */
  upload(body: T.UploadCustomersRequest, options: RequestOptions = {}): Call<T.CustomerUpload> {
    return this.caller.data(operations.upload_customers, { body, form: { files: ["file"], json: [], only: true }, options });
  }

  /**
   * List customers.
   *
   * Lists customers, newest first. Each word of `q` must begin a word of the name, the e-mail address, the company or the `client_id`; case is ignored. With `q`, `meta.total` stops at 10,000 with `meta.total_capped`, and later pages are 422. To find one customer exactly, use `GET /partner/customers`.
   */
  list(query: T.ListCustomersQuery = {}, options: RequestOptions = {}): List<T.Customer> {
    return this.caller.list(operations.list_customers, { query, key: "customer_id", options });
  }

  /**
   * Look up a customer by client_id or e-mail.
   *
   * Returns the one customer with this `client_id` or this e-mail address; case is ignored. Give exactly one of the two. If several customers share the e-mail address, the response is 409 and `candidates` lists them, oldest first.
   */
  lookUp(query: T.LookUpCustomerQuery = {}, options: RequestOptions = {}): Call<T.Customer> {
    return this.caller.data(operations.look_up_customer, { query, options });
  }

  /**
   * Create a customer.
   *
   * Creates a customer. All fields are optional; null and blank values are stored as null. Returns 409 if another customer has this `client_id`; case is ignored.
   */
  create(body: T.CreateCustomerRequest = {}, options: IdempotentOptions = {}): Call<T.Customer> {
    return this.caller.data(operations.create_customer, { body, idempotent: true, options });
  }

  /**
   * Get a customer.
   *
   * Returns one customer by its ID. The ID of a customer that was merged returns the one into which it was merged. To find a customer by your own ID or an e-mail, use `GET /partner/customers`.
   */
  get(customer_id: T.CustomerId, options: RequestOptions = {}): Call<T.Customer> {
    return this.caller.data(operations.get_customer, { params: { customer_id }, options });
  }

  /**
   * Update a customer.
   *
   * Changes the fields that you send; the others keep their values. Null or a blank value clears a field. Returns 409 if another customer has this `client_id`; case is ignored.
   */
  update(customer_id: T.CustomerId, body: T.UpdateCustomerRequest = {}, options: ConditionalOptions = {}): Call<T.Customer> {
    return this.caller.data(operations.update_customer, { params: { customer_id }, body, options });
  }

  /**
   * Delete a customer.
   *
   * Deletes a customer and everything that you entered about them. Returns 409 `customer_kept` with the reasons while drafts, envelopes out for signature, signed documents, or records in the vault whose retention runs belong to the customer. Envelopes that were declined, voided or expired stay, with `customer_id` null. Audit trails stay; they contain IDs and names of fields.
   */
  delete(customer_id: T.CustomerId, options: RequestOptions = {}): Call<T.DeletedCustomer> {
    return this.caller.data(operations.delete_customer, { params: { customer_id }, options });
  }

  /**
   * Merge a duplicate into a customer.
   *
   * Merges another customer into this one. This customer keeps every value that it has and takes over the others. All envelopes of the duplicate move, at most 20,000; from then on the duplicate's `customer_id`, `client_id` and e-mail address find this customer. Audit trails and evidence are not rewritten: they name the customer that they named. A merge cannot be undone. While an audit grant covers the records of one of the two, the response is 409.
   */
  merge(customer_id: T.CustomerId, body: T.MergeCustomersRequest, options: IdempotentOptions = {}): Call<T.MergedCustomers> {
    return this.caller.data(operations.merge_customers, { params: { customer_id }, body, idempotent: true, options });
  }

  /**
   * List merged customers.
   *
   * Lists the customers that were merged into this one, the last first, with the values that they had. Their IDs, client_ids and e-mail addresses find this customer.
   */
  listMerged(customer_id: T.CustomerId, query: T.ListMergedCustomersQuery = {}, options: RequestOptions = {}): List<T.FormerCustomer> {
    return this.caller.list(operations.list_merged_customers, { params: { customer_id }, query, key: "name", options });
  }
}

export class ContactsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Find people to send to.
   *
   * Returns up to 8 people for what was typed so far: customers with an e-mail address, and people to whom you sent an envelope in the last two years. Each word of `q` must begin a word of the name, the e-mail address or, for customers, the company or `client_id`. The person to whom you sent last comes first.
   */
  find(query: T.FindContactsQuery, options: RequestOptions = {}): Call<T.Contact[]> {
    return this.caller.data(operations.find_contacts, { query, options });
  }
}

export class TemplatesFieldsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Add fields to a template.
   *
   * Adds fields to a template and keeps the existing ones. Place each field by coordinates or next to a text of the document. Existing envelopes do not change. A template has at most 2,000 fields, and a request at most 500 fields with an anchor.
   *
   * @beta May change in any release.
   */
  create(template_id: T.TemplateId, body: T.PlaceFieldsRequest, query: T.PlaceFieldsQuery = {}, options: IdempotentOptions = {}): Call<T.PlacedTemplateFields> {
    return this.caller.data(operations.place_fields, { params: { template_id }, body, query, idempotent: true, options });
  }

  /**
   * Replace the fields of a template.
   *
   * Replaces all fields of a template, except those that the request keeps with `keep`. Existing fields that the request does not name are removed. Returns 409 if a kept field is no longer at the given position. Get the template and try again. Existing envelopes do not change.
   *
   * @beta May change in any release.
   */
  replace(template_id: T.TemplateId, body: T.ReplaceFieldsRequest, query: T.ReplaceFieldsQuery = {}, options: RequestOptions = {}): Call<T.PlacedTemplateFields> {
    return this.caller.data(operations.replace_fields, { params: { template_id }, body, query, options });
  }
}

export class TemplatesPagesResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get a template page as an image.
   *
   * Returns one page of the template's document as a PNG or WebP image, without its fields. Use it with `get_template` to show where fields are. Page numbers start at 1.
   */
  get(template_id: T.TemplateId, page: number, query: T.GetTemplatePageQuery = {}, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.get_template_page, { params: { template_id, page }, query, options });
  }

  /**
   * Get the text of a template page.
   *
   * Returns the text of one page in reading order. Use it to choose anchor texts for fields. `has_text` is false for a scan without a text layer.
   */
  getText(template_id: T.TemplateId, page: number, options: RequestOptions = {}): Call<T.PageText> {
    return this.caller.data(operations.get_template_page_text, { params: { template_id, page }, options });
  }
}

export class TemplatesDocumentsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List the documents of a template.
   *
   * Returns the documents of a template in order. An envelope from the template gets all of them. Archived templates can be read too.
   */
  list(template_id: T.TemplateId, options: RequestOptions = {}): Call<T.TemplateDocuments> {
    return this.caller.data(operations.list_template_documents, { params: { template_id }, options });
  }

  /**
   * Add a document to a template.
   *
   * Adds a PDF to the end of a template as a form, or all documents of another template as JSON with `template_id`. Tags in the text of a PDF become fields, and another template brings its fields. A template has at most 20 documents, together 50 MB and 2,000 pages.
   */
  create(template_id: T.TemplateId, body: T.AddTemplateDocumentRequest | T.AddTemplateDocumentRequestForm, options: IdempotentOptions = {}): Call<T.TemplateDocuments> {
    return this.caller.data(operations.add_template_document, { params: { template_id }, body, form: { files: ["file"], json: [], only: false }, idempotent: true, options });
  }

  /**
   * Rename or move a document of a template.
   *
   * Changes the name of a document, or its place in the order. The other documents move up or down, and fields stay on their documents. Returns all documents in their new order.
   */
  update(template_id: T.TemplateId, document_id: T.DocumentId, body: T.ChangeTemplateDocumentRequest = {}, options: RequestOptions = {}): Call<T.TemplateDocuments> {
    return this.caller.data(operations.change_template_document, { params: { template_id, document_id }, body, options });
  }

  /**
   * Remove a document from a template.
   *
   * Removes a document with its fields. The documents after it move up. The last document cannot be removed: replace its file, or archive the template.
   */
  delete(template_id: T.TemplateId, document_id: T.DocumentId, options: RequestOptions = {}): Call<T.TemplateDocuments> {
    return this.caller.data(operations.remove_template_document, { params: { template_id, document_id }, options });
  }

  /**
   * Replace the file of a template's document.
   *
   * Replaces the PDF of a document. Fields on pages that still exist stay; others are removed and named in `warnings`. Tags of the new file become fields unless the document has a field of that name and role.
   */
  replace(template_id: T.TemplateId, document_id: T.DocumentId, body: T.ReplaceTemplateDocumentRequest, options: RequestOptions = {}): Call<T.TemplateDocuments> {
    return this.caller.data(operations.replace_template_document, { params: { template_id, document_id }, body, form: { files: ["file"], json: [], only: true }, options });
  }

  /**
   * Download one document of a template.
   *
   * Returns the cleaned PDF of one document, without its fields. Archived templates can be read too.
   */
  getFile(template_id: T.TemplateId, document_id: T.DocumentId, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.get_template_document_file, { params: { template_id, document_id }, options });
  }
}

export class TemplatesResource {
  protected readonly caller: Caller;
  readonly fields: TemplatesFieldsResource;
  readonly pages: TemplatesPagesResource;
  readonly documents: TemplatesDocumentsResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.fields = new TemplatesFieldsResource(caller);
    this.pages = new TemplatesPagesResource(caller);
    this.documents = new TemplatesDocumentsResource(caller);
  }

  /**
   * Create a template from a PDF.
   *
   * Stores a PDF with its fields so that you can create any number of envelopes from it. Fields come from `fields_json` or, without it, from tags in the text such as {{Tenant signature;role=Tenant;type=signature}}. Tags are removed from the document in both cases. The PDF can have at most 50 MB and the template at most 2,000 fields.
   */
  create(body: T.CreateTemplateRequest, options: IdempotentOptions = {}): Call<T.CreatedTemplate> {
    return this.caller.data(operations.create_template, { body, form: { files: ["file"], json: ["fields_json","maker_roles_json"], only: true }, idempotent: true, options });
  }

  /**
   * List templates.
   *
   * Lists the templates that are not archived, newest first, or with `archived=only` those that are. Use `q` to search by name, `external_id` to find a template by your own ID, and `tag` for those with a tag. Get a single template to see its pages and fields.
   */
  list(query: T.ListTemplatesQuery = {}, options: RequestOptions = {}): List<T.TemplateSummary> {
    return this.caller.list(operations.list_templates, { query, key: "template_id", options });
  }

  /**
   * Get a template.
   *
   * Returns a template with its pages, roles and fields in order. Archived templates can be read too. `roles` lists the signer roles that an envelope from this template needs.
   */
  get(template_id: T.TemplateId, options: RequestOptions = {}): Call<T.Template> {
    return this.caller.data(operations.get_template, { params: { template_id }, options });
  }

  /**
   * Archive a template.
   *
   * Removes a template from the list and prevents new envelopes and field changes. Existing envelopes keep working, and the template can still be read. Use `restore_template` to undo it; archiving again returns the original time.
   */
  archive(template_id: T.TemplateId, options: RequestOptions = {}): Call<T.ArchivedTemplate> {
    return this.caller.data(operations.archive_template, { params: { template_id }, options });
  }

  /**
   * Update a template.
   *
   * Changes the name, people, defaults or tags of a template. Members that you leave out stay as they are; the others are replaced as a whole. `roles` says who acts in which step, and who that is if it is always the same person: `get_template` shows them as `recipients`. Envelopes that exist do not change.
   */
  update(template_id: T.TemplateId, body: T.UpdateTemplateRequest = {}, options: ConditionalOptions = {}): Call<T.Template> {
    return this.caller.data(operations.update_template, { params: { template_id }, body, options });
  }

  /**
   * Get where a template is used.
   *
   * Counts the envelopes that were created from a template, the drafts among them, its public forms and its bulk sends. `list_envelopes`, `list_forms` and `list_bulk_batches` list them with `template_id`. An envelope to which the documents of a template were added later does not count.
   */
  usage(template_id: T.TemplateId, options: RequestOptions = {}): Call<T.TemplateUsage> {
    return this.caller.data(operations.get_template_usage, { params: { template_id }, options });
  }

  /**
   * Copy a template.
   *
   * Creates a template with the same document, fields, people, defaults and tags. The copy has no `external_id`. Changes of one do not affect the other.
   */
  copy(template_id: T.TemplateId, body: T.CopyTemplateRequest = {}, options: IdempotentOptions = {}): Call<T.Template> {
    return this.caller.data(operations.copy_template, { params: { template_id }, body, idempotent: true, options });
  }

  /**
   * Restore an archived template.
   *
   * Puts an archived template back into the list, so that envelopes can be created from it. A template that is not archived stays as it is.
   */
  restore(template_id: T.TemplateId, options: IdempotentOptions = {}): Call<T.Template> {
    return this.caller.data(operations.restore_template, { params: { template_id }, idempotent: true, options });
  }

  /**
   * Download an example file for a bulk send.
   *
   * Returns a CSV file with every column that a bulk send from this template can have, and one row as an example: name, e-mail address and language of each role, and values of fields by their `field_key`. Only names and addresses are required.
   */
  bulkExample(template_id: T.TemplateId, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.get_bulk_example, { params: { template_id }, options });
  }

  /**
   * Preview the signing page of a template.
   *
   * Returns what the person with this role would see on the signing page of an envelope from this template. With `values` it also says which of them could not be signed. Nothing is stored.
   *
   * @beta May change in any release.
   */
  preview(template_id: T.TemplateId, body: T.PreviewTemplateRequest, options: IdempotentOptions = {}): Call<T.SigningPreview> {
    return this.caller.data(operations.preview_template, { params: { template_id }, body, idempotent: true, options });
  }
}

export class EnvelopesAuditTrailResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List the audit trail of an envelope.
   *
   * Lists everything that happened to an envelope, newest first. Each entry is a link in the envelope's hash chain, so a changed entry can be detected.
   */
  list(envelope_id: T.EnvelopeId, query: T.ListEnvelopeAuditTrailQuery = {}, options: RequestOptions = {}): List<T.EnvelopeAuditEntry> {
    return this.caller.list(operations.list_envelope_audit_trail, { params: { envelope_id }, query, key: "seq", options });
  }

  /**
   * Export the audit trail of an envelope as CSV.
   *
   * Returns the whole audit trail of an envelope as a CSV file in UTF-8, oldest entry first. Columns: seq, at, event (a sentence in English), type, actor_kind, actor_id, data (JSON, empty after it was erased), previous_hash, hash. A cell that a spreadsheet would run as a formula gets an apostrophe in front.
   */
  export(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.export_audit_trail, { params: { envelope_id }, options });
  }
}

export class EnvelopesDocumentResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Download the document of an envelope.
   *
   * Returns the PDF of an envelope. Until everyone has signed, it is the prepared document without signatures. After that, it is the sealed document or, for a vaulted envelope or one with auto-vault, a copy that is marked on every page. Both downloads are recorded in the audit trail. Just after the last signature the response can be 409 with `Retry-After` while the document is sealed.
   */
  get(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.get_envelope_document, { params: { envelope_id }, options });
  }

  /**
   * Attach a document to an envelope.
   *
   * Adds the document to a `pending` envelope: a PDF, PNG or JPEG file of at most 50 MB. Tags in the text of a PDF become fields. The envelope moves to `uploaded` and can be sent. More documents are added with `add_envelope_document`.
   */
  attach(envelope_id: T.EnvelopeId, body: T.AttachDocumentRequest, options: IdempotentOptions = {}): Call<T.Envelope> {
    return this.caller.data(operations.attach_document, { params: { envelope_id }, body, form: { files: ["file"], json: [], only: true }, idempotent: true, options });
  }
}

export class EnvelopesCompletionCertificateResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Download the completion certificate of an envelope.
   *
   * Returns a sealed PDF that says what the audit trail recorded about a finished envelope: who was asked to sign, who signed, when, how each person got access, the hashes of the document and every event up to the end. For `completed`, `vaulted`, `declined`, `voided` and `expired`; any other status returns 409. It is made on the first request and kept: the same status always returns the same bytes. A completed envelope that is vaulted later gets a second certificate. In English.
   */
  get(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.get_completion_certificate, { params: { envelope_id }, options });
  }
}

export class EnvelopesFieldsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get the fields of an envelope.
   *
   * Returns the fields of an envelope in order, with their roles and the pages of the document. Use it before you replace fields, because kept fields are named by their position in this list. Everything is empty until the envelope has a document.
   */
  get(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<T.EnvelopeFields> {
    return this.caller.data(operations.get_envelope_fields, { params: { envelope_id }, options });
  }

  /**
   * Add fields to an envelope.
   *
   * Adds fields to the document of a draft and keeps the existing ones. Place each field by coordinates or next to a text of the document. The envelope moves to `preparing` and can be sent. An envelope has at most 2,000 fields, and a request at most 500 fields with an anchor.
   *
   * @beta May change in any release.
   */
  create(envelope_id: T.EnvelopeId, body: T.PlaceEnvelopeFieldsRequest, query: T.PlaceEnvelopeFieldsQuery = {}, options: IdempotentOptions = {}): Call<T.PlacedEnvelopeFields> {
    return this.caller.data(operations.place_envelope_fields, { params: { envelope_id }, body, query, idempotent: true, options });
  }

  /**
   * Replace the fields of an envelope.
   *
   * Replaces all fields of a draft, except those that the request keeps with `keep`. Existing fields that the request does not name are removed, and kept fields keep their prefilled values. Returns 409 if a kept field is no longer at the given position. Read the fields and try again.
   *
   * @beta May change in any release.
   */
  replace(envelope_id: T.EnvelopeId, body: T.ReplaceEnvelopeFieldsRequest, query: T.ReplaceEnvelopeFieldsQuery = {}, options: RequestOptions = {}): Call<T.PlacedEnvelopeFields> {
    return this.caller.data(operations.replace_envelope_fields, { params: { envelope_id }, body, query, options });
  }
}

export class EnvelopesPagesResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get an envelope page as an image.
   *
   * Returns one page of the document as a PNG or WebP image. The prepared version shows no signatures, and reading it adds nothing to the audit trail; for signed originals that were deposited in the vault it is 409. `version=current` shows what was filled in and signed so far. Of a vaulted document it shows a marked copy; the first page of a visit is recorded in the access log.
   */
  get(envelope_id: T.EnvelopeId, page: number, query: T.GetEnvelopePageQuery = {}, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.get_envelope_page, { params: { envelope_id, page }, query, options });
  }

  /**
   * Get the text of an envelope page.
   *
   * Returns the text of one page of the document, in reading order. Use it to choose anchor texts for fields. `has_text` is false for a scan without a text layer. `version=current` has the rules of the page image.
   */
  getText(envelope_id: T.EnvelopeId, page: number, query: T.GetEnvelopePageTextQuery = {}, options: RequestOptions = {}): Call<T.PageText> {
    return this.caller.data(operations.get_envelope_page_text, { params: { envelope_id, page }, query, options });
  }
}

export class EnvelopesDocumentsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List the documents of an envelope.
   *
   * Returns the documents of an envelope in order. Several documents are combined into one when the envelope is sent; `first_page` is then the page on which each begins. For signers without a signature field the list ends with a signature page.
   */
  list(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<T.EnvelopeDocuments> {
    return this.caller.data(operations.list_envelope_documents, { params: { envelope_id }, options });
  }

  /**
   * Add a document to an envelope.
   *
   * Adds a document to the end of a draft: a PDF, PNG or JPEG file as a form, or all documents of a template as JSON with `template_id`. A template brings its fields, its people if the draft has none, and its defaults where the draft says nothing else; tags in the text of a PDF become fields. A `pending` envelope moves to `uploaded`. An envelope has at most 20 documents, together 50 MB and 2,000 pages.
   */
  create(envelope_id: T.EnvelopeId, body: T.AddEnvelopeDocumentRequest | T.AddEnvelopeDocumentRequestForm, options: IdempotentOptions = {}): Call<T.EnvelopeDocuments> {
    return this.caller.data(operations.add_envelope_document, { params: { envelope_id }, body, form: { files: ["file"], json: [], only: false }, idempotent: true, options });
  }

  /**
   * Rename or move a document of an envelope.
   *
   * Changes the name of a document in a draft, or its place in the order. The other documents move up or down, and fields stay on their documents. Returns all documents in their new order. The ETag for `If-Match` is that of the list of documents.
   */
  update(envelope_id: T.EnvelopeId, document_id: T.DocumentId, body: T.ChangeEnvelopeDocumentRequest = {}, options: ConditionalOptions = {}): Call<T.EnvelopeDocuments> {
    return this.caller.data(operations.change_envelope_document, { params: { envelope_id, document_id }, body, options });
  }

  /**
   * Remove a document from an envelope.
   *
   * Removes a document of a draft with its fields. The documents after it move up. The last document cannot be removed: replace its file, or discard the envelope.
   */
  delete(envelope_id: T.EnvelopeId, document_id: T.DocumentId, options: RequestOptions = {}): Call<T.EnvelopeDocuments> {
    return this.caller.data(operations.remove_envelope_document, { params: { envelope_id, document_id }, options });
  }

  /**
   * Replace the file of a document.
   *
   * Replaces the file of a document in a draft. Fields on pages that still exist stay; others are removed and named in `warnings`. Tags of the new file become fields unless the document has a field of that name and role.
   */
  replace(envelope_id: T.EnvelopeId, document_id: T.DocumentId, body: T.ReplaceEnvelopeDocumentRequest, options: RequestOptions = {}): Call<T.EnvelopeDocuments> {
    return this.caller.data(operations.replace_envelope_document, { params: { envelope_id, document_id }, body, form: { files: ["file"], json: [], only: true }, options });
  }

  /**
   * Download one document of an envelope.
   *
   * Returns the PDF of one document. Until everyone has signed, it is the prepared document without signatures. After that, it is a sealed PDF of this document alone or, for a vaulted envelope or one with auto-vault, a copy that is marked on every page. Both downloads are recorded in the audit trail.
   */
  getFile(envelope_id: T.EnvelopeId, document_id: T.DocumentId, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.get_envelope_document_file, { params: { envelope_id, document_id }, options });
  }
}

export class EnvelopesSignersIdentityQuestionsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Set the identity questions of a signer.
   *
   * Replaces the questions that the signer must answer before they can see the document. Answers are stored as hashes and never shown again. The envelope must have kba_required, and the signer must not have signed yet. Setting questions does not unlock a locked signer; use reset_identity_questions for that.
   */
  replace(envelope_id: T.EnvelopeId, slug: T.Slug, body: T.SetIdentityQuestionsRequest, options: RequestOptions = {}): Call<T.SignerIdentityQuestions> {
    return this.caller.data(operations.set_identity_questions, { params: { envelope_id, slug }, body, options });
  }

  /**
   * Reset the identity attempts of a signer.
   *
   * Unlocks a signer who gave too many wrong answers and starts counting attempts again. The questions stay the same.
   */
  reset(envelope_id: T.EnvelopeId, slug: T.Slug, options: IdempotentOptions = {}): Call<T.SignerIdentityReset> {
    return this.caller.data(operations.reset_identity_questions, { params: { envelope_id, slug }, idempotent: true, options });
  }
}

export class EnvelopesSignersIdentityResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Set how a signer must prove who they are.
   *
   * Replaces the codes that a person must enter before they can see the document; an empty list requires none. If the organization demands an identity level (`min_identity_level` of `/org/security`), a code by e-mail is added where that reaches it; otherwise the answer is 422. For everyone who acts and has not acted yet. A code that they entered before must be entered again. A locked person stays locked; use reset_signer_identity for that. Identity questions are set apart from this.
   */
  replace(envelope_id: T.EnvelopeId, slug: T.Slug, body: T.SetSignerIdentityRequest, options: RequestOptions = {}): Call<T.SignerIdentity> {
    return this.caller.data(operations.set_signer_identity, { params: { envelope_id, slug }, body, options });
  }

  /**
   * Let a signer try again to prove who they are.
   *
   * Unlocks a person after too many wrong codes or answers and starts counting attempts again. What is required stays the same.
   */
  reset(envelope_id: T.EnvelopeId, slug: T.Slug, options: IdempotentOptions = {}): Call<T.SignerIdentity> {
    return this.caller.data(operations.reset_signer_identity, { params: { envelope_id, slug }, idempotent: true, options });
  }
}

export class EnvelopesSignersResource {
  protected readonly caller: Caller;
  readonly identityQuestions: EnvelopesSignersIdentityQuestionsResource;
  readonly identity: EnvelopesSignersIdentityResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.identityQuestions = new EnvelopesSignersIdentityQuestionsResource(caller);
    this.identity = new EnvelopesSignersIdentityResource(caller);
  }

  /**
   * Correct a signer.
   *
   * Corrects the e-mail address, name or language of a signer who has not opened the document yet. With a new address the signer gets a new `slug` and a new link, and the old link stops working. A signer who has opened the document cannot be corrected. Void the envelope and send a new one.
   */
  update(envelope_id: T.EnvelopeId, slug: T.Slug, body: T.CorrectSignerRequest = {}, options: RequestOptions = {}): Call<T.SentSigner> {
    return this.caller.data(operations.correct_signer, { params: { envelope_id, slug }, body, options });
  }

  /**
   * List the signers of an envelope.
   *
   * Returns the signers in signing order, in every status. Before the envelope is sent, the response contains the signers that are saved with it.
   */
  list(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<T.Signers> {
    return this.caller.data(operations.list_signers, { params: { envelope_id }, options });
  }

  /**
   * Create a signing link to hand over.
   *
   * Creates a link that you pass to a recipient of any kind yourself instead of our e-mail. It is shown once and is valid until the envelope expires. The audit trail records who created it, and a signature made with it is marked as made with a link that was handed over. Refused for a recipient who has acted.
   */
  createLink(envelope_id: T.EnvelopeId, slug: T.Slug, options: IdempotentOptions = {}): Call<T.SignerLink> {
    return this.caller.data(operations.create_signer_link, { params: { envelope_id, slug }, idempotent: true, options });
  }
}

export class EnvelopesRecipientsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List the recipients of an envelope.
   *
   * Returns everyone whom the envelope is for, by step: signers, approvers, viewers and people who get a copy. Before the envelope is sent, the response contains the people that are saved with it.
   */
  list(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<T.Recipients> {
    return this.caller.data(operations.list_recipients, { params: { envelope_id }, options });
  }

  /**
   * Add a recipient to a sent envelope.
   *
   * Adds an approver, a viewer or a person who gets a copy to an envelope that is sent or viewed. If the step is running, the person is invited at once; otherwise when it begins. Signers and people with fields are named before the envelope is sent.
   */
  create(envelope_id: T.EnvelopeId, body: T.AddRecipientRequest, options: IdempotentOptions = {}): Call<T.Recipient> {
    return this.caller.data(operations.add_recipient, { params: { envelope_id }, body, idempotent: true, options });
  }

  /**
   * Change a recipient of a sent envelope.
   *
   * Changes the name, e-mail address, step, message or language of a person who has not acted yet. With a new address, another person takes the place: the old link ends at once, the new person gets a link of their own, and consent and entries start again. The step cannot be below the one that is running.
   */
  update(envelope_id: T.EnvelopeId, recipient_id: T.RecipientId, body: T.ChangeRecipientRequest = {}, options: RequestOptions = {}): Call<T.Recipient> {
    return this.caller.data(operations.change_recipient, { params: { envelope_id, recipient_id }, body, options });
  }

  /**
   * Remove a recipient from a sent envelope.
   *
   * Removes a person who has not acted yet. Their links and tokens end at once. If they were the last open person of a step, the next step begins; if everyone else has acted, the envelope is completed. Fields that only they could fill in stay empty, and `warnings` names them. The last signer cannot be removed.
   */
  delete(envelope_id: T.EnvelopeId, recipient_id: T.RecipientId, options: RequestOptions = {}): Call<T.RemovedRecipient> {
    return this.caller.data(operations.remove_recipient, { params: { envelope_id, recipient_id }, options });
  }
}

export class EnvelopesResource {
  protected readonly caller: Caller;
  readonly auditTrail: EnvelopesAuditTrailResource;
  readonly document: EnvelopesDocumentResource;
  readonly completionCertificate: EnvelopesCompletionCertificateResource;
  readonly fields: EnvelopesFieldsResource;
  readonly pages: EnvelopesPagesResource;
  readonly documents: EnvelopesDocumentsResource;
  readonly signers: EnvelopesSignersResource;
  readonly recipients: EnvelopesRecipientsResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.auditTrail = new EnvelopesAuditTrailResource(caller);
    this.document = new EnvelopesDocumentResource(caller);
    this.completionCertificate = new EnvelopesCompletionCertificateResource(caller);
    this.fields = new EnvelopesFieldsResource(caller);
    this.pages = new EnvelopesPagesResource(caller);
    this.documents = new EnvelopesDocumentsResource(caller);
    this.signers = new EnvelopesSignersResource(caller);
    this.recipients = new EnvelopesRecipientsResource(caller);
  }

  /**
   * Act on many envelopes.
   *
   * Does the same to up to 200 envelopes: `remind`, `void` (with `reason`), `discard`, `tag` and `untag` (with `tags`), `set_owner` (with `owner_user_id`). Each envelope is changed on its own: `done` lists those that were, `failed` the others with the reason. Idempotency-Key is not supported, because there is one transaction for each envelope; repeating a request changes nothing twice. All but `remind` need envelopes:write.
   */
  act(body: T.ActOnEnvelopesRequest, options: RequestOptions = {}): Call<T.EnvelopeActionResult> {
    return this.caller.data(operations.act_on_envelopes, { body, options });
  }

  /**
   * Export envelopes as CSV.
   *
   * Returns the list as a CSV file in UTF-8, with the same filters and order as `list_envelopes`, only the envelopes of `envelope_ids` if it is given, and at most 100,000 rows; more are 422. Columns: envelope_id, envelope_name, status, customer_name, customer_email (both empty without customers:read), external_id, tags, owner, created_at, sent_at, signed_at, expires_at. A cell that a spreadsheet would run as a formula gets an apostrophe in front.
   */
  export(query: T.ExportEnvelopesQuery = {}, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.export_envelopes, { query, options });
  }

  /**
   * Download the documents of many envelopes as ZIP.
   *
   * Returns the documents of up to 200 envelopes in one ZIP file, which is written while it is sent. Each document is the one that `GET /partner/envelopes/{envelope_id}/document` returns, under the same rules, and is recorded in the same way. File names are unique and made from the names of the envelopes. Documents that cannot be included are listed with the reason in `Not included.txt`; an envelope of another organization is listed as not found.
   */
  downloadDocuments(body: T.DownloadDocumentsRequest, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.download_documents, { body, options });
  }

  /**
   * Create an envelope.
   *
   * Creates an envelope for a customer, who is created if the e-mail address is new. With `template_id` the envelope has the template's document and fields and can be sent at once. Without it the envelope is `pending` until you attach a document. Nothing is sent to signers yet. A key with `drafts:write` alone can change the draft until it is sent, and cannot send it.
   */
  create(body: T.CreateEnvelopeRequest, options: IdempotentOptions = {}): Call<T.Envelope> {
    return this.caller.data(operations.create_envelope, { body, idempotent: true, options });
  }

  /**
   * List envelopes.
   *
   * Lists your envelopes, newest first unless you `sort`. Filter by customer, status, words, tag, owner or date, and use `expand` to include related objects. With any filter other than customer_id, status, external_id and dates, or with another order, `meta.total` stops at 10,000 with `meta.total_capped`, and later pages are 422. To follow envelopes as they change, use webhooks instead of polling this list.
   */
  list(query: T.ListEnvelopesQuery = {}, options: RequestOptions = {}): List<T.EnvelopeSummary> {
    return this.caller.list(operations.list_envelopes, { query, key: "envelope_id", options });
  }

  /**
   * Get an envelope.
   *
   * Returns an envelope with its settings. `metadata` contains the sender's options and, for a draft, the signers. Use `get_envelope_status` if you only need the status.
   */
  get(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<T.Envelope> {
    return this.caller.data(operations.get_envelope, { params: { envelope_id }, options });
  }

  /**
   * Update an envelope.
   *
   * Changes a draft. Fields that you leave out keep their values, and null clears a value. An envelope that has been sent returns 409, with two exceptions: `expires_at` and `reminders` can be changed while it is `sent` or `viewed`, and `tags` and `owner_user_id` in any status. With `drafts:write` alone, nothing can be changed after sending.
   */
  update(envelope_id: T.EnvelopeId, body: T.UpdateEnvelopeRequest = {}, options: ConditionalOptions = {}): Call<T.Envelope> {
    return this.caller.data(operations.update_envelope, { params: { envelope_id }, body, options });
  }

  /**
   * Discard an envelope.
   *
   * Discards a draft. Its status becomes `voided` with the reason "discarded", and it stays in the list and the audit trail. Use `void_envelope` for an envelope that has been sent.
   */
  discard(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<T.VoidedEnvelope> {
    return this.caller.data(operations.discard_envelope, { params: { envelope_id }, options });
  }

  /**
   * Get the status of an envelope.
   *
   * Returns only the status of an envelope and whether it is vaulted and certified. Use it for polling: the response is small, and with `If-None-Match` it is 304 while nothing has changed. Webhooks are faster.
   */
  getStatus(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<T.EnvelopeStatusSummary> {
    return this.caller.data(operations.get_envelope_status, { params: { envelope_id }, options });
  }

  /**
   * Duplicate an envelope.
   *
   * Creates a new draft for the same customer with the document as it was uploaded, the fields, recipients, settings and tags of an envelope in any status. Values that were filled in, signatures, accepted terms, identity questions, `external_id` and `metadata` are not copied, and which codes people must enter only from a draft.
   */
  duplicate(envelope_id: T.EnvelopeId, options: IdempotentOptions = {}): Call<T.Envelope> {
    return this.caller.data(operations.duplicate_envelope, { params: { envelope_id }, idempotent: true, options });
  }

  /**
   * Save an envelope as a template.
   *
   * Creates a template with the document as it was uploaded, the fields and the settings of an envelope in any status. Its roles are those of the recipients. Their names and e-mail addresses become part of the template only with `keep_people`; people without a role, such as viewers and cc, are then included too. With `drafts:write` alone, a key saves drafts that it created.
   */
  saveAsTemplate(envelope_id: T.EnvelopeId, body: T.SaveEnvelopeAsTemplateRequest, options: IdempotentOptions = {}): Call<T.Template> {
    return this.caller.data(operations.save_envelope_as_template, { params: { envelope_id }, body, idempotent: true, options });
  }

  /**
   * Send an envelope.
   *
   * Sends an envelope to its signers and freezes the document; several documents are combined into one. Settings that you leave out are taken from the draft, and so are its people with their `authentication` if you name none; 422 if one of those must enter an access code, which a draft does not keep. Signers without a signature field get one on an extra page at the end. Signers whose turn it is get an invitation. With auto-vault, `certification` is required.
   */
  send(envelope_id: T.EnvelopeId, body: T.SendEnvelopeRequest = {}, options: IdempotentOptions & ConditionalOptions = {}): Call<T.SentEnvelope> {
    return this.caller.data(operations.send_envelope, { params: { envelope_id }, body, idempotent: true, options });
  }

  /**
   * Remind signers.
   *
   * Sends a reminder by e-mail to the signers whose turn it is. Signers who were reminded a moment ago are skipped; if no signer is left, the response is 409 with `Retry-After`. For regular reminders, set `reminders` on the envelope instead.
   */
  remind(envelope_id: T.EnvelopeId, body: T.RemindSignersRequest = {}, options: IdempotentOptions = {}): Call<T.EnvelopeReminder> {
    return this.caller.data(operations.remind_signers, { params: { envelope_id }, body, idempotent: true, options });
  }

  /**
   * Void an envelope.
   *
   * Ends an envelope before everyone has signed. Links stop working, and invited signers who have not signed get an e-mail with the reason. An envelope that is completed, declined or expired returns 409. With `drafts:write` alone, a key can discard drafts that it created, and void nothing that was sent. This cannot be undone.
   */
  void(envelope_id: T.EnvelopeId, body: T.VoidEnvelopeRequest, options: IdempotentOptions = {}): Call<T.VoidedEnvelope> {
    return this.caller.data(operations.void_envelope, { params: { envelope_id }, body, idempotent: true, options });
  }

  /**
   * Preview the signing page of a draft.
   *
   * Returns what the person with this role would see on the signing page if the draft was sent now. With `values` it also says which of them could not be signed. Nothing is stored, and the audit trail does not record it.
   *
   * @beta May change in any release.
   */
  preview(envelope_id: T.EnvelopeId, body: T.PreviewEnvelopeRequest, options: IdempotentOptions = {}): Call<T.SigningPreview> {
    return this.caller.data(operations.preview_envelope, { params: { envelope_id }, body, idempotent: true, options });
  }
}

export class TagsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List tags.
   *
   * Returns all tags of your organization, at most 500, by name.
   */
  list(options: RequestOptions = {}): Call<T.TagSummary[]> {
    return this.caller.data(operations.list_tags, { options });
  }

  /**
   * Create or change a tag.
   *
   * Creates the tag in the path if it does not exist. `name` gives it another name on all its envelopes, and `colour` a colour. Names are compared without regard to case. A name that another tag has is 409.
   */
  save(tag: T.TagInPath, body: T.SaveTagRequest = {}, options: RequestOptions = {}): Call<T.Tag> {
    return this.caller.data(operations.save_tag, { params: { tag }, body, options });
  }

  /**
   * Delete a tag.
   *
   * Removes the tag from all envelopes and templates. The envelopes themselves stay as they are.
   */
  delete(tag: T.TagInPath, options: RequestOptions = {}): Call<T.RemovedTag> {
    return this.caller.data(operations.delete_tag, { params: { tag }, options });
  }
}

export class CertificationTermsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get the certification terms.
   *
   * Returns the current terms that must be accepted before an envelope with auto-vault is sent or a document is deposited in the vault. Show the text to the person who accepts the terms, and send `terms_version` in `certification`.
   */
  get(options: RequestOptions = {}): Call<T.CertificationTerms> {
    return this.caller.data(operations.get_certification_terms, { options });
  }
}

export class BulkBatchesRowsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List the rows of a bulk send.
   *
   * Lists the rows in the order of the file, each with its state, its problems and its envelope. The contents of rows are deleted some time after the end, by default 30 days.
   */
  list(batch_id: T.BulkBatchId, query: T.ListBulkRowsQuery = {}, options: RequestOptions = {}): List<T.BulkRow> {
    return this.caller.list(operations.list_bulk_rows, { params: { batch_id }, query, key: "row_no", options });
  }

  /**
   * Download the rows of a bulk send as CSV.
   *
   * Returns the rows as they were uploaded, with an additional column `errors`. With `state=invalid`, correct the file and upload it as another bulk send; the column `errors` is ignored. A cell that a spreadsheet would run as a formula gets an apostrophe in front, which an upload removes.
   */
  export(batch_id: T.BulkBatchId, query: T.GetBulkRowsCsvQuery = {}, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.get_bulk_rows_csv, { params: { batch_id }, query, options });
  }
}

export class BulkBatchesResource {
  protected readonly caller: Caller;
  readonly rows: BulkBatchesRowsResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.rows = new BulkBatchesRowsResource(caller);
  }

  /**
   * Upload a file for a bulk send.
   *
   * Takes a CSV file (UTF-8, at most 10 MB and 10,000 rows) with one row for each envelope from a template; `get_bulk_example` has its columns. `options` applies to every envelope. The rows are checked in the background, and nothing is sent before you start the bulk send.
   */
  create(body: T.CreateBulkBatchRequest, options: IdempotentOptions = {}): Call<T.BulkBatch> {
    return this.caller.data(operations.create_bulk_batch, { body, form: { files: ["file"], json: ["options"], only: true }, idempotent: true, options });
  }

  /**
   * List bulk sends.
   *
   * Lists the bulk sends of your organization, newest first. Use `batch_id` of `list_envelopes` for the envelopes of one.
   */
  list(query: T.ListBulkBatchesQuery = {}, options: RequestOptions = {}): List<T.BulkBatch> {
    return this.caller.list(operations.list_bulk_batches, { query, key: "batch_id", options });
  }

  /**
   * Start a bulk send.
   *
   * Sends an envelope for each row that is ready, in the order of the file, from `checked` or `paused`. While another bulk send of your organization runs, it is `queued`. If the template was changed after the check, the response is 409 `template_changed`; check the rows again with `retry_bulk_batch`.
   */
  start(batch_id: T.BulkBatchId, body: T.StartBulkBatchRequest = {}, options: IdempotentOptions = {}): Call<T.BulkBatch> {
    return this.caller.data(operations.start_bulk_batch, { params: { batch_id }, body, idempotent: true, options });
  }

  /**
   * Cancel a bulk send.
   *
   * Stops a bulk send that has not ended. Rows that were not begun are skipped; an envelope that was being sent in this moment is still sent. Envelopes that were sent stay: void them if they should end.
   */
  cancel(batch_id: T.BulkBatchId, options: IdempotentOptions = {}): Call<T.BulkBatch> {
    return this.caller.data(operations.cancel_bulk_batch, { params: { batch_id }, idempotent: true, options });
  }

  /**
   * Check the unsent rows of a bulk send again.
   *
   * Puts rows that failed or were skipped back and checks every row that was not sent against the template as it is now. From `ended`, `cancelled` and `paused`. The state becomes `checking` and then `checked`; start it to send these rows.
   */
  retry(batch_id: T.BulkBatchId, options: IdempotentOptions = {}): Call<T.BulkBatch> {
    return this.caller.data(operations.retry_bulk_batch, { params: { batch_id }, idempotent: true, options });
  }

  /**
   * Get a bulk send.
   *
   * Returns the state and the numbers of a bulk send. Poll it while the state is `checking`, `queued` or `running`.
   */
  get(batch_id: T.BulkBatchId, options: RequestOptions = {}): Call<T.BulkBatch> {
    return this.caller.data(operations.get_bulk_batch, { params: { batch_id }, options });
  }
}

export class FormsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List public forms.
   *
   * Lists the public forms of your organization, newest first. Use `template_id` to list the forms of one template.
   */
  list(query: T.ListFormsQuery = {}, options: RequestOptions = {}): List<T.Form> {
    return this.caller.list(operations.list_forms, { query, key: "form_id", options });
  }

  /**
   * Create a public form.
   *
   * Creates a public page from a template. A visitor enters a name and an e-mail address, confirms the address with a link and signs. Each visitor gets an envelope of their own. A form never vaults envelopes automatically; store them with vault-in-signed.
   */
  create(body: T.CreateFormRequest, options: IdempotentOptions = {}): Call<T.Form> {
    return this.caller.data(operations.create_form, { body, idempotent: true, options });
  }

  /**
   * Get a public form.
   *
   * Returns a form with its address, its settings and its counts.
   */
  get(form_id: T.FormId, options: RequestOptions = {}): Call<T.Form> {
    return this.caller.data(operations.get_form, { params: { form_id }, options });
  }

  /**
   * Change a public form.
   *
   * Changes the members that you send, also within `settings`; `recipients` is replaced as a whole. Envelopes that visitors have started stay as they are. The address of a form never changes.
   */
  update(form_id: T.FormId, body: T.UpdateFormRequest = {}, options: ConditionalOptions = {}): Call<T.Form> {
    return this.caller.data(operations.update_form, { params: { form_id }, body, options });
  }

  /**
   * Pause a public form.
   *
   * Visitors read that the form is not open. Envelopes that they have started can still be signed.
   */
  pause(form_id: T.FormId, options: IdempotentOptions = {}): Call<T.Form> {
    return this.caller.data(operations.pause_form, { params: { form_id }, idempotent: true, options });
  }

  /**
   * Resume a public form.
   *
   * Opens a paused form again. Returns 422 if the template has changed so that its envelopes could not be sent.
   */
  resume(form_id: T.FormId, options: IdempotentOptions = {}): Call<T.Form> {
    return this.caller.data(operations.resume_form, { params: { form_id }, idempotent: true, options });
  }
}

export class ViewsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List saved views.
   *
   * Returns your own saved views and those that are shared with every member, by position. A view is a name and the parameters of a list of envelopes. Views belong to people, so API keys get 403.
   */
  list(options: RequestOptions = {}): Call<T.SavedView[]> {
    return this.caller.data(operations.list_views, { options });
  }

  /**
   * Save a view.
   *
   * Saves the parameters of a list of envelopes under a name. Without `position` it is the last of your views. Only members and admins can share a view. You can have 100 views, and there can be 100 shared ones.
   */
  create(body: T.CreateViewRequest, options: IdempotentOptions = {}): Call<T.SavedView> {
    return this.caller.data(operations.create_view, { body, idempotent: true, options });
  }

  /**
   * Change a saved view.
   *
   * Changes the members that you send. With `shared` set to false, a shared view becomes your own. Only members and admins can change shared views.
   */
  update(view_id: T.ViewId, body: T.UpdateViewRequest = {}, options: RequestOptions = {}): Call<T.SavedView> {
    return this.caller.data(operations.update_view, { params: { view_id }, body, options });
  }

  /**
   * Delete a saved view.
   *
   * Deletes one of your views, or a shared view, which only members and admins can delete. The envelopes stay as they are.
   */
  delete(view_id: T.ViewId, options: RequestOptions = {}): Call<T.DeletedView> {
    return this.caller.data(operations.delete_view, { params: { view_id }, options });
  }
}

export class NotificationsSettingsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Show what you are notified of.
   *
   * Returns for each kind whether you are notified in the console and by e-mail. Both are on until you change them.
   */
  get(options: RequestOptions = {}): Call<T.NotificationSettings> {
    return this.caller.data(operations.get_notification_settings, { options });
  }

  /**
   * Change what you are notified of.
   *
   * Changes the ways that you send. It counts from then on: notifications that exist stay.
   */
  update(body: T.UpdateNotificationSettingsRequest, options: RequestOptions = {}): Call<T.NotificationSettings> {
    return this.caller.data(operations.update_notification_settings, { body, options });
  }
}

export class NotificationsResource {
  protected readonly caller: Caller;
  readonly settings: NotificationsSettingsResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.settings = new NotificationsSettingsResource(caller);
  }

  /**
   * List your notifications.
   *
   * Lists what you were notified of, newest first, for 90 days. You are notified of envelopes that you sent; of one that an API key sent, its owner is; if neither is a member any more, every admin is. Notifications belong to people, so API keys get 403.
   */
  list(query: T.ListNotificationsQuery = {}, options: RequestOptions = {}): List<T.Notification> {
    return this.caller.list(operations.list_notifications, { query, key: "notification_id", options });
  }

  /**
   * Mark notifications as read.
   *
   * Marks up to 100 of your notifications as read. Ids that are not yours are passed over. Returns how many are left.
   */
  read(body: T.ReadNotificationsRequest, options: IdempotentOptions = {}): Call<T.UnreadNotifications> {
    return this.caller.data(operations.read_notifications, { body, idempotent: true, options });
  }
}

export class OutboxResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List messages in the outbox.
   *
   * Lists the e-mails that the organization sends, newest first, each with its state. Password resets and invitations belong to a person and are not listed. Without a mail server, and in a sandbox, messages wait here; those of a sandbox are kept for 7 days.
   */
  list(query: T.ListOutboxQuery = {}, options: RequestOptions = {}): List<T.OutboxMessage> {
    return this.caller.list(operations.list_outbox, { query, key: "message_id", options });
  }

  /**
   * Get a message in the outbox.
   *
   * Returns one message with its text and HTML, for example to open the signing link in it during development. Works only in a sandbox, whose messages are never sent, and while no mail server is configured. Otherwise it returns 409, because only the recipient can read the text. Text and HTML are null after the message has expired.
   */
  get(message_id: T.MessageId, options: RequestOptions = {}): Call<T.OutboxMessageWithText> {
    return this.caller.data(operations.get_outbox_message, { params: { message_id }, options });
  }
}

export class TestEnvelopesResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Sign an envelope in place of its recipients.
   *
   * Runs the ceremony of each recipient who must act, in their order: signers agree, fill in their fields and sign with their typed name, approvers approve, and viewers confirm. Identity steps are recorded as passed. Every entry in the audit trail says `by: test_operation`, and so do the certificates. All of it takes effect, or, if someone cannot act, nothing. In an organization that is not a sandbox the path returns 404.
   */
  sign(envelope_id: T.EnvelopeId, body: T.SignTestEnvelopeRequest = {}, options: IdempotentOptions = {}): Call<T.EnvelopeStatusSummary> {
    return this.caller.data(operations.sign_test_envelope, { params: { envelope_id }, body, idempotent: true, options });
  }

  /**
   * Decline an envelope in place of a recipient.
   *
   * Opens the envelope for a signer, who then declines, or for an approver, who then rejects it. The envelope ends for everyone, and the others are told as usual. The entries in the audit trail say `by: test_operation`. In an organization that is not a sandbox the path returns 404.
   */
  decline(envelope_id: T.EnvelopeId, body: T.DeclineTestEnvelopeRequest, options: IdempotentOptions = {}): Call<T.EnvelopeStatusSummary> {
    return this.caller.data(operations.decline_test_envelope, { params: { envelope_id }, body, idempotent: true, options });
  }

  /**
   * Let days pass for an envelope.
   *
   * Moves the deadlines of an open envelope earlier, its expiry and its next automatic reminder, and applies what is due: a reminder, the notice to the sender that it expires soon, or its end. At most one of each, also if more would have been due. A deadline that would lie in the past is now; the times of what has happened do not change. In an organization that is not a sandbox the path returns 404.
   */
  advance(envelope_id: T.EnvelopeId, body: T.AdvanceTestEnvelopeRequest, options: IdempotentOptions = {}): Call<T.AdvancedTestEnvelope> {
    return this.caller.data(operations.advance_test_envelope, { params: { envelope_id }, body, idempotent: true, options });
  }
}

export class TestEventsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Send an event with sample data.
   *
   * Appends an event of a type that you choose, with sample data, and delivers it to every webhook endpoint of the sandbox that wants it. Nothing else changes: an `envelope.sent` sends no envelope. In an organization that is not a sandbox the path returns 404.
   */
  create(body: T.AppendTestEventRequest, options: IdempotentOptions = {}): Call<T.AppendedTestEvent> {
    return this.caller.data(operations.append_test_event, { body, idempotent: true, options });
  }
}

export class TestMessagesResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List captured e-mails of a sandbox.
   *
   * Lists the e-mails that a sandbox would have sent, newest first, with their text and links, for 7 days. Use it in tests to follow a signing link or to read a code. In an organization that is not a sandbox the path returns 404.
   */
  list(query: T.ListTestMessagesQuery = {}, options: RequestOptions = {}): List<T.CapturedMessage> {
    return this.caller.list(operations.list_test_messages, { query, key: "message_id", options });
  }
}

export class TestResource {
  protected readonly caller: Caller;
  readonly envelopes: TestEnvelopesResource;
  readonly events: TestEventsResource;
  readonly messages: TestMessagesResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.envelopes = new TestEnvelopesResource(caller);
    this.events = new TestEventsResource(caller);
    this.messages = new TestMessagesResource(caller);
  }
}

export class MailTextsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List the words of e-mails.
   *
   * Returns the organization's own words for e-mails to signers, the standard words of every kind in every language, and the placeholders that both can contain.
   */
  list(options: RequestOptions = {}): Call<T.MailTexts> {
    return this.caller.data(operations.list_mail_texts, { options });
  }

  /**
   * Set the words of an e-mail.
   *
   * Replaces subject, introduction and footer of one kind of e-mail in one language. What you leave out is standard. Markup is shown as text. Link, deadline and warnings cannot be changed. A placeholder that does not exist returns 422 with its name.
   */
  set(body: T.SetMailTextRequest, options: RequestOptions = {}): Call<T.MailText> {
    return this.caller.data(operations.set_mail_text, { body, options });
  }

  /**
   * Restore the standard words of e-mails.
   *
   * Removes the organization's own words for one kind of e-mail in one language; without `kind` or `locale`, for every kind or language. Removing them again changes nothing.
   */
  remove(query: T.RemoveMailTextsQuery = {}, options: RequestOptions = {}): Call<T.RemovedMailTexts> {
    return this.caller.data(operations.remove_mail_texts, { query, options });
  }

  /**
   * Preview the words of an e-mail.
   *
   * Returns an e-mail of one kind with the given words and sample values. With `send`, it is also mailed to you, and to no one else. Its link opens no document.
   */
  preview(body: T.PreviewMailTextRequest, options: IdempotentOptions = {}): Call<T.MailTextPreview> {
    return this.caller.data(operations.preview_mail_text, { body, idempotent: true, options });
  }
}

export class MailSenderResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get the organization's e-mail sender.
   *
   * Returns the organization's own sender address with the DNS records to publish and what the last check found. `sender` is null if there is none and e-mails come from the installation's address.
   */
  get(options: RequestOptions = {}): Call<T.MailSenderState> {
    return this.caller.data(operations.get_mail_sender, { options });
  }

  /**
   * Set the organization's e-mail sender.
   *
   * Sets the address and name that e-mails to signers come from, and makes a key that signs them (DKIM). Publish the returned records, then check them. Until the DKIM record was found, the installation's address is used. With `smtp`, e-mails go out by your own mail server; leave it out to keep the stored one.
   */
  set(body: T.SetMailSenderRequest, options: RequestOptions = {}): Call<T.MailSenderState> {
    return this.caller.data(operations.set_mail_sender, { body, options });
  }

  /**
   * Remove the organization's e-mail sender.
   *
   * Removes the sender and erases its key. E-mails come from the installation's address again. Removing it again changes nothing.
   */
  remove(options: RequestOptions = {}): Call<T.RemovedMailSender> {
    return this.caller.data(operations.remove_mail_sender, { options });
  }

  /**
   * Check the DNS records of the e-mail sender.
   *
   * Looks up the DKIM, SPF and DMARC records. When the DKIM record is found, e-mails come from your address from then on. When it is no longer found, they come from the installation's address again.
   */
  check(options: IdempotentOptions = {}): Call<T.MailSenderState> {
    return this.caller.data(operations.check_mail_sender, { idempotent: true, options });
  }
}

export class EmbedResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Create a token for an embedded widget.
   *
   * Creates a token that opens one widget of one envelope for one person, for 15 minutes. Load embed_url in a frame of your page, or pass the token to the widget. The sign widget needs the scope esign:write and an envelope that is sent or viewed; the vault widget needs vault:read and a vaulted envelope. At most 600 tokens an hour for each envelope and key or user.
   */
  createToken(body: T.CreateEmbedTokenRequest, options: IdempotentOptions = {}): Call<T.EmbedToken> {
    return this.caller.data(operations.create_embed_token, { body, idempotent: true, options });
  }

  /**
   * Create a signing link for each signer.
   *
   * Returns a new link for every signer of an envelope that is sent or viewed. Each link opens the signing page for 15 minutes. Every call creates new links and is recorded in the audit trail.
   */
  listSigningLinks(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<T.SigningLinks> {
    return this.caller.data(operations.list_signing_links, { params: { envelope_id }, options });
  }
}

export class LegalTextsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List the current legal texts.
   *
   * Lists the texts that signers and senders are asked to accept, in every language, and whether a lawyer who practises in that language has read them. Every role can call it.
   */
  list(options: RequestOptions = {}): Call<T.LegalTexts> {
    return this.caller.data(operations.list_legal_texts, { options });
  }
}

export class WebhookEndpointsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Create a webhook endpoint.
   *
   * Registers a URL that receives the organization's events. The response contains the secret that signs deliveries; store it to verify signatures. Failed deliveries are retried on a schedule. An organization can have 20 endpoints.
   */
  create(body: T.CreateEndpointRequest, options: IdempotentOptions = {}): Call<T.WebhookEndpointWithSecret> {
    return this.caller.data(operations.create_endpoint, { body, idempotent: true, options });
  }

  /**
   * List webhook endpoints.
   *
   * Lists the webhook endpoints of the organization, newest first, without their secrets.
   */
  list(query: T.ListEndpointsQuery = {}, options: RequestOptions = {}): List<T.WebhookEndpoint> {
    return this.caller.list(operations.list_endpoints, { query, key: "endpoint_id", options });
  }

  /**
   * Get a webhook endpoint.
   *
   * Returns one webhook endpoint without its secret. `failing_since` and `disabled_reason` show whether deliveries arrive.
   */
  get(endpoint_id: T.EndpointId, options: RequestOptions = {}): Call<T.WebhookEndpoint> {
    return this.caller.data(operations.get_endpoint, { params: { endpoint_id }, options });
  }

  /**
   * Update a webhook endpoint.
   *
   * Changes the fields that you send; the others keep their values. Disabling an endpoint cancels its pending deliveries. Enabling it, or giving it a new URL, resets its failure history. To send missed events, use `POST /webhooks/endpoints/{endpoint_id}/replay`.
   */
  update(endpoint_id: T.EndpointId, body: T.UpdateEndpointRequest = {}, options: ConditionalOptions = {}): Call<T.UpdatedWebhookEndpoint> {
    return this.caller.data(operations.update_endpoint, { params: { endpoint_id }, body, options });
  }

  /**
   * Delete a webhook endpoint.
   *
   * Deletes an endpoint and cancels its pending deliveries. Past deliveries can still be read by their ID until they are erased, but not replayed.
   */
  delete(endpoint_id: T.EndpointId, options: RequestOptions = {}): Call<T.DeletedWebhookEndpoint> {
    return this.caller.data(operations.delete_endpoint, { params: { endpoint_id }, options });
  }

  /**
   * Get statistics of a webhook endpoint.
   *
   * Returns the number of successful and failed attempts per day, including today, with the median and the 95th percentile of their duration. Counts are kept longer than deliveries; durations are null for days whose attempts have been deleted.
   */
  getStatistics(endpoint_id: T.EndpointId, query: T.GetEndpointStatisticsQuery = {}, options: RequestOptions = {}): Call<T.WebhookEndpointStatistics> {
    return this.caller.data(operations.get_endpoint_statistics, { params: { endpoint_id }, query, options });
  }

  /**
   * Show the secret of a webhook endpoint.
   *
   * Returns the current secret of an endpoint. Only admins can call it, and each call is recorded in the audit trail.
   */
  getSecret(endpoint_id: T.EndpointId, options: RequestOptions = {}): Call<T.WebhookEndpointSecret> {
    return this.caller.data(operations.get_endpoint_secret, { params: { endpoint_id }, options });
  }

  /**
   * Rotate the secret of a webhook endpoint.
   *
   * Creates a new secret and returns it. Until the grace period ends, every delivery has one signature with the new secret and one with the previous secret, so receivers can switch at any time.
   */
  rotateSecret(endpoint_id: T.EndpointId, body: T.RotateEndpointSecretRequest = {}, options: IdempotentOptions = {}): Call<T.RotatedWebhookSecret> {
    return this.caller.data(operations.rotate_endpoint_secret, { params: { endpoint_id }, body, idempotent: true, options });
  }

  /**
   * Send a test event to a webhook endpoint.
   *
   * Sends a `webhook.test` event to this endpoint, regardless of its subscriptions. The request is sent after this response; read its result with `GET /webhooks/deliveries/{delivery_id}`. Returns 409 if the endpoint is disabled.
   */
  test(endpoint_id: T.EndpointId, options: IdempotentOptions = {}): Call<T.WebhookEndpointTest> {
    return this.caller.data(operations.test_endpoint, { params: { endpoint_id }, idempotent: true, options });
  }
}

export class DeliveriesResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List delivery attempts of a webhook endpoint.
   *
   * Lists every attempt to deliver an event to this endpoint, newest first, with the receiver's response. A delivery has several attempts if it was retried or replayed. Attempts are kept for 30 days by default, and for up to a week longer.
   */
  list(endpoint_id: T.EndpointId, query: T.ListDeliveriesQuery = {}, options: RequestOptions = {}): List<T.WebhookAttempt> {
    return this.caller.list(operations.list_deliveries, { params: { endpoint_id }, query, key: "attempt_id", options });
  }

  /**
   * Get a delivery with its payload and attempts.
   *
   * Returns one delivery with the exact payload, and its attempts, newest first. Use it to see why a receiver did not accept an event.
   */
  get(delivery_id: T.DeliveryId, options: RequestOptions = {}): Call<T.WebhookDeliveryWithPayload> {
    return this.caller.data(operations.get_delivery, { params: { delivery_id }, options });
  }

  /**
   * Replay a delivery.
   *
   * Sends the same event with the same bytes again, with a new timestamp, signature and retry schedule. The `webhook-id` stays the same, so receivers can recognize the event. Returns 409 if the endpoint is disabled or deleted.
   */
  replay(delivery_id: T.DeliveryId, options: IdempotentOptions = {}): Call<T.WebhookDelivery> {
    return this.caller.data(operations.replay_delivery, { params: { delivery_id }, idempotent: true, options });
  }

  /**
   * Replay the deliveries of a time range.
   *
   * Sends this endpoint's deliveries again that were created or attempted in a time range, by default the failed and cancelled ones. Use it after an outage of your receiver. One call sends at most 10,000, the oldest first; call again with `next_after` as `after` for the rest. Returns 409 if the endpoint is disabled.
   */
  replayRange(endpoint_id: T.EndpointId, body: T.ReplayRangeRequest, options: IdempotentOptions = {}): Call<T.WebhookReplay> {
    return this.caller.data(operations.replay_range, { params: { endpoint_id }, body, idempotent: true, options });
  }
}

export class EventsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List events.
   *
   * Lists the organization's events, newest first, as they were sent to webhook endpoints; also without any endpoint. Use it after downtime, or to work without a public URL. An event whose transaction took long can appear a little later than newer ones, so read the last minute again when you follow the list. `meta.total` stops at 10,000 with `meta.total_capped`, and later pages are 422: use `created_to` to go back further. Events are kept for 400 days by default.
   */
  list(query: T.ListEventsQuery = {}, options: RequestOptions = {}): List<T.WebhookEvent> {
    return this.caller.list(operations.list_events, { query, key: "event_id", options });
  }

  /**
   * Get an event.
   *
   * Returns one event as it was sent. Written as JSON without spaces, it has the bytes that deliveries sign.
   */
  get(event_id: T.EventId, options: RequestOptions = {}): Call<T.WebhookEvent> {
    return this.caller.data(operations.get_event, { params: { event_id }, options });
  }
}

export class EventTypesResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List event types.
   *
   * Lists every event type with the JSON schema of its data. Events of a `reserved` type are not sent yet; endpoints can already subscribe to them.
   */
  list(query: T.ListEventTypesQuery = {}, options: RequestOptions = {}): List<T.EventTypeDescription> {
    return this.caller.list(operations.list_event_types, { query, key: "event_type", options });
  }
}

export class OrgResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get the state of the log.
   *
   * Returns the public name and keys of the installation's log, its latest checkpoint, the witnesses that cosign it, what a witness objects to, and the installation's keys by generation. The log contains the hashes of the audit entries of all organizations. Every role can call it.
   */
  getTransparency(options: RequestOptions = {}): Call<T.Transparency> {
    return this.caller.data(operations.get_transparency, { options });
  }
}

export class VaultAttestationsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Add an attestation to a vaulted original.
   *
   * Corrects or completes what was declared about an original that was signed elsewhere. Earlier attestations stay on record. The latest one is used from the next evaluation on; call evaluate_compliance to evaluate now.
   */
  create(envelope_id: T.EnvelopeId, body: T.Attestation = {}, options: IdempotentOptions = {}): Call<T.AttestationRecord> {
    return this.caller.data(operations.add_attestation, { params: { envelope_id }, body, idempotent: true, options });
  }
}

export class VaultStatisticsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get statistics of the vault.
   *
   * Returns how many records the vault has, by the standing of their latest certificate. The list of the vault has the same records. Use it for a dashboard.
   */
  get(options: RequestOptions = {}): Call<T.VaultStatistics> {
    return this.caller.data(operations.get_vault_statistics, { options });
  }
}

export class VaultCopyResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Download a marked copy of a vaulted document.
   *
   * Returns a PDF in which every page is marked as a copy. The authoritative copy itself can leave the vault only through a vault export. Each download is recorded in the access log. The header X-Authoritative-Sha256 contains the SHA-256 of the authoritative copy.
   */
  get(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.get_vault_copy, { params: { envelope_id }, options });
  }
}

export class VaultEvidenceResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Download the evidence bundle.
   *
   * Returns a ZIP file with a marked copy of the document and everything that is needed to verify it without this service: audit trail, certificate, proofs and keys. Each download is recorded in the access log.
   */
  get(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.get_evidence_bundle, { params: { envelope_id }, options });
  }
}

export class VaultAccessesResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List accesses to a vaulted document.
   *
   * Returns who opened or downloaded a vaulted document, its certificate, its evidence bundle or an export package, newest first.
   */
  list(envelope_id: T.EnvelopeId, query: T.ListVaultAccessesQuery = {}, options: RequestOptions = {}): List<T.EnvelopeAuditEntry> {
    return this.caller.list(operations.list_vault_accesses, { params: { envelope_id }, query, key: "seq", options });
  }
}

export class VaultExportsPackageResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Download the package of a vault export.
   *
   * Returns the encrypted package while the export is escrowed or acknowledged. The key that decrypts it is in the response of acknowledge_vault_export. Each download is recorded in the access log.
   */
  get(export_id: T.VaultExportId, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.get_vault_export_package, { params: { export_id }, options });
  }
}

export class VaultExportsResource {
  protected readonly caller: Caller;
  readonly package: VaultExportsPackageResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.package = new VaultExportsPackageResource(caller);
  }

  /**
   * Start a vault export.
   *
   * Packs the authoritative copy and its evidence for a recipient and encrypts the package. Until the export is acknowledged, cancelled or expires after 14 days, the copy is escrowed: it cannot be transferred or exported again. Refused while a legal hold or a pending custody transfer exists. The recipient gets an e-mail with a link to download the package and to acknowledge it. If a secured party or a pledgee must confirm the export, the response is 202 with an act, and the export starts when they have confirmed it.
   */
  create(envelope_id: T.EnvelopeId, body: T.CreateVaultExportRequest, options: IdempotentOptions = {}): Call<T.VaultExportStarted | T.ActProposed> {
    return this.caller.data(operations.create_vault_export, { params: { envelope_id }, body, idempotent: true, options });
  }

  /**
   * List vault exports.
   *
   * Returns the vault exports of the organization, newest first.
   */
  list(query: T.ListVaultExportsQuery = {}, options: RequestOptions = {}): List<T.VaultExport> {
    return this.caller.list(operations.list_vault_exports, { query, key: "export_id", options });
  }

  /**
   * Get a vault export.
   *
   * Returns one vault export. After it is acknowledged, the response contains the signed receipt, but never the key.
   */
  get(export_id: T.VaultExportId, options: RequestOptions = {}): Call<T.VaultExport> {
    return this.caller.data(operations.get_vault_export, { params: { export_id }, options });
  }

  /**
   * Acknowledge a vault export.
   *
   * Confirms for the recipient that the package has arrived. From then on the authoritative copy has left the vault. The response contains the key of the package and a signed receipt. If the response is lost, repeat the request within 24 hours; after that only the recipient gets the key. The person who started the export cannot acknowledge it, with whatever key. Under the control policy confirmed, only the recipient acknowledges it, with the link in the e-mail.
   */
  acknowledge(export_id: T.VaultExportId, body: T.AcknowledgeVaultExportRequest, options: RequestOptions = {}): Call<T.VaultExportAcknowledged> {
    return this.caller.data(operations.acknowledge_vault_export, { params: { export_id }, body, options });
  }

  /**
   * Cancel a vault export.
   *
   * Ends an export that was not acknowledged. The authoritative copy stays in the vault, and the package can never be decrypted.
   */
  cancel(export_id: T.VaultExportId, options: IdempotentOptions = {}): Call<T.VaultExport> {
    return this.caller.data(operations.cancel_vault_export, { params: { export_id }, idempotent: true, options });
  }
}

export class VaultEndingsCertificateResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Download the certificate of how a record ended.
   *
   * Returns the sealed certificate of conversion to paper, or of destruction, as a PDF.
   */
  get(ending_id: T.RecordEndingId, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.get_record_ending_certificate, { params: { ending_id }, options });
  }
}

export class VaultEndingsResource {
  protected readonly caller: Caller;
  readonly certificate: VaultEndingsCertificateResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.certificate = new VaultEndingsCertificateResource(caller);
  }

  /**
   * List records that ended.
   *
   * Returns conversions to paper and destructions of the organization's records, newest first.
   */
  list(query: T.ListRecordEndingsQuery = {}, options: RequestOptions = {}): List<T.RecordEnding> {
    return this.caller.list(operations.list_record_endings, { query, key: "ending_id", options });
  }

  /**
   * Get how a record ended.
   *
   * Returns one conversion to paper or destruction.
   */
  get(ending_id: T.RecordEndingId, options: RequestOptions = {}): Call<T.RecordEnding> {
    return this.caller.data(operations.get_record_ending, { params: { ending_id }, options });
  }

  /**
   * Cancel a conversion to paper.
   *
   * Returns the record to the vault, before the recipient has downloaded the PDF for printing. Afterwards the paper may exist, and it is 409.
   */
  cancel(ending_id: T.RecordEndingId, options: IdempotentOptions = {}): Call<T.RecordEnding> {
    return this.caller.data(operations.cancel_paper, { params: { ending_id }, idempotent: true, options });
  }
}

export class VaultSecuredPartyResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Designate the first secured party.
   *
   * Records the party to which the record is assigned, before or after vaulting. It satisfies compliance check 8 from the next evaluation on. To replace a party that is on record, use assign_record.
   */
  designate(envelope_id: T.EnvelopeId, body: T.SecuredPartyInput, options: RequestOptions = {}): Call<T.Assignment> {
    return this.caller.data(operations.designate_secured_party, { params: { envelope_id }, body, options });
  }
}

export class VaultAssignmentsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Assign the record to another party.
   *
   * Makes another party the assignee of the record. You attest that the current secured party has consented: not before it was recorded, and by one of its people if it has any. Refused while the copy is escrowed, after it was exported, while it is pledged, and under the control policy confirmed: propose an act of kind assign, which the parties confirm themselves.
   */
  create(envelope_id: T.EnvelopeId, body: T.AssignRecordRequest, options: IdempotentOptions = {}): Call<T.Assignment> {
    return this.caller.data(operations.assign_record, { params: { envelope_id }, body, idempotent: true, options });
  }

  /**
   * List the assignments of a record.
   *
   * Returns the register of assignees of an envelope, newest first.
   */
  list(envelope_id: T.EnvelopeId, query: T.ListAssignmentsQuery = {}, options: RequestOptions = {}): List<T.Assignment> {
    return this.caller.list(operations.list_assignments, { params: { envelope_id }, query, key: "seq", options });
  }
}

export class VaultPossibleDuplicatesResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List records that may be the same document.
   *
   * Returns each vaulted record that has its file, its words or its declared instrument in common with another one and that no one has compared with it yet, newest first. Copies that left the vault or were destroyed count too. Check 1 is not satisfied for these records from their next evaluation on. A pair can be listed twice, once for each record.
   */
  list(query: T.ListPossibleDuplicatesQuery = {}, options: RequestOptions = {}): List<T.PossibleDuplicate> {
    return this.caller.list(operations.list_possible_duplicates, { query, key: "envelope_id", options });
  }
}

export class VaultDuplicateReviewsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Record that two records were compared.
   *
   * Records what a person found who compared a vaulted record with one that is alike. That person must be another one than the depositor of the record: all keys that one person created count as that person. The record is then evaluated again, and check 1 is attested. The other record needs a review of its own.
   */
  create(envelope_id: T.EnvelopeId, body: T.ReviewDuplicateRequest, options: IdempotentOptions = {}): Call<T.DuplicateReview> {
    return this.caller.data(operations.review_duplicate, { params: { envelope_id }, body, idempotent: true, options });
  }
}

export class VaultRetentionResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Extend the retention of an authoritative copy.
   *
   * Extends the retention of an authoritative copy to a later date. An earlier date is refused; the same date changes nothing.
   */
  extend(envelope_id: T.EnvelopeId, body: T.ExtendRetentionRequest, options: RequestOptions = {}): Call<T.VaultRetention> {
    return this.caller.data(operations.extend_retention, { params: { envelope_id }, body, options });
  }
}

export class VaultLegalHoldsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Place a legal hold.
   *
   * Keeps an authoritative copy in the vault until the hold is released. It cannot be exported, and an export that has already started cannot be acknowledged. A copy can have several holds at once.
   */
  create(envelope_id: T.EnvelopeId, body: T.PlaceLegalHoldRequest, options: IdempotentOptions = {}): Call<T.LegalHold> {
    return this.caller.data(operations.place_legal_hold, { params: { envelope_id }, body, idempotent: true, options });
  }

  /**
   * List legal holds.
   *
   * Returns the legal holds on an authoritative copy, newest first, including released ones.
   */
  list(envelope_id: T.EnvelopeId, query: T.ListLegalHoldsQuery = {}, options: RequestOptions = {}): List<T.LegalHold> {
    return this.caller.list(operations.list_legal_holds, { params: { envelope_id }, query, key: "hold_id", options });
  }

  /**
   * Release a legal hold.
   *
   * Ends one hold; other holds on the copy stay in force. The hold stays in the list. Releasing it again changes nothing.
   */
  release(envelope_id: T.EnvelopeId, hold_id: T.LegalHoldId, options: RequestOptions = {}): Call<T.LegalHold> {
    return this.caller.data(operations.release_legal_hold, { params: { envelope_id, hold_id }, options });
  }
}

export class VaultResource {
  protected readonly caller: Caller;
  readonly attestations: VaultAttestationsResource;
  readonly statistics: VaultStatisticsResource;
  readonly copy: VaultCopyResource;
  readonly evidence: VaultEvidenceResource;
  readonly accesses: VaultAccessesResource;
  readonly exports: VaultExportsResource;
  readonly endings: VaultEndingsResource;
  readonly securedParty: VaultSecuredPartyResource;
  readonly assignments: VaultAssignmentsResource;
  readonly possibleDuplicates: VaultPossibleDuplicatesResource;
  readonly duplicateReviews: VaultDuplicateReviewsResource;
  readonly retention: VaultRetentionResource;
  readonly legalHolds: VaultLegalHoldsResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.attestations = new VaultAttestationsResource(caller);
    this.statistics = new VaultStatisticsResource(caller);
    this.copy = new VaultCopyResource(caller);
    this.evidence = new VaultEvidenceResource(caller);
    this.accesses = new VaultAccessesResource(caller);
    this.exports = new VaultExportsResource(caller);
    this.endings = new VaultEndingsResource(caller);
    this.securedParty = new VaultSecuredPartyResource(caller);
    this.assignments = new VaultAssignmentsResource(caller);
    this.possibleDuplicates = new VaultPossibleDuplicatesResource(caller);
    this.duplicateReviews = new VaultDuplicateReviewsResource(caller);
    this.retention = new VaultRetentionResource(caller);
    this.legalHolds = new VaultLegalHoldsResource(caller);
  }

  /**
   * Vault a completed envelope.
   *
   * Stores the signed document of a completed envelope as its authoritative copy, for envelopes without auto_vault_enabled. The certification terms must be accepted. Returns 200 with the certificate when the envelope is vaulted, or 202 after 30 seconds while the work continues. The events vault.stored and vault.compliance.passed or vault.compliance.failed follow.
   */
  depositSigned(envelope_id: T.EnvelopeId, body: T.VaultInSignedRequest, options: IdempotentOptions = {}): Call<T.VaultDeposit> {
    return this.caller.data(operations.vault_in_signed, { params: { envelope_id }, body, idempotent: true, options });
  }

  /**
   * Vault an original that was signed elsewhere.
   *
   * Stores an uploaded document, signed on paper or in another system, as the authoritative copy of its envelope. The attestation contains what the depositor declares about the original; the optional file is the other system's record (PDF, PNG, JPEG or JSON). Returns 200 with the certificate when the envelope is vaulted, or 202 after 30 seconds while the work continues. The document must come from an upload and must not be blank. A document that the vault already has, also with something appended or as a copy that left, is refused.
   */
  depositUpload(envelope_id: T.EnvelopeId, body: T.VaultInUploadRequest | T.VaultInUploadRequestForm, options: IdempotentOptions = {}): Call<T.VaultDeposit> {
    return this.caller.data(operations.vault_in_upload, { params: { envelope_id }, body, form: { files: ["evidence"], json: ["payload"], only: false }, idempotent: true, options });
  }

  /**
   * List vaulted envelopes.
   *
   * Returns the vaulted envelopes of the organization with the score of their latest certificate, newest first. For a member with the role custodian: those of which they are the present or the requested custodian. With `q`, `meta.total` stops at 10,000 with `meta.total_capped`, and later pages are 422.
   */
  list(query: T.ListVaultQuery = {}, options: RequestOptions = {}): List<T.VaultedEnvelope> {
    return this.caller.list(operations.list_vault, { query, key: "envelope_id", options });
  }

  /**
   * Get the vault record of an envelope.
   *
   * Returns what the vault holds for an envelope: the authoritative copy with its hash and retention, its custodian, its secured party and its latest certificate.
   */
  get(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<T.VaultRecord> {
    return this.caller.data(operations.get_vault_record, { params: { envelope_id }, options });
  }
}

export class ComplianceCertificateResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Download the latest compliance certificate.
   *
   * Returns the certificate of the latest evaluation as a sealed PDF, as data, or as the JSON file whose hash is on record. Each download is recorded in the access log.
   */
  get(envelope_id: T.EnvelopeId, query: T.GetComplianceCertificateQuery = {}, options: RequestOptions = {}): Call<Download<T.ComplianceCertificate>> {
    return this.caller.file(operations.get_compliance_certificate, { params: { envelope_id }, query, options });
  }
}

export class ComplianceResource {
  protected readonly caller: Caller;
  readonly certificate: ComplianceCertificateResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.certificate = new ComplianceCertificateResource(caller);
  }

  /**
   * Get the compliance result of an envelope.
   *
   * Returns the eight checks of the latest certificate. Before the envelope is vaulted, it returns a preview of what an evaluation would find now, and certificate_path is null.
   */
  get(envelope_id: T.EnvelopeId, options: RequestOptions = {}): Call<T.Compliance> {
    return this.caller.data(operations.get_compliance, { params: { envelope_id }, options });
  }

  /**
   * Evaluate a vaulted envelope again.
   *
   * Reads the stored copy again, runs the eight checks, and issues a new revision of the certificate. Use it after adding an attestation or a secured party. The event vault.compliance.passed or vault.compliance.failed follows.
   */
  evaluate(envelope_id: T.EnvelopeId, options: IdempotentOptions = {}): Call<T.Compliance> {
    return this.caller.data(operations.evaluate_compliance, { params: { envelope_id }, idempotent: true, options });
  }
}

export class CustodyTransfersResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Start a custody transfer.
   *
   * Asks another member to become the custodian of an authoritative copy. The current custodian stays responsible until the transfer is accepted. A copy has at most one pending transfer. It expires after expires_in_days (default 7, at most 90). The event custodian.transfer follows.
   */
  create(envelope_id: T.EnvelopeId, body: T.InitiateCustodyTransferRequest, options: IdempotentOptions = {}): Call<T.CustodyTransferInitiated> {
    return this.caller.data(operations.initiate_custody_transfer, { params: { envelope_id }, body, idempotent: true, options });
  }

  /**
   * List custody transfers.
   *
   * Returns the custody transfers of the organization, newest first. For a member with the role custodian: those of the records that they keep.
   */
  list(query: T.ListCustodyTransfersQuery = {}, options: RequestOptions = {}): List<T.CustodyTransfer> {
    return this.caller.list(operations.list_custody_transfers, { query, key: "permission_id", options });
  }

  /**
   * Get a custody transfer.
   *
   * Returns one custody transfer with its status and reason.
   */
  get(permission_id: T.CustodianPermissionId, options: RequestOptions = {}): Call<T.CustodyTransfer> {
    return this.caller.data(operations.get_custody_transfer, { params: { permission_id }, options });
  }

  /**
   * Accept a custody transfer.
   *
   * Makes the receiving member the custodian and releases the previous one. Another person than the one who started the transfer must accept; all keys that one person created count as that person. In a console session only the receiving member can accept, and under the control policy confirmed only that member's own session or key. A secured party that must confirm the act does so first.
   */
  accept(permission_id: T.CustodianPermissionId, options: IdempotentOptions = {}): Call<T.CustodyTransfer> {
    return this.caller.data(operations.accept_custody_transfer, { params: { permission_id }, idempotent: true, options });
  }

  /**
   * Reject a custody transfer.
   *
   * Ends a pending transfer; the custodian stays the same. The same credential rules apply as for accepting.
   */
  reject(permission_id: T.CustodianPermissionId, body: T.RejectCustodyTransferRequest = {}, options: IdempotentOptions = {}): Call<T.CustodyTransfer> {
    return this.caller.data(operations.reject_custody_transfer, { params: { permission_id }, body, idempotent: true, options });
  }

  /**
   * Cancel a custody transfer.
   *
   * Withdraws a pending transfer; the custodian stays the same. The credential that started the transfer can cancel it.
   */
  cancel(permission_id: T.CustodianPermissionId, options: IdempotentOptions = {}): Call<T.CustodyTransfer> {
    return this.caller.data(operations.cancel_custody_transfer, { params: { permission_id }, idempotent: true, options });
  }
}

export class CustodyCustodiansResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List custodians.
   *
   * Lists the people who are or can become custodians of authoritative copies, by name, with the number of their copies. Use it to choose the new custodian for a transfer. A member with the role custodian finds only themselves.
   */
  list(query: T.ListCustodiansQuery = {}, options: RequestOptions = {}): List<T.Custodian> {
    return this.caller.list(operations.list_custodians, { query, key: "user_id", options });
  }
}

export class CustodyResource {
  protected readonly caller: Caller;
  readonly transfers: CustodyTransfersResource;
  readonly custodians: CustodyCustodiansResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.transfers = new CustodyTransfersResource(caller);
    this.custodians = new CustodyCustodiansResource(caller);
  }
}

export class RemoteVaultsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Pin another vault.
   *
   * Pins an organization of another installation, so that records can move between the two. The root must be known from elsewhere: the service fetches the trust document of that address and answers 422 unless this root has signed it. The other organization must pin this one too.
   */
  create(body: T.CreateRemoteVaultRequest, options: IdempotentOptions = {}): Call<T.RemoteVault> {
    return this.caller.data(operations.create_remote_vault, { body, idempotent: true, options });
  }

  /**
   * List pinned vaults.
   *
   * Returns the vaults that this organization has pinned, newest first.
   */
  list(query: T.ListRemoteVaultsQuery = {}, options: RequestOptions = {}): List<T.RemoteVault> {
    return this.caller.list(operations.list_remote_vaults, { query, key: "vault_id", options });
  }

  /**
   * Unpin another vault.
   *
   * Ends the link: nothing moves to or from this vault any more, and its open requests to you are closed. 409 while a transfer with it is under way, and while a party of yours that it stands for is asked by an open act, controls a record or holds a pledge on one.
   */
  delete(vault_id: T.RemoteVaultId, options: RequestOptions = {}): Call<T.RemoteVault> {
    return this.caller.data(operations.delete_remote_vault, { params: { vault_id }, options });
  }
}

export class VaultTransfersResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List vault transfers.
   *
   * Returns the transfers of records to and from other vaults, newest first. A credential with vault:release sees those out, one with vault:write those in. Poll with updated_since: transfers dispatch no events of their own.
   */
  list(query: T.ListVaultTransfersQuery = {}, options: RequestOptions = {}): List<T.VaultTransfer> {
    return this.caller.list(operations.list_vault_transfers, { query, key: "transfer_id", options });
  }

  /**
   * Get a vault transfer.
   *
   * Returns one transfer, as this organization's side has it.
   */
  get(transfer_id: T.VaultTransferId, options: RequestOptions = {}): Call<T.VaultTransfer> {
    return this.caller.data(operations.get_vault_transfer, { params: { transfer_id }, options });
  }

  /**
   * List the messages of a vault transfer.
   *
   * Returns every message of a transfer, sent and received, with its signature. Each can be handed to the other vault as a file if the two cannot reach each other.
   */
  messages(transfer_id: T.VaultTransferId, options: RequestOptions = {}): Call<T.LinkMessage[]> {
    return this.caller.data(operations.list_vault_transfer_messages, { params: { transfer_id }, options });
  }

  /**
   * Hand over a message of another vault.
   *
   * Takes a message of another vault that came as a file, as if that vault had sent it. It must be for this organization. A repeated message changes nothing.
   */
  receive(body: T.ReceiveVaultTransferMessageRequest, options: RequestOptions = {}): Call<T.LinkMessageReceived> {
    return this.caller.data(operations.receive_vault_transfer_message, { body, options });
  }

  /**
   * Accept a record of another vault.
   *
   * Accepts an offered record, and names the customer that it will belong to and its custodian. The sender then packs it; after this vault has verified the package, the sender releases it, and it is stored here as a new envelope.
   */
  accept(transfer_id: T.VaultTransferId, body: T.AcceptVaultTransferRequest, options: IdempotentOptions = {}): Call<T.VaultTransfer> {
    return this.caller.data(operations.accept_vault_transfer, { params: { transfer_id }, body, idempotent: true, options });
  }

  /**
   * Refuse a record of another vault.
   *
   * Refuses an offered record. Possible until it is stored here; the sender's copy then stays, or is again, the original.
   */
  refuse(transfer_id: T.VaultTransferId, options: IdempotentOptions = {}): Call<T.VaultTransfer> {
    return this.caller.data(operations.refuse_vault_transfer, { params: { transfer_id }, idempotent: true, options });
  }

  /**
   * Cancel a vault transfer.
   *
   * Takes an offer back. 409 once the record is released, because from then on it is the other vault's.
   */
  cancel(transfer_id: T.VaultTransferId, options: IdempotentOptions = {}): Call<T.VaultTransfer> {
    return this.caller.data(operations.cancel_vault_transfer, { params: { transfer_id }, idempotent: true, options });
  }
}

export class RegistryResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Get the registry.
   *
   * Returns the registry with which changes of control are registered, and how many acts wait for it. `registry` is null if there is none.
   */
  get(options: RequestOptions = {}): Call<T.RegistryState> {
    return this.caller.data(operations.get_registry, { options });
  }

  /**
   * Set the registry.
   *
   * Sets the registry, or replaces its address, mode and kinds. With mode gate, an act of one of the kinds waits in the state registering after everyone has confirmed it: the registry is sent the act, signed as webhooks are, and answers {accepted, reference}. Acts that wait when the address changes are sent to the new one. docs/vault-api.md has the request and the answer.
   */
  set(body: T.SetRegistryRequest, options: RequestOptions = {}): Call<T.SetRegistry> {
    return this.caller.data(operations.set_registry, { body, options });
  }

  /**
   * Remove the registry.
   *
   * Removes the registry. Returns 409 while acts wait for its answer: cancel them, or wait for the answer.
   */
  remove(options: RequestOptions = {}): Call<T.RemovedRegistry> {
    return this.caller.data(operations.remove_registry, { options });
  }
}

export class PartiesPeopleResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Add a person who acts for a party.
   *
   * Adds a person by e-mail address, or changes their name and rights. Once an approver of the party has logged in, the party decides: the response is 202 with an act that one of its approvers confirms. If none of them can be reached, an admin sends approvers_lost with a reason: another admin confirms that act, all people whose address is known for the party are told, and after 14 days without an objection it takes effect. What the party confirms from then on is attested at most.
   */
  add(party_id: T.PartyId, body: T.AddPartyPersonRequest, options: IdempotentOptions = {}): Call<T.Party | T.ActProposed> {
    return this.caller.data(operations.add_party_person, { params: { party_id }, body, idempotent: true, options });
  }

  /**
   * Remove a person from a party.
   *
   * The person can no longer act for the party. Once an approver of the party has logged in, the party decides: the response is 202 with an act that one of its approvers confirms. The last approver cannot be removed.
   */
  remove(party_id: T.PartyId, person_id: T.PersonId, options: RequestOptions = {}): Call<T.Party | T.ActProposed> {
    return this.caller.data(operations.remove_party_person, { params: { party_id, person_id }, options });
  }
}

export class PartiesResource {
  protected readonly caller: Caller;
  readonly people: PartiesPeopleResource;

  constructor(caller: Caller) {
    this.caller = caller;
    this.people = new PartiesPeopleResource(caller);
  }

  /**
   * Create a party.
   *
   * Adds a party to which records can be assigned or pledged. Its approvers confirm acts at /p/, with a passkey or a code sent to their address. You name the first ones: that they act for the party is your statement, and certificates say so. A party of kind vault is asked by a signed message to its installation, where a member decides; that this installation acts for the party rests on your pinning its root.
   */
  create(body: T.CreatePartyRequest, options: IdempotentOptions = {}): Call<T.Party> {
    return this.caller.data(operations.create_party, { body, idempotent: true, options });
  }

  /**
   * List parties.
   *
   * Returns the parties of the organization by name, with the people who act for them.
   */
  list(query: T.ListPartiesQuery = {}, options: RequestOptions = {}): List<T.Party> {
    return this.caller.list(operations.list_parties, { query, key: "party_id", options });
  }

  /**
   * Get a party.
   *
   * Returns one party with the people who act for it.
   */
  get(party_id: T.PartyId, options: RequestOptions = {}): Call<T.Party> {
    return this.caller.data(operations.get_party, { params: { party_id }, options });
  }

  /**
   * Change a party.
   *
   * Changes name, identifier or address. Registers, acts and certificates keep what they said.
   */
  update(party_id: T.PartyId, body: T.UpdatePartyRequest = {}, options: ConditionalOptions = {}): Call<T.Party> {
    return this.caller.data(operations.update_party, { params: { party_id }, body, options });
  }
}

export class ActsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Propose an act on a vaulted record.
   *
   * Proposes a change of who controls or keeps the record. It takes effect when everyone in needs has confirmed, or immediately if no one is asked. After 14 days it expires, and it is superseded when another act takes effect first. What each kind needs is in docs/vault-api.md. transfer_out, export_out, paper_out and destroy also need the scope vault:release.
   */
  propose(envelope_id: T.EnvelopeId, body: T.ProposeActRequest, options: IdempotentOptions = {}): Call<T.Act> {
    return this.caller.data(operations.propose_act, { params: { envelope_id }, body, idempotent: true, options });
  }

  /**
   * List acts.
   *
   * Returns the acts of the organization, newest first. Poll with updated_since to learn about decisions. For a member with the role custodian: the acts on the records that they keep.
   */
  list(query: T.ListActsQuery = {}, options: RequestOptions = {}): List<T.Act> {
    return this.caller.list(operations.list_acts, { query, key: "act_id", options });
  }

  /**
   * List acts of others that ask this organization.
   *
   * Returns the open acts of other organizations of this installation in which yours is a party, newest first.
   */
  requests(options: RequestOptions = {}): Call<T.Act[]> {
    return this.caller.data(operations.list_act_requests, { options });
  }

  /**
   * Get an act.
   *
   * Returns one act with its document, those it asks, and their decisions; also an act of another organization that asks yours.
   */
  get(act_id: T.ActId, options: RequestOptions = {}): Call<T.Act> {
    return this.caller.data(operations.get_act, { params: { act_id }, options });
  }

  /**
   * Confirm or refuse an act.
   *
   * Decides for this organization: as a party to another organization's act, as an admin, or as the custodian who receives a record. sha256 must be that of the act you read. No one decides about what they proposed, or decides twice; all keys that one person created count as that person. Idempotency-Key is not supported, because an act of another organization is decided in that organization's transaction: after a lost response, read the act.
   */
  decide(act_id: T.ActId, body: T.DecideActRequest, options: RequestOptions = {}): Call<T.Act> {
    return this.caller.data(operations.decide_act, { params: { act_id }, body, options });
  }

  /**
   * Cancel an act.
   *
   * Withdraws an open act of your organization. Nothing changes for the record.
   */
  cancel(act_id: T.ActId, options: IdempotentOptions = {}): Call<T.Act> {
    return this.caller.data(operations.cancel_act, { params: { act_id }, idempotent: true, options });
  }

  /**
   * List the messages about an act.
   *
   * Returns every message about an act of yours that asks another installation, sent and received, with its signature. The request can be handed to the other side as a file if the two installations cannot reach each other.
   */
  messages(act_id: T.ActId, options: RequestOptions = {}): Call<T.ActMessage[]> {
    return this.caller.data(operations.list_act_messages, { params: { act_id }, options });
  }

  /**
   * List the records that an act is about.
   *
   * Returns the records of an act on many, in the order of the Merkle tree whose root its document names; also of an act of another organization that asks yours.
   */
  items(act_id: T.ActId, query: T.ListActItemsQuery = {}, options: RequestOptions = {}): Call<T.ControlBatchItems> {
    return this.caller.data(operations.list_act_items, { params: { act_id }, query, options });
  }

  /**
   * Download the records that an act is about as CSV.
   *
   * Returns all records of an act on many, for spreadsheets.
   */
  csv(act_id: T.ActId, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.get_act_csv, { params: { act_id }, options });
  }
}

export class RemoteRequestsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * List requests of other installations.
   *
   * Returns the acts of organizations at other installations that ask yours, newest first. Only vaults that you have pinned can ask. Poll with updated_since.
   */
  list(query: T.ListRemoteRequestsQuery = {}, options: RequestOptions = {}): List<T.RemoteRequest> {
    return this.caller.list(operations.list_remote_requests, { query, key: "request_id", options });
  }

  /**
   * Get a request of another installation.
   *
   * Returns one request with the document of the act.
   */
  get(request_id: T.RemoteRequestId, options: RequestOptions = {}): Call<T.RemoteRequest> {
    return this.caller.data(operations.get_remote_request, { params: { request_id }, options });
  }

  /**
   * Confirm or refuse a request of another installation.
   *
   * Decides for this organization. sha256 must be that of the document you read. The decision is signed by this installation and sent to the other one, with the name and e-mail address of the member who decided, or who created the key. It cannot be withdrawn.
   */
  decide(request_id: T.RemoteRequestId, body: T.DecideRemoteRequestRequest, options: IdempotentOptions = {}): Call<T.RemoteRequest> {
    return this.caller.data(operations.decide_remote_request, { params: { request_id }, body, idempotent: true, options });
  }

  /**
   * List the messages of a request.
   *
   * Returns every message of a request of another installation, sent and received, with its signature. The decision can be handed to the other side as a file if the two installations cannot reach each other.
   */
  messages(request_id: T.RemoteRequestId, options: RequestOptions = {}): Call<T.ActMessage[]> {
    return this.caller.data(operations.list_remote_request_messages, { params: { request_id }, options });
  }

  /**
   * Hand over a message about an act.
   *
   * Takes a message of another installation that came as a file, as if that installation had sent it. It must be for this organization. A repeated message changes nothing.
   */
  receive(body: T.ReceiveActMessageRequest, options: RequestOptions = {}): Call<T.ActMessageReceived> {
    return this.caller.data(operations.receive_act_message, { body, options });
  }
}

export class ControlBatchesResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Propose one act on many records.
   *
   * Proposes one act on up to 5000 records of one controller, which the parties confirm once; after 14 days it expires. When everyone has confirmed, each record changes in its own transaction, and those that cannot are skipped. re_evaluate and evidence need no confirmation and start immediately. Returns 422 and names up to 100 records that cannot be in the batch. transfer_out also needs the scope vault:release.
   */
  create(body: T.CreateControlBatchRequest, options: IdempotentOptions = {}): Call<T.ControlBatch> {
    return this.caller.data(operations.create_control_batch, { body, idempotent: true, options });
  }

  /**
   * List control batches.
   *
   * Returns the control batches of the organization, newest first, with how many of their records are done and skipped.
   */
  list(query: T.ListControlBatchesQuery = {}, options: RequestOptions = {}): List<T.ControlBatch> {
    return this.caller.list(operations.list_control_batches, { query, key: "control_batch_id", options });
  }

  /**
   * Get a control batch.
   *
   * Returns a control batch and how many of its records are done and skipped. Its act shows who has confirmed.
   */
  get(control_batch_id: T.ControlBatchId, options: RequestOptions = {}): Call<T.ControlBatch> {
    return this.caller.data(operations.get_control_batch, { params: { control_batch_id }, options });
  }

  /**
   * List the records of a control batch.
   *
   * Returns the records of a control batch in the order of its Merkle tree, each with its result.
   */
  items(control_batch_id: T.ControlBatchId, query: T.ListControlBatchItemsQuery = {}, options: RequestOptions = {}): List<T.ControlBatchItem> {
    return this.caller.list(operations.list_control_batch_items, { params: { control_batch_id }, query, key: "index", options });
  }

  /**
   * Download the records of a control batch as CSV.
   *
   * Returns all records of a control batch with their results, for spreadsheets.
   */
  csv(control_batch_id: T.ControlBatchId, options: RequestOptions = {}): Call<Download<never>> {
    return this.caller.file(operations.get_control_batch_csv, { params: { control_batch_id }, options });
  }

  /**
   * Get the signed report of a control batch.
   *
   * Returns the result of every record, signed by this installation. Returns 409 until the state is done, or cancelled after some records were done.
   */
  report(control_batch_id: T.ControlBatchId, options: RequestOptions = {}): Call<T.ControlBatchReport> {
    return this.caller.data(operations.get_control_batch_report, { params: { control_batch_id }, options });
  }

  /**
   * Cancel a control batch.
   *
   * Withdraws a proposed batch; nothing changes for its records. Once everyone has confirmed, it cannot be cancelled. A batch of kind re_evaluate or evidence stops, and its remaining records are skipped.
   */
  cancel(control_batch_id: T.ControlBatchId, options: IdempotentOptions = {}): Call<T.ControlBatch> {
    return this.caller.data(operations.cancel_control_batch, { params: { control_batch_id }, idempotent: true, options });
  }
}

export class AuditGrantsResource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Let a party look at records.
   *
   * Lets the people of a party see vaulted records at /p/ until the given time: their state, checks and certificate, with may_download also the marked copy, the certificate and the evidence bundle. Name the records (at most 1000), or a filter, which also covers records that match it later. Every view and download is recorded in the access log of the record.
   */
  create(body: T.CreateAuditGrantRequest, options: IdempotentOptions = {}): Call<T.AuditGrant> {
    return this.caller.data(operations.create_audit_grant, { body, idempotent: true, options });
  }

  /**
   * List audit grants.
   *
   * Returns what parties may look at as auditors, newest first, with grants that ended or were revoked.
   */
  list(query: T.ListAuditGrantsQuery = {}, options: RequestOptions = {}): List<T.AuditGrant> {
    return this.caller.list(operations.list_audit_grants, { query, key: "grant_id", options });
  }

  /**
   * Revoke an audit grant.
   *
   * Ends a grant at once: from the next request on, its records are not found for the people of the party.
   */
  revoke(grant_id: T.AuditGrantId, options: RequestOptions = {}): Call<T.AuditGrant> {
    return this.caller.data(operations.revoke_audit_grant, { params: { grant_id }, options });
  }
}

/** Every operation, by resource. */
export class Resources {
  readonly sessions: SessionsResource;
  readonly me: MeResource;
  readonly members: MembersResource;
  readonly invitations: InvitationsResource;
  readonly organization: OrganizationResource;
  readonly sandboxes: SandboxesResource;
  readonly apiKeys: ApiKeysResource;
  readonly customers: CustomersResource;
  readonly contacts: ContactsResource;
  readonly templates: TemplatesResource;
  readonly envelopes: EnvelopesResource;
  readonly tags: TagsResource;
  readonly certificationTerms: CertificationTermsResource;
  readonly bulkBatches: BulkBatchesResource;
  readonly forms: FormsResource;
  readonly views: ViewsResource;
  readonly notifications: NotificationsResource;
  readonly outbox: OutboxResource;
  readonly test: TestResource;
  readonly mailTexts: MailTextsResource;
  readonly mailSender: MailSenderResource;
  readonly embed: EmbedResource;
  readonly legalTexts: LegalTextsResource;
  readonly webhookEndpoints: WebhookEndpointsResource;
  readonly deliveries: DeliveriesResource;
  readonly events: EventsResource;
  readonly eventTypes: EventTypesResource;
  readonly org: OrgResource;
  readonly vault: VaultResource;
  readonly compliance: ComplianceResource;
  readonly custody: CustodyResource;
  readonly remoteVaults: RemoteVaultsResource;
  readonly vaultTransfers: VaultTransfersResource;
  readonly registry: RegistryResource;
  readonly parties: PartiesResource;
  readonly acts: ActsResource;
  readonly remoteRequests: RemoteRequestsResource;
  readonly controlBatches: ControlBatchesResource;
  readonly auditGrants: AuditGrantsResource;

  constructor(caller: Caller) {
    this.sessions = new SessionsResource(caller);
    this.me = new MeResource(caller);
    this.members = new MembersResource(caller);
    this.invitations = new InvitationsResource(caller);
    this.organization = new OrganizationResource(caller);
    this.sandboxes = new SandboxesResource(caller);
    this.apiKeys = new ApiKeysResource(caller);
    this.customers = new CustomersResource(caller);
    this.contacts = new ContactsResource(caller);
    this.templates = new TemplatesResource(caller);
    this.envelopes = new EnvelopesResource(caller);
    this.tags = new TagsResource(caller);
    this.certificationTerms = new CertificationTermsResource(caller);
    this.bulkBatches = new BulkBatchesResource(caller);
    this.forms = new FormsResource(caller);
    this.views = new ViewsResource(caller);
    this.notifications = new NotificationsResource(caller);
    this.outbox = new OutboxResource(caller);
    this.test = new TestResource(caller);
    this.mailTexts = new MailTextsResource(caller);
    this.mailSender = new MailSenderResource(caller);
    this.embed = new EmbedResource(caller);
    this.legalTexts = new LegalTextsResource(caller);
    this.webhookEndpoints = new WebhookEndpointsResource(caller);
    this.deliveries = new DeliveriesResource(caller);
    this.events = new EventsResource(caller);
    this.eventTypes = new EventTypesResource(caller);
    this.org = new OrgResource(caller);
    this.vault = new VaultResource(caller);
    this.compliance = new ComplianceResource(caller);
    this.custody = new CustodyResource(caller);
    this.remoteVaults = new RemoteVaultsResource(caller);
    this.vaultTransfers = new VaultTransfersResource(caller);
    this.registry = new RegistryResource(caller);
    this.parties = new PartiesResource(caller);
    this.acts = new ActsResource(caller);
    this.remoteRequests = new RemoteRequestsResource(caller);
    this.controlBatches = new ControlBatchesResource(caller);
    this.auditGrants = new AuditGrantsResource(caller);
  }
}
