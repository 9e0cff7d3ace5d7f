import { appendAudit } from "../../audit/append-audit.ts";
import type { Caller } from "../../shared/caller.ts";
import type { RemoteVaultId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { LinkDeps, RemoteVault } from "./link.ts";
import { findVault, hasOpenTransfers, removeVaultRow } from "./remote-store.ts";

/** Nothing moves to or from this vault any more. What is under way must end first, because the other vault may be entitled to the record. */
export function removeVault(deps: Pick<LinkDeps, "db">, caller: Caller, vault_id: RemoteVaultId): Promise<RemoteVault> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const vault = await findVault(tx, org, vault_id);
    if (vault.state === "removed") throw new Problem("remote_vault_not_found");
    if (await hasOpenTransfers(tx, org, vault_id)) throw new Problem("vault_in_use");
    if (!(await removeVaultRow(tx, org, vault_id))) throw new Problem("remote_vault_not_found");
    await appendAudit(tx, org, { type: "remote_vault.removed", by: caller, data: { vault_id } });
    return { ...vault, state: "removed" };
  });
}
