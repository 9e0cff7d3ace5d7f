import { Type } from "typebox";
import { eventTypes } from "../events/catalogue.ts";
import { type Endpoint, endpoint, listing, reading } from "../http/endpoint.ts";
import { idOf, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { lastDays } from "../shared/days.ts";
import type { DeliveryId } from "../shared/ids.ts";
import { countOfEndpoint } from "./count-attempts.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { deleteEndpoint } from "./delete-endpoint.ts";
import { attemptErrors, statuses, triggers } from "./delivery.ts";
import { DEFAULT_OVERLAP_SECONDS, disabledReasons, MAX_OVERLAP_SECONDS, type WebhookDeps } from "./endpoint.ts";
import { MAX_URL_LENGTH } from "./endpoint-url.ts";
import {
  presentAttempt,
  presentDelivery,
  presentEndpoint,
  presentNewEndpoint,
  presentRotated,
  presentStatistics,
  presentWithPayload,
} from "./present.ts";
import { countRange, replayDelivery, replayRange } from "./replay.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { showSecret } from "./show-secret.ts";
import { findEndpoint, listEndpoints } from "./store.ts";
import { findDeliveryWithPayload, listAttempts } from "./store-deliveries.ts";
import { testEndpoint } from "./test-endpoint.ts";
import { updateEndpointDetails } from "./update-endpoint.ts";

const Text = nullable(Type.String());
const EventTypes = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 50,
  description: "Names, or all of one kind as `vault.*`. Absent, empty or `*`: every event.",
});
const wish = {
  url: Type.String({ minLength: 1, maxLength: MAX_URL_LENGTH }),
  description: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], maxLength: 500 })),
  event_types: Type.Optional(EventTypes),
  enabled: Type.Optional(Type.Boolean()),
};
const Secret = Type.String({ pattern: "^whsec_[A-Za-z0-9+/]{43}=$" });

const endpointView = {
  endpoint_id: idOf("endpoint"),
  url: Type.String(),
  description: Text,
  event_types: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  disabled_reason: nullable(Type.Enum([...disabledReasons])),
  disabled_at: OptionalTimestamp,
  failing_since: OptionalTimestamp,
  last_success_at: OptionalTimestamp,
  secret_rotated_at: OptionalTimestamp,
  previous_secret_expires_at: OptionalTimestamp,
  created_at: Timestamp,
  updated_at: Timestamp,
};
const EndpointView = Type.Object(endpointView);

const attemptView = {
  attempt_id: idOf("attempt"),
  delivery_id: idOf("delivery"),
  endpoint_id: idOf("endpoint"),
  event_id: idOf("event"),
  event_type: Type.String(),
  envelope_id: nullable(idOf("envelope")),
  status: Type.Enum([...statuses]),
  response_code: nullable(Type.Integer()),
  response_body: Text,
  response_body_truncated: Type.Boolean(),
  attempt_count: Type.Integer(),
  duration_ms: nullable(Type.Integer()),
  next_retry_at: OptionalTimestamp,
  error: nullable(Type.Enum([...attemptErrors])),
  trigger: Type.Enum([...triggers]),
  url: Type.String(),
  created_at: Timestamp,
  attempted_at: OptionalTimestamp,
};
const AttemptView = Type.Object(attemptView);
const AttemptWithRequest = Type.Object({
  ...attemptView,
  request: nullable(
    Type.Object(
      { method: Type.Literal("POST"), headers: Type.Record(Type.String(), Type.String()) },
      { description: "What is on record of the request: not its signature, nor its user agent. Null when none was sent" },
    ),
  ),
});
const deliveryView = {
  delivery_id: idOf("delivery"),
  endpoint_id: idOf("endpoint"),
  event_id: idOf("event"),
  event_type: Type.String(),
  envelope_id: nullable(idOf("envelope")),
  status: Type.Enum([...statuses]),
  attempt_count: Type.Integer(),
  next_attempt_at: OptionalTimestamp,
  created_at: Timestamp,
};
const FreeObject = Type.Object({}, { additionalProperties: true });
const PayloadText = Type.String({ description: "The bytes of every attempt, as text" });

