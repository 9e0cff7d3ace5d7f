import { afterAll, describe, expect, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import { attemptsOf, newEndpoint, quiet, SHORT, voidEvent } from "../../test/deliveries.ts";
import { type Receiver, startReceiver } from "../../test/receiver.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { newId, type OrgId } from "../shared/ids.ts";
import { isSuccess, prepareAttempts, prepareTogether, settle as settleOfOrg, settleTogether } from "./deliver.ts";
import type { Outcome, Prepared } from "./delivery.ts";
import { startDelivering } from "./delivery-loop.ts";
import { takeDue } from "./delivery-store.ts";
import { fanOut } from "./fan-out.ts";

/** No worker runs here. Each test plays a worker step by step, and can stop at any of them. */

const service = testService();
const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((one) => one.close())));

const deps = () => service.features.webhooks;
const yes: Outcome = { kind: "answered", code: 200, body: "", body_truncated: false, retry_after_seconds: null, duration_ms: 5 };
const no: Outcome = { ...yes, code: 500 };

async function waiting(count = 1, envelope_id = newId("envelope")): Promise<{ org: TestOrg; endpoint_id: string; receiver: Receiver }> {
  for (const table of ["webhook_attempts", "webhook_deliveries"]) await service.database.owner(`delete from ${table}`);
  const [org, receiver] = [await service.newOrg(), await startReceiver()];
  receivers.push(receiver);
  const { endpoint_id } = await newEndpoint(org, receiver);
  for (let n = 0; n < count; n++) await voidEvent(service, org, envelope_id);
  await fanOut(deps(), { org_id: org.org_id });
  return { org, endpoint_id, receiver };
}

const take = (limit = 64, perEndpoint = 8) => service.db.system((tx) => takeDue(tx, { limit, perEndpoint, perOrg: 64 }, 30));
const prepare = async (org: TestOrg): Promise<Prepared[]> => {
  const { prepared, left } = await prepareTogether(deps(), await take());
  const ids = left.map((one) => one.delivery_id);
  return [...prepared.map((one) => one.prepared), ...(await prepareAttempts(deps(), org.org_id, ids))];
};
/** As the loop does. */
const settle = async (org: OrgId, prepared: Prepared, outcome: Outcome): Promise<void> => {
  const attempted = { prepared, outcome };
  if (isSuccess(attempted) && (await settleTogether(deps(), [{ org, attempted }])).size === 0) return;
  await settleOfOrg(deps(), org, [attempted]);
};
const leaseEnds = () =>
  service.database.owner("update webhook_deliveries set leased_until = now() - interval '1 ms' where leased_until is not null");
const seen = async (org: TestOrg, endpoint_id: string) =>
  (await attemptsOf(org, endpoint_id)).map(({ status, error, attempt_count }) => [attempt_count, status, error]);

describe("a worker that dies", () => {
  test("before its request leaves a visible attempt; the next worker marks it as interrupted and makes another", async () => {
    const { org, endpoint_id } = await waiting();
    const [first] = await prepare(org);
    expect(await seen(org, endpoint_id)).toEqual([[1, "pending", null]]);
    expect(await take(), "a worker has it").toEqual([]);
    await leaseEnds();
    const [second] = await prepare(org);
    expect(await seen(org, endpoint_id)).toEqual([
      [2, "pending", null],
      [1, "failed", "interrupted"],
    ]);
    expect(second?.post.body).toEqual(first?.post.body);
    expect(second?.post.headers["webhook-id"]).toBe(first?.post.headers["webhook-id"]);
    expect(second?.failures, "not a failure of the receiver").toBe(0);
  });

  test("and was only slow finds its attempt taken over: settling it changes nothing", async () => {
    const { org, endpoint_id } = await waiting();
    const [slow] = await prepare(org);
    await leaseEnds();
    const [quick] = await prepare(org);
    if (slow === undefined || quick === undefined) throw new Error("nothing was prepared");
    await settle(org.org_id, slow, no);
    expect(await seen(org, endpoint_id)).toEqual([
      [2, "pending", null],
      [1, "failed", "interrupted"],
    ]);
    await settle(org.org_id, quick, yes);
    await settle(org.org_id, quick, no);
    expect((await seen(org, endpoint_id))[0]).toEqual([2, "succeeded", null]);
    expect(await service.database.owner("select status, leased_until, failures from webhook_deliveries")).toEqual([
      { status: "succeeded", leased_until: null, failures: 0 },
    ]);
  });

  test("between taking and preparing leaves no attempt, and the delivery is due again when the lease ends", async () => {
    const { org, endpoint_id } = await waiting();
    expect(await take()).toHaveLength(1);
    expect([await take(), await seen(org, endpoint_id)]).toEqual([[], []]);
    await leaseEnds();
    expect(await take()).toHaveLength(1);
  });
});

