import type { Tx } from "../db/sql.ts";
import { type LogDeps, LogFault, LogStopped } from "./checkpoint.ts";
import { insertCheck, lookUpLatestCheck, readSize } from "./store.ts";

/** A fault that `run` comes upon is put on record before it is thrown on: from then on the log stands still, in every process. */
export async function noticing<T>(deps: Pick<LogDeps, "db">, run: () => Promise<T>): Promise<T> {
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

/** Whoever goes on to append or to sign after a fault would cover it up. */
export async function refuseStopped(tx: Tx): Promise<void> {
  const latest = await lookUpLatestCheck(tx);
  if (latest !== null && latest.fault !== null)
    throw new LogStopped(`the log stands still since ${latest.checked_at.toISOString()}: ${latest.fault}`);
}