const Count = Type.Integer({ minimum: 0 });
const Milliseconds = nullable(Count);
const StatisticsView = Type.Object({
  endpoint_id: idOf("endpoint"),
  days: Type.Array(
    Type.Object({ day: Type.String({ format: "date" }), succeeded: Count, failed: Count, p50_ms: Milliseconds, p95_ms: Milliseconds }),
    { description: "Of UTC, oldest first, today the last: attempts that ended" },
  ),
  succeeded: Count,
  failed: Count,
  success_rate: nullable(Type.Number({ minimum: 0, maximum: 1 })),
});

const mayRead = { anyScope: ["webhooks:read"] } as const;
const mayWrite = { anyScope: ["webhooks:write"] } as const;
const oneEndpoint = { params: { endpoint_id: "endpoint" }, missing: "endpoint_not_found" } as const;
const oneDelivery = { params: { delivery_id: "delivery" }, missing: "delivery_not_found" } as const;

const example = {
  url: "https://example.com/countersign",
  description: "Contracts",
  event_types: ["envelope.*", "vault.stored"],
  enabled: true,
};

const statisticsExample = {
  endpoint_id: "we_01h2xcejqtf2nbrexx3vqjhp41",
  days: [
    { day: "2026-01-04", succeeded: 0, failed: 0, p50_ms: null, p95_ms: null },
    { day: "2026-01-05", succeeded: 117, failed: 3, p50_ms: 84, p95_ms: 412 },
  ],
  succeeded: 117,
  failed: 3,
  success_rate: 0.975,
};

// Two weeks show whether a receiver got worse; attempts are kept for a month unless the installation says otherwise.
const DEFAULT_DAYS = 14;
const MAX_DAYS = 90;

