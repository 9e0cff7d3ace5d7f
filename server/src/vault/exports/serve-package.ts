import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { FileAnswer } from "../../http/endpoint.ts";
import type { Caller } from "../../shared/caller.ts";
import type { ExportId } from "../../shared/ids.ts";
import type { VaultDeps } from "../copy.ts";
import { closed, readPackage } from "./acknowledge-export.ts";
import { findExport } from "./store.ts";

/**
 * Serves the package while the export is pending or acknowledged. The download is recorded before its first byte is sent; `note` records
 * more about it in the same transaction.
 */
export async function servePackage(
  deps: VaultDeps,
  caller: Caller,
  export_id: ExportId,
  note: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<FileAnswer> {
  const { org, actor } = caller;
  const one = await deps.db.tx(org, (tx) => findExport(tx, org, export_id));
  if (one.state !== "escrowed" && one.state !== "acknowledged") throw closed(one);
  const bytes = await readPackage(deps, org, one);
  const { envelope_id, package_sha256 } = one;
  await deps.db.tx(org, async (tx) => {
    await note(tx);
    const data = { what: "package", by: actor.id, export_id, sha256: package_sha256 };
    await appendAudit(tx, org, { type: "vault.document.accessed", by: caller, envelope_id, data });
  });
  return {
    type: "application/octet-stream",
    bytes,
    file_name: `${export_id}.csvx`,
    headers: { "x-export-id": export_id, "x-package-sha256": package_sha256 },
  };
}
