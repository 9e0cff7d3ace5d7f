import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import { asSystem } from "../shared/caller.ts";
import type { ProblemId } from "../shared/ids.ts";
import { discardableStates, type FailedJob, retryableStates } from "./failed-job.ts";
import type { FailedJobDeps } from "./retry-failed-job.ts";
import { moveFailedJob } from "./store.ts";

export type Handling = { readonly kind: "retry" } | { readonly kind: "discard"; readonly reason: string };

type Operator = Pick<Caller, "ip" | "user_agent" | "request_id"> & { readonly operator: string };

/** By the operator, of any organization or none. Null if the job is not in a state for it. */
export function handleFailedJob(
  { db }: FailedJobDeps,
  operator: Operator,
  problem_id: ProblemId,
  handling: Handling,
): Promise<FailedJob | null> {
  const [from, to] =
    handling.kind === "retry" ? ([retryableStates, "retry_requested"] as const) : ([discardableStates, "discarded"] as const);
  return db.system(async (tx) => {
    const moved = await moveFailedJob(tx, problem_id, { from, to, by: operator.operator });
    if (moved === null || moved.org_id === null) return moved;
    const { org_id, task, envelope_id } = moved;
    const about = { problem_id, task, envelope_id };
    await tx.forOrg(org_id, (inside) =>
      appendAudit(inside, org_id, {
        by: asSystem(operator),
        ...(handling.kind === "retry"
          ? { type: "job.retry_requested", data: about }
          : { type: "job.discarded", data: { ...about, reason: handling.reason } }),
      }),
    );
    return moved;
  });
}
