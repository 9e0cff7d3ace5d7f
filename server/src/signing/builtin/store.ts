import { named, type Read, sql, type Tx } from "../../db/sql.ts";
import type { LinkUse, TokenHolder, WidgetCaller } from "../../shared/caller.ts";
import type { EnvelopeId, OrgId, RecipientId } from "../../shared/ids.ts";
import type { Slug } from "../../shared/slugs.ts";
import type { AdoptedMark } from "../mark.ts";
import { contexts, openEntered, type SealingDeps, storedValue } from "../sealed-columns.ts";
import { recipientColumns } from "../store.ts";
import type { Recipient } from "../submission.ts";

/** The SQL of a ceremony: signing sessions, consents, drafts, marks and signatures. Evidence is only ever inserted. */

/** How a signing session was opened. */
export interface OpenedSession {
  readonly credential: TokenHolder["credential"];
  readonly link_kind: LinkUse["kind"] | null;
}

/** What is recorded of one recipient in one signing session. */
export interface Attendance {
  /** null until the page is opened */
  readonly session: OpenedSession | null;
  /** the current consent to one of the texts, in any of its languages */
  readonly consent: Consent | null;
  /** when they agreed that the document is a transferable record; null if they did not */
  readonly agreed_at: Date | null;
  readonly prepared_sha256: string;
  /** when page 1 of this version was first served in the session; null if it was not */
  readonly rendered_at: Date | null;
  /** Later than everything above. Under the envelope's lock, a time at which the recipient can act. */
  readonly now: Date;
}

interface AttendanceRow extends Omit<Attendance, "session" | "consent"> {
  readonly session_credential: OpenedSession["credential"] | null;
  readonly session_link_kind: OpenedSession["link_kind"];
  readonly consent_no: number | null;
  readonly disclosure_version: string;
  readonly disclosure_sha256: string;
  readonly consented_at: Date;
}

/**
 * Everyone who takes part, by step, and what is recorded of the token's recipient: null for a person who is none. In one statement,
 * because every request of the page reads it.
 */
export async function readAttendance(
  read: Read,
  { org, holder }: WidgetCaller,
  texts: readonly { readonly sha256: string }[],
): Promise<{ readonly recipients: readonly Recipient[]; readonly own: Attendance | null }> {
  const { envelope_id, slug, signing_session } = holder;
  const { rows } = await read.query<Recipient & AttendanceRow>(named("read-attendance")`
    select ${recipientColumns}, session_credential, session_link_kind, consent_no, disclosure_version, disclosure_sha256, consented_at, agreed_at,
      prepared_sha256, rendered_at, clock_timestamp() as now
    from signers g
      left join (select credential as session_credential, link_kind as session_link_kind from signing_sessions
        where org_id = ${org} and slug = ${slug} and session = ${signing_session}) opened on g.slug = ${slug}
      left join (select consent_no, disclosure_version, disclosure_sha256, accepted_at as consented_at from consents
        where org_id = ${org} and slug = ${slug} and withdrawn_at is null
          and disclosure_sha256 = any(${texts.map(({ sha256 }) => sha256)})) consented on g.slug = ${slug}
      left join (select accepted_at as agreed_at from maker_agreements where org_id = ${org} and slug = ${slug}) agreed on g.slug = ${slug}
      left join (select pdf_sha256 as prepared_sha256 from documents
        where org_id = ${org} and envelope_id = ${envelope_id} order by document_no limit 1) document on g.slug = ${slug}
      left join (select prepared_sha256 as rendered_sha256, served_at as rendered_at from page_renderings
        where org_id = ${org} and slug = ${slug} and session = ${signing_session}) rendered on rendered_sha256 = prepared_sha256
    where g.org_id = ${org} and g.envelope_id = ${envelope_id} and g.removed_at is null order by g.step nulls last, g.turn`);
  const own = rows.find((row) => row.slug === slug);
  return { recipients: rows.map(recipientIn), own: own === undefined ? null : attendanceIn(own) };
}

function recipientIn(row: Recipient & AttendanceRow): Recipient {
  const { session_credential, session_link_kind, consent_no, disclosure_version, disclosure_sha256, ...others } = row;
  const { consented_at, agreed_at, prepared_sha256, rendered_at, now, ...recipient } = others;
  return recipient;
}

