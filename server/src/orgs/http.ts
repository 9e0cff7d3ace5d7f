import { type Static, Type } from "typebox";
import { type ActivityFilter, isFiltered, listActivity } from "../audit/activity-store.ts";
import { auditTypes } from "../audit/catalogue.ts";
import { listEntries } from "../audit/read-chain.ts";
import { type Endpoint, endpoint, listing, reading } from "../http/endpoint.ts";
import { about, Base64, Email, idOf, LocaleName, named, nullable, OptionalTimestamp, RoleName, Timestamp } from "../http/shapes.ts";
import { controlPolicies } from "../shared/control-policies.ts";
import { invalidQuery } from "../shared/problems.ts";
import { changeSettings, prepareSettings, type SettingsChange } from "./change-settings.ts";
import * as examples from "./examples.ts";
import { OrgName } from "./http-joining.ts";
import { inviteMember, revokeInvitation } from "./invite-member.ts";
import { changeRole, removeMember } from "./member-changes.ts";
import { type Branding, completedMails, type SettingsDeps } from "./org.ts";
import { presentInvitation, presentMember, presentMemberTo, presentSettings } from "./present.ts";
import { listMembersWithFactor } from "./security-store.ts";
import { findSettings, listInvitations, listMembers } from "./store.ts";

const MemberView = named(
  "Member",
  Type.Object({
    user_id: idOf("user"),
    email: Type.String(),
    name: Type.String(),
    role: RoleName,
    joined_at: Timestamp,
    second_factor: Type.Optional(Type.Boolean({ description: "Whether the member has a second factor. Only admins see it, in the list" })),
  }),
);
const RemovedView = named("RemovedMember", Type.Object({ user_id: idOf("user"), removed: Type.Literal(true) }));
const invitationView = {
  invitation_id: idOf("invitation"),
  email: Type.String(),
  role: RoleName,
  invited_by: about(nullable(idOf("user")), "Null when the operator of the installation sent the invitation"),
  created_at: Timestamp,
  expires_at: Timestamp,
  accepted_at: OptionalTimestamp,
  revoked_at: OptionalTimestamp,
};
const InvitationView = named("Invitation", Type.Object(invitationView));
const RevokedView = named("RevokedInvitation", Type.Object({ invitation_id: idOf("invitation"), revoked: Type.Literal(true) }));

const AcceptUrl = Type.String({
  description: "Only without a mail server. Otherwise the link is only in the e-mail, so that accepting it verifies the address",
});
const NewInvitationView = named("NewInvitation", Type.Object({ ...invitationView, accept_url: Type.Optional(AcceptUrl) }));

// Colours that a page can check for contrast. No var(), url() or calc(), so no other styles can be injected.
const Colour = named(
  "BrandingColor",
  Type.String({
    maxLength: 60,
    pattern: "^(#[0-9a-fA-F]{3,8}|(rgb|hsl|oklch)\\([0-9a-z.,%/ -]{1,50}\\))$",
    "x-message": "must be a color as #rrggbb, rgb(…), hsl(…) or oklch(…)",
    description: "A CSS color as hexadecimal digits, rgb(), hsl() or oklch()",
  }),
);
const branding = {
  accent: Type.Optional(Colour),
  accent_text: Type.Optional(Colour),
  background: Type.Optional(Colour),
  surface: Type.Optional(Colour),
  text: Type.Optional(Colour),
  border: Type.Optional(Colour),
  radius: Type.Optional(
    Type.String({ pattern: "^(1[0-6]|[0-9])px$", "x-message": "must be 0px to 16px", description: "Corner radius, 0px to 16px" }),
  ),
  font: Type.Optional(named("BrandingFont", Type.Enum(["system", "serif", "rounded"]))),
  scheme: Type.Optional(named("BrandingScheme", Type.Enum(["light", "dark", "auto"]))),
};
const LOGO = "A PNG of at most 100 KB and 1000 × 400 pixels";
const BrandingView = named("OrganizationBranding", Type.Object({ ...branding, logo: Type.Optional(about(Base64, LOGO)) }));
const BrandingBody = named(
  "OrganizationBrandingInput",
  Type.Object({ ...branding, logo: Type.Optional(about(nullable(Base64), `${LOGO}; null removes it`)) }),
);
const settings = {
  name: OrgName,
  embed_origins: Type.Array(Type.String({ maxLength: 300 }), {
    maxItems: 50,
    uniqueItems: true,
    description: "Exact origins such as https://app.example.com whose pages may embed signing and vault pages",
  }),
  min_retention_days: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    description: "Minimum retention of documents that are stored in the vault from now on",
  }),
  default_custodian_user_id: about(nullable(idOf("user")), "The member who becomes custodian of newly stored documents"),
  require_external_time: Type.Boolean({
    description: "Documents pass the compliance checks only with a time stamp from an external authority",
  }),
  require_mailed_link: Type.Boolean({
    description: "Signers can only sign with the link in an e-mail that a mail server accepted. Embed tokens and other links get 409",
  }),
  control_policy: Type.Enum([...controlPolicies], {
    description:
      "confirmed: a change of who controls or keeps a vaulted record takes effect only when each party concerned has confirmed it with a credential of its own. attested: a party without an approver is not asked, and the compliance checks say so. Records of the types transferable_record and chattel_paper are always under confirmed",
  }),
  status_shows_parties: Type.Boolean({
    description: "The public status pages of vaulted documents show the names of the organization and of the secured party",
  }),
  default_locale: LocaleName,
  time_zone: Type.String({
    maxLength: 64,
    description: "A time zone of the IANA database, such as Europe/Berlin. Times in e-mails to signers are in it until they have signed",
  }),
  contact_email: about(nullable(Email), "Where replies to e-mails go if neither a member nor a member's key sent the envelope"),
  completed_mail: Type.Enum([...completedMails], {
    description:
      "link: the e-mail that everyone has signed has a link to the document. attachment: it also has the document, up to the size that the operator allows. With auto-vault or a secured party that is a marked copy; otherwise it is the sealed document, which counts as a copy that was handed out",
  }),
};
const SettingsBody = Type.Partial(
  Type.Object({ ...settings, branding: about(BrandingBody, "Replaces the whole branding; values that you leave out are removed") }),
);
const SettingsView = named("OrganizationSettings", Type.Object({ ...settings, branding: BrandingView, updated_at: Timestamp }));

