import { appendAudit } from "../../audit/append-audit.ts";
import type { FileAnswer } from "../../http/endpoint.ts";
import type { Caller } from "../../shared/caller.ts";
import type { ExportId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { BlobDamaged, BlobMissing, StoreAway } from "../../storage/blob-store.ts";
import type { VaultDeps } from "../copy.ts";
import { closed } from "./acknowledge-export.ts";
import { findExport } from "./store.ts";

/** The package, while somebody may need it. That it went out is on record before its first byte does. */
export async function servePackage(deps: VaultDeps, caller: Caller, export_id: ExportId): Promise<FileAnswer> {
  const { org, actor } = caller;
  const one = await deps.db.tx(org, (tx) => findExport(tx, org, export_id));
  if (one.state !== "escrowed" && one.state !== "acknowledged") throw closed(one);
  const bytes = await deps.storage.blobs.read(org, one.package_sha256).catch(asProblem);
  const { envelope_id, package_sha256 } = one;
  await deps.db.tx(org, (tx) =>
    appendAudit(tx, org, {
      type: "vault.document.accessed",
      by: caller,
      envelope_id,
      data: { what: "package", by: actor.id, export_id, sha256: package_sha256 },
    }),
  );
  return {
    type: "application/octet-stream",
    bytes,
    file_name: `${export_id}.csvx`,
    headers: { "x-export-id": export_id, "x-package-sha256": package_sha256 },
  };
}

function asProblem(cause: unknown): never {
  const isTheirs = cause instanceof BlobMissing || cause instanceof BlobDamaged || cause instanceof StoreAway;
  throw isTheirs ? new Problem("document_unavailable", cause.name, { cause }) : cause;
}
