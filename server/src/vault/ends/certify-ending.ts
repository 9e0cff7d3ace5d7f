import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { findEnvelope } from "../../envelopes/store.ts";
import { type EndingId, isSandbox, type OrgId } from "../../shared/ids.ts";
import { keepBlob } from "../../storage/store.ts";
import { storeBlob } from "../../storage/store-blob.ts";
import { findAct } from "../acts/store.ts";
import { vaultJobCaller } from "../copy.ts";
import { findCopy } from "../copy-store.ts";
import { findOrgSettings } from "../store.ts";
import { background } from "../unreadable.ts";
import { type PipelineDeps, statusUrl } from "../vault.ts";
import { type EndedRecord, endingCertificate } from "./ending-certificate.ts";
import { findEnding, setEndingCertificate } from "./ending-store.ts";

/** The sealed certificate of how a record ended. It is made once; its hash is in the audit trail. */
export async function certifyEnding(
  deps: PipelineDeps,
  { org_id: org, ending_id }: { readonly org_id: OrgId; readonly ending_id: EndingId },
): Promise<void> {
  const ended = await deps.db.tx(org, (tx) => readEnded(deps, tx, org, ending_id));
  const { state, certificate_sha256, envelope_id } = ended.ending;
  if (state !== "done" || certificate_sha256 !== null) return;
  const { title, ...model } = endingCertificate(ended);
  const { bytes } = await deps.pdf.typeset({ title, ...model }, background(org));
  const { bytes: sealed } = await deps.seal(org, bytes, `${title} of ${envelope_id}`);
  const stored = await storeBlob(deps.storage, org, sealed);
  await deps.db.tx(org, async (tx) => {
    if (!(await setEndingCertificate(tx, org, ending_id, stored.sha256))) return;
    await keepBlob(tx, org, stored.sha256);
    const data = { ending_id, sha256: stored.sha256 };
    await appendAudit(tx, org, { type: "vault.ending_certified", by: vaultJobCaller(org), envelope_id, data });
  });
}

async function readEnded(deps: PipelineDeps, tx: Tx, org: OrgId, ending_id: EndingId): Promise<EndedRecord> {
  const ending = await findEnding(tx, org, ending_id);
  const copy = await findCopy(tx, org, ending.envelope_id);
  return {
    ending,
    org: { org_id: org, name: (await findOrgSettings(tx, org)).name },
    envelope_name: (await findEnvelope(tx, org, ending.envelope_id)).envelope_name,
    copy,
    act: await findAct(tx, org, ending.act_id),
    status_url: isSandbox(org) ? null : statusUrl(deps.publicUrl, copy),
  };
}
