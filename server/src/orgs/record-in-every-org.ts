import { appendAudit } from "../audit/append-audit.ts";
import type { SystemTx } from "../db/sql.ts";
import { listOrgs } from "./store.ts";

/** For what concerns the whole installation: every audit trail gets the entry. */
export async function recordInEveryOrg(tx: SystemTx, entry: Parameters<typeof appendAudit>[2]): Promise<void> {
  for (const { org_id } of await listOrgs(tx)) await tx.forOrg(org_id, (own) => appendAudit(own, org_id, entry));
}
