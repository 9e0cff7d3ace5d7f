import type { AccountDeps, User } from "../accounts/account.ts";
import type { Tx } from "../db/sql.ts";
import type { ControlPolicy } from "../shared/control-policies.ts";
import { DAY_SECONDS } from "../shared/durations.ts";
import type { InvitationId, OrgId, UserId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import type { Role } from "../shared/scopes.ts";

/** An organization for tests, with the members of the one that it belongs to. */
export interface Sandbox {
  readonly org_id: OrgId;
  readonly name: string;
  readonly sandbox_of: OrgId;
  readonly created_at: Date;
  /** null: it can be used */
  readonly resetting_since: Date | null;
}

export const MAX_SANDBOXES = 5;

export interface OrgDeps extends AccountDeps {
  /** in local mode, loopback origins can be given without https */
  readonly localMode: boolean;
}

/** Adds functions of the PDF engine and the vault, which this feature does not import; `features.ts` passes them in. */
export interface SettingsDeps extends OrgDeps {
  /** how many proxies tell the address of a caller */
  readonly trustProxyHops: number;
  /** Whether this person tested an active connection of single sign-on within the last hour. */
  hasTestedSso(tx: Tx, org: OrgId, user_id: UserId): Promise<boolean>;
  /** How many authoritative copies this person is custodian of. */
  countCopies(tx: Tx, org: OrgId, user_id: UserId): Promise<number>;
  /** The image without any other content of the file; null if it is not a readable PNG. */
  cleanPng(org: OrgId, png: Uint8Array): Promise<Uint8Array | null>;
}

export interface MemberRow extends User {
  readonly role: Role;
  /** sso: single sign-on made the membership, and alone opens the organization */
  readonly entry: "any" | "sso";
  readonly break_glass: boolean;
  readonly created_at: Date;
}

export interface Invitation {
  readonly invitation_id: InvitationId;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: UserId | null;
  /** what accepting proves about the address; null (nothing) if the inviting admin saw the link */
  readonly proves: "mail" | "operator" | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly accepted_at: Date | null;
  readonly revoked_at: Date | null;
}

export const completedMails = ["link", "attachment"] as const;
export type CompletedMail = (typeof completedMails)[number];

/** The look of the signing pages and messages. Only these properties are allowed; no raw CSS. */
export interface Branding {
  accent?: string;
  accent_text?: string;
  background?: string;
  surface?: string;
  text?: string;
  border?: string;
  radius?: string;
  font?: "system" | "serif" | "rounded";
  scheme?: "light" | "dark" | "auto";
  /** a PNG in base64, as rewritten by the PDF engine */
  logo?: string;
}

export interface Settings {
  readonly embed_origins: string[];
  readonly min_retention_days: number;
  readonly default_custodian_user_id: UserId | null;
  readonly require_external_time: boolean;
  /** signing is only possible with the link in the signer's own mail */
  readonly require_mailed_link: boolean;
  /** whether a party without an approver can be passed over when the control of a record changes */
  readonly control_policy: ControlPolicy;
  /** the public status pages of vaulted documents name the organization and the secured party */
  readonly status_shows_parties: boolean;
  readonly default_locale: Locale;
  /** of the IANA database */
  readonly time_zone: string;
  /** where replies to messages go if the sender has no address */
  readonly contact_email: string | null;
  /** whether the message that everyone has signed has a link to the document, or the document itself */
  readonly completed_mail: CompletedMail;
  readonly branding: Branding;
}

export const INVITATION_SECONDS = 7 * DAY_SECONDS;

export function isOpen(invitation: Invitation, now: Date): boolean {
  return invitation.accepted_at === null && invitation.revoked_at === null && invitation.expires_at > now;
}
