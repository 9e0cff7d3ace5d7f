import { join, type Read, type Sql, sql, type Tx } from "../../db/sql.ts";
import type { AuthoritativeCopyId, EndingId, EnvelopeId, OrgId, PersonId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { Problem } from "../../shared/problems.ts";
import type { BlobName } from "../../storage/blob-store.ts";
import { requireOne } from "../copy.ts";
import type { DestroyedFile, EndingKind, EndingState, RecordEnding } from "./ending.ts";

/** The SQL of endings. Callers that write hold the copy's lock. */

const columns = sql`ending_id, kind, state, envelope_id, copy_id, act_id, reason, begun_at, done_at, recipient, person_id, pdf_sha256, pdf_size,
  downloaded_at, files, certificate_sha256`;

export async function findEnding(read: Read, org: OrgId, ending_id: EndingId): Promise<RecordEnding> {
  const [ending] = await endingsBy(read, org, sql`ending_id = ${ending_id}`);
  if (ending === undefined) throw new Problem("ending_not_found");
  return ending;
}

async function endingsBy(read: Read, org: OrgId, which: Sql): Promise<RecordEnding[]> {
  const { rows } = await read.query<RecordEnding>(sql`select ${columns} from record_endings where org_id = ${org} and ${which}`);
  return rows;
}

export type NewEnding = Pick<
  RecordEnding,
  "ending_id" | "kind" | "envelope_id" | "copy_id" | "act_id" | "reason" | "begun_at" | "recipient" | "person_id"
>;

export async function insertEnding(tx: Tx, org: OrgId, one: NewEnding): Promise<void> {
  await tx.query(sql`
    insert into record_endings (org_id, ending_id, kind, envelope_id, copy_id, act_id, reason, begun_at, recipient, person_id)
    values (${org}, ${one.ending_id}, ${one.kind}, ${one.envelope_id}, ${one.copy_id}, ${one.act_id}, ${one.reason}, ${one.begun_at},
      ${one.recipient === null ? null : JSON.stringify(one.recipient)}, ${one.person_id})`);
}

/** False if the paper exists already, or was cancelled. */
export async function setPaper(tx: Tx, org: OrgId, ending_id: EndingId, { sha256, size }: BlobName): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update record_endings set pdf_sha256 = ${sha256}, pdf_size = ${size}
    where org_id = ${org} and ending_id = ${ending_id} and state = 'begun' and pdf_sha256 is null`);
  return rowCount === 1;
}

/** From the first download on, the paper may exist. */
export async function notePaperDownload(tx: Tx, org: OrgId, ending_id: EndingId): Promise<void> {
  await tx.query(sql`
    update record_endings set downloaded_at = coalesce(downloaded_at, clock_timestamp()) where org_id = ${org} and ending_id = ${ending_id}`);
}

export async function closeEnding(
  tx: Tx,
  org: OrgId,
  ending_id: EndingId,
  {
    state,
    at,
    files = null,
  }: { readonly state: "done" | "cancelled"; readonly at: Date; readonly files?: readonly DestroyedFile[] | null },
): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update record_endings set state = ${state}, done_at = ${at}, files = ${files === null ? null : JSON.stringify(files)}
    where org_id = ${org} and ending_id = ${ending_id} and state = 'begun'`);
  requireOne(rowCount, `${ending_id} has already ended`);
}

/** False if there is one already. */
export async function setEndingCertificate(tx: Tx, org: OrgId, ending_id: EndingId, sha256: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update record_endings set certificate_sha256 = ${sha256}
    where org_id = ${org} and ending_id = ${ending_id} and certificate_sha256 is null`);
  return rowCount === 1;
}

export interface EndingFilter {
  readonly envelope_id?: string;
  readonly kind?: EndingKind;
  readonly status?: EndingState;
}

export async function listEndings(read: Read, org: OrgId, filter: EndingFilter, { page, limit }: PageRequest): Promise<Page<RecordEnding>> {
  const conditions = [sql`org_id = ${org}`];
  if (filter.envelope_id !== undefined) conditions.push(sql`envelope_id = ${filter.envelope_id}`);
  if (filter.kind !== undefined) conditions.push(sql`kind = ${filter.kind}`);
  if (filter.status !== undefined) conditions.push(sql`state = ${filter.status}`);
  const which = join(conditions, " and ");
  const items = await endingsBy(read, org, sql`${which} order by ending_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows } = await read.query<{ total: number }>(sql`select count(*)::int as total from record_endings where ${which}`);
  return { items, total: rows[0]?.total ?? 0 };
}

