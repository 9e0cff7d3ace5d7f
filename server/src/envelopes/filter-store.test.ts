import { beforeAll, describe, expect, test } from "vitest";
import { testInAll, tries } from "../../../testing/all.ts";
import fc from "../../../testing/properties.ts";
import type { Send } from "../../test/client.ts";
import { newTemplate } from "../../test/lease.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { newMember, type Person } from "../../test/vaulted.ts";
import { backfill } from "../jobs/backfill.ts";
import { backfills } from "../main.ts";
import { newId } from "../shared/ids.ts";
import { newSlug } from "../shared/slugs.ts";

/** Lists with every filter and order, compared with the same filters and orders in memory. */

const service = testService();

interface Made {
  readonly envelope_id: string;
  readonly envelope_name: string;
  readonly status: string;
  readonly external_id: string | null;
  readonly owner: string;
  readonly tags: readonly string[];
  readonly expires_at: Date | null;
  readonly updated_at: Date;
  readonly discarded: boolean;
  readonly signer: { readonly email: string; readonly name: string } | null;
  readonly customer: { readonly customer_id: string; readonly name: string; readonly email: string } | null;
  readonly template_id: string | null;
}

let org: TestOrg;
let ann: Person & { readonly email: string };
let blind: Send;
let made: Made[];

const NAMES = ["Lease of the mill", "lease", "Ｌease B", "Loan Öresund", "loan oresund", "Ärger", "Zebra", "契約書", "", "Loan"];
const STATUSES = ["pending", "preparing", "sent", "viewed", "completed", "vaulted", "declined", "voided", "expired"];
const TAGS = ["urgent", "north sea", "lent"];
const HOUR_MS = 3_600_000;

/** A generator of numbers, so that the same envelopes are made in every run. */
function randomOf(seed: number) {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = <T>(items: readonly T[]): T => items[next(items.length)] as T;
  return { next, pick };
}

beforeAll(async () => {
  org = await service.newOrg();
  const member = await newMember(service, org, "member");
  ann = { ...member, email: (await member.send("GET", "/auth/me")).json.data.user.email };
  blind = (await org.newKey({ scopes: ["envelopes:read"], rate_limit_rpm: 100_000 })).send;
  const { next, pick } = randomOf(7);
  const customers = await Promise.all(
    ["Carla Mill", "Loana", "Otto"].map(async (name, n) => {
      const email = `c${n}@hidden.example`;
      const { json } = await org.admin("POST", "/partner/customers", { body: { name, email } });
      return { customer_id: json.data.customer_id as string, name, email };
    }),
  );
  const key = await org.newKey();
  const templates = [await newTemplate(key), await newTemplate(key)];
  await service.database.owner("insert into tags (org_id, tag_key, name) select $1, key, key from unnest($2::text[]) as key", [
    org.org_id,
    TAGS,
  ]);
  const began = Date.now() - 1_000_000;
  made = Array.from({ length: 90 }, (_, n) => {
    const status = pick(STATUSES);
    const isSent = !["pending", "preparing"].includes(status) && (status !== "voided" || next(2) === 0);
    return {
      envelope_id: newId("envelope", began + n),
      envelope_name: `${pick(NAMES)} ${next(4)}`.trim(),
      status,
      external_id: next(2) === 0 ? null : `REF-${next(30)}`,
      owner: pick([org.user_id, ann.user_id]),
      tags: TAGS.filter(() => next(4) === 0),
      // Some are past their expiry date and were not swept yet.
      expires_at: isSent ? new Date(Date.now() + (next(40) - 10) * HOUR_MS) : null,
      updated_at: new Date(began + next(30) * 60_000),
      discarded: status === "voided" && !isSent,
      signer: isSent
        ? pick([
            { email: ann.email, name: "Ann Long" },
            { email: "Ben@Example.com", name: "Ben" },
          ])
        : null,
      customer: pick([null, ...customers]),
      template_id: pick([null, ...templates]),
    };
  });
  for (const one of made) await insert(one);
  await service.database.owner("insert into backfills (name, org_id) values ('envelope-words', $1)", [org.org_id]);
  await backfill({ db: service.db }, backfills, { atOnce: 50 });
});

