/** Every scope that a key can have (docs/decisions/0002-scopes.md). */
export const scopes = [
  "envelopes:read",
  "envelopes:write",
  "drafts:write",
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
  "audit:read",
] as const;

export type Scope = (typeof scopes)[number];

/** What a member can be allowed to do: what a key can, and the administration of the organization, which no key can. */
export const permissions = [
  ...scopes,
  "members:manage",
  "keys:manage",
  "settings:manage",
  "security:manage",
  "mail:manage",
  "audit:export",
] as const;
export type Permission = (typeof permissions)[number];

export const roles = ["admin", "member", "viewer", "custodian", "security_admin", "auditor"] as const;
export type Role = (typeof roles)[number];

/** Named one by one, so that no role gets a new permission unless it is listed here. */
export const permissionsOfRole: Record<Role, readonly Permission[]> = {
  admin: permissions,
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
  // Runs the organization without seeing a document or making a key.
  security_admin: ["members:manage", "settings:manage", "security:manage", "mail:manage", "audit:read", "audit:export"],
  auditor: ["envelopes:read", "customers:read", "vault:read", "compliance:read", "webhooks:read", "audit:read", "audit:export"],
};

const isScope = (one: Permission): one is Scope => scopes.some((scope) => scope === one);

/** The scopes of a console session depend on its role. */
export const scopesOfRole = (role: Role): readonly Scope[] => permissionsOfRole[role].filter(isScope);

export const hasPermission = (role: Role, permission: Permission): boolean => permissionsOfRole[role].includes(permission);

/** Whether a member with this role may give or take the other one (docs/decisions/0109-permissions.md). `own`: their own role. */
export const mayGiveRole = (role: Role, other: Role, own = false): boolean =>
  permissionsOfRole[other].every((permission) => hasPermission(role, permission) || (!own && isScope(permission)));