test("an attempt counts once in its endpoint's statistics, however often it is settled, and not at all if we aborted it", async () => {
  const { org, endpoint_id } = await waiting();
  const figures = async () => (await org.admin("GET", `/webhooks/endpoints/${endpoint_id}/statistics?days=2`)).json.data;
  const [brokenOff] = await prepare(org);
  if (brokenOff === undefined) throw new Error("nothing was prepared");
  await settle(org.org_id, brokenOff, { kind: "failed", error: "interrupted", duration_ms: 5 });
  expect(await figures()).toMatchObject({ succeeded: 0, failed: 0, success_rate: null });
  const [again] = await prepare(org);
  if (again === undefined) throw new Error("nothing was prepared");
  await Promise.all([1, 2, 3, 4].map(() => settle(org.org_id, again, no)));
  await settle(org.org_id, again, yes);
  expect(await figures()).toMatchObject({ succeeded: 0, failed: 1, success_rate: 0 });
});

describe("taking", () => {
  test("by many workers at once gives each delivery to one, and never more of an endpoint than it has slots", async () => {
    const { org } = await waiting();
    for (let n = 0; n < 30; n++) await voidEvent(service, org);
    await fanOut(deps(), { org_id: org.org_id });
    // Of those at the same moment one has the organization's shard; the others find nothing and come again.
    const taken = (await Promise.all(Array.from({ length: 8 }, () => take(5)))).flat();
    expect(taken.length).toBeGreaterThanOrEqual(5);
    for (let more = await take(5); more.length > 0; more = await take(5)) taken.push(...more);
    expect(taken).toHaveLength(8);
    expect(new Set(taken.map((one) => one.delivery_id)).size).toBe(8);
  });

  test("holds back a first attempt until the first attempt of every earlier event of its envelope was made, and no longer", async () => {
    const { org } = await waiting(3);
    for (const step of [1, 2, 3]) {
      const [prepared, ...others] = await prepare(org);
      expect(others, `step ${step}`).toEqual([]);
      // It fails and will be retried later; the next event does not wait for that.
      if (prepared !== undefined) await settle(org.org_id, prepared, no);
    }
    expect(await take()).toEqual([]);
  });

  test("considers every endpoint: a thousand deliveries of one do not hide those of another", async () => {
    const { org, endpoint_id, receiver } = await waiting();
    await service.database.owner(
      `with made as (
         insert into events (org_id, event_id, event_type, occurred_at, body, fanned_out_at)
         select $1, 'evt_' || lpad(n::text, 26, '0'), 'webhook.test', now(), '{}', now() from generate_series(1, 1000) n returning *
       ) insert into webhook_deliveries (org_id, delivery_id, endpoint_id, event_id, event_type, event_seq, status, trigger, next_attempt_at)
       select org_id, replace(event_id, 'evt', 'whd'), $2, event_id, event_type, event_seq, 'pending', 'test', now() - interval '1 hour' from made`,
      [org.org_id, endpoint_id],
    );
    expect(await take()).toHaveLength(8);
    const other = await service.newOrg();
    await newEndpoint(other, receiver);
    await voidEvent(service, other);
    await fanOut(deps(), { org_id: other.org_id });
    expect((await take()).map((one) => one.org_id)).toEqual([other.org_id]);
  });
});

