import { afterAll, beforeAll } from "vitest";
import { appendEvent } from "../src/events/append-event.ts";
import { startWorker, type Worker } from "../src/jobs/worker.ts";
import { jobHandlers } from "../src/main.ts";
import { type EnvelopeId, type EventId, newId } from "../src/shared/ids.ts";
import { type DeliveryLoop, startDelivering } from "../src/webhooks/delivery-loop.ts";
import { LIMITS, type WebhookDeps } from "../src/webhooks/endpoint.ts";
import type { Receiver } from "./receiver.ts";
import type { TestOrg, TestService } from "./service.ts";
import { until } from "./until.ts";

export const quiet = { info: () => undefined, error: () => undefined };

// Tests wait for receivers that hang, so the timeouts are shorter than in the product.
export const SHORT = { ...LIMITS, connect_ms: 1_000, exchange_ms: 1_500 };

/** The two parts of the worker next to a test service: jobs, including the fan-out, and deliveries. */
export function testDeliveries(service: TestService, changed: () => Partial<WebhookDeps> = () => ({})): void {
  let worker: Worker;
  let delivering: DeliveryLoop;
  beforeAll(async () => {
    worker = await startWorker({ url: service.database.queueUrl, handlers: jobHandlers(service.features), log: quiet });
    service.onQueued(worker.relayNow);
    delivering = startDelivering({ ...service.features.webhooks, limits: SHORT, ...changed() }, quiet);
  });
  afterAll(() => Promise.all([worker.stop(), delivering.stop()]));
}

export interface TestEndpoint {
  readonly endpoint_id: string;
  readonly secret: string;
}

export async function newEndpoint(org: TestOrg, receiver: Pick<Receiver, "url">, values: object = {}): Promise<TestEndpoint> {
  const { json } = await org.admin("POST", "/webhooks/endpoints", { body: { url: receiver.url, ...values } });
  return json.data;
}

/** Appends an event as operations do. */
export async function voidEvent(
  service: TestService,
  org: TestOrg,
  envelope_id: EnvelopeId = newId("envelope"),
  reason = "wrong price",
): Promise<EventId> {
  return service.db.tx(org.org_id, (tx) =>
    appendEvent(tx, org.org_id, {
      type: "envelope.voided",
      envelope_id,
      data: { envelope_id, reason, customer_id: null, external_id: null },
    }),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape the service has checked
type Record = any;

/** The attempt records of an endpoint, newest first. */
export async function attemptsOf(org: TestOrg, endpoint_id: string, query = ""): Promise<Record[]> {
  return (await org.admin("GET", `/webhooks/endpoints/${endpoint_id}/deliveries?limit=200${query}`)).json.data;
}

/** Waits until an endpoint has this many finished attempts. */
export async function settledAttempts(org: TestOrg, endpoint_id: string, count: number): Promise<Record[]> {
  let attempts: Record[] = [];
  await until(`${count} settled attempts`, async () => {
    attempts = await attemptsOf(org, endpoint_id);
    return attempts.filter(({ status }) => status !== "pending").length >= count;
  });
  return attempts;
}

/** A delivery that was given up, without its attempts. */
export async function failedDelivery(service: TestService, org: TestOrg, endpoint_id: string): Promise<void> {
  const event_id = newId("event");
  await service.database.owner(
    `insert into events (org_id, event_id, event_type, body, occurred_at) values ($1, $2, 'envelope.voided', '\\x7b7d', now())`,
    [org.org_id, event_id],
  );
  await service.database.owner(
    `insert into webhook_deliveries (org_id, delivery_id, endpoint_id, event_id, event_type, event_seq, status, trigger)
     select $1, $2, $3, $4, 'envelope.voided', 1, 'failed', 'event'`,
    [org.org_id, newId("delivery"), endpoint_id, event_id],
  );
}
