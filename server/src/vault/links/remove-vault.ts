import { appendAudit } from "../../audit/append-audit.ts";
import type { Caller } from "../../shared/caller.ts";
import type { RemoteVaultId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { isVaultNeeded } from "../remote-requests/asked-store.ts";
import { closeRequests } from "../remote-requests/close-requests.ts";
import type { LinkDeps, RemoteVault } from "./link.ts";
import { hasOpenTransfers, lockVault, removeVaultRow } from "./remote-store.ts";

/**
 * Nothing moves to or from this vault any more. What is under way must end first, because the other vault may be entitled to the record. A
 * party that it stands for must not lose its say over a record that way. What this vault asks of us is closed.
 */
export function removeVault(deps: Pick<LinkDeps, "db">, caller: Caller, vault_id: RemoteVaultId): Promise<RemoteVault> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const vault = await lockVault(tx, org, vault_id);
    if (vault.state === "removed") throw new Problem("remote_vault_not_found");
    if ((await hasOpenTransfers(tx, org, vault_id)) || (await isVaultNeeded(tx, org, vault_id))) throw new Problem("vault_in_use");
    if (!(await removeVaultRow(tx, org, vault_id))) throw new Problem("remote_vault_not_found");
    await closeRequests(tx, caller, vault_id);
    await appendAudit(tx, org, { type: "remote_vault.removed", by: caller, data: { vault_id } });
    return { ...vault, state: "removed" };
  });
}
