import { Webhook } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyWebhook } from "../../../client/src/index.ts";
import { onePage } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { attemptsOf, newEndpoint, settledAttempts, testDeliveries, voidEvent } from "../../test/deliveries.ts";
import { form } from "../../test/form.ts";
import { type Received, type Receiver, startReceiver, type Treatment } from "../../test/receiver.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { appendEvent } from "../events/append-event.ts";
import { newId } from "../shared/ids.ts";
import { version } from "../version.ts";

const service = testService();
testDeliveries(service);

const receivers: Receiver[] = [];
async function receiver(always: Treatment = 200): Promise<Receiver> {
  const one = await startReceiver();
  one.always(always);
  receivers.push(one);
  return one;
}
afterAll(() => Promise.all(receivers.map((one) => one.close())));

const bodyOf = async (event_id: string) =>
  (await service.database.owner<{ body: Buffer }>("select body from events where event_id = $1", [event_id]))[0]?.body;
const idsOf = (requests: readonly Received[]) => requests.map(({ headers }) => headers["webhook-id"]);
const makeDue = (endpoint_id: string) =>
  service.database.owner("update webhook_deliveries set next_attempt_at = now() where endpoint_id = $1 and status = 'pending'", [
    endpoint_id,
  ]);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Verified with two unmodified public libraries and our own. */
async function verifiedBy(secret: string, { body, headers }: Received): Promise<unknown> {
  const theirs = new Webhook(secret).verify(body, headers);
  expect(new Svix(secret).verify(body, headers)).toEqual(theirs);
  expect(await verifyWebhook(body, headers, secret)).toEqual(theirs);
  return theirs;
}

