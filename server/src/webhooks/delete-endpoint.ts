import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { EndpointId } from "../shared/ids.ts";
import { cancelPending } from "./delivery-store.ts";
import type { WebhookDeps } from "./endpoint.ts";
import { lockEndpoint, markDeleted } from "./store.ts";

/** Its deliveries can still be read by id until they are deleted. */
export async function deleteEndpoint(deps: WebhookDeps, caller: Caller, endpoint_id: EndpointId): Promise<void> {
  await deps.db.tx(caller.org, async (tx) => {
    await lockEndpoint(tx, caller.org, endpoint_id);
    await markDeleted(tx, caller.org, endpoint_id);
    await cancelPending(tx, caller.org, endpoint_id);
    await appendAudit(tx, caller.org, { type: "endpoint.deleted", by: caller, data: { endpoint_id } });
  });
}
