import { canonicalize, type Head } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { readStored } from "../../documents/read-stored.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import { HOUR_MS } from "../../shared/durations.ts";
import type { ExportId, OrgId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import { decrypt } from "../../shared/secrets.ts";
import { lockControl } from "../acts/control.ts";
import { policyOf } from "../acts/policy-store.ts";
import { supersedeOpenActs } from "../acts/take-effect.ts";
import { type LockedCopy, type RecordsSigner, requireState, type VaultDeps } from "../copy.ts";
import { lockCopyById, setCopyState } from "../copy-store.ts";
import { releaseCustodian } from "../custody/store.ts";
import { refuseHeld } from "../keeping/store.ts";
import { findPrincipal, isSamePrincipal, lookUpPrincipal, type Principal } from "../principal-store.ts";
import { isSignedReceipt, KEY_LIFE_HOURS, type Receipt, type SignedReceipt, type VaultExport } from "./export.ts";
import { keyContext } from "./start-export.ts";
import { findExport, saveReceipt, signSavedReceipt } from "./store.ts";

export interface Acknowledged {
  readonly exported: VaultExport;
  /** hexadecimal */
  readonly key: string;
  readonly receipt: SignedReceipt;
}

/** Throws if this caller may not acknowledge the export, or not any more. Runs under the copy's lock. */
export type MayAcknowledge = (tx: Tx, one: VaultExport, now: Date) => Promise<void>;

/**
 * A key or a member confirms receipt for the recipient: another person than the one who started the export, and only if the policy does
 * not leave it to the recipient. A repeated call returns the same response for a day.
 */
export const acknowledgeExport = (deps: VaultDeps, caller: Caller, export_id: ExportId, package_sha256: string): Promise<Acknowledged> =>
  acknowledge(deps, caller, export_id, package_sha256, async (tx, one, now) => {
    const { org } = caller;
    if ((await policyOf(tx, org, one.envelope_id)) === "confirmed") throw new Problem("recipient_must_acknowledge");
    const [initiator, principal] = [await initiatorOf(tx, org, one), await findPrincipal(tx, caller)];
    if (initiator !== null && isSamePrincipal(initiator, principal)) throw new Problem("same_principal");
    if (one.closed_at !== null && now.getTime() - one.closed_at.getTime() > KEY_LIFE_HOURS * HOUR_MS) {
      throw new Problem(one.person_id === null ? "export_key_erased" : "export_key_for_recipient");
    }
  });

/** Of an export from before, by its credential. */
export async function initiatorOf(
  tx: Tx,
  org: OrgId,
  { principal, principal_email, initiated_by }: VaultExport,
): Promise<Principal | null> {
  if (principal !== null && principal_email !== null) return { id: principal, email: principal_email };
  return lookUpPrincipal(tx, org, initiated_by);
}

/**
 * In one commit the copy leaves and the key of its package is released. Before that the package is unreadable, and afterwards our bytes are
 * only a copy, so there are never two originals.
 */
export async function acknowledge(
  deps: VaultDeps,
  caller: Caller,
  export_id: ExportId,
  package_sha256: string,
  refuse: MayAcknowledge,
): Promise<Acknowledged> {
  const { org } = caller;
  const signer = await deps.records();
  const packed = await deps.db.tx(org, (tx) => findExport(tx, org, export_id));
  // An unreadable package is not released. The caller cancels the export and starts another.
  if (packed.state === "escrowed") await readPackage(deps, org, packed);
  const document = await deps.db.tx(org, async (tx) => {
    const control = await lockControl(tx, org, packed.envelope_id);
    const { copy } = control;
    const one = await findExport(tx, org, export_id);
    if (one.state !== "escrowed" && one.state !== "acknowledged") throw closed(one);
    await refuse(tx, one, copy.now);
    if (package_sha256 !== one.package_sha256) throw invalidField("package_sha256", "invalid_value", "must be the SHA-256 of the package");
    if (one.receipt !== null) return one.receipt.document;
    // What was proposed before the copy left cannot take effect any more.
    await supersedeOpenActs(tx, control);
    return recordExport(tx, caller, signer.key_id, copy, one);
  });
  const receipt = await signReceipt(deps, org, document, signer);
  const exported = await deps.db.tx(org, (tx) => findExport(tx, org, export_id));
  if (exported.key_enc === null) throw new Problem("export_key_erased");
  return { exported, key: decrypt(deps.keys.exports, exported.key_enc, keyContext(export_id)), receipt };
}
/** A repeated call finds the receipt signed, or signs it with the key that the receipt names. */
async function signReceipt(deps: VaultDeps, org: OrgId, document: Receipt, current: RecordsSigner): Promise<SignedReceipt> {
  const { export_id, key_id } = document;
  const saved = (await deps.db.tx(org, (tx) => findExport(tx, org, export_id))).receipt;
  if (saved !== null && isSignedReceipt(saved)) return saved;
  const signer = key_id === current.key_id ? current : await deps.records(key_id);
  const receipt = { document, signature: Buffer.from(await signer.sign(Buffer.from(canonicalize(document)))).toString("hex") };
  await deps.db.tx(org, (tx) => signSavedReceipt(tx, org, export_id, receipt));
  return receipt;
}

async function recordExport(tx: Tx, caller: Caller, key_id: string, copy: LockedCopy, one: VaultExport): Promise<Receipt> {
  const { org } = caller;
  const { export_id, copy_id, envelope_id, recipient, package_sha256 } = one;
  requireState(copy, "escrowed");
  await refuseHeld(tx, org, copy);
  const permission_id = await releaseCustodian(tx, org, copy);
  await setCopyState(tx, org, copy, "exported");
  const data = { export_id, copy_id, permission_id, hash: copy.sha256, recipient: { ...recipient }, package_sha256 };
  const type = "vault.exported";
  const head = await appendAudit(tx, org, { type, by: caller, envelope_id, data });
  await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash: head.hash } });
  const receipt = receiptOf(key_id, org, copy, one, head);
  await saveReceipt(tx, org, export_id, receipt, copy.now);
  return receipt;
}

function receiptOf(key_id: string, org_id: OrgId, copy: LockedCopy, one: VaultExport, chain_head: Head): Receipt {
  return {
    type: "countersign/export-receipt/1",
    org_id,
    envelope_id: one.envelope_id,
    export_id: one.export_id,
    copy_id: one.copy_id,
    sha256: copy.sha256,
    package_sha256: one.package_sha256,
    recipient: { name: one.recipient.name, email: one.recipient.email },
    acknowledged_at: copy.now.toISOString(),
    chain_head,
    key_id,
  };
}

/** Finds the copy of the export, locks it, and reads the export again under the lock. */
export async function lockExport(tx: Tx, org: OrgId, export_id: ExportId): Promise<{ copy: LockedCopy; one: VaultExport }> {
  const { copy_id } = await findExport(tx, org, export_id);
  const copy = await lockCopyById(tx, org, copy_id);
  return { copy, one: await findExport(tx, org, export_id) };
}

/** Exactly as it was stored, or 502. */
export const readPackage = ({ storage }: VaultDeps, org: OrgId, { package_sha256 }: VaultExport): Promise<Uint8Array> =>
  readStored({ storage }, org, package_sha256, "document_unavailable");

export function closed({ state }: VaultExport): Problem {
  return new Problem("export_closed", "", { words: { status: state } });
}
