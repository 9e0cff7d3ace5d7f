import type { Db } from "../../db/connect.ts";
import type { Fence } from "../../outbound/address-fence.ts";
import type { ResolveName, ResolveTexts } from "../../outbound/name-resolver.ts";
import type { OrgId } from "../../shared/ids.ts";
import { decrypt, encrypt, type KeyRing } from "../../shared/secrets.ts";
import type { Smtp } from "../smtp.ts";

/** An organization's own sender: its address, the key that signs its messages, and optionally its mail server. */

export interface SenderDeps {
  readonly db: Db;
  readonly mailKey: KeyRing;
  /** null without a mail server */
  readonly smtp: Smtp | null;
  readonly dns: { readonly resolveName: ResolveName; readonly resolveTexts: ResolveTexts };
  /** which addresses the organization's own mail server can have */
  readonly fence: Fence;
}

export interface OwnServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte */
  readonly secure: boolean;
  readonly user: string | null;
  readonly password: string | null;
}

export const recordNames = ["dkim", "spf", "dmarc"] as const;
export type RecordName = (typeof recordNames)[number];
/** `unknown`: the name servers did not answer */
export const recordStates = ["found", "missing", "different", "unknown"] as const;
export type RecordState = (typeof recordStates)[number];

export interface Check {
  readonly state: RecordState;
  /** the texts found under the name, cut */
  readonly found: readonly string[];
}
export type Checks = Readonly<Record<RecordName, Check>>;

export interface MailSender {
  readonly from_name: string;
  readonly from_address: string;
  readonly dkim_selector: string;
  readonly dkim_key_enc: Uint8Array;
  readonly dkim_public: string;
  readonly smtp_enc: Uint8Array | null;
  readonly checks: Checks | null;
  readonly checked_at: Date | null;
  readonly verified_at: Date | null;
}

export const domainOf = ({ from_address }: Pick<MailSender, "from_address">): string =>
  from_address.slice(from_address.lastIndexOf("@") + 1).toLowerCase();

type KeyDeps = Pick<SenderDeps, "mailKey">;
const contextOf = (org: OrgId, what: "dkim" | "smtp") => `mail sender ${org} ${what}`;

export const sealKey = ({ mailKey }: KeyDeps, org: OrgId, pem: string): Buffer => encrypt(mailKey, pem, contextOf(org, "dkim"));
export const openKey = ({ mailKey }: KeyDeps, org: OrgId, { dkim_key_enc }: MailSender): string =>
  decrypt(mailKey, dkim_key_enc, contextOf(org, "dkim"));
export const sealServer = ({ mailKey }: KeyDeps, org: OrgId, server: OwnServer): Buffer =>
  encrypt(mailKey, JSON.stringify(server), contextOf(org, "smtp"));
export const openServer = ({ mailKey }: KeyDeps, org: OrgId, { smtp_enc }: MailSender): OwnServer | null =>
  smtp_enc === null ? null : (JSON.parse(decrypt(mailKey, smtp_enc, contextOf(org, "smtp"))) as OwnServer);
