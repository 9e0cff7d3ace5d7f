import { named, type Read, sql, type Tx } from "../../db/sql.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import type { EnvelopeId, OrgId, RecipientId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { Slug } from "../../shared/slugs.ts";
import type { AdoptedMark } from "../mark.ts";
import { contexts, openEntered, type SealingDeps, storedValue } from "../sealed-columns.ts";

/** The SQL of a ceremony: signing sessions, consents, drafts, marks and signatures. Evidence is only ever inserted. */

/** Throws if the session was opened in another way, because the record of a signature would then be wrong. */
export async function hasSession(read: Read, { org, holder }: WidgetCaller, slug: Slug): Promise<boolean> {
  const { rows } = await read.query<{ credential: string; link_kind: string | null }>(named("look-up-signing-session")`
    select credential, link_kind from signing_sessions
    where org_id = ${org} and slug = ${slug} and session = ${holder.signing_session}`);
  const known = rows[0];
  if (known === undefined) return false;
  if (known.credential === holder.credential && known.link_kind === (holder.link?.kind ?? null)) return true;
  const message = "was begun with another link or token";
  throw new Problem("session_mismatch", "", {
    details: [{ location: "header", field: "X-Signing-Session", code: "conflict", message }],
  });
}

/** Returns whether it is new. Of several concurrent first calls of a page, one gets true. */
export async function insertSession(tx: Tx, { org, holder, ip, user_agent }: WidgetCaller, slug: Slug): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into signing_sessions (org_id, envelope_id, slug, session, credential, link_kind, ip, user_agent)
    values (${org}, ${holder.envelope_id}, ${slug}, ${holder.signing_session}, ${holder.credential}, ${holder.link?.kind ?? null}, ${ip},
      ${user_agent})
    on conflict do nothing`);
  return rowCount === 1;
}

/** When page 1 of this version was first served in the signing session; null if it was not. */
export async function lookUpRendering(read: Read, org: OrgId, slug: Slug, session: string, prepared_sha256: string): Promise<Date | null> {
  const { rows } = await read.query<{ served_at: Date }>(named("look-up-rendering")`
    select served_at from page_renderings
    where org_id = ${org} and slug = ${slug} and session = ${session} and prepared_sha256 = ${prepared_sha256}`);
  return rows[0]?.served_at ?? null;
}

export async function insertRendering(tx: Tx, org: OrgId, slug: Slug, session: string, prepared_sha256: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into page_renderings (org_id, slug, session, prepared_sha256) values (${org}, ${slug}, ${session}, ${prepared_sha256})
    on conflict do nothing`);
  return rowCount === 1;
}

export interface Consent {
  readonly consent_no: number;
  readonly disclosure_version: string;
  readonly disclosure_sha256: string;
  readonly accepted_at: Date;
}

/** The current consent to a text, in any of its languages. */
export async function lookUpConsent(
  read: Read,
  org: OrgId,
  slug: Slug,
  texts: readonly { readonly sha256: string }[],
): Promise<Consent | null> {
  const { rows } = await read.query<Consent>(named("look-up-consent")`
    select consent_no, disclosure_version, disclosure_sha256, accepted_at from consents
    where org_id = ${org} and slug = ${slug} and withdrawn_at is null and disclosure_sha256 = any(${texts.map(({ sha256 }) => sha256)})`);
  return rows[0] ?? null;
}

/** The hash of the disclosure that the signer accepted last and has not withdrawn, of any version. */
export async function lookUpAcceptedDisclosure(read: Read, org: OrgId, slug: Slug): Promise<string | null> {
  const { rows } = await read.query<{ disclosure_sha256: string }>(sql`
    select disclosure_sha256 from consents where org_id = ${org} and slug = ${slug} and withdrawn_at is null
    order by consent_no desc limit 1`);
  return rows[0]?.disclosure_sha256 ?? null;
}

export interface NewConsent {
  readonly envelope_id: EnvelopeId;
  readonly slug: Slug;
  readonly session: string;
  readonly version: string;
  readonly locale: string;
  readonly sha256: string;
  readonly rendered_at: Date;
}

/** Consent to an earlier text ends with that text. */
export async function insertConsent(tx: Tx, org: OrgId, consent: NewConsent): Promise<Date> {
  await endConsent(tx, org, consent.slug);
  const { envelope_id, slug, session, version, locale, sha256, rendered_at } = consent;
  const { rows } = await tx.query<{ accepted_at: Date }>(sql`
    insert into consents (org_id, slug, consent_no, envelope_id, session, disclosure_version, disclosure_locale, disclosure_sha256, rendered_at, accepted_at)
    select ${org}, ${slug}, coalesce(max(consent_no), 0) + 1, ${envelope_id}, ${session}, ${version}, ${locale}, ${sha256}, ${rendered_at}, clock_timestamp()
    from consents where org_id = ${org} and slug = ${slug}
    returning accepted_at`);
  return (rows[0] as { accepted_at: Date }).accepted_at;
}