const ActorView = named("OrganizationAuditActor", Type.Object({ kind: Type.String(), id: Type.String() }));
const AuditEntryView = named(
  "OrganizationAuditEntry",
  Type.Object({
    seq: Type.Integer({ description: "Position of the entry in the chain, counted from 1" }),
    type: Type.String({ description: "What was done, for example `key.created`" }),
    at: Timestamp,
    actor: ActorView,
    data: about(nullable(Type.Object({}, { additionalProperties: true })), "Null after it was erased"),
    hash: Type.String({ description: "SHA-256 in hexadecimal; the next entry includes it" }),
  }),
);

const ActivityQuery = Type.Object({
  actor_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: "Who acted: the ID of a member (usr_…) or of an API key (lk_…)" }),
  ),
  type: Type.Optional(Type.String({ maxLength: 100, description: "Entries of this type, for example `key.created`" })),
  from: Type.Optional(about(Timestamp, "At this time or later")),
  to: Type.Optional(about(Timestamp, "Before this time")),
});

function activityFilter({ actor_id, type, from, to }: Static<typeof ActivityQuery>): ActivityFilter {
  const known = auditTypes.find((one) => one === type);
  if (type !== undefined && known === undefined) throw invalidQuery("type", "invalid_value", "must be a type of audit entries");
  const momentOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  return { actor_id, type: known, from: momentOf(from), to: momentOf(to) };
}

