import { Type } from "typebox";
import { eventTypes } from "../events/catalogue.ts";
import { type Endpoint, endpoint, listing, reading } from "../http/endpoint.ts";
import { anyEventShape } from "../http/event-shapes.ts";
import { about, Day, ISO_TIME, idOf, named, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { MAX_URL_LENGTH } from "../outbound/fault-of-url.ts";
import { lastDays } from "../shared/days.ts";
import type { DeliveryId, EnvelopeId } from "../shared/ids.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { deleteEndpoint } from "./delete-endpoint.ts";
import { attemptErrors, statuses, triggers } from "./delivery.ts";
import { findDeliveryWithPayload, listAttempts } from "./delivery-store.ts";
import { DEFAULT_OVERLAP_SECONDS, disabledReasons, MAX_OVERLAP_SECONDS, type WebhookDeps } from "./endpoint.ts";
import { findEvent, listEvents } from "./event-store.ts";
import * as examples from "./examples.ts";
import {
  presentAttempt,
  presentDelivery,
  presentEndpoint,
  presentEvent,
  presentNewEndpoint,
  presentRotated,
  presentStatistics,
  presentWithPayload,
  presentWritten,
} from "./present.ts";
import { countRange, replayDelivery, replayRange } from "./replay.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { showSecret } from "./show-secret.ts";
import { countOfEndpoint } from "./statistics-store.ts";
import { findEndpoint, listEndpoints } from "./store.ts";
import { testEndpoint } from "./test-endpoint.ts";
import { updateEndpointDetails } from "./update-endpoint-details.ts";

const Text = nullable(Type.String());
const EventTypes = named(
  "EventTypeFilter",
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 50,
    description: "Event types, or all of one kind such as `vault.*`. Without it, or if it is empty or `*`, the endpoint gets every event",
  }),
);
const Status = named("WebhookDeliveryStatus", Type.Enum([...statuses]));
const endpointMembers = {
  url: Type.String({
    minLength: 1,
    maxLength: MAX_URL_LENGTH,
    description: "Must start with https://; http:// works only if the installation allows it",
  }),
  description: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], maxLength: 500 })),
  event_types: Type.Optional(EventTypes),
  enabled: Type.Optional(Type.Boolean()),
};
const Secret = named(
  "WebhookSecret",
  Type.String({
    pattern: "^whsec_[A-Za-z0-9+/]{43}=$",
    "x-message": "must be a webhook secret (whsec_…)",
    description: "Signs deliveries according to Standard Webhooks",
  }),
);

const endpointView = {
  endpoint_id: idOf("endpoint"),
  url: Type.String(),
  description: Text,
  event_types: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  disabled_reason: about(
    nullable(named("WebhookDisabledReason", Type.Enum([...disabledReasons]))),
    "`manual`: a caller disabled it. `gone`: it answered 410. `failing`: it failed for 120 hours",
  ),
  disabled_at: OptionalTimestamp,
  failing_since: about(OptionalTimestamp, "The first failed attempt after which none succeeded"),
  last_success_at: OptionalTimestamp,
  secret_rotated_at: OptionalTimestamp,
  previous_secret_expires_at: about(OptionalTimestamp, "Until this time, deliveries also have a signature with the previous secret"),
  created_at: Timestamp,
  updated_at: Timestamp,
};
const EndpointView = named("WebhookEndpoint", Type.Object(endpointView));
const Warning = named("WebhookEndpointWarning", Type.Object({ code: Type.Enum(["reserved_events_only"]), message: Type.String() }));
const written = {
  ...endpointView,
  warnings: Type.Optional(Type.Array(Warning, { description: "Only if there are warnings" })),
};

