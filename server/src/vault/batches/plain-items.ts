import { listRootsOf } from "../../seals/store.ts";
import type { OrgId } from "../../shared/ids.ts";
import { sha256 } from "../../shared/secrets.ts";
import { vaultJobCaller } from "../copy.ts";
import { evaluateRecord } from "../evaluate-record.ts";
import { serveEvidence } from "../evidence-bundle.ts";
import type { LinkDeps } from "../links/link.ts";
import { lookUpCertificateOf } from "../store.ts";
import type { ControlBatch, Item, ItemResult } from "./batch.ts";

/** What batches without an act do with one record. A Problem means that it cannot be done. */

/** One more revision of the certificate. The batch is its cause, so a second run makes no second one. Null if the audit trail is damaged. */
export async function evaluateItem(deps: LinkDeps, org: OrgId, batch: ControlBatch, { envelope_id }: Item): Promise<ItemResult | null> {
  const cause = { type: "control_batch.created", hash: batch.entry_hash };
  await evaluateRecord(deps, { org_id: org, envelope_id, cause });
  const made = await deps.db.tx(org, (tx) => lookUpCertificateOf(tx, org, envelope_id, cause.hash));
  return made === null ? null : { revision: made.revision, score: made.score, standing: made.standing };
}

/** The bundle as it is now, made and verified as a reader would. Only its hash is kept: the bundle contains a copy of the document. */
export async function proveItem(deps: LinkDeps, org: OrgId, batch: ControlBatch, { envelope_id }: Item): Promise<ItemResult> {
  const caller = { ...vaultJobCaller(org), actor: batch.created_by };
  const { bytes } = await serveEvidence(deps, caller, envelope_id);
  const root = (await deps.db.system((tx) => listRootsOf(tx, org))).at(-1);
  if (root === undefined) throw new Error("a vaulted record was sealed under no root");
  const { verified } = await deps.links.verifyBundle(bytes, sha256(root).toString("hex"));
  return { bundle_sha256: sha256(bytes).toString("hex"), bundle_size: bytes.length, verified };
}
