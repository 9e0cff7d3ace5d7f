import { readZip } from "@countersign/evidence";
import { readStored } from "../../documents/read-stored.ts";
import type { OrgId } from "../../shared/ids.ts";
import { keepBlob } from "../../storage/store.ts";
import { storeBlob } from "../../storage/store-blob.ts";
import { fetchPackage } from "./fetch-package.ts";
import type { LinkDeps, VaultTransfer } from "./link.ts";
import { saidIn } from "./message.ts";
import { bundleOf } from "./origin.ts";
import { hashOf } from "./pack-record.ts";
import { type Unpacked, unpackTransfer } from "./package.ts";
import { findVault } from "./remote-store.ts";
import { isLineageLive, lockTransfer, moveTransfer, setPackage } from "./store.ts";
import { refuseUnfit } from "./transfer-decisions.ts";

// Originals of 50 MB with their evidence are well below.
const MAX_PACKAGE_BYTES = 512 * 1024 * 1024;

/** Fetches the package and verifies the bundle in it against the pinned root. A package that is not what it should be is refused. */
export async function verifyPackage(deps: LinkDeps, org: OrgId, one: VaultTransfer): Promise<void> {
  const { announced, vault } = await deps.db.tx(org, async (tx) => ({
    announced: await saidIn(tx, org, one, "package"),
    vault: await findVault(tx, org, one.vault_id),
  }));
  if (announced.package_size > MAX_PACKAGE_BYTES) return refuseUnfit(deps, org, one.transfer_id, "package_too_large");
  const isHere = one.package_sha256 === announced.package_sha256;
  const bytes = isHere
    ? await readStored(deps, org, announced.package_sha256, "document_unavailable")
    : await fetchPackage(deps, one, vault, announced);
  return takePackage(deps, org, one, bytes, vault.root_sha256);
}

/** The same for bytes that came as a file. */
export async function takePackage(deps: LinkDeps, org: OrgId, one: VaultTransfer, bytes: Uint8Array, root_sha256: string): Promise<void> {
  const announced = await deps.db.tx(org, (tx) => saidIn(tx, org, one, "package"));
  const { transfer_id } = one;
  const unpacked = hashOf(bytes) === announced.package_sha256 ? unpackTransfer(bytes) : null;
  if (unpacked === null) return refuseUnfit(deps, org, transfer_id, "package_damaged");
  const stored = await storeBlob(deps.storage, org, bytes);
  const fault = await faultOf(deps, one, unpacked, root_sha256);
  if (fault !== null) return refuseUnfit(deps, org, transfer_id, fault);
  const last = bundleOf(readZip(unpacked.bundle)).links.at(-1)?.entry;
  if (last === undefined) throw new Error("a verified bundle has no chain");
  const fits = await deps.db.tx(org, async (tx) => {
    const now = await lockTransfer(tx, org, transfer_id, "in");
    if (now?.state !== "packed") return true;
    if (await isLineageLive(tx, one.lineage_id, transfer_id)) return false;
    await keepBlob(tx, org, stored.sha256);
    await setPackage(tx, org, now, stored.sha256, stored.size);
    await moveTransfer(tx, org, now, "verify", { packed_head: JSON.stringify({ seq: last.seq, hash: last.hash }) });
    return true;
  });
  if (!fits) await refuseUnfit(deps, org, transfer_id, "lineage_is_live");
}

/** Why the bundle is not one of the record that was offered; null if it is. */
async function faultOf(deps: LinkDeps, one: VaultTransfer, { bundle }: Unpacked, root_sha256: string): Promise<string | null> {
  const verdict = await deps.links.verifyBundle(bundle, root_sha256);
  if (!verdict.verified) return "bundle_not_verified";
  const { org_id, envelope_id, copy_id, links, facts, keys } = bundleOf(readZip(bundle));
  const isOffered = org_id === one.sender_org_id && envelope_id === one.origin_envelope_id && copy_id === one.origin_copy_id;
  const stored = links.find(({ entry }) => entry.type === "vault.stored");
  if (!isOffered || (Object(stored?.data?.data) as { hash?: unknown }).hash !== one.copy_sha256) return "another_record";
  const begun = keys.type === "countersign/keys/2" ? `${keys.log_id}/${copy_id}` : "";
  return (facts.origin?.lineage_id ?? begun) === one.lineage_id ? null : "another_lineage";
}
