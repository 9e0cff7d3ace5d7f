import type { DisabledReason } from "./endpoint.ts";
import type { Fare } from "./store.ts";

/** The words of this feature's mail. A URL may hold a token, so only its host is told. */
interface Words {
  readonly subject: string;
  readonly text: string;
}

export function failingMail({ endpoint_id, url }: Fare): Words {
  const { host } = new URL(url);
  return {
    subject: `Webhooks to ${host} have been failing for 24 hours`,
    text: `Every delivery to the webhook endpoint ${endpoint_id} at ${host} has failed for 24 hours. Nothing is lost: each is tried ten times over about three days.\n\nIf it goes on for 120 hours in all, the endpoint is disabled. What the receiver answered is in the endpoint's list of deliveries.\n`,
  };
}

const because: Record<Exclude<DisabledReason, "manual">, string> = {
  gone: "The receiver answered 410 Gone, which says that it will not come back.",
  failing: "Every delivery has failed for 120 hours.",
};

export function disabledMail({ endpoint_id, url }: Fare, reason: Exclude<DisabledReason, "manual">): Words {
  const { host } = new URL(url);
  return {
    subject: `Webhooks to ${host} are disabled`,
    text: `The webhook endpoint ${endpoint_id} at ${host} was disabled. ${because[reason]}\n\nOnce the receiver works again, enable the endpoint and replay the time since; what happens meanwhile is recorded.\n`,
  };
}
