import type { Tx } from "../db/sql.ts";
import { type LogDeps, LogFault, LogStopped } from "./checkpoint.ts";
import { insertCheck, lookUpLatestCheck, readSize } from "./store.ts";

/** Records a fault that `run` throws before rethrowing it. From then on the log is stopped in every process. */
export async function recordingFault<T>(deps: Pick<LogDeps, "db">, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof LogFault) await deps.db.system((tx) => recordFault(tx, error));
    throw error;
  }
}

async function recordFault(tx: Tx, { message }: LogFault): Promise<void> {
  const latest = await lookUpLatestCheck(tx);
  if (latest?.fault !== message) await insertCheck(tx, await readSize(tx), message);
}

/** Appending or signing after a fault would hide it. */
export async function refuseStopped(tx: Tx): Promise<void> {
  const latest = await lookUpLatestCheck(tx);
  if (latest !== null && latest.fault !== null)
    throw new LogStopped(`the log has been stopped since ${latest.checked_at.toISOString()}: ${latest.fault}`);
}