/** Endpoints and what is delivered to them: keys with a scope, or the console. */
export function webhookEndpoints(deps: WebhookDeps): Endpoint[] {
  return [
    endpoint({
      name: "create_endpoint",
      summary: "Create a webhook endpoint; the answer shows the secret that its deliveries are signed with",
      method: "POST",
      path: "/webhooks/endpoints",
      access: mayWrite,
      body: Type.Object(wish),
      answer: [201, Type.Object({ ...endpointView, secret: Secret })],
      problems: ["too_many_endpoints"],
      secret: true,
      examples: { request: example },
      run: async (caller, { body }) => presentNewEndpoint(await createEndpoint(deps, caller, body)),
    }),
    listing({
      name: "list_endpoints",
      summary: "All webhook endpoints of the organization, without secrets",
      path: "/webhooks/endpoints",
      access: mayRead,
      item: EndpointView,
      run: async (caller, page, read) => {
        const { items, total } = await listEndpoints(read, caller.org, page);
        return { items: items.map(presentEndpoint), total };
      },
    }),
    reading({
      name: "get_endpoint",
      summary: "One webhook endpoint, without its secret",
      path: "/webhooks/endpoints/:endpoint_id",
      access: mayRead,
      ...oneEndpoint,
      answer: [200, EndpointView],
      run: async (caller, { params }, read) => presentEndpoint(await findEndpoint(read, caller.org, params.endpoint_id)),
    }),
    reading({
      name: "get_endpoint_statistics",
      summary: "How attempts to deliver to this endpoint ended, day by day, and how long they took",
      path: "/webhooks/endpoints/:endpoint_id/statistics",
      access: mayRead,
      ...oneEndpoint,
      query: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DAYS, default: DEFAULT_DAYS })) }),
      answer: [200, StatisticsView],
      examples: { answer: statisticsExample },
      run: async (caller, { params, query }, read) => {
        const { endpoint_id } = await findEndpoint(read, caller.org, params.endpoint_id);
        const span = lastDays(query.days ?? DEFAULT_DAYS, Date.now());
        return presentStatistics(endpoint_id, await countOfEndpoint(read, caller.org, endpoint_id, span));
      },
    }),
    endpoint({
      name: "update_endpoint",
      summary: "Change what is named; enabling an endpoint forgives its failures",
      method: "PATCH",
      path: "/webhooks/endpoints/:endpoint_id",
      access: mayWrite,
      ...oneEndpoint,
      body: Type.Partial(Type.Object(wish)),
      answer: [200, EndpointView],
      examples: { request: { enabled: false } },
      run: async (caller, { params, body }) => presentEndpoint(await updateEndpointDetails(deps, caller, params.endpoint_id, body)),
    }),
    endpoint({
      name: "delete_endpoint",
      summary: "Delete an endpoint; what waits for it is cancelled",
      method: "DELETE",
      path: "/webhooks/endpoints/:endpoint_id",
      access: mayWrite,
      ...oneEndpoint,
      answer: [200, Type.Object({ endpoint_id: idOf("endpoint"), deleted: Type.Literal(true) })],
      run: async (caller, { params }) => {
        await deleteEndpoint(deps, caller, params.endpoint_id);
        return { endpoint_id: params.endpoint_id, deleted: true } as const;
      },
    }),
    reading({
      name: "get_endpoint_secret",
      summary: "The secret of an endpoint; the audit trail notes who looked",
      path: "/webhooks/endpoints/:endpoint_id/secret",
      access: { role: "admin" },
      ...oneEndpoint,
      answer: [200, Type.Object({ endpoint_id: idOf("endpoint"), secret: Secret })],
      run: async (admin, { params: { endpoint_id } }, read) => ({ endpoint_id, secret: await showSecret(deps, admin, endpoint_id, read) }),
    }),
    endpoint({
      name: "rotate_endpoint_secret",
      summary: "A new secret; deliveries are signed with the one before it too until the grace period ends",
      method: "POST",
      path: "/webhooks/endpoints/:endpoint_id/rotate-secret",
      access: mayWrite,
      ...oneEndpoint,
      body: Type.Object({ grace_period_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_OVERLAP_SECONDS })) }),
      answer: [200, Type.Object({ endpoint_id: idOf("endpoint"), secret: Secret, previous_secret_expires_at: OptionalTimestamp })],
      secret: true,
      run: async (caller, { params, body }) =>
        presentRotated(await rotateSecret(deps, caller, params.endpoint_id, body.grace_period_seconds ?? DEFAULT_OVERLAP_SECONDS)),
    }),
    endpoint({
      name: "test_endpoint",
      summary: "Send a webhook.test event to this endpoint, whatever it subscribes to",
      method: "POST",
      path: "/webhooks/endpoints/:endpoint_id/test",
      access: mayWrite,
      ...oneEndpoint,
      answer: [202, Type.Object({ endpoint_id: idOf("endpoint"), event_id: idOf("event"), delivery_id: idOf("delivery") })],
      problems: ["endpoint_disabled"],
      run: (caller, { params }) => testEndpoint(deps, caller, params.endpoint_id),
    }),
    listing({
      name: "list_deliveries",
      summary: "Every attempt to deliver to this endpoint, newest first",
      path: "/webhooks/endpoints/:endpoint_id/deliveries",
      access: mayRead,
      ...oneEndpoint,
      query: Type.Object({
        status: Type.Optional(Type.Enum([...statuses])),
        event_type: Type.Optional(Type.Enum(Object.keys(eventTypes))),
        event_id: Type.Optional(idOf("event")),
        since: Type.Optional(Timestamp),
        until: Type.Optional(Timestamp),
      }),
      item: AttemptView,
      run: async (caller, { params, query, page, limit }, read) => {
        const { endpoint_id } = await findEndpoint(read, caller.org, params.endpoint_id);
        const { since, until, ...filter } = query;
        const times = { since: since === undefined ? since : new Date(since), until: until === undefined ? until : new Date(until) };
        const { items, total } = await listAttempts(read, caller.org, endpoint_id, { ...filter, ...times }, { page, limit });
        return { items: items.map(presentAttempt), total };
      },
    }),
    reading({
      name: "get_delivery",
      summary: "One delivery with its payload and its attempts, newest first",
      path: "/webhooks/deliveries/:delivery_id",
      access: mayRead,
      ...oneDelivery,
      answer: [
        200,
        Type.Object({ ...deliveryView, payload: FreeObject, payload_text: PayloadText, attempts: Type.Array(AttemptWithRequest) }),
      ],
      run: async (caller, { params }, read) => presentWithPayload(await findDeliveryWithPayload(read, caller.org, params.delivery_id)),
    }),
    endpoint({
      name: "replay_delivery",
      summary: "Deliver the same event and bytes once more, signed anew",
      method: "POST",
      path: "/webhooks/deliveries/:delivery_id/replay",
      access: mayWrite,
      ...oneDelivery,
      answer: [202, Type.Object(deliveryView)],
      problems: ["endpoint_disabled", "endpoint_deleted"],
      run: async (caller, { params }) => presentDelivery(await replayDelivery(deps, caller, params.delivery_id)),
    }),
    endpoint({
      name: "replay_range",
      summary: "Deliver again what did not arrive at this endpoint in a span of time; 10,000 deliveries at most, the oldest first",
      method: "POST",
      path: "/webhooks/endpoints/:endpoint_id/replay",
      access: mayWrite,
      ...oneEndpoint,
      body: Type.Object({
        since: Timestamp,
        until: Type.Optional(Timestamp),
        status: Type.Optional(Type.Enum(["succeeded", "failed", "cancelled"], { description: "Absent: failed and cancelled" })),
        event_types: Type.Optional(EventTypes),
        dry_run: Type.Optional(Type.Boolean({ description: "Count what matches, and send nothing" })),
        after: Type.Optional(Type.String({ ...idOf("delivery"), description: "`next_after` of the call before: go on behind it" })),
      }),
      answer: [
        202,
        Type.Object({
          matched: Type.Integer({ description: "Deliveries in the range, from `after` on" }),
          queued: Type.Integer({ description: "Those that this call sends again" }),
          next_after: nullable(Type.String({ description: "Null when nothing is left; else call again with it as `after`" })),
        }),
      ],
      problems: ["endpoint_disabled"],
      examples: {
        request: { since: "2026-01-05T09:30:00.000Z", event_types: ["vault.*"] },
        answer: { matched: 12, queued: 12, next_after: null },
      },
      run: (caller, { params, body }) => {
        const { since, until, status, event_types, after, dry_run = false } = body;
        const times = { since: new Date(since), until: until === undefined ? undefined : new Date(until) };
        const wish = { ...times, status, event_types, after: after as DeliveryId | undefined };
        return (dry_run ? countRange : replayRange)(deps, caller, params.endpoint_id, wish);
      },
    }),
    listing({
      name: "list_event_types",
      summary: "Every event type, whether it is dispatched or reserved, and the JSON schema of its data",
      path: "/webhooks/event-types",
      access: mayRead,
      item: Type.Object({ event_type: Type.String(), status: Type.Enum(["dispatched", "reserved"]), schema: FreeObject }),
      run: async (_caller, { page, limit }) => {
        const all = Object.entries(eventTypes).map(([event_type, { dispatched, data }]) => ({
          event_type,
          status: dispatched ? ("dispatched" as const) : ("reserved" as const),
          schema: data as unknown as Record<string, unknown>,
        }));
        return { items: all.slice((page - 1) * limit, page * limit), total: all.length };
      },
    }),
  ];
}
