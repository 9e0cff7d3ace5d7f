import { type LogRecordKind, recordObject } from "@countersign/evidence";
import type { Tx } from "../db/sql.ts";
import { insertLogObject, insertLogRecords } from "./renewal-store.ts";
import { lookUpLatestCheckpoint, readClock } from "./store.ts";

/**
 * Stores an object and queues its record for the log. The record names the newest checkpoint.
 * @example await keepInLog(tx, "crl", list)
 */
export async function keepInLog(tx: Tx, kind: LogRecordKind, object: Uint8Array): Promise<void> {
  const tree_size = (await lookUpLatestCheckpoint(tx))?.tree_size ?? 0;
  const record = recordObject(object, { kind, tree_size, at: (await readClock(tx)).toISOString() });
  await insertLogRecords(tx, [{ ...record, kind, tree_size }]);
  await insertLogObject(tx, record.hash, object);
}
