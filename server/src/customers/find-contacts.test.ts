import { describe, expect, test } from "vitest";
import { newEnvelope, newTemplate, plainPdf, tenant } from "../../test/lease.ts";
import { type TestKey, testService } from "../../test/service.ts";
import { cleanUp } from "../orgs/clean-up.ts";

const service = testService();

interface Listed {
  readonly name: string;
  readonly email: string;
  readonly customer_id: string | null;
  readonly last_used_at: string | null;
}

async function office() {
  const org = await service.newOrg();
  const key = await org.newKey({ rate_limit_rpm: 100_000 });
  const template_id = await newTemplate(key, plainPdf);
  const find = async (q: string, send = key.send): Promise<Listed[]> =>
    (await send("GET", `/contacts?q=${encodeURIComponent(q)}`)).json.data;
  const emails = async (q: string) => (await find(q)).map(({ email }) => email);
  return { org, key, find, emails, sendTo: (...people: [string, string][]) => sendTo(key, template_id, people) };
}

async function sendTo(key: TestKey, template_id: string, people: readonly (readonly [name: string, email: string])[]): Promise<void> {
  const envelope_id = await newEnvelope(key, template_id);
  const roles = ["Tenant", "Landlord"];
  const signers = people.map(([name, email], n) => ({ ...tenant, name, email, role: roles[n] }));
  const { status, text } = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers } });
  expect(status, text).toBe(200);
}

