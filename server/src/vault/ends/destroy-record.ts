import { appendAudit } from "../../audit/append-audit.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { EndingId, EnvelopeId, OrgId } from "../../shared/ids.ts";
import { BlobMissing, type BlobStore } from "../../storage/blob-store.ts";
import { requireState, type VaultDeps, vaultJobCaller } from "../copy.ts";
import { lockCopyById, setCopyState } from "../copy-store.ts";
import type { DestroyedFile } from "./ending.ts";
import { closeEnding, eraseExportKeys, findEnding, listContentFiles, lockBlob, noteDestroyed } from "./ending-store.ts";

/**
 * Removes every file with the content of the record and reads each back as absent. Only then it is recorded as destroyed. After a crash the
 * job starts again; removing a file that is gone changes nothing.
 */
export async function destroyRecord(
  deps: VaultDeps,
  { org_id: org, ending_id }: { readonly org_id: OrgId; readonly ending_id: EndingId },
): Promise<void> {
  const { state, envelope_id, copy_id } = await deps.db.tx(org, (tx) => findEnding(tx, org, ending_id));
  if (state !== "begun") return;
  const all = await deps.db.tx(org, (tx) => listContentFiles(tx, org, envelope_id));
  const files: DestroyedFile[] = [];
  for (const file of all) files.push(await removeFile(deps, org, envelope_id, file));
  await deps.db.tx(org, async (tx) => {
    const copy = await lockCopyById(tx, org, copy_id);
    if ((await findEnding(tx, org, ending_id)).state !== "begun") return;
    requireState(copy, "destroying");
    await eraseExportKeys(tx, org, copy_id);
    await setCopyState(tx, org, copy, "destroyed");
    await closeEnding(tx, org, ending_id, { state: "done", at: copy.now, files });
    const data = { ending_id, copy_id, hash: copy.sha256, files: files.map((file) => ({ ...file })) };
    const type = "vault.destroyed";
    const { hash } = await appendAudit(tx, org, { type, by: vaultJobCaller(org), envelope_id, data });
    await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash } });
    await enqueue(tx, "vault.certify-ending", { org_id: org, ending_id });
  });
}

/** Read back after the commit, because no transaction waits for the store longer than it must. */
async function removeFile(deps: VaultDeps, org: OrgId, envelope_id: EnvelopeId, file: DestroyedFile): Promise<DestroyedFile> {
  const { sha256 } = file;
  // The lock on the row keeps others from referring to the bytes meanwhile; an upload of the same bytes stores them again afterwards.
  const now = await deps.db.tx(org, async (tx) => {
    await lockBlob(tx, org, sha256);
    const found = (await listContentFiles(tx, org, envelope_id)).find((one) => one.sha256 === sha256) ?? file;
    if (found.kept) return found;
    await deps.storage.blobs.remove(org, sha256);
    await noteDestroyed(tx, org, sha256);
    return found;
  });
  if (!now.kept) await requireAbsent(deps.storage.blobs, org, sha256);
  return now;
}

async function requireAbsent(blobs: BlobStore, org: OrgId, sha256: string): Promise<void> {
  try {
    const { stream } = await blobs.open(org, sha256);
    stream.destroy();
  } catch (error) {
    if (error instanceof BlobMissing) return;
    throw error;
  }
  throw new Error(`blob ${sha256} was removed and is still there`);
}
