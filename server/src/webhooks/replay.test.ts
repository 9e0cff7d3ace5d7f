import { Webhook } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { afterAll, describe, expect, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import { newEndpoint, settledAttempts, testDeliveries, voidEvent } from "../../test/deliveries.ts";
import { type Receiver, startReceiver } from "../../test/receiver.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";
import { newId } from "../shared/ids.ts";

const service = testService();
testDeliveries(service);
const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((one) => one.close())));

async function delivered(): Promise<{
  org: TestOrg;
  receiver: Receiver;
  endpoint_id: string;
  secret: string;
  delivery_id: string;
  event_id: string;
}> {
  const [org, receiver] = [await service.newOrg(), await startReceiver()];
  receivers.push(receiver);
  const { endpoint_id, secret } = await newEndpoint(org, receiver);
  const event_id = await voidEvent(service, org);
  const [{ delivery_id }] = await settledAttempts(org, endpoint_id, 1);
  return { org, receiver, endpoint_id, secret, delivery_id, event_id };
}

describe("POST /webhooks/deliveries/:delivery_id/replay", () => {
  test("sends the same event and bytes with a new timestamp and signature, also after the secret was rotated", async () => {
    const { org, receiver, endpoint_id, secret, delivery_id, event_id } = await delivered();
    const rotated = (await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/rotate-secret`)).json.data.secret;
    const { status, json } = await org.admin("POST", `/webhooks/deliveries/${delivery_id}/replay`);
    expect([status, json.data]).toMatchObject([202, { delivery_id, endpoint_id, event_id, status: "pending", attempt_count: 1 }]);
    const [first, second] = await receiver.received(2);
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers["webhook-id"]).toBe(event_id);
    for (const good of [secret, rotated]) {
      expect(new Webhook(good).verify(second?.body ?? "", second?.headers ?? {})).toMatchObject({ event_id });
      expect(new Svix(good).verify(second?.body ?? "", second?.headers ?? {})).toMatchObject({ event_id });
    }
    const attempts = await settledAttempts(org, endpoint_id, 2);
    expect(attempts.map(({ trigger, attempt_count, status: came }) => [trigger, attempt_count, came])).toEqual([
      ["replay", 2, "succeeded"],
      ["event", 1, "succeeded"],
    ]);
  });

  test("of a failed delivery restarts the schedule", async () => {
    const { org, receiver, endpoint_id, delivery_id } = await delivered();
    await service.database.owner("update webhook_deliveries set status = 'failed', failures = 10 where delivery_id = $1", [delivery_id]);
    receiver.always(500);
    await org.admin("POST", `/webhooks/deliveries/${delivery_id}/replay`);
    const [attempt] = await settledAttempts(org, endpoint_id, 2);
    const wait = Date.parse(attempt.next_retry_at) - Date.parse(attempt.created_at);
    expect(wait).toBeGreaterThan(3_000);
    expect(wait).toBeLessThan(10_000);
  });

  test("during an attempt is sent after it, whatever its result", async () => {
    const { org, receiver, endpoint_id, delivery_id } = await delivered();
    receiver.next("hang");
    await org.admin("POST", `/webhooks/deliveries/${delivery_id}/replay`);
    await receiver.received(2);
    await org.admin("POST", `/webhooks/deliveries/${delivery_id}/replay`);
    const attempts = await settledAttempts(org, endpoint_id, 3);
    expect(attempts.map(({ status, trigger }) => [status, trigger])).toEqual([
      ["succeeded", "replay"],
      ["failed", "replay"],
      ["succeeded", "event"],
    ]);
  });

  test("returns 409 if the endpoint is disabled or deleted, and nothing is sent", async () => {
    const { org, receiver, endpoint_id, delivery_id } = await delivered();
    await org.admin("PATCH", `/webhooks/endpoints/${endpoint_id}`, { body: { enabled: false } });
    const disabled = await org.admin("POST", `/webhooks/deliveries/${delivery_id}/replay`);
    expect([disabled.status, disabled.json]).toEqual([409, refusedWith("The endpoint is disabled. Enable it first")]);
    const range = await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/replay`, { body: { since: "2026-01-01T00:00:00.000Z" } });
    expect([range.status, range.json]).toEqual([409, refusedWith("The endpoint is disabled. Enable it first")]);
    await org.admin("DELETE", `/webhooks/endpoints/${endpoint_id}`);
    const deleted = await org.admin("POST", `/webhooks/deliveries/${delivery_id}/replay`);
    expect([deleted.status, deleted.json]).toEqual([409, refusedWith("The endpoint of this delivery was deleted")]);
    expect((await org.admin("GET", `/webhooks/deliveries/${delivery_id}`)).json.data).toMatchObject({
      status: "succeeded",
      attempt_count: 1,
    });
    expect(receiver.requests).toHaveLength(1);
  });

  test("with an Idempotency-Key happens once", async () => {
    const { org, receiver, endpoint_id, delivery_id } = await delivered();
    const once = () => org.admin("POST", `/webhooks/deliveries/${delivery_id}/replay`, { headers: { "idempotency-key": "again" } });
    const [one, two] = [await once(), await once()];
    expect(two.text).toBe(one.text);
    await settledAttempts(org, endpoint_id, 2);
    expect(await service.database.owner("select run from webhook_deliveries where delivery_id = $1", [delivery_id])).toEqual([{ run: 2 }]);
    expect(receiver.requests).toHaveLength(2);
  });
});