describe("the schedule", () => {
  test("ends after ten attempts with a failed delivery", async () => {
    const { org, endpoint_id } = await waiting();
    for (let tries = 1; tries <= 10; tries++) {
      await service.database.owner("update webhook_deliveries set next_attempt_at = now() where status = 'pending'");
      const [prepared] = await prepare(org);
      if (prepared === undefined) throw new Error(`no attempt ${tries}`);
      await settle(org.org_id, prepared, no);
    }
    const attempts = await attemptsOf(org, endpoint_id);
    expect(attempts).toHaveLength(10);
    expect(attempts.map(({ next_retry_at }) => next_retry_at === null)).toEqual([true, ...Array.from({ length: 9 }, () => false)]);
    expect((await org.admin("GET", `/webhooks/deliveries/${attempts[0].delivery_id}`)).json.data).toMatchObject({
      status: "failed",
      attempt_count: 10,
      next_attempt_at: null,
    });
    expect(await take()).toEqual([]);
  });
});

describe("an endpoint is disabled as failing", () => {
  const attempt = async (org: TestOrg, outcome: Outcome) => {
    await voidEvent(service, org);
    await fanOut(deps(), { org_id: org.org_id });
    const [prepared] = await prepare(org);
    if (prepared === undefined) throw new Error("nothing was prepared");
    await settle(org.org_id, prepared, outcome);
  };
  const hoursPass = async (endpoint_id: string, hours: number) => {
    const earlier = "- make_interval(hours => $2) where endpoint_id = $1";
    await service.database.owner(`update webhook_endpoints set failing_since = failing_since ${earlier}`, [endpoint_id, hours]);
    await service.database.owner(`update webhook_attempts set attempted_at = attempted_at ${earlier}`, [endpoint_id, hours]);
    // What waits for its next attempt would be taken first; here each event is attempted once.
    await service.database.owner(
      "update webhook_deliveries set status = 'failed', next_attempt_at = null where endpoint_id = $1 and status = 'pending'",
      [endpoint_id],
    );
  };
  const look = async (org: TestOrg, endpoint_id: string) => {
    const { enabled, disabled_reason, failing_since } = (await org.admin("GET", `/webhooks/endpoints/${endpoint_id}`)).json.data;
    return [enabled, disabled_reason, failing_since === null ? null : Math.round((Date.now() - Date.parse(failing_since)) / 3_600_000)];
  };

  test("if all attempts failed for 120 hours, one a day", async () => {
    const { org, endpoint_id } = await waiting(0);
    for (const hour of [0, 24, 48, 72, 96]) {
      await attempt(org, no);
      expect(await look(org, endpoint_id)).toEqual([true, null, hour]);
      await hoursPass(endpoint_id, 24);
    }
    await attempt(org, no);
    expect(await look(org, endpoint_id)).toEqual([false, "failing", 120]);
  });

  test("not by a failure 120 hours after another without attempts in between: it counts as the first", async () => {
    const { org, endpoint_id } = await waiting(0);
    for (let n = 0; n < 10; n++) await attempt(org, no);
    await hoursPass(endpoint_id, 121);
    await attempt(org, no);
    expect(await look(org, endpoint_id)).toEqual([true, null, 0]);
    const messages = await service.database.owner("select from outbox where task = 'orgs.notify-admins' and payload->>'org_id' = $1", [
      org.org_id,
    ]);
    expect(messages, "no e-mail about a day of failures").toEqual([]);
  });

  test("not if an attempt succeeded in between", async () => {
    const { org, endpoint_id } = await waiting(0);
    for (let n = 0; n < 5; n++) await attempt(org, no);
    await hoursPass(endpoint_id, 50);
    await attempt(org, yes);
    await hoursPass(endpoint_id, 50);
    await attempt(org, no);
    await hoursPass(endpoint_id, 50);
    await attempt(org, no);
    expect(await look(org, endpoint_id)).toEqual([true, null, 50]);
  });

  test("not before five attempts failed, however long that takes", async () => {
    const { org, endpoint_id } = await waiting(0);
    for (const hour of [0, 45, 90, 135]) {
      await attempt(org, no);
      expect(await look(org, endpoint_id)).toEqual([true, null, hour]);
      await hoursPass(endpoint_id, 45);
    }
    await attempt(org, no);
    expect(await look(org, endpoint_id)).toEqual([false, "failing", 180]);
  });

  test("attempts that our own worker aborted count neither as failures nor as activity", async () => {
    const { org, endpoint_id } = await waiting(0);
    const interrupted: Outcome = { kind: "failed", error: "interrupted", duration_ms: 5 };
    for (let n = 0; n < 5; n++) await attempt(org, no);
    await hoursPass(endpoint_id, 58);
    await attempt(org, interrupted);
    await hoursPass(endpoint_id, 63);
    await attempt(org, no);
    expect(await look(org, endpoint_id)).toEqual([true, null, 0]);
  });
});

