import { roles } from "@countersign/client/lists";
import type { Role } from "@countersign/client/types";

export const roleNames: Record<Role, string> = { admin: "Admin", member: "Member", viewer: "Viewer", custodian: "Custodian" };

/** What each role can do, for admins who assign roles. */
export const roleWords: Record<Role, string> = {
  admin: "Full access, including members, settings, API keys, webhooks and exports from the vault.",
  member: "Customers, templates, envelopes, vault and custody. No members, settings, API keys or webhooks.",
  viewer: "Read-only access.",
  custodian: "Only the vaulted documents that they keep or are asked to keep: downloads, acts and transfers of custody. Nothing else.",
};

export const roleChoices = roles.map((role) => [role, roleNames[role]] as const);
