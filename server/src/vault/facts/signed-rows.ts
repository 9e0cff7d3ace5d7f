import type { SignedRows } from "@countersign/evidence";
import type { Tx } from "../../db/sql.ts";
import type { Envelope } from "../../envelopes/envelope.ts";
import { recordDeps } from "../../envelopes/on-submission.ts";
import type { OrgId } from "../../shared/ids.ts";
import { readRecord } from "../../signing/proven-record.ts";
import type { PipelineDeps } from "../vault.ts";

/** What signers entered, to be compared with the audit trail; null for a document that the built-in provider did not have signed. */
export async function readSignedRows(
  deps: Pick<PipelineDeps, "db" | "values" | "provider">,
  tx: Tx,
  org: OrgId,
  { envelope_id, submission_id }: Pick<Envelope, "envelope_id" | "submission_id">,
): Promise<SignedRows | null> {
  if (submission_id === null || deps.provider.name !== "builtin") return null;
  return (await readRecord(recordDeps(deps), tx, org, envelope_id)).rows;
}