/** Members, invitations, settings and audit trail of an organization. */
export function orgEndpoints(deps: SettingsDeps): Endpoint[] {
  return [
    listing({
      name: "list_members",
      summary: "List members",
      description: "Lists the members of the organization with their roles, newest accounts first. Every role can call it.",
      resource: "Members",
      sdk: "members.list",
      path: "/org/members",
      access: { session: "any" },
      item: MemberView,
      examples: { answer: examples.member },
      run: async (member, page, read) => {
        const { items, total } = await listMembers(read, member.org, page);
        const withFactor = member.session.role === "admin" ? await listMembersWithFactor(read) : null;
        return { items: items.map(presentMemberTo(withFactor)), total };
      },
    }),
    endpoint({
      name: "update_role",
      summary: "Change the role of a member",
      stepUp: true,
      description:
        "Gives a member another role, which applies from their next request. Returns 409 if it would leave the organization without an admin.",
      resource: "Members",
      sdk: "members.update",
      method: "PATCH",
      path: "/org/members/:user_id",
      access: { permission: "members:manage" },
      followsLive: true,
      params: { user_id: "user" },
      missing: "member_not_found",
      body: Type.Object({ role: RoleName }),
      answer: [200, MemberView],
      problems: ["last_admin", "role_too_low"],
      examples: { request: examples.roleChange, answer: { ...examples.member, ...examples.roleChange } },
      run: async (admin, { params, body }) => presentMember(await changeRole(deps, admin, params.user_id, body.role)),
    }),
    endpoint({
      name: "remove_member",
      summary: "Remove a member",
      stepUp: true,
      description:
        "Removes a person from the organization and ends their sessions in it at once. If they were the default custodian, that setting is cleared. Their account and their other organizations stay. Returns 409 for the last admin, and for a custodian of vaulted copies unless `custody=leave` is given.",
      resource: "Members",
      sdk: "members.remove",
      method: "DELETE",
      path: "/org/members/:user_id",
      access: { permission: "members:manage" },
      followsLive: true,
      params: { user_id: "user" },
      missing: "member_not_found",
      query: Type.Object({
        custody: Type.Optional(
          Type.Enum(["leave"], {
            description: "Remove the member although they are custodian of copies. Compliance check 3 of these copies then fails",
          }),
        ),
      }),
      answer: [200, RemovedView],
      problems: ["last_admin", "custodian_of_copies", "role_too_low"],
      examples: { answer: examples.removed },
      run: async (admin, { params, query }) => {
        await removeMember(deps, admin, params.user_id, query.custody);
        return { user_id: params.user_id, removed: true } as const;
      },
    }),
    endpoint({
      name: "invite_member",
      summary: "Invite a member",
      stepUp: true,
      description:
        "Invites a person by e-mail with a link that works once, for 7 days, and only for this address. Without a mail server, the response contains the link for you to pass on. Returns 409 if the person is already a member.",
      resource: "Members",
      sdk: "invitations.create",
      method: "POST",
      path: "/org/invitations",
      access: { permission: "members:manage" },
      followsLive: true,
      body: Type.Object({ email: Email, role: RoleName }),
      answer: [201, NewInvitationView],
      problems: ["already_member", "role_too_low"],
      examples: { request: examples.invited, answer: examples.newInvitation },
      // With a mail server the response contains no link, so it can be stored for a repeated request. There is none while
      // only the API description is built.
      secret: (deps.mail?.smtp ?? null) === null,
      run: async (admin, { body }) => {
        const invited = await inviteMember(deps, admin, body.email, body.role);
        return { ...presentInvitation(invited), ...(invited.accept_url !== null && { accept_url: invited.accept_url }) };
      },
    }),
    listing({
      name: "list_invitations",
      summary: "List invitations",
      description: "Lists invitations, newest first: open, accepted, revoked and expired ones.",
      resource: "Members",
      sdk: "invitations.list",
      path: "/org/invitations",
      access: { permission: "members:manage" },
      item: InvitationView,
      examples: { answer: examples.invitation },
      run: async (admin, page, read) => {
        const { items, total } = await listInvitations(read, admin.org, page);
        return { items: items.map(presentInvitation), total };
      },
    }),
    endpoint({
      name: "revoke_invitation",
      summary: "Revoke an invitation",
      description:
        "Revokes an invitation, so that its link no longer works. Revoking it again changes nothing. Returns 409 if it was accepted; remove the member instead.",
      resource: "Members",
      sdk: "invitations.revoke",
      method: "DELETE",
      path: "/org/invitations/:invitation_id",
      access: { permission: "members:manage" },
      followsLive: true,
      params: { invitation_id: "invitation" },
      missing: "invitation_not_found",
      answer: [200, RevokedView],
      problems: ["invitation_ended", "role_too_low"],
      examples: { answer: examples.revoked },
      run: async (admin, { params }) => {
        await revokeInvitation(deps, admin, params.invitation_id);
        return { invitation_id: params.invitation_id, revoked: true } as const;
      },
    }),
    reading({
      name: "get_settings",
      summary: "Get the settings of the organization",
      description:
        "Returns the organization's settings: name, origins that may embed its pages, retention, default custodian, signing rules, language and branding. Every role can call it.",
      resource: "Organization",
      sdk: "organization.settings.get",
      path: "/org/settings",
      access: { session: "any" },
      answer: [200, SettingsView],
      examples: { answer: examples.settings },
      run: async (member, _input, read) => presentSettings(await findSettings(read, member.org)),
    }),
    endpoint({
      name: "update_settings",
      summary: "Update the settings of the organization",
      description:
        "Changes the settings that you send; the others keep their values. `branding` is replaced as a whole. Each change is recorded in the audit trail with the values before and after.",
      resource: "Organization",
      sdk: "organization.settings.update",
      method: "PATCH",
      path: "/org/settings",
      access: { permission: "settings:manage" },
      body: SettingsBody,
      answer: [200, SettingsView],
      problems: ["pdf_busy"],
      examples: { request: examples.settingsChange, answer: { ...examples.settings, ...examples.settingsChange } },
      prepare: async (admin, { body }) => prepareSettings(deps, admin, chosen(body)),
      ifMatch: true,
      run: async (admin, { unchanged }, change) =>
        presentSettings(await changeSettings(deps, admin, change, (now) => unchanged(presentSettings(now)))),
    }),
    listing({
      name: "list_org_audit_trail",
      summary: "List the audit trail of the organization",
      description:
        "Lists changes to keys, members, sessions, customers, webhook endpoints and settings, newest first. Each entry is a link in the organization's hash chain. With a filter, `meta.total` stops at 10,000 with `meta.total_capped`, and later pages are 422. Envelopes have their own audit trails.",
      resource: "Organization",
      sdk: "organization.auditTrail.list",
      path: "/org/audit-trail",
      access: { permission: "audit:read" },
      query: ActivityQuery,
      item: AuditEntryView,
      problems: ["page_too_deep"],
      examples: { answer: examples.auditEntry },
      run: async (admin, { query, page, limit }, read) => {
        const filter = activityFilter(query);
        const { items, ...totals } = isFiltered(filter)
          ? await listActivity(read, admin.org, filter, { page, limit })
          : await listEntries(read, admin.org, admin.org, { page, limit });
        return { items: items.map((item) => ({ ...item, data: item.data as Record<string, unknown> | null })), ...totals };
      },
    }),
  ];
}

/** Only the known settings of the body. Unknown fields are ignored and never stored, also inside `branding`. */
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
