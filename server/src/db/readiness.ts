import type { Db } from "./connect.ts";
import { DatabaseAway } from "./errors.ts";
import { FenceDown } from "./fence.ts";
import { sql } from "./sql.ts";

/** Readiness is public, so the reason does not contain the address of the database. */
export async function databaseReason(db: Db): Promise<string | null> {
  const failure = await failureOf(db);
  return failure instanceof DatabaseAway ? "the database cannot be reached" : null;
}

/** Null also while the database is unavailable, because the database check reports that. */
export async function tenancyReason(db: Db): Promise<string | null> {
  const failure = await failureOf(db);
  return failure instanceof FenceDown ? "row-level security does not hold for the database login" : null;
}

async function failureOf(db: Db): Promise<DatabaseAway | FenceDown | null> {
  try {
    await db.system((tx) => tx.query(sql`select 1`));
    return null;
  } catch (error) {
    if (error instanceof DatabaseAway || error instanceof FenceDown) return error;
    throw error;
  }
}
