import type { Tx } from "../db/sql.ts";
import { createEnvelope } from "../envelopes/create-envelope.ts";
import { sendEnvelope } from "../envelopes/send-envelope.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { Field } from "../signing/field.ts";
import { type Batch, type BulkDeps, callerOf, type Row } from "./batch.ts";
import { type RowContext, readRow } from "./read-row.ts";
import { giveEnvelope, lockInHand, settleSent } from "./row-store.ts";
import { isAsChecked } from "./start-batch.ts";
import { findBatch, lockTemplateAsItIs } from "./store.ts";

export interface RowSource extends RowContext {
  readonly fields: readonly Field[];
}

/** The batch was paused, cancelled or started again, or another run of the job was faster: nothing was done. */
export class BatchStopped extends Error {}

/**
 * Creates the envelope of a row and sends it, in two transactions. The first writes the id of the envelope into the row, the second settles
 * the row: after a crash, the next run finds nothing of the row, or its draft, or that it was sent. Each locks the row first. The first reads
 * whether the batch runs; the second changes its numbers last, and only if it does, so that rows do not wait for each other.
 */
export async function sendRow(deps: BulkDeps, org: OrgId, batch: Batch, source: RowSource, row: Row): Promise<void> {
  if (batch.started_by === null) throw new Error(`${batch.batch_id} was not started`);
  const caller = callerOf(org, batch.started_by);
  const envelope_id = row.envelope_id ?? (await create(deps, org, batch, source, row));
  const certification = batch.certification ?? undefined;
  const anyState = () => undefined;
  const prepared = await sendEnvelope.prepare(
    deps.envelopes,
    caller,
    envelope_id,
    certification === undefined ? {} : { certification },
    anyState,
  );
  try {
    const { batch_id, run_no } = batch;
    await sendEnvelope.save(deps.envelopes, caller, prepared, anyState, {
      begin: async (tx) => stopUnless(await lockInHand(tx, org, batch_id, row.row_no, envelope_id)),
      finish: async (tx) => stopUnless(await settleSent(tx, org, batch_id, row.row_no, run_no)),
    });
  } catch (error) {
    await sendEnvelope.discard(deps.envelopes, caller, prepared);
    throw error;
  }
}

async function create(deps: BulkDeps, org: OrgId, batch: Batch, source: RowSource, row: Row): Promise<EnvelopeId> {
  if (row.data === null || batch.started_by === null) throw new Error(`row ${row.row_no} of ${batch.batch_id} has no contents`);
  const { request, values } = readRow(source, row.data);
  const { batch_id } = batch;
  const begin = async (tx: Tx, envelope_id: EnvelopeId): Promise<void> => {
    const { state, run_no } = await findBatch(tx, org, batch_id);
    stopUnless(state === "running" && run_no === batch.run_no);
    await lockTemplateAsItIs(tx, org, batch.template_id);
    if (!(await isAsChecked(tx, org, batch))) throw new Problem("template_changed");
    stopUnless(await giveEnvelope(tx, org, batch_id, row.row_no, envelope_id));
  };
  const { envelope_id } = await createEnvelope(deps.envelopes, callerOf(org, batch.started_by), request, {
    batch: { batch_id, values, begin },
  });
  return envelope_id;
}

function stopUnless(isWanted: boolean): void {
  if (!isWanted) throw new BatchStopped();
}
