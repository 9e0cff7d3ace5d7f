import type { Affected, Jobs } from "../jobs/catalogue.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { type AffectedRecord, listAffected } from "./affected-store.ts";
import { evaluateRecord } from "./evaluate-record.ts";
import { isCertificateInDoubt } from "./is-certificate-in-doubt.ts";
import type { PipelineDeps } from "./vault.ts";

// An evaluation takes about a second. A job of this many ends within a minute or two, and other jobs run beside it.
const AT_ONCE = 50;

/**
 * Evaluates records that one cause concerns, one after the other, and continues with a job for the next batch. Each record commits alone.
 * A record that fails gets a job of its own, which is tried again, and does not hold up the others. If a whole batch fails, the reason is
 * most likely elsewhere, such as an unavailable store: then the batch is tried again.
 */
export async function evaluateAffected(deps: PipelineDeps, job: Jobs["vault.evaluate-affected"], atOnce = AT_ONCE): Promise<void> {
  const { org_id, cause, of, after } = job;
  const records = await deps.db.tx(org_id, (tx) => listAffected(tx, org_id, of, after, atOnce));
  const failures = new Map<Jobs["vault.evaluate"], unknown>();
  for (const record of records) {
    const own = { org_id, envelope_id: record.envelope_id, cause };
    await evaluateIfAffected(deps, of, record, own).catch((error: unknown) => failures.set(own, error));
  }
  if (failures.size > 0 && failures.size === records.length) {
    throw new AggregateError(failures.values(), `none of ${records.length} records could be evaluated`);
  }
  await deps.db.tx(org_id, async (tx) => {
    for (const own of failures.keys()) await enqueue(tx, "vault.evaluate", own);
    const last = records.length < atOnce ? undefined : records.at(-1);
    if (last !== undefined) await enqueue(tx, "vault.evaluate-affected", { ...job, after: last.envelope_id });
  });
}

async function evaluateIfAffected(deps: PipelineDeps, of: Affected, record: AffectedRecord, own: Jobs["vault.evaluate"]): Promise<void> {
  if (of.kind !== "seal") return evaluateRecord(deps, own);
  const { envelope_id, sealed_at, seal_id } = record;
  const invalid_from = new Date(of.invalid_from);
  const isSealed = seal_id === of.seal_id;
  if (isSealed && sealed_at >= invalid_from) return evaluateRecord(deps, own);
  if (await isCertificateInDoubt(deps, own.org_id, envelope_id, of.seal_id, invalid_from)) return evaluateRecord(deps, own);
  // An earlier seal stays valid only if someone else can say that it is earlier, which the evaluation finds out.
  if (isSealed) await evaluateRecord(deps, { ...own, only_if_seal_check_changes: true });
}
