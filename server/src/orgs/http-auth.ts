import { Type } from "typebox";
import { Alternative, Answered, type Endpoint, endpoint, listing, reading } from "../http/endpoint.ts";
import { about, Email, idOf, Name, named, RoleName, Timestamp } from "../http/shapes.ts";
import type { Member } from "../shared/caller.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { acceptInSession, acceptInvitation, previewInvitation } from "./accept-invitation.ts";
import { deviceCookie } from "./devices.ts";
import * as examples from "./examples.ts";
import { makeBrowserKnown, requestBrowserLink } from "./known-browser.ts";
import { type LoggedIn, logIn } from "./log-in.ts";
import { endOwnSession, logOut } from "./log-out.ts";
import type { OrgDeps } from "./org.ts";
import { changePassword, confirmPasswordReset, requestPasswordReset } from "./password-reset.ts";
import { presentJoined, presentMe, presentSession, presentSignedIn } from "./present.ts";
import { endedCookie, refreshCookie, refreshTokenOf } from "./refresh-cookie.ts";
import { refreshSession } from "./refresh-session.ts";
import { reportLogIn } from "./report-log-in.ts";
import { setUpByLink } from "./setup.ts";
import type { SignedIn } from "./start-session.ts";
import { findOrg, findUser, isEmailVerified, listMemberships, listSessions } from "./store.ts";

const PersonName = Name;
export const OrgName = Name;
const Password = Type.String({ maxLength: 1000, description: "12 to 128 characters" });
const LinkToken = Type.String({ minLength: 1, maxLength: 200 });
const Mode = Type.Optional(
  about(
    named("SessionMode", Type.Enum(["cookie", "token"])),
    "`token`: the refresh token is in the response, for programs. `cookie` (the default): it is set as a cookie that scripts cannot read",
  ),
);

const OrgRef = named("OrganizationReference", Type.Object({ org_id: idOf("org"), name: Type.String() }));
const UserView = named("User", Type.Object({ user_id: idOf("user"), email: Type.String(), name: Type.String() }));
const SignedInView = named(
  "SessionTokens",
  Type.Object({
    token: Type.String({ description: "For the header Authorization: Bearer" }),
    expires_at: about(Timestamp, "When the token expires; get the next one with POST /auth/refresh"),
    refresh_token: Type.Optional(Type.String({ description: "Only in the mode `token`" })),
    user: UserView,
    org: OrgRef,
    role: RoleName,
  }),
);
const JoinedView = named("JoinedOrganization", Type.Object({ user: UserView, org: OrgRef, role: RoleName }));
const MembershipView = named("Membership", Type.Object({ org_id: idOf("org"), name: Type.String(), role: RoleName }));
const MeView = named(
  "CurrentUser",
  Type.Object({
    user: UserView,
    email_verified: Type.Boolean({
      description: "Whether the address is verified. An account with an unverified address cannot join another organization",
    }),
    org: about(OrgRef, "The organization of this session"),
    role: RoleName,
    orgs: Type.Array(MembershipView, { description: "All organizations of the user" }),
  }),
);
const SessionView = named(
  "Session",
  Type.Object({
    session_id: idOf("session"),
    ip: Type.String(),
    user_agent: Type.String(),
    created_at: Timestamp,
    last_used_at: Timestamp,
    expires_at: Timestamp,
    current: Type.Boolean({ description: "Whether this is the session of the current request" }),
  }),
);
const InvitationPreview = named("InvitationPreview", Type.Object({ org_name: Type.String(), email: Type.String(), role: RoleName }));
export const Done = named("Done", Type.Object({ done: Type.Literal(true) }));
export const DONE = { done: true } as const;

