import { enqueue, enqueueLater } from "../jobs/enqueue.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import type { Covered } from "../transparency/ensure-covered.ts";
import { listConflicts, listFirstCosignatures } from "../transparency/note-store.ts";
import { lookUpCopy } from "./copy-store.ts";
import { coverStoring } from "./cover-storing.ts";
import type { PipelineDeps } from "./vault.ts";

// Authorities restart within minutes. With a longer wait, envelopes would stay `completed` for the whole of an authority's outage; with a
// shorter one, a restart would cost each of them 13 points until it is evaluated again.
const MAX_WAIT_MS = 10 * 60_000;
const ASK_EVERY_SECONDS = 30;
// The witnesses are asked by a job of their own, which usually takes a second.
const LOOK_EVERY_SECONDS = 5;

/**
 * Whether the first evaluation waits for a time from outside: for the token of the authority, which was asked just now, or without an
 * authority for the witnesses. If so, the job is queued again and holds nothing meanwhile. The wait is counted from the storing, so it ends
 * no matter which worker runs the job. After that the envelope is evaluated with what there is.
 */
export async function awaitsExternalTime(deps: PipelineDeps, org: OrgId, envelope_id: EnvelopeId): Promise<boolean> {
  const hasAuthority = deps.log.seals.timeStamps.url !== null;
  if (!hasAuthority && deps.log.notes.witnesses.length === 0) return false;
  const covered = await coverStoring(deps, org, envelope_id);
  if (hasAuthority ? covered.stamp.token !== null : await isWitnessed(deps, covered)) return false;
  return deps.db.tx(org, async (tx) => {
    const copy = await lookUpCopy(tx, org, envelope_id);
    if (copy === null || copy.now.getTime() - copy.stored_at.getTime() >= MAX_WAIT_MS) return false;
    if (!hasAuthority) await enqueue(tx, "log.ask-witnesses", {}, "log.ask-witnesses");
    await enqueueLater(tx, "vault.store", { org_id: org, envelope_id }, hasAuthority ? ASK_EVERY_SECONDS : LOOK_EVERY_SECONDS);
    return true;
  });
}

/** Also if too many witnesses refuse the log: they would not cosign it in ten minutes either, and must not be able to hold it up. */
async function isWitnessed({ db, log }: PipelineDeps, { first }: Covered): Promise<boolean> {
  const { witnesses, quorum } = log.notes;
  const { cosignatures, refusing } = await db.system(async (tx) => ({
    cosignatures: await listFirstCosignatures(tx, first.tree_size),
    refusing: new Set((await listConflicts(tx)).map(({ vkey }) => vkey)),
  }));
  const willing = witnesses.filter(({ vkey }) => !refusing.has(vkey));
  return willing.length < quorum || cosignatures.filter(({ valid }) => valid).length >= quorum;
}
