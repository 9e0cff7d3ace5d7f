import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { makeLogins } from "../../test/database.ts";
import { databaseUrl, withClient } from "../../test/global-setup.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";
import { connectDb, type Db } from "../db/connect.ts";
import { migrate, readMigrations } from "../db/migrate.ts";
import { sql } from "../db/sql.ts";
import { listEnvelopes } from "../envelopes/list-store.ts";
import { backfills, jobHandlers } from "../main.ts";
import { type EnvelopeId, newId, type OrgId } from "../shared/ids.ts";
import { type Backfill, backfill } from "./backfill.ts";

/** Rows from before: envelopes and customers without words. */

const service = testService();
const owner = <R extends Record<string, unknown>>(text: string, values: unknown[] = []) => service.database.owner<R>(text, values);

const fillIn = (limits = {}) => backfill({ db: service.db }, backfills, limits);

const NAMES = ["Lease of the mill", "Windmill lease", "Straße", "STRASSE"];

/** An org as the migration finds it. */
async function oldOrg(envelopes = NAMES.length): Promise<{ org: TestOrg; ids: EnvelopeId[] }> {
  const org = await service.newOrg();
  const { key_id } = await org.newKey();
  const ids = Array.from({ length: envelopes }, (_, n) => newId("envelope", Date.now() - envelopes + n));
  const customer_id = newId("customer");
  await owner("insert into customers (org_id, customer_id, name, email) values ($1, $2, 'Carla Brook', 'carla@brook.example')", [
    org.org_id,
    customer_id,
  ]);
  await owner(
    `insert into envelopes (org_id, envelope_id, envelope_name, status, created_by, customer_id, signers)
     select $1, id, ($3::text[])[1 + (n - 1) % cardinality($3::text[])], 'pending', case when n % 2 = 1 then $4 else $5 end, $6, '[{"name": "Zoë", "email": "zoe@example.com", "role": "R"}]'
     from unnest($2::text[]) with ordinality as given (id, n)`,
    [org.org_id, ids, NAMES, org.user_id, key_id, customer_id],
  );
  await owner("insert into backfills (name, org_id) select name, $1 from unnest(array['envelope-words', 'customer-words']) as name", [
    org.org_id,
  ]);
  return { org, ids };
}

const found = async ({ admin }: TestOrg, query: string) => {
  const { json } = await admin("GET", `/partner/envelopes?limit=100&${query}`);
  return json.data.map(({ envelope_name }: { envelope_name: string }) => envelope_name).reverse();
};

describe("before the words of an org are filled in", () => {
  test("the old search answers, and orders and owners are right; afterwards words answer", async () => {
    const { org } = await oldOrg();
    const other = await newMember(service, org, "member");
    const before = {
      mill: await found(org, "q=mill"),
      ill: await found(org, "q=ill"),
      brook: await found(org, "q=brook"),
      names: await found(org, "sort=envelope_name"),
      mine: await found(org, `owner=${org.user_id}`),
      others: await found(org, `owner=${other.user_id}`),
    };
    expect(before).toEqual({
      mill: ["Lease of the mill", "Windmill lease"],
      ill: ["Lease of the mill", "Windmill lease"],
      brook: NAMES,
      names: ["Windmill lease", "Straße", "STRASSE", "Lease of the mill"],
      mine: NAMES,
      others: [],
    });
    // An envelope from now on has its words at once, and the old search finds it too.
    const body = { envelope_name: "New mill", customer_email: "ann@example.com", customer_name: "Ann" };
    await org.admin("POST", "/partner/envelopes", { body });
    expect(await found(org, "q=mill")).toEqual(["Lease of the mill", "Windmill lease", "New mill"]);
    await fillIn();
    expect(await found(org, "q=mill")).toEqual(["Lease of the mill", "New mill"]);
    expect([await found(org, "q=ill"), await found(org, "q=brook"), await found(org, "q=strasse")]).toEqual([
      [],
      NAMES,
      ["Straße", "STRASSE"],
    ]);
    expect(await found(org, `owner=${org.user_id}`)).toEqual([...NAMES, "New mill"]);
    expect((await found(org, "sort=envelope_name")).reverse()).toEqual([
      "Lease of the mill",
      "New mill",
      "Straße",
      "STRASSE",
      "Windmill lease",
    ]);
    expect((await org.admin("GET", "/contacts?q=carl")).json.data).toMatchObject([{ name: "Carla Brook", email: "carla@brook.example" }]);
  });

  test("contacts are found by any part of a customer", async () => {
    const { org } = await oldOrg(1);
    expect((await org.admin("GET", "/contacts?q=rook")).json.data).toMatchObject([{ name: "Carla Brook" }]);
    await fillIn();
    expect((await org.admin("GET", "/contacts?q=rook")).json.data).toEqual([]);
  });
});

