import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import type { ExportId, OrgId } from "../../shared/ids.ts";
import { type LockedCopy, type VaultDeps, vaultJobCaller } from "../copy.ts";
import { setCopyState } from "../copy-store.ts";
import { inTurn } from "../in-turn.ts";
import { closed, lockExport } from "./acknowledge-export.ts";
import type { VaultExport } from "./export.ts";
import { closeExport, eraseKey, findDueExports, findExport, returnTampered } from "./store.ts";

/** Cancels the export: the copy stays, and the package can never be opened. Also allowed if the copy was found damaged in the meantime. */
export function cancelExport(deps: Pick<VaultDeps, "db">, caller: Caller, export_id: ExportId): Promise<VaultExport> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const { copy, one } = await lockExport(tx, org, export_id);
    if (one.state !== "escrowed") throw closed(one);
    await endExport(tx, caller, copy, one, "cancelled");
    return findExport(tx, org, export_id);
  });
}

// Exports per run.
const AT_ONCE = 500;

/** Closes overdue exports and erases expired keys. Returns how many exports and keys it ended. */
export async function endDueExports(deps: Pick<VaultDeps, "db">, atOnce = AT_ONCE): Promise<number> {
  const all = await deps.db.system((tx) => findDueExports(tx, atOnce));
  return inTurn(all, ({ org_id, export_id, due }) =>
    due === "expire" ? expireExport(deps, org_id, export_id) : deps.db.tx(org_id, (tx) => eraseKey(tx, org_id, export_id)),
  );
}

/** False if it was already closed. */
function expireExport(deps: Pick<VaultDeps, "db">, org: OrgId, export_id: ExportId): Promise<boolean> {
  return deps.db.tx(org, async (tx) => {
    const { copy, one } = await lockExport(tx, org, export_id);
    if (one.state !== "expired" || one.closed_at !== null) return false;
    await endExport(tx, vaultJobCaller(org), copy, one, "expired");
    return true;
  });
}

async function endExport(tx: Tx, caller: Caller, copy: LockedCopy, one: VaultExport, state: "cancelled" | "expired"): Promise<void> {
  const { org } = caller;
  const { export_id, copy_id, envelope_id } = one;
  await closeExport(tx, org, export_id, state, copy.now);
  if (copy.state === "tampered") await returnTampered(tx, org, copy);
  else await setCopyState(tx, org, copy, "active");
  const type = state === "cancelled" ? "vault.export_cancelled" : "vault.export_expired";
  await appendAudit(tx, org, { type, by: caller, envelope_id, data: { export_id, copy_id } });
}
