import { Type } from "typebox";
import { session } from "../accounts/examples.ts";
import { presentSession } from "../accounts/present.ts";
import { DONE, Done, EndedView, SessionView } from "../accounts/shapes.ts";
import { listSessions } from "../accounts/store.ts";
import { MAX_CIDRS } from "../http/address-list.ts";
import { type Endpoint, endpoint, listing, reading } from "../http/endpoint.ts";
import { about, idOf, named, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import type { UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { changeSecurity } from "./change-security.ts";
import * as examples from "./examples.ts";
import { endAllSessions, endMemberSession, endMemberSessions, requestFactorReset } from "./member-sessions.ts";
import type { SettingsDeps } from "./org.ts";
import { presentSecurity } from "./present.ts";
import { findSecurity } from "./security-store.ts";
import { hasMember } from "./store.ts";

const days = (minimum: number, maximum: number, description: string) => Type.Integer({ minimum, maximum, description });

const security = {
  second_factor: Type.Enum(["off", "required"], {
    description:
      "required: after the days of grace, a member without a second factor can only add one. Until then everything else returns 403 `enrollment_required`",
  }),
  grace_days: days(0, 30, "How many days members have to add a second factor, from the day it became required or they joined"),
  remember_device_days: days(
    0,
    90,
    "How many days a browser in which a member proved a second factor needs the password alone, if the member asked for it. 0: never",
  ),
  idle_minutes: Type.Integer({
    minimum: 5,
    maximum: 1440,
    description:
      "A session ends after this many minutes without a request, at most a minute late. Lists on a visible page of the console are refreshed by requests",
  }),
  max_hours: Type.Integer({ minimum: 1, maximum: 168, description: "A session ends this many hours after the log-in" }),
  min_password: Type.Integer({
    minimum: 12,
    maximum: 64,
    description: "The fewest characters of a new password. Existing passwords keep working",
  }),
  max_key_days: about(
    nullable(Type.Integer({ minimum: 1, maximum: 1825 })),
    "How many days ahead `expires_at` of an API key can be that is created or changed from now on; a new key without one gets the latest. Existing keys go on. Null: no limit",
  ),
  sso_mode: Type.Enum(["off", "optional", "required"], {
    description:
      "optional: members can log in with a connection of `/org/sso`. required: other log-ins get 403 `sso_required`, and sessions that began with one end with their next request, except those of `break_glass`",
  }),
  min_identity_level: Type.Integer({
    minimum: 0,
    maximum: 2,
    description:
      "What everyone who acts on an envelope must at least prove, from the next envelope that is sent. 1: a code by e-mail is asked of people of whom nothing else is. 2: an access code or identity questions, and a code by e-mail, which is added; sending without one of the two is 422 `identity_level_too_low`. The levels are those of this service, not of eIDAS",
  }),
  embed_identity: Type.Enum(["partner", "same"], {
    description:
      "partner: level 1 is not asked of people with an embed token; it is left to your application, or to the member whose session made the token. same: it is. Visitors of public forms are always asked, and what a sender requires is too",
  }),
};
const BreakGlass = Type.Array(idOf("user"), {
  maxItems: 2,
  uniqueItems: true,
  description:
    "At most 2 admins with a second factor, who log in without single sign-on where it is required. All admins get an e-mail each time. Only shown to members with the permission security:manage",
});
const AllowedCidrs = Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
  maxItems: MAX_CIDRS,
  description:
    "The addresses from which members use the organization, as ranges such as `203.0.113.0/24`. Empty: all. From other addresses log-ins get 403 `address_not_allowed`, and requests of sessions 401. API keys have lists of their own. Only shown to members with the permission security:manage",
});
const SecurityBody = Type.Partial(Type.Object({ ...security, break_glass: BreakGlass, allowed_cidrs: AllowedCidrs }));
const SecurityView = named(
  "OrganizationSecurity",
  Type.Object({
    ...security,
    break_glass: Type.Optional(BreakGlass),
    allowed_cidrs: Type.Optional(AllowedCidrs),
    second_factor_since: about(OptionalTimestamp, "When a second factor became required"),
    updated_at: Timestamp,
  }),
);