describe("the job", () => {
  const wordsOfOrg = (org: TestOrg) =>
    owner("select envelope_id, word from envelope_words where org_id = $1 order by envelope_id, word", [org.org_id]);
  const cursorOf = async ({ org_id }: TestOrg) =>
    (
      await owner<{ cursor: string; done: boolean }>(
        "select cursor, done_at is not null as done from backfills where org_id = $1 and name = 'envelope-words'",
        [org_id],
      )
    )[0];

  test("that is killed after any batch goes on where it stopped, and the result is the same", async () => {
    const whole = await oldOrg(25);
    await fillIn();
    const { org, ids } = await oldOrg(25);
    let batches = 0;
    // Each transaction that is not the last one of a batch is rolled back once, as the database does when a worker is killed.
    const dying: Db = {
      ...service.db,
      tx: (id, run) =>
        service.db.tx(id, async (tx) => {
          const result = await run(tx);
          if (++batches % 2 === 1) throw new Error("killed");
          return result;
        }),
    };
    for (let runs = 0; !(await cursorOf(org))?.done; runs++) {
      expect(runs).toBeLessThan(30);
      const before = await cursorOf(org);
      await backfill({ db: dying }, backfills, { atOnce: 4 }).catch((error: unknown) => expect(String(error)).toContain("killed"));
      const after = await cursorOf(org);
      expect((after?.cursor ?? "") >= (before?.cursor ?? "")).toBe(true);
    }
    const words = (rows: readonly Record<string, unknown>[], of: readonly string[]) =>
      rows.map(({ envelope_id, word }) => [of.indexOf(String(envelope_id)), word]);
    expect(words(await wordsOfOrg(org), ids)).toEqual(words(await wordsOfOrg(whole.org), whole.ids));
    expect((await wordsOfOrg(org)).length).toBeGreaterThan(100);
  });

  test("stops after its time and queues itself again; another run finishes, and a run without work changes nothing", async () => {
    const { org } = await oldOrg(10);
    await fillIn({ atOnce: 3, stopAfter_ms: 0 });
    expect(await cursorOf(org)).toEqual({ cursor: "", done: false });
    expect(await owner("select task, job_key from outbox where task = 'db.backfill'")).toEqual([
      { task: "db.backfill", job_key: "db.backfill" },
    ]);
    await fillIn({ atOnce: 3 });
    expect((await cursorOf(org))?.done).toBe(true);
    const before = await wordsOfOrg(org);
    await fillIn({ atOnce: 3 });
    expect(await wordsOfOrg(org)).toEqual(before);
  });

  test("pauses after each batch for as long as it took, and leaves what a newer version declared", async () => {
    const { org } = await oldOrg(0);
    await owner("insert into backfills (name, org_id) values ('slow', $1), ('newer', $1)", [org.org_id]);
    const ids = ["a", "b", "c", null];
    const slow: Backfill = async (tx) => {
      await tx.query(sql`select pg_sleep(0.05)`);
      return ids.shift() ?? null;
    };
    const pauses: number[] = [];
    await backfill({ db: service.db }, { slow }, { pause: async (ms) => void pauses.push(ms) });
    expect(pauses.map((ms) => ms >= 50)).toEqual([true, true, true, true]);
    const rows = await owner(
      "select name, cursor, done_at is not null as done from backfills where org_id = $1 and name in ('slow', 'newer') order by name",
      [org.org_id],
    );
    expect(rows).toEqual([
      { name: "newer", cursor: "", done: false },
      { name: "slow", cursor: "c", done: true },
    ]);
  });

  test("runs when a version before queued it under its name of then", async () => {
    const { org } = await oldOrg(4);
    await jobHandlers(service.features)["envelopes.index-words"]({});
    expect((await cursorOf(org))?.done).toBe(true);
  });

  test("two at once, and changes meanwhile, leave the words of the last names", async () => {
    const { org, ids } = await oldOrg(40);
    const rename = (id: EnvelopeId, n: number) =>
      org.admin("PATCH", `/partner/envelopes/${id}`, { body: { envelope_name: `Renamed ${n}` } });
    const answers = await Promise.all([fillIn({ atOnce: 5 }), fillIn({ atOnce: 5 }), ...ids.slice(0, 20).map(rename)]);
    expect(answers.slice(2).map((answer) => (answer as { status: number }).status)).toEqual(Array(20).fill(200));
    await fillIn({ atOnce: 5 });
    expect(await found(org, "q=renamed")).toHaveLength(20);
    expect((await found(org, "q=lease+zoe")).length, "the names of the others").toBe(10);
    const [stale] = await owner<{ n: number }>(
      "select count(*)::int as n from envelope_words w join envelopes e using (org_id, envelope_id) where org_id = $1 and word = 'lease' and e.name_key like 'renamed%'",
      [org.org_id],
    );
    expect(stale?.n).toBe(0);
  });
});

