import type { Role } from "../session.ts";

export interface Member {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly joined_at: string;
}

export interface Invitation {
  readonly invitation_id: string;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly accepted_at: string | null;
  readonly revoked_at: string | null;
}

/** `accept_url` only while no mail server is set up: else the link is in the mail alone */
export type Invited = Invitation & { readonly accept_url?: string };

export const roleNames: Record<Role, string> = { admin: "Admin", member: "Member", viewer: "Viewer" };

/** What a role is for, as somebody needs to know it who gives one. */
export const roleWords: Record<Role, string> = {
  admin: "Everything: also people, settings, API keys, webhooks, and handing documents out of the vault.",
  member: "Customers, templates, envelopes, vault and custody. No people, settings, keys or webhooks.",
  viewer: "Sees what is there, and changes nothing.",
};

export const roleChoices: readonly (readonly [Role, string])[] = [
  ["admin", roleNames.admin],
  ["member", roleNames.member],
  ["viewer", roleNames.viewer],
];