test("a 410 of an old URL does not disable an endpoint whose URL has changed since", async () => {
  const { org, endpoint_id } = await waiting();
  const [prepared] = await prepare(org);
  await org.admin("PATCH", `/webhooks/endpoints/${endpoint_id}`, { body: { url: "http://localhost:9999/" } });
  if (prepared !== undefined) await settle(org.org_id, prepared, { ...yes, code: 410 });
  expect((await org.admin("GET", `/webhooks/endpoints/${endpoint_id}`)).json.data).toMatchObject({ enabled: true, failing_since: null });
  expect((await attemptsOf(org, endpoint_id))[0]).toMatchObject({ response_code: 410, next_retry_at: expect.any(String) });
});

test("a delivery that succeeds although its endpoint was disabled meanwhile is recorded as succeeded", async () => {
  const { org, endpoint_id } = await waiting();
  const [prepared] = await prepare(org);
  await org.admin("PATCH", `/webhooks/endpoints/${endpoint_id}`, { body: { enabled: false } });
  if (prepared !== undefined) await settle(org.org_id, prepared, yes);
  expect((await org.admin("GET", `/webhooks/deliveries/${prepared?.delivery_id}`)).json.data.status).toBe("succeeded");
});

testInAll("a stop waits briefly for running requests, then aborts them; they are due again immediately", async () => {
  const { org, endpoint_id, receiver } = await waiting();
  receiver.always("hang");
  const delivering = startDelivering({ ...deps(), limits: { ...SHORT, exchange_ms: 600_000 } }, quiet);
  await receiver.received(1);
  await delivering.stop();
  expect(await seen(org, endpoint_id)).toEqual([[1, "failed", "interrupted"]]);
  expect(await take()).toHaveLength(1);
});

test("a fan-out of 250 events by four workers at once creates one delivery each, in the order of the events", async () => {
  const { org, endpoint_id } = await waiting(0);
  for (let n = 0; n < 250; n++) await voidEvent(service, org);
  await Promise.all([1, 2, 3, 4].map(() => fanOut(deps(), { org_id: org.org_id as OrgId })));
  const rows = await service.database.owner<{ event_id: string }>(
    "select event_id from webhook_deliveries where endpoint_id = $1 order by event_seq",
    [endpoint_id],
  );
  const events = await service.database.owner<{ event_id: string }>("select event_id from events where org_id = $1 order by event_seq", [
    org.org_id,
  ]);
  expect(rows).toEqual(events);
  await until("nothing left", async () => (await service.database.owner("select from events where fanned_out_at is null")).length === 0);
});