async function insert(one: Made): Promise<void> {
  const submission_id = one.signer === null ? null : newId("submission");
  await service.database.owner(
    `insert into envelopes (org_id, envelope_id, envelope_name, status, external_id, created_by, expires_at, updated_at, discarded_at, customer_id,
       template_id, submission_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, case when $9 then now() end, $10, $11, $12, now())`,
    [
      org.org_id,
      one.envelope_id,
      one.envelope_name,
      one.status,
      one.external_id,
      one.owner,
      one.expires_at,
      one.updated_at,
      one.discarded,
      one.customer?.customer_id ?? null,
      one.template_id,
      submission_id,
    ],
  );
  await service.database.owner(
    "insert into envelope_tags (org_id, tag_key, envelope_id) select $1, key, $2 from unnest($3::text[]) as key",
    [org.org_id, one.envelope_id, one.tags],
  );
  if (one.signer === null) return;
  await service.database.owner(
    "insert into submissions (org_id, submission_id, envelope_id, provider, signing_order) values ($1, $2, $3, 'builtin', 'parallel')",
    [org.org_id, submission_id, one.envelope_id],
  );
  await service.database.owner(
    `insert into signers (org_id, submission_id, turn, step, envelope_id, slug, email, name, role, invited_at, recipient_id)
     values ($1, $2, 1, 1, $3, $4, $5, $6, 'R', now(), $7)`,
    [org.org_id, submission_id, one.envelope_id, newSlug(), one.signer.email, one.signer.name, newId("recipient")],
  );
}

const isOpen = ({ status }: Made) => status === "sent" || status === "viewed";
const isDue = (one: Made) => isOpen(one) && one.expires_at !== null && one.expires_at.getTime() <= Date.now();
const statusOf = (one: Made) => (isDue(one) ? "expired" : one.status);

/** Written differently from the product on purpose: letters and digits in lower case, without the widths and dots that the names have. */
const plain = (text: string) => text.normalize("NFKC").toLowerCase();
const beginsWord = (text: string, word: string) =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .some((one) => one.startsWith(word) || (/^\p{scx=Han}/u.test(word) && one.includes(word)));

function isFound(one: Made, q: string, seesCustomers: boolean): boolean {
  const texts = [one.envelope_name, one.external_id ?? "", one.signer?.name ?? "", one.signer?.email ?? "", ...one.tags];
  const all = seesCustomers ? [...texts, one.customer?.name ?? "", one.customer?.email ?? ""] : texts;
  return plain(q)
    .split(" ")
    .every((word) => all.some((text) => beginsWord(text, word) || plain(text).startsWith(word)));
}

interface Asked {
  readonly q?: string;
  readonly tag?: string;
  readonly owner?: string;
  readonly status?: string;
  readonly recipient_email?: string;
  readonly waiting_for?: string;
  readonly discarded?: string;
  readonly customer_id?: string;
  readonly template_id?: string;
  readonly sort?: string;
}

function expected(asked: Asked, seesCustomers = true): string[] {
  const found = made.filter(
    (one) =>
      (asked.q === undefined || isFound(one, asked.q, seesCustomers)) &&
      (asked.tag === undefined || one.tags.includes(asked.tag.toLowerCase())) &&
      (asked.owner === undefined || one.owner === (asked.owner === "me" ? ann.user_id : asked.owner)) &&
      (asked.status === undefined || statusOf(one) === asked.status) &&
      (asked.recipient_email === undefined || one.signer?.email.toLowerCase() === asked.recipient_email.toLowerCase()) &&
      (asked.waiting_for === undefined || (one.signer?.email === ann.email && isOpen(one) && !isDue(one))) &&
      (asked.discarded === undefined || one.discarded === (asked.discarded === "only")) &&
      (asked.customer_id === undefined || one.customer?.customer_id === asked.customer_id) &&
      (asked.template_id === undefined || one.template_id === asked.template_id),
  );
  return found.sort(orderOf(asked.sort ?? "-created_at")).map(({ envelope_id }) => envelope_id);
}