describe("a delivery", () => {
  test("sends the event's frozen bytes and the headers of Standard Webhooks, and is recorded", async () => {
    const [org, target] = [await service.newOrg(), await receiver({ status: 200, body: "thanks" })];
    const { endpoint_id, secret } = await newEndpoint(org, target);
    const envelope_id = newId("envelope");
    const event_id = await voidEvent(service, org, envelope_id, "“wrong” price – €5");
    const [request] = await target.received(1);
    const { host, connection: _, ...headers } = request?.headers ?? {};
    expect([request?.method, request?.path]).toEqual(["POST", "/hooks"]);
    expect(headers).toEqual({
      "content-type": "application/json",
      "content-length": String(request?.body.length),
      "user-agent": `Countersign-Webhooks/${version}`,
      "webhook-id": event_id,
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    expect(host).toBe(new URL(target.url).host);
    expect(request?.body).toEqual(await bodyOf(event_id));
    expect(await verifiedBy(secret, request as Received)).toMatchObject({ event_id, event_type: "envelope.voided", envelope_id });

    const [attempt] = await settledAttempts(org, endpoint_id, 1);
    expect(attempt).toEqual({
      attempt_id: expect.stringMatching(/^wha_/),
      delivery_id: expect.stringMatching(/^whd_/),
      endpoint_id,
      event_id,
      event_type: "envelope.voided",
      envelope_id,
      status: "succeeded",
      response_code: 200,
      response_body: "thanks",
      response_body_truncated: false,
      attempt_count: 1,
      duration_ms: expect.any(Number),
      next_retry_at: null,
      error: null,
      trigger: "event",
      url: target.url,
      created_at: time,
      attempted_at: time,
    });
    const { json } = await org.admin("GET", `/webhooks/deliveries/${attempt.delivery_id}`);
    expect(json.data).toEqual({
      delivery_id: attempt.delivery_id,
      endpoint_id,
      event_id,
      event_type: "envelope.voided",
      envelope_id,
      status: "succeeded",
      attempt_count: 1,
      next_attempt_at: null,
      created_at: time,
      payload: JSON.parse(request?.body.toString() ?? ""),
      payload_text: request?.body.toString(),
      attempts: [{ ...attempt, request: { method: "POST", headers: expect.any(Object) } }],
    });
    const { "user-agent": _version, "webhook-signature": _signature, connection: _kept, ...onRecord } = request?.headers ?? {};
    expect(json.data.attempts[0].request.headers, "the recorded request is the received one").toEqual(onRecord);
    expect((await org.admin("GET", `/webhooks/endpoints/${endpoint_id}`)).json.data).toMatchObject({
      last_success_at: time,
      failing_since: null,
    });
  });

  test("of an uploaded document is envelope.created with the fields that receivers route by", async () => {
    const [org, target] = [await service.newOrg(), await receiver()];
    const { secret } = await newEndpoint(org, target, { event_types: ["envelope.created"] });
    const { customer_id } = (await org.admin("POST", "/partner/customers", { body: { name: "Ann" } })).json.data;
    const uploaded = await org.admin("POST", `/partner/customers/${customer_id}/documents`, form({}, { bytes: writePdf(onePage()) }));
    const { envelope_id } = uploaded.json.data;
    const [request] = await target.received(1);
    expect(await verifiedBy(secret, request as Received)).toMatchObject({
      event_type: "envelope.created",
      org_id: org.org_id,
      envelope_id,
      data: { envelope_id, customer_id, external_id: null },
    });
  });

  test("is signed with both secrets during a rotation, and with only the new one after the overlap", async () => {
    const [org, target] = [await service.newOrg(), await receiver()];
    const { endpoint_id, secret: old } = await newEndpoint(org, target);
    const { secret: fresh } = (await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/rotate-secret`)).json.data;
    await voidEvent(service, org);
    const [during] = await target.received(1);
    expect(during?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    for (const secret of [old, fresh]) await verifiedBy(secret, during as Received);

    await service.database.owner("update webhook_endpoints set previous_secret_expires_at = now() where endpoint_id = $1", [endpoint_id]);
    await voidEvent(service, org);
    const after = (await target.received(2))[1] as Received;
    await verifiedBy(fresh, after);
    expect(after.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
    expect(() => new Webhook(old).verify(after.body, after.headers)).toThrow();
  });

  test("goes to every enabled endpoint whose filter matches, and to no other organization", async () => {
    const [org, stranger] = [await service.newOrg(), await service.newOrg()];
    const [all, kind, name, other, reserved, foreign] = await Promise.all([1, 2, 3, 4, 5, 6].map(() => receiver()));
    await newEndpoint(org, all as Receiver);
    await newEndpoint(org, kind as Receiver, { event_types: ["envelope.*"] });
    await newEndpoint(org, name as Receiver, { event_types: ["vault.stored", "envelope.voided"] });
    await newEndpoint(org, other as Receiver, { event_types: ["vault.*"] });
    await newEndpoint(org, reserved as Receiver, { event_types: ["envelope.viewed", "envelope.completed"] });
    await newEndpoint(stranger, foreign as Receiver);
    const event_id = await voidEvent(service, org);
    await Promise.all([all, kind, name].map((one) => one?.received(1)));
    const test = await org.admin("POST", `/partners/keys/${(await org.newKey()).key_id}/test-webhook`);
    expect(test.json.data).toEqual({ event_id: expect.any(String), endpoints: 5 });
    // A test event goes to every endpoint whatever its filter, so endpoints that did not want the earlier event have received only the
    // test.
    await Promise.all([all, kind, name].map((one) => one?.received(2)));
    await Promise.all([other, reserved].map((one) => one?.received(1)));
    for (const one of [all, kind, name]) expect(idsOf(one?.requests ?? [])).toEqual([event_id, test.json.data.event_id]);
    for (const one of [other, reserved]) expect(idsOf(one?.requests ?? [])).toEqual([test.json.data.event_id]);
    expect(foreign?.requests).toEqual([]);
  });

  test("of an endpoint's own test goes to that endpoint only", async () => {
    const [org, one, two] = [await service.newOrg(), await receiver(), await receiver()];
    const { endpoint_id, secret } = await newEndpoint(org, one, { event_types: ["vault.*"] });
    await newEndpoint(org, two);
    const { status, json } = await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/test`);
    expect([status, json.data]).toEqual([202, { endpoint_id, event_id: expect.any(String), delivery_id: expect.any(String) }]);
    const [request] = await one.received(1);
    expect(await verifiedBy(secret, request as Received)).toMatchObject({
      event_type: "webhook.test",
      event_id: json.data.event_id,
      envelope_id: null,
    });
    expect((await settledAttempts(org, endpoint_id, 1))[0]).toMatchObject({ trigger: "test", status: "succeeded" });
    const event_id = await voidEvent(service, org);
    await two.received(1);
    expect(idsOf(two.requests)).toEqual([event_id]);
  });

  test("is created once however often the event is fanned out", async () => {
    const [org, target] = [await service.newOrg(), await receiver()];
    const { endpoint_id } = await newEndpoint(org, target);
    const event_id = await voidEvent(service, org);
    await settledAttempts(org, endpoint_id, 1);
    await service.database.owner("update events set fanned_out_at = null where event_id = $1", [event_id]);
    const second = await voidEvent(service, org);
    await target.received(2);
    expect(idsOf(target.requests)).toEqual([event_id, second]);
  });
});

describe("a receiver", () => {
  const big = "y".repeat(20_000);
  test.each<[string, Treatment, object]>([
    [
      "that responds 500 is recorded with its body",
      { status: 500, body: "no database" },
      { response_code: 500, response_body: "no database", error: "http_error" },
    ],
    ["that responds 404", 404, { response_code: 404, error: "http_error" }],
    ["that redirects is not followed", { status: 301, headers: { location: "/elsewhere" } }, { response_code: 301, error: "redirect" }],
    ["that responds 304", 304, { response_code: 304, error: "redirect" }],
    ["that hangs", "hang", { response_code: null, response_body: null, error: "timeout" }],
    ["that resets the connection", "reset", { response_code: null, error: "connection_error" }],
    ["that does not speak HTTP", "garbage", { response_code: null, error: "connection_error" }],
    [
      "with a long body has its first 16 KiB kept",
      { status: 400, body: big },
      { response_body: big.slice(0, 16_384), response_body_truncated: true, error: "http_error" },
    ],
    [
      "with odd bytes in its body",
      { status: 400, body: Buffer.from([65, 0, 255, 66]) },
      { response_body: "A\ufffd\ufffdB", response_body_truncated: false },
    ],
  ])("%s", async (_what, treatment, recorded) => {
    const [org, target] = [await service.newOrg(), await receiver(treatment)];
    const { endpoint_id } = await newEndpoint(org, target);
    await voidEvent(service, org);
    const [attempt] = await settledAttempts(org, endpoint_id, 1);
    expect(attempt).toMatchObject({ status: "failed", attempt_count: 1, next_retry_at: time, ...recorded });
    expect((await org.admin("GET", `/webhooks/endpoints/${endpoint_id}`)).json.data).toMatchObject({ enabled: true, failing_since: time });
    expect(target.requests.map(({ path }) => path)).toEqual(["/hooks"]);
  });

  test.each<[string, Treatment, object]>([
    ["whose response never ends has succeeded with its status", "endless", { response_body: "x".repeat(16_384) }],
    ["that hangs in the middle of its response has succeeded", "hang in the body", { response_body: "so far" }],
    ["whose response is cut off has succeeded", "half a body", { response_body: "half" }],
  ])("%s", async (_what, treatment, recorded) => {
    const [org, target] = [await service.newOrg(), await receiver(treatment)];
    const { endpoint_id } = await newEndpoint(org, target);
    await voidEvent(service, org);
    expect((await settledAttempts(org, endpoint_id, 1))[0]).toMatchObject({
      status: "succeeded",
      response_code: 200,
      response_body_truncated: true,
      error: null,
      ...recorded,
    });
  });

  test("that is down causes a connection error", async () => {
    const [org, target] = [await service.newOrg(), await startReceiver()];
    await target.close();
    const { endpoint_id } = await newEndpoint(org, target);
    await voidEvent(service, org);
    expect((await settledAttempts(org, endpoint_id, 1))[0]).toMatchObject({
      status: "failed",
      response_code: null,
      error: "connection_error",
    });
  });

  test("that responds 429 gets at least a minute, or longer if it asks, up to twice the planned delay", async () => {
    const org = await service.newOrg();
    const asked: [Record<string, string>, number, number][] = [
      [{}, 60, 60],
      [{ "retry-after": "90" }, 90, 90],
      [{ "retry-after": "86400" }, 120, 120],
      [{ "retry-after": "soon" }, 60, 60],
      [{ "retry-after": new Date(Date.now() + 100_000).toUTCString() }, 90, 100],
    ];
    for (const [headers, least, most] of asked) {
      const target = await receiver({ status: 429, headers });
      const { endpoint_id } = await newEndpoint(org, target);
      await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/test`);
      const [{ created_at, next_retry_at }] = await settledAttempts(org, endpoint_id, 1);
      const wait = (Date.parse(next_retry_at) - Date.parse(created_at)) / 1000;
      expect(wait, JSON.stringify(headers)).toBeGreaterThanOrEqual(least - 1);
      expect(wait, JSON.stringify(headers)).toBeLessThanOrEqual(most + 5);
    }
  });

  test("that recovers gets the same id and bytes with a new timestamp and signature, and its failures are reset", async () => {
    const [org, target] = [await service.newOrg(), await receiver()];
    target.next(500, "reset");
    const { endpoint_id, secret } = await newEndpoint(org, target);
    const event_id = await voidEvent(service, org);
    for (const tries of [1, 2]) {
      await settledAttempts(org, endpoint_id, tries);
      await makeDue(endpoint_id);
    }
    const attempts = await settledAttempts(org, endpoint_id, 3);
    expect(attempts.map(({ status, trigger, attempt_count }) => [status, trigger, attempt_count])).toEqual([
      ["succeeded", "retry", 3],
      ["failed", "retry", 2],
      ["failed", "event", 1],
    ]);
    expect(idsOf(target.requests)).toEqual([event_id, event_id, event_id]);
    for (const request of target.requests) {
      expect(request.body).toEqual(await bodyOf(event_id));
      await verifiedBy(secret, request);
    }
    expect((await org.admin("GET", `/webhooks/endpoints/${endpoint_id}`)).json.data).toMatchObject({
      failing_since: null,
      last_success_at: time,
    });
  });

  test("that responds 410 is disabled immediately; pending deliveries are cancelled and the admins are notified", async () => {
    const [org, target] = [await service.newOrg(), await receiver(500)];
    const { endpoint_id } = await newEndpoint(org, target);
    await voidEvent(service, org);
    await settledAttempts(org, endpoint_id, 1);
    target.always(410);
    const event_id = await voidEvent(service, org);
    const attempts = await settledAttempts(org, endpoint_id, 3);
    expect((await org.admin("GET", `/webhooks/endpoints/${endpoint_id}`)).json.data).toMatchObject({
      enabled: false,
      disabled_reason: "gone",
    });
    expect(attempts.find((one) => one.event_id === event_id)).toMatchObject({
      status: "failed",
      response_code: 410,
      error: "http_error",
      next_retry_at: null,
    });
    expect(attempts.find((one) => one.status === "cancelled")).toMatchObject({
      error: "endpoint_disabled",
      attempted_at: null,
      attempt_count: 1,
    });
    await until(
      "the mail",
      async () =>
        (await service.database.owner("select from mail_messages where kind = 'endpoint_disabled' and org_id = $1", [org.org_id]))
          .length === 1,
    );
    const { json } = await org.admin("GET", "/org/audit-trail");
    expect(json.data[0]).toMatchObject({ type: "endpoint.disabled", actor: { kind: "system" }, data: { endpoint_id, reason: "gone" } });
  });

  test("that has failed for 24 hours has its admins notified once, and after 120 hours it is disabled", async () => {
    const [org, target] = [await service.newOrg(), await receiver(503)];
    const { endpoint_id } = await newEndpoint(org, target);
    const mails = (kind: string) => service.database.owner("select from mail_messages where kind = $1 and org_id = $2", [kind, org.org_id]);
    const failingFor = (hours: number) =>
      service.database.owner("update webhook_endpoints set failing_since = now() - make_interval(hours => $1) where endpoint_id = $2", [
        hours,
        endpoint_id,
      ]);
    await voidEvent(service, org);
    await settledAttempts(org, endpoint_id, 1);
    for (const [hours, tries] of [
      [23, 2],
      [24, 3],
      [119, 4],
    ] as const) {
      await failingFor(hours);
      await makeDue(endpoint_id);
      await settledAttempts(org, endpoint_id, tries);
    }
    await until("the mail", async () => (await mails("endpoint_failing")).length === 1);
    expect((await org.admin("GET", `/webhooks/endpoints/${endpoint_id}`)).json.data.enabled).toBe(true);
    await failingFor(120);
    await makeDue(endpoint_id);
    await until("the second e-mail", async () => (await mails("endpoint_disabled")).length === 1);
    const view = (await org.admin("GET", `/webhooks/endpoints/${endpoint_id}`)).json.data;
    expect(view).toMatchObject({ enabled: false, disabled_reason: "failing", disabled_at: time });
    expect((await attemptsOf(org, endpoint_id))[0]).toMatchObject({ status: "cancelled", error: "endpoint_disabled", attempt_count: 5 });
    expect(await mails("endpoint_failing")).toHaveLength(1);
  });
});

describe("the order", () => {
  test("of first attempts per envelope is the commit order, also while the endpoint fails", async () => {
    const [org, target] = [await service.newOrg(), await receiver()];
    target.next(...Array.from({ length: 12 }, () => 500));
    await newEndpoint(org, target);
    const envelopes = Array.from({ length: 5 }, () => newId("envelope"));
    const expected = new Map<string, string[]>(envelopes.map((envelope_id) => [envelope_id, []]));
    for (let turn = 0; turn < 8; turn++) {
      for (const envelope_id of envelopes) expected.get(envelope_id)?.push(await voidEvent(service, org, envelope_id, `turn ${turn}`));
    }
    await target.received(40);
    for (const envelope_id of envelopes) {
      const firsts = [...new Set(idsOf(target.requests.filter(({ body }) => JSON.parse(body.toString()).envelope_id === envelope_id)))];
      expect(firsts).toEqual(expected.get(envelope_id));
    }
  });

  test("is the order of commits, not of the transactions' starts", async () => {
    const [org, target] = [await service.newOrg(), await receiver()];
    await newEndpoint(org, target);
    const envelope_id = newId("envelope");
    let early: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      early = resolve;
    });
    const begun = service.db.tx(org.org_id, async (tx) => {
      await waiting;
      return appendEvent(tx, org.org_id, {
        type: "envelope.voided",
        envelope_id,
        data: { envelope_id, reason: "begun first", customer_id: null, external_id: null },
      });
    });
    const first = await voidEvent(service, org, envelope_id, "committed first");
    early();
    const second = await begun;
    await target.received(2);
    expect(idsOf(target.requests)).toEqual([first, second]);
  });
});

test("an endpoint does not receive events from before it was created", async () => {
  const [org, target] = [await service.newOrg(), await receiver()];
  const before = await voidEvent(service, org);
  await service.database.owner("update events set fanned_out_at = null where event_id = $1", [before]);
  await newEndpoint(org, target);
  const after = await voidEvent(service, org);
  await target.received(1);
  expect(idsOf(target.requests)).toEqual([after]);
});

describe("a disabled endpoint", () => {
  test("receives nothing; its events are recorded as cancelled deliveries", async () => {
    const [org, target] = [await service.newOrg(), await receiver()];
    const { endpoint_id } = await newEndpoint(org, target, { enabled: false });
    const event_id = await voidEvent(service, org);
    const attempts = await settledAttempts(org, endpoint_id, 1);
    expect(attempts).toEqual([
      expect.objectContaining({ event_id, status: "cancelled", error: "endpoint_disabled", attempt_count: 0, attempted_at: null }),
    ]);
    expect(target.requests).toEqual([]);
    expect((await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/test`)).json).toEqual(
      refusedWith("The endpoint is disabled. Enable it first"),
    );
  });

  test.each([
    ["disabled", "PATCH", { body: { enabled: false } }],
    ["deleted", "DELETE", {}],
  ])("deliveries that wait for a retry when it is %s are cancelled", async (_what, method, request) => {
    const [org, target] = [await service.newOrg(), await receiver(500)];
    const { endpoint_id } = await newEndpoint(org, target);
    await voidEvent(service, org);
    const [{ delivery_id }] = await settledAttempts(org, endpoint_id, 1);
    await org.admin(method, `/webhooks/endpoints/${endpoint_id}`, request);
    const { json } = await org.admin("GET", `/webhooks/deliveries/${delivery_id}`);
    expect(json.data).toMatchObject({ status: "cancelled", next_attempt_at: null, attempt_count: 1 });
    expect(json.data.attempts.map((one: { status: string; next_retry_at: null }) => [one.status, one.next_retry_at])).toEqual([
      ["cancelled", null],
      ["failed", null],
    ]);
    const methods = json.data.attempts.map((one: { request: { method: string } | null }) => one.request?.method);
    expect(methods, "cancelled deliveries had no request").toEqual([undefined, "POST"]);
  });
});

