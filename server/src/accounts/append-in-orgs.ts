import { appendAudit, type NewEntry } from "../audit/append-audit.ts";
import type { SystemTx } from "../db/sql.ts";
import type { UserId } from "../shared/ids.ts";
import { listMemberships } from "./store.ts";

/** An account belongs to no org, so what happens to it is recorded in the chain of each org of the person. */
export async function appendInOrgs(tx: SystemTx, user_id: UserId, entry: NewEntry): Promise<void> {
  for (const { org_id } of await listMemberships(tx, user_id)) await tx.forOrg(org_id, () => appendAudit(tx, org_id, entry));
}
