import { createPublicKey, verify } from "node:crypto";
import { canonicalize, keyAt, readRemoteTrust } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { lookUpRecordsKey } from "../../seals/instance-keys.ts";
import type { Caller } from "../../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import { listPinned } from "../links/remote-store.ts";
import type { PipelineDeps } from "../vault.ts";
import type { SignedReceipt } from "./export.ts";
import { insertUsedReceipt } from "./receipt-store.ts";

/**
 * The receipt with which an original left a vault: signed by this installation, or by one that the organization has pinned, about exactly
 * the uploaded bytes. 422 otherwise.
 */
async function verifyReceipt(
  deps: Pick<PipelineDeps, "db" | "seals">,
  org: OrgId,
  receipt: SignedReceipt,
  received_sha256: string,
): Promise<SignedReceipt> {
  const { document, signature } = receipt;
  const bytes = Buffer.from(canonicalize(document));
  const keys = await keysFor(deps, org, receipt);
  const isSigned = keys.some((spki) =>
    verify(null, bytes, createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" }), Buffer.from(signature, "hex")),
  );
  if (!isSigned) throw invalidField("export_receipt", "invalid_value", "is not signed by this installation or one that you have pinned");
  if (document.sha256 !== received_sha256) throw invalidField("export_receipt", "conflict", "is about another file than the uploaded one");
  return receipt;
}

/** The keys with this ID that may have signed it when it was acknowledged. */
async function keysFor(deps: Pick<PipelineDeps, "db" | "seals">, org: OrgId, { document }: SignedReceipt): Promise<Uint8Array[]> {
  const { key_id, org_id, acknowledged_at } = document;
  const own = await lookUpRecordsKey(deps.seals, key_id);
  const pinned = await deps.db.tx(org, (tx) => listPinned(tx, org, org_id));
  const theirs = pinned.flatMap(({ trust, root_sha256 }) => {
    const read = readRemoteTrust(trust, root_sha256);
    const key = read === null ? null : keyAt(read.keys.records, key_id, acknowledged_at);
    return key === null ? [] : [key];
  });
  return own === null ? theirs : [own, ...theirs];
}

/** Records that the receipt is used for this envelope. 409 if it was used before, also by another organization of this installation. */
async function recordReceipt(tx: Tx, caller: Caller, envelope_id: EnvelopeId, receipt: SignedReceipt): Promise<void> {
  const { org } = caller;
  const { document } = receipt;
  const { export_id, key_id, org_id: from_org_id, envelope_id: from_envelope_id, copy_id, sha256 } = document;
  const data = { export_id, key_id, from_org_id, from_envelope_id, copy_id, sha256 };
  const { seq, at } = await appendAudit(tx, org, { type: "vault.receipt_used", by: caller, envelope_id, data });
  const row = { envelope_id, key_id, export_id, from_org_id, from_envelope_id, receipt, used_at: new Date(at), entry_seq: seq };
  if (!(await insertUsedReceipt(tx, org, row))) throw new Problem("export_receipt_used");
}

/** The steps of the operation: the signature is verified before the transaction. */
export const useReceipt = { verify: verifyReceipt, record: recordReceipt };
