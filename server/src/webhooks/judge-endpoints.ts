import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { SYSTEM } from "../shared/caller.ts";
import type { EndpointId, OrgId } from "../shared/ids.ts";
import { type Attempted, errorOf, saysGone } from "./delivery.ts";
import type { DisabledReason } from "./endpoint.ts";
import { disabledMail, failingMail } from "./messages.ts";
import { type Fare, markDisabled, noteFailing, noteSuccess } from "./store.ts";
import { cancelPending } from "./store-deliveries.ts";

const HOUR_MS = 3_600_000;
// Longer than the whole schedule of one delivery, so an endpoint is never given up before its first event is.
const DISABLE_AFTER_MS = 120 * HOUR_MS;
const TELL_AFTER_MS = 24 * HOUR_MS;

/** What a batch of attempts says about its endpoints. The caller holds their locks. */
export async function judgeEndpoints(tx: Tx, org: OrgId, fares: readonly Fare[], attempted: readonly Attempted[]): Promise<void> {
  const succeeded: EndpointId[] = [];
  for (const fare of fares) {
    // What an old URL answered says nothing about the new one; and a disabled endpoint is judged already.
    const its = attempted.filter(({ prepared: { endpoint_id, post } }) => endpoint_id === fare.endpoint_id && post.url === fare.url);
    if (!fare.enabled || fare.deleted_at !== null || its.length === 0) continue;
    if (its.some(({ outcome }) => saysGone(outcome))) await disable(tx, org, fare, "gone");
    else if (its.some(({ outcome }) => errorOf(outcome) === null)) succeeded.push(fare.endpoint_id);
    else if (its.some(({ outcome }) => errorOf(outcome) !== "interrupted")) await noteFailure(tx, org, fare);
  }
  if (succeeded.length > 0) await noteSuccess(tx, org, succeeded);
}

async function noteFailure(tx: Tx, org: OrgId, fare: Fare): Promise<void> {
  const failing_ms = fare.failing_since === null ? 0 : tx.now.getTime() - fare.failing_since.getTime();
  if (failing_ms >= DISABLE_AFTER_MS) return disable(tx, org, fare, "failing");
  const tell = failing_ms >= TELL_AFTER_MS && fare.failing_told_at === null;
  if (tell) await enqueue(tx, "orgs.notify-admins", { org_id: org, kind: "endpoint_failing", ...failingMail(fare) });
  if (tell || fare.failing_since === null) await noteFailing(tx, org, fare.endpoint_id, tell);
}

async function disable(tx: Tx, org: OrgId, fare: Fare, reason: Exclude<DisabledReason, "manual">): Promise<void> {
  const { endpoint_id } = fare;
  await markDisabled(tx, org, endpoint_id, reason);
  await cancelPending(tx, org, endpoint_id);
  await appendAudit(tx, org, {
    type: "endpoint.disabled",
    by: { actor: SYSTEM, ip: "", user_agent: "", request_id: "" },
    data: { endpoint_id, reason },
  });
  await enqueue(tx, "orgs.notify-admins", { org_id: org, kind: "endpoint_disabled", ...disabledMail(fare, reason) });
}
