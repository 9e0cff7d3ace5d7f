import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { DeliveryId, EndpointId, OrgId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import type { Delivery, Status } from "./delivery.ts";
import { countMatching, findDelivery, type Range, type Replayed, restartDelivery, restartRange } from "./delivery-store.ts";
import type { WebhookDeps, WebhookEndpoint } from "./endpoint.ts";
import { parseFilter, wantedNames } from "./event-filter.ts";
import { findEndpoint, lockEndpoint, lockEndpointStates } from "./store.ts";

/** Sends the same event and bytes again, with a new timestamp and signature, and a new schedule. */
export async function replayDelivery(deps: WebhookDeps, caller: Caller, delivery_id: DeliveryId): Promise<Delivery> {
  return deps.db.tx(caller.org, async (tx) => {
    const { endpoint_id } = await findDelivery(tx, caller.org, delivery_id);
    await lockEnabled(tx, caller.org, endpoint_id);
    await restartDelivery(tx, caller.org, delivery_id);
    await appendAudit(tx, caller.org, { type: "endpoint.replayed", by: caller, data: { endpoint_id, delivery_id } });
    return findDelivery(tx, caller.org, delivery_id);
  });
}

/** A delivery outlives its endpoint, so the endpoint may be deleted. */
async function lockEnabled(tx: Tx, org: OrgId, endpoint_id: EndpointId): Promise<void> {
  const [endpoint] = await lockEndpointStates(tx, org, [endpoint_id]);
  if (endpoint?.deleted_at !== null) throw new Problem("endpoint_deleted");
  if (!endpoint.enabled) throw new Problem("endpoint_disabled");
}

export interface RangeInput {
  readonly since: Date;
  readonly until?: Date | undefined;
  readonly status?: Exclude<Status, "pending"> | undefined;
  readonly event_types?: readonly string[] | undefined;
  readonly after?: DeliveryId | undefined;
}

// More at once would lock the endpoint's row for seconds. The next call continues after the last one.
const MAX_REPLAYED = 10_000;
/** The default. Pending deliveries need no replay. */
const NOT_ARRIVED: readonly Status[] = ["failed", "cancelled"];

export async function replayRange(deps: WebhookDeps, caller: Caller, endpoint_id: EndpointId, input: RangeInput): Promise<Replayed> {
  const range = rangeOf(input);
  return deps.db.tx(caller.org, async (tx) => {
    requireEnabled(await lockEndpoint(tx, caller.org, endpoint_id));
    const replayed = await restartRange(tx, caller.org, endpoint_id, range, MAX_REPLAYED);
    const { since, until, after } = range;
    const { matched, queued } = replayed;
    await appendAudit(tx, caller.org, {
      type: "endpoint.replayed",
      by: caller,
      data: { endpoint_id, since: since.toISOString(), until: until?.toISOString() ?? null, after, matched, queued },
    });
    return replayed;
  });
}

/** Counts what a replay would find, and is refused where a replay would be. Changes and records nothing. */
export async function countRange(deps: WebhookDeps, caller: Caller, endpoint_id: EndpointId, input: RangeInput): Promise<Replayed> {
  const range = rangeOf(input);
  return deps.db.tx(caller.org, async (tx) => {
    requireEnabled(await findEndpoint(tx, caller.org, endpoint_id));
    return { matched: await countMatching(tx, caller.org, endpoint_id, range), queued: 0, next_after: null };
  });
}

function rangeOf(input: RangeInput): Range {
  const event_types = wantedNames(parseFilter(input.event_types));
  const { since, until = null, after = null } = input;
  if (until !== null && until < since) throw invalidField("until", "out_of_range", "must not be earlier than since");
  return { since, until, statuses: input.status === undefined ? NOT_ARRIVED : [input.status], event_types, after };
}

function requireEnabled({ enabled }: WebhookEndpoint): void {
  if (!enabled) throw new Problem("endpoint_disabled");
}
