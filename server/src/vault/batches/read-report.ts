import type { Read } from "../../db/sql.ts";
import type { ControlBatchId, OrgId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { Report } from "./batch.ts";
import { findBatch, lookUpReport } from "./store.ts";

export interface SignedReport {
  readonly document: Report;
  /** Ed25519, 64 bytes in hexadecimal, over the document's canonical bytes */
  readonly signature: string;
}

/** 409 until the last item has its result and the report is signed. */
export async function readReport(read: Read, org: OrgId, control_batch_id: ControlBatchId): Promise<SignedReport> {
  await findBatch(read, org, control_batch_id);
  const saved = await lookUpReport(read, org, control_batch_id);
  if (saved?.report_signature == null) throw new Problem("control_batch_unfinished");
  return { document: JSON.parse(saved.report) as Report, signature: saved.report_signature };
}
