import { expect, test } from "vitest";
import { testService } from "../../test/service.ts";
import { newId } from "../shared/ids.ts";
import { BUCKET_SIZE } from "./list-store.ts";
import { fillBuckets, sumCounts, sweepEnvelopes } from "./sweep-envelopes.ts";

const service = testService();

test("every page of a long list is what a plain count and offset would give, before and after its buckets are filled", async () => {
  const org = await service.newOrg();
  const key = await org.newKey({ rate_limit_rpm: 100_000 });
  const customer = (await key.send("POST", "/partner/customers", { body: { name: "Ann" } })).json.data.customer_id;
  const rows = 2 * BUCKET_SIZE + 350;
  const at = Date.now() - rows * 1000;
  const ids = Array.from({ length: rows }, (_, n) => newId("envelope", at + n));
  await service.database.owner(
    `insert into envelopes (org_id, envelope_id, envelope_name, status, customer_id)
     select $1, id, 'E', 'pending', case when n % 2 = 0 then $3 end from unnest($2::text[]) with ordinality as given (id, n)`,
    [org.org_id, ids, customer],
  );
  const newestFirst = [...ids].reverse();
  const look = async (query: string, expected: readonly string[]) => {
    for (const page of [1, 2, 11, 12, 23, 24, 25, 99]) {
      const { json } = await key.send("GET", `/partner/envelopes?limit=100&page=${page}${query}`);
      expect(json.meta.total).toBe(expected.length);
      expect(json.data.map((one: { envelope_id: string }) => one.envelope_id)).toEqual(expected.slice((page - 1) * 100, page * 100));
    }
    const odd = await key.send("GET", `/partner/envelopes?limit=7&page=151${query}`);
    expect(odd.json.data.map((one: { envelope_id: string }) => one.envelope_id)).toEqual(expected.slice(1_050, 1_057));
  };
  const ofCustomer = ids.filter((_, index) => (index + 1) % 2 === 0).reverse();
  await look("", newestFirst);
  await look(`&customer_id=${customer}`, ofCustomer);
  expect(await fillBuckets(service.features.envelopes)).toBe(0);
  // Two of all, two of those that were not discarded, one of the customer's.
  expect(await fillBuckets(service.features.envelopes, "0 seconds")).toBe(5);
  await look("", newestFirst);
  await look(`&customer_id=${customer}`, ofCustomer);
  const late = newId("envelope");
  await service.database.owner("insert into envelopes (org_id, envelope_id, envelope_name, status) values ($1, $2, 'E', 'pending')", [
    org.org_id,
    late,
  ]);
  await look("", [late, ...newestFirst]);
  await look("&status=pending", [late, ...newestFirst]);
});

test("the list without discarded drafts is right at every depth, before and after a discard and the next sweep", async () => {
  const org = await service.newOrg();
  const key = await org.newKey({ rate_limit_rpm: 100_000 });
  const rows = 2 * BUCKET_SIZE + 150;
  const at = Date.now() - rows * 1000;
  const ids = Array.from({ length: rows }, (_, n) => newId("envelope", at + n));
  await service.database.owner(
    "insert into envelopes (org_id, envelope_id, envelope_name, status) select $1, id, 'E', 'pending' from unnest($2::text[]) as id",
    [org.org_id, ids],
  );
  let left = [...ids].reverse();
  const look = async () => {
    for (const page of [1, 2, 11, 12, 21, 22, 99]) {
      const { json } = await key.send("GET", `/partner/envelopes?discarded=exclude&limit=100&page=${page}`);
      expect(json.meta, String(page)).toEqual({ page, limit: 100, total: left.length });
      expect(json.data.map((one: { envelope_id: string }) => one.envelope_id)).toEqual(left.slice((page - 1) * 100, page * 100));
    }
    const all = await key.send("GET", "/partner/envelopes?limit=1");
    expect(all.json.meta.total, "a list without the parameter has them").toBe(rows);
  };
  const discard = async (index: number) => {
    const id = ids[index] ?? "";
    expect((await key.send("DELETE", `/partner/envelopes/${id}`)).status).toBe(200);
    left = left.filter((one) => one !== id);
  };
  const buckets = async () =>
    (await service.database.owner("select from envelope_buckets where org_id = $1 and subset = 'live'", [org.org_id])).length;
  await look();
  await fillBuckets(service.features.envelopes, "0 seconds");
  expect(await buckets()).toBe(2);
  await discard(1_500);
  expect(await buckets(), "those from it on").toBe(1);
  await look();
  await discard(10);
  await discard(rows - 1);
  expect(await buckets()).toBe(0);
  await look();
  await service.database.owner("update envelopes set created_at = now() - interval '9 days' where org_id = $1", [org.org_id]);
  await fillBuckets(service.features.envelopes, "0 seconds");
  expect(await buckets(), "made again, although no envelope is new").toBe(2);
  await look();
  const only = await key.send("GET", "/partner/envelopes?discarded=only");
  expect(only.json.data.map((one: { envelope_id: string }) => one.envelope_id)).toEqual([ids[rows - 1], ids[1_500], ids[10]]);
});

