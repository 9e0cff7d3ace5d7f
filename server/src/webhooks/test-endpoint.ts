import { appendAudit } from "../audit/append-audit.ts";
import { appendEventFor } from "../events/append-event.ts";
import type { Caller } from "../shared/caller.ts";
import { type DeliveryId, type EndpointId, type EventId, newId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { insertDeliveries } from "./delivery-store.ts";
import type { WebhookDeps } from "./endpoint.ts";
import { lockEndpoint } from "./store.ts";

export interface Tested {
  readonly endpoint_id: EndpointId;
  readonly event_id: EventId;
  readonly delivery_id: DeliveryId;
}

/** Sends a `webhook.test` event to this endpoint only. */
export async function testEndpoint(deps: WebhookDeps, caller: Caller, endpoint_id: EndpointId): Promise<Tested> {
  return deps.db.tx(caller.org, async (tx) => {
    const { enabled } = await lockEndpoint(tx, caller.org, endpoint_id);
    if (!enabled) throw new Problem("endpoint_disabled");
    await appendAudit(tx, caller.org, { type: "endpoint.tested", by: caller, data: { endpoint_id } });
    const message = `Test event requested for endpoint ${endpoint_id}`;
    const event_id = await appendEventFor(tx, caller.org, { type: "webhook.test", envelope_id: null, data: { message } });
    const delivery_id = newId("delivery", tx.now.getTime());
    await insertDeliveries(tx, caller.org, [{ delivery_id, event_id, endpoint_id }]);
    return { endpoint_id, event_id, delivery_id };
  });
}
