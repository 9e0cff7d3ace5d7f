import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { EndpointId } from "../shared/ids.ts";
import { type EndpointWish, refuseUrl } from "./create-endpoint.ts";
import { cancelPending } from "./delivery-store.ts";
import type { WebhookDeps, WebhookEndpoint } from "./endpoint.ts";
import { parseFilter } from "./event-filter.ts";
import { findEndpoint, forgiveFailures, lockEndpoint, updateEndpoint } from "./store.ts";

/** Changes the given members. A disabled endpoint gets nothing more; its pending deliveries are cancelled. */
export async function updateEndpointDetails(
  deps: WebhookDeps,
  caller: Caller,
  endpoint_id: EndpointId,
  wish: Partial<EndpointWish>,
  unchanged: (now: WebhookEndpoint) => void,
): Promise<WebhookEndpoint> {
  if (wish.url !== undefined) refuseUrl(deps, wish.url);
  const event_types = wish.event_types === undefined ? undefined : parseFilter(wish.event_types);
  return deps.db.tx(caller.org, async (tx) => {
    const before = await lockEndpoint(tx, caller.org, endpoint_id);
    unchanged(before);
    const after = {
      endpoint_id,
      url: wish.url ?? before.url,
      description: wish.description === undefined ? before.description : wish.description,
      event_types: event_types ?? before.event_types,
      enabled: wish.enabled ?? before.enabled,
    };
    await updateEndpoint(tx, caller.org, after);
    // A new URL or re-enabling is a new start: earlier failures no longer count.
    if (wish.enabled === true || after.url !== before.url) await forgiveFailures(tx, caller.org, endpoint_id);
    if (before.enabled && !after.enabled) await cancelPending(tx, caller.org, endpoint_id);
    await appendAudit(tx, caller.org, {
      type: "endpoint.updated",
      by: caller,
      data: { endpoint_id, host: new URL(after.url).host, event_types: after.event_types, enabled: after.enabled },
    });
    return findEndpoint(tx, caller.org, endpoint_id);
  });
}