function attendanceIn({ agreed_at, prepared_sha256, rendered_at, now, ...row }: AttendanceRow): Attendance {
  const { session_credential: credential, session_link_kind: link_kind } = row;
  const { consent_no, disclosure_version, disclosure_sha256, consented_at: accepted_at } = row;
  const consent = consent_no === null ? null : { consent_no, disclosure_version, disclosure_sha256, accepted_at };
  return { session: credential === null ? null : { credential, link_kind }, consent, agreed_at, prepared_sha256, rendered_at, now };
}

/** Returns whether it is new. Of several concurrent first calls of a page, one gets true. */
export async function insertSession(tx: Tx, { org, holder, ip, user_agent }: WidgetCaller, slug: Slug): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into signing_sessions (org_id, envelope_id, slug, session, credential, link_kind, ip, user_agent, opened_at)
    values (${org}, ${holder.envelope_id}, ${slug}, ${holder.signing_session}, ${holder.credential}, ${holder.link?.kind ?? null}, ${ip},
      ${user_agent}, clock_timestamp())
    on conflict do nothing`);
  return rowCount === 1;
}

export async function insertRendering(tx: Tx, org: OrgId, slug: Slug, session: string, prepared_sha256: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into page_renderings (org_id, slug, session, prepared_sha256, served_at)
    values (${org}, ${slug}, ${session}, ${prepared_sha256}, clock_timestamp())
    on conflict do nothing`);
  return rowCount === 1;
}

