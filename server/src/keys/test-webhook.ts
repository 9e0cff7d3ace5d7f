import { appendAudit } from "../audit/append-audit.ts";
import { appendEvent } from "../events/append-event.ts";
import type { Caller } from "../shared/caller.ts";
import type { EventId, KeyId } from "../shared/ids.ts";
import type { KeyDeps } from "./key.ts";
import { lockActiveKey } from "./store.ts";

export interface TestedWebhook {
  readonly event_id: EventId;
  readonly endpoints: number;
}

/** Sends `webhook.test` to every enabled endpoint of the org, because endpoints belong to the org, not to the key. */
export async function testWebhook(deps: KeyDeps, caller: Caller, key_id: KeyId): Promise<TestedWebhook> {
  return deps.db.tx(caller.org, async (tx) => {
    const { partner_name } = await lockActiveKey(tx, caller.org, key_id);
    const message = `Test event requested for key ${key_id} (${partner_name})`;
    const event_id = await appendEvent(tx, caller.org, { type: "webhook.test", envelope_id: null, data: { message } });
    await appendAudit(tx, caller.org, { type: "key.webhook_tested", by: caller, data: { key_id, event_id } });
    return { event_id, endpoints: await deps.countEndpoints(tx, caller.org, "webhook.test") };
  });
}