/** What the organization demands of its members' log-ins, sessions, passwords and keys, and what admins do about them. */
export function securityEndpoints(deps: SettingsDeps): Endpoint[] {
  return [
    reading({
      name: "get_security",
      summary: "Get the security settings of the organization",
      description:
        "Returns what the organization demands of log-ins, sessions, new passwords and API keys. Every role can call it, because the settings apply to every member.",
      resource: "Organization",
      sdk: "organization.security.get",
      path: "/org/security",
      access: { session: "any" },
      answer: [200, SecurityView],
      examples: { answer: examples.security },
      run: async (member, _input, read) => presentSecurity(await findSecurity(read, member.org), member.session),
    }),
    endpoint({
      name: "update_security",
      summary: "Update the security settings of the organization",
      stepUp: true,
      description:
        "Changes the settings that you send; the others keep their values. Limits of sessions apply from their next request. Returns 409 if you require a second factor and have none yourself, and 422 `would_lock_out` if you require single sign-on without a break-glass admin, or more than an hour after you tested it, or if `allowed_cidrs` does not contain your own address. Each change is recorded in the audit trail with the values before and after.",
      resource: "Organization",
      sdk: "organization.security.update",
      method: "PATCH",
      path: "/org/security",
      access: { permission: "security:manage" },
      followsLive: true,
      body: SecurityBody,
      answer: [200, SecurityView],
      problems: ["factor_missing", "would_lock_out"],
      examples: { request: examples.securityChange, answer: { ...examples.security, ...examples.securityChange } },
      ifMatch: true,
      run: async (admin, { body, unchanged }) =>
        presentSecurity(
          await changeSecurity(deps, admin, { ...body, break_glass: body.break_glass as UserId[] | undefined }, (now) =>
            unchanged(presentSecurity(now, admin.session)),
          ),
          admin.session,
        ),
    }),
    listing({
      name: "list_member_sessions",
      summary: "List the sessions of a member",
      description:
        "Lists the sessions of a member in this organization that have not ended, newest first. Those in its sandboxes are not listed; they end with all others.",
      resource: "Members",
      sdk: "members.sessions.list",
      path: "/org/members/:user_id/sessions",
      access: { permission: "security:manage" },
      params: { user_id: "user" },
      missing: "member_not_found",
      item: SessionView,
      examples: { answer: session },
      run: async (admin, { params, page, limit }, read) => {
        if (!(await hasMember(read, admin.org, params.user_id))) throw new Problem("member_not_found");
        const { items, total } = await listSessions(read, admin.org, params.user_id, { page, limit });
        return { items: items.map((one) => presentSession(one, admin.session.session_id)), total };
      },
    }),
    endpoint({
      name: "end_member_session",
      summary: "End a session of a member",
      stepUp: true,
      description:
        "Ends one session of a member in this organization. Its tokens stop working with the next request, and the member gets an e-mail.",
      resource: "Members",
      sdk: "members.sessions.end",
      method: "DELETE",
      path: "/org/members/:user_id/sessions/:session_id",
      access: { permission: "security:manage" },
      params: { user_id: "user", session_id: "session" },
      missing: "session_not_found",
      answer: [200, Done],
      examples: { answer: DONE },
      run: async (admin, { params }) => {
        await endMemberSession(deps, admin, params.user_id, params.session_id);
        return DONE;
      },
    }),
    endpoint({
      name: "end_member_sessions",
      summary: "End all sessions of a member",
      stepUp: true,
      description:
        "Ends all sessions of a member in this organization and its sandboxes. Their tokens stop working with the next request, and the member gets an e-mail. Sessions in other organizations stay.",
      resource: "Members",
      sdk: "members.sessions.endAll",
      method: "DELETE",
      path: "/org/members/:user_id/sessions",
      access: { permission: "security:manage" },
      params: { user_id: "user" },
      missing: "member_not_found",
      answer: [200, EndedView],
      examples: { answer: { ended: 2 } },
      run: async (admin, { params }) => ({ ended: await endMemberSessions(deps, admin, params.user_id) }),
    }),
    endpoint({
      name: "end_all_sessions",
      summary: "End all sessions of the organization",
      stepUp: true,
      description: "Ends all sessions in this organization and its sandboxes except the caller's. Each person gets an e-mail.",
      resource: "Members",
      sdk: "members.sessions.endAllOfOrganization",
      method: "DELETE",
      path: "/org/sessions",
      access: { permission: "security:manage" },
      answer: [200, EndedView],
      examples: { answer: { ended: 2 } },
      run: async (admin) => ({ ended: await endAllSessions(deps, admin) }),
    }),
    endpoint({
      name: "reset_member_factors",
      summary: "Let a member remove their second factors",
      stepUp: true,
      description:
        "For a member who lost their second factors and recovery codes. Mails them a link that works for 1 hour; with it and their password, their factors are removed and their sessions end. Until then nothing changes. Returns 409 for a person who is in another organization too, unless your organization has verified the domain of their address: only the operator can help them.",
      resource: "Members",
      sdk: "members.resetFactors",
      method: "POST",
      path: "/org/members/:user_id/reset-factors",
      access: { permission: "security:manage" },
      followsLive: true,
      params: { user_id: "user" },
      missing: "member_not_found",
      // About the memberships of a person in all organizations. A repeated request mails another link.
      idempotent: false,
      body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 500, pattern: "\\S", "x-message": "must not be blank" }) }),
      answer: [202, Done],
      problems: ["member_without_factor", "operator_only"],
      examples: { request: examples.factorReset, answer: DONE },
      run: async (admin, { params, body }) => {
        await requestFactorReset(deps, admin, params.user_id, body.reason);
        return DONE;
      },
    }),
  ];
}
