import { expect, test } from "vitest";
import { tries } from "../../../testing/all.ts";
import fc from "../../../testing/properties.ts";
import { sentEnvelope } from "../../test/envelopes.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { newMember, vaultedCopies, vaultedEnvelope } from "../../test/vaulted.ts";
import { lastDays } from "../shared/days.ts";
import { DAY_MS } from "../shared/durations.ts";
import { newId } from "../shared/ids.ts";
import { type Status, statuses } from "./envelope.ts";
import { listEnvelopes } from "./list-store.ts";
import { mostListed, sumEnvelopeCounts, timeToSign } from "./statistics-store.ts";
import { sumCounts, sweepEnvelopes } from "./sweep-envelopes.ts";

const service = testService();

/** One minute past midnight, that many days ago. */
const daysAgo = (days: number) => new Date((Math.floor(Date.now() / DAY_MS) - days) * DAY_MS + 60_000);
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

const none = { created: 0, sent: 0, completed: 0, vaulted: 0, declined: 0, voided: 0, expired: 0 };
const noStatus = Object.fromEntries(statuses.map((status) => [status, 0]));

interface Times {
  readonly created_at: Date;
  readonly sent_at?: Date;
  readonly completed_at?: Date;
  readonly ended_at?: Date;
  readonly expires_at?: Date;
}

/** Its latest change is the last thing that happened to it, as with every move. */
async function envelope({ org_id }: TestOrg, status: Status, times: Times): Promise<void> {
  const { created_at, sent_at = null, completed_at = null, ended_at = null, expires_at = null } = times;
  const latest = [created_at, sent_at, completed_at, ended_at].reduce<number>((at, one) => Math.max(at, one?.getTime() ?? 0), 0);
  await service.database.owner(
    `insert into envelopes (org_id, envelope_id, envelope_name, status, created_at, sent_at, completed_at, ended_at, expires_at, updated_at)
     values ($1, $2, 'Lease', $3, $4, $5, $6, $7, $8, $9)`,
    [org_id, newId("envelope", created_at.getTime()), status, created_at, sent_at, completed_at, ended_at, expires_at, new Date(latest)],
  );
}

const statistics = async (org: TestOrg, query = "") => (await org.admin("GET", `/org/statistics${query}`)).json.data;
/** The days on which something happened. */
const busyDays = async (org: TestOrg, query = "") =>
  (await statistics(org, query)).days.filter((day: object) => Object.values(day).some((value) => typeof value === "number" && value > 0));

test("an org without envelopes has every status and every day, all zero", async () => {
  const org = await service.newOrg();
  const { status, json } = await org.admin("GET", "/org/statistics?days=2");
  const days = [dayOf(daysAgo(1)), dayOf(daysAgo(0))];
  expect([status, json]).toEqual([
    200,
    {
      data: {
        since: `${days[0]}T00:00:00.000Z`,
        by_status: noStatus,
        discarded: 0,
        days: days.map((day) => ({ day, ...none })),
        time_to_sign: { median_s: null, p90_s: null, count: 0 },
        webhooks: { days: days.map((day) => ({ day, succeeded: 0, failed: 0 })), endpoints: 0, failing: 0 },
      },
    },
  ]);
  expect((await statistics(org)).days).toHaveLength(30);
  expect((await statistics(org, "?days=90")).days).toHaveLength(90);
});

test("a span is a number of whole UTC days that ends today, even in the last millisecond of a day", () => {
  const { since } = lastDays(1, Date.parse("2026-03-01T23:59:59.999Z"));
  expect(since.toISOString()).toBe("2026-03-01T00:00:00.000Z");
  expect(lastDays(30, Date.parse("2026-03-01T00:00:00.000Z")).since.toISOString()).toBe("2026-01-31T00:00:00.000Z");
});

