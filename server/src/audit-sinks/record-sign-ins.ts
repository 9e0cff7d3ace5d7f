import { repeatBatches } from "../db/repeat-batches.ts";
import { forgetSignIns, type MovedSignIns, moveSignIns } from "./sign-in-event-store.ts";
import type { AuditSinkDeps } from "./stream-log.ts";

// A flood must not fill the table. What an organization can act on is in the first rows of a minute.
const ROWS_PER_MINUTE = 200;

/** Runs every minute: what was noted in past minutes becomes events of the organizations that it concerns. Old events are removed. */
export async function recordSignIns({ db, signInEventDays }: AuditSinkDeps): Promise<MovedSignIns> {
  const moved = await db.system((tx) => moveSignIns(tx, ROWS_PER_MINUTE));
  await repeatBatches((limit) => db.system((tx) => forgetSignIns(tx, signInEventDays, limit)));
  return moved;
}
