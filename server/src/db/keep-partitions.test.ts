import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attemptsOf, newEndpoint, quiet, voidEvent } from "../../test/deliveries.ts";
import { withClient } from "../../test/global-setup.ts";
import { type Receiver, startReceiver } from "../../test/receiver.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { jobHandlers } from "../main.ts";
import { DAY_MS } from "../shared/durations.ts";
import { firstId, newId, timeOf } from "../shared/ids.ts";
import { startDelivering } from "../webhooks/delivery-loop.ts";
import { fanOut } from "../webhooks/fan-out.ts";
import { addPartitions, keepPartitions, lackPartitions } from "./keep-partitions.ts";
import { addPartition, listPartitions, type Partitioned, partitioned } from "./partition-store.ts";

const service = testService();
const deps = () => service.features.partitions;
const owner = (text: string, ...values: unknown[]) => service.database.owner(text, values);
const keep = (changed: object = {}) => keepPartitions({ ...deps(), ...changed });
const partitionsOf = async (parent: Partitioned) => (await service.db.system(listPartitions)).filter((one) => one.parent === parent);
const namesOf = async (parent: Partitioned) => (await partitionsOf(parent)).map(({ name }) => name);

// A month and more after the retention of deliveries, and long before that of events.
const OLD_MS = Date.now() - 60 * DAY_MS;
const BOUND = firstId("event", Date.now() - 50 * DAY_MS);

/** As if the installation had been migrated before `BOUND`: the oldest partition ends there, and another one goes on to the present. */
async function age(parent: Partitioned): Promise<void> {
  const [oldest] = await partitionsOf(parent);
  await owner(`alter table ${parent} detach partition ${oldest?.name}`);
  await owner(`alter table ${parent} attach partition ${oldest?.name} for values from (minvalue) to ('${BOUND}')`);
  await owner(`create table ${parent}_later partition of ${parent} for values from ('${BOUND}') to ('${oldest?.ends}')`);
}

let org: TestOrg;
let receiver: Receiver;
let endpoint_id: string;
beforeAll(async () => {
  await age("events");
  [org, receiver] = [await service.newOrg(), await startReceiver()];
  endpoint_id = (await newEndpoint(org, receiver)).endpoint_id;
});
afterAll(() => receiver.close());

describe("there are partitions", () => {
  test("for the present and three more periods, which begin with months, with Mondays, and with 50 million leaves", async () => {
    expect(await service.db.system(lackPartitions)).toEqual([]);
    for (const parent of partitioned) {
      const all = await partitionsOf(parent);
      expect(all.slice(1).map(({ starts }) => starts)).toEqual(all.slice(0, -1).map(({ ends }) => ends));
      expect(all[0]?.starts, "has no lower bound").toBeNull();
      if (parent === "log_leaves") {
        expect(all.map(({ ends }) => ends)).toEqual(["50000000", "100000000", "150000000", "200000000"]);
        continue;
      }
      const ends = all.slice(1).map((one) => new Date(timeOf(one.ends)));
      expect(ends.length).toBeGreaterThanOrEqual(3);
      for (const end of ends) expect(end.toISOString()).toMatch(parent === "events" ? /-01T00:00:00.000Z$/ : /T00:00:00.000Z$/);
      if (parent !== "events") expect(ends.map((end) => end.getUTCDay())).toEqual(ends.map(() => 1));
    }
    expect(await addPartitions((run) => service.db.system(run)), "nothing is missing").toBe(0);
  });

  test("again after a long pause, when the job has run: until then nothing can be written", async () => {
    const all = await partitionsOf("events");
    for (const { name } of all.slice(1)) await owner(`drop table ${name}`);
    expect(await service.db.system(lackPartitions)).toEqual(["events"]);
    await expect(voidEvent(service, org)).rejects.toThrow(/no partition of relation "events" found/);
    await jobHandlers(service.features)["db.partitions"]({});
    expect(await service.db.system(lackPartitions)).toEqual([]);
    await voidEvent(service, org);
    const bounds = await partitionsOf("events");
    expect(bounds[0]?.ends).toBe(BOUND);
    expect(bounds.slice(1).map(({ starts }) => starts)).toEqual(bounds.slice(0, -1).map(({ ends }) => ends));
  });

  test("for leaves by their number, not by time", async () => {
    await owner("insert into log_leaves (leaf_index, hash) values (50000001, repeat('a', 64))");
    expect(await service.db.system(lackPartitions)).toEqual(["log_leaves"]);
    await keep();
    expect((await partitionsOf("log_leaves")).at(-1)?.ends).toBe("250000000");
    await owner("delete from log_leaves where leaf_index = 50000001");
  });
});