test("a list of a span of time has the right total and page for any span, before and after the counts are added up", async () => {
  const org = await service.newOrg();
  const key = await org.newKey({ rate_limit_rpm: 100_000 });
  const hour_ms = 3_600_000;
  const first = Date.parse("2026-03-01T00:00:00Z");
  // Every seven hours of ten days, and some at the very beginning and end of a day.
  const times = [...Array.from({ length: 34 }, (_, n) => first + n * 7 * hour_ms), first + 24 * hour_ms, first + 48 * hour_ms - 1].sort();
  const made = times.map((at) => ({ id: newId("envelope", at), at }));
  const insert = "insert into envelopes (org_id, envelope_id, envelope_name, status, created_at) values ($1, $2, 'E', 'pending', $3)";
  for (const { id, at } of made) await service.database.owner(insert, [org.org_id, id, new Date(at)]);
  const discarded = made.filter((_, n) => n % 5 === 3);
  for (const { id } of discarded) expect((await key.send("DELETE", `/partner/envelopes/${id}`)).status).toBe(200);
  const live = made.filter((one) => !discarded.includes(one));
  const look = async (from: number | null, to: number | null) => {
    const given = new URLSearchParams({ limit: "4", page: "2" });
    if (from !== null) given.set("created_from", new Date(from).toISOString());
    if (to !== null) given.set("created_to", new Date(to).toISOString());
    for (const [more, of] of [
      ["", made],
      ["&discarded=exclude", live],
    ] as const) {
      const fit = of.filter(({ at }) => (from === null || at >= from) && (to === null || at < to)).reverse();
      const { json } = await key.send("GET", `/partner/envelopes?${given}${more}`);
      expect(json.meta, `${given}${more}`).toEqual({ page: 2, limit: 4, total: fit.length });
      expect(json.data.map((one: { envelope_id: string }) => one.envelope_id)).toEqual(fit.slice(4, 8).map(({ id }) => id));
    }
  };
  const hours = [5, 24, 47, 48, 240].map((n) => first + n * hour_ms);
  const lookAtAll = async () => {
    for (const from of [null, ...hours]) for (const to of [null, ...hours]) await look(from, to);
  };
  await lookAtAll();
  await sumCounts(service.features.envelopes);
  await lookAtAll();
});

test("discards and sweeps at the same time leave right totals", async () => {
  const org = await service.newOrg();
  const key = await org.newKey({ rate_limit_rpm: 100_000 });
  const rows = BUCKET_SIZE + 60;
  const ids = Array.from({ length: rows }, (_, n) => newId("envelope", Date.now() - rows + n));
  await service.database.owner(
    "insert into envelopes (org_id, envelope_id, envelope_name, status) select $1, id, 'E', 'pending' from unnest($2::text[]) as id",
    [org.org_id, ids],
  );
  const discarded = ids.filter((_, n) => n % 50 === 0);
  const work = discarded.flatMap((id) => [
    key.send("DELETE", `/partner/envelopes/${id}`),
    fillBuckets(service.features.envelopes, "0 seconds"),
  ]);
  await Promise.all(work);
  const total = async () => (await key.send("GET", "/partner/envelopes?discarded=exclude&limit=1")).json.meta.total;
  expect(await total()).toBe(rows - discarded.length);
  await fillBuckets(service.features.envelopes, "0 seconds");
  expect(await total()).toBe(rows - discarded.length);
});

