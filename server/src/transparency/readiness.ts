import { DatabaseAway } from "../db/errors.ts";
import type { LogDeps } from "./checkpoint.ts";
import { lookUpLatestCheck } from "./store.ts";

/** The readiness check of the log. It is public, so the affected rows are only in the service's log output. */
export async function logReadiness(deps: Pick<LogDeps, "db">): Promise<string | null> {
  try {
    const latest = await deps.db.system(lookUpLatestCheck);
    return latest === null || latest.fault === null
      ? null
      : "rows of the log were changed or lost, so the log is stopped; the service's own log says which rows";
  } catch (error) {
    if (error instanceof DatabaseAway) return "unknown while the database is away";
    throw error;
  }
}
