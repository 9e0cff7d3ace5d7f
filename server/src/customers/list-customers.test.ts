import { expect, test } from "vitest";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";
import { backfill } from "../jobs/backfill.ts";
import { backfills } from "../main.ts";

const service = testService();

async function newCustomer(org: TestOrg, body: object): Promise<string> {
  return (await org.admin("POST", "/partner/customers", { body })).json.data.customer_id;
}

/** The ids that a search finds, newest first, and the total. */
async function find(org: TestOrg, query: Record<string, string>): Promise<{ ids: string[]; total: number }> {
  const { json } = await org.admin("GET", `/customers?${new URLSearchParams(query)}`);
  return { ids: json.data.map(({ customer_id }: { customer_id: string }) => customer_id), total: json.meta.total };
}

test("customers are listed newest first, 20 a page by default and at most 100, in the same form as a single customer", async () => {
  const org = await service.newOrg();
  const ids: string[] = [];
  for (let n = 0; n < 23; n++) ids.push(await newCustomer(org, { name: `Customer ${n}`, email: `c${n}@example.com`, client_id: `C-${n}` }));
  const newest = ids.reverse();
  const { status, json } = await org.admin("GET", "/customers");
  expect([status, json.meta]).toEqual([200, { page: 1, limit: 20, total: 23 }]);
  expect(json.data[0]).toEqual((await org.admin("GET", `/partner/customers/${newest[0]}`)).json.data);
  const pages = [await find(org, {}), await find(org, { page: "2" }), await find(org, { page: "3" })];
  expect(pages.flatMap((page) => page.ids)).toEqual(newest);
  expect((await org.admin("GET", "/customers?limit=1000")).json.meta).toEqual({ page: 1, limit: 100, total: 23 });
});

test("q finds beginnings of words, in any order, of name, e-mail address, company and client_id only", async () => {
  const org = await service.newOrg();
  const byName = await newCustomer(org, { name: "MÜLLER & Sons", phone: "lease" });
  const byEmail = await newCustomer(org, { email: "Lease.Desk@Example.com" });
  const byCompany = await newCustomer(org, { company: "100% Lease_Co", city: "muller" });
  const byClientId = await newCustomer(org, { client_id: "LEASE-7", job_title: "100%" });
  expect(await find(org, { q: "lease" })).toEqual({ ids: [byClientId, byCompany, byEmail], total: 3 });
  expect(await find(org, { q: "lease", limit: "1", page: "2" })).toEqual({ ids: [byCompany], total: 3 });
  expect(await find(org, { q: "lease", page: "2" }), "past its end").toEqual({ ids: [], total: 3 });
  expect(await find(org, { q: "son mül" })).toEqual({ ids: [byName], total: 1 });
  expect(await find(org, { q: "lease 7" })).toEqual({ ids: [byClientId], total: 1 });
  expect(await find(org, { q: "lease.desk@ex" })).toEqual({ ids: [byEmail], total: 1 });
  expect(await find(org, { q: "100%" }), "only letters and digits count").toEqual({ ids: [byCompany], total: 1 });
  expect(await find(org, { q: "ease" }), "not the middle of a word").toEqual({ ids: [], total: 0 });
  await org.admin("PATCH", `/partner/customers/${byName}`, { body: { name: "Schmidt" } });
  expect([await find(org, { q: "müller" }), await find(org, { q: "schmi" })]).toEqual([
    { ids: [], total: 0 },
    { ids: [byName], total: 1 },
  ]);
});

test("a search counts up to 10,000, and has no page after them", async () => {
  const org = await service.newOrg();
  const rare = await newCustomer(org, { name: "Common Frequent Rare" });
  // Newer than the first one, by their ids.
  await service.database.owner(
    `with made as (
       insert into customers (org_id, customer_id, name) select $1, 'cust_z' || lpad(n::text, 25, '0'), 'Common Frequent' from generate_series(1, 10000) n
       returning customer_id
     )
     insert into customer_words (org_id, word, customer_id) select $1, word, customer_id from made, (values ('common'), ('frequent')) w (word)`,
    [org.org_id],
  );
  const get = (query: string) => org.admin("GET", `/customers?${query}`);
  const last = `cust_z${"10000".padStart(25, "0")}`;
  for (const q of ["common", "com", "common+frequent", "freq+com"]) {
    const { data, meta } = (await get(`q=${q}&limit=1`)).json;
    expect([data[0].customer_id, meta], q).toEqual([last, { page: 1, limit: 1, total: 10_000, total_capped: true }]);
  }
  expect((await get("q=common&limit=100&page=100")).json.data).toHaveLength(100);
  const deep = await get("q=common&limit=100&page=101");
  expect([deep.status, deep.json]).toEqual([422, refusedWith("This list ends after 10,000 rows. Narrow your search")]);
  expect(await find(org, { q: "common rar" })).toEqual({ ids: [rare], total: 1 });
  const whole = await get("limit=100&page=101");
  expect([whole.status, whole.json.meta.total], "without q, the list has no end").toEqual([200, 10_001]);
});

test("until the words of an organization are filled in, its customers are looked at one by one", async () => {
  const org = await service.newOrg();
  const customer_id = await newCustomer(org, { name: "Ann Example" });
  await service.database.owner("delete from customer_words where org_id = $1", [org.org_id]);
  expect(await find(org, { q: "ann" })).toEqual({ ids: [], total: 0 });
  await service.database.owner(
    "insert into backfills (name, org_id) values ('customer-words', $1) on conflict (name, org_id) do update set done_at = null, cursor = ''",
    [org.org_id],
  );
  expect(await find(org, { q: "ann" })).toEqual({ ids: [customer_id], total: 1 });
  await backfill(service, backfills);
  await service.database.owner("update customers set name = 'Other' where org_id = $1", [org.org_id]);
  expect(await find(org, { q: "ann" }), "now it is found by its words").toEqual({ ids: [customer_id], total: 1 });
});

test("a viewer and a key with customers:read see only their own org's customers; another scope is 403", async () => {
  const [org, stranger] = [await service.newOrg(), await service.newOrg()];
  const customer_id = await newCustomer(org, { name: "Ann" });
  const viewer = await newMember(service, org, "viewer");
  const { send: byKey } = await org.newKey({ scopes: ["customers:read"] });
  for (const send of [viewer.send, byKey]) {
    expect((await send("GET", "/customers?q=ann")).json).toMatchObject({ data: [{ customer_id }], meta: { total: 1 } });
  }
  const { send: unfit } = await org.newKey({ scopes: ["customers:write"] });
  const refused = await unfit("GET", "/customers");
  expect([refused.status, refused.json]).toEqual([403, refusedWith("Missing required scope: customers:read")]);
  expect(await find(stranger, { q: "ann" })).toEqual({ ids: [], total: 0 });
  expect(await find(stranger, {})).toEqual({ ids: [], total: 0 });
});

test.each([
  ["an empty q", { q: "" }, "q"],
  ["a q of 201 characters", { q: "x".repeat(201) }, "q"],
  ["NUL in q", { q: "a\0b" }, "q"],
  ["a q without a letter or digit", { q: "%" }, "q"],
  ["a q of eleven words", { q: "a b c d e f g h i j k" }, "q"],
  ["page 0", { page: "0" }, "page"],
  ["a limit that is no number", { limit: "many" }, "limit"],
])("%s is 422", async (_what, query, field) => {
  const org = await service.newOrg();
  const { status, json } = await org.admin("GET", `/customers?${new URLSearchParams(query as Record<string, string>)}`);
  expect([status, json.details[0].location, json.details[0].field]).toEqual([422, "query", field]);
});
