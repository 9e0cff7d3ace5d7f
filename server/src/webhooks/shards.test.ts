import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEndpoint, quiet, voidEvent } from "../../test/deliveries.ts";
import { withClient } from "../../test/global-setup.ts";
import { type Receiver, startReceiver, type Treatment } from "../../test/receiver.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { newId, type OrgId } from "../shared/ids.ts";
import { startDelivering } from "./delivery-loop.ts";
import { takeDue } from "./delivery-store.ts";
import { fanOut } from "./fan-out.ts";

/** Organizations in the same shard and in different ones, and workers that deliver at the same time. No worker runs unless a test starts it. */

const service = testService();
const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((one) => one.close())));

async function receiver(always: Treatment): Promise<Receiver> {
  const one = await startReceiver();
  one.always(always);
  receivers.push(one);
  return one;
}

async function shardOf({ org_id }: TestOrg): Promise<number> {
  const [row] = await service.database.owner<{ shard: number }>("select (abs(hashtext($1)::bigint) % 16)::int as shard", [org_id]);
  return row?.shard ?? expect.fail("no shard");
}

let same: readonly [TestOrg, TestOrg];
let other: TestOrg;
beforeAll(async () => {
  const byShard = new Map<number, TestOrg[]>();
  const isPair = (orgs: readonly TestOrg[]) => orgs.length === 2;
  while (byShard.size < 2 || ![...byShard.values()].some(isPair)) {
    const org = await service.newOrg();
    const shard = await shardOf(org);
    byShard.set(shard, [...(byShard.get(shard) ?? []), org]);
  }
  const all = [...byShard.values()];
  const pair = all.find(isPair) ?? [];
  same = pair as unknown as typeof same;
  other = all.find((orgs) => orgs !== pair)?.[0] ?? expect.fail("no other shard");
});

const deps = () => service.features.webhooks;
const take = (limit = 64) => service.db.system((tx) => takeDue(tx, { limit, perEndpoint: 8, perOrg: 24 }, 30));
const orgsOf = (taken: readonly { readonly org_id: OrgId }[]) => [...new Set(taken.map(({ org_id }) => org_id))].sort();
const idsOf = (...orgs: readonly TestOrg[]) => orgs.map(({ org_id }) => org_id).sort();
const clear = async () => {
  for (const table of ["webhook_attempts", "webhook_deliveries", "webhook_days", "webhook_endpoints"])
    await service.database.owner(`delete from ${table}`);
};
const allSettled = () =>
  until("all deliveries", async () => {
    const left = await service.database.owner("select from webhook_deliveries where status = 'pending' or leased_until is not null");
    return left.length === 0;
  });

describe("taking", () => {
  test("leaves a shard that another worker has to it, takes from the others, and waits for no one", async () => {
    await clear();
    for (const org of [...same, other]) {
      await newEndpoint(org, await receiver(200));
      await voidEvent(service, org);
      await fanOut(deps(), { org_id: org.org_id });
    }
    await withClient(service.database.url, async (worker) => {
      await worker.query("begin");
      await worker.query("select pg_advisory_xact_lock(5013, $1)", [await shardOf(other)]);
      expect(orgsOf(await take())).toEqual(idsOf(...same));
      expect(await take()).toEqual([]);
    });
    expect(orgsOf(await take())).toEqual([other.org_id]);
  });

  test("by a worker of an earlier version waits until no worker has a shard, so caps stay exact beside it", async () => {
    await withClient(service.database.url, async (worker) => {
      await worker.query("begin");
      await worker.query("select pg_advisory_xact_lock(5013, $1)", [await shardOf(other)]);
      const earlier = service.database.owner(
        "set lock_timeout = '100ms'; select * from take_due_deliveries(1, 8, 24, interval '1 second'); reset lock_timeout",
      );
      await expect(earlier).rejects.toThrow("lock timeout");
    });
  });
});