test("changes over HTTP are counted at once", async () => {
  const org = await service.newOrg();
  const body = { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann" };
  const create = async () => (await org.admin("POST", "/partner/envelopes", { body })).json.data;
  await create();
  const { envelope_id } = await create();
  expect((await org.admin("POST", `/partner/envelopes/${envelope_id}/void`, { body: { reason: "wrong price" } })).status).toBe(200);
  await org.admin("DELETE", `/partner/envelopes/${(await create()).envelope_id}`);
  const { by_status, discarded, days } = await statistics(org, "?days=1");
  // A draft that is voided is discarded.
  expect([by_status, discarded]).toEqual([{ ...noStatus, pending: 1, voided: 2 }, 2]);
  expect(days).toEqual([{ day: dayOf(daysAgo(0)), ...none, created: 3 }]);
});

test("each change counts on the day on which it happened, no matter how old the envelope is", async () => {
  const org = await service.newOrg();
  const created_at = daysAgo(200);
  await envelope(org, "completed", { created_at, sent_at: daysAgo(4), completed_at: daysAgo(3) });
  await envelope(org, "declined", { created_at, sent_at: daysAgo(90), ended_at: daysAgo(3) });
  await envelope(org, "voided", { created_at: daysAgo(4), ended_at: daysAgo(2) });
  await envelope(org, "sent", { created_at: daysAgo(2), sent_at: daysAgo(2), expires_at: daysAgo(-9) });
  await envelope(org, "completed", { created_at, sent_at: daysAgo(200), completed_at: daysAgo(199) });
  expect(await busyDays(org, "?days=6")).toEqual([
    { day: dayOf(daysAgo(4)), ...none, created: 1, sent: 1 },
    { day: dayOf(daysAgo(3)), ...none, completed: 1, declined: 1 },
    { day: dayOf(daysAgo(2)), ...none, created: 1, sent: 1, voided: 1 },
  ]);
  expect((await statistics(org)).by_status).toEqual({ ...noStatus, completed: 2, declined: 1, voided: 1, sent: 1 });
});

test("a vaulted envelope counts as vaulted on the day on which the vault stored it", async () => {
  const org = await service.newOrg();
  const [one] = await vaultedCopies(service, org, 3);
  await service.database.owner("update authoritative_copies set stored_at = $2 where copy_id = $1", [one?.copy_id, daysAgo(3)]);
  const { by_status, days } = await statistics(org, "?days=5");
  expect(by_status).toEqual({ ...noStatus, vaulted: 3 });
  expect(days.map(({ vaulted }: { vaulted: number }) => vaulted)).toEqual([0, 1, 0, 0, 2]);
});

test("an envelope counts as expired on the day of its expiry date, before the sweep has run and the same afterwards", async () => {
  const org = await service.newOrg();
  await sentEnvelope(service, org, { expires_at: daysAgo(2) });
  await sentEnvelope(service, org, { expires_at: daysAgo(2), status: "viewed" });
  await sentEnvelope(service, org, { expires_at: daysAgo(1) });
  await sentEnvelope(service, org);
  await service.database.owner("update envelopes set updated_at = $2 where org_id = $1", [org.org_id, daysAgo(40)]);
  const look = async () => {
    const { by_status, days } = await statistics(org, "?days=4");
    return { by_status, expired: days.map(({ expired }: { expired: number }) => expired) };
  };
  const before = await look();
  expect(before).toEqual({ by_status: { ...noStatus, sent: 1, expired: 3 }, expired: [0, 2, 1, 0] });
  expect((await sweepEnvelopes(service.features.envelopes)).expired).toBe(3);
  expect(await look()).toEqual(before);
});

/** The same figures, counted from the envelopes themselves. */
async function plainCounts({ org_id }: TestOrg, days: number) {
  const owner = (text: string) => service.database.owner<{ day: string; kind: string; n: number }>(text, [org_id]);
  const dayIn = (column: string) => `(${column} at time zone 'UTC')::date::text`;
  const due = "status in ('sent', 'viewed') and expires_at <= now()";
  const now = await owner(
    `select '' as day, case when ${due} then 'expired' else status end as kind, count(*)::int as n from envelopes where org_id = $1 group by 2`,
  );
  const discarded = await owner(
    "select '' as day, 'discarded' as kind, count(*)::int as n from envelopes where org_id = $1 and discarded_at is not null",
  );
  const happened = await owner(`select day, kind, count(*)::int as n from (
      select ${dayIn("created_at")} as day, 'created' as kind from envelopes where org_id = $1
      union all select ${dayIn("sent_at")}, 'sent' from envelopes where org_id = $1
      union all select ${dayIn("completed_at")}, 'completed' from envelopes where org_id = $1
      union all select ${dayIn("ended_at")}, status from envelopes where org_id = $1 and discarded_at is null and status in ('declined', 'voided')
      union all select ${dayIn("expires_at")}, 'expired' from envelopes where org_id = $1 and (status = 'expired' or ${due})
      union all select ${dayIn("stored_at")}, 'vaulted' from authoritative_copies where org_id = $1 and vault_no is not null
    ) all_of_them where day is not null group by day, kind`);
  const on = (day: string) => Object.fromEntries(happened.filter((row) => row.day === day).map(({ kind, n }) => [kind, n]));
  return {
    by_status: { ...noStatus, ...Object.fromEntries(now.map(({ kind, n }) => [kind, n])) },
    discarded: discarded[0]?.n,
    days: Array.from({ length: days }, (_, n) => dayOf(daysAgo(days - 1 - n))).map((day) => ({ day, ...none, ...on(day) })),
  };
}

async function shownCounts(org: TestOrg, days: number) {
  const { status, json } = await org.admin("GET", `/org/statistics?days=${days}`);
  expect([status, json.details]).toEqual([200, undefined]);
  const { by_status, discarded, days: shown } = json.data;
  return { by_status, discarded, days: shown };
}

/** What lists say as their total, by status. */
const listedTotals = async ({ org_id }: TestOrg) => {
  const totals = await service.db.tx(org_id, async (tx) => {
    const found: [string, number][] = [];
    for (const status of statuses) found.push([status, (await listEnvelopes(tx, org_id, { status }, { page: 1, limit: 1 })).total]);
    return found;
  });
  return Object.fromEntries(totals);
};

test("the counts equal those of the envelopes after any changes, before and after they are added up", async () => {
  const org = await service.newOrg();
  const [vaulted] = await vaultedCopies(service, org, 2);
  const at = fc.option(
    fc.integer({ min: -2, max: 6 }).map((days) => daysAgo(days)),
    { nil: null },
  );
  const changes = fc.record({
    which: fc.nat(7),
    status: fc.constantFrom(...statuses),
    created_at: fc.integer({ min: 0, max: 6 }).map((days) => daysAgo(days)),
    sent_at: at,
    completed_at: at,
    ended_at: at,
    expires_at: at,
    discarded_at: at,
    stored_at: fc.integer({ min: 0, max: 6 }).map((days) => daysAgo(days)),
    sums: fc.constantFrom(0, 1, 3, 50_000),
  });
  const made: string[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 6 }), async (steps) => {
      for (const { which, status, created_at, sent_at, completed_at, ended_at, expires_at, discarded_at, stored_at, sums } of steps) {
        const completed = sent_at !== null && completed_at !== null && completed_at < sent_at ? sent_at : completed_at;
        const values = [org.org_id, status, created_at, sent_at, completed, ended_at, expires_at, discarded_at];
        if (made[which] === undefined) {
          made[which] = newId("envelope");
          await service.database.owner(
            `insert into envelopes (org_id, status, created_at, sent_at, completed_at, ended_at, expires_at, discarded_at, envelope_id, envelope_name)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'Lease')`,
            [...values, made[which]],
          );
        } else {
          await service.database.owner(
            `update envelopes set status = $2, created_at = $3, sent_at = $4, completed_at = $5, ended_at = $6, expires_at = $7, discarded_at = $8
             where org_id = $1 and envelope_id = $9`,
            [...values, made[which]],
          );
        }
        await service.database.owner("update authoritative_copies set stored_at = $2 where copy_id = $1", [vaulted?.copy_id, stored_at]);
        if (sums > 0) await service.db.system((tx) => sumEnvelopeCounts(tx, sums));
      }
      const plain = await plainCounts(org, 5);
      expect(await shownCounts(org, 5)).toEqual(plain);
      expect(await listedTotals(org)).toEqual(plain.by_status);
    }),
    { numRuns: tries(100), endOnFailure: true },
  );
  await sumCounts(service.features.envelopes);
  const left = await service.database.owner<{ n: number }>("select count(*)::int as n from envelope_count_changes where org_id = $1", [
    org.org_id,
  ]);
  expect(left).toEqual([{ n: 0 }]);
  const { by_status } = await shownCounts(org, 1);
  for (const status of statuses) {
    const most = await service.db.tx(org.org_id, (tx) => mostListed(tx, org.org_id, { status }));
    expect(most, status).toBeGreaterThanOrEqual(by_status[status]);
  }
  expect(await shownCounts(org, 5)).toEqual(await plainCounts(org, 5));
  expect(await listedTotals(org)).toEqual((await plainCounts(org, 1)).by_status);
}, 120_000);