describe("the list of attempts", () => {
  let org: Awaited<ReturnType<typeof service.newOrg>>;
  let endpoint_id: string;
  let events: string[];
  beforeAll(async () => {
    org = await service.newOrg();
    const target = await receiver();
    target.next(200, 500);
    ({ endpoint_id } = await newEndpoint(org, target));
    events = [];
    for (const n of [1, 2, 3]) {
      events.push(await voidEvent(service, org));
      await settledAttempts(org, endpoint_id, n);
    }
    await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/test`);
    await settledAttempts(org, endpoint_id, 4);
  });

  const list = async (query: string) => {
    const { status, json } = await org.admin("GET", `/webhooks/endpoints/${endpoint_id}/deliveries?${query}`);
    return { status, json, ids: (json.data ?? []).map((one: { event_id: string }) => one.event_id) };
  };

  test("is newest first, with 50 per page and 200 at most", async () => {
    const { json, ids } = await list("");
    expect(ids.slice(1)).toEqual([...events].reverse());
    expect(json.meta).toEqual({ page: 1, limit: 50, total: 4 });
    expect((await list("limit=1000")).json.meta.limit).toBe(200);
    const pages = [await list("limit=3"), await list("limit=3&page=2")];
    expect(pages.flatMap((page) => page.ids)).toEqual(ids);
    expect((await list("page=9")).json).toEqual({ data: [], meta: { page: 9, limit: 50, total: 4 } });
  });

  test("can be filtered by status, type, event and time", async () => {
    expect((await list("status=failed")).ids).toEqual([events[1]]);
    expect((await list("event_type=webhook.test")).ids).toHaveLength(1);
    expect((await list("event_type=vault.stored")).ids).toEqual([]);
    expect((await list(`event_id=${events[2]}`)).ids).toEqual([events[2]]);
    const { created_at } = (await list(`event_id=${events[1]}`)).json.data[0];
    expect((await list(`until=${created_at}`)).ids).toEqual([events[0]]);
    const since = await list(`since=${created_at}`);
    expect([since.ids.length, since.ids.at(-1), since.json.meta.total]).toEqual([3, events[1], 3]);
    expect((await list(`since=${created_at}&until=${created_at}`)).ids).toEqual([]);
    expect((await list(`created_to=${created_at}`)).ids, "the old names are deprecated forms").toEqual([events[0]]);
    expect((await list(`created_from=${created_at}`)).ids).toEqual(since.ids);
    expect((await list(`created_from=${created_at}&created_to=${created_at}`)).ids).toEqual([]);
    for (const name of ["created_from", "created_to"]) expect((await list(`${name}=yesterday`)).status, name).toBe(422);
  });

  test.each(["status=lost", "event_type=envelope.lost", "event_id=evt_1", "since=yesterday", "until=2026", "page=0", "limit=0"])(
    "%s is 422",
    async (query) => {
      expect((await list(query)).status).toBe(422);
    },
  );
});
