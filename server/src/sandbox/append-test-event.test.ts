import { beforeAll, describe, expect, test } from "vitest";
import { envelopeBody } from "../../test/lease.ts";
import { newSandbox } from "../../test/sandboxes.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { eventTypes } from "../events/catalogue.ts";
import { fanOut } from "../webhooks/fan-out.ts";

const service = testService();
let sandbox: TestOrg;
let key: TestKey;
beforeAll(async () => {
  sandbox = await newSandbox(service, await service.newOrg());
  key = await sandbox.newKey();
});

const append = (body: object) => key.send("POST", "/test/events", { body });
const types = Object.entries(eventTypes);

describe("a test event", () => {
  test.each(types.filter(([, { dispatched }]) => dispatched))(
    "%s is sent as events of its type are, with sample data",
    async (event_type) => {
      const { status, json } = await append({ event_type });
      expect([status, json.error]).toEqual([202, undefined]);
      // The service checks in tests that the event has the shape of its type.
      const event = (await key.send("GET", `/webhooks/events/${json.data.event_id}`)).json.data;
      expect(event).toMatchObject({ event_type, org_id: sandbox.org_id, envelope_id: json.data.envelope_id, data: { test: true } });
    },
  );

  test.each(types.filter(([, { dispatched }]) => !dispatched).map(([type]) => type))("%s is reserved: 422", async (event_type) => {
    const { status, json } = await append({ event_type });
    expect([status, json.details[0]]).toMatchObject([422, { field: "event_type", code: "invalid_value" }]);
  });

  test("names an envelope and its customer, is delivered, and changes nothing of it", async () => {
    const made = (await key.send("POST", "/partner/envelopes", { body: envelopeBody({ external_id: "A-1" }) })).json.data;
    const { envelope_id } = made;
    const endpoint = (await sandbox.admin("POST", "/webhooks/endpoints", { body: { url: "https://example.com/hooks" } })).json.data;
    const { json } = await append({ event_type: "envelope.voided", envelope_id });
    expect(json.data).toMatchObject({ event_type: "envelope.voided", envelope_id });
    const event = (await key.send("GET", `/webhooks/events/${json.data.event_id}`)).json.data;
    expect(event.data).toMatchObject({ envelope_id, external_id: "A-1", customer_id: made.customer_id });
    expect((await key.send("GET", `/partner/envelopes/${envelope_id}/status`)).json.data.status).toBe(made.status);
    await fanOut(service.features.webhooks, { org_id: sandbox.org_id });
    const due = await service.database.owner("select event_id from webhook_deliveries where endpoint_id = $1", [endpoint.endpoint_id]);
    expect(due).toEqual([{ event_id: json.data.event_id }]);
  });

  test("is refused for an unknown type or envelope, and happens once for a repeated request", async () => {
    expect((await append({ event_type: "envelope.lost" })).status).toBe(422);
    expect((await append({ event_type: "envelope.sent", envelope_id: "x" })).status).toBe(422);
    const missing = await append({ event_type: "envelope.sent", envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41" });
    expect([missing.status, missing.headers["x-error-code"]]).toEqual([404, "envelope_not_found"]);
    const again = () => key.send("POST", "/test/events", { body: { event_type: "webhook.test" }, headers: { "idempotency-key": "once" } });
    const [first, second] = [await again(), await again()];
    expect([first.status, second.text]).toEqual([202, first.text]);
  });
});
