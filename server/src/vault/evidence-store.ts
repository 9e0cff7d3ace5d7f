import { type Read, sql, type Tx } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { keepBlob } from "../storage/store.ts";
import type { EvidenceFile } from "./evidence-file.ts";

/** At most one per envelope, enforced by the primary key. */
export async function insertEvidence(tx: Tx, org: OrgId, envelope_id: EnvelopeId, evidence: EvidenceFile): Promise<void> {
  const { sha256, size, content_type } = evidence;
  await keepBlob(tx, org, sha256);
  await tx.query(sql`
    insert into evidence_files (org_id, envelope_id, sha256, size, content_type)
    values (${org}, ${envelope_id}, ${sha256}, ${size}, ${content_type})`);
}

export async function lookUpEvidence(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<EvidenceFile | null> {
  const { rows } = await read.query<EvidenceFile>(sql`
    select sha256, size, content_type from evidence_files where org_id = ${org} and envelope_id = ${envelope_id}`);
  return rows[0] ?? null;
}