interface Listed {
  readonly envelope_id: string;
  readonly status: string;
}

/** Envelopes of one org, oldest first, each with a status and the hours until it expires. */
async function envelopesOf(given: readonly [status: string, hours: number | null][]) {
  const org = await service.newOrg();
  const key = await org.newKey({ rate_limit_rpm: 100_000 });
  const customer = (await key.send("POST", "/partner/customers", { body: { name: "Ann" } })).json.data.customer_id;
  const at = Date.now() - given.length;
  const ids = given.map((_, n) => newId("envelope", at + n));
  for (const [n, [status, hours]] of given.entries()) {
    const submission_id = newId("submission");
    await service.database.owner(
      `insert into envelopes (org_id, envelope_id, envelope_name, status, customer_id, submission_id, sent_at, expires_at)
       values ($1, $2, 'E', $3, $4, $5, now(), now() + make_interval(hours => $6::int))`,
      [org.org_id, ids[n], status, n % 2 === 0 ? customer : null, submission_id, hours],
    );
  }
  const list = async (query: string): Promise<{ total: number; items: [number, string][] }> => {
    const { json } = await key.send("GET", `/partner/envelopes?${query}`);
    return { total: json.meta.total, items: json.data.map((one: Listed) => [ids.indexOf(one.envelope_id as never), one.status]) };
  };
  return { org, ids, customer, list };
}

test("an envelope past its expiry date is listed and counted as expired before the sweep, and the same after it", async () => {
  const { customer, list } = await envelopesOf([
    ["sent", 1],
    ["sent", -1],
    ["viewed", -1],
    ["expired", -9],
    ["sent", -1],
    ["pending", null],
    ["voided", -1],
    ["viewed", 1],
  ]);
  const look = async () => ({
    all: await list("limit=100"),
    sent: await list("status=sent"),
    viewed: await list("status=viewed"),
    expired: await list("status=expired"),
    second: await list("status=expired&limit=2&page=2"),
    beyond: await list("status=expired&limit=2&page=3"),
    ofCustomer: await list(`status=expired&customer_id=${customer}`),
    sentOfCustomer: await list(`status=sent&customer_id=${customer}`),
  });
  const before = await look();
  expect(before).toEqual({
    all: {
      total: 8,
      items: [
        [7, "viewed"],
        [6, "voided"],
        [5, "pending"],
        [4, "expired"],
        [3, "expired"],
        [2, "expired"],
        [1, "expired"],
        [0, "sent"],
      ],
    },
    sent: { total: 1, items: [[0, "sent"]] },
    viewed: { total: 1, items: [[7, "viewed"]] },
    expired: {
      total: 4,
      items: [
        [4, "expired"],
        [3, "expired"],
        [2, "expired"],
        [1, "expired"],
      ],
    },
    second: {
      total: 4,
      items: [
        [2, "expired"],
        [1, "expired"],
      ],
    },
    beyond: { total: 4, items: [] },
    ofCustomer: {
      total: 2,
      items: [
        [4, "expired"],
        [2, "expired"],
      ],
    },
    sentOfCustomer: { total: 1, items: [[0, "sent"]] },
  });
  expect((await sweepEnvelopes(service.features.envelopes)).expired).toBe(3);
  expect(await look()).toEqual(before);
});

test("one sweep expires everything that is due, even more than one batch", async () => {
  const { list } = await envelopesOf(Array.from({ length: 12 }, () => ["sent", -1]));
  expect((await sweepEnvelopes(service.features.envelopes, 5)).expired).toBe(12);
  expect(await list("status=expired&limit=1")).toMatchObject({ total: 12 });
});