const byId = (a: Made, b: Made) => (a.envelope_id < b.envelope_id ? -1 : 1);
const keyOfName = ({ envelope_name }: Made) => plain(envelope_name);
const expiryOf = (one: Made) => (isOpen(one) ? (one.expires_at?.getTime() ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY);

function orderOf(sort: string): (a: Made, b: Made) => number {
  if (sort === "-updated_at") return (a, b) => b.updated_at.getTime() - a.updated_at.getTime() || byId(b, a);
  if (sort === "expires_at") return (a, b) => (expiryOf(a) === expiryOf(b) ? byId(a, b) : expiryOf(a) - expiryOf(b));
  if (sort === "envelope_name") return (a, b) => Buffer.compare(Buffer.from(keyOfName(a)), Buffer.from(keyOfName(b))) || byId(a, b);
  return (a, b) => byId(b, a);
}

const addressOf = (asked: Asked) => new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== undefined)).toString();

/** Members have a quota that is meant for people. */
const forgetQuotas = () => service.database.owner("delete from quotas");

async function joinedPages(send: Send, asked: Asked, limit: number): Promise<{ ids: string[]; totals: number[] }> {
  const [ids, totals]: [string[], number[]] = [[], []];
  await forgetQuotas();
  for (let page = 1; ; page++) {
    const { json, status } = await send("GET", `/partner/envelopes?${addressOf(asked)}&limit=${limit}&page=${page}`);
    expect(status, JSON.stringify(json)).toBe(200);
    totals.push(json.meta.total);
    ids.push(...json.data.map((one: { envelope_id: string }) => one.envelope_id));
    if (json.data.length < limit) return { ids, totals };
  }
}

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const asked = () =>
  fc.record({
    q: maybe(
      fc.constantFrom(
        "lease",
        "LEA",
        "l",
        "loan or",
        "ref 1",
        "mill",
        "hidden",
        "ben@ex",
        "@hidden.example",
        "urg",
        "契約",
        "約書",
        "sea lo",
        "c0@hidden.example",
        "zzz",
      ),
    ),
    tag: maybe(fc.constantFrom("Urgent", "north sea", "none")),
    owner: maybe(fc.constantFrom("me", org.user_id, newId("user"))),
    status: maybe(fc.constantFrom(...STATUSES)),
    recipient_email: maybe(fc.constantFrom("BEN@example.com", "other@example.com")),
    waiting_for: maybe(fc.constant("me")),
    discarded: maybe(fc.constantFrom("exclude", "only")),
    customer_id: maybe(fc.constantFrom(...made.flatMap(({ customer }) => customer?.customer_id ?? []))),
    template_id: maybe(fc.constantFrom(...made.flatMap(({ template_id }) => template_id ?? []))),
    sort: maybe(fc.constantFrom("-created_at", "-updated_at", "expires_at", "envelope_name")),
  }) as fc.Arbitrary<Asked>;

