import { appendAudit } from "../../audit/append-audit.ts";
import type { Caller } from "../../shared/caller.ts";
import { type EnvelopeId, type ExportId, newId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { encrypt } from "../../shared/secrets.ts";
import type { BlobName } from "../../storage/blob-store.ts";
import { keepBlob } from "../../storage/store.ts";
import { storeBlob } from "../../storage/store-blob.ts";
import { type LockedCopy, requireState, type VaultDeps } from "../copy.ts";
import { findCopy, lockCopy, setCopyState } from "../copy-store.ts";
import { refusePending } from "../custody/expire-transfers.ts";
import { lookUpPending } from "../custody/store.ts";
import { refuseDamaged } from "../keeping/require-undamaged.ts";
import { refuseHeld } from "../keeping/store.ts";
import { ESCROW_MS, type Recipient, type VaultExport } from "./export.ts";
import { pack } from "./package.ts";
import { findExport, insertExport } from "./store.ts";

export interface ExportInput {
  readonly recipient: Recipient;
  readonly reason: string;
}

/** Packed and stored, but not yet recorded. Only this object has the key. */
export interface PreparedExport {
  readonly export_id: ExportId;
  readonly copy: LockedCopy;
  readonly package: BlobName;
  readonly key: Buffer;
}

/** The slow part: builds the bundle from bytes that are read and hashed again, encrypts it, stores it and reads it back. */
async function prepareExport(deps: VaultDeps, { org }: Caller, envelope_id: EnvelopeId): Promise<PreparedExport> {
  const copy = await deps.db.tx(org, async (tx) => {
    const found = await findCopy(tx, org, envelope_id);
    requireState(found, "active");
    if ((await lookUpPending(tx, org, found.copy_id))?.state === "pending") throw new Problem("transfer_pending");
    await refuseHeld(tx, org, found);
    return found;
  });
  const export_id = newId("vaultExport");
  const bundle = await refuseDamaged(deps, org, envelope_id, () => deps.exportBundle(org, envelope_id));
  const { bytes, key } = await pack(bundle, { export_id, copy_id: copy.copy_id, sha256: copy.sha256 });
  return { export_id, copy, package: await storeBlob(deps.storage, org, bytes), key };
}

/** Puts the copy into escrow: it cannot be transferred or exported otherwise while it waits for the recipient's acknowledgement. */
function saveExport(deps: VaultDeps, caller: Caller, prepared: PreparedExport, { recipient, reason }: ExportInput): Promise<VaultExport> {
  const { org, actor } = caller;
  const { export_id, key, copy: packed } = prepared;
  const { copy_id, envelope_id, sha256 } = packed;
  return deps.db.tx(org, async (tx) => {
    const copy = await lockCopy(tx, org, envelope_id);
    requireState(copy, "active");
    await refusePending(tx, org, copy);
    await refuseHeld(tx, org, copy);
    if (copy.custody_version !== packed.custody_version) throw new Problem("custody_changed", "while it was packed");
    await keepBlob(tx, org, prepared.package.sha256);
    const [created_at, expires_at] = [copy.now, new Date(copy.now.getTime() + ESCROW_MS)];
    const { sha256: package_sha256, size: package_size } = prepared.package;
    await insertExport(tx, org, {
      export_id,
      copy_id,
      envelope_id,
      recipient,
      reason,
      package_path: `${org}/vault/${envelope_id}/${export_id}.csvx`,
      package_sha256,
      package_size,
      key_enc: encrypt(deps.keys.exports, key.toString("hex"), keyContext(export_id)),
      initiated_by: actor,
      created_at,
      expires_at,
    });
    await setCopyState(tx, org, copy, "escrowed");
    const data = {
      export_id,
      copy_id,
      hash: sha256,
      recipient: { ...recipient },
      reason,
      package_sha256,
      package_size,
      expires_at: expires_at.toISOString(),
    };
    await appendAudit(tx, org, { type: "vault.export_started", by: caller, envelope_id, data });
    return findExport(tx, org, export_id);
  });
}

/** Binds the key to its row: copied into another row, it cannot be decrypted. */
export const keyContext = (export_id: ExportId): string => `key of ${export_id}`;

/** The steps of the operation, in the order in which the endpoint runs them. */
export const startExport = { prepare: prepareExport, save: saveExport };
