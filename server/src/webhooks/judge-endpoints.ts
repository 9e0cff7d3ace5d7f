import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { longestWait } from "../outbound/retry-schedule.ts";
import { asSystem } from "../shared/caller.ts";
import { HOUR_MS } from "../shared/durations.ts";
import type { AttemptId, EndpointId, OrgId } from "../shared/ids.ts";
import { type Attempted, errorOf, reportsGone } from "./delivery.ts";
import { cancelPending, lastFailures } from "./delivery-store.ts";
import type { DisabledReason, WebhookDeps } from "./endpoint.ts";
import { disabledMail, failingMail } from "./messages.ts";
import { type EndpointState, markDisabled, noteFailing, noteNotified, noteSuccess } from "./store.ts";

// Longer than the whole schedule of one delivery, so an endpoint is never disabled before its first event has failed.
const DISABLE_AFTER_MS = 120 * HOUR_MS;
const NOTIFY_AFTER_MS = 24 * HOUR_MS;
// About one a day. An endpoint with few events is not disabled for two or three failures, however far apart.
const MIN_FAILURES = 5;
// For short schedules: an endpoint with an event every day or two still counts as failing continuously.
const MIN_QUIET_MS = 48 * HOUR_MS;

/** Updates the state of the endpoints after a batch of attempts. The caller holds their locks. */
export async function judgeEndpoints(
  deps: Pick<WebhookDeps, "retrySchedule">,
  tx: Tx,
  org: OrgId,
  endpoints: readonly EndpointState[],
  attempted: readonly Attempted[],
): Promise<void> {
  // Time without attempts is not failure: after a silence longer than any wait between two attempts, the next failure counts as the first.
  const quiet_ms = Math.max(MIN_QUIET_MS, longestWait(deps.retrySchedule) * 1000);
  const succeeded: EndpointId[] = [];
  for (const endpoint of endpoints) {
    // A response of an old URL says nothing about the new one, and a disabled endpoint needs no decision.
    const ownAttempts = attempted.filter(
      ({ prepared: { endpoint_id, post } }) => endpoint_id === endpoint.endpoint_id && post.url === endpoint.url,
    );
    if (!endpoint.enabled || endpoint.deleted_at !== null || ownAttempts.length === 0) continue;
    if (ownAttempts.some(({ outcome }) => reportsGone(outcome))) await disable(tx, org, endpoint, "gone");
    else if (ownAttempts.some(({ outcome }) => errorOf(outcome) === null)) succeeded.push(endpoint.endpoint_id);
    else await noteFailures(tx, org, endpoint, failuresOf(ownAttempts), quiet_ms);
  }
  if (succeeded.length > 0) await noteSuccess(tx, org, succeeded);
}

/** In order of time, without attempts that our own worker aborted, which say nothing about the receiver. */
const failuresOf = (attempted: readonly Attempted[]): AttemptId[] =>
  attempted
    .filter(({ outcome }) => errorOf(outcome) !== "interrupted")
    .map(({ prepared }) => prepared.attempt_id)
    .sort();

async function noteFailures(tx: Tx, org: OrgId, endpoint: EndpointState, failed: readonly AttemptId[], quiet_ms: number): Promise<void> {
  const [first] = failed;
  const { endpoint_id, failing_since } = endpoint;
  if (first === undefined) return;
  if (failing_since === null) return noteFailing(tx, org, endpoint_id, first);
  const failing_ms = tx.now.getTime() - failing_since.getTime();
  if (failing_ms < NOTIFY_AFTER_MS) return;
  const before = await lastFailures(tx, org, endpoint_id, first, MIN_FAILURES);
  const ofThisTime = before.filter((at) => at >= failing_since);
  const [latest] = ofThisTime;
  if (latest === undefined || tx.now.getTime() - latest.getTime() > quiet_ms) return noteFailing(tx, org, endpoint_id, first);
  if (failing_ms >= DISABLE_AFTER_MS && ofThisTime.length + failed.length >= MIN_FAILURES) return disable(tx, org, endpoint, "failing");
  if (endpoint.failing_told_at !== null) return;
  await enqueue(tx, "orgs.notify-admins", { org_id: org, kind: "endpoint_failing", ...failingMail(endpoint) });
  await noteNotified(tx, org, endpoint_id);
}

async function disable(tx: Tx, org: OrgId, endpoint: EndpointState, reason: Exclude<DisabledReason, "manual">): Promise<void> {
  const { endpoint_id } = endpoint;
  await markDisabled(tx, org, endpoint_id, reason);
  await cancelPending(tx, org, endpoint_id);
  await appendAudit(tx, org, {
    type: "endpoint.disabled",
    by: asSystem({ ip: "", user_agent: "", request_id: "" }),
    data: { endpoint_id, reason },
  });
  await enqueue(tx, "orgs.notify-admins", { org_id: org, kind: "endpoint_disabled", ...disabledMail(endpoint, reason) });
}
