import { enqueue } from "../../jobs/enqueue.ts";
import { takeUntoldFault } from "../../transparency/store.ts";
import type { VaultDeps } from "../copy.ts";
import { listOrgIds } from "./store.ts";

/**
 * The log is one for all orgs, and every record of theirs rests on it: when its rows were changed, the admins of each are told, once. Which
 * rows they are is for whoever runs the service, who reads of it in the service's log and sees it in readiness.
 */
export async function tellOfLog({ db }: Pick<VaultDeps, "db">): Promise<void> {
  await db.system(async (tx) => {
    if ((await takeUntoldFault(tx)) === null) return;
    for (const org_id of await listOrgIds(tx)) {
      await enqueue(tx, "orgs.notify-admins", {
        org_id,
        kind: "log_tampered",
        subject: "The log of this installation is not as it was signed",
        text: [
          "The service compared its log with the checkpoints that it signed, and found that rows were changed or lost.",
          "Nothing is appended to the log until whoever runs the service has put them back. What is vaulted meanwhile waits for that.",
        ].join("\n\n"),
      });
    }
  });
}
