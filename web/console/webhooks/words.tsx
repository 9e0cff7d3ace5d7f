import type { WebhookDeliveryStatus, WebhookDeliveryWithPayload, WebhookEndpoint } from "@countersign/client/types";
import { Chip, type Tone } from "../parts/chip.tsx";
import { When } from "../parts/when.tsx";
import { en as words } from "../words/webhooks/en.ts";

const tones: Record<WebhookDeliveryStatus, Tone> = { pending: "waiting", succeeded: "good", failed: "bad", cancelled: "plain" };

export const deliveryWords = (status: WebhookDeliveryStatus): string => words.delivery.states[status];

export function DeliveryChip({ status }: { status: WebhookDeliveryStatus }) {
  return <Chip tone={tones[status]}>{deliveryWords(status)}</Chip>;
}

/** A delivery with all its attempts: one that failed and will be tried again is not merely pending. */
export function DeliveryState({ of }: { of: Pick<WebhookDeliveryWithPayload, "status" | "attempts"> }) {
  // A replay starts again: attempts before it say nothing about it.
  const replayed = of.attempts.findIndex(({ trigger }) => trigger === "replay");
  const run = replayed === -1 ? of.attempts : of.attempts.slice(0, replayed + 1);
  const failed = run.filter(({ status }) => status === "failed").length;
  if (of.status !== "pending" || failed === 0) return <DeliveryChip status={of.status} />;
  return <Chip tone="bad">{words.delivery.failed(failed)}</Chip>;
}

const reasonOf = ({ disabled_reason }: WebhookEndpoint): string => (disabled_reason === null ? "" : words.health.reasons[disabled_reason]);

export function Health({ of }: { of: WebhookEndpoint }) {
  if (!of.enabled) return <Chip tone={of.disabled_reason === "manual" ? "plain" : "bad"}>{words.health.disabled}</Chip>;
  return of.failing_since === null ? <Chip tone="good">{words.health.enabled}</Chip> : <Chip tone="bad">{words.health.failing}</Chip>;
}

/** Why the endpoint is disabled or failing; nothing while it works. */
export function HealthNotice({ of }: { of: WebhookEndpoint }) {
  if (!of.enabled) {
    return (
      <p class="notice">
        {reasonOf(of)} <When at={of.disabled_at} otherwise="" />
        {words.health.kept}
      </p>
    );
  }
  if (of.failing_since === null) return null;
  return (
    <p class="notice bad">
      {words.health.failed[0]}
      <When at={of.failing_since} />
      {words.health.failed[1]}
    </p>
  );
}

export const eventsWords = (types: readonly string[]): string => {
  if (types.length === 0 || types.includes("*")) return words.allEvents;
  return types.length <= 2 ? types.join(", ") : words.eventCount(types.length);
};

/** The description, or the URL without its scheme. */
export const nameOf = ({ description, url }: Pick<WebhookEndpoint, "description" | "url">): string =>
  description ?? url.replace(/^https?:\/\//, "");
