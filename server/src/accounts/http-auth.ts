import { Type } from "typebox";
import type { Read } from "../db/sql.ts";
import { Alternative, Answered, type Endpoint, endpoint, listing, reading } from "../http/endpoint.ts";
import { about, Email, idOf, LocaleName, Name, named, nullable, OptionalTimestamp, RoleName, Timestamp } from "../http/shapes.ts";
import type { Member } from "../shared/caller.ts";
import { isSandbox, type OrgId, type UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { AccountDeps, Membership } from "./account.ts";
import { answerSignedIn } from "./answer-signed-in.ts";
import { changePerson } from "./change-person.ts";
import { listBrowsers, lookUpDeviceOfSession } from "./device-store.ts";
import { deviceCookie } from "./devices.ts";
import { endOtherSessions } from "./end-other-sessions.ts";
import * as examples from "./examples.ts";
import { forgetDevice } from "./forget-device.ts";
import { makeBrowserKnown, requestBrowserLink } from "./known-browser.ts";
import { logIn } from "./log-in.ts";
import { endOwnSession, logOut } from "./log-out.ts";
import { changePassword, confirmPasswordReset, requestPasswordReset } from "./password-reset.ts";
import { lookUpFactorDue } from "./policy-store.ts";
import { presentBrowser, presentMe, presentPending, presentSession } from "./present.ts";
import { endedCookie, refreshTokenOf } from "./refresh-cookie.ts";
import { refreshSession } from "./refresh-session.ts";
import { removePassword } from "./remove-password.ts";
import { reportLogIn } from "./report-log-in.ts";
import {
  DONE,
  Done,
  EndedView,
  LinkToken,
  Mode,
  OrgRef,
  Password,
  Permissions,
  SessionView,
  SignedInView,
  SsoConnection,
  UserView,
} from "./shapes.ts";
import { findOrg, findOwnDetails, listOrgsOf, listSessions } from "./store.ts";

const MembershipView = named(
  "Membership",
  Type.Object({
    org_id: idOf("org"),
    name: Type.String(),
    role: RoleName,
    sandbox_of: Type.Optional(about(idOf("org"), "Only for a sandbox: its organization")),
  }),
);
const MeView = named(
  "CurrentUser",
  Type.Object({
    user: UserView,
    email_verified: Type.Boolean({
      description: "Whether the address is verified. An account with an unverified address cannot join another organization",
    }),
    locale: about(
      nullable(LocaleName),
      "The language in which the user gets documents to sign from their own organizations, if the sender chooses none. Null for that of the organization",
    ),
    has_password: Type.Boolean({ description: "False if only passkeys log in" }),
    second_factor_due_at: about(
      OptionalTimestamp,
      "By when the user must add a second factor, because the organization requires one. Null if nothing is due",
    ),
    org: about(OrgRef, "The organization of this session"),
    role: RoleName,
    permissions: Permissions,
    orgs: Type.Array(MembershipView, {
      description:
        "All organizations of the user, with their sandboxes. A session of single sign-on shows only its own, and in a sandbox the organization with all its sandboxes",
    }),
    sso_connection_id: SsoConnection,
  }),
);
const BrowserView = named(
  "KnownBrowser",
  Type.Object({
    device_id: idOf("device"),
    browser: Type.String({ description: "The browser and its system, as it named itself at its last log-in" }),
    first_ip: Type.String(),
    last_ip: Type.String(),
    created_at: Timestamp,
    last_seen_at: about(Timestamp, "The last log-in"),
    known_until: Timestamp,
    remembered_at: about(
      OptionalTimestamp,
      "When the user asked that this browser replaces their second factor, for as long as each organization allows. Null if they did not",
    ),
    current: Type.Boolean({ description: "Whether the session of this request began in this browser" }),
  }),
);

const DevicesView = named("KnownBrowsers", Type.Object({ devices: Type.Array(BrowserView) }));
const SecondFactorView = named(
  "SecondFactorRequired",
  Type.Object({
    status: Type.Literal("second_factor_required"),
    login_token: Type.String({ description: "For POST /auth/login/second-factor. It opens nothing without a code" }),
    methods: Type.Array(named("SecondFactorMethod", Type.Enum(["totp", "passkey", "recovery_code"])), {
      description: "What completes the log-in",
    }),
    remember_device_days: Type.Integer({
      description:
        "How many days this browser can replace the second factor, with `remember_device`. 0: the organization does not allow it",
    }),
    expires_at: Timestamp,
  }),
);
async function currentUser(read: Read, { org, session }: Member) {
  const { user_id, role } = session;
  const sso = session.sso ?? null;
  const here = { ...(await findOrg(read, org)), role };
  return presentMe({
    user: await findOwnDetails(read, user_id),
    factor_due_at: sso === null ? await lookUpFactorDue(read, org, user_id) : null,
    here,
    all: sso === null ? await listOrgsOf(read, user_id) : await ofOneProvider(read, user_id, here),
    connection_id: sso,
  });
}

/** The identity provider of one org learns nothing about others. In a sandbox, its organization and the other sandboxes are shown too. */
async function ofOneProvider(read: Read, user_id: UserId, here: Membership): Promise<readonly Membership[]> {
  if (!isSandbox(here.org_id)) return [here];
  const all = await listOrgsOf(read, user_id);
  const live = all.find(({ org_id }) => org_id === here.org_id)?.sandbox_of;
  return all.filter(({ org_id, sandbox_of }) => org_id === live || sandbox_of === live);
}

/** Logging in, signing out, sessions and mailed links. */
export function authEndpoints(deps: AccountDeps): Endpoint[] {
  return [
    endpoint({
      name: "log_in",
      summary: "Log in with e-mail and password",
      description:
        "Starts a session in the organization `org_id`, or in the one that the user used last. The token works for 15 minutes; renew it with `POST /auth/refresh`. A wrong e-mail address, password or organization returns the same 401, and too many attempts return 429. For a user with a second factor the response is 202 with the status `second_factor_required` and a `login_token`; complete the log-in with `POST /auth/login/second-factor`. For an organization that requires single sign-on, a correct password returns 403 `sso_required`, and for one that does not allow your address 403 `address_not_allowed`. Programs should use an API key where possible.",
      resource: "Sessions",
      sdk: "sessions.logIn",
      method: "POST",
      path: "/auth/login",
      access: "anyone",
      body: Type.Object({ email: Type.String({ maxLength: 254 }), password: Password, org_id: Type.Optional(idOf("org")), mode: Mode }),
      answer: [200, SignedInView],
      alternative: [202, SecondFactorView],
      problems: ["invalid_credentials", "sso_required", "address_not_allowed", "rate_limited", "passwords_busy"],
      secret: true,
      examples: { request: examples.logIn, answer: examples.signedIn },
      run: async (visitor, { body }) => {
        const logged = await logIn(deps, visitor, { ...body, org_id: body.org_id as OrgId | undefined });
        return "login_token" in logged ? new Alternative(presentPending(logged), 202) : answerSignedIn(deps, logged, body.mode);
      },
    }),
    endpoint({
      name: "refresh_session",
      summary: "Refresh a session",
      description:
        "Exchanges a refresh token for a new token and the next refresh token; each refresh token works once, within 24 hours. Using one twice ends the session. With `org_id` the session switches to another of the user's organizations, or to a sandbox and back. A session ends 7 days after log-in.",
      resource: "Sessions",
      sdk: "sessions.refresh",
      method: "POST",
      path: "/auth/refresh",
      access: "anyone",
      body: Type.Object({
        refresh_token: Type.Optional(Type.String({ maxLength: 200, description: "If it is left out, the cookie is used" })),
        org_id: Type.Optional(idOf("org")),
      }),
      answer: [200, SignedInView],
      problems: ["invalid_refresh_token", "origin_refused", "sso_required", "address_not_allowed", "managed_by_sso"],
      secret: true,
      examples: { request: examples.refresh, answer: examples.refreshed },
      run: async (visitor, { body }) => {
        const shown = refreshTokenOf(deps, visitor, body.refresh_token);
        if (shown === null) throw new Problem("invalid_refresh_token");
        const byCookie = body.refresh_token === undefined;
        const how = { org_id: body.org_id as OrgId | undefined, byCookie, byOldCookie: shown.isOld };
        const signed = await refreshSession(deps, visitor, shown.value, how);
        return answerSignedIn(deps, signed, byCookie ? "cookie" : "token");
      },
    }),
    endpoint({
      name: "log_out",
      summary: "Sign out",
      description:
        "Ends the session of the token in `Authorization`, of the refresh token, or of both. Their tokens stop working with the next request. Ending a session that has already ended is not an error.",
      resource: "Sessions",
      sdk: "sessions.logOut",
      method: "POST",
      path: "/auth/logout",
      access: "anyone",
      body: Type.Object({
        refresh_token: Type.Optional(
          Type.String({ maxLength: 200, description: "If it is left out and there is no token, the cookie is used" }),
        ),
      }),
      answer: [200, Done],
      problems: ["origin_refused"],
      examples: { request: examples.logOut, answer: DONE },
      run: async (visitor, { body }) => {
        // A Bearer token is enough to identify the session, so the origin of a cookie in the same request is not checked.
        const shown = visitor.bearer === null ? refreshTokenOf(deps, visitor, body.refresh_token) : null;
        const refresh_token = shown?.value ?? body.refresh_token ?? null;
        await logOut(deps, visitor, refresh_token);
        return new Answered(DONE, { "set-cookie": endedCookie(deps) });
      },
    }),
    reading({
      name: "get_me",
      summary: "Get the signed-in user",
      description:
        "Returns the current user with their role and its permissions, the organization of this session, and all their organizations.",
      resource: "Sessions",
      sdk: "me.get",
      path: "/auth/me",
      access: { session: "any" },
      answer: [200, MeView],
      examples: { answer: examples.me },
      run: (member, _input, read) => currentUser(read, member),
    }),
    endpoint({
      name: "update_me",
      summary: "Change your name or language",
      description:
        "Changes what you send and keeps the rest. Each organization of the user records the change in its audit trail. Signatures and documents from before keep the name that they have.",
      resource: "Sessions",
      sdk: "me.update",
      method: "PATCH",
      path: "/auth/me",
      access: { session: "any" },
      ownAccount: true,
      body: Type.Object({ name: Type.Optional(Name), locale: Type.Optional(nullable(LocaleName)) }),
      answer: [200, MeView],
      examples: {
        request: examples.personChange,
        answer: { ...examples.me, user: { ...examples.user, name: examples.personChange.name } },
      },
      run: async (member, { body }) => {
        await changePerson(deps, member, body);
        return deps.db.tx(member.org, (tx) => currentUser(tx, member));
      },
    }),
    listing({
      name: "list_sessions",
      summary: "List your sessions",
      description: "Lists the caller's own sessions in this organization that have not ended, newest first.",
      resource: "Sessions",
      sdk: "sessions.list",
      path: "/auth/sessions",
      access: { session: "any" },
      item: SessionView,
      examples: { answer: examples.session },
      run: async (member, { page, limit }, read) => {
        const { items, total } = await listSessions(read, member.org, member.session.user_id, { page, limit });
        return { items: items.map((session) => presentSession(session, member.session.session_id)), total };
      },
    }),
    endpoint({
      name: "end_session",
      summary: "End one of your sessions",
      stepUp: true,
      description:
        "Ends one of the caller's own sessions in this organization, for example on a lost device. Its tokens stop working with the next request. Sessions of other people and sessions that have ended return 404.",
      resource: "Sessions",
      sdk: "sessions.end",
      method: "DELETE",
      path: "/auth/sessions/:session_id",
      access: { session: "any" },
      params: { session_id: "session" },
      missing: "session_not_found",
      answer: [200, Done],
      examples: { answer: DONE },
      run: async (member, { params }) => {
        await endOwnSession(deps, member, params.session_id);
        return DONE;
      },
    }),
    endpoint({
      name: "end_other_sessions",
      summary: "End your other sessions",
      stepUp: true,
      description:
        "Ends all sessions of the caller except this one, in every organization of theirs and its sandboxes, for example after a second factor was added. Their tokens and refresh tokens stop working with the next request. A session of single sign-on ends only those in its own organization. Each organization in which a session ended records it in its audit trail.",
      resource: "Sessions",
      sdk: "sessions.endOthers",
      method: "POST",
      path: "/auth/sessions/end-others",
      access: { session: "any" },
      // About sessions in several organizations. A repeated request finds none that are left.
      idempotent: false,
      answer: [200, EndedView],
      examples: { answer: { ended: 2 } },
      run: async (member) => ({ ended: await endOtherSessions(deps, member) }),
    }),
    reading({
      name: "list_devices",
      summary: "List the browsers that your account knows",
      description:
        "Lists the browsers in which the caller logged in during the last 180 days, the one used last first; at most 50. Failed log-ins elsewhere do not block them. Programs that log in are not listed. A session of single sign-on gets an empty list, because it is limited to its organization.",
      resource: "Sessions",
      sdk: "me.devices.list",
      path: "/auth/devices",
      access: { session: "any" },
      answer: [200, DevicesView],
      examples: { answer: { devices: [examples.browser] } },
      run: async (member, _input, read) => {
        if (member.session.sso !== undefined) return { devices: [] };
        const current = await lookUpDeviceOfSession(read, member.org, member.session.session_id);
        const browsers = await listBrowsers(read, member.session.user_id);
        return { devices: browsers.map((browser) => presentBrowser(browser, current)) };
      },
    }),
    endpoint({
      name: "forget_device",
      summary: "Forget a browser",
      stepUp: true,
      description:
        "The browser is new to the caller's account at its next log-in: it needs the second factor again, and the caller gets an e-mail about the log-in. Sessions in it go on; end them with `DELETE /auth/sessions/:session_id`.",
      resource: "Sessions",
      sdk: "me.devices.forget",
      method: "DELETE",
      path: "/auth/devices/:device_id",
      access: { session: "any" },
      ownAccount: true,
      params: { device_id: "device" },
      missing: "device_not_found",
      answer: [200, Done],
      examples: { answer: DONE },
      run: async (member, { params }) => {
        await forgetDevice(deps, member, params.device_id);
        return DONE;
      },
    }),
    endpoint({
      name: "remove_password",
      summary: "Remove your password",
      stepUp: true,
      description:
        "From then on only passkeys log in. Needs two passkeys and an unused recovery code, otherwise 409. Set a password again with `POST /auth/password`, or with a link by e-mail.",
      resource: "Sessions",
      sdk: "me.removePassword",
      method: "DELETE",
      path: "/auth/password",
      access: { session: "any" },
      ownAccount: true,
      answer: [200, Done],
      problems: ["password_missing", "passkeys_missing"],
      examples: { answer: DONE },
      run: async (member) => {
        await removePassword(deps, member);
        return DONE;
      },
    }),
    endpoint({
      name: "update_password",
      summary: "Change your password",
      stepUp: true,
      ownAccount: true,
      description:
        "Replaces the caller's password; the current password is required, unless the caller has none. All the caller's sessions end, including this one, so log in again. A wrong current password or a weak new one returns 422, and too many attempts return 429.",
      resource: "Sessions",
      sdk: "me.updatePassword",
      method: "POST",
      path: "/auth/password",
      access: { session: "any" },
      // Hashes, and uses several transactions. A repeated request fails anyway, because the current password has changed.
      idempotent: false,
      body: Type.Object({ current_password: Type.Optional(Password), new_password: Password }),
      answer: [200, Done],
      problems: ["passwords_busy"],
      examples: { request: examples.passwordChange, answer: DONE },
      run: async (member: Member, { body }) => {
        await changePassword(deps, member, body.current_password, body.new_password);
        return DONE;
      },
    }),
    endpoint({
      name: "request_password_reset",
      summary: "Mail a link for a new password",
      method: "POST",
      path: "/auth/password-reset",
      access: "anyone",
      body: Type.Object({ email: Email }),
      answer: [202, Done],
      problems: ["rate_limited", "passwords_busy"],
      run: async (visitor, { body }) => {
        await requestPasswordReset(deps, visitor, body.email);
        return DONE;
      },
    }),
    endpoint({
      name: "confirm_password_reset",
      summary: "Set a new password with a mailed link",
      method: "POST",
      path: "/auth/password-reset/confirm",
      access: "anyone",
      body: Type.Object({ token: LinkToken, password: Password }),
      answer: [200, Done],
      problems: ["invalid_link", "passwords_busy"],
      run: async (visitor, { body }) => {
        const device_token = await confirmPasswordReset(deps, visitor, body.token, body.password);
        return device_token === null ? DONE : new Answered(DONE, { "set-cookie": deviceCookie(deps, device_token) });
      },
    }),
    endpoint({
      name: "request_browser_link",
      summary: "E-mail a link that confirms a browser",
      method: "POST",
      path: "/auth/known-browser/request",
      access: "anyone",
      body: Type.Object({ email: Email }),
      answer: [202, Done],
      problems: ["rate_limited", "passwords_busy"],
      run: async (visitor, { body }) => {
        await requestBrowserLink(deps, visitor, body.email);
        return DONE;
      },
    }),
    endpoint({
      name: "know_browser",
      summary: "Make this browser known with a mailed link",
      method: "POST",
      path: "/auth/known-browser",
      access: "anyone",
      body: Type.Object({ token: LinkToken }),
      answer: [200, Done],
      problems: ["invalid_link"],
      run: async (visitor, { body }) =>
        new Answered(DONE, { "set-cookie": deviceCookie(deps, await makeBrowserKnown(deps, visitor, body.token)) }),
    }),
    endpoint({
      name: "report_log_in",
      summary: "Report a log-in and end its session",
      method: "POST",
      path: "/auth/not-me",
      access: "anyone",
      body: Type.Object({ token: LinkToken }),
      answer: [200, Done],
      problems: ["invalid_link"],
      run: async (visitor, { body }) => {
        await reportLogIn(deps, visitor, body.token);
        return DONE;
      },
    }),
  ];
}
