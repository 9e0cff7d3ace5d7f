import type pg from "pg";
import { listOpenBackfills, listProcesses, type RunningProcess } from "./heartbeats.ts";

/**
 * Why a migration that takes something away must not be applied yet, in a sentence; null if it may. `worksWith`: the number of the earliest
 * program that runs without what it takes. `isAlone`: the caller knows that no process uses the database.
 */
export async function reasonToWait(
  client: Pick<pg.ClientBase, "query">,
  name: string,
  worksWith: number,
  isAlone: boolean,
): Promise<string | null> {
  const older = isAlone ? [] : (await listProcesses(client)).filter(({ migration }) => migration === null || migration < worksWith);
  if (older.length > 0)
    return `The migration ${name} takes away what an earlier version uses, and processes of one still run: ${older.map(processText).join(", ")}. It changed nothing. Stop them, and run it again.`;
  const open = (await listOpenBackfills(client)).map(({ name: what, orgs }) => `${what} for ${orgs} organizations`);
  if (open.length > 0)
    return `The migration ${name} needs rows that a job still fills in: ${open.join(", ")}. It changed nothing. Wait until countersign migrate --status shows no backfill, and run it again.`;
  return null;
}

/** A process of which a version before 0.2.0 says nothing is a worker, because only workers did. */
export const processText = ({ process, role, version, seconds }: RunningProcess): string =>
  `${role ?? "worker"} ${process} of ${version === null ? "an earlier version" : `version ${version}`}, seen ${seconds} seconds ago`;
