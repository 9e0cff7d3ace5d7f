import { canonicalize, type Json } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { ControlBatchId, OrgId } from "../../shared/ids.ts";
import { sha256 } from "../../shared/secrets.ts";
import type { ActWithDecisions } from "../acts/act.ts";
import { lockAct, setActState } from "../acts/store.ts";
import { changesChecks } from "../acts/take-effect.ts";
import { type RecordsSigner, type VaultDeps, vaultJobCaller } from "../copy.ts";
import type { ControlBatch, Item, Report, ReportedItem } from "./batch.ts";
import { findBatch, listAllItems, listWaiting, lockBatch, lookUpReport, saveReport, signReport } from "./store.ts";

/**
 * When every item has its result: closes the act, writes the report and signs it. The signature comes after the transaction, because the
 * signer may be another machine; a second run finds the report and signs it with the key that it names. Does nothing while items wait.
 */
export async function finishBatch(deps: VaultDeps, org: OrgId, control_batch_id: ControlBatchId): Promise<void> {
  const signer = await deps.records();
  const saved = await deps.db.tx(org, async (tx) => {
    const { act_id } = await findBatch(tx, org, control_batch_id);
    const act = act_id === null ? null : await lockAct(tx, org, act_id);
    const batch = await lockBatch(tx, org, control_batch_id);
    const before = await lookUpReport(tx, org, control_batch_id);
    if (before !== null) return before;
    if ((await listWaiting(tx, org, control_batch_id, -1, 1)).length > 0) return null;
    return { report: await close(tx, org, batch, act, signer), report_signature: null };
  });
  if (saved === null || saved.report_signature !== null) return;
  const { key_id } = JSON.parse(saved.report) as Report;
  const named = key_id === signer.key_id ? signer : await deps.records(key_id);
  const signature = Buffer.from(await named.sign(Buffer.from(saved.report))).toString("hex");
  await deps.db.tx(org, (tx) => signReport(tx, org, control_batch_id, signature));
}

async function close(tx: Tx, org: OrgId, batch: ControlBatch, act: ActWithDecisions | null, { key_id }: RecordsSigner): Promise<string> {
  const by = vaultJobCaller(org);
  const { control_batch_id, kind, done, skipped } = batch;
  const items = await listAllItems(tx, org, control_batch_id);
  const report = canonicalize(reportOf(org, batch, act, items, tx.now, key_id) as unknown as Json);
  if (act !== null) {
    const { act_id, sha256: act_sha256 } = act;
    // Nothing is called effective that changed no record.
    const state = done > 0 ? "effective" : "superseded";
    await setActState(tx, org, act, state, tx.now);
    const data = { act_id, kind, sha256: act_sha256, control_batch_id, done, skipped };
    await appendAudit(tx, org, { type: `act.${state}`, by, data });
  }
  const data = { control_batch_id, kind, done, skipped, report_sha256: sha256(report).toString("hex") };
  const type = "control_batch.finished";
  const { hash } = await appendAudit(tx, org, { type, by, data });
  await saveReport(tx, org, control_batch_id, report, tx.now);
  // After all items, so that the pool is not held up by evaluations.
  if (act !== null && done > 0 && changesChecks(act)) {
    await enqueue(tx, "vault.evaluate-affected", {
      org_id: org,
      cause: { type, hash },
      of: { kind: "batch", control_batch_id },
      after: null,
    });
  }
  return report;
}

function reportOf(
  org_id: OrgId,
  batch: ControlBatch,
  act: ActWithDecisions | null,
  items: readonly Item[],
  at: Date,
  key_id: string,
): Report {
  const { control_batch_id, kind, root, count, done, skipped } = batch;
  return {
    type: "countersign/control-batch-report/1",
    org_id,
    control_batch_id,
    kind,
    act_id: act?.act_id ?? null,
    act_sha256: act?.sha256 ?? null,
    root,
    count,
    done,
    skipped,
    created_at: batch.created_at.toISOString(),
    finished_at: at.toISOString(),
    items: items.map(reportedItem),
    key_id,
  };
}

function reportedItem({ index, envelope_id, copy_sha256, state, code, result, settled_at }: Item): ReportedItem {
  if (state === "waiting" || settled_at === null) throw new Error(`item ${index} has no result`);
  return { index, envelope_id, copy_sha256, state, code, result, settled_at: settled_at.toISOString() };
}
