import type { CompletionStatus } from "@countersign/evidence";
import { type Read, sql, type Tx } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";

/** The SQL of completion certificates. */

/** The hash of the PDF. */
export async function lookUpCompletion(read: Read, org: OrgId, envelope_id: EnvelopeId, status: CompletionStatus): Promise<string | null> {
  const { rows } = await read.query<{ sha256: string }>(sql`
    select sha256 from completion_certificates where org_id = ${org} and envelope_id = ${envelope_id} and status = ${status}`);
  return rows[0]?.sha256 ?? null;
}

/** Returns whether it is the first for this status. */
export async function insertCompletion(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  status: CompletionStatus,
  sha256: string,
): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into completion_certificates (org_id, envelope_id, status, sha256) values (${org}, ${envelope_id}, ${status}, ${sha256})
    on conflict do nothing`);
  return rowCount === 1;
}
