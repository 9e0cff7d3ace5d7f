import type { Member } from "../shared/caller.ts";
import { hasPermission } from "../shared/scopes.ts";
import { explanations, type FailedJob, retryableStates } from "./failed-job.ts";
import type { ShownJob } from "./store.ts";

/** Without the error, which is the operator's, and without the envelope's name for members who read no envelopes. */
export const presentProblem = ({ session }: Member, job: ShownJob) => ({
  problem_id: job.problem_id,
  task: job.task,
  envelope_id: job.envelope_id,
  envelope_name: hasPermission(session.role, "envelopes:read") ? job.envelope_name : null,
  state: job.state,
  attempts: job.attempts,
  first_failed_at: job.first_failed_at.toISOString(),
  last_failed_at: job.last_failed_at.toISOString(),
  next_attempt_at: job.next_attempt_at?.toISOString() ?? null,
  explanation: explanations[job.error_code],
  can_retry: retryableStates.includes(job.state),
});

export const presentRetried = ({ problem_id, state }: FailedJob) => ({ problem_id, state });