/** Set-up, logging in, signing out and mailed links: the operations that work without a session. */
export function authEndpoints(deps: OrgDeps): Endpoint[] {
  const signedIn = (signed: SignedIn & Partial<LoggedIn>, mode: "cookie" | "token" | undefined) => {
    const data = presentSignedIn(signed, mode === "token");
    if (mode === "token") return data;
    const { refresh_token, device_token = null } = signed;
    const cookies = [refreshCookie(deps, refresh_token), ...(device_token === null ? [] : [deviceCookie(deps, device_token)])];
    return new Answered(data, { "set-cookie": cookies });
  };
  return [
    endpoint({
      name: "set_up",
      summary: "Create the first organization and its admin",
      method: "POST",
      path: "/setup",
      access: "anyone",
      body: Type.Object({ token: LinkToken, org_name: OrgName, name: PersonName, email: Email, password: Password, mode: Mode }),
      answer: [201, SignedInView],
      problems: ["invalid_link", "setup_done", "account_exists", "passwords_busy"],
      secret: true,
      run: async (visitor, { body }) => signedIn(await setUpByLink(deps, visitor, body.token, body), body.mode),
    }),
    endpoint({
      name: "log_in",
      summary: "Log in with e-mail and password",
      description:
        "Starts a session in the organization `org_id`, or in the one that the user used last. The token works for 15 minutes; renew it with `POST /auth/refresh`. A wrong e-mail address, password or organization returns the same 401, and too many attempts return 429. Programs should use an API key where possible.",
      resource: "Sessions",
      sdk: "sessions.logIn",
      method: "POST",
      path: "/auth/login",
      access: "anyone",
      body: Type.Object({ email: Type.String({ maxLength: 254 }), password: Password, org_id: Type.Optional(idOf("org")), mode: Mode }),
      answer: [200, SignedInView],
      problems: ["invalid_credentials", "rate_limited", "passwords_busy"],
      secret: true,
      examples: { request: examples.logIn, answer: examples.signedIn },
      run: async (visitor, { body }) =>
        signedIn(await logIn(deps, visitor, { ...body, org_id: body.org_id as OrgId | undefined }), body.mode),
    }),
    endpoint({
      name: "refresh_session",
      summary: "Refresh a session",
      description:
        "Exchanges a refresh token for a new token and the next refresh token; each refresh token works once, within 24 hours. Using one twice ends the session. With `org_id` the session switches to another of the user's organizations. A session ends 7 days after log-in.",
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
      problems: ["invalid_refresh_token", "origin_refused"],
      secret: true,
      examples: { request: examples.refresh, answer: examples.refreshed },
      run: async (visitor, { body }) => {
        const refresh_token = refreshTokenOf(deps, visitor, body.refresh_token);
        if (refresh_token === null) throw new Problem("invalid_refresh_token");
        const byCookie = body.refresh_token === undefined;
        const signed = await refreshSession(deps, visitor, refresh_token, { org_id: body.org_id as OrgId | undefined, byCookie });
        return signedIn(signed, byCookie ? "cookie" : "token");
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
        const refresh_token = visitor.bearer === null ? refreshTokenOf(deps, visitor, body.refresh_token) : (body.refresh_token ?? null);
        await logOut(deps, visitor, refresh_token);
        return new Answered(DONE, { "set-cookie": endedCookie(deps) });
      },
    }),
    reading({
      name: "get_me",
      summary: "Get the signed-in user",
      description: "Returns the current user with their role, the organization of this session, and all their organizations.",
      resource: "Sessions",
      sdk: "me.get",
      path: "/auth/me",
      access: { role: "custodian" },
      answer: [200, MeView],
      examples: { answer: examples.me },
      run: async (member, _input, read) => {
        const user = await findUser(read, member.session.user_id);
        const here = { ...(await findOrg(read, member.org)), role: member.session.role };
        const isVerified = await isEmailVerified(read, member.session.user_id);
        return presentMe(user, isVerified, here, await listMemberships(read, member.session.user_id));
      },
    }),
    listing({
      name: "list_sessions",
      summary: "List your sessions",
      description: "Lists the caller's own sessions in this organization that have not ended, newest first.",
      resource: "Sessions",
      sdk: "sessions.list",
      path: "/auth/sessions",
      access: { role: "custodian" },
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
      description:
        "Ends one of the caller's own sessions in this organization, for example on a lost device. Its tokens stop working with the next request. Sessions of other people and sessions that have ended return 404.",
      resource: "Sessions",
      sdk: "sessions.end",
      method: "DELETE",
      path: "/auth/sessions/:session_id",
      access: { role: "custodian" },
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
      name: "update_password",
      summary: "Change your password",
      description:
        "Replaces the caller's password; the current password is required. All the caller's sessions end, including this one, so log in again. A wrong current password or a weak new one returns 422, and too many attempts return 429.",
      resource: "Sessions",
      sdk: "me.updatePassword",
      method: "POST",
      path: "/auth/password",
      access: { role: "custodian" },
      // Hashes, and uses several transactions. A repeated request fails anyway, because the current password has changed.
      idempotent: false,
      body: Type.Object({ current_password: Password, new_password: Password }),
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
    endpoint({
      name: "preview_invitation",
      summary: "Preview an invitation",
      method: "POST",
      path: "/auth/invitations/preview",
      access: "anyone",
      body: Type.Object({ token: LinkToken }),
      answer: [200, InvitationPreview],
      problems: ["invalid_link"],
      run: (_visitor, { body }) => previewInvitation(deps, body.token),
    }),
    endpoint({
      name: "accept_invitation",
      summary: "Accept an invitation",
      method: "POST",
      path: "/auth/invitations/accept",
      access: "anyone",
      body: Type.Object({ token: LinkToken, password: Type.Optional(Password), name: Type.Optional(PersonName), mode: Mode }),
      answer: [201, SignedInView],
      alternative: [200, JoinedView],
      problems: [
        "invalid_link",
        "sign_in_to_join",
        "invalid_session",
        "invitation_for_other_address",
        "address_not_verified",
        "already_member",
        "rate_limited",
        "passwords_busy",
      ],
      secret: true,
      run: async (visitor, { body }) => {
        if (visitor.bearer === null) return signedIn(await acceptInvitation(deps, visitor, body.token, body), body.mode);
        return new Alternative(presentJoined(await acceptInSession(deps, visitor, visitor.bearer, body.token)));
      },
    }),
  ];
}
