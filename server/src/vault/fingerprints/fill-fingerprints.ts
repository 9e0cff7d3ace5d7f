import { enqueue } from "../../jobs/enqueue.ts";
import type { VaultDeps } from "../copy.ts";
import { ensureFingerprints } from "./ensure-fingerprints.ts";
import { findCopiesToFingerprint } from "./store.ts";

// Each is read once, which takes well under a second. A job of this many ends within a minute, and other jobs run beside it.
const AT_ONCE = 100;

/**
 * Fills in the fingerprints of copies that were stored without them, and continues with another job while there are more. A copy that
 * fails is found again by the next run; if a whole batch fails, the reason is elsewhere, and the job is tried again.
 */
export async function fillFingerprints(deps: VaultDeps, atOnce = AT_ONCE): Promise<void> {
  const copies = await deps.db.system((tx) => findCopiesToFingerprint(tx, atOnce));
  const failures: unknown[] = [];
  for (const { org_id, envelope_id } of copies) {
    await ensureFingerprints(deps, org_id, envelope_id).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${copies.length} copies could not be read`);
  if (copies.length === atOnce) await deps.db.system((tx) => enqueue(tx, "vault.fingerprint", {}, "vault.fingerprint"));
}
