import { createHash, randomBytes } from "node:crypto";
import { type ChainHead, readManifest2, readZip } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import { readStored } from "../../documents/read-stored.ts";
import type { AuthoritativeCopyId, EnvelopeId, OrgId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { decrypt, encrypt } from "../../shared/secrets.ts";
import { keepBlob } from "../../storage/store.ts";
import { storeBlob } from "../../storage/store-blob.ts";
import { requireState, vaultJobCaller } from "../copy.ts";
import { lockCopyById, setCopyState } from "../copy-store.ts";
import { refusePending } from "../custody/expire-transfers.ts";
import { transferBundle } from "../evidence-bundle.ts";
import { issueCertificate } from "../issue-certificate.ts";
import { refuseHeld } from "../keeping/store.ts";
import { lookUpCertificate } from "../store.ts";
import { lockOut, withdrawTransfer } from "./ended-transfers.ts";
import { type LinkDeps, packageKeyContext, type VaultTransfer } from "./link.ts";
import { PACKAGE_KEY_BYTES, packTransfer } from "./package.ts";
import { lookUpConfirmedVersion, moveTransfer, setPackageKey } from "./store.ts";

/**
 * Puts the copy into escrow and packs it for the receiver: the evidence bundle for it to verify, and the authoritative bytes under a key that
 * only the release hands over. A record that must not leave now is withdrawn instead. After a crash the next run packs again.
 */
export async function packRecord(deps: LinkDeps, org: OrgId, one: VaultTransfer): Promise<void> {
  try {
    await escrow(deps, org, one);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await withdrawTransfer(deps, org, one.transfer_id, error.code);
    return;
  }
  const envelope_id = one.envelope_id as EnvelopeId;
  await ensureGraded(deps, org, envelope_id);
  const bundle = await transferBundle(deps, vaultJobCaller(org), envelope_id, one.transfer_id);
  const manifest = readManifest2(readZip(bundle).find(({ name }) => name === "manifest.json")?.bytes ?? Buffer.alloc(0));
  if (manifest === null) throw new Error("the bundle has no manifest");
  const packed_head: ChainHead = { seq: manifest.as_of.chain_seq, hash: manifest.as_of.chain_hash };
  const original = await readStored(deps, org, one.copy_sha256, "document_unavailable");
  const key = await deps.db.tx(org, async (tx) => (await lockOut(tx, org, one.transfer_id))?.k_enc ?? null);
  // Cancelled or refused meanwhile.
  if (key === null) return;
  const k = Buffer.from(decrypt(deps.keys.exports, key, packageKeyContext(one.transfer_id)), "hex");
  const about = { transfer_id: one.transfer_id, copy_id: one.origin_copy_id, sha256: one.copy_sha256 };
  const stored = await storeBlob(deps.storage, org, await packTransfer(bundle, original, k, about));
  await deps.db.tx(org, async (tx) => {
    const now = await lockOut(tx, org, one.transfer_id);
    if (now?.state !== "accepted") return;
    await keepBlob(tx, org, stored.sha256);
    await moveTransfer(tx, org, now, "pack", {
      package_sha256: stored.sha256,
      package_size: stored.size,
      packed_head: JSON.stringify(packed_head),
      packed_key_id: manifest.key_id,
    });
  });
}

/** The key marks the escrow as this transfer's. */
function escrow(deps: LinkDeps, org: OrgId, { transfer_id, copy_id }: VaultTransfer): Promise<void> {
  return deps.db.tx(org, async (tx) => {
    const one = await lockOut(tx, org, transfer_id);
    if (one === null || one.state !== "accepted" || one.k_enc !== null) return;
    const copy = await lockCopyById(tx, org, copy_id as AuthoritativeCopyId);
    requireState(copy, "active");
    await refusePending(tx, org, copy);
    await refuseHeld(tx, org, copy);
    // Another party may control the record since the offer, or hold a pledge on it, and was not asked.
    const confirmed = await lookUpConfirmedVersion(tx, org, one);
    if (confirmed !== null && confirmed !== copy.control_version) throw new Problem("control_changed");
    const k = randomBytes(PACKAGE_KEY_BYTES).toString("hex");
    await setPackageKey(tx, org, one, encrypt(deps.keys.exports, k, packageKeyContext(transfer_id)));
    await setCopyState(tx, org, copy, "escrowed");
    const data = { transfer_id, copy_id: copy.copy_id, hash: copy.sha256 };
    await appendAudit(tx, org, { type: "vault.transfer_packing", by: vaultJobCaller(org), envelope_id: copy.envelope_id, data });
  });
}

/** The receiver judges the record by the facts of the latest certificate, which must be those of today's rules. */
async function ensureGraded(deps: LinkDeps, org: OrgId, envelope_id: EnvelopeId): Promise<void> {
  const latest = await deps.db.tx(org, (tx) => lookUpCertificate(tx, org, envelope_id));
  if (latest?.rules !== 2) await issueCertificate(deps, org, envelope_id, vaultJobCaller(org));
}

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