describe("pages put together", () => {
  test.each(["-created_at", "-updated_at", "expires_at", "envelope_name"])("are the whole list, sorted by %s", async (sort) => {
    for (const more of [
      {},
      { q: "lea" },
      { tag: "urgent" },
      { owner: "me" },
      { discarded: "exclude" },
      { discarded: "only" },
      { waiting_for: "me" },
    ]) {
      const wanted = { sort, ...more };
      const { ids, totals } = await joinedPages(ann.send, wanted, 7);
      expect(ids, JSON.stringify(wanted)).toEqual(expected(wanted));
      expect(new Set(totals)).toEqual(new Set([ids.length]));
    }
  });

  test("are the filtered envelopes, whatever is asked", async () => {
    await fc.assert(
      fc.asyncProperty(asked(), fc.integer({ min: 1, max: 50 }), async (wanted, limit) => {
        const { ids, totals } = await joinedPages(ann.send, wanted, Math.max(limit, 5));
        expect(ids).toEqual(expected(wanted));
        expect(new Set(totals)).toEqual(new Set([ids.length]));
      }),
      { numRuns: tries(150) },
    );
  });

  test("are the rows of the export, in the same order", async () => {
    await fc.assert(
      fc.asyncProperty(asked(), async (wanted) => {
        await forgetQuotas();
        const { text, status } = await ann.send("GET", `/partner/envelopes.csv?${addressOf(wanted)}`);
        expect(status).toBe(200);
        const [, ...rows] = text.trimEnd().split("\r\n");
        expect(rows.map((row) => row.split(",")[0])).toEqual(expected(wanted));
      }),
      { numRuns: tries(40) },
    );
  });

  test("have no customer for a key that cannot read customers", async () => {
    for (const q of ["hidden", "carla", "mill", "loana", "c0@hidden.example", "@hidden.example"]) {
      expect((await joinedPages(blind, { q }, 50)).ids, q).toEqual(expected({ q }, false));
    }
    expect(expected({ q: "hidden" }, false), "the names of customers are nowhere else").toEqual([]);
    expect(expected({ q: "hidden" }).length).toBeGreaterThan(0);
  });

  test("have nothing of another organization", async () => {
    const stranger = await service.newOrg();
    for (const query of [
      "q=lease",
      "tag=urgent",
      `owner=${ann.user_id}`,
      "recipient_email=ben@example.com",
      "sort=envelope_name",
      "discarded=only",
    ]) {
      const { json } = await stranger.admin("GET", `/partner/envelopes?${query}`);
      expect([json.data, json.meta.total], query).toEqual([[], 0]);
    }
  });
});

test("expand=recipients,tags,owner shows the people in their shape, tags and owner; slugs only to those who can send", async () => {
  const viewer = await newMember(service, org, "viewer");
  const one = made.find(({ signer, tags }) => signer?.name === "Ben" && tags.length > 0) ?? expect.fail("no such envelope");
  const rowFor = async (send: Send) =>
    (await send("GET", "/partner/envelopes?recipient_email=ben@example.com&expand=recipients,tags,owner&limit=100")).json.data.find(
      ({ envelope_id }: Made) => envelope_id === one.envelope_id,
    );
  const row = await rowFor(ann.send);
  expect(row.recipients).toEqual([
    {
      recipient_id: expect.stringMatching(/^rcp_/),
      kind: "signer",
      email: "Ben@Example.com",
      name: "Ben",
      role: "R",
      step: 1,
      status: "pending",
      slug: expect.stringMatching(/^[0-9a-f]{32}$/),
      delivery: "email",
      acted_at: null,
      locale: null,
      message: null,
    },
  ]);
  expect(row.tags).toEqual([...one.tags].sort());
  expect(row.owner).toEqual({ user_id: one.owner, name: expect.any(String) });
  expect((await rowFor(viewer.send)).recipients[0].slug).toBeNull();
});

test("me is 422 session_required for a key, and other wrong values are named", async () => {
  const refusal = async (query: string) => {
    const { status, json } = await blind("GET", `/partner/envelopes?${query}`);
    return [status, json.details?.map(({ location, field, code }: Record<string, string>) => `${location} ${field} ${code}`)];
  };
  expect(await refusal("owner=me")).toEqual([422, ["query owner session_required"]]);
  expect(await refusal("waiting_for=me")).toEqual([422, ["query waiting_for session_required"]]);
  expect(await refusal("waiting_for=you")).toEqual([422, ["query waiting_for invalid_value"]]);
  expect(await refusal("owner=ann")).toEqual([422, ["query owner invalid_value"]]);
  expect(await refusal("sort=name")).toEqual([422, ["query sort invalid_value"]]);
  expect(await refusal("discarded=yes")).toEqual([422, ["query discarded invalid_value"]]);
  expect(await refusal("recipient_email=ann")).toEqual([422, ["query recipient_email invalid_format"]]);
  expect(await refusal("q=%25")).toEqual([422, ["query q invalid_value"]]);
  expect(await refusal("q=a+b+c+d+e+f+g+h+i+j+k")).toEqual([422, ["query q too_long"]]);
});

