import type {
  WebhookAttemptError,
  WebhookAttemptTrigger,
  WebhookDeliveryStatus,
  WebhookDisabledReason,
  WebhookEndpoint,
} from "@countersign/client/types";
import { Chip, type Tone } from "../parts/chip.tsx";
import { When } from "../parts/when.tsx";

const shown: Record<WebhookDeliveryStatus, readonly [Tone, string]> = {
  pending: ["waiting", "On its way"],
  succeeded: ["good", "Delivered"],
  failed: ["bad", "Failed"],
  cancelled: ["plain", "Not sent"],
};

export const deliveryWords = (status: WebhookDeliveryStatus): string => shown[status][1];

export function DeliveryChip({ status }: { status: WebhookDeliveryStatus }) {
  const [tone, words] = shown[status];
  return <Chip tone={tone}>{words}</Chip>;
}

/** docs/webhooks.md */
export const errorWords: Record<WebhookAttemptError, string> = {
  timeout: "No connection within 5 seconds, or no answer within 15.",
  dns_error: "The name in the URL has no address.",
  connection_error: "The connection was refused or reset, or something else than HTTP answered.",
  tls_error: "The receiver's TLS certificate does not hold, or it speaks no TLS.",
  blocked_address: "The name leads to an address that deliveries may not go to.",
  redirect: "The receiver answered with a redirect. Redirects are not followed.",
  http_error: "The receiver answered with something else than 200 to 299.",
  endpoint_disabled: "Not sent: the endpoint was disabled.",
  interrupted: "Our worker ended in the middle. The attempt is made again and does not count against the receiver.",
};

export const triggerWords: Record<WebhookAttemptTrigger, string> = {
  event: "the event itself",
  retry: "a retry",
  replay: "a replay",
  test: "a test",
};

const disabledWords: Record<WebhookDisabledReason, string> = {
  manual: "Somebody here disabled it.",
  gone: "The receiver answered 410 Gone, so it was disabled.",
  failing: "It failed for days without a single success, so it was disabled.",
};

export const reasonOf = ({ disabled_reason }: WebhookEndpoint): string => (disabled_reason === null ? "" : disabledWords[disabled_reason]);

export function Health({ of }: { of: WebhookEndpoint }) {
  if (!of.enabled) return <Chip tone={of.disabled_reason === "manual" ? "plain" : "bad"}>Disabled</Chip>;
  return of.failing_since === null ? <Chip tone="good">Enabled</Chip> : <Chip tone="bad">Failing</Chip>;
}

/** What is not well with it, in a sentence; nothing when all is. */
export function Ailment({ of }: { of: WebhookEndpoint }) {
  if (!of.enabled) {
    return (
      <p class="notice">
        {reasonOf(of)} <When at={of.disabled_at} otherwise="" /> Events are kept meanwhile: enable it, then replay what was not sent.
      </p>
    );
  }
  if (of.failing_since === null) return null;
  return (
    <p class="notice bad">
      Every attempt has failed since <When at={of.failing_since} />. After five days without a single success the endpoint is disabled.
    </p>
  );
}

export const eventsWords = (types: readonly string[]): string => {
  if (types.length === 0 || types.includes("*")) return "all events";
  return types.length <= 2 ? types.join(", ") : `${types.length} kinds of events`;
};

/** What people recognize it by. */
export const nameOf = ({ description, url }: Pick<WebhookEndpoint, "description" | "url">): string =>
  description ?? url.replace(/^https?:\/\//, "");
