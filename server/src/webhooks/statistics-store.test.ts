import { afterAll, expect, test } from "vitest";
import { newEndpoint, settledAttempts, testDeliveries, voidEvent } from "../../test/deliveries.ts";
import { type Receiver, startReceiver, type Treatment } from "../../test/receiver.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";
import { DAY_MS } from "../shared/durations.ts";

const service = testService();
testDeliveries(service);
const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((one) => one.close())));

/** An endpoint whose receiver treats successive events in these ways. */
async function delivered(org: TestOrg, ...treatments: Treatment[]): Promise<string> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  receiver.next(...treatments);
  const { endpoint_id } = await newEndpoint(org, receiver, { event_types: ["envelope.voided"] });
  for (const [index] of treatments.entries()) {
    await voidEvent(service, org);
    await settledAttempts(org, endpoint_id, index + 1);
  }
  await org.admin("PATCH", `/webhooks/endpoints/${endpoint_id}`, { body: { event_types: ["vault.stored"] } });
  return endpoint_id;
}

const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Moves everything that was settled so far this many days into the past. */
async function age(endpoint_id: string, days: number): Promise<void> {
  await service.database.owner("update webhook_days set day = day - $2::int where endpoint_id = $1", [endpoint_id, days]);
  await service.database.owner(
    `update webhook_attempts set attempted_at = attempted_at - make_interval(days => $2::int) where endpoint_id = $1`,
    [endpoint_id, days],
  );
}

const statistics = async (org: TestOrg, endpoint_id: string, query = "") =>
  (await org.admin("GET", `/webhooks/endpoints/${endpoint_id}/statistics${query}`)).json.data;

test("every day of the span is included, oldest first, with the results and durations of its attempts", async () => {
  const org = await service.newOrg();
  const endpoint_id = await delivered(org, 200, 500, 204, { status: 302, headers: { location: "/" } }, 200);
  const other = await delivered(org, 200);
  await age(endpoint_id, 2);
  const { days, ...all } = await statistics(org, endpoint_id);
  expect(all).toEqual({ endpoint_id, succeeded: 3, failed: 2, success_rate: 0.6 });
  expect(days).toHaveLength(14);
  expect(days.map(({ day }: { day: string }) => day)).toEqual(Array.from({ length: 14 }, (_, n) => dayAgo(13 - n)));
  const durations = (await settledAttempts(org, endpoint_id, 5)).map(({ duration_ms }) => duration_ms).sort((a, b) => a - b);
  expect(days[11]).toEqual({ day: dayAgo(2), succeeded: 3, failed: 2, p50_ms: durations[2], p95_ms: durations[4] });
  for (const n of [0, 10, 12, 13]) expect(days[n]).toMatchObject({ succeeded: 0, failed: 0, p50_ms: null, p95_ms: null });
  expect(await statistics(org, endpoint_id, "?days=1")).toMatchObject({ days: [{ day: dayAgo(0) }], succeeded: 0, success_rate: null });
  expect((await statistics(org, endpoint_id, "?days=90")).days).toHaveLength(90);
  expect(await statistics(org, other)).toMatchObject({ succeeded: 1, failed: 0, success_rate: 1 });
});

test("counts outlast the attempts, which are kept for a limited number of days; the durations are then unknown", async () => {
  const org = await service.newOrg();
  const endpoint_id = await delivered(org, 200);
  await service.database.owner("delete from webhook_attempts where endpoint_id = $1", [endpoint_id]);
  const { days, succeeded } = await statistics(org, endpoint_id, "?days=1");
  expect([succeeded, days]).toEqual([1, [{ day: dayAgo(0), succeeded: 1, failed: 0, p50_ms: null, p95_ms: null }]]);
});

test("the organization's statistics add up its endpoints, including deleted ones, with how many there are and how many fail", async () => {
  const org = await service.newOrg();
  const well = await delivered(org, 200, 200);
  const failing = await delivered(org, 500);
  const gone = await delivered(org, 200);
  const off = await delivered(org, 500);
  await org.admin("DELETE", `/webhooks/endpoints/${gone}`);
  await org.admin("PATCH", `/webhooks/endpoints/${off}`, { body: { enabled: false } });
  await age(well, 1);
  const { webhooks } = (await org.admin("GET", "/org/statistics?days=3")).json.data;
  expect(webhooks).toEqual({
    days: [
      { day: dayAgo(2), succeeded: 0, failed: 0 },
      { day: dayAgo(1), succeeded: 2, failed: 0 },
      { day: dayAgo(0), succeeded: 1, failed: 2 },
    ],
    endpoints: 3,
    failing: 1,
  });
  expect((await org.admin("GET", `/webhooks/endpoints/${failing}`)).json.data.failing_since).not.toBeNull();
  const stranger = await service.newOrg();
  expect((await stranger.admin("GET", "/org/statistics?days=1")).json.data.webhooks).toEqual({
    days: [{ day: dayAgo(0), succeeded: 0, failed: 0 }],
    endpoints: 0,
    failing: 0,
  });
});

test("a viewer and a key with webhooks:read can read them; another scope is 403, another organization's endpoint 404, a wrong span 422", async () => {
  const [org, stranger] = [await service.newOrg(), await service.newOrg()];
  const { endpoint_id } = await newEndpoint(org, { url: "https://example.com/hooks" });
  const path = `/webhooks/endpoints/${endpoint_id}/statistics`;
  const viewer = await newMember(service, org, "viewer");
  const { send: byKey } = await org.newKey({ scopes: ["webhooks:read"] });
  for (const send of [viewer.send, byKey]) expect((await send("GET", path)).status).toBe(200);
  const { send: unfit } = await org.newKey({ scopes: ["envelopes:read"] });
  expect((await unfit("GET", path)).json).toEqual(refusedWith("Missing required scope: webhooks:read"));
  const foreign = await stranger.admin("GET", path);
  expect([foreign.status, foreign.json]).toEqual([404, refusedWith("Endpoint not found")]);
  for (const days of ["0", "91", "x", "1.5", ""]) {
    const { status, json } = await org.admin("GET", `${path}?days=${days}`);
    expect([days, status, json.details[0].field]).toEqual([days, 422, "days"]);
  }
});