describe("a list of more than 10,000", () => {
  const MANY = 10_050;
  let large: TestOrg;
  let key: Send;
  const list = async (query: string) => {
    const { status, json, headers } = await key("GET", `/partner/envelopes?${query}`);
    return status === 200 ? [json.meta.total, json.meta.total_capped, json.data.length] : [status, headers["x-error-code"]];
  };
  beforeAll(async () => {
    large = await service.newOrg();
    key = (await large.newKey({ rate_limit_rpm: 100_000 })).send;
    await service.database.owner(
      `insert into envelopes (org_id, envelope_id, envelope_name, name_key, status, owner_user_id, customer_id)
       select $1, 'env_' || lpad(n::text, 26, '0'), 'Lease ' || n, 'lease ' || n, 'pending', $2, null from generate_series(1, $3::int) as n`,
      [large.org_id, large.user_id, MANY],
    );
    await service.database.owner(
      `insert into envelope_words (org_id, word, envelope_id) select $1, word, 'env_' || lpad(n::text, 26, '0')
       from generate_series(1, $2::int) as n, unnest(array['lease', 'n' || n]) as word`,
      [large.org_id, MANY],
    );
  });

  test("counts to 10,000 with words, an owner or an order, and has no page after it", async () => {
    for (const query of ["q=lease", `owner=${large.user_id}`, "sort=envelope_name", "sort=-updated_at", "sort=expires_at"]) {
      expect(await list(`${query}&limit=100&page=100`), query).toEqual([10_000, true, 100]);
      expect(await list(`${query}&limit=100&page=101`), query).toEqual([422, "page_too_deep"]);
      expect(await list(`${query}&limit=30&page=334`), "the last page ends at 10,000").toEqual([10_000, true, 10]);
    }
    expect(await list("limit=100&page=101")).toEqual([MANY, undefined, 50]);
    expect(await list("status=pending&limit=100&page=101"), "the specification's own filters").toEqual([MANY, undefined, 50]);
    expect(await list("discarded=exclude&limit=100&page=101")).toEqual([MANY, undefined, 50]);
    expect(await list("sort=-created_at&limit=100&page=101"), "the order that it has anyway").toEqual([MANY, undefined, 50]);
  });

  test("is 422 search_too_broad for the beginning of too many words that is no whole word; with a second word it is found", async () => {
    expect(await list("q=leas")).toEqual([422, "search_too_broad"]);
    expect(await list("q=n")).toEqual([422, "search_too_broad"]);
    expect(await list("q=n+leas")).toEqual([422, "search_too_broad"]);
    expect(await list("q=n77+leas&limit=100")).toEqual([111, undefined, 100]);
    expect(await list("q=lease+n")).toEqual([10_000, true, 20]);
    expect(await list("q=lease+n1004")).toEqual([11, undefined, 11]);
    const { status, headers } = await key("GET", "/partner/envelopes.csv?q=leas");
    expect([status, headers["x-error-code"]]).toEqual([422, "search_too_broad"]);
  });

  test("has what two frequent words share, each envelope once, newest first, in pages and in any order", async () => {
    const own = await service.newOrg();
    // Every envelope is an agreement. Of three, two are about a service, one of them about services too; one is about something else.
    await service.database.owner(
      `insert into envelopes (org_id, envelope_id, envelope_name, name_key, status)
       select $1, 'env_1' || lpad(n::text, 25, '0'), 'Agreement ' || n, 'agreement ' || lpad(n::text, 6, '0'), 'pending'
       from generate_series(1, $2::int) as n`,
      [own.org_id, 3 * MANY],
    );
    await service.database.owner(
      `insert into envelope_words (org_id, word, envelope_id) select $1, word, 'env_1' || lpad(n::text, 25, '0')
       from generate_series(1, $2::int) as n,
         unnest(case n % 3 when 0 then array['agreement'] when 1 then array['agreement', 'service'] else array['agreement', 'service', 'services'] end) as word`,
      [own.org_id, 3 * MANY],
    );
    const read = async (query: string) => {
      const { json } = await own.admin("GET", `/partner/envelopes?${query}`);
      return [json.meta.total, json.data.map(({ envelope_id }: Made) => Number(envelope_id.slice(5)))];
    };
    const shared = Array.from({ length: 3 * MANY }, (_, n) => 3 * MANY - n).filter((n) => n % 3 !== 0);
    expect(await read("q=service+agreement&limit=100")).toEqual([10_000, shared.slice(0, 100)]);
    expect(await read("q=agreement+serv&limit=100&page=90"), "the beginning of a word").toEqual([10_000, shared.slice(8_900, 9_000)]);
    expect(await read("q=service+agreement&sort=envelope_name&limit=3")).toEqual([10_000, [1, 2, 4]]);
    await service.database.owner(
      "update envelopes set status = 'voided', discarded_at = now() where org_id = $1 and substr(envelope_id, 6)::int % 2 = 0",
      [own.org_id],
    );
    const live = shared.filter((n) => n % 2 !== 0);
    expect(await read("q=service+agreement&discarded=exclude&limit=100&page=99")).toEqual([10_000, live.slice(9_800, 9_900)]);
  });

  // Inserts 200,000 rows, which takes long while other files use the same server.
  testInAll(
    "has what frequent words of customers and tags find, with other words, conditions and orders",
    { timeout: 120_000 },
    async () => {
      const own = await service.newOrg();
      const [COUNT, LATE] = [25_000, 13_000];
      const all = Array.from({ length: COUNT }, (_, n) => COUNT - n);
      const db = service.database;
      // The statistics are older than what follows, as after an import.
      await db.owner("analyze");
      // One in five envelopes is of a customer, all customers are of one company, and one in three envelopes is a lease.
      await db.owner(
        `insert into customers (org_id, customer_id, name) select $1, 'cust_2' || lpad(n::text, 25, '0'), 'C' from generate_series(0, $2::int) as n`,
        [own.org_id, MANY],
      );
      await db.owner(
        `insert into customer_words (org_id, word, customer_id) select $1, 'acme', 'cust_2' || lpad(n::text, 25, '0') from generate_series(0, $2::int) as n`,
        [own.org_id, MANY],
      );
      await db.owner(
        `insert into envelopes (org_id, envelope_id, envelope_name, name_key, status, customer_id, discarded_at)
       select $1, 'env_2' || lpad(n::text, 25, '0'), 'E ' || n, 'e ' || lpad(n::text, 6, '0'), case n % 2 when 0 then 'pending' else 'voided' end,
         case when n % 5 = 0 then 'cust_2' || lpad((n % $3::int)::text, 25, '0') end, case when n % 7 = 1 and n % 2 = 1 then now() end
       from generate_series(1, $2::int) as n`,
        [own.org_id, COUNT, MANY],
      );
      await db.owner(
        `insert into envelope_words (org_id, word, envelope_id) select $1, word, 'env_2' || lpad(n::text, 25, '0') from generate_series(1, $2::int) as n,
         unnest(array['every', 'n' || n] || case when n % 3 > 0 then array['lease', 'leases'] end || case when n > $3 then array['late'] end) as word`,
        [own.org_id, COUNT, LATE],
      );
      await db.owner("insert into tags (org_id, tag_key, name) values ($1, 'blue one', 'Blue one'), ($1, 'blue two', 'Blue two')", [
        own.org_id,
      ]);
      await db.owner(
        `insert into envelope_tags (org_id, tag_key, envelope_id) select $1, tag, 'env_2' || lpad(n::text, 25, '0')
       from generate_series(1, 20000) as n, unnest(array['blue one', 'blue two']) as tag`,
        [own.org_id],
      );
      const read = async (query: string) => {
        const { json, status } = await own.admin("GET", `/partner/envelopes?${query}`);
        expect(status, JSON.stringify(json)).toBe(200);
        return [json.meta.total, json.data.map(({ envelope_id }: Made) => Number(envelope_id.slice(5)))];
      };
      const page = (found: number[], first: number, limit: number) => [Math.min(found.length, 10_000), found.slice(first, first + limit)];
      const isAcme = (n: number) => n % 5 === 0;
      const isLease = (n: number) => n % 3 > 0;
      const isLate = (n: number) => n > LATE;
      const isBlue = (n: number) => n <= 20_000;
      const byName = (found: number[]) => [...found].reverse();

      expect(await read("q=acme&limit=50&page=3"), "a word of too many customers").toEqual(page(all.filter(isAcme), 100, 50));
      const both = all.filter((n) => isAcme(n) && isLease(n));
      expect(await read("q=lease+acme&limit=50&page=60")).toEqual(page(both, 2_950, 50));
      expect(await read("q=acme+leas&sort=envelope_name&limit=5")).toEqual(page(byName(both), 0, 5));
      expect(await read("q=n24+acme+lea&limit=100"), "with a word that few have").toEqual(
        page(
          both.filter((n) => String(n).startsWith("24")),
          0,
          100,
        ),
      );
      expect(await read("q=blue&limit=50&page=200"), "two tags with the word").toEqual(page(all.filter(isBlue), 9_950, 50));
      expect(await read("q=blue+acme+late&limit=10")).toEqual(
        page(
          all.filter((n) => isBlue(n) && isAcme(n) && isLate(n)),
          0,
          10,
        ),
      );
      expect(await read("q=late&sort=envelope_name&limit=3"), "far from the beginning of the order").toEqual(
        page(byName(all.filter(isLate)), 0, 3),
      );
      expect(await read("q=late+every&sort=envelope_name&limit=3&page=3000")).toEqual(page(byName(all.filter(isLate)), 8_997, 3));
      const voided = all.filter((n) => isLease(n) && n % 2 === 1);
      expect(await read("q=lease+every&status=voided&limit=50&page=150"), "with a condition").toEqual(page(voided, 7_450, 50));
      const live = voided.filter((n) => n % 7 !== 1);
      expect(await read("q=lease&status=voided&discarded=exclude&limit=50&page=140")).toEqual(page(live, 6_950, 50));
      expect(await read("q=n2+lease&discarded=exclude&limit=100&sort=envelope_name")).toEqual(
        page(byName(all.filter((n) => isLease(n) && String(n).startsWith("2") && !(n % 7 === 1 && n % 2 === 1))), 0, 100),
      );
      await forgetQuotas();
      const { text } = await own.admin("GET", "/partner/envelopes.csv?q=lease+acme");
      const exported = text.trimEnd().split("\r\n").slice(1);
      expect(exported.map((row) => Number(row.slice(5, 30)))).toEqual(both);
    },
  );

  test("is exported whole", async () => {
    const { text, headers } = await key("GET", "/partner/envelopes.csv?q=lease&sort=envelope_name");
    expect([headers["content-type"], headers["content-disposition"]]).toEqual([
      "text/csv; charset=utf-8",
      expect.stringContaining('filename="envelopes.csv"'),
    ]);
    const rows = text.trimEnd().split("\r\n").slice(1);
    expect(new Set(rows).size).toBe(MANY);
    expect(rows[0]).toContain("Lease 1,");
  });

  test("has the newest first, also with a tag and customers of the same name", async () => {
    const { json } = await large.admin("POST", "/partner/customers", { body: { name: "Lease", email: "lease@example.com" } });
    const own = newId("envelope");
    await service.database.owner(
      "insert into envelopes (org_id, envelope_id, envelope_name, name_key, status, customer_id) values ($1, $2, 'Other', 'other', 'pending', $3)",
      [large.org_id, own, json.data.customer_id],
    );
    const tagged = `env_${"1".padStart(26, "0")}`;
    await large.admin("PATCH", `/partner/envelopes/${tagged}`, { body: { tags: ["Lease"] } });
    const ids = async (query: string) => (await key("GET", `/partner/envelopes?${query}`)).json.data.map((one: Made) => one.envelope_id);
    const newest = (n: number) => `env_${String(MANY - n).padStart(26, "0")}`;
    expect(await ids("q=lease&limit=3")).toEqual([own, newest(0), newest(1)]);
    expect((await ids("q=lease&sort=envelope_name&limit=1"))[0]).toBe(tagged);
  });
});
