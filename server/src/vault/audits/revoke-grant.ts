import { appendAudit } from "../../audit/append-audit.ts";
import type { Caller } from "../../shared/caller.ts";
import type { AuditGrantId } from "../../shared/ids.ts";
import type { VaultDeps } from "../copy.ts";
import type { AuditGrant } from "./grant.ts";
import { findGrant, revokeGrantRow } from "./store.ts";

/** From the next request on, its records are 404 for the people of the party. */
export function revokeGrant(deps: Pick<VaultDeps, "db">, caller: Caller, grant_id: AuditGrantId): Promise<AuditGrant> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const { party_id } = await findGrant(tx, org, grant_id);
    if (await revokeGrantRow(tx, org, grant_id))
      await appendAudit(tx, org, { type: "audit_grant.revoked", by: caller, data: { grant_id, party_id } });
    return findGrant(tx, org, grant_id);
  });
}
