import { appendAudit } from "../audit/append-audit.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { Member } from "../shared/caller.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { OrgDeps, Sandbox } from "./org.ts";
import { beginReset, lookUpSandbox } from "./sandbox-store.ts";

export type Ending = "reset" | "deleted";

/**
 * Ends the keys and sessions of a sandbox at once. A job removes its data, and if the sandbox is deleted, the sandbox too. Repeated while the
 * job runs, it only records the request again.
 */
export async function resetSandbox({ db }: OrgDeps, admin: Member, sandbox: OrgId, ending: Ending): Promise<Sandbox> {
  const { org } = admin;
  return db.tx(org, async (tx) => {
    // Waits for requests that write in the sandbox, so it comes before everything that others could wait for.
    const isBegun = await beginReset(tx, org, sandbox, ending === "deleted");
    const found = isBegun ? await lookUpSandbox(tx, org, sandbox) : null;
    if (found === null) throw new Problem("sandbox_not_found");
    await enqueue(tx, "sandbox.reset", { org_id: sandbox }, `sandbox.reset ${sandbox}`);
    const data = { sandbox_org_id: sandbox, name: found.name };
    await appendAudit(tx, org, { type: `sandbox.${ending}`, by: admin, data });
    return found;
  });
}
