import { appendAudit } from "../audit/append-audit.ts";
import { faultOfUrl } from "../outbound/fault-of-url.ts";
import { newSecret } from "../outbound/sign-delivery.ts";
import type { Caller } from "../shared/caller.ts";
import { newId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { MAX_ENDPOINTS, sealSecret, type WebhookDeps, type WebhookEndpoint } from "./endpoint.ts";
import { parseFilter } from "./event-filter.ts";
import { countForAdding, findEndpoint, insertEndpoint } from "./store.ts";

export interface EndpointInput {
  readonly url: string;
  readonly description?: string | null | undefined;
  readonly event_types?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
}

/** Only this response shows the secret without an audit entry of its own. */
export async function createEndpoint(
  deps: WebhookDeps,
  caller: Caller,
  input: EndpointInput,
): Promise<WebhookEndpoint & { secret: string }> {
  refuseUrl(deps, input.url);
  const { url, description = null, enabled = true } = input;
  const event_types = parseFilter(input.event_types);
  const secret = newSecret();
  return deps.db.tx(caller.org, async (tx) => {
    if ((await countForAdding(tx, caller.org)) >= MAX_ENDPOINTS) throw new Problem("too_many_endpoints");
    const endpoint_id = newId("endpoint", tx.now.getTime());
    const sealed = sealSecret(deps, caller.org, endpoint_id, secret);
    await insertEndpoint(tx, caller.org, { endpoint_id, url, description, event_types, enabled }, sealed);
    await appendAudit(tx, caller.org, {
      type: "endpoint.created",
      by: caller,
      data: { endpoint_id, host: new URL(url).host, event_types, enabled },
    });
    return { ...(await findEndpoint(tx, caller.org, endpoint_id)), secret };
  });
}

export function refuseUrl(deps: WebhookDeps, url: string): void {
  const fault = faultOfUrl(deps.fence, url);
  if (fault !== null) throw invalidField("url", "invalid_value", fault);
}