describe("the doors refuse", () => {
  beforeAll(async () => {
    for (const parent of ["webhook_deliveries", "webhook_attempts"] as const) await age(parent);
  });
  const add = (parent: string, ends: string) => service.db.system((tx) => addPartition(tx, parent as Partitioned, ends));
  const drop = (parent: string, ends: string, days: number) =>
    owner("select drop_partition($1, $2, make_interval(days => $3))", parent, ends, days);

  test.each([
    ["another table", "envelopes", "evt_0123456789"],
    ["a bound that is no time", "events", "evt_01234"],
    ["a bound with a quote", "events", "evt_0'); --"],
    ["an ID of another kind", "events", "whd_7zzzzzzzzz"],
    ["a number for times", "events", "200000000000"],
    ["a time for numbers", "log_leaves", "evt_7zzzzzzzzz"],
    ["a negative number", "log_leaves", "-50000000"],
  ])("to add one with %s", async (_what, parent, ends) => {
    await expect(add(parent, ends)).rejects.toThrow(`no partition of ${parent} can end at ${ends}`);
  });

  test("to add one before the last, and more than anyone needs", async () => {
    const last = (await partitionsOf("events")).at(-1)?.ends ?? "";
    await expect(add("events", last)).rejects.toThrow("the partitions of events end at");
    await expect(add("events", firstId("event", Date.now()))).rejects.toThrow("the partitions of events end at");
    let next = timeOf(last);
    await expect(
      (async () => {
        for (let n = 0; n < 20; n++) {
          next += DAY_MS;
          await add("events", firstId("event", next));
        }
      })(),
    ).rejects.toThrow("events has enough partitions for later");
  });

  test("to drop leaves, attempts without their deliveries, what is not old, and anything in less than a day", async () => {
    for (const [parent, ends, days] of [
      ["log_leaves", "50000000", 400],
      ["webhook_attempts", BOUND, 30],
      ["webhook_deliveries", "x", 30],
      ["webhook_deliveries", BOUND, 0],
    ] as const)
      await expect(drop(parent, ends, days)).rejects.toThrow(`no partition of ${parent} that ends at ${ends} is dropped`);
    expect(await drop("webhook_deliveries", BOUND, 51)).toEqual([{ drop_partition: false }]);
    expect(await drop("webhook_deliveries", firstId("event", OLD_MS), 30), "no partition ends there").toEqual([{ drop_partition: false }]);
    expect(await namesOf("webhook_deliveries")).toContain("webhook_deliveries_oldest");
  });
});

describe("after the retention", () => {
  let event_id: string;
  const delivery = async () => {
    const [row] = await owner("select delivery_id, status from webhook_deliveries where event_id = $1", event_id);
    return row as { delivery_id: string; status: string } | undefined;
  };
  const hasOldest = async () =>
    (await service.db.system(listPartitions)).filter(({ name }) => name.endsWith("_oldest")).map(({ parent }) => parent);
  const ALL = ["events", "log_leaves", "webhook_attempts", "webhook_deliveries"];

  async function deliverAll(): Promise<void> {
    const delivering = startDelivering(service.features.webhooks, quiet);
    await until("it was delivered", async () => (await delivery())?.status === "succeeded");
    await delivering.stop();
  }

  beforeAll(async () => {
    event_id = newId("event", OLD_MS);
    await owner(
      `insert into events (org_id, event_id, event_type, envelope_id, occurred_at, body)
       values ($1, $2, 'envelope.voided', $3, now(), '{"old":true}')`,
      org.org_id,
      event_id,
      newId("envelope"),
    );
  });

  test("an event that was not fanned out keeps its own partition and those of its deliveries", async () => {
    await keep({ eventDays: 30 });
    expect(await hasOldest()).toEqual(ALL);
  });

  test("a delivery that is pending keeps them, also once its event was fanned out", async () => {
    await fanOut(service.features.webhooks, { org_id: org.org_id });
    expect((await delivery())?.status).toBe("pending");
    await keep({ eventDays: 30 });
    expect(await hasOldest()).toEqual(ALL);
  });

  test("an event stays while it has deliveries, and a replay makes one pending again", async () => {
    await deliverAll();
    const { delivery_id } = (await delivery()) ?? expect.fail("no delivery");
    expect((await org.admin("POST", `/webhooks/deliveries/${delivery_id}/replay`)).status).toBe(202);
    await keep({ eventDays: 30 });
    expect(await hasOldest()).toEqual(ALL);
    await deliverAll();
    await keep({ deliveryDays: 400, eventDays: 30 });
    expect(await hasOldest()).toEqual(ALL);
    expect(receiver.requests.filter(({ body }) => body.toString() === '{"old":true}')).toHaveLength(2);
  });

  test("a partition that a reader has stays until the next time, and holds no one up", async () => {
    await withClient(service.database.url, async (backup) => {
      await backup.query("begin; select from webhook_deliveries limit 1");
      await keep();
      expect(await hasOldest()).toEqual(ALL);
      await backup.query("rollback");
    });
  });

  test("deliveries and their attempts are dropped, and events stay for longer", async () => {
    const { delivery_id } = (await delivery()) ?? expect.fail("no delivery");
    const idsBefore = (await attemptsOf(org, endpoint_id)).filter((one) => one.event_id === event_id);
    expect(idsBefore).toHaveLength(2);
    await keep();
    expect(await hasOldest()).toEqual(["events", "log_leaves"]);
    expect((await org.admin("GET", `/webhooks/deliveries/${delivery_id}`)).json).toEqual(refusedWith("Delivery not found"));
    expect((await attemptsOf(org, endpoint_id)).filter((one) => one.event_id === event_id)).toEqual([]);
    expect(await owner("select from events where event_id = $1", event_id)).toHaveLength(1);
    await keep({ eventDays: 49 });
    expect(await hasOldest()).toEqual(["log_leaves"]);
    expect(await service.db.system(lackPartitions)).toEqual([]);
  });
});

test("a partition is added while others read and write", async () => {
  await withClient(service.database.url, async (other) => {
    await other.query("begin; select from events; select from log_leaves limit 1");
    const last = (await partitionsOf("log_leaves")).at(-1)?.ends;
    await service.db.system((tx) => addPartition(tx, "log_leaves", String(Number(last) + 1)));
    await other.query("rollback");
  });
});
