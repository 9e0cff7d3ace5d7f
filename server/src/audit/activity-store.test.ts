import { beforeAll, describe, expect, test } from "vitest";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";

const service = testService();

describe("the activity of an organization by person, act and date", () => {
  let org: TestOrg;
  let key: TestKey;

  const types = async (query: string): Promise<string[]> => {
    const { status, json } = await org.admin("GET", `/org/audit-trail?${query}`);
    expect(status, JSON.stringify(json)).toBe(200);
    expect(json.meta.total).toBe(json.data.length);
    return json.data.map(({ type }: { type: string }) => type);
  };

  beforeAll(async () => {
    org = await service.newOrg();
    key = await org.newKey();
    await org.admin("PATCH", "/org/settings", { body: { name: "First" } });
    await key.send("POST", "/partner/customers", { body: { name: "Ann" } });
    await org.admin("PATCH", "/org/settings", { body: { name: "Second" } });
  });

  test("a type, newest first", async () => {
    const { json } = await org.admin("GET", "/org/audit-trail?type=settings.changed");
    expect(json.meta).toEqual({ page: 1, limit: 50, total: 2 });
    const whole = (await org.admin("GET", "/org/audit-trail")).json.data;
    expect(json.data).toEqual(whole.filter(({ type }: { type: string }) => type === "settings.changed"));
    expect(await types("type=key.rotated")).toEqual([]);
  });

  test("a member or an API key, and both with a type", async () => {
    expect(await types(`actor_id=${key.key_id}`)).toEqual(["customer.created"]);
    expect(await types(`actor_id=${org.user_id}`)).toEqual(["settings.changed", "settings.changed", "key.created", "session.started"]);
    expect(await types(`actor_id=${org.user_id}&type=key.created`)).toEqual(["key.created"]);
    expect(await types(`actor_id=${key.key_id}&type=key.created`)).toEqual([]);
  });

  test("dates: from is inclusive, to is not", async () => {
    const [last, created] = (await org.admin("GET", "/org/audit-trail")).json.data as { at: string; type: string }[];
    if (last === undefined || created === undefined) throw new Error("no entries");
    // Each entry may have the same time as the one before.
    expect(await types(`type=customer.created&from=${created.at}`)).toEqual(["customer.created"]);
    expect(await types(`type=customer.created&to=${created.at}`)).toEqual([]);
    expect(await types("from=2100-01-01T00:00:00Z")).toEqual([]);
    expect(await types("to=2100-01-01T00:00:00Z")).toEqual(
      (await org.admin("GET", "/org/audit-trail")).json.data.map((one: { type: string }) => one.type),
    );
  });

  test("in pages that together are the list, with a filter and without", async () => {
    for (const filter of ["", `&actor_id=${org.user_id}`]) {
      const whole = (await org.admin("GET", `/org/audit-trail?limit=100${filter}`)).json.data;
      const pages = await Promise.all(
        [1, 2, 3, 4, 5].map(async (page) => (await org.admin("GET", `/org/audit-trail?limit=2&page=${page}${filter}`)).json.data),
      );
      expect(pages.flat()).toEqual(whole);
    }
  });

  test("a type that does not exist, a page after 10,000 rows and a date that is none are refused", async () => {
    const unknown = await org.admin("GET", "/org/audit-trail?type=key.stolen");
    expect(unknown.json.details).toEqual([
      { location: "query", field: "type", code: "invalid_value", message: "must be a type of audit entries" },
    ]);
    const deep = await org.admin("GET", "/org/audit-trail?type=key.created&limit=200&page=51");
    expect([deep.status, deep.json]).toEqual([422, refusedWith("This list ends after 10,000 rows. Narrow your search")]);
    expect((await org.admin("GET", "/org/audit-trail?from=yesterday")).status).toBe(422);
  });

  test("shows no entry of another organization", async () => {
    const other = await service.newOrg();
    expect((await other.admin("GET", `/org/audit-trail?actor_id=${org.user_id}`)).json.meta.total).toBe(0);
  });

  test("is read from an index, also with 20,000 others", async () => {
    const own = await service.newOrg();
    await service.database.owner(
      `insert into audit_entries (org_id, subject, seq, type, at, actor, actor_id, commitment, prev, hash)
       select $1::text, $1, 3 + n, case when n % 1000 = 0 then 'key.created' else 'session.started' end, now() + n * interval '1 ms',
         '{"kind":"user","id":"usr_x"}', case when n % 1000 = 0 then 'usr_few' else 'usr_x' end, '', '', 'hash ' || $1 || n
       from generate_series(1, 20000) n`,
      [own.org_id],
    );
    await service.database.owner("analyze audit_entries");
    for (const filter of ["type = 'key.created'", "actor_id = 'usr_few'", "at < now() - interval '1 day'"]) {
      const [plan] = await service.db.tx(own.org_id, async (tx) =>
        (
          await tx.query<{ "QUERY PLAN": unknown }>({
            name: "",
            text: `explain (format json) select seq from audit_entries e where e.org_id = $1 and e.actor_id is not null and e.${filter}
              order by e.at desc, e.seq desc limit 20`,
            values: [own.org_id],
          })
        ).rows.map((row) => JSON.stringify(row["QUERY PLAN"])),
      );
      expect(plan, filter).toMatch(/"Index Name":"activity_by_/);
      expect(plan, filter).not.toMatch(/"Node Type":"Sort"/);
    }
    const { json } = await own.admin("GET", "/org/audit-trail?actor_id=usr_x&limit=1");
    expect(json.meta).toEqual({ page: 1, limit: 1, total: 10_000, total_capped: true });
  });
});
