import type { DisabledReason } from "./endpoint.ts";
import type { EndpointState } from "./store.ts";

/** Messages about webhook endpoints. A URL can contain a token, so only its host is named. */
interface Words {
  readonly subject: string;
  readonly text: string;
}

export function failingMail({ endpoint_id, url }: EndpointState): Words {
  const { host } = new URL(url);
  return {
    subject: `Webhooks to ${host} have been failing for 24 hours`,
    text: `Every delivery to the webhook endpoint ${endpoint_id} at ${host} has failed for 24 hours. Each delivery is attempted ten times over about three days.\n\nAfter 120 hours of failures the endpoint is disabled. The endpoint's list of deliveries shows the responses.\n`,
  };
}

const because: Record<Exclude<DisabledReason, "manual">, string> = {
  gone: "The receiver answered 410 Gone.",
  failing: "Every delivery has failed for 120 hours.",
};

export function disabledMail({ endpoint_id, url }: EndpointState, reason: Exclude<DisabledReason, "manual">): Words {
  const { host } = new URL(url);
  return {
    subject: `Webhooks to ${host} are disabled`,
    text: `The webhook endpoint ${endpoint_id} at ${host} was disabled. ${because[reason]}\n\nWhen the receiver works again, enable the endpoint and replay the events that it missed. Events are still recorded while it is disabled.\n`,
  };
}
