import { retryDelay } from "../outbound/retry-schedule.ts";
import { signDelivery } from "../outbound/sign-delivery.ts";
import { type AttemptId, type DeliveryId, newId, type OrgId } from "../shared/ids.ts";
import { type Attempted, errorOf, type Prepared, reportsGone } from "./delivery.ts";
import {
  beginAttempts,
  cancelDeliveries,
  type Due,
  insertAttempts,
  lockReady,
  type Ready,
  type SettledAttempt,
  type SettledDelivery,
  settleAttempts,
  settleDeliveries,
  settleSuccesses,
} from "./delivery-store.ts";
import { openSecret, type WebhookDeps } from "./endpoint.ts";
import { judgeEndpoints } from "./judge-endpoints.ts";
import { countAttempts } from "./statistics-store.ts";
import { type EndpointState, lockEndpointStates } from "./store.ts";

/**
 * Prepare → attempt → settle. Preparing and settling are transactions over a batch; the attempt (post-delivery.ts) runs outside them. Most
 * deliveries have an enabled endpoint and succeed: those of all organizations are prepared together, and settled together. The others, about
 * which something has to be decided, have transactions of their organization.
 */

export interface PreparedFor {
  readonly org: OrgId;
  readonly prepared: Prepared;
}

export interface PreparedTogether {
  readonly prepared: readonly PreparedFor[];
  /** those that `prepareAttempts` has to prepare */
  readonly left: readonly Due[];
}

/** Records the attempts before their requests are sent. */
export async function prepareTogether(deps: WebhookDeps, due: readonly Due[]): Promise<PreparedTogether> {
  const prepared = await deps.db.system(async (tx) => {
    const begun = await beginAttempts(tx, due);
    return begun.map((one) => ({ org: one.org_id, prepared: prepare(deps, one.org_id, one, one.attempt_id, tx.now) }));
  });
  const ids = new Set(prepared.map((one) => one.prepared.delivery_id));
  return { prepared, left: due.filter(({ delivery_id }) => !ids.has(delivery_id)) };
}

/**
 * The same for deliveries of one organization, with those of disabled endpoints, which are cancelled. Skips deliveries that were settled or
 * cancelled in the meantime.
 */
export async function prepareAttempts(deps: WebhookDeps, org: OrgId, delivery_ids: readonly DeliveryId[]): Promise<Prepared[]> {
  return deps.db.tx(org, async (tx) => {
    const ready = await lockReady(tx, org, delivery_ids);
    const disabled = ready.filter((one) => !one.enabled).map((one) => one.delivery_id);
    if (disabled.length > 0) await cancelDeliveries(tx, org, disabled);
    const prepared = ready.filter((one) => one.enabled).map((one) => prepare(deps, org, one, newId("attempt", tx.now.getTime()), tx.now));
    if (prepared.length > 0) {
      await insertAttempts(
        tx,
        org,
        prepared.map(({ attempt_id, delivery_id, event_id, post }) => ({ attempt_id, delivery_id, event_id, url: post.url })),
      );
    }
    return prepared;
  });
}

function prepare(deps: WebhookDeps, org: OrgId, ready: Omit<Ready, "enabled">, attempt_id: AttemptId, now: Date): Prepared {
  const { delivery_id, endpoint_id, event_id, run, failures, url, body } = ready;
  const sealed = [ready.secret_enc, ready.previous_secret_enc].filter((one) => one !== null);
  const secrets = sealed.map((one) => openSecret(deps, org, endpoint_id, one));
  const headers = {
    "content-type": "application/json",
    "user-agent": `Countersign-Webhooks/${deps.version}`,
    ...signDelivery(secrets, event_id, now, body),
  };
  return { attempt_id, delivery_id, endpoint_id, event_id, run, failures, post: { url, headers, body } };
}

export interface AttemptedFor {
  readonly org: OrgId;
  readonly attempted: Attempted;
}

export const isSuccess = ({ outcome }: Attempted): boolean => errorOf(outcome) === null;

/** Settles attempts that succeeded, of any organizations. Returns those that `settle` has to settle. */
export async function settleTogether(deps: WebhookDeps, batch: readonly AttemptedFor[]): Promise<Set<AttemptId>> {
  const succeeded = batch.flatMap(({ org, attempted: { prepared, outcome } }) => {
    if (outcome.kind !== "answered") return [];
    const { attempt_id, delivery_id, endpoint_id, event_id, run, failures, post } = prepared;
    const { code, body, body_truncated, duration_ms } = outcome;
    const response = { response_code: code, response_body: body, response_body_truncated: body_truncated, duration_ms };
    return [{ org_id: org, attempt_id, delivery_id, endpoint_id, event_id, run, failures, url: post.url, ...response }];
  });
  return deps.db.system((tx) => settleSuccesses(tx, succeeded));
}

/** Does nothing for attempts that were already settled or that another worker has taken over. */
export async function settle(deps: WebhookDeps, org: OrgId, attempted: readonly Attempted[]): Promise<void> {
  await deps.db.tx(org, async (tx) => {
    const endpoint_ids = [...new Set(attempted.map(({ prepared }) => prepared.endpoint_id))];
    const endpoints = await lockEndpointStates(tx, org, endpoint_ids);
    const results = attempted.map((one) => resultOf(deps, one, isGone(endpoints, one), tx.now));
    const attempts = results.map(({ attempt }) => attempt);
    const settled = await settleAttempts(tx, org, attempts);
    const counted = results.filter(({ attempt }) => settled.has(attempt.attempt_id));
    if (counted.length === 0) return;
    await settleDeliveries(
      tx,
      org,
      counted.map(({ delivery }) => delivery),
    );
    const outcomes = attempted.filter(({ prepared }) => settled.has(prepared.attempt_id));
    await countAttempts(tx, org, outcomes);
    await judgeEndpoints(deps, tx, org, endpoints, outcomes);
  });
}

/** Only if the endpoint still has the URL that responded. */
function isGone(endpoints: readonly EndpointState[], { prepared, outcome }: Attempted): boolean {
  return (
    reportsGone(outcome) && endpoints.some(({ endpoint_id, url }) => endpoint_id === prepared.endpoint_id && url === prepared.post.url)
  );
}

function resultOf(
  deps: WebhookDeps,
  { prepared, outcome }: Attempted,
  gone: boolean,
  now: Date,
): { attempt: SettledAttempt; delivery: SettledDelivery } {
  const { attempt_id, delivery_id, event_id, run } = prepared;
  const error = errorOf(outcome);
  // An attempt that we aborted is not the receiver's failure: it is repeated, and the schedule does not advance.
  const failures = error === null || error === "interrupted" ? prepared.failures : prepared.failures + 1;
  const delay = error === "interrupted" ? 0 : retryDelay(deps.retrySchedule, failures, outcome, Math.random());
  const next = error === null || gone || delay === null ? null : new Date(now.getTime() + delay * 1000);
  const answered = outcome.kind === "answered" ? outcome : null;
  return {
    attempt: {
      attempt_id,
      event_id,
      status: error === null ? "succeeded" : "failed",
      error,
      response_code: answered?.code ?? null,
      response_body: answered?.body ?? null,
      response_body_truncated: answered?.body_truncated ?? false,
      duration_ms: outcome.duration_ms,
      next_retry_at: next,
    },
    delivery: {
      delivery_id,
      event_id,
      run,
      status: error === null ? "succeeded" : next === null ? "failed" : "pending",
      failures,
      next_attempt_at: next,
    },
  };
}
