import { randomBytes } from "node:crypto";
import { named, type Read, sql, type Tx } from "../db/sql.ts";
import type { LinkUse } from "../shared/caller.ts";
import type { MessageId, OrgId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import { sha256 } from "../shared/secrets.ts";
import type { Slug } from "../shared/slugs.ts";
import { inLanguage } from "./submission.ts";

/**
 * Signing links. The slug in a link identifies the signer, and the secret after the `#` gives access. Only a hash of the secret is
 * stored, so the database, the API and the logs do not contain anything that opens the document.
 */

export type LinkSecret = string;

// Hexadecimal, because mail programs that turn text into links can drop a dash or an underscore at the end.
export const newLinkSecret = (): LinkSecret => randomBytes(16).toString("hex");

export const hashOfSecret = (secret: LinkSecret): string => sha256(secret).toString("hex");

/** The secret is in the fragment, which browsers do not send to a server. */
export function linkAddress(embedUrl: string, { slug, locale }: { slug: Slug; locale: Locale | null }, secret: LinkSecret): string {
  return `${embedUrl}/s/${slug}${inLanguage(locale)}#k=${secret}`;
}

/** How often a signer can have a link mailed again. */
export const LINKS_PER_HOUR = 3;
/** By its hash, because the slug is part of a link. */
export const linkQuota = (slug: Slug): string => `new-link:${sha256(slug).toString("hex")}`;

export type NewLink = { readonly slug: Slug; readonly secret: LinkSecret; readonly expires_at: Date | null } & (
  | { readonly kind: "mailed"; readonly message_id: MessageId }
  | { readonly kind: "handed_over"; readonly issued_by: string }
);

export async function insertLink(tx: Tx, org: OrgId, link: NewLink): Promise<void> {
  const message_id = link.kind === "mailed" ? link.message_id : null;
  const issued_by = link.kind === "handed_over" ? link.issued_by : null;
  await tx.query(named("insert-link")`
    insert into signer_links (org_id, secret_sha256, slug, kind, message_id, issued_by, expires_at)
    values (${org}, ${hashOfSecret(link.secret)}, ${link.slug}, ${link.kind}, ${message_id}, ${issued_by}, ${link.expires_at})`);
}

/**
 * Null for a secret that is not this signer's, was revoked, has expired, or was sent to another address than the signer's current one:
 * an address that was changed for a moment must not leave a working link.
 */
export async function lookUpLiveLink(read: Read, org: OrgId, slug: Slug, secret_sha256: string): Promise<LinkUse | null> {
  const { rows } = await read.query<LinkUse>(sql`
    select l.kind, l.message_id, m.sent_at as mail_sent_at, l.issued_by
    from signer_links l join signers s on s.org_id = l.org_id and s.slug = l.slug
      left join mail_messages m on m.org_id = l.org_id and m.message_id = l.message_id
    where l.org_id = ${org} and l.secret_sha256 = ${secret_sha256} and l.slug = ${slug}
      and (m.to_address is null or email_key(m.to_address) = email_key(s.email)) and l.revoked_at is null and (l.expires_at is null or l.expires_at > now())`);
  return rows[0] ?? null;
}

/** Whether the secret was one of this recipient's, also if it no longer works. */
export async function hasLink(read: Read, org: OrgId, slug: Slug, secret_sha256: string): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from signer_links where org_id = ${org} and secret_sha256 = ${secret_sha256} and slug = ${slug}`);
  return rows.length > 0;
}

const SHARED: LinkUse = { kind: "shared", message_id: null, mail_sent_at: null, issued_by: null };

/** A link without a secret, from an earlier release; null once it has expired. */
export async function lookUpBareLink(read: Read, org: OrgId, slug: Slug): Promise<LinkUse | null> {
  const { rowCount } = await read.query(sql`
    select from signers where org_id = ${org} and slug = ${slug} and bare_link_until > now()`);
  return rowCount === 1 ? SHARED : null;
}

/** From now on, none of the signer's earlier links work. */
export async function revokeLinks(tx: Tx, org: OrgId, slug: Slug): Promise<void> {
  await tx.query(sql`update signer_links set revoked_at = now() where org_id = ${org} and slug = ${slug} and revoked_at is null`);
}