const attemptView = {
  attempt_id: idOf("attempt"),
  delivery_id: idOf("delivery"),
  endpoint_id: idOf("endpoint"),
  event_id: idOf("event"),
  event_type: Type.String(),
  envelope_id: nullable(idOf("envelope")),
  status: Status,
  response_code: nullable(Type.Integer()),
  response_body: about(Text, "The first 16 KB"),
  response_body_truncated: Type.Boolean(),
  attempt_count: Type.Integer({ description: "The number of this attempt within its delivery" }),
  duration_ms: nullable(Type.Integer()),
  next_retry_at: OptionalTimestamp,
  error: nullable(named("WebhookAttemptError", Type.Enum([...attemptErrors]))),
  trigger: named("WebhookAttemptTrigger", Type.Enum([...triggers])),
  url: Type.String(),
  created_at: Timestamp,
  attempted_at: about(OptionalTimestamp, "Null when no request was sent"),
};
const AttemptView = named("WebhookAttempt", Type.Object(attemptView));
const RequestOnRecord = named(
  "WebhookAttemptRequest",
  Type.Object({ method: Type.Literal("POST"), headers: Type.Record(Type.String(), Type.String()) }),
);
const AttemptWithRequest = named(
  "WebhookAttemptWithRequest",
  Type.Object({
    ...attemptView,
    request: about(
      nullable(RequestOnRecord),
      "The request as far as it is recorded, without its signature and user agent. Null when no request was sent",
    ),
  }),
);
const deliveryView = {
  delivery_id: idOf("delivery"),
  endpoint_id: idOf("endpoint"),
  event_id: idOf("event"),
  event_type: Type.String(),
  envelope_id: nullable(idOf("envelope")),
  status: Status,
  attempt_count: Type.Integer({ description: "Attempts so far" }),
  next_attempt_at: OptionalTimestamp,
  created_at: Timestamp,
};
const FreeObject = Type.Object({}, { additionalProperties: true });
const PayloadText = Type.String({ description: "The exact bytes that every attempt sends, as text. Signatures are calculated from them" });
const DeliveryView = named("WebhookDelivery", Type.Object(deliveryView));
const DeliveryWithPayload = named(
  "WebhookDeliveryWithPayload",
  Type.Object({
    ...deliveryView,
    payload: FreeObject,
    payload_text: PayloadText,
    attempts: Type.Array(AttemptWithRequest, { description: "The newest 200, newest first" }),
  }),
);
export const EventType = named("EventType", Type.Enum(Object.keys(eventTypes)));
const EventView = Type.Unsafe<Record<string, unknown>>(anyEventShape(eventTypes));
const DeletedView = named("DeletedWebhookEndpoint", Type.Object({ endpoint_id: idOf("endpoint"), deleted: Type.Literal(true) }));
const SecretView = named("WebhookEndpointSecret", Type.Object({ endpoint_id: idOf("endpoint"), secret: Secret }));
const RotatedView = named(
  "RotatedWebhookSecret",
  Type.Object({ endpoint_id: idOf("endpoint"), secret: Secret, previous_secret_expires_at: OptionalTimestamp }),
);
const TestedView = named(
  "WebhookEndpointTest",
  Type.Object({ endpoint_id: idOf("endpoint"), event_id: idOf("event"), delivery_id: idOf("delivery") }),
);
const ReplayView = named(
  "WebhookReplay",
  Type.Object({
    matched: Type.Integer({ description: "Deliveries in the range after `after`" }),
    queued: Type.Integer({ description: "Deliveries that this call sends again" }),
    next_after: about(nullable(idOf("delivery")), "Null when nothing is left. Otherwise call again with this value as `after`"),
  }),
);
const EventTypeView = named(
  "EventTypeDescription",
  Type.Object({
    event_type: Type.String(),
    status: named("EventTypeStatus", Type.Enum(["dispatched", "reserved"])),
    schema: about(FreeObject, "The JSON schema of the event's data"),
  }),
);

