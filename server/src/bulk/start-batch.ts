import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { acceptanceOf, type Certification } from "../envelopes/certification.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { Caller } from "../shared/caller.ts";
import type { BatchId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { listDocuments } from "../templates/document-store.ts";
import { findFields, findTemplate } from "../templates/store.ts";
import { type Batch, type BulkDeps, fingerprintOf } from "./batch.ts";
import { findBatch, hasRunning, lockBatch, lockOrg, lookUpQueued, setRunning, setStarted } from "./store.ts";

export interface StartRequest {
  readonly accept_invalid?: boolean;
  readonly certification?: Certification;
}

/** Sends the rows that are ready, now or when the batches before it have ended. Accepted terms count for each of its envelopes. */
export function startBatch(deps: BulkDeps, caller: Caller, batch_id: BatchId, request: StartRequest): Promise<Batch> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    await lockOrg(tx, org);
    const batch = await lockBatch(tx, org, batch_id);
    if (batch.state !== "checked" && batch.state !== "paused") throw wrongState("started", batch);
    if (batch.ready === 0) throw new Problem("batch_without_ready_rows");
    if (batch.state === "checked" && batch.invalid > 0 && request.accept_invalid !== true) {
      throw new Problem("batch_has_invalid_rows", "", { words: { invalid: batch.invalid.toLocaleString("en") } });
    }
    if (!(await isAsChecked(tx, org, batch))) throw new Problem("template_changed");
    const given = request.certification ?? batch.certification ?? undefined;
    const certification = acceptanceOf(deps.envelopes, given, batch.options.auto_vault_enabled ?? false);
    const { actor, ip, user_agent, request_id } = caller;
    await setStarted(tx, org, batch_id, { started_by: { actor, ip, user_agent, request_id }, certification });
    const isQueued = await hasRunning(tx, org);
    if (!isQueued) await beginRun(tx, org, batch_id);
    const { name, template_id, file_sha256, ready, invalid } = batch;
    const terms = certification === null ? null : { terms_version: certification.terms_version };
    const data = { batch_id, name, template_id, file_sha256, ready, invalid, queued: isQueued, certification: terms };
    await appendAudit(tx, org, { type: "batch.started", by: caller, data });
    return findBatch(tx, org, batch_id);
  });
}

export const wrongState = (act: string, { state }: Pick<Batch, "state">): Problem =>
  new Problem("batch_wrong_state", `${act} from ${state}`, { words: { state, act } });

/** False if the template was changed or archived since the rows were checked. */
export async function isAsChecked(tx: Tx, org: OrgId, { template_id, template_sha256 }: Batch): Promise<boolean> {
  const template = await findTemplate(tx, org, template_id);
  if (template.archived_at !== null) return false;
  const documents = await listDocuments(tx, org, template_id);
  return fingerprintOf({ template, documents, fields: await findFields(tx, org, template_id) }) === template_sha256;
}

async function beginRun(tx: Tx, org: OrgId, batch_id: BatchId): Promise<void> {
  const run_no = await setRunning(tx, org, batch_id);
  await enqueue(tx, "bulk.run", { org_id: org, batch_id, run_no, tries: 0 });
}

/** When no batch runs any more, the one that waits longest does. The caller holds `lockOrg`. */
export async function maybeStartNext(tx: Tx, org: OrgId): Promise<void> {
  const next = (await hasRunning(tx, org)) ? null : await lookUpQueued(tx, org);
  if (next !== null) await beginRun(tx, org, next);
}