export interface Consent {
  readonly consent_no: number;
  readonly disclosure_version: string;
  readonly disclosure_sha256: string;
  readonly accepted_at: Date;
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

/** Consent to an earlier text ends with that text. Most signers have given none. */
export async function insertConsent(tx: Tx, org: OrgId, consent: NewConsent): Promise<Date> {
  const accepted_at = await insertOnlyConsent(tx, org, consent);
  if (accepted_at !== null) return accepted_at;
  await endConsent(tx, org, consent.slug);
  return (await insertOnlyConsent(tx, org, consent)) ?? Promise.reject(new Error("a consent that has ended is still in force"));
}

/** Null if the signer has given one, which has not ended. */
async function insertOnlyConsent(tx: Tx, org: OrgId, consent: NewConsent): Promise<Date | null> {
  const { envelope_id, slug, session, version, locale, sha256, rendered_at } = consent;
  const { rows } = await tx.query<{ accepted_at: Date }>(named("insert-consent")`
    insert into consents (org_id, slug, consent_no, envelope_id, session, disclosure_version, disclosure_locale, disclosure_sha256, rendered_at, accepted_at)
    select ${org}, ${slug}, coalesce(max(consent_no), 0) + 1, ${envelope_id}, ${session}, ${version}, ${locale}, ${sha256}, ${rendered_at}, clock_timestamp()
    from consents where org_id = ${org} and slug = ${slug}
    on conflict (org_id, slug) where withdrawn_at is null do nothing returning accepted_at`);
  return rows[0]?.accepted_at ?? null;
}

export async function endConsent(tx: Tx, org: OrgId, slug: Slug): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update consents set withdrawn_at = clock_timestamp() where org_id = ${org} and slug = ${slug} and withdrawn_at is null`);
  return rowCount === 1;
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

type MarkColumns<Kind extends "signature" | "initials"> = {
  readonly [column in `${Kind}_sha256` | `${Kind}_method`]: string | null;
} & { readonly [column in `${Kind}_content` | `${Kind}_sealed`]: Buffer | null };

interface DraftRow extends MarkColumns<"signature">, MarkColumns<"initials"> {
  readonly revision: number;
  readonly values: Draft["values"];
  readonly values_sealed: Buffer | null;
  readonly recipient_id: RecipientId;
}

export async function findDraft(deps: SealingDeps, tx: Tx, org: OrgId, slug: Slug): Promise<Draft> {
  return (await readDraft(deps, tx, org, slug, "")) ?? NO_DRAFT;
}

/** Makes two tabs of one signer save one after the other. Creates the row if there is none. */
export async function lockDraft(deps: SealingDeps, tx: Tx, org: OrgId, slug: Slug): Promise<LockedDraft> {
  const known = await readDraft(deps, tx, org, slug, "for no key update of d");
  if (known !== null) return known;
  const { rows } = await tx.query<Pick<LockedDraft, "recipient_id">>(named("begin-signing-draft")`
    insert into signing_drafts as d (org_id, slug, revision, "values") values (${org}, ${slug}, 0, '{}') on conflict do nothing
    returning (select recipient_id from signers where org_id = d.org_id and slug = d.slug)`);
  if (rows[0] !== undefined) return { ...NO_DRAFT, ...rows[0] };
  const ofOtherTab = await readDraft(deps, tx, org, slug, "for no key update of d");
  if (ofOtherTab === null) throw new Error("a draft has no signer");
  return ofOtherTab;
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
    text: `select d.revision, d."values", d.values_sealed, p.recipient_id,
        d.signature_sha256, s.method as signature_method, s.content as signature_content, s.content_sealed as signature_sealed,
        d.initials_sha256, i.method as initials_method, i.content as initials_content, i.content_sealed as initials_sealed
      from signing_drafts d join signers p on p.org_id = d.org_id and p.slug = d.slug
        left join adopted_marks s on s.org_id = d.org_id and s.slug = d.slug and s.sha256 = d.signature_sha256
        left join adopted_marks i on i.org_id = d.org_id and i.slug = d.slug and i.sha256 = d.initials_sha256
      where d.org_id = $1 and d.slug = $2 ${lock}`,
    values: [org, slug],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const { revision, values_sealed, recipient_id } = row;
  const values =
    values_sealed === null
      ? row.values
      : JSON.parse(openEntered(deps, org, values_sealed, contexts.draft(org, recipient_id)).toString("utf8"));
  const signature = markIn(deps, org, row.signature_sha256, row.signature_method, row.signature_content, row.signature_sealed);
  const initials = markIn(deps, org, row.initials_sha256, row.initials_method, row.initials_content, row.initials_sealed);
  return { revision, values, signature, initials, recipient_id };
}

/** A foreign key keeps the mark of every hash. */
function markIn(
  deps: SealingDeps,
  org: OrgId,
  sha256: string | null,
  method: string | null,
  plain: Buffer | null,
  sealed: Buffer | null,
): AdoptedMark | null {
  if (sha256 === null) return null;
  const content = sealed === null ? (plain as Buffer) : openEntered(deps, org, sealed, contexts.mark(org, sha256));
  return { sha256, method: method as AdoptedMark["method"], content };
}

export async function saveDraft(deps: SealingDeps, tx: Tx, org: OrgId, slug: Slug, draft: LockedDraft): Promise<void> {
  const { revision, signature, initials, recipient_id } = draft;
  const { plain, sealed } = storedValue(deps, org, JSON.stringify(draft.values), contexts.draft(org, recipient_id));
  await tx.query(sql`
    update signing_drafts set revision = ${revision}, "values" = ${plain ?? "{}"}, values_sealed = ${sealed},
      signature_sha256 = ${signature?.sha256 ?? null}, initials_sha256 = ${initials?.sha256 ?? null}, updated_at = now()
    where org_id = ${org} and slug = ${slug}`);
}

export async function insertMarks(deps: SealingDeps, tx: Tx, org: OrgId, slug: Slug, marks: readonly AdoptedMark[]): Promise<void> {
  if (marks.length === 0) return;
  const rows = marks.map(({ sha256, method, content }) => {
    const { plain, sealed } = storedValue(deps, org, Buffer.from(content), contexts.mark(org, sha256));
    return { sha256, method, plain: plain?.toString("hex") ?? null, sealed: sealed?.toString("hex") ?? null };
  });
  await tx.query(sql`
    insert into adopted_marks (org_id, slug, sha256, method, content, content_sealed)
    select ${org}, ${slug}, m.sha256, m.method, decode(m.plain, 'hex'), decode(m.sealed, 'hex')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (sha256 text, method text, plain text, sealed text) on conflict do nothing`);
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

export async function nextTemplateId(tx: Tx): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(sql`select nextval('provider_template_ids')::int as id`);
  if (rows[0] === undefined) throw new Error("the sequence of template ids returned no number");
  return rows[0].id;
}
