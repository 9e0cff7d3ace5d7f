import { sql, type Tx } from "../db/sql.ts";
import type { JobName, Jobs } from "./catalogue.ts";

/**
 * An outbox row, not a call: the job exists when, and only when, the caller's transaction commits. Jobs with the same `key` that
 * have not begun are one: for work that takes whatever there is. One that has begun is followed by another.
 */
export async function enqueue<N extends JobName>(tx: Tx, job: N, payload: Jobs[N], key: string | null = null): Promise<void> {
  await tx.query(sql`insert into outbox (task, payload, job_key) values (${job}, ${JSON.stringify(payload)}, ${key})`);
}

/** The same, to begin so many seconds from now: whoever waits for something outside holds nothing meanwhile. */
export async function enqueueLater<N extends JobName>(tx: Tx, job: N, payload: Jobs[N], seconds: number): Promise<void> {
  await tx.query(sql`
    insert into outbox (task, payload, run_at)
    values (${job}, ${JSON.stringify(payload)}, clock_timestamp() + make_interval(secs => ${seconds}))`);
}
