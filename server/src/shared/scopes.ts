/** Every scope that a key can have (docs/decisions/0002-scopes.md). */
export const scopes = [
  "envelopes:read",
  "envelopes:write",
  "esign:write",
  "customers:read",
  "customers:write",
  "vault:read",
  "vault:write",
  "vault:release",
  "compliance:read",
  "custody:write",
  "webhooks:read",
  "webhooks:write",
] as const;

export type Scope = (typeof scopes)[number];

export const roles = ["admin", "member", "viewer"] as const;
export type Role = (typeof roles)[number];

/** The scopes of a console session depend on its role. */
export const scopesOfRole: Record<Role, readonly Scope[]> = {
  admin: scopes,
  member: scopes.filter((scope) => scope !== "vault:release" && scope !== "webhooks:write"),
  viewer: scopes.filter((scope) => scope.endsWith(":read")),
};
