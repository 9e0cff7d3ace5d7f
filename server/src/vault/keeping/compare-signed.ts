import { recordDeps } from "../../envelopes/on-submission.ts";
import { findEnvelope } from "../../envelopes/store.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { notingMismatch } from "../../signing/noting-mismatch.ts";
import { provenRecord, RecordMismatch } from "../../signing/proven-record.ts";
import type { PipelineDeps } from "../vault.ts";

/**
 * Compares what people signed here with the audit trail. A difference is recorded once, with an e-mail and another evaluation, which fails
 * check 4. Returns whether everything matches.
 */
export async function compareSigned(
  deps: Pick<PipelineDeps, "db" | "values" | "provider">,
  org: OrgId,
  envelope_id: EnvelopeId,
): Promise<boolean> {
  if (deps.provider.name !== "builtin") return true;
  const compare = () =>
    deps.db.tx(org, async (tx) => {
      const { submission_id } = await findEnvelope(tx, org, envelope_id);
      if (submission_id !== null) await provenRecord(recordDeps(deps), tx, org, envelope_id);
    });
  try {
    await notingMismatch(recordDeps(deps), org, compare);
    return true;
  } catch (error) {
    if (error instanceof RecordMismatch) return false;
    throw error;
  }
}
