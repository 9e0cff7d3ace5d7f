import { sql, type Tx } from "../db/sql.ts";

/** The time of the database now. Two moments are never in the same millisecond, which is how exactly evidence records times. */
export async function nextMoment(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ now: Date }>(sql`select clock_timestamp() as now from pg_sleep(0.002)`);
  return rows[0]?.now ?? Promise.reject(new Error("the database returned no time"));
}