test("no count is lost or seen twice while changes are added up", async () => {
  const org = await service.newOrg();
  const add = () => envelope(org, "pending", { created_at: daysAgo(0) });
  let isAdding = true;
  const sums = (async () => {
    while (isAdding) await service.db.system((tx) => sumEnvelopeCounts(tx, 2));
  })();
  for (let n = 1; n <= 30; n++) {
    await add();
    const { by_status, days } = await shownCounts(org, 1);
    expect([by_status.pending, days[0].created]).toEqual([n, n]);
  }
  isAdding = false;
  await sums;
  expect(await shownCounts(org, 1)).toEqual(await plainCounts(org, 1));
});

test("a vaulted record that came through the pipeline is counted once", async () => {
  const org = await service.newOrg();
  await vaultedEnvelope(service, org);
  expect(await shownCounts(org, 2)).toEqual(await plainCounts(org, 2));
  expect((await shownCounts(org, 1)).days[0].vaulted).toBe(1);
});

test("the time to sign of many envelopes is that of the latest", async () => {
  const org = await service.newOrg();
  const sent_at = daysAgo(3);
  for (const [hours, seconds] of [
    [1, 100],
    [2, 200],
    [3, 300],
  ] as const) {
    const completed_at = new Date(sent_at.getTime() + hours * 3_600_000);
    await envelope(org, "completed", { created_at: sent_at, sent_at: new Date(completed_at.getTime() - seconds * 1000), completed_at });
  }
  const times = await service.db.tx(org.org_id, (tx) => timeToSign(tx, org.org_id, lastDays(30, Date.now()), 2));
  expect(times).toEqual({ median_s: 250, p90_s: 290, count: 2 });
});

