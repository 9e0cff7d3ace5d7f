import { describe, expect, test } from "vitest";
import { newEndpoint, testDeliveries, voidEvent } from "../../test/deliveries.ts";
import { startReceiver } from "../../test/receiver.ts";
import { refusalText } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { appendEvent } from "../events/append-event.ts";
import { type EnvelopeId, type EventId, newId, timeOf } from "../shared/ids.ts";

const service = testService();
testDeliveries(service);

const idsOf = (answer: { readonly json: { readonly data: readonly { readonly event_id: EventId }[] } }) =>
  answer.json.data.map((one) => one.event_id);
const timestamp = (event_id: EventId, later_ms = 0) => encodeURIComponent(new Date(timeOf(event_id) + later_ms).toISOString());

/** Events in milliseconds of their own, so that a time tells them apart. */
async function eventsOf(org: TestOrg, envelopes: readonly EnvelopeId[]): Promise<EventId[]> {
  const events: EventId[] = [];
  for (const envelope_id of envelopes) {
    let event_id = await voidEvent(service, org, envelope_id);
    while (events.length > 0 && timeOf(event_id) === timeOf(events.at(-1) ?? "")) event_id = await voidEvent(service, org, envelope_id);
    events.push(event_id);
  }
  return events;
}

describe("the list of events", () => {
  test("has each event with the bytes that its deliveries sent", async () => {
    const org = await service.newOrg();
    const receiver = await startReceiver();
    await newEndpoint(org, receiver);
    const event_id = await voidEvent(service, org, newId("envelope"), 'häßlich \u2028 "quoted" 😀');
    const [delivered] = await receiver.received(1);
    const body = delivered?.body ?? Buffer.alloc(0);
    const { json } = await org.admin("GET", "/webhooks/events");
    expect(json.meta).toEqual({ page: 1, limit: 50, total: 1 });
    expect(JSON.stringify(json.data[0])).toBe(body.toString());
    const one = await org.admin("GET", `/webhooks/events/${event_id}`);
    expect([one.status, JSON.stringify(one.json.data)]).toEqual([200, body.toString()]);
    await receiver.close();
  });

  test("is newest first, in pages, also without an endpoint", async () => {
    const org = await service.newOrg();
    const events = await eventsOf(
      org,
      [1, 2, 3, 4, 5].map(() => newId("envelope")),
    );
    const newest = events.toReversed();
    expect(idsOf(await org.admin("GET", "/webhooks/events"))).toEqual(newest);
    const page = await org.admin("GET", "/webhooks/events?limit=2&page=2");
    expect([idsOf(page), page.json.meta]).toEqual([newest.slice(2, 4), { page: 2, limit: 2, total: 5 }]);
    expect(idsOf(await org.admin("GET", "/webhooks/events?limit=2&page=4"))).toEqual([]);
  });

  test("is narrowed by type, envelope and time", async () => {
    const org = await service.newOrg();
    const [a, b] = [newId("envelope"), newId("envelope")];
    const [first, second, third] = (await eventsOf(org, [a, b, a])) as [EventId, EventId, EventId];
    const created = await service.db.tx(org.org_id, (tx) =>
      appendEvent(tx, org.org_id, {
        type: "envelope.created",
        envelope_id: a,
        data: { envelope_id: a, customer_id: null, external_id: null },
      }),
    );
    const found = async (query: string) => idsOf(await org.admin("GET", `/webhooks/events?${query}`));
    expect(await found("event_type=envelope.created")).toEqual([created]);
    expect(await found("event_type=vault.stored")).toEqual([]);
    expect(await found(`envelope_id=${a}`)).toEqual([created, third, first]);
    expect(await found(`envelope_id=${a}&event_type=envelope.voided`)).toEqual([third, first]);
    expect(await found(`created_from=${timestamp(second)}&event_type=envelope.voided`), "from is included").toEqual([third, second]);
    expect(await found(`created_to=${timestamp(third)}`), "to is not").toEqual([second, first]);
    expect(await found(`created_from=${timestamp(second)}&created_to=${timestamp(second, 1)}`)).toEqual([second]);
    expect(await found("created_from=0001-01-01T00:00:00Z&created_to=9999-12-31T23:59:59Z")).toHaveLength(4);
    expect(await found("created_to=1969-12-31T23:59:59Z")).toEqual([]);
  });

  test.each([
    ["event_type=envelope.lost", "event_type"],
    ["envelope_id=env_1", "envelope_id"],
    ["created_from=yesterday", "created_from"],
    ["status=failed", "status"],
  ])("refuses %s", async (query, field) => {
    const { admin } = await service.newOrg();
    const { status, json } = await admin("GET", `/webhooks/events?${query}`);
    expect([status, json.details[0].field]).toEqual([422, field]);
  });

  test("has a total of at most 10,000, and no pages after it", async () => {
    const org = await service.newOrg();
    const [event_id, org_id] = [newId("event"), org.org_id];
    const data = { message: "Test" };
    const sent = { event_type: "webhook.test", event_id, org_id, envelope_id: null, timestamp: "2026-01-05T10:12:00.000Z", data };
    await service.database.owner(
      `insert into events (org_id, event_id, event_type, envelope_id, occurred_at, body, fanned_out_at)
       select $1, first_event_id(now() - interval '1 hour') || lpad(n::text, 16, '0'), 'webhook.test', null, now(), $2, now()
       from generate_series(1, 10001) n`,
      [org.org_id, Buffer.from(JSON.stringify(sent))],
    );
    const last = await org.admin("GET", "/webhooks/events?limit=1&page=10000&event_type=webhook.test");
    expect([last.status, last.json.meta]).toEqual([200, { page: 10_000, limit: 1, total: 10_000, total_capped: true }]);
    const deeper = await org.admin("GET", "/webhooks/events?limit=1&page=10001");
    expect([deeper.status, deeper.headers["x-error-code"]]).toEqual([422, "page_too_deep"]);
  });
});

describe("an event of another organization", () => {
  test("is in no list, and is the same 404 as a missing one", async () => {
    const [mine, other] = [await service.newOrg(), await service.newOrg()];
    const event_id = await voidEvent(service, other);
    expect(idsOf(await mine.admin("GET", "/webhooks/events"))).toEqual([]);
    for (const id of [event_id, newId("event")]) {
      const { status, json } = await mine.admin("GET", `/webhooks/events/${id}`);
      expect([status, json]).toEqual([404, JSON.parse(refusalText("Event not found", "path", "event_id"))]);
    }
  });
});

test("a key needs webhooks:read", async () => {
  const org = await service.newOrg();
  const event_id = await voidEvent(service, org);
  const [reads, writes] = [
    await org.newKey({ scopes: ["webhooks:read"] }),
    await org.newKey({ scopes: ["webhooks:write", "envelopes:read"] }),
  ];
  for (const path of ["/webhooks/events", `/webhooks/events/${event_id}`]) {
    expect((await reads.send("GET", path)).status).toBe(200);
    expect((await writes.send("GET", path)).headers["x-error-code"]).toBe("scope_missing");
  }
});
