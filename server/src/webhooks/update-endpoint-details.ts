import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { EndpointId } from "../shared/ids.ts";
import { type EndpointInput, refuseUrl } from "./create-endpoint.ts";
import { cancelPending } from "./delivery-store.ts";
import type { WebhookDeps, WebhookEndpoint } from "./endpoint.ts";
import { parseFilter } from "./event-filter.ts";
import { findEndpoint, lockEndpoint, resetFailures, updateEndpoint } from "./store.ts";

/** Changes the given members. A disabled endpoint gets nothing more; its pending deliveries are cancelled. */
export async function updateEndpointDetails(
  deps: WebhookDeps,
  caller: Caller,
  endpoint_id: EndpointId,
  input: Partial<EndpointInput>,
  unchanged: (now: WebhookEndpoint) => void,
): Promise<WebhookEndpoint> {
  if (input.url !== undefined) refuseUrl(deps, input.url);
  const event_types = input.event_types === undefined ? undefined : parseFilter(input.event_types);
  return deps.db.tx(caller.org, async (tx) => {
    const before = await lockEndpoint(tx, caller.org, endpoint_id);
    unchanged(before);
    const after = {
      endpoint_id,
      url: input.url ?? before.url,
      description: input.description === undefined ? before.description : input.description,
      event_types: event_types ?? before.event_types,
      enabled: input.enabled ?? before.enabled,
    };
    await updateEndpoint(tx, caller.org, after);
    // A new URL or re-enabling is a new start: earlier failures no longer count.
    if (input.enabled === true || after.url !== before.url) await resetFailures(tx, caller.org, endpoint_id);
    if (before.enabled && !after.enabled) await cancelPending(tx, caller.org, endpoint_id);
    await appendAudit(tx, caller.org, {
      type: "endpoint.updated",
      by: caller,
      data: { endpoint_id, host: new URL(after.url).host, event_types: after.event_types, enabled: after.enabled },
    });
    return findEndpoint(tx, caller.org, endpoint_id);
  });
}
