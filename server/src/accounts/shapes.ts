import { Type } from "typebox";
import { about, idOf, named, PermissionName, RoleName, Timestamp } from "../http/shapes.ts";

/** What several endpoints accept and answer. */

export const Password = Type.String({ maxLength: 1000, description: "12 to 128 characters" });
/** Where other fields come with it, so that their mistakes and a password that is too short are told together. */
export const NewPassword = Type.String({ ...Password, minLength: 12 });
export const LinkToken = Type.String({ minLength: 1, maxLength: 200 });
export const Mode = Type.Optional(
  about(
    named("SessionMode", Type.Enum(["cookie", "token"])),
    "`token`: the refresh token is in the response, for programs. `cookie` (the default): it is set as a cookie that scripts cannot read",
  ),
);

export const OrgRef = named("OrganizationReference", Type.Object({ org_id: idOf("org"), name: Type.String() }));
export const UserView = named("User", Type.Object({ user_id: idOf("user"), email: Type.String(), name: Type.String() }));
export const Permissions = Type.Array(PermissionName, { description: "What the role allows in this organization" });
export const SsoConnection = Type.Optional(
  about(
    idOf("ssoConnection"),
    "Only if the session began with single sign-on: its connection. Such a session stays in its organization and cannot change the account",
  ),
);
export const SignedInView = named(
  "SessionTokens",
  Type.Object({
    status: Type.Literal("signed_in"),
    token: Type.String({ description: "For the header Authorization: Bearer" }),
    expires_at: about(Timestamp, "When the token expires; get the next one with POST /auth/refresh"),
    refresh_token: Type.Optional(Type.String({ description: "Only in the mode `token`" })),
    user: UserView,
    org: OrgRef,
    role: RoleName,
    permissions: Permissions,
    sso_connection_id: SsoConnection,
    mode: Type.Optional(Type.Literal("test", { description: "Only in a sandbox" })),
    limited: Type.Optional(
      Type.Literal("enroll", {
        description: "The organization requires a second factor and the user has none. Until they have added one, only /auth/ works",
      }),
    ),
  }),
);
export const SessionView = named(
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
export const EndedView = named("EndedSessions", Type.Object({ ended: Type.Integer({ description: "How many sessions ended" }) }));
export const Done = named("Done", Type.Object({ done: Type.Literal(true) }));
export const DONE = { done: true } as const;
