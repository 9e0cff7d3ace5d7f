import type { EnvelopeId, OrgId, ProblemId } from "../shared/ids.ts";

export const problemStates = ["retrying", "failed", "retry_requested", "resolved", "discarded"] as const;
export type ProblemState = (typeof problemStates)[number];

export interface FailedJob {
  readonly problem_id: ProblemId;
  readonly task: string;
  /** null for a job of the installation, which only operators see */
  readonly org_id: OrgId | null;
  readonly envelope_id: EnvelopeId | null;
  readonly state: ProblemState;
  readonly attempts: number;
  readonly first_failed_at: Date;
  readonly last_failed_at: Date;
  readonly next_attempt_at: Date | null;
  readonly error_code: keyof typeof explanations;
  /** for operators alone */
  readonly error: string;
}

/** What operators are told by e-mail. */
export type ToldProblem = Pick<FailedJob, "problem_id" | "task" | "org_id" | "envelope_id" | "state" | "error_code" | "attempts"> & {
  /** they were not told of it before */
  readonly is_new: boolean;
};

export const retryableStates: readonly ProblemState[] = ["retrying", "failed"];
/** A job that is still tried is not discarded: it may be running. */
export const discardableStates: readonly ProblemState[] = ["failed"];

/** What an organization reads about the cause. */
export const explanations = {
  store_away: "The document store could not be reached.",
  seal_unavailable: "The document could not be sealed.",
  provider_refused: "The signing provider refused or could not be reached.",
  pdf_deadline: "Processing the document took too long.",
  internal: "Something unexpected happened. The operator of this installation finds the cause in the log.",
} as const;