test("the time to sign is from sent to completed, for envelopes completed in the span; those that were never sent are left out", async () => {
  const org = await service.newOrg();
  const after = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000);
  const sent_at = daysAgo(3);
  for (const seconds of [400, 100, 300, 200]) {
    await envelope(org, "completed", { created_at: sent_at, sent_at, completed_at: after(sent_at, seconds) });
  }
  await envelope(org, "completed", { created_at: sent_at, completed_at: sent_at });
  await envelope(org, "completed", { created_at: daysAgo(50), sent_at: daysAgo(50), completed_at: after(daysAgo(50), 9_000) });
  expect((await statistics(org)).time_to_sign).toEqual({ median_s: 250, p90_s: 370, count: 4 });
  expect((await statistics(org, "?days=1")).time_to_sign).toEqual({ median_s: null, p90_s: null, count: 0 });
});

test("a viewer and a key with envelopes:read can read it for their own org; another scope is 403, no credential 401", async () => {
  const [org, stranger] = [await service.newOrg(), await service.newOrg()];
  await envelope(org, "pending", { created_at: daysAgo(0) });
  const viewer = await newMember(service, org, "viewer");
  const { send: byKey } = await org.newKey({ scopes: ["envelopes:read"] });
  for (const send of [viewer.send, byKey]) expect((await send("GET", "/org/statistics")).json.data.by_status.pending).toBe(1);
  const { send: unfit } = await org.newKey({ scopes: ["webhooks:read"] });
  const refused = await unfit("GET", "/org/statistics");
  expect([refused.status, refused.json]).toEqual([403, refusedWith("Missing required scope: envelopes:read")]);
  expect((await service.send("GET", "/org/statistics")).status).toBe(401);
  expect((await statistics(stranger)).by_status).toEqual(noStatus);
  expect(await busyDays(stranger)).toEqual([]);
});

test.each(["0", "91", "-1", "x", "1.5", ""])("days=%s is 422", async (days) => {
  const org = await service.newOrg();
  const { status, json } = await org.admin("GET", `/org/statistics?days=${days}`);
  expect([status, json.details[0].location, json.details[0].field]).toEqual([422, "query", "days"]);
});
