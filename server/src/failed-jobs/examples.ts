/** The examples in the API reference. A test checks each against its schema. */

export const problem = {
  problem_id: "prb_01h2xcejqtf2nbrexx3vqjhp41",
  task: "vault.store",
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  envelope_name: "Lease for 12 Mill Road",
  state: "failed",
  attempts: 25,
  first_failed_at: "2026-11-18T09:12:44.120Z",
  last_failed_at: "2026-11-18T11:40:02.331Z",
  next_attempt_at: null,
  explanation: "The document store could not be reached.",
  can_retry: true,
} as const;

export const retried = { problem_id: problem.problem_id, state: "retry_requested" } as const;