describe("GET /contacts", () => {
  test("finds customers and people to whom an envelope was sent, the last one first", async () => {
    const { key, find, emails, sendTo } = await office();
    const body = { name: "Zoë Marsh", email: "zoe@marsh.example", company: "Reed Ltd", client_id: "R-7" };
    const { customer_id } = (await key.send("POST", "/partner/customers", { body })).json.data;
    await key.send("POST", "/partner/customers", { body: { name: "Zoltan without an address" } });
    await sendTo(["Zora One", "zora@one.example"], ["Bo Two", "bo@two.example"]);
    await sendTo(["Zora New", "ZORA@one.example"], ["Zack", "zack@three.example"]);
    expect(await find("zo")).toEqual([
      { name: "Zora New", email: "ZORA@one.example", customer_id: null, last_used_at: expect.any(String) },
      { name: "Zoë Marsh", email: "zoe@marsh.example", customer_id, last_used_at: null },
    ]);
    expect(await emails("marsh ZOË")).toEqual(["zoe@marsh.example"]);
    expect(await emails("reed")).toEqual(["zoe@marsh.example"]);
    expect(await emails("r-7")).toEqual(["zoe@marsh.example"]);
    expect(await emails("bo@two")).toEqual(["bo@two.example"]);
    expect(await emails("one"), "the old name is not searched, but the address is").toEqual(["ZORA@one.example"]);
    expect([await emails("ora"), await emails("%"), await emails("zora zack")]).toEqual([[], [], []]);
    const [kept] = await service.database.owner("select uses from recent_recipients where email_key = 'zora@one.example'");
    expect(kept).toEqual({ uses: 2 });
  });

  test("shows a customer to whom an envelope was sent once, with the customer's name and the time", async () => {
    const { key, find, sendTo } = await office();
    const ids: string[] = [];
    for (const name of ["Ina Customer", "Ina Older"]) {
      const { json } = await key.send("POST", "/partner/customers", {
        body: { name, email: `${name.split(" ")[1]?.toLowerCase()}@ina.example` },
      });
      ids.push(json.data.customer_id);
    }
    await sendTo(["Ina as a signer", "Customer@INA.example"]);
    expect(await find("ina")).toEqual([
      { name: "Ina Customer", email: "Customer@INA.example", customer_id: ids[0], last_used_at: expect.any(String) },
      { name: "Ina Older", email: "older@ina.example", customer_id: ids[1], last_used_at: null },
    ]);
  });

  test("has at most 8, and the last used are among them however many begin like this", async () => {
    const { org, emails, sendTo } = await office();
    await service.database.owner(
      `insert into customers (org_id, customer_id, name, email) select $1, 'cust_' || lpad(n::text, 26, '0'), 'Kim ' || n, 'kim' || n || '@example.com' from generate_series(1, 1500) as n`,
      [org.org_id],
    );
    await service.database.owner(
      "insert into customer_words (org_id, word, customer_id) select $1, word, 'cust_' || lpad(n::text, 26, '0') from generate_series(1, 1500) as n, unnest(array['kim', 'kim' || n]) as word",
      [org.org_id],
    );
    await service.database.owner(
      `insert into recent_recipients (org_id, email_key, email, name, last_used_at)
       select $1, 'kim' || n || '@example.com', 'kim' || n || '@example.com', 'Kim', now() - make_interval(hours => n) from generate_series(1, 1500) as n`,
      [org.org_id],
    );
    await service.database.owner(
      "insert into recipient_words (org_id, word, email_key) select $1, 'kim', 'kim' || n || '@example.com' from generate_series(1, 1500) as n",
      [org.org_id],
    );
    await sendTo(["Kim Last", "zz@example.com"]);
    expect(await emails("k")).toEqual(["zz@example.com", ...[1, 2, 3, 4, 5, 6, 7].map((n) => `kim${n}@example.com`)]);
  });

  test("is for those who can read customers, and shows nothing of another organization", async () => {
    const { org, find, sendTo } = await office();
    await sendTo(["Secret", "secret@example.com"]);
    expect(await find("secret")).toHaveLength(1);
    const stranger = await service.newOrg();
    expect(await find("secret", stranger.admin)).toEqual([]);
    const blind = await org.newKey({ scopes: ["envelopes:read"] });
    expect((await blind.send("GET", "/contacts?q=secret")).status).toBe(403);
    expect((await org.admin("GET", "/contacts")).status).toBe(422);
    expect((await org.admin("GET", "/contacts?q=a+b+c+d+e+f+g+h+i+j+k")).status).toBe(422);
  });

  test("many envelopes to the same two people at once are all counted", async () => {
    const { org, sendTo } = await office();
    const people: [string, string][] = [
      ["A", "a@example.com"],
      ["B", "b@example.com"],
    ];
    await Promise.all(Array.from({ length: 6 }, (_, n) => sendTo(...(n % 2 === 0 ? people : [...people].reverse()))));
    const rows = await service.database.owner("select email_key, uses from recent_recipients where org_id = $1 order by 1", [org.org_id]);
    expect(rows).toEqual([
      { email_key: "a@example.com", uses: 6 },
      { email_key: "b@example.com", uses: 6 },
    ]);
  });

  test("people to whom nothing was sent for two years are forgotten", async () => {
    const { org, emails, sendTo } = await office();
    await sendTo(["Old", "old@example.com"], ["Oldest", "oldest@example.com"]);
    await service.database.owner(
      "update recent_recipients set last_used_at = now() - interval '2 years 1 day' where org_id = $1 and email_key = 'oldest@example.com'",
      [org.org_id],
    );
    expect((await cleanUp(service.features.orgs)).recipients).toBe(1);
    expect(await emails("old")).toEqual(["old@example.com"]);
  });
});

test("a customer is found by e-mail through the index, whatever row-level security asks", async () => {
  const { org } = await office();
  await service.database.owner(
    "insert into customers (org_id, customer_id, email) select $1, 'cust_' || n, 'n' || n || '@example.com' from generate_series(1, 2000) as n",
    [org.org_id],
  );
  await service.database.owner("analyze customers");
  const plan = await service.db.tx(org.org_id, (tx) =>
    tx.query<{ "QUERY PLAN": string }>({
      name: "explain-customers",
      text: `explain select customer_id from customers where org_id = '${org.org_id}' and email_key = email_key('n7@example.com')`,
      values: [],
    }),
  );
  expect(plan.rows.map((line) => line["QUERY PLAN"]).join("\n")).toContain("customers_email");
});
