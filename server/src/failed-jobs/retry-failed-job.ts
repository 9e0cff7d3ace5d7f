import { appendAudit } from "../audit/append-audit.ts";
import type { Db } from "../db/connect.ts";
import type { Caller } from "../shared/caller.ts";
import type { ProblemId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { type FailedJob, retryableStates } from "./failed-job.ts";
import { findProblem, moveProblem } from "./store.ts";

export interface FailedJobDeps {
  readonly db: Db;
}

/** A worker tries the job again within seconds. Of two requests at once, the second gets 409. */
export function retryFailedJob({ db }: FailedJobDeps, caller: Caller, problem_id: ProblemId): Promise<FailedJob> {
  const { org } = caller;
  return db.tx(org, async (tx) => {
    const moved = await moveProblem(tx, org, problem_id, { from: retryableStates, to: "retry_requested", by: caller.actor.id });
    if (moved === null) {
      const { state } = await findProblem(tx, org, problem_id);
      throw new Problem("problem_handled", state);
    }
    const { task, envelope_id } = moved;
    await appendAudit(tx, org, { type: "job.retry_requested", by: caller, data: { problem_id, task, envelope_id } });
    return moved;
  });
}
