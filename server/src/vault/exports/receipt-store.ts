import { sql, type Tx } from "../../db/sql.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import type { SignedReceipt } from "./export.ts";

export interface UsedReceipt {
  readonly envelope_id: EnvelopeId;
  readonly key_id: string;
  readonly export_id: string;
  readonly from_org_id: string;
  readonly from_envelope_id: string;
  readonly receipt: SignedReceipt;
  readonly used_at: Date;
  readonly entry_seq: number;
}

/** False if the receipt was used before. */
export async function insertUsedReceipt(tx: Tx, org: OrgId, one: UsedReceipt): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into used_receipts (org_id, envelope_id, key_id, export_id, from_org_id, from_envelope_id, receipt, used_at, entry_seq)
    values (${org}, ${one.envelope_id}, ${one.key_id}, ${one.export_id}, ${one.from_org_id}, ${one.from_envelope_id},
      ${JSON.stringify(one.receipt)}, ${one.used_at}, ${one.entry_seq})
    on conflict (key_id, export_id) do nothing`);
  return rowCount === 1;
}
