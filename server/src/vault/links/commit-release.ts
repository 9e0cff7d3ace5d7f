import { createPublicKey } from "node:crypto";
import { canonicalize, linkKeyInfo, readRemoteTrust } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import { ensureInstanceKeys } from "../../seals/instance-keys.ts";
import { sealFor } from "../../shared/hpke.ts";
import type { AuthoritativeCopyId, EnvelopeId, OrgId } from "../../shared/ids.ts";
import { decrypt } from "../../shared/secrets.ts";
import { vaultJobCaller } from "../copy.ts";
import { lockCopyById, setCopyState } from "../copy-store.ts";
import { releaseCustodian } from "../custody/store.ts";
import { isHeld } from "../keeping/store.ts";
import { lockOut, withdrawTransfer } from "./ended-transfers.ts";
import { type LinkDeps, packageKeyContext, partiesOf, type VaultTransfer } from "./link.ts";
import { saidIn } from "./message.ts";
import { findVault } from "./remote-store.ts";
import { listTypesAfter, moveTransfer } from "./store.ts";
import { vaultKeyOf } from "./vault-trust.ts";

/**
 * The commit that moves the authority: before it only the sender's copy can be the original, after it only the receiver's. In one
 * transaction the copy becomes a tombstone, and the key of the package is encrypted for the receiver alone. If the record changed since it
 * was packed, the transfer is withdrawn, because the receiver verified something else.
 */
export async function commitRelease(deps: LinkDeps, org: OrgId, { transfer_id }: VaultTransfer): Promise<void> {
  const { records, at } = await ensureInstanceKeys(deps.seals);
  const changed = await deps.db.tx(org, async (tx): Promise<string | null> => {
    const one = await lockOut(tx, org, transfer_id);
    if (one === null || one.state !== "ready") return null;
    const { envelope_id, copy_id } = one as VaultTransfer & { envelope_id: EnvelopeId; copy_id: AuthoritativeCopyId };
    if (one.k_enc === null || one.packed_head === null || one.package_sha256 === null) throw new Error(`${transfer_id} was never packed`);
    const copy = await lockCopyById(tx, org, copy_id);
    if (copy.state !== "escrowed") return "copy_wrong_state";
    if (await isHeld(tx, org, copy_id)) return "copy_on_hold";
    const later = await listTypesAfter(tx, org, envelope_id, one.packed_head);
    if (later.some((type) => !HARMLESS.includes(type)) || records.key_id !== one.packed_key_id) return "record_changed";
    const vault = await findVault(tx, org, one.vault_id);
    const { vault_key_id, at: accepted_at } = await saidIn(tx, org, one, "accept");
    const trust = readRemoteTrust(vault.trust, vault.root_sha256);
    const spki = trust === null ? null : vaultKeyOf(trust, vault_key_id, accepted_at);
    if (spki === null) return "vault_key_unknown";
    const k = Buffer.from(decrypt(deps.keys.exports, one.k_enc, packageKeyContext(transfer_id)), "hex");
    const parties = partiesOf(one);
    const receiverKey = createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" });
    const { enc, ciphertext } = sealFor(receiverKey, k, { info: linkKeyInfo(parties) });

    const permission_id = await releaseCustodian(tx, org, copy);
    await setCopyState(tx, org, copy, "transferred");
    const to = { ...parties.receiver };
    const { package_sha256 } = one;
    const data = {
      transfer_id,
      copy_id,
      permission_id,
      hash: copy.sha256,
      to,
      vault_id: vault.vault_id,
      vault_name: vault.name,
      package_sha256,
    };
    const { hash: entry } = await appendAudit(tx, org, { type: "vault.transferred", by: vaultJobCaller(org), envelope_id, data });
    const release = {
      ...parties,
      at: at.toISOString(),
      key_id: records.key_id,
      package_sha256,
      chain_head: { seq: one.packed_head.seq, hash: one.packed_head.hash },
      vault_key_id,
      enc: enc.toString("hex"),
      sealed_key: ciphertext.toString("hex"),
      entry,
    };
    await moveTransfer(tx, org, one, "commit", { release: Buffer.from(canonicalize(release)), k_enc: null });
    return null;
  });
  if (changed !== null) await withdrawTransfer(deps, org, transfer_id, changed);
}

/** What may follow the packing without changing what the receiver verified: reading, copies, mail and renewed evidence. */
const HARMLESS: readonly string[] = [
  "vault.document.accessed",
  "copy.issued",
  "vault.certificate.issued",
  "evidence.rehashed",
  "viewer.opened",
  "token.minted",
  "mail.accepted",
  "mail.failed",
  "mail.delivered",
  "mail.bounced",
  "mail.complained",
];
