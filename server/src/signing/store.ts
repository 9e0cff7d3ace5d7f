import { named, type Read, sql, type Tx } from "../db/sql.ts";
import { type EnvelopeId, newId, type OrgId, type SubmissionId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import type { Slug } from "../shared/slugs.ts";
import type { Signer } from "./submission.ts";

const columns = sql`turn, recipient_id, kind, step, delivery, slug, email, name, role, locale, status, invited_at, reminded_at, viewed_at, signed_at, declined_at,
  paper_requested_at`;

/** In signing order. Empty for a draft. */
export async function listSigners(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Signer[]> {
  const { rows } = await read.query<Signer>(named("list-signers")`
    select ${columns} from signers where org_id = ${org} and envelope_id = ${envelope_id} order by turn`);
  return rows;
}

/** Null if the address is not a signer's. */
export async function lookUpSigner(read: Read, org: OrgId, envelope_id: EnvelopeId, email: string): Promise<Signer | null> {
  const { rows } = await read.query<Signer>(named("look-up-signer")`
    select ${columns} from signers
    where org_id = ${org} and envelope_id = ${envelope_id} and email_key(email) = email_key(${email})`);
  return rows[0] ?? null;
}

/** Finds the signer of a link, before the org is known; null for an unknown or replaced slug. */
export async function lookUpLink(read: Read, slug: Slug): Promise<{ org_id: OrgId; envelope_id: EnvelopeId; email: string } | null> {
  const { rows } = await read.query<{ org_id: OrgId; envelope_id: EnvelopeId; email: string }>(named("look-up-link")`
    select org_id, envelope_id, email from find_signer(${slug})`);
  return rows[0] ?? null;
}

/** Only the first time counts. */
export async function markViewed(tx: Tx, org: OrgId, slug: Slug): Promise<void> {
  await tx.query(sql`
    update signers set status = 'viewed', viewed_at = now() where org_id = ${org} and slug = ${slug} and status = 'pending'`);
}

/** The caller holds the envelope's lock and knows that this signer has not signed. */
export async function markDeclined(tx: Tx, org: OrgId, slug: Slug, reason: string | null): Promise<Date> {
  const { rows } = await tx.query<{ declined_at: Date }>(sql`
    update signers set status = 'declined', declined_at = now(), decline_reason = ${reason}
    where org_id = ${org} and slug = ${slug} and status in ('pending', 'viewed', 'locked') returning declined_at`);
  const row = rows[0];
  if (row === undefined) throw new Error("a signer of an open envelope could not decline");
  return row.declined_at;
}

export async function markPaperRequested(tx: Tx, org: OrgId, slug: Slug): Promise<Date> {
  const { rows } = await tx.query<{ paper_requested_at: Date }>(sql`
    update signers set paper_requested_at = now() where org_id = ${org} and slug = ${slug} returning paper_requested_at`);
  const row = rows[0];
  if (row === undefined) throw new Error("a signer of an open envelope could not ask for paper");
  return row.paper_requested_at;
}

/** The caller holds the envelope's lock and knows that it is this signer's turn. The database checks it too. */
export async function markSigned(tx: Tx, org: OrgId, slug: Slug, at: Date): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update signers set status = 'signed', signed_at = ${at} where org_id = ${org} and slug = ${slug} and status = 'viewed'`);
  if (rowCount !== 1) throw new Error("a signer who was shown the document could not sign");
}

export async function markLocked(tx: Tx, org: OrgId, slug: Slug): Promise<void> {
  await tx.query(sql`update signers set status = 'locked' where org_id = ${org} and slug = ${slug} and status in ('pending', 'viewed')`);
}

/** Restores the status before the lock-out. */
export async function markUnlocked(tx: Tx, org: OrgId, slug: Slug): Promise<void> {
  await tx.query(sql`
    update signers set status = case when viewed_at is null then 'pending' else 'viewed' end
    where org_id = ${org} and slug = ${slug} and status = 'locked'`);
}

/** Ends the submission. */
export async function endSubmission(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<void> {
  await tx.query(sql`
    update submissions set ended_at = now() where org_id = ${org} and envelope_id = ${envelope_id} and ended_at is null`);
}

/** Cancels everyone who has not signed. */
export async function cancelSigners(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<void> {
  await tx.query(sql`
    update signers set status = 'cancelled'
    where org_id = ${org} and envelope_id = ${envelope_id} and status in ('pending', 'viewed', 'locked')`);
}

export interface NewSubmission {
  readonly submission_id: SubmissionId;
  readonly envelope_id: EnvelopeId;
  readonly provider: string;
  readonly signing_order: "sequential" | "parallel";
  /** in signing order */
  readonly signers: readonly (Pick<Signer, "slug" | "email" | "name" | "role"> & { readonly locale?: Locale | null | undefined })[];
}

export async function insertSubmission(tx: Tx, org: OrgId, submission: NewSubmission): Promise<void> {
  const { submission_id, envelope_id, provider, signing_order } = submission;
  await tx.query(sql`
    insert into submissions (org_id, submission_id, envelope_id, provider, signing_order)
    values (${org}, ${submission_id}, ${envelope_id}, ${provider}, ${signing_order})`);
  const rows = submission.signers.map(({ slug, email, name, role, locale }, index) => ({
    turn: index + 1,
    recipient_id: newId("recipient"),
    step: signing_order === "sequential" ? index + 1 : 1,
    slug,
    email,
    name,
    role,
    locale,
  }));
  await tx.query(sql`
    insert into signers (org_id, submission_id, envelope_id, turn, recipient_id, step, slug, email, name, role, locale)
    select ${org}, ${submission_id}, ${envelope_id}, s.turn, s.recipient_id, s.step, s.slug, s.email, s.name, s.role, s.locale
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (turn int, recipient_id text, step int, slug text, email text, name text, role text, locale text)`);
}

export async function markInvited(tx: Tx, org: OrgId, slugs: readonly Slug[]): Promise<void> {
  await tx.query(sql`update signers set invited_at = now() where org_id = ${org} and slug = any(${slugs})`);
}

export async function markReminded(tx: Tx, org: OrgId, slugs: readonly Slug[]): Promise<void> {
  await tx.query(sql`update signers set reminded_at = now() where org_id = ${org} and slug = any(${slugs})`);
}

/** When the address last stopped being a signer's: tokens from before are refused. Null if it never was one. */
export async function lookUpCorrection(read: Read, org: OrgId, envelope_id: EnvelopeId, email: string): Promise<Date | null> {
  const { rows } = await read.query<{ corrected_at: Date | null }>(sql`
    select max(corrected_at) as corrected_at from signer_corrections
    where org_id = ${org} and envelope_id = ${envelope_id} and email_key(email) = email_key(${email})`);
  return rows[0]?.corrected_at ?? null;
}

export async function insertCorrection(tx: Tx, org: OrgId, envelope_id: EnvelopeId, email: string): Promise<void> {
  await tx.query(sql`insert into signer_corrections (org_id, envelope_id, email) values (${org}, ${envelope_id}, ${email})`);
}

/** Replaces address, name and link. The old link stops working. */
export async function replaceSigner(
  tx: Tx,
  org: OrgId,
  old: Slug,
  { email, name, slug, locale }: Pick<Signer, "email" | "name" | "slug" | "locale">,
): Promise<void> {
  await tx.query(sql`
    update signers set email = ${email}, name = ${name}, slug = ${slug}, locale = ${locale}, reminded_at = null,
      bare_link_until = case when slug = ${slug} then bare_link_until end
    where org_id = ${org} and slug = ${old}`);
}
