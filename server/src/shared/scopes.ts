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
  "control:write",
  "control:approve",
  "parties:write",
  "webhooks:read",
  "webhooks:write",
] as const;

export type Scope = (typeof scopes)[number];

/** From the highest to the lowest. */
export const roles = ["admin", "member", "viewer", "custodian"] as const;
export type Role = (typeof roles)[number];

/** The scopes of a console session depend on its role. Named one by one, so that no role gets a new scope unless it is listed here. */
export const scopesOfRole: Record<Role, readonly Scope[]> = {
  admin: scopes,
  member: [
    "envelopes:read",
    "envelopes:write",
    "esign:write",
    "customers:read",
    "customers:write",
    "vault:read",
    "vault:write",
    "compliance:read",
    "custody:write",
    "control:write",
    "webhooks:read",
  ],
  viewer: ["envelopes:read", "customers:read", "vault:read", "compliance:read", "webhooks:read"],
  // Only for the records that they keep: each endpoint of these scopes says how it is narrowed (`custodian` in http/endpoint.ts).
  custodian: ["vault:read", "custody:write"],
};
