import { expect, test } from "vitest";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";

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

test("q is searched literally, ignoring case, in name, e-mail address, company and client_id only", async () => {
  const org = await service.newOrg();
  const byName = await newCustomer(org, { name: "MÜLLER & Sons", phone: "lease" });
  const byEmail = await newCustomer(org, { email: "Lease.Desk@Example.com" });
  const byCompany = await newCustomer(org, { company: "100% Lease_Co", city: "muller" });
  const byClientId = await newCustomer(org, { client_id: "LEASE-7", job_title: "100%" });
  expect(await find(org, { q: "lease" })).toEqual({ ids: [byClientId, byCompany, byEmail], total: 3 });
  expect(await find(org, { q: "lease", limit: "1", page: "2" })).toEqual({ ids: [byCompany], total: 3 });
  expect(await find(org, { q: "lease", page: "2" }), "past its end").toEqual({ ids: [], total: 3 });
  expect(await find(org, { q: "müller" })).toEqual({ ids: [byName], total: 1 });
  expect(await find(org, { q: "%" }), "% stands for itself").toEqual({ ids: [byCompany], total: 1 });
  expect(await find(org, { q: "lease_c" }), "and so does _").toEqual({ ids: [byCompany], total: 1 });
  expect(await find(org, { q: "lease_d" })).toEqual({ ids: [], total: 0 });
  expect(await find(org, { q: "\\" })).toEqual({ ids: [], total: 0 });
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
  ["page 0", { page: "0" }, "page"],
  ["a limit that is no number", { limit: "many" }, "limit"],
])("%s is 422", async (_what, query, field) => {
  const org = await service.newOrg();
  const { status, json } = await org.admin("GET", `/customers?${new URLSearchParams(query as Record<string, string>)}`);
  expect([status, json.details[0].location, json.details[0].field]).toEqual([422, "query", field]);
});