describe("two workers", () => {
  const EVENTS = 12;
  const ENDPOINTS = 4;

  test("never make more requests for an organization than it has places, deliver each event once, and keep the order", async () => {
    await clear();
    const held = withResolvers();
    const targets = new Map<TestOrg, Receiver[]>();
    const sent = new Map<TestOrg, string[]>();
    for (const org of [...same, other]) {
      targets.set(org, await Promise.all(Array.from({ length: ENDPOINTS }, () => receiver({ status: 200, after: held.promise }))));
      for (const target of targets.get(org) ?? []) await newEndpoint(org, target);
      const events: string[] = [];
      for (let n = 0; n < EVENTS; n++) events.push(await voidEvent(service, org));
      sent.set(org, events);
      await fanOut(deps(), { org_id: org.org_id });
    }
    const workers = [startDelivering(deps(), quiet), startDelivering(deps(), quiet)];
    const requestsOf = (org: TestOrg) => (targets.get(org) ?? []).flatMap(({ requests }) => requests);
    await until("24 requests of each organization", async () => [...targets.keys()].every((org) => requestsOf(org).length === 24));
    expect(await take(), "no place is free").toEqual([]);
    for (const [org, list] of targets) {
      expect(requestsOf(org)).toHaveLength(24);
      for (const { requests } of list) expect(requests.length).toBeLessThanOrEqual(8);
    }

    held.resolve();
    await allSettled();
    for (const [org, list] of targets) {
      for (const { requests } of list) {
        expect(requests.map(({ headers }) => headers["webhook-id"]).sort()).toEqual([...(sent.get(org) ?? [])].sort());
      }
    }
    // Of one envelope, in order.
    const envelope_id = newId("envelope");
    for (const { requests } of [...targets.values()].flat()) requests.length = 0;
    const ordered = new Map<TestOrg, string[]>();
    for (const org of targets.keys()) {
      const events: string[] = [];
      for (let n = 0; n < 10; n++) events.push(await voidEvent(service, org, envelope_id, `turn ${n}`));
      ordered.set(org, events);
      await fanOut(deps(), { org_id: org.org_id });
    }
    await allSettled();
    await Promise.all(workers.map((worker) => worker.stop()));
    for (const [org, list] of targets) {
      for (const { requests } of list) expect(requests.map(({ headers }) => headers["webhook-id"])).toEqual(ordered.get(org));
    }
    const attempts = await service.database.owner<{ status: string; attempt_count: number; n: number }>(
      "select status, attempt_count, count(*)::int as n from webhook_attempts group by 1, 2",
    );
    expect(attempts).toEqual([{ status: "succeeded", attempt_count: 1, n: 3 * ENDPOINTS * (EVENTS + 10) }]);
    const counted = await service.database.owner<{ n: number }>("select sum(succeeded)::int as n from webhook_days");
    expect(counted).toEqual([{ n: 3 * ENDPOINTS * (EVENTS + 10) }]);
  });

  test("record the results of others while one organization has its endpoint locked, and those of that one afterwards", async () => {
    await clear();
    const [slow, quick] = same;
    const [of_slow, of_quick] = [await receiver(200), await receiver(200)];
    const { endpoint_id } = await newEndpoint(slow, of_slow);
    await newEndpoint(quick, of_quick);
    const workers = [startDelivering(deps(), quiet), startDelivering(deps(), quiet)];
    const settled = async ({ org_id }: TestOrg) =>
      (await service.database.owner("select from webhook_deliveries where org_id = $1 and status = 'succeeded'", [org_id])).length;
    await withClient(service.database.url, async (locking) => {
      await locking.query("begin");
      await locking.query("select from webhook_endpoints where endpoint_id = $1 for no key update", [endpoint_id]);
      for (const org of [slow, quick, quick, quick]) {
        await voidEvent(service, org);
        await fanOut(deps(), { org_id: org.org_id });
      }
      await until("those of the other organization", async () => (await settled(quick)) === 3);
      await of_slow.received(1);
      expect(await settled(slow)).toBe(0);
      await locking.query("rollback");
    });
    await allSettled();
    await Promise.all(workers.map((worker) => worker.stop()));
    expect([await settled(slow), of_slow.requests.length, of_quick.requests.length]).toEqual([1, 1, 3]);
  });
});

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
