import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Actor, Caller } from "../../shared/caller.ts";
import { type ActId, type EnvelopeId, type ExportId, newId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { encrypt } from "../../shared/secrets.ts";
import type { BlobName } from "../../storage/blob-store.ts";
import { keepBlob } from "../../storage/store.ts";
import { storeBlob } from "../../storage/store-blob.ts";
import { type Control, lockControl } from "../acts/control.ts";
import { leavingNeeds } from "../acts/needs.ts";
import { type LockedCopy, requireState, type VaultDeps } from "../copy.ts";
import { findCopy, setCopyState } from "../copy-store.ts";
import { refusePending } from "../custody/expire-transfers.ts";
import { lookUpPending } from "../custody/store.ts";
import { refuseDamaged } from "../keeping/require-undamaged.ts";
import { refuseHeld } from "../keeping/store.ts";
import { ensurePerson } from "../people/ensure-person.ts";
import { lookUpPrincipal, type Principal } from "../principal-store.ts";
import { ESCROW_MS, type Recipient, type VaultExport } from "./export.ts";
import { pack } from "./package.ts";
import { findExport, insertExport } from "./store.ts";

export interface ExportInput {
  readonly recipient: Recipient;
  readonly reason: string;
}

/** Who started it, and by which act if a party confirmed it. */
interface ExportTerms extends ExportInput {
  readonly initiated_by: Actor;
  readonly principal: Principal | null;
  readonly act_id: ActId | null;
}

/** Packed and stored, but not yet recorded. Only this object has the key, encrypted. */
export interface PreparedExport {
  readonly export_id: ExportId;
  readonly copy: LockedCopy;
  readonly package: BlobName;
  readonly key_enc: Buffer;
}

/** Whether a secured party or a pledgee must confirm it: then an act is proposed, and nothing is packed yet. */
export const mustAsk = async (tx: Tx, control: Control): Promise<boolean> => (await leavingNeeds(tx, control)).some(({ asked }) => asked);

/** The slow part: builds the bundle from bytes that are read and hashed again, encrypts it, stores it and reads it back. */
async function prepareExport(deps: VaultDeps, { org }: Pick<Caller, "org">, envelope_id: EnvelopeId): Promise<PreparedExport> {
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
  const key_enc = encrypt(deps.keys.exports, key.toString("hex"), keyContext(export_id));
  return { export_id, copy, package: await storeBlob(deps.storage, org, bytes), key_enc };
}

/** For a call that no party has to confirm. 409 if that changed while it was packed. */
function saveExport(deps: VaultDeps, caller: Caller, prepared: PreparedExport, input: ExportInput): Promise<VaultExport> {
  const { org, actor } = caller;
  return deps.db.tx(org, async (tx) => {
    const control = await lockControl(tx, org, prepared.copy.envelope_id);
    if (await mustAsk(tx, control)) throw new Problem("control_changed", "while it was packed");
    const principal = await lookUpPrincipal(tx, org, actor);
    return recordStart(tx, caller, control, prepared, { ...input, initiated_by: actor, principal, act_id: null });
  });
}

/**
 * Puts the copy into escrow: it cannot be transferred or exported otherwise while it waits for the recipient's acknowledgement. The
 * recipient becomes a person, who downloads the package at /p/. The caller holds the locks.
 */
async function recordStart(
  tx: Tx,
  caller: Caller,
  { org, copy }: Control,
  { export_id, key_enc, copy: packed, package: stored }: PreparedExport,
  { recipient, reason, initiated_by, principal, act_id }: ExportTerms,
): Promise<VaultExport> {
  const { copy_id, envelope_id, sha256 } = packed;
  requireState(copy, "active");
  await refusePending(tx, org, copy);
  await refuseHeld(tx, org, copy);
  if (copy.custody_version !== packed.custody_version) throw new Problem("custody_changed", "while it was packed");
  await keepBlob(tx, org, stored.sha256);
  const [created_at, expires_at] = [copy.now, new Date(copy.now.getTime() + ESCROW_MS)];
  const { sha256: package_sha256, size: package_size } = stored;
  await insertExport(tx, org, {
    export_id,
    copy_id,
    envelope_id,
    recipient,
    reason,
    package_path: `${org}/vault/${envelope_id}/${export_id}.csvx`,
    package_sha256,
    package_size,
    key_enc,
    initiated_by,
    principal: principal?.id ?? null,
    principal_email: principal?.email ?? null,
    person_id: await ensurePerson(tx, recipient.email),
    act_id,
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
    act_id,
  };
  await appendAudit(tx, org, { type: "vault.export_started", by: caller, envelope_id, data });
  await enqueue(tx, "vault.tell-recipient", { org_id: org, export_id });
  return findExport(tx, org, export_id);
}

/** Binds the key to its row: copied into another row, it cannot be decrypted. */
export const keyContext = (export_id: ExportId): string => `key of ${export_id}`;

/** The steps of the operation: an endpoint prepares and saves, the job of an act prepares and records in its own transaction. */
export const startExport = { prepare: prepareExport, save: saveExport, record: recordStart };
