import type { Jobs } from "../jobs/catalogue.ts";
import { newId, type OrgId } from "../shared/ids.ts";
import { insertDeliveries, listSubscribers, lockEventsToFanOut, markFannedOut } from "./delivery-store.ts";
import type { WebhookDeps } from "./endpoint.ts";
import { isWanted } from "./event-filter.ts";

// Per transaction. With all 20 endpoints these are 2,000 deliveries.
const EVENTS_AT_ONCE = 100;

/**
 * Creates one delivery for each endpoint that wants an event. Handles all waiting events of the organization, so a second run finds none.
 */
export async function fanOut(deps: WebhookDeps, { org_id }: Jobs["webhooks.fan-out"]): Promise<void> {
  while ((await fanOutSome(deps, org_id)) === EVENTS_AT_ONCE);
}

/**
 * Disabled endpoints get deliveries too: the worker that takes one finds the endpoint disabled and records the delivery as cancelled, so
 * that a replay of the range recovers it.
 */
async function fanOutSome(deps: WebhookDeps, org: OrgId): Promise<number> {
  return deps.db.tx(org, async (tx) => {
    const events = await lockEventsToFanOut(tx, org, EVENTS_AT_ONCE);
    if (events.length === 0) return 0;
    const subscribers = await listSubscribers(tx, org);
    const deliveries = events.flatMap(({ event_id, event_type, occurred_at }) =>
      subscribers
        // An endpoint does not receive events from before it was created.
        .filter(({ event_types, created_at }) => created_at <= occurred_at && isWanted(event_types, event_type))
        .map(({ endpoint_id }) => ({ delivery_id: newId("delivery", tx.now.getTime()), event_id, endpoint_id })),
    );
    if (deliveries.length > 0) await insertDeliveries(tx, org, deliveries);
    await markFannedOut(
      tx,
      org,
      events.map((event) => event.event_id),
    );
    return events.length;
  });
}
