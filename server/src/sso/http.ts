import { type Static, Type } from "typebox";
import { answerSignedIn } from "../accounts/answer-signed-in.ts";
import { DONE, Done, Mode, SignedInView } from "../accounts/shapes.ts";
import { Alternative, Answered, type Endpoint, endpoint, reading } from "../http/endpoint.ts";
import { about, Email, idOf, iso, isoOrNull, named, nullable, OptionalTimestamp, RoleName, Timestamp } from "../http/shapes.ts";
import type { ConnectionId, OrgId } from "../shared/ids.ts";
import { browserCookie } from "./browser.ts";
import { changeConnection, checkConnection, createConnection, removeConnection } from "./change-connection.ts";
import { type Connection, connectionStates, type SsoDeps } from "./connection.ts";
import * as examples from "./examples.ts";
import { finishSso } from "./finish.ts";
import { redirectUriOf, type Started, startSso, startTest } from "./start.ts";
import { listConnections } from "./store.ts";

const Line = (maxLength: number, description?: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: "^\\P{Cc}+$",
    "x-message": "must be one line",
    ...(description !== undefined && { description }),
  });
const RoleRuleView = named(
  "SsoRoleRule",
  Type.Object(
    { value: Line(200, "A value of the claim `role_claim`"), role: RoleName },
    { description: "The role for a value of the claim" },
  ),
);
const settings = {
  name: Line(60),
  issuer: Type.String({ minLength: 1, maxLength: 500, description: "The issuer's address, exactly as the provider publishes it" }),
  client_id: Line(200),
  scopes: Type.Array(
    Type.String({ minLength: 1, maxLength: 100, pattern: "^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$", "x-message": "must have no spaces" }),
    {
      minItems: 1,
      maxItems: 20,
      description: "What we ask the provider for; `openid` and `email` are needed",
    },
  ),
  role_claim: about(
    nullable(Line(200)),
    "The claim of the ID token that names roles, such as `roles` or `realm_access.roles`. The role is then set at each log-in, and other changes of it return 409. Null: members keep the role that they are given by hand",
  ),
  role_map: Type.Array(RoleRuleView, { maxItems: 50, description: "The first one whose value is in the claim decides" }),
  default_role: about(nullable(RoleName), "The role if no rule applies, and of new members without `role_claim`. Null: they get no access"),
  trust_email: Type.Boolean({
    description: "Whether an address counts that the provider says it did not verify. Only in domains that are proved by DNS",
  }),
  required_acr: about(
    nullable(Line(200)),
    "The value that the claim `acr` must have. With it or `required_amr`, a log-in counts as a second factor",
  ),
  required_amr: about(
    nullable(Type.Array(Line(60), { minItems: 1, maxItems: 10 })),
    "Values that the claim `amr` must contain, such as `mfa`",
  ),
  max_hours: Type.Integer({
    minimum: 1,
    maximum: 168,
    description: "A session ends this many hours after the log-in, or earlier if the organization demands it",
  }),
  provision: named(
    "SsoProvisioning",
    Type.Enum(["off", "create"], { description: "create: who logs in for the first time becomes a member. off: only members log in" }),
  ),
};
const Secret = Type.String({ minLength: 1, maxLength: 500, description: "Stored encrypted and never shown" });
const { name, issuer, client_id, ...others } = settings;
const NewBody = Type.Object({ name, issuer, client_id, client_secret: Secret, ...Type.Partial(Type.Object(others)).properties });
const ChangeBody = Type.Partial(
  Type.Object({
    ...settings,
    client_secret: Secret,
    state: Type.Enum(["active", "disabled"], { description: "`disabled` also ends the sessions that were started with it" }),
  }),
);
const RedirectUri = Type.String({
  description: "The address to register at the provider. All connections of the organization have the same",
});
const ConnectionView = named(
  "SsoConnection",
  Type.Object({
    connection_id: idOf("ssoConnection"),
    ...settings,
    state: named("SsoConnectionState", Type.Enum([...connectionStates])),
    redirect_uri: RedirectUri,
    tested_at: about(OptionalTimestamp, "When an admin last tested it with success. Null: not since it was changed"),
    tested_by: nullable(idOf("user")),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);
const ConnectionsView = named("SsoConnections", Type.Object({ connections: Type.Array(ConnectionView), redirect_uri: RedirectUri }));
const StartedView = named(
  "SsoStart",
  Type.Object({ redirect_url: Type.String({ description: "Where to send the browser" }), expires_at: Timestamp }),
);
const CheckedView = named(
  "SsoChecked",
  Type.Object({
    status: named("SsoCheckedStatus", Type.Enum(["confirmed", "tested"])),
    confirmed_until: Type.Optional(Timestamp),
    subject: Type.Optional(Type.String({ description: "Of a test: the person's identifier at the provider" })),
    email: Type.Optional(Type.String()),
    role: Type.Optional(about(nullable(RoleName), "Of a test: the role that the rules give; null if roles are given by hand")),
  }),
);

const present = (deps: SsoDeps, org: OrgId, connection: Connection): Static<typeof ConnectionView> => ({
  connection_id: connection.connection_id,
  name: connection.name,
  issuer: connection.issuer,
  client_id: connection.client_id,
  scopes: [...connection.scopes],
  role_claim: connection.role_claim,
  role_map: connection.role_map.map(({ value, role }) => ({ value, role })),
  default_role: connection.default_role,
  trust_email: connection.trust_email,
  required_acr: connection.required_acr,
  required_amr: connection.required_amr === null ? null : [...connection.required_amr],
  max_hours: connection.max_hours,
  provision: connection.provision,
  state: connection.state,
  redirect_uri: redirectUriOf(deps, org),
  tested_at: isoOrNull(connection.tested_at),
  tested_by: connection.tested_by,
  created_at: iso(connection.created_at),
  updated_at: iso(connection.updated_at),
});

function answerStarted(deps: SsoDeps, { redirect_url, expires_at, browser }: Started): Answered<Static<typeof StartedView>> {
  return new Answered({ redirect_url, expires_at: iso(expires_at) }, { "set-cookie": browserCookie(deps, browser) });
}

const shared = { resource: "Organization", access: { permission: "security:manage" } } as const;

/** Connections to identity providers, and log-ins with them. */
const DEFAULTS = {
  scopes: ["openid", "email", "profile"],
  role_claim: null,
  role_map: [],
  default_role: null,
  trust_email: false,
  required_acr: null,
  required_amr: null,
  max_hours: 12,
  provision: "off",
} as const;

export function ssoEndpoints(deps: SsoDeps): Endpoint[] {
  return [
    endpoint({
      name: "start_sso",
      summary: "Begin a log-in with single sign-on",
      method: "POST",
      path: "/auth/sso/start",
      access: "anyone",
      body: Type.Object({
        email: Type.Optional(Email),
        connection_id: Type.Optional(idOf("ssoConnection")),
        purpose: Type.Optional(Type.Enum(["login", "confirm"])),
      }),
      answer: [200, StartedView],
      problems: ["sso_not_offered", "identity_provider_away", "invalid_session", "passwords_busy"],
      run: async (visitor, { body }) =>
        answerStarted(deps, await startSso(deps, visitor, { ...body, connection_id: body.connection_id as ConnectionId | undefined })),
    }),
    endpoint({
      name: "finish_sso",
      summary: "Finish a log-in with single sign-on",
      method: "POST",
      path: "/auth/sso/finish",
      access: "anyone",
      body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 200 }), mode: Mode }),
      answer: [201, SignedInView],
      alternative: [200, CheckedView],
      problems: ["invalid_sso_code", "origin_refused", "not_provisioned", "address_not_allowed"],
      secret: true,
      run: async (visitor, { body }) => {
        const finished = await finishSso(deps, visitor, body.code);
        if (finished.kind === "login") return answerSignedIn(deps, finished.signed, body.mode);
        if (finished.kind === "confirm") return new Alternative({ status: "confirmed", confirmed_until: iso(finished.confirmed_until) });
        return new Alternative({ status: "tested", ...finished.tested });
      },
    }),
    reading({
      ...shared,
      name: "get_sso_connections",
      summary: "Get the connections for single sign-on",
      description:
        "Returns the organization's connections to identity providers, newest first, and the address to register at a provider before you connect it. Client secrets are never shown.",
      sdk: "organization.sso.list",
      path: "/org/sso",
      answer: [200, ConnectionsView],
      examples: { answer: { connections: [examples.connection], redirect_uri: examples.connection.redirect_uri } },
      run: async ({ org }, _input, read) => ({
        connections: (await listConnections(read, org)).map((one) => present(deps, org, one)),
        redirect_uri: redirectUriOf(deps, org),
      }),
    }),
    endpoint({
      ...shared,
      name: "create_sso_connection",
      followsLive: true,
      summary: "Connect an identity provider",
      stepUp: true,
      description:
        "Adds a connection to an OpenID Connect provider, as a draft. Register `redirect_uri` of the response at the provider, test the connection, then set its state to active. Returns 422 on `issuer` if the provider's metadata cannot be read. Only admins can do this, because the provider decides who logs in as an admin. At most 3.",
      sdk: "organization.sso.create",
      method: "POST",
      path: "/org/sso",
      body: NewBody,
      answer: [201, ConnectionView],
      problems: ["role_too_low", "too_many_connections"],
      examples: { request: examples.request, answer: examples.connection },
      prepare: (admin, { body }) => checkConnection(deps, admin, { ...DEFAULTS, ...body }),
      run: async (admin, { body }) => present(deps, admin.org, await createConnection(deps, admin, { ...DEFAULTS, ...body })),
    }),
    endpoint({
      ...shared,
      name: "update_sso_connection",
      followsLive: true,
      summary: "Change or enable a connection",
      stepUp: true,
      description:
        "Changes the settings that you send. A change of what a test depends on makes the connection untested. Another issuer or client forgets which people the provider named, so they are found by their e-mail address at their next log-in, and ends the sessions that began with the connection. Disabling it ends the sessions that began with it, and returns 422 `would_lock_out` for the only active connection of an organization that requires single sign-on.",
      sdk: "organization.sso.update",
      method: "PATCH",
      path: "/org/sso/:connection_id",
      params: { connection_id: "ssoConnection" },
      missing: "connection_not_found",
      body: ChangeBody,
      answer: [200, ConnectionView],
      problems: ["role_too_low", "would_lock_out"],
      examples: { request: { state: "active" }, answer: { ...examples.connection, state: "active" } },
      run: async (admin, { params, body }) => present(deps, admin.org, await changeConnection(deps, admin, params.connection_id, body)),
    }),
    endpoint({
      ...shared,
      name: "remove_sso_connection",
      followsLive: true,
      summary: "Remove a connection",
      stepUp: true,
      description:
        "Removes a connection and ends the sessions that began with it. Members whom it made stay, but cannot log in without another connection. Returns 422 `would_lock_out` for the only active connection of an organization that requires single sign-on.",
      sdk: "organization.sso.remove",
      method: "DELETE",
      path: "/org/sso/:connection_id",
      params: { connection_id: "ssoConnection" },
      missing: "connection_not_found",
      answer: [200, Done],
      problems: ["role_too_low", "would_lock_out"],
      examples: { answer: DONE },
      run: async (admin, { params }) => {
        await removeConnection(deps, admin, params.connection_id);
        return DONE;
      },
    }),
    endpoint({
      ...shared,
      name: "test_sso_connection",
      followsLive: true,
      summary: "Test a connection",
      stepUp: true,
      description:
        "Begins a log-in at the provider that checks everything a real one needs, and makes and changes no member. Send the browser to `redirect_url`, in which the console then shows the result. Single sign-on can be required within an hour after a test.",
      sdk: "organization.sso.test",
      method: "POST",
      path: "/org/sso/:connection_id/test",
      params: { connection_id: "ssoConnection" },
      missing: "connection_not_found",
      // Asks the provider.
      idempotent: false,
      answer: [200, StartedView],
      problems: ["identity_provider_away"],
      examples: { answer: examples.started },
      run: async (admin, { params }) => answerStarted(deps, await startTest(deps, admin, params.connection_id)),
    }),
  ];
}
