import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import type { RemoteVaultId } from "../../shared/ids.ts";
import { closeRequest, listUnclosed } from "./store.ts";

/** When the vault that asks is unpinned: no message of it is heard any more, and no decision is sent to it. */
export async function closeRequests(tx: Tx, caller: Caller, vault_id: RemoteVaultId): Promise<void> {
  const { org } = caller;
  for (const one of await listUnclosed(tx, org, vault_id)) {
    await closeRequest(tx, org, one, "unpinned");
    const data = { request_id: one.request_id, act_id: one.act_id, sha256: one.act_sha256, outcome: "unpinned" };
    await appendAudit(tx, org, { type: "remote_request.closed", by: caller, data });
  }
}
