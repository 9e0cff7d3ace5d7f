import type { Status } from "@countersign/evidence";
import { findEnvelope } from "../../envelopes/store.ts";
import { isSandbox } from "../../shared/ids.ts";
import { lookUpLatestCheckpoint } from "../../transparency/store.ts";
import { findCopy } from "../copy-store.ts";
import { findOrgSettings, lookUpCertificate } from "../store.ts";
import { type PipelineDeps, statusUrl } from "../vault.ts";
import { lookUpFile } from "../widget/store.ts";
import { lookUpCode } from "./store.ts";

const CODE = /^[0-9a-f]{32}$/;

/** The state of the record with this code, and what the file with this hash is to it; null if no record has the code. */
export async function readStatus(deps: PipelineDeps, verify_code: string, file_sha256: string | null): Promise<Status | null> {
  if (!CODE.test(verify_code)) return null;
  const found = await deps.db.system((tx) => lookUpCode(tx, verify_code));
  // A record of a sandbox has no public state that anyone could rely on.
  if (found === null || isSandbox(found.org)) return null;
  const { org, envelope_id } = found;
  return deps.db.tx(org, async (tx): Promise<Status> => {
    const copy = await findCopy(tx, org, envelope_id);
    const certificate = await lookUpCertificate(tx, org, envelope_id);
    const checkpoint = await lookUpLatestCheckpoint(tx);
    if (certificate === null || checkpoint === null) throw new Error("the vaulted envelope has no certificate or no checkpoint");
    const { name: organization, status_shows_parties } = await findOrgSettings(tx, org);
    const { secured_party } = await findEnvelope(tx, org, envelope_id);
    const known = file_sha256 === null ? null : await lookUpFile(tx, org, envelope_id, file_sha256);
    return {
      type: "countersign/status/1",
      status_url: statusUrl(deps.publicUrl, copy),
      state: copy.state,
      stored_at: copy.stored_at.toISOString(),
      state_since: copy.state_since?.toISOString() ?? null,
      as_of: { at: copy.now.toISOString(), tree_size: checkpoint.tree_size },
      document_sha256: copy.sha256,
      certificate: {
        revision: certificate.revision,
        pdf_sha256: certificate.pdf_sha256,
        evaluated_at: certificate.evaluated_at.toISOString(),
      },
      parties: status_shows_parties ? { organization, secured_party: secured_party?.name ?? null } : null,
      file: file_sha256 === null ? null : { sha256: file_sha256, known_as: known?.kind ?? null, revision: known?.revision ?? null },
    };
  });
}
