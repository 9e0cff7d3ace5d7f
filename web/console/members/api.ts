import { roles } from "@countersign/client/lists";
import type { Role } from "@countersign/client/types";

export const roleNames: Record<Role, string> = { admin: "Admin", member: "Member", viewer: "Viewer" };

/** What a role is for, as somebody needs to know it who gives one. */
export const roleWords: Record<Role, string> = {
  admin: "Everything: also people, settings, API keys, webhooks, and handing documents out of the vault.",
  member: "Customers, templates, envelopes, vault and custody. No people, settings, keys or webhooks.",
  viewer: "Sees what is there, and changes nothing.",
};

export const roleChoices = roles.map((role) => [role, roleNames[role]] as const);
