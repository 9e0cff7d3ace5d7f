import type {
  WebhookAttemptError,
  WebhookAttemptTrigger,
  WebhookDeliveryStatus,
  WebhookDeliveryWithPayload,
  WebhookDisabledReason,
  WebhookEndpoint,
} from "@countersign/client/types";
import { Chip, type Tone } from "../parts/chip.tsx";
import { When } from "../parts/when.tsx";

const shown: Record<WebhookDeliveryStatus, readonly [Tone, string]> = {
  pending: ["waiting", "Pending"],
  succeeded: ["good", "Delivered"],
  failed: ["bad", "Failed"],
  cancelled: ["plain", "Not sent"],
};

export const deliveryWords = (status: WebhookDeliveryStatus): string => shown[status][1];

export function DeliveryChip({ status }: { status: WebhookDeliveryStatus }) {
  const [tone, words] = shown[status];
  return <Chip tone={tone}>{words}</Chip>;
}

/** A delivery with all its attempts: one that failed and will be tried again is not merely pending. */
export function DeliveryState({ of }: { of: Pick<WebhookDeliveryWithPayload, "status" | "attempts"> }) {
  // A replay starts again: attempts before it say nothing about it.
  const replayed = of.attempts.findIndex(({ trigger }) => trigger === "replay");
  const run = replayed === -1 ? of.attempts : of.attempts.slice(0, replayed + 1);
  const failed = run.filter(({ status }) => status === "failed").length;
  if (of.status !== "pending" || failed === 0) return <DeliveryChip status={of.status} />;
  return <Chip tone="bad">{failed === 1 ? "Failed once, will be tried again" : `Failed ${failed} times, will be tried again`}</Chip>;
}

/** docs/webhooks.md */
export const errorWords: Record<WebhookAttemptError, string> = {
  timeout: "No connection within 5 seconds, or no response within 15 seconds.",
  dns_error: "The host name in the URL could not be resolved.",
  connection_error: "The connection was refused or reset, or the response was not HTTP.",
  tls_error: "The receiver’s TLS certificate is not valid, or it does not support TLS.",
  blocked_address: "The host name resolves to an address that deliveries are not allowed to reach.",
  redirect: "The receiver responded with a redirect. Redirects are not followed.",
  http_error: "The receiver responded with a status other than 200 to 299.",
  endpoint_disabled: "Not sent because the endpoint was disabled.",
  interrupted: "Our worker stopped during the attempt. The attempt is repeated and does not count against the receiver.",
};

export const triggerWords: Record<WebhookAttemptTrigger, string> = {
  event: "the event",
  retry: "a retry",
  replay: "a replay",
  test: "a test",
};

const disabledWords: Record<WebhookDisabledReason, string> = {
  manual: "Disabled manually",
  gone: "Disabled because the receiver responded with 410 Gone",
  failing: "Disabled after failing for five days",
};

export const reasonOf = ({ disabled_reason }: WebhookEndpoint): string => (disabled_reason === null ? "" : disabledWords[disabled_reason]);

export function Health({ of }: { of: WebhookEndpoint }) {
  if (!of.enabled) return <Chip tone={of.disabled_reason === "manual" ? "plain" : "bad"}>Disabled</Chip>;
  return of.failing_since === null ? <Chip tone="good">Enabled</Chip> : <Chip tone="bad">Failing</Chip>;
}

/** Why the endpoint is disabled or failing; nothing while it works. */
export function HealthNotice({ of }: { of: WebhookEndpoint }) {
  if (!of.enabled) {
    return (
      <p class="notice">
        {reasonOf(of)} <When at={of.disabled_at} otherwise="" />. Events are kept. Enable the endpoint, then replay what was not sent.
      </p>
    );
  }
  if (of.failing_since === null) return null;
  return (
    <p class="notice bad">
      All attempts have failed since <When at={of.failing_since} />. After five days without a success the endpoint is disabled.
    </p>
  );
}

export const eventsWords = (types: readonly string[]): string => {
  if (types.length === 0 || types.includes("*")) return "all events";
  return types.length <= 2 ? types.join(", ") : `${types.length} event types`;
};

/** The description, or the URL without its scheme. */
export const nameOf = ({ description, url }: Pick<WebhookEndpoint, "description" | "url">): string =>
  description ?? url.replace(/^https?:\/\//, "");
