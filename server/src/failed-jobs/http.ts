import { Type } from "typebox";
import { type Endpoint, endpoint, listing } from "../http/endpoint.ts";
import { about, idOf, named, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import * as examples from "./examples.ts";
import { problemStates } from "./failed-job.ts";
import { presentProblem, presentRetried } from "./present.ts";
import { type FailedJobDeps, retryFailedJob } from "./retry-failed-job.ts";
import { listProblems } from "./store.ts";

const State = Type.Enum([...problemStates], {
  description:
    "`retrying`: it failed several times and is tried again. `failed`: it is not tried any more. `retry_requested`: a worker tries it within seconds. `resolved`: it is done. `discarded`: the operator gave it up",
});

const FailedJobView = named(
  "FailedJob",
  Type.Object({
    problem_id: idOf("problem"),
    task: Type.String({ description: "What failed, such as `vault.store`" }),
    envelope_id: nullable(idOf("envelope")),
    envelope_name: about(nullable(Type.String()), "Null for members who may not read envelopes"),
    state: State,
    attempts: Type.Integer({ minimum: 0 }),
    first_failed_at: Timestamp,
    last_failed_at: Timestamp,
    next_attempt_at: OptionalTimestamp,
    explanation: Type.String({ description: "The kind of cause, as a sentence" }),
    can_retry: Type.Boolean(),
  }),
);

const shared = { resource: "Organization", access: { permission: "settings:manage" } } as const;

export function failedJobEndpoints(deps: FailedJobDeps): Endpoint[] {
  return [
    listing({
      ...shared,
      name: "list_problems",
      summary: "List what did not work",
      description:
        "Lists work of your organization that failed several times, newest first: storing a document, sealing, sending. Without `state` only what is not settled; with `envelope_id` only of this envelope. Deliveries of webhooks and e-mails have their own lists.",
      sdk: "organization.problems.list",
      path: "/org/problems",
      query: Type.Object({ state: Type.Optional(State), envelope_id: Type.Optional(Type.String({ maxLength: 100 })) }),
      item: FailedJobView,
      examples: { answer: examples.problem },
      run: async (admin, { query: { state, envelope_id }, page, limit }, read) => {
        const { items, total } = await listProblems(read, admin.org, { page, limit, state, envelope_id });
        return { items: items.map((job) => presentProblem(admin, job)), total };
      },
    }),
    endpoint({
      ...shared,
      name: "retry_problem",
      summary: "Try failed work again",
      description:
        "Asks a worker to try again, which it does within seconds. Returns 409 if it was asked already, or if the problem is settled. The request is recorded in the audit trail.",
      sdk: "organization.problems.retry",
      method: "POST",
      path: "/org/problems/:problem_id/retry",
      params: { problem_id: "problem" },
      missing: "problem_not_found",
      answer: [202, named("RetriedJob", Type.Object({ problem_id: idOf("problem"), state: State }))],
      problems: ["problem_handled"],
      examples: { answer: examples.retried },
      run: async (admin, { params }) => presentRetried(await retryFailedJob(deps, admin, params.problem_id)),
    }),
  ];
}
