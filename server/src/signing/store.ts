import { named, type Read, sql, type Tx } from "../db/sql.ts";
import { type EnvelopeId, newId, type OrgId, type RecipientId, type SubmissionId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import type { Slug } from "../shared/slugs.ts";
import { isSigner, type Recipient, type Signer, type SigningOrder } from "./submission.ts";

export const recipientColumns = sql`turn, recipient_id, kind, step, delivery, slug, email, name, role, locale, message, status, acted_at, invited_at, reminded_at, viewed_at,
  signed_at, declined_at, paper_requested_at, renamed_at`;

/** By step. Empty for a draft. People who were removed are left out. */
export async function listRecipients(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Recipient[]> {
  const { rows } = await read.query<Recipient>(named("list-recipients")`
    select ${recipientColumns} from signers where org_id = ${org} and envelope_id = ${envelope_id} and removed_at is null order by step nulls last, turn`);
  return rows;
}

/** In signing order. */
export async function listSigners(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Signer[]> {
  return (await listRecipients(read, org, envelope_id)).filter(isSigner);
}

/** Null if the address is not a recipient's. */
export async function lookUpRecipient(read: Read, org: OrgId, envelope_id: EnvelopeId, email: string): Promise<Recipient | null> {
  const { rows } = await read.query<Recipient>(named("look-up-recipient")`
    select ${recipientColumns} from signers
    where org_id = ${org} and envelope_id = ${envelope_id} and email_key(email) = email_key(${email}) and removed_at is null`);
  return rows[0] ?? null;
}

/** When the address last stopped being a recipient's, because the person was removed or replaced; null if it did not. */
export async function lookUpRemoval(read: Read, org: OrgId, envelope_id: EnvelopeId, email: string): Promise<Date | null> {
  const { rows } = await read.query<{ removed_at: Date | null }>(sql`
    select max(removed_at) as removed_at from signers
    where org_id = ${org} and envelope_id = ${envelope_id} and email_key(email) = email_key(${email})`);
  return rows[0]?.removed_at ?? null;
}

/** The org of a link whose recipient was removed or replaced; null for every other slug. */
export async function lookUpFormerLink(read: Read, slug: Slug): Promise<OrgId | null> {
  const { rows } = await read.query<{ org_id: OrgId }>(sql`select org_id from find_former_recipient(${slug})`);
  return rows[0]?.org_id ?? null;
}

/** Finds the recipient of a link, before the org is known; null for an unknown or replaced slug. */
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
    update signers set status = 'declined', declined_at = now(), acted_at = now(), decline_reason = ${reason}
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
    update signers set status = 'signed', signed_at = ${at}, acted_at = ${at} where org_id = ${org} and slug = ${slug} and status = 'viewed'`);
  if (rowCount !== 1) throw new Error("a signer who was shown the document could not sign");
}

/** The same for an approver or a viewer. */
export async function markActed(tx: Tx, org: OrgId, slug: Slug, status: "approved" | "confirmed", at: Date): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update signers set status = ${status}, acted_at = ${at} where org_id = ${org} and slug = ${slug} and status in ('pending', 'viewed')`);
  if (rowCount !== 1) throw new Error("a recipient whose turn it is could not act");
}

/** Those who get a copy, once the result is theirs. */
export async function markDelivered(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<void> {
  await tx.query(sql`
    update signers set status = 'delivered'
    where org_id = ${org} and envelope_id = ${envelope_id} and kind = 'cc' and status in ('pending', 'viewed') and removed_at is null`);
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

/** Cancels everyone who has not acted. */
export async function cancelSigners(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<void> {
  await tx.query(sql`
    update signers set status = 'cancelled'
    where org_id = ${org} and envelope_id = ${envelope_id} and status in ('pending', 'viewed', 'locked')`);
}

export type NewRecipient = Pick<Recipient, "kind" | "step" | "delivery" | "slug" | "email" | "name" | "role" | "message"> & {
  readonly locale?: Locale | null | undefined;
};

export interface NewSubmission {
  readonly submission_id: SubmissionId;
  readonly envelope_id: EnvelopeId;
  readonly provider: string;
  readonly signing_order: SigningOrder;
  /** in the order in which the sender named them */
  readonly recipients: readonly NewRecipient[];
}

export async function insertSubmission(tx: Tx, org: OrgId, submission: NewSubmission): Promise<void> {
  const { submission_id, envelope_id, provider, signing_order } = submission;
  await tx.query(named("insert-submission")`
    insert into submissions (org_id, submission_id, envelope_id, provider, signing_order)
    values (${org}, ${submission_id}, ${envelope_id}, ${provider}, ${signing_order})`);
  await insertRecipients(tx, org, envelope_id, submission.recipients);
}

/** After the existing ones. `recipient_id`: of a person whose place is taken. */
export async function insertRecipients(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  recipients: readonly (NewRecipient & { readonly recipient_id?: RecipientId; readonly turn?: number })[],
): Promise<void> {
  const rows = recipients.map(({ recipient_id = newId("recipient"), ...recipient }, index) => ({
    ...recipient,
    recipient_id,
    place: index + 1,
  }));
  await tx.query(named("insert-recipients")`
    insert into signers (org_id, submission_id, envelope_id, turn, recipient_id, kind, step, delivery, slug, email, name, role, locale, message)
    select ${org}, b.submission_id, ${envelope_id}, coalesce(s.turn, s.place + (
        select coalesce(max(turn), 0) from signers g where g.org_id = ${org} and g.submission_id = b.submission_id)), s.recipient_id, s.kind, s.step,
      s.delivery, s.slug, s.email, s.name, s.role, s.locale, s.message
    from submissions b, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (place int, turn int, recipient_id text, kind text, step int,
      delivery text, slug text, email text, name text, role text, locale text, message text)
    where b.org_id = ${org} and b.envelope_id = ${envelope_id}`);
}

/** The row stays, after the others, with everything that was recorded about the person. */
export async function removeRecipient(tx: Tx, org: OrgId, slug: Slug): Promise<void> {
  await tx.query(sql`
    update signers s set removed_at = clock_timestamp(), status = 'cancelled', turn = (
      select max(turn) + 1 from signers g where g.org_id = s.org_id and g.submission_id = s.submission_id)
    where s.org_id = ${org} and s.slug = ${slug}`);
}

/** What can change while the person stays the same. A person who is moved to a later step is invited again when it begins. */
export async function updateRecipient(
  tx: Tx,
  org: OrgId,
  { slug, name, step, message, locale, invited_at }: Pick<Recipient, "slug" | "name" | "step" | "message" | "locale" | "invited_at">,
): Promise<void> {
  await tx.query(sql`
    update signers set name = ${name}, step = ${step}, message = ${message}, locale = ${locale}, invited_at = ${invited_at},
      renamed_at = case when name = ${name} then renamed_at else now() end
    where org_id = ${org} and slug = ${slug}`);
}

/** Their page shows this name. It may have been changed again since it was read. */
export async function markNameShown(tx: Tx, org: OrgId, { slug, name }: Pick<Recipient, "slug" | "name">): Promise<void> {
  await tx.query(sql`update signers set renamed_at = null where org_id = ${org} and slug = ${slug} and name = ${name}`);
}

export async function markInvited(tx: Tx, org: OrgId, slugs: readonly Slug[]): Promise<void> {
  await tx.query(named("mark-invited")`update signers set invited_at = now() where org_id = ${org} and slug = any(${slugs})`);
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
