import { writeCsv } from "@countersign/csv";
import type { FileAnswer } from "../../http/endpoint.ts";
import { iso, isoOrNull } from "../../http/shapes.ts";
import type { ControlBatch, Item, ItemResult, ReportedItem } from "./batch.ts";
import type { SignedReport } from "./read-report.ts";

export const presentBatch = (batch: ControlBatch) => ({
  control_batch_id: batch.control_batch_id,
  kind: batch.kind,
  state: batch.state,
  reason: batch.reason,
  act_id: batch.act_id,
  root: batch.root,
  count: batch.count,
  done: batch.done,
  skipped: batch.skipped,
  created_by: batch.created_by,
  created_at: iso(batch.created_at),
  finished_at: isoOrNull(batch.finished_at),
});

export const presentItem = (item: Item) => ({
  index: item.index,
  envelope_id: item.envelope_id,
  record_name: item.record_name,
  copy_sha256: item.copy_sha256,
  expected_version: item.expected_version,
  present_party: item.present_party,
  state: item.state,
  code: item.code,
  result: item.result === null ? null : presentResult(item.result),
  settled_at: isoOrNull(item.settled_at),
});

const noResult = { revision: null, score: null, standing: null, bundle_sha256: null, bundle_size: null, verified: null };
const presentResult = (result: ItemResult) => ({ ...noResult, ...result });

/** Its members are signed as they are. */
export const presentReport = ({ document, signature }: SignedReport) => ({
  document: { ...document, items: document.items.map(presentReported) },
  signature,
});

const presentReported = (item: ReportedItem) => ({ ...item, result: item.result === null ? null : { ...item.result } });

const columns = ["index", "envelope_id", "record_name", "copy_sha256", "control_version", "secured_party", "state", "code", "settled_at"];

/** For spreadsheets. What is confirmed is the hash of the act, which names the root over the same list. */
export function itemsAsCsv(name: string, items: readonly Item[]): FileAnswer {
  const rows = items.map((item) => [
    item.index,
    item.envelope_id,
    item.record_name,
    item.copy_sha256,
    item.expected_version,
    item.present_party?.name ?? "",
    item.state,
    item.code,
    isoOrNull(item.settled_at),
  ]);
  return { type: "text/csv", bytes: Buffer.from(writeCsv([columns, ...rows])), file_name: `${name}.csv` };
}
