import { sql, type Tx } from "../../db/sql.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";

/** Whose record the code names; null if none does. */
export async function lookUpCode(tx: Tx, verify_code: string): Promise<{ org: OrgId; envelope_id: EnvelopeId } | null> {
  const { rows } = await tx.query<{ org: OrgId; envelope_id: EnvelopeId }>(sql`
    select org_id as org, envelope_id from find_status(${verify_code})`);
  return rows[0] ?? null;
}
