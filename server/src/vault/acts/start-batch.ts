import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { OrgId } from "../../shared/ids.ts";
import { refuseGated } from "../registry/refuse-gated.ts";
import type { ActWithDecisions } from "./act.ts";
import { setActState } from "./store.ts";

/** Everyone has confirmed an act on many records. Jobs change them, each in a transaction of its own. The caller holds the act's lock. */
export async function startBatch(tx: Tx, org: OrgId, act: ActWithDecisions): Promise<void> {
  const { act_id, control_batch_id } = act;
  if (control_batch_id === null) throw new Error(`${act_id} is not about many records`);
  await refuseGated(tx, org, act.kind);
  await setActState(tx, org, act, "confirmed", tx.now);
  await enqueue(tx, "vault.run-batch", { org_id: org, control_batch_id, after: -1 });
}
