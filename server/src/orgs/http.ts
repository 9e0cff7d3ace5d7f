import { type Static, Type } from "typebox";
import { listEntries } from "../audit/read-chain.ts";
import { type Endpoint, endpoint, listing, reading } from "../http/endpoint.ts";
import { Base64, Email, idOf, LocaleName, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { changeRole, removeMember } from "./change-member.ts";
import { changeSettings, prepareSettings, type SettingsChange } from "./change-settings.ts";
import { OrgName, RoleName } from "./http-auth.ts";
import { inviteMember, revokeInvitation } from "./invite-member.ts";
import type { Branding, SettingsDeps } from "./org.ts";
import { presentInvitation, presentMember, presentSettings } from "./present.ts";
import { findSettings, listInvitations, listMembers } from "./store.ts";

const MemberView = Type.Object({ user_id: idOf("user"), email: Type.String(), name: Type.String(), role: RoleName, joined_at: Timestamp });
const invitationView = {
  invitation_id: idOf("invitation"),
  email: Type.String(),
  role: RoleName,
  invited_by: nullable(idOf("user")),
  created_at: Timestamp,
  expires_at: Timestamp,
  accepted_at: OptionalTimestamp,
  revoked_at: OptionalTimestamp,
};

const AcceptUrl = Type.String({
  description: "Only while no mail server is set up. With one the link is in the mail alone, so that accepting proves the address",
});

// Colours that a page can check for contrast; no var(), url() or calc(), so no style can be smuggled in.
const Colour = Type.String({ maxLength: 60, pattern: "^(#[0-9a-fA-F]{3,8}|(rgb|hsl|oklch)\\([0-9a-z.,%/ -]{1,50}\\))$" });
const branding = {
  accent: Type.Optional(Colour),
  accent_text: Type.Optional(Colour),
  background: Type.Optional(Colour),
  surface: Type.Optional(Colour),
  text: Type.Optional(Colour),
  border: Type.Optional(Colour),
  radius: Type.Optional(Type.String({ pattern: "^(1[0-6]|[0-9])px$" })),
  font: Type.Optional(Type.Enum(["system", "serif", "rounded"])),
  scheme: Type.Optional(Type.Enum(["light", "dark", "auto"])),
};
const Logo = Type.String({ ...Base64, description: "A PNG of at most 100 KB and 1000 × 400 pixels" });
const settings = {
  name: OrgName,
  embed_origins: Type.Array(Type.String({ maxLength: 300 }), { maxItems: 50, uniqueItems: true }),
  min_retention_days: Type.Integer({ minimum: 1, maximum: 36_500 }),
  default_custodian_user_id: nullable(idOf("user")),
  require_external_time: Type.Boolean(),
  require_mailed_link: Type.Boolean({
    description:
      "Signers can sign only with the link in an e-mail that a mail server accepted: embed tokens and links that were handed over are refused with 409",
  }),
  default_locale: LocaleName,
};
const SettingsBody = Type.Partial(
  Type.Object({
    ...settings,
    branding: Type.Object({ ...branding, logo: Type.Optional(nullable(Logo)) }, { description: "All of it: what is not named is removed" }),
  }),
);
const SettingsView = Type.Object({
  ...settings,
  branding: Type.Object({ ...branding, logo: Type.Optional(Logo) }),
  updated_at: Timestamp,
});

/** An organization's own affairs, for its members. */
export function orgEndpoints(deps: SettingsDeps): Endpoint[] {
  return [
    listing({
      name: "list_members",
      summary: "The people of this organization",
      path: "/org/members",
      access: { role: "viewer" },
      item: MemberView,
      run: async (member, page, read) => {
        const { items, total } = await listMembers(read, member.org, page);
        return { items: items.map(presentMember), total };
      },
    }),
    endpoint({
      name: "update_role",
      summary: "Give a member another role",
      method: "PATCH",
      path: "/org/members/:user_id",
      access: { role: "admin" },
      params: { user_id: "user" },
      missing: "member_not_found",
      body: Type.Object({ role: RoleName }),
      answer: [200, MemberView],
      problems: ["last_admin"],
      run: async (admin, { params, body }) => presentMember(await changeRole(deps, admin, params.user_id, body.role)),
    }),
    endpoint({
      name: "remove_member",
      summary: "Remove a member; their sessions here end at once",
      method: "DELETE",
      path: "/org/members/:user_id",
      access: { role: "admin" },
      params: { user_id: "user" },
      missing: "member_not_found",
      answer: [200, Type.Object({ user_id: idOf("user"), removed: Type.Literal(true) })],
      problems: ["last_admin"],
      run: async (admin, { params }) => {
        await removeMember(deps, admin, params.user_id);
        return { user_id: params.user_id, removed: true } as const;
      },
    }),
    endpoint({
      name: "invite_member",
      summary: "Invite a person by e-mail. While no mail server is set up, the answer holds the link for you to pass on",
      method: "POST",
      path: "/org/invitations",
      access: { role: "admin" },
      body: Type.Object({ email: Email, role: RoleName }),
      answer: [201, Type.Object({ ...invitationView, accept_url: Type.Optional(AcceptUrl) })],
      problems: ["already_member"],
      // With a mail server the answer holds no link, and a repeat is given the same one. Where endpoints are only declared, there is none.
      secret: (deps.mail?.smtp ?? null) === null,
      run: async (admin, { body }) => {
        const invited = await inviteMember(deps, admin, body.email, body.role);
        return { ...presentInvitation(invited), ...(invited.accept_url !== null && { accept_url: invited.accept_url }) };
      },
    }),
    listing({
      name: "list_invitations",
      summary: "Invitations, open and ended",
      path: "/org/invitations",
      access: { role: "admin" },
      item: Type.Object(invitationView),
      run: async (admin, page, read) => {
        const { items, total } = await listInvitations(read, admin.org, page);
        return { items: items.map(presentInvitation), total };
      },
    }),
    endpoint({
      name: "revoke_invitation",
      summary: "Make an invitation's link useless",
      method: "DELETE",
      path: "/org/invitations/:invitation_id",
      access: { role: "admin" },
      params: { invitation_id: "invitation" },
      missing: "invitation_not_found",
      answer: [200, Type.Object({ invitation_id: idOf("invitation"), revoked: Type.Literal(true) })],
      problems: ["invitation_ended"],
      run: async (admin, { params }) => {
        await revokeInvitation(deps, admin, params.invitation_id);
        return { invitation_id: params.invitation_id, revoked: true } as const;
      },
    }),
    reading({
      name: "get_settings",
      summary: "The organization's settings",
      path: "/org/settings",
      access: { role: "viewer" },
      answer: [200, SettingsView],
      run: async (member, _input, read) => presentSettings(await findSettings(read, member.org)),
    }),
    endpoint({
      name: "update_settings",
      summary: "Change the settings that are named; the others stay",
      method: "PATCH",
      path: "/org/settings",
      access: { role: "admin" },
      body: SettingsBody,
      answer: [200, SettingsView],
      problems: ["pdf_busy"],
      prepare: async (admin, { body }) => prepareSettings(deps, admin, chosen(body)),
      run: async (admin, _input, change) => presentSettings(await changeSettings(deps, admin, change)),
    }),
    listing({
      name: "list_org_audit_trail",
      summary: "Acts on keys, people and settings, newest first, each a link of the organization's hash chain",
      path: "/org/audit-trail",
      access: { role: "admin" },
      item: Type.Object({
        seq: Type.Integer(),
        type: Type.String(),
        at: Timestamp,
        actor: Type.Object({ kind: Type.String(), id: Type.String() }),
        data: nullable(Type.Object({}, { additionalProperties: true })),
        hash: Type.String(),
      }),
      run: async (admin, page, read) => {
        const { items, total } = await listEntries(read, admin.org, admin.org, page);
        return { items: items.map((item) => ({ ...item, data: item.data as Record<string, unknown> | null })), total };
      },
    }),
  ];
}

/** The settings and nothing else of the body: an unknown field is ignored and never stored, also inside the branding. */
function chosen(body: Static<typeof SettingsBody>): SettingsChange {
  const picked = pick(body, Object.keys(settings)) as SettingsChange;
  if (body.branding === undefined) return picked;
  const { logo } = body.branding;
  const looks = pick(body.branding, Object.keys(branding)) as Branding;
  return { ...picked, branding: { ...looks, ...(typeof logo === "string" && { logo }) } };
}

function pick<T extends object>(from: T, names: readonly string[]): Partial<T> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name))) as Partial<T>;
}