describe("POST /webhooks/endpoints/:endpoint_id/replay", () => {
  const since = "2026-01-01T00:00:00.000Z";

  test("recovers events from while the endpoint was disabled, in their order", async () => {
    const { org, receiver, endpoint_id } = await delivered();
    await org.admin("PATCH", `/webhooks/endpoints/${endpoint_id}`, { body: { enabled: false } });
    const envelope_id = newId("envelope");
    const missed = [];
    for (let n = 0; n < 5; n++) missed.push(await voidEvent(service, org, envelope_id));
    await settledAttempts(org, endpoint_id, 6);
    await org.admin("PATCH", `/webhooks/endpoints/${endpoint_id}`, { body: { enabled: true } });
    const { status, json } = await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/replay`, { body: { since } });
    expect([status, json]).toEqual([202, { data: { matched: 5, queued: 5, next_after: null } }]);
    await receiver.received(6);
    expect(receiver.requests.slice(1).map(({ headers }) => headers["webhook-id"])).toEqual(missed);
    await settledAttempts(org, endpoint_id, 11);
    expect((await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/replay`, { body: { since } })).json.data).toEqual({
      matched: 0,
      queued: 0,
      next_after: null,
    });
  });

  test("recovers deliveries that were waiting for their next attempt when the endpoint was disabled, though they are older", async () => {
    const [org, receiver] = [await service.newOrg(), await startReceiver()];
    receivers.push(receiver);
    receiver.always(500);
    const { endpoint_id } = await newEndpoint(org, receiver);
    const waiting = await voidEvent(service, org);
    await settledAttempts(org, endpoint_id, 1);
    const path = `/webhooks/endpoints/${endpoint_id}`;
    const { disabled_at } = (await org.admin("PATCH", path, { body: { enabled: false } })).json.data;
    receiver.always(200);
    await org.admin("PATCH", path, { body: { enabled: true } });
    const replayed = await org.admin("POST", `${path}/replay`, { body: { since: disabled_at } });
    expect(replayed.json.data).toEqual({ matched: 1, queued: 1, next_after: null });
    const requests = await receiver.received(2);
    expect(requests.at(-1)?.headers["webhook-id"]).toBe(waiting);
  });

  test("selects by status, types and times", async () => {
    const { org, endpoint_id } = await delivered();
    await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/test`);
    await settledAttempts(org, endpoint_id, 2);
    await service.database.owner(
      "update webhook_deliveries set created_at = '2026-02-01T00:00:00Z' where endpoint_id = $1 and event_type = 'webhook.test'",
      [endpoint_id],
    );
    const replay = async (body: object) => (await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/replay`, { body })).json.data;
    expect(await replay({ since })).toEqual({ matched: 0, queued: 0, next_after: null });
    expect(await replay({ since, status: "succeeded", until: "2026-02-01T00:00:00.000Z" })).toEqual({
      matched: 0,
      queued: 0,
      next_after: null,
    });
    expect(await replay({ since, status: "succeeded", event_types: ["vault.*"] })).toEqual({ matched: 0, queued: 0, next_after: null });
    expect(await replay({ since: "2026-02-01T00:00:00.000Z", until: "2026-02-01T00:00:00.001Z", status: "succeeded" })).toEqual({
      matched: 1,
      queued: 1,
      next_after: null,
    });
    await settledAttempts(org, endpoint_id, 3);
    expect(await replay({ since, status: "succeeded", event_types: ["envelope.*"] })).toEqual({ matched: 1, queued: 1, next_after: null });
    await settledAttempts(org, endpoint_id, 4);
    expect(await replay({ since, status: "succeeded" })).toEqual({ matched: 2, queued: 2, next_after: null });
  });

  const makeDeliveries = async (org: TestOrg, endpoint_id: string, status: string, count: number) => {
    // The database's statistics are always outdated; the worst case is a table that was almost empty.
    await service.database.owner("analyze webhook_deliveries");
    await service.database.owner(
      `with made as (
         insert into events (org_id, event_id, event_type, occurred_at, body, fanned_out_at)
         select $1, 'evt_' || lpad(n::text, 26, '0'), 'envelope.sent', now(), '{}', now() from generate_series(1, $4::int) n returning *
       ) insert into webhook_deliveries (org_id, delivery_id, endpoint_id, event_id, event_type, event_seq, status, trigger)
       select org_id, replace(event_id, 'evt', 'whd'), $2, event_id, event_type, event_seq, $3, 'event' from made`,
      [org.org_id, endpoint_id, status, count],
    );
  };

  testInAll("queues 10,000 at most, and returns the total and where to continue", async () => {
    const { org, receiver, endpoint_id } = await delivered();
    receiver.always("hang");
    await makeDeliveries(org, endpoint_id, "failed", 10_001);
    const { json } = await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/replay`, { body: { since } });
    expect(json.data).toEqual({ matched: 10_001, queued: 10_000, next_after: `whd_${"10000".padStart(26, "0")}` });
    await org.admin("DELETE", `/webhooks/endpoints/${endpoint_id}`);
  });

  testInAll("of 25,001 successful deliveries, called with next_after until there is none, sends each exactly once more", async () => {
    const { org, receiver, endpoint_id } = await delivered();
    receiver.always("hang");
    await makeDeliveries(org, endpoint_id, "succeeded", 25_000);
    const answers = [];
    for (let after: string | null | undefined; after !== null; ) {
      const body = { since, status: "succeeded", ...(after === undefined ? {} : { after }) };
      const { status, json } = await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/replay`, { body });
      expect(status).toBe(202);
      answers.push([json.data.matched, json.data.queued]);
      after = json.data.next_after;
      // The receiver accepts them immediately, so they match again; only `next_after` tells the next call where to continue.
      await service.database.owner(
        "update webhook_deliveries set status = 'succeeded', next_attempt_at = null where endpoint_id = $1 and status = 'pending'",
        [endpoint_id],
      );
    }
    expect(answers).toEqual([
      [25_001, 10_000],
      [15_001, 10_000],
      [5_001, 5_001],
    ]);
    const runs = await service.database.owner(
      "select run, count(*)::int as n from webhook_deliveries where endpoint_id = $1 group by run",
      [endpoint_id],
    );
    expect(runs).toEqual([{ run: 2, n: 25_001 }]);
    await org.admin("DELETE", `/webhooks/endpoints/${endpoint_id}`);
  });

  test("with dry_run counts what a replay would find, also beyond 10,000, and changes nothing", async () => {
    const { org, receiver, endpoint_id } = await delivered();
    await makeDeliveries(org, endpoint_id, "failed", 10_001);
    const path = `/webhooks/endpoints/${endpoint_id}/replay`;
    const entries = async () => (await org.admin("GET", "/org/audit-trail")).json.meta.total;
    const before = await entries();
    const dry = async (body: object) => (await org.admin("POST", path, { body: { since, dry_run: true, ...body } })).json.data;
    expect(await dry({})).toEqual({ matched: 10_001, queued: 0, next_after: null });
    expect(await dry({ status: "succeeded" })).toEqual({ matched: 1, queued: 0, next_after: null });
    expect(await dry({ after: `whd_${"10000".padStart(26, "0")}` })).toEqual({ matched: 1, queued: 0, next_after: null });
    expect(await dry({ event_types: ["vault.*"] })).toEqual({ matched: 0, queued: 0, next_after: null });
    const pending = await service.database.owner(
      "select from webhook_deliveries where endpoint_id = $1 and (status = 'pending' or run > 1)",
      [endpoint_id],
    );
    expect([pending.length, await entries(), receiver.requests.length]).toEqual([0, before, 1]);
    const real = await org.admin("POST", path, { body: { since, status: "succeeded", dry_run: false } });
    expect(real.json.data).toEqual({ matched: 1, queued: 1, next_after: null });
    expect(await entries()).toBe(before + 1);
  });

  test("with dry_run is refused where a replay would be: for a viewer, a disabled endpoint, invalid times", async () => {
    const { org, endpoint_id } = await delivered();
    const path = `/webhooks/endpoints/${endpoint_id}/replay`;
    const body = { since, dry_run: true };
    expect((await (await newMember(service, org, "viewer")).send("POST", path, { body })).status).toBe(403);
    const wrong = await org.admin("POST", path, { body: { ...body, until: "2025-12-31T23:59:59.999Z" } });
    expect([wrong.status, wrong.json.details[0].field]).toEqual([422, "until"]);
    const word = await org.admin("POST", path, { body: { since, dry_run: "yes" } });
    expect([word.status, word.json.details[0].field]).toEqual([422, "dry_run"]);
    await org.admin("PATCH", `/webhooks/endpoints/${endpoint_id}`, { body: { enabled: false } });
    expect((await org.admin("POST", path, { body })).json).toEqual(refusedWith("The endpoint is disabled. Enable it first"));
  });

  test.each([
    ["no beginning", {}, "since"],
    ["a start that is not a time", { since: "yesterday" }, "since"],
    ["a leap second", { since: "2026-12-31T23:59:60Z" }, "since"],
    ["an unknown type", { since, event_types: ["a.b"] }, "event_types[0]"],
    ["the status pending", { since, status: "pending" }, "status"],
    ["an end before the start", { since, until: "2025-12-31T23:59:59.999Z" }, "until"],
    ["an `after` that is not a delivery id", { since, after: "whd_1" }, "after"],
  ])("%s is 422", async (_what, body, field) => {
    const { org, endpoint_id } = await delivered();
    const { status, json } = await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/replay`, { body });
    expect([status, json.details[0].field]).toEqual([422, field]);
  });
});
