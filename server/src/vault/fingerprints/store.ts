import type { DuplicateFacts, FingerprintKind } from "@countersign/evidence";
import type { FileMarks } from "@countersign/pdf/pool";
import { lockRecord } from "../../db/locks.ts";
import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { Actor } from "../../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import type { AuthoritativeCopy } from "../copy.ts";
import type { Fingerprint } from "./fingerprint.ts";

/** The SQL of fingerprints, of records that are alike, and of what was said about them. */

export async function insertFingerprints(tx: Tx, org: OrgId, envelope_id: EnvelopeId, prints: readonly Fingerprint[]): Promise<void> {
  await tx.query(sql`
    insert into document_fingerprints (org_id, envelope_id, kind, value)
    select distinct ${org}, ${envelope_id}, f.kind, f.value from jsonb_to_recordset(${JSON.stringify(prints)}::jsonb) as f (kind text, value text)
    on conflict do nothing`);
}

export async function listFingerprints(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Fingerprint[]> {
  const { rows } = await read.query<Fingerprint>(sql`
    select kind, value from document_fingerprints where org_id = ${org} and envelope_id = ${envelope_id} order by kind, value`);
  return rows;
}

export async function hasFingerprints(read: Read, org: OrgId, { envelope_id, sha256 }: AuthoritativeCopy): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from document_fingerprints
    where org_id = ${org} and envelope_id = ${envelope_id} and kind = 'file' and value = ${sha256}`);
  return rows.length > 0;
}

export async function lookUpReceivedMarks(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<FileMarks | null> {
  const { rows } = await read.query<{ received_marks: FileMarks | null }>(sql`
    select received_marks from documents where org_id = ${org} and envelope_id = ${envelope_id}`);
  return rows[0]?.received_marks ?? null;
}

/** Of two deposits at the same moment, the second waits here and then sees the fingerprints of the first. */
export async function lockFingerprints(tx: Tx, org: OrgId): Promise<void> {
  await lockRecord(tx, "fingerprints", org);
}

/**
 * The record that has this file, or a state of it, or that this file is a state of. Two files that only begin alike are different, such as
 * one form that was filled in twice. Copies without fingerprints yet are found by the hash of their content.
 */
export async function lookUpSameFile(
  read: Read,
  org: OrgId,
  except: readonly EnvelopeId[],
  { file, revisions, ours }: { readonly file: readonly string[]; readonly revisions: readonly string[]; readonly ours: readonly string[] },
): Promise<EnvelopeId | null> {
  const whole = [...file, ...revisions];
  const { rows } = await read.query<{ envelope_id: EnvelopeId }>(sql`
    select envelope_id from document_fingerprints
    where org_id = ${org} and envelope_id <> all(${except})
      and (kind = 'file' and value = any(${whole}) or kind = 'revision' and value = any(${file}) or kind = 'ours' and value = any(${ours}))
    union
    select envelope_id from authoritative_copies
    where org_id = ${org} and envelope_id <> all(${except}) and content_sha256 = any(${whole})
    order by 1 limit 1`);
  return rows[0]?.envelope_id ?? null;
}

export interface NamedEnvelope {
  readonly envelope_id: EnvelopeId;
  readonly is_completed: boolean;
  readonly is_stored: boolean;
}

/** Envelopes of this organization among those that a file names. */
export async function listNamed(read: Read, org: OrgId, envelope_ids: readonly string[]): Promise<NamedEnvelope[]> {
  const { rows } = await read.query<NamedEnvelope>(sql`
    select e.envelope_id, e.status = 'completed' as is_completed, c.copy_id is not null as is_stored
    from envelopes e left join authoritative_copies c using (org_id, envelope_id)
    where e.org_id = ${org} and e.envelope_id = any(${envelope_ids}) order by e.envelope_id`);
  return rows;
}

/**
 * Pairs of records that have something in common. Two records that were signed here are two acts of signing, whatever their words are: of
 * those, only a declared instrument or the same file says that they are one. What a record left behind when it moved to another vault is no
 * other record. `of` limits the first record.
 */
const pairs = (org: OrgId, of: ReturnType<typeof sql>) => sql`
  select m.envelope_id, o.envelope_id as other_envelope_id,
    array_agg(distinct case when m.kind = o.kind then m.kind else 'revision' end) as kinds
  from document_fingerprints m
    join authoritative_copies c on c.org_id = m.org_id and c.envelope_id = m.envelope_id
    join document_fingerprints o on o.org_id = m.org_id and o.value = m.value and o.envelope_id <> m.envelope_id
      and (o.kind = m.kind and m.kind <> 'revision' or (m.kind, o.kind) in (('file', 'revision'), ('revision', 'file')))
    join authoritative_copies d on d.org_id = o.org_id and d.envelope_id = o.envelope_id
  where m.org_id = ${org} and ${of}
    and c.lineage_id <> d.lineage_id and not (m.kind in ('text', 'pdf_id') and c.source = 'signed_here' and d.source = 'signed_here')
  group by 1, 2`;

interface DuplicateRow extends Omit<DuplicateFacts, "review" | "kinds"> {
  readonly kinds: FingerprintKind[];
  readonly at: Date | null;
  readonly entry_seq: number | null;
  readonly used_at: Date | null;
  readonly used_seq: number | null;
}

/** Records that have something in common with this one, the oldest first, and who compared them. */
export async function listDuplicates(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<DuplicateRow[]> {
  const { rows } = await read.query<DuplicateRow>(sql`
    select p.other_envelope_id as envelope_id, d.copy_id, d.state, p.kinds, r.at, r.entry_seq, u.used_at, u.entry_seq as used_seq
    from (${pairs(org, sql`m.envelope_id = ${envelope_id}`)}) p
      join authoritative_copies d on d.org_id = ${org} and d.envelope_id = p.other_envelope_id
      left join duplicate_reviews r
        on r.org_id = ${org} and r.envelope_id = p.envelope_id and r.other_envelope_id = p.other_envelope_id
      left join used_receipts u
        on u.org_id = ${org} and u.envelope_id = p.envelope_id and u.from_org_id = ${org} and u.from_envelope_id = p.other_envelope_id
    order by d.stored_at, d.copy_id`);
  return rows;
}

export interface NewReview {
  readonly other_envelope_id: EnvelopeId;
  readonly statement: string;
  readonly reviewed_by: string;
  readonly at: Date;
  readonly entry_seq: number;
}

export async function insertReview(tx: Tx, org: OrgId, envelope_id: EnvelopeId, review: NewReview): Promise<void> {
  const { other_envelope_id, statement, reviewed_by, at, entry_seq } = review;
  await tx.query(sql`
    insert into duplicate_reviews (org_id, envelope_id, other_envelope_id, statement, reviewed_by, at, entry_seq)
    values (${org}, ${envelope_id}, ${other_envelope_id}, ${statement}, ${reviewed_by}, ${at}, ${entry_seq})`);
}

/** Who accepted the terms with which the record was deposited. */
export async function lookUpDepositor(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Actor | null> {
  const { rows } = await read.query<{ actor: Actor }>(sql`
    select actor from certification_acceptances where org_id = ${org} and envelope_id = ${envelope_id} order by accepted_at desc limit 1`);
  return rows[0]?.actor ?? null;
}

export interface PossibleDuplicate {
  readonly envelope_id: EnvelopeId;
  readonly envelope_name: string;
  readonly state: DuplicateFacts["state"];
  readonly stored_at: Date;
  readonly other_envelope_id: EnvelopeId;
  readonly other_envelope_name: string;
  readonly other_state: DuplicateFacts["state"];
  readonly other_stored_at: Date;
  readonly kinds: FingerprintKind[];
}

/** Records that no one has compared yet with one that is alike, the newest first. An identifier of the PDF alone is not listed. */
export async function listPossibleDuplicates(
  read: Read,
  org: OrgId,
  envelope_id: string | null,
  { page, limit }: PageRequest,
): Promise<Page<PossibleDuplicate>> {
  const of = envelope_id === null ? sql`` : sql`and m.envelope_id = ${envelope_id}`;
  const open = sql`(${pairs(org, sql`m.kind <> 'pdf_id' ${of}`)}) p
    where not exists (
      select from duplicate_reviews r
      where r.org_id = ${org} and r.envelope_id = p.envelope_id and r.other_envelope_id = p.other_envelope_id)
      and not exists (
        select from used_receipts u
        where u.org_id = ${org} and u.from_org_id = ${org}
          and (u.envelope_id, u.from_envelope_id) in ((p.envelope_id, p.other_envelope_id), (p.other_envelope_id, p.envelope_id)))`;
  const { rows } = await read.query<PossibleDuplicate>(sql`
    select p.envelope_id, e.envelope_name, c.state, c.stored_at, p.other_envelope_id, o.envelope_name as other_envelope_name,
      d.state as other_state, d.stored_at as other_stored_at, p.kinds
    from (select * from ${open}) p
      join envelopes e on e.org_id = ${org} and e.envelope_id = p.envelope_id
      join envelopes o on o.org_id = ${org} and o.envelope_id = p.other_envelope_id
      join authoritative_copies c on c.org_id = ${org} and c.envelope_id = p.envelope_id
      join authoritative_copies d on d.org_id = ${org} and d.envelope_id = p.other_envelope_id
    order by c.stored_at desc, p.envelope_id, p.other_envelope_id limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from ${open}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

export async function findCopiesToFingerprint(tx: Tx, limit: number): Promise<{ org_id: OrgId; envelope_id: EnvelopeId }[]> {
  const { rows } = await tx.query<{ org_id: OrgId; envelope_id: EnvelopeId }>(
    sql`select org_id, envelope_id from find_copies_to_fingerprint(${limit})`,
  );
  return rows;
}
