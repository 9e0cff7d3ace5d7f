import { sql, type Tx } from "../db/sql.ts";
import type { JobName, Jobs } from "./catalogue.ts";

/** An outbox row, not a call: the job exists when, and only when, the caller's transaction commits. */
export async function enqueue<N extends JobName>(tx: Tx, job: N, payload: Jobs[N]): Promise<void> {
  await tx.query(sql`insert into outbox (task, payload) values (${job}, ${JSON.stringify(payload)})`);
}