const Count = Type.Integer({ minimum: 0 });
const Milliseconds = nullable(Count);
const DayView = named(
  "WebhookEndpointDay",
  Type.Object({ day: Day, succeeded: Count, failed: Count, p50_ms: Milliseconds, p95_ms: Milliseconds }),
);
const StatisticsView = named(
  "WebhookEndpointStatistics",
  Type.Object({
    endpoint_id: idOf("endpoint"),
    days: Type.Array(DayView, { description: "Attempts that ended on each day in UTC, oldest first; today is the last" }),
    succeeded: Count,
    failed: Count,
    success_rate: about(nullable(Type.Number({ minimum: 0, maximum: 1 })), "Null when no attempt ended"),
  }),
);

const mayRead = { anyScope: ["webhooks:read"] } as const;
const mayWrite = { anyScope: ["webhooks:write"] } as const;
const oneEndpoint = { params: { endpoint_id: "endpoint" }, missing: "endpoint_not_found" } as const;
const oneDelivery = { params: { delivery_id: "delivery" }, missing: "delivery_not_found" } as const;

// Two weeks show whether a receiver got worse. Attempts are kept for a month by default.
const DEFAULT_DAYS = 14;
const MAX_DAYS = 90;

/** Endpoints and deliveries, for keys with a scope and for the console. */
export function webhookEndpoints(deps: WebhookDeps): Endpoint[] {
  return [
    endpoint({
      name: "create_endpoint",
      summary: "Create a webhook endpoint",
      description:
        "Registers a URL that receives the organization's events. The response contains the secret that signs deliveries; store it to verify signatures. Failed deliveries are retried on a schedule. An organization can have 20 endpoints.",
      resource: "Webhook endpoints",
      sdk: "webhookEndpoints.create",
      method: "POST",
      path: "/webhooks/endpoints",
      access: mayWrite,
      body: Type.Object(endpointMembers),
      answer: [201, named("WebhookEndpointWithSecret", Type.Object({ ...written, secret: Secret }))],
      problems: ["too_many_endpoints"],
      secret: true,
      examples: { request: examples.wanted, answer: examples.newEndpoint },
      run: async (caller, { body }) => presentNewEndpoint(await createEndpoint(deps, caller, body)),
    }),
    listing({
      name: "list_endpoints",
      summary: "List webhook endpoints",
      description: "Lists the webhook endpoints of the organization, newest first, without their secrets.",
      resource: "Webhook endpoints",
      sdk: "webhookEndpoints.list",
      path: "/webhooks/endpoints",
      access: mayRead,
      item: EndpointView,
      examples: { answer: examples.endpoint },
      run: async (caller, page, read) => {
        const { items, total } = await listEndpoints(read, caller.org, page);
        return { items: items.map(presentEndpoint), total };
      },
    }),
    reading({
      name: "get_endpoint",
      summary: "Get a webhook endpoint",
      description: "Returns one webhook endpoint without its secret. `failing_since` and `disabled_reason` show whether deliveries arrive.",
      resource: "Webhook endpoints",
      sdk: "webhookEndpoints.get",
      path: "/webhooks/endpoints/:endpoint_id",
      access: mayRead,
      ...oneEndpoint,
      answer: [200, EndpointView],
      examples: { answer: examples.endpoint },
      run: async (caller, { params }, read) => presentEndpoint(await findEndpoint(read, caller.org, params.endpoint_id)),
    }),
    reading({
      name: "get_endpoint_statistics",
      summary: "Get statistics of a webhook endpoint",
      description:
        "Returns the number of successful and failed attempts per day, including today, with the median and the 95th percentile of their duration. Counts are kept longer than deliveries; durations are null for days whose attempts have been deleted.",
      resource: "Webhook endpoints",
      sdk: "webhookEndpoints.getStatistics",
      path: "/webhooks/endpoints/:endpoint_id/statistics",
      access: mayRead,
      ...oneEndpoint,
      query: Type.Object({
        days: Type.Optional(
          Type.Integer({ minimum: 1, maximum: MAX_DAYS, default: DEFAULT_DAYS, description: "Number of days, including today" }),
        ),
      }),
      answer: [200, StatisticsView],
      examples: { answer: examples.statistics },
      run: async (caller, { params, query }, read) => {
        const { endpoint_id } = await findEndpoint(read, caller.org, params.endpoint_id);
        const span = lastDays(query.days ?? DEFAULT_DAYS, Date.now());
        return presentStatistics(endpoint_id, await countOfEndpoint(read, caller.org, endpoint_id, span));
      },
    }),
    endpoint({
      name: "update_endpoint",
      summary: "Update a webhook endpoint",
      description:
        "Changes the fields that you send; the others keep their values. Disabling an endpoint cancels its pending deliveries. Enabling it, or giving it a new URL, resets its failure history. To send missed events, use `POST /webhooks/endpoints/{endpoint_id}/replay`.",
      resource: "Webhook endpoints",
      sdk: "webhookEndpoints.update",
      method: "PATCH",
      path: "/webhooks/endpoints/:endpoint_id",
      access: mayWrite,
      ...oneEndpoint,
      body: Type.Partial(Type.Object(endpointMembers)),
      answer: [200, named("UpdatedWebhookEndpoint", Type.Object(written))],
      examples: { request: examples.change, answer: { ...examples.endpoint, ...examples.change } },
      ifMatch: true,
      run: async (caller, { params, body, unchanged }) =>
        presentWritten(await updateEndpointDetails(deps, caller, params.endpoint_id, body, (now) => unchanged(presentEndpoint(now)))),
    }),
    endpoint({
      name: "delete_endpoint",
      summary: "Delete a webhook endpoint",
      description:
        "Deletes an endpoint and cancels its pending deliveries. Past deliveries can still be read by their ID until they are erased, but not replayed.",
      resource: "Webhook endpoints",
      sdk: "webhookEndpoints.delete",
      method: "DELETE",
      path: "/webhooks/endpoints/:endpoint_id",
      access: mayWrite,
      ...oneEndpoint,
      answer: [200, DeletedView],
      examples: { answer: examples.deleted },
      run: async (caller, { params }) => {
        await deleteEndpoint(deps, caller, params.endpoint_id);
        return { endpoint_id: params.endpoint_id, deleted: true } as const;
      },
    }),
    reading({
      name: "get_endpoint_secret",
      summary: "Show the secret of a webhook endpoint",
      stepUp: true,
      description: "Returns the current secret of an endpoint. Only admins can call it, and each call is recorded in the audit trail.",
      resource: "Webhook endpoints",
      sdk: "webhookEndpoints.getSecret",
      path: "/webhooks/endpoints/:endpoint_id/secret",
      access: { permission: "webhooks:write" },
      ...oneEndpoint,
      answer: [200, SecretView],
      examples: { answer: examples.secret },
      run: async (admin, { params: { endpoint_id } }, read) => ({ endpoint_id, secret: await showSecret(deps, admin, endpoint_id, read) }),
    }),
    endpoint({
      name: "rotate_endpoint_secret",
      summary: "Rotate the secret of a webhook endpoint",
      stepUp: true,
      description:
        "Creates a new secret and returns it. Until the grace period ends, every delivery has one signature with the new secret and one with the previous secret, so receivers can switch at any time.",
      resource: "Webhook endpoints",
      sdk: "webhookEndpoints.rotateSecret",
      method: "POST",
      path: "/webhooks/endpoints/:endpoint_id/rotate-secret",
      access: mayWrite,
      ...oneEndpoint,
      body: Type.Object({
        grace_period_seconds: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: MAX_OVERLAP_SECONDS,
            default: DEFAULT_OVERLAP_SECONDS,
            description: "How long the previous secret also signs deliveries; 0 ends it at once",
          }),
        ),
      }),
      answer: [200, RotatedView],
      secret: true,
      examples: { request: { grace_period_seconds: 3600 }, answer: examples.rotated },
      run: async (caller, { params, body }) =>
        presentRotated(await rotateSecret(deps, caller, params.endpoint_id, body.grace_period_seconds ?? DEFAULT_OVERLAP_SECONDS)),
    }),
    endpoint({
      name: "test_endpoint",
      summary: "Send a test event to a webhook endpoint",
      description:
        "Sends a `webhook.test` event to this endpoint, regardless of its subscriptions. The request is sent after this response; read its result with `GET /webhooks/deliveries/{delivery_id}`. Returns 409 if the endpoint is disabled.",
      resource: "Webhook endpoints",
      sdk: "webhookEndpoints.test",
      method: "POST",
      path: "/webhooks/endpoints/:endpoint_id/test",
      access: mayWrite,
      ...oneEndpoint,
      answer: [202, TestedView],
      problems: ["endpoint_disabled"],
      examples: { answer: examples.tested },
      run: (caller, { params }) => testEndpoint(deps, caller, params.endpoint_id),
    }),
    listing({
      name: "list_deliveries",
      summary: "List delivery attempts of a webhook endpoint",
      description:
        "Lists every attempt to deliver an event to this endpoint, newest first, with the receiver's response. A delivery has several attempts if it was retried or replayed. Attempts are kept for 30 days by default, and for up to a week longer.",
      resource: "Events and deliveries",
      sdk: "deliveries.list",
      path: "/webhooks/endpoints/:endpoint_id/deliveries",
      access: mayRead,
      ...oneEndpoint,
      query: Type.Object({
        status: Type.Optional(Status),
        event_type: Type.Optional(EventType),
        event_id: Type.Optional(idOf("event")),
        created_from: Type.Optional(about(Timestamp, "Attempts made at this time or later")),
        created_to: Type.Optional(about(Timestamp, "Attempts made before this time")),
        since: Type.Optional(
          Type.String({ format: "date-time", "x-message": ISO_TIME, deprecated: true, description: "Deprecated: use created_from" }),
        ),
        until: Type.Optional(
          Type.String({ format: "date-time", "x-message": ISO_TIME, deprecated: true, description: "Deprecated: use created_to" }),
        ),
      }),
      item: AttemptView,
      examples: { answer: examples.attempt },
      run: async (caller, { params, query, page, limit }, read) => {
        const { endpoint_id } = await findEndpoint(read, caller.org, params.endpoint_id);
        const { since, until, created_from = since, created_to = until, ...filter } = query;
        const times = {
          since: created_from === undefined ? undefined : new Date(created_from),
          until: created_to === undefined ? undefined : new Date(created_to),
        };
        const { items, total } = await listAttempts(read, caller.org, endpoint_id, { ...filter, ...times }, { page, limit });
        return { items: items.map(presentAttempt), total };
      },
    }),
    reading({
      name: "get_delivery",
      summary: "Get a delivery with its payload and attempts",
      description:
        "Returns one delivery with the exact payload, and its attempts, newest first. Use it to see why a receiver did not accept an event.",
      resource: "Events and deliveries",
      sdk: "deliveries.get",
      path: "/webhooks/deliveries/:delivery_id",
      access: mayRead,
      ...oneDelivery,
      answer: [200, DeliveryWithPayload],
      examples: { answer: examples.deliveryWithPayload },
      run: async (caller, { params }, read) => presentWithPayload(await findDeliveryWithPayload(read, caller.org, params.delivery_id)),
    }),
    endpoint({
      name: "replay_delivery",
      summary: "Replay a delivery",
      description:
        "Sends the same event with the same bytes again, with a new timestamp, signature and retry schedule. The `webhook-id` stays the same, so receivers can recognize the event. Returns 409 if the endpoint is disabled or deleted.",
      resource: "Events and deliveries",
      sdk: "deliveries.replay",
      method: "POST",
      path: "/webhooks/deliveries/:delivery_id/replay",
      access: mayWrite,
      ...oneDelivery,
      answer: [202, DeliveryView],
      problems: ["endpoint_disabled", "endpoint_deleted"],
      examples: { answer: examples.replayed },
      run: async (caller, { params }) => presentDelivery(await replayDelivery(deps, caller, params.delivery_id)),
    }),
    endpoint({
      name: "replay_range",
      summary: "Replay the deliveries of a time range",
      description:
        "Sends this endpoint's deliveries again that were created or attempted in a time range, by default the failed and cancelled ones. Use it after an outage of your receiver. One call sends at most 10,000, the oldest first; call again with `next_after` as `after` for the rest. Returns 409 if the endpoint is disabled.",
      resource: "Events and deliveries",
      sdk: "deliveries.replayRange",
      method: "POST",
      path: "/webhooks/endpoints/:endpoint_id/replay",
      access: mayWrite,
      ...oneEndpoint,
      body: Type.Object({
        since: Timestamp,
        until: Type.Optional(about(Timestamp, "The end of the range, not included. The default is now")),
        status: Type.Optional(
          about(named("WebhookReplayStatus", Type.Enum(["succeeded", "failed", "cancelled"])), "The default is failed and cancelled"),
        ),
        event_types: Type.Optional(EventTypes),
        dry_run: Type.Optional(Type.Boolean({ description: "Only counts matching deliveries and sends nothing" })),
        after: Type.Optional(about(idOf("delivery"), "`next_after` of the previous response, to continue from there")),
      }),
      answer: [202, ReplayView],
      problems: ["endpoint_disabled"],
      examples: { request: examples.range, answer: examples.replayedRange },
      run: (caller, { params, body }) => {
        const { since, until, status, event_types, after, dry_run = false } = body;
        const times = { since: new Date(since), until: until === undefined ? undefined : new Date(until) };
        const range = { ...times, status, event_types, after: after as DeliveryId | undefined };
        return (dry_run ? countRange : replayRange)(deps, caller, params.endpoint_id, range);
      },
    }),
    listing({
      name: "list_events",
      summary: "List events",
      description:
        "Lists the organization's events, newest first, as they were sent to webhook endpoints; also without any endpoint. Use it after downtime, or to work without a public URL. An event whose transaction took long can appear a little later than newer ones, so read the last minute again when you follow the list. `meta.total` stops at 10,000 with `meta.total_capped`, and later pages are 422: use `created_to` to go back further. Events are kept for 400 days by default.",
      resource: "Events and deliveries",
      sdk: "events.list",
      path: "/webhooks/events",
      access: mayRead,
      query: Type.Object({
        event_type: Type.Optional(EventType),
        envelope_id: Type.Optional(idOf("envelope")),
        created_from: Type.Optional(about(Timestamp, "Events of this time or later")),
        created_to: Type.Optional(about(Timestamp, "Events before this time")),
      }),
      item: EventView,
      problems: ["page_too_deep"],
      examples: { answer: examples.event },
      run: async (caller, { query, page, limit }, read) => {
        const { created_from: from, created_to: to, event_type, envelope_id } = query;
        const times = { from: from === undefined ? undefined : new Date(from), to: to === undefined ? undefined : new Date(to) };
        const filter = { ...times, event_type, envelope_id: envelope_id as EnvelopeId | undefined };
        const { items, ...totals } = await listEvents(read, caller.org, filter, { page, limit });
        return { items: items.map(presentEvent), ...totals };
      },
    }),
    reading({
      name: "get_event",
      summary: "Get an event",
      description: "Returns one event as it was sent. Written as JSON without spaces, it has the bytes that deliveries sign.",
      resource: "Events and deliveries",
      sdk: "events.get",
      path: "/webhooks/events/:event_id",
      access: mayRead,
      params: { event_id: "event" },
      missing: "event_not_found",
      answer: [200, EventView],
      examples: { answer: examples.event },
      run: async (caller, { params }, read) => presentEvent(await findEvent(read, caller.org, params.event_id)),
    }),
    listing({
      name: "list_event_types",
      summary: "List event types",
      description:
        "Lists every event type with the JSON schema of its data. Events of a `reserved` type are not sent yet; endpoints can already subscribe to them.",
      resource: "Events and deliveries",
      sdk: "eventTypes.list",
      path: "/webhooks/event-types",
      access: mayRead,
      item: EventTypeView,
      examples: { answer: examples.eventType },
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
