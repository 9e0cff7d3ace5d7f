import { enqueueLater } from "../jobs/enqueue.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { lookUpCopy } from "./copy-store.ts";
import { coverStoring } from "./cover-storing.ts";
import type { PipelineDeps } from "./vault.ts";

// Authorities restart within minutes. With a longer wait, envelopes would stay `completed` for the whole of an authority's outage; with a
// shorter one, a restart would cost each of them 13 points until it is evaluated again.
const MAX_WAIT_MS = 10 * 60_000;
const ASK_EVERY_SECONDS = 30;

/**
 * Whether the first evaluation waits for a time-stamp of the authority, which was asked just now. If so, the job is queued again and holds
 * nothing meanwhile. The wait is counted from the storing, so it ends no matter which worker runs the job. After that the envelope is
 * evaluated without a token.
 */
export async function awaitsTimeStamp(deps: PipelineDeps, org: OrgId, envelope_id: EnvelopeId): Promise<boolean> {
  if (deps.log.seals.timeStamps.url === null) return false;
  const { stamp } = await coverStoring(deps, org, envelope_id);
  if (stamp.token !== null) return false;
  return deps.db.tx(org, async (tx) => {
    const copy = await lookUpCopy(tx, org, envelope_id);
    if (copy === null || copy.now.getTime() - copy.stored_at.getTime() >= MAX_WAIT_MS) return false;
    await enqueueLater(tx, "vault.store", { org_id: org, envelope_id }, ASK_EVERY_SECONDS);
    return true;
  });
}
