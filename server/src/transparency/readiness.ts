import { DatabaseAway } from "../db/errors.ts";
import type { LogDeps } from "./checkpoint.ts";
import { lookUpLatestCheck } from "./store.ts";

/** The readiness check of the log. It is public, so the affected rows are only in the service's log output. */
export async function logReadiness(deps: Pick<LogDeps, "db">): Promise<string | null> {
  try {
    const latest = await deps.db.system(lookUpLatestCheck);
    return latest === null || latest.fault === null
      ? null
      : "rows of the log were changed or lost, and it stands still; the service's log says which";
  } catch (error) {
    if (error instanceof DatabaseAway) return "unknown while the database is away";
    throw error;
  }
}
