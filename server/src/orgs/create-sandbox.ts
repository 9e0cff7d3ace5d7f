import { appendAudit } from "../audit/append-audit.ts";
import type { Member } from "../shared/caller.ts";
import { isSandbox, newSandboxId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { MAX_SANDBOXES, type OrgDeps, type Sandbox } from "./org.ts";
import { insertSandbox } from "./sandbox-store.ts";

/** All members of the organization, also those who join meanwhile, are members of the sandbox. */
export async function createSandbox({ db }: OrgDeps, admin: Member, name: string): Promise<Sandbox> {
  const { org } = admin;
  if (isSandbox(org)) throw new Problem("sandbox_follows_live");
  return db.tx(org, async (tx) => {
    const sandbox = newSandboxId(tx.now.getTime());
    const created_at = await insertSandbox(tx, org, sandbox, name, MAX_SANDBOXES);
    if (created_at === null) throw new Problem("too_many_sandboxes");
    await appendAudit(tx, org, { type: "sandbox.created", by: admin, data: { sandbox_org_id: sandbox, name } });
    return { org_id: sandbox, name, sandbox_of: org, created_at, resetting_since: null };
  });
}