describe("a database from before", () => {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const [org_id, user_id, key_id] = [newId("org"), newId("user"), newId("key")];
  const ids = Array.from({ length: 4 }, (_, n) => newId("envelope", Date.now() + n));
  let url: string;
  let db: Db;

  beforeAll(async () => {
    await withClient(inject("adminUrl"), (admin) => admin.query(`create database ${name}`));
    url = databaseUrl(inject("adminUrl"), name);
    const all = await readMigrations();
    await migrate(
      url,
      all.slice(
        0,
        all.findIndex((one) => one.name.endsWith("-add-lists.sql")),
      ),
    );
    await withClient(url, async (old) => {
      await old.query("insert into orgs (org_id, name) values ($1, 'Old')", [org_id]);
      await old.query("insert into customers (org_id, customer_id, name, email) values ($1, 'cust_a', 'Ann', 'Ann@Example.com')", [org_id]);
      await old.query(
        "insert into api_keys (org_id, key_id, partner_name, key_hint, scopes, rate_limit_rpm, created_by) values ($1, $2, 'P', 'lk_', '{}', 1, $3)",
        [org_id, key_id, user_id],
      );
      const insert = `insert into envelopes (org_id, envelope_id, envelope_name, status, created_by, reason, ended_at, sent_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)`;
      await old.query(insert, [org_id, ids[0], "Lease", "pending", user_id, null, null, null]);
      await old.query(insert, [org_id, ids[1], "Release", "pending", key_id, null, null, null]);
      await old.query(insert, [org_id, ids[2], "Gone", "voided", user_id, "discarded", "2026-01-02T00:00:00Z", null]);
      await old.query(insert, [org_id, ids[3], "Voided", "voided", user_id, "discarded", "2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"]);
    });
    await migrate(url, all);
    const { appUrl } = await makeLogins(name);
    db = connectDb({ url: appUrl, poolSize: 2 });
  });
  afterAll(async () => {
    await db.end();
    await withClient(inject("adminUrl"), (admin) => admin.query(`drop database if exists ${name} with (force)`));
  });

  const list = (filter: Parameters<typeof listEnvelopes>[2]) =>
    db.tx(org_id as OrgId, async (tx) =>
      (await listEnvelopes(tx, org_id as OrgId, filter, { page: 1, limit: 10 })).items.map(({ envelope_name }) => envelope_name),
    );

  test("finds its envelopes as before until the job has run, and knows discarded drafts and owners", async () => {
    expect(await list({ q: "lease" })).toEqual(["Release", "Lease"]);
    expect(await list({ owner: user_id })).toEqual(["Voided", "Gone", "Release", "Lease"]);
    expect(await list({ discarded: "only" })).toEqual(["Gone"]);
    await withClient(url, async (now) => {
      expect((await now.query("select task from outbox where task = 'envelopes.index-words'")).rows).toHaveLength(1);
      expect((await now.query("select email_key from customers")).rows).toEqual([{ email_key: "ann@example.com" }]);
    });
    await backfill({ db }, backfills);
    expect(await list({ q: "lease" })).toEqual(["Lease"]);
    expect(await list({ owner: user_id, sort: "envelope_name" })).toEqual(["Gone", "Lease", "Release", "Voided"]);
    expect(await list({ discarded: "exclude" })).toEqual(["Voided", "Release", "Lease"]);
  });
});
