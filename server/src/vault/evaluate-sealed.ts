import type { Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { RevokedSeal } from "../seals/revoke-seal.ts";
import type { OrgId } from "../shared/ids.ts";

/** After the revocation of a seal certificate, in its transaction: queues another evaluation of the records that it sealed. */
export const evaluateSealed = (tx: Tx, org_id: OrgId, { seal_id, invalid_from, reason }: RevokedSeal, entry_hash: string): Promise<void> =>
  enqueue(tx, "vault.evaluate-affected", {
    org_id,
    cause: { type: "seal.revoked", hash: entry_hash },
    of: { kind: "seal", seal_id, invalid_from: invalid_from.toISOString(), reason },
    after: null,
  });