/** Of all organizations. */
export async function listPapersOfPerson(
  read: Read,
  person_id: PersonId,
  limit: number,
): Promise<{ org_id: OrgId; ending_id: EndingId }[]> {
  const { rows } = await read.query<{ org_id: OrgId; ending_id: EndingId }>(sql`
    select org_id, ending_id from papers_of_person(${person_id}, ${limit})`);
  return rows;
}

/** The organization whose record it was; null if the person is not the recipient. */
export async function lookUpPaperOfPerson(read: Read, person_id: PersonId, ending_id: EndingId): Promise<OrgId | null> {
  const { rows } = await read.query<{ org_id: OrgId | null }>(sql`select find_paper_of_person(${person_id}, ${ending_id}) as org_id`);
  return rows[0]?.org_id ?? null;
}

/**
 * The files with the content of a record: its document in every version, what came with it, and what was packed or printed from it. Its
 * certificates are not among them. `kept`: a template or another record uses the same bytes, and was not destroyed itself.
 */
export async function listContentFiles(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<DestroyedFile[]> {
  const { rows } = await read.query<DestroyedFile>(sql`
    with named as (
      select envelope_id, 'the authoritative copy' as what, sha256, 1 as rank from authoritative_copies where org_id = ${org}
      union all select envelope_id, 'the document as received', hash, 2 from documents where org_id = ${org}
      union all select envelope_id, 'the document', pdf_sha256, 3 from documents where org_id = ${org}
      union all select envelope_id, 'the document, ' || kind, sha256, 4 from document_versions where org_id = ${org}
      union all select envelope_id, 'the evidence file', sha256, 5 from evidence_files where org_id = ${org}
      union all select envelope_id, 'the package of an export', package_sha256, 6 from vault_exports where org_id = ${org}
      union all select envelope_id, 'the package of a transfer', package_sha256, 7 from vault_transfers where org_id = ${org}
      union all select envelope_id, 'the bundle of the vault before', bundle_sha256, 8 from record_origins where org_id = ${org}
      union all select envelope_id, 'the PDF for printing', pdf_sha256, 9 from record_endings where org_id = ${org}
      union all select null, 'a template', pdf_sha256, 10 from template_documents where org_id = ${org}
    ), mine as (
      select distinct on (sha256) sha256, what, rank from named where envelope_id = ${envelope_id} order by sha256, rank
    )
    select m.what, m.sha256, b.size::float8 as size,
      exists (
        select from named n left join authoritative_copies c on c.org_id = ${org} and c.envelope_id = n.envelope_id
        where n.sha256 = m.sha256 and n.envelope_id is distinct from ${envelope_id}
          and coalesce(c.state, '') not in ('destroying', 'destroyed')) as kept
    from mine m join blobs b on b.org_id = ${org} and b.sha256 = m.sha256 order by m.rank, m.sha256`);
  return rows;
}

/** Locks the row against new references. False if the bytes are not there any more. */
export async function lockBlob(tx: Tx, org: OrgId, sha256: string): Promise<void> {
  await tx.query(sql`select from blobs where org_id = ${org} and sha256 = ${sha256} for update`);
}

/** Deletes the key too, so that copies of the bytes in backups can no longer be read once the backups of this row are gone. */
export async function noteDestroyed(tx: Tx, org: OrgId, sha256: string): Promise<void> {
  await tx.query(sql`
    update blobs set destroyed_at = clock_timestamp(), key_no = null, key_wrapped = null, encryption = 'none'
    where org_id = ${org} and sha256 = ${sha256}`);
}

/** With the bytes, the keys of packages end. */
export async function eraseExportKeys(tx: Tx, org: OrgId, copy_id: AuthoritativeCopyId): Promise<void> {
  await tx.query(sql`update vault_exports set key_enc = null where org_id = ${org} and copy_id = ${copy_id}`);
}