export async function endConsent(tx: Tx, org: OrgId, slug: Slug): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update consents set withdrawn_at = clock_timestamp() where org_id = ${org} and slug = ${slug} and withdrawn_at is null`);
  return rowCount === 1;
}

/** When the signer agreed that the document is a transferable record; null if they did not. */
export async function lookUpAgreement(read: Read, org: OrgId, slug: Slug): Promise<Date | null> {
  const { rows } = await read.query<{ accepted_at: Date }>(sql`
    select accepted_at from maker_agreements where org_id = ${org} and slug = ${slug}`);
  return rows[0]?.accepted_at ?? null;
}

export async function insertAgreement(tx: Tx, org: OrgId, agreement: Omit<NewConsent, "rendered_at">): Promise<Date> {
  const { envelope_id, slug, session, version, locale, sha256 } = agreement;
  const { rows } = await tx.query<{ accepted_at: Date }>(sql`
    insert into maker_agreements (org_id, slug, envelope_id, session, agreement_version, agreement_locale, agreement_sha256)
    values (${org}, ${slug}, ${envelope_id}, ${session}, ${version}, ${locale}, ${sha256}) returning accepted_at`);
  return (rows[0] as { accepted_at: Date }).accepted_at;
}

/** What a signer has entered, by field id: text, a tick, or when a mark was applied. */
export interface Draft {
  readonly revision: number;
  readonly values: Readonly<Record<string, string | number | boolean | null>>;
  readonly signature: AdoptedMark | null;
  readonly initials: AdoptedMark | null;
}

export const NO_DRAFT: Draft = { revision: 0, values: {}, signature: null, initials: null };

/** One that has a row. */
export interface LockedDraft extends Draft {
  readonly recipient_id: RecipientId;
}

interface DraftRow {
  readonly revision: number;
  readonly values: Draft["values"];
  readonly values_sealed: Buffer | null;
  readonly recipient_id: RecipientId;
  readonly signature_sha256: string | null;
  readonly initials_sha256: string | null;
}

export async function findDraft(deps: SealingDeps, tx: Tx, org: OrgId, slug: Slug): Promise<Draft> {
  return (await readDraft(deps, tx, org, slug, "")) ?? NO_DRAFT;
}

/** Makes two tabs of one signer save one after the other. Creates the row if there is none. */
export async function lockDraft(deps: SealingDeps, tx: Tx, org: OrgId, slug: Slug): Promise<LockedDraft> {
  await tx.query(sql`
    insert into signing_drafts (org_id, slug, revision, "values") values (${org}, ${slug}, 0, '{}') on conflict do nothing`);
  const draft = await readDraft(deps, tx, org, slug, "for no key update of d");
  if (draft === null) throw new Error("a draft has no signer");
  return draft;
}

async function readDraft(
  deps: SealingDeps,
  tx: Tx,
  org: OrgId,
  slug: Slug,
  lock: "" | "for no key update of d",
): Promise<LockedDraft | null> {
  const { rows } = await tx.query<DraftRow>({
    name: `signing-draft ${lock}`,
    text: `select d.revision, d."values", d.values_sealed, d.signature_sha256, d.initials_sha256, s.recipient_id
      from signing_drafts d join signers s on s.org_id = d.org_id and s.slug = d.slug where d.org_id = $1 and d.slug = $2 ${lock}`,
    values: [org, slug],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const { revision, values_sealed, recipient_id } = row;
  const values =
    values_sealed === null
      ? row.values
      : JSON.parse(openEntered(deps, org, values_sealed, contexts.draft(org, recipient_id)).toString("utf8"));
  const marks = await findMarks(deps, tx, org, slug, [row.signature_sha256, row.initials_sha256]);
  const markOf = (sha256: string | null) => marks.find((mark) => mark.sha256 === sha256) ?? null;
  return { revision, values, signature: markOf(row.signature_sha256), initials: markOf(row.initials_sha256), recipient_id };
}

export async function saveDraft(deps: SealingDeps, tx: Tx, org: OrgId, slug: Slug, draft: LockedDraft): Promise<void> {
  const { revision, signature, initials, recipient_id } = draft;
  const { plain, sealed } = storedValue(deps, org, JSON.stringify(draft.values), contexts.draft(org, recipient_id));
  await tx.query(sql`
    update signing_drafts set revision = ${revision}, "values" = ${plain ?? "{}"}, values_sealed = ${sealed},
      signature_sha256 = ${signature?.sha256 ?? null}, initials_sha256 = ${initials?.sha256 ?? null}, updated_at = now()
    where org_id = ${org} and slug = ${slug}`);
}

interface MarkRow extends Omit<AdoptedMark, "content"> {
  readonly content: Buffer | null;
  readonly content_sealed: Buffer | null;
}

async function findMarks(deps: SealingDeps, tx: Tx, org: OrgId, slug: Slug, wanted: readonly (string | null)[]): Promise<AdoptedMark[]> {
  const hashes = wanted.filter((sha256) => sha256 !== null);
  if (hashes.length === 0) return [];
  const { rows } = await tx.query<MarkRow>(named("find-marks")`
    select sha256, method, content, content_sealed from adopted_marks
    where org_id = ${org} and slug = ${slug} and sha256 = any(${hashes})`);
  return rows.map(({ sha256, method, content, content_sealed }) => ({
    sha256,
    method,
    content: content_sealed === null ? (content as Buffer) : openEntered(deps, org, content_sealed, contexts.mark(org, sha256)),
  }));
}

export async function insertMark(
  deps: SealingDeps,
  tx: Tx,
  org: OrgId,
  slug: Slug,
  { sha256, method, content }: AdoptedMark,
): Promise<void> {
  const { plain, sealed } = storedValue(deps, org, Buffer.from(content), contexts.mark(org, sha256));
  await tx.query(sql`
    insert into adopted_marks (org_id, slug, sha256, method, content, content_sealed)
    values (${org}, ${slug}, ${sha256}, ${method}, ${plain}, ${sealed}) on conflict do nothing`);
}

export interface NewSignature {
  readonly position: number;
  readonly mark_sha256: string;
  readonly applied_at: string;
}

/** The properties that all signatures of one signer share. */
export interface Act {
  readonly slug: Slug;
  readonly session: string;
  readonly consent_no: number;
  readonly intent: { readonly version: string; readonly locale: string; readonly sha256: string };
  readonly prepared_sha256: string;
  readonly state_sha256: string;
  readonly values_sha256: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly timezone: string | null;
  readonly signed_at: Date;
}

export async function insertSignatures(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  act: Act,
  signatures: readonly NewSignature[],
): Promise<void> {
  const { slug, session, consent_no, intent, prepared_sha256, state_sha256, values_sha256, ip, user_agent, timezone, signed_at } = act;
  await tx.query(sql`
    insert into signatures (org_id, envelope_id, position, slug, mark_sha256, session, consent_no, intent_version, intent_locale, intent_sha256,
      prepared_sha256, state_sha256, values_sha256, ip, user_agent, timezone, applied_at, signed_at)
    select ${org}, ${envelope_id}, s.position, ${slug}, s.mark_sha256, ${session}, ${consent_no}, ${intent.version}, ${intent.locale}, ${intent.sha256},
      ${prepared_sha256}, ${state_sha256}, ${values_sha256}, ${ip}, ${user_agent}, ${timezone}, s.applied_at, ${signed_at}
    from jsonb_to_recordset(${JSON.stringify(signatures)}::jsonb) as s (position int, mark_sha256 text, applied_at timestamptz)`);
}

export async function insertValues(
  deps: SealingDeps,
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  slug: Slug,
  values: readonly { readonly position: number; readonly value: string }[],
): Promise<void> {
  const rows = values.map(({ position, value }) => {
    const { plain, sealed } = storedValue(deps, org, value, contexts.value(org, envelope_id, position));
    return { position, value: plain, sealed: sealed?.toString("hex") ?? null };
  });
  await tx.query(sql`
    insert into signed_values (org_id, envelope_id, position, slug, value, value_sealed)
    select ${org}, ${envelope_id}, v.position, ${slug}, v.value, decode(v.sealed, 'hex')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v (position int, value text, sealed text)`);
}

/** Not the start of the transaction: a request that waited for the envelope signs after a consent that was given in the meantime. */
export async function clock(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ now: Date }>(sql`select clock_timestamp() as now`);
  return (rows[0] as { now: Date }).now;
}

export async function nextTemplateId(tx: Tx): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(sql`select nextval('provider_template_ids')::int as id`);
  if (rows[0] === undefined) throw new Error("the sequence of template ids returned no number");
  return rows[0].id;
}
