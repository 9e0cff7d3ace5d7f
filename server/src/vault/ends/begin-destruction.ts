import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import { type ActId, newId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { Control } from "../acts/control.ts";
import { live } from "../copy.ts";
import { setCopyState } from "../copy-store.ts";
import { refusePending } from "../custody/expire-transfers.ts";
import { releaseCustodian } from "../custody/store.ts";
import { refuseHeld } from "../keeping/store.ts";
import { lookUpReleased } from "../links/store.ts";
import { insertEnding } from "./ending-store.ts";

/** What was promised to be kept is kept: nothing is destroyed before its time, under a hold or a pledge, or locked in the store. */
export async function refuseDestruction(tx: Tx, { org, copy, pledges }: Control): Promise<void> {
  await refuseHeld(tx, org, copy);
  await refusePending(tx, org, copy);
  if (pledges.length > 0) throw new Problem("record_pledged");
  // The other vault may still need the package, or never have received it.
  if (copy.state === "transferred" && (await lookUpReleased(tx, org, copy.copy_id))?.state !== "confirmed") {
    throw new Problem("receipt_missing");
  }
  const { retention_until, lock_kind, lock_until, now } = copy;
  if (retention_until > now) throw new Problem("retention_not_over", "", { words: { until: dayOf(retention_until) } });
  if (lock_kind === "object_lock" && lock_until > now)
    throw new Problem("object_lock_not_over", "", { words: { until: dayOf(lock_until) } });
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** From here on nothing is handed out any more, and there is no way back. A job removes the files. */
export async function beginDestruction(
  tx: Tx,
  caller: Caller,
  control: Control,
  { act_id, reason }: { readonly act_id: ActId; readonly reason: string },
): Promise<void> {
  const { org, copy } = control;
  const { copy_id, envelope_id, sha256: hash, now: begun_at } = copy;
  await refuseDestruction(tx, control);
  const ending_id = newId("recordEnding", begun_at.getTime());
  await insertEnding(tx, org, {
    ending_id,
    kind: "destruction",
    envelope_id,
    copy_id,
    act_id,
    reason,
    begun_at,
    recipient: null,
    person_id: null,
  });
  // A copy that has left has no custodian here.
  const permission_id = live.includes(copy.state) ? await releaseCustodian(tx, org, copy) : null;
  await setCopyState(tx, org, copy, "destroying");
  const data = { ending_id, copy_id, permission_id, hash, act_id, reason };
  await appendAudit(tx, org, { type: "vault.destruction_begun", by: caller, envelope_id, data });
  await enqueue(tx, "vault.destroy", { org_id: org, ending_id });
}
