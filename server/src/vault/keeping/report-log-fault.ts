import { enqueue } from "../../jobs/enqueue.ts";
import { takeUnreportedFault } from "../../transparency/store.ts";
import type { VaultDeps } from "../copy.ts";
import { listOrgIds } from "./store.ts";

/**
 * All organizations share the log, and their records depend on it. If its rows were changed, the admins of each organization are notified
 * once. The operator finds the affected rows in the service's log output and in readiness.
 */
export async function reportLogFault({ db }: Pick<VaultDeps, "db">): Promise<void> {
  await db.system(async (tx) => {
    if ((await takeUnreportedFault(tx)) === null) return;
    for (const org_id of await listOrgIds(tx)) {
      await enqueue(tx, "orgs.notify-admins", {
        org_id,
        kind: "log_tampered",
        subject: "The log of this installation has been changed",
        text: [
          "The service compared its log with its signed checkpoints and found that rows were changed or lost.",
          "Nothing is added to the log until the operator has restored these rows. Documents that are vaulted in the meantime wait for that.",
        ].join("\n\n"),
      });
    }
  });
}
