import { describe, expect, test } from "vitest";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { isRequestTooExpensive } from "../../test/thread-time.ts";
import { newId } from "../shared/ids.ts";
import { customerFields } from "./customer.ts";

const service = testService();

const nothing = Object.fromEntries(customerFields.map((field) => [field, null]));
const everything = {
  name: "Ann Example",
  email: "Ann@Example.com",
  phone: "+1 555 0100",
  company: "Example & Co",
  job_title: "Buyer",
  entity_type: "llc",
  client_id: "C-1",
  category: "retail",
  industry: "trade",
  address_line1: "1 Main Street",
  address_line2: "Floor 2",
  city: "Springfield",
  state: "IL",
  postal_code: "62701",
  country: "US",
  website_url: "https://example.com/?a=b#c",
  primary_contact_name: "Sam Example",
};

async function newCustomer(org: TestOrg, body: object): Promise<string> {
  const { status, json } = await org.admin("POST", "/partner/customers", { body });
  expect([status, json]).toEqual([201, expect.anything()]);
  return json.data.customer_id;
}

const find = (org: TestOrg, query: Record<string, string>) => org.admin("GET", `/partner/customers?${new URLSearchParams(query)}`);
const count = async (org: TestOrg) => (await service.database.owner("select from customers where org_id = $1", [org.org_id])).length;

async function chain(org: TestOrg): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { json } = await org.admin("GET", "/org/audit-trail");
  return json.data.filter((entry: { type: string }) => entry.type.startsWith("customer"));
}

describe("POST /partner/customers", () => {
  test("returns 201 with the partner-safe view, which the look-up returns too", async () => {
    const org = await service.newOrg();
    const { status, json } = await org.admin("POST", "/partner/customers", { body: everything });
    expect(status).toBe(201);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const customer_id = expect.stringMatching(/^cust_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(json).toEqual({ data: { customer_id, ...everything, created_at: time, updated_at: json.data.created_at } });
    const read = await org.admin("GET", `/partner/customers/${json.data.customer_id}`);
    expect([read.status, read.json]).toEqual([200, json]);
    expect((await find(org, { client_id: "C-1" })).json).toEqual(json);
    expect((await find(org, { email: "ann@example.com" })).json).toEqual(json);
  });

  test("without fields creates a customer whose fields are all null", async () => {
    const org = await service.newOrg();
    const { status, json } = await org.admin("POST", "/partner/customers");
    expect([status, json.data]).toMatchObject([201, nothing]);
  });

  test("trims values, and treats a blank value as null", async () => {
    const org = await service.newOrg();
    const body = { name: "  Ann \n", email: " ann@example.com ", client_id: "\tC-1 ", website_url: " ", phone: "", city: null };
    const { status, json } = await org.admin("POST", "/partner/customers", { body });
    expect([status, json.data]).toMatchObject([201, { ...nothing, name: "Ann", email: "ann@example.com", client_id: "C-1" }]);
  });

  test("a client_id that another customer has, in upper or lower case, is 409 and creates nothing; another org can use it", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    await newCustomer(org, { client_id: "Müller-1" });
    const { status, json } = await org.admin("POST", "/partner/customers", { body: { client_id: " MÜLLER-1" } });
    expect([status, json]).toEqual([
      409,
      {
        error: "Another customer has this client_id",
        details: [{ location: "body", field: "client_id", code: "duplicate", message: "belongs to another customer" }],
      },
    ]);
    expect(await count(org)).toBe(1);
    await newCustomer(other, { client_id: "Müller-1" });
  });

  test("sent twenty times at once with one client_id returns 201 once and 409 otherwise", async () => {
    const org = await service.newOrg();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => org.admin("POST", "/partner/customers", { body: { client_id: n % 2 === 0 ? "race" : "RACE" } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect(await count(org)).toBe(1);
  });

  test("with an Idempotency-Key runs once", async () => {
    const org = await service.newOrg();
    const send = () => org.admin("POST", "/partner/customers", { body: { name: "Ann" }, headers: { "idempotency-key": "k" } });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect(await count(org)).toBe(1);
  });

  test.each([
    ["a name of 201 characters", { name: "x".repeat(201) }, "name", "too_long"],
    ["a name that is a number", { name: 5 }, "name", "invalid_type"],
    ["a name with NUL", { name: "a\0" }, "name", "invalid_format"],
    ["an e-mail without @", { email: "ann" }, "email", "invalid_format"],
    ["an e-mail with two @", { email: "a@b@c" }, "email", "invalid_format"],
    ["a client_id of 201 characters", { client_id: "x".repeat(201) }, "client_id", "too_long"],
    ["an industry of 101 characters", { industry: "x".repeat(101) }, "industry", "too_long"],
    ["a website without a scheme", { website_url: "example.com" }, "website_url", "invalid_format"],
    ["a website that is a script", { website_url: "javascript:alert(1)//http://x" }, "website_url", "invalid_format"],
    ["a website of 2001 characters", { website_url: `https://${"x".repeat(1993)}` }, "website_url", "too_long"],
  ])("%s is 422 with its location, and nothing is created", async (_what, body, field, code) => {
    const org = await service.newOrg();
    const { status, json } = await org.admin("POST", "/partner/customers", { body });
    expect(status).toBe(422);
    expect(json).toEqual({ error: "Validation failed", details: [{ location: "body", field, code, message: expect.any(String) }] });
    expect(await count(org)).toBe(0);
  });

  test("the longest allowed values are stored, also in four-byte characters", async () => {
    const org = await service.newOrg();
    const letters = "𐐀".repeat(200);
    await newCustomer(org, { name: letters, client_id: letters, email: `${"𐐀".repeat(64)}@${"𐐀".repeat(189)}` });
    expect((await find(org, { client_id: "𐐨".repeat(200) })).json.data.name).toBe(letters);
    await newCustomer(org, { client_id: "İ".repeat(200) });
  });

  test("a megabyte of blanks as e-mail address is rejected quickly", async () => {
    const org = await service.newOrg();
    const send = () => org.admin("POST", "/partner/customers", { body: { email: `${" ".repeat(1_000_000)}x` } });
    expect((await send()).status).toBe(422);
    expect(await isRequestTooExpensive(send, 100)).toBe(false);
  });

  test("writes an entry to the org's chain with the names of the fields but no values", async () => {
    const org = await service.newOrg();
    const customer_id = await newCustomer(org, { name: "Ann", email: "ann@example.com", phone: " " });
    const [entry] = await chain(org);
    expect(entry).toMatchObject({ type: "customer.created", data: { customer_id, fields: ["name", "email"] } });
    expect(JSON.stringify(entry)).not.toContain("ann@");
  });
});

describe("GET /partner/customers", () => {
  test("finds by client_id and by e-mail address, ignoring case", async () => {
    const org = await service.newOrg();
    const customer_id = await newCustomer(org, { email: "Ann@Example.com", client_id: "Straße ΟΔΟΣ-7" });
    for (const query of [
      { email: "aNN@eXAMPLE.COM" },
      { email: " ann@example.com" },
      { client_id: "STRAßE οδοσ-7" },
      { client_id: "straße ΟΔΟΣ-7 " },
    ] as Record<string, string>[]) {
      expect([query, (await find(org, query)).json.data?.customer_id]).toEqual([query, customer_id]);
    }
  });

  test("does not treat a dotted capital I as an i, nor the Kelvin sign in an e-mail address as a k", async () => {
    const org = await service.newOrg();
    await newCustomer(org, { client_id: "i-1", email: "kim@example.com" });
    expect((await find(org, { client_id: "İ-1" })).status).toBe(404);
    expect((await find(org, { email: "\u212aim@example.com" })).status).toBe(404);
    await newCustomer(org, { client_id: "İ-1" });
    expect((await find(org, { client_id: "İ-1" })).json.data.client_id).toBe("İ-1");
  });

  test.each([
    ["neither", "", "required", "give client_id or email"],
    ["both", "?client_id=1&email=a@b", "invalid_value", "give only one of client_id and email"],
  ])("%s of client_id and email is 422", async (_what, query, code, message) => {
    const org = await service.newOrg();
    const { status, json } = await org.admin("GET", `/partner/customers${query}`);
    const details = ["client_id", "email"].map((field) => ({ location: "query", field, code, message }));
    expect([status, json]).toEqual([422, { error: "Validation failed", details }]);
  });

  test.each([
    ["client_id=", "client_id", "too_small"],
    ["client_id=1&client_id=2", "client_id", "invalid_type"],
    [`email=${"x".repeat(255)}`, "email", "too_long"],
  ])("?%s is 422", async (query, field, code) => {
    const org = await service.newOrg();
    const { status, json } = await org.admin("GET", `/partner/customers?${query}`);
    expect([status, json.details]).toEqual([422, [{ location: "query", field, code, message: expect.any(String) }]]);
  });

  test("an unknown client_id or e-mail address is 404, and so is another org's customer", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    await newCustomer(other, { client_id: "C-1", email: "ann@example.com" });
    for (const query of [{ client_id: "C-1" }, { email: "ann@example.com" }, { email: "no address" }] as Record<string, string>[]) {
      const { status, json } = await find(org, query);
      expect([status, json]).toEqual([404, refusedWith("Customer not found")]);
    }
  });

  test("an e-mail address of several customers is 409 with the candidates, oldest first", async () => {
    const org = await service.newOrg();
    const first = await newCustomer(org, { name: "Ann", email: "office@example.com", client_id: "C-1" });
    const second = await newCustomer(org, { email: "Office@Example.com" });
    const { status, json } = await find(org, { email: "OFFICE@example.com" });
    expect([status, json]).toEqual([
      409,
      {
        ...refusedWith("Several customers share this e-mail address. Look up the customer by client_id"),
        candidates: [
          { customer_id: first, name: "Ann", client_id: "C-1" },
          { customer_id: second, name: null, client_id: null },
        ],
      },
    ]);
    expect((await find(org, { client_id: "c-1" })).json.data.customer_id).toBe(first);
  });

  test("shows at most a hundred candidates", async () => {
    const org = await service.newOrg();
    const ids = Array.from({ length: 101 }, (_, n) => newId("customer", n + 1));
    await service.database.owner(
      "insert into customers (org_id, customer_id, email) select $1, id, 'many@example.com' from unnest($2::text[]) id",
      [org.org_id, ids],
    );
    const { json } = await find(org, { email: "many@example.com" });
    expect(json.candidates.map((one: { customer_id: string }) => one.customer_id)).toEqual(ids.slice(0, 100));
  });
});

describe("PATCH /partner/customers/:customer_id", () => {
  test("changes the given fields, clears those that are null or blank, and keeps the rest", async () => {
    const org = await service.newOrg();
    const customer_id = await newCustomer(org, everything);
    const path = `/partner/customers/${customer_id}`;
    const { status, json } = await org.admin("PATCH", path, { body: { name: "Sam", phone: null, city: " ", client_id: "C-2" } });
    expect([status, json.data]).toMatchObject([200, { ...everything, name: "Sam", phone: null, city: null, client_id: "C-2" }]);
    expect(json.data.updated_at > json.data.created_at).toBe(true);
    expect((await org.admin("GET", path)).json).toEqual(json);
    expect((await find(org, { client_id: "c-1" })).status).toBe(404);
    expect((await find(org, { client_id: "c-2" })).status).toBe(200);
    expect(await chain(org)).toMatchObject([
      { type: "customer.updated", data: { customer_id, fields: ["name", "phone", "client_id", "city"] } },
      { type: "customer.created" },
    ]);
  });

  test("an update that changes nothing leaves no trace", async () => {
    const org = await service.newOrg();
    const customer_id = await newCustomer(org, everything);
    const path = `/partner/customers/${customer_id}`;
    const before = await org.admin("GET", path);
    for (const body of [{}, { name: everything.name }]) {
      const answer = await org.admin("PATCH", path, { body });
      expect([answer.status, answer.text]).toEqual([200, before.text]);
    }
    expect(await chain(org)).toHaveLength(1);
  });

  test("the client_id of another customer is 409 and changes nothing; its own in another case is accepted", async () => {
    const org = await service.newOrg();
    await newCustomer(org, { client_id: "C-1" });
    const path = `/partner/customers/${await newCustomer(org, { client_id: "C-2", name: "Ann" })}`;
    const { status, json } = await org.admin("PATCH", path, { body: { name: "Sam", client_id: "c-1" } });
    expect([status, json.error, json.details[0].field]).toEqual([409, "Another customer has this client_id", "client_id"]);
    expect((await org.admin("GET", path)).json.data).toMatchObject({ name: "Ann", client_id: "C-2" });
    expect((await org.admin("PATCH", path, { body: { client_id: "c-2" } })).json.data.client_id).toBe("c-2");
  });
});

test("a single customer has an ETag", async () => {
  const org = await service.newOrg();
  const path = `/partner/customers/${await newCustomer(org, { name: "Ann" })}`;
  const { etag = "" } = (await org.admin("GET", path)).headers;
  expect((await org.admin("GET", path, { headers: { "if-none-match": etag } })).status).toBe(304);
});

describe("the internal fields", () => {
  const internal = { notes: "N", payment_customer_ref: "P", properties: { a: 1 }, revenue_metrics: { b: 2 } };
  const asColumns = "notes, payment_customer_ref, properties, revenue_metrics";

  test("in a body are unknown fields: 422, or ignored for a lenient key, and never stored", async () => {
    const org = await service.newOrg();
    const { key_id, send } = await org.newKey();
    const body = { name: "Ann", ...internal, org_id: "org_x" };
    expect((await send("POST", "/partner/customers", { body })).status).toBe(422);
    await org.admin("PATCH", `/partners/keys/${key_id}`, { body: { lenient_fields: true } });
    const { customer_id } = (await send("POST", "/partner/customers", { body })).json.data;
    await send("PATCH", `/partner/customers/${customer_id}`, { body: { name: "Sam", ...internal } });
    const [row] = await service.database.owner(`select name, ${asColumns} from customers where customer_id = $1`, [customer_id]);
    expect(row).toEqual({ name: "Sam", notes: null, payment_customer_ref: null, properties: null, revenue_metrics: null });
  });

  test("are in no response of any customer endpoint, and in no entry of the chain", async () => {
    const org = await service.newOrg();
    const [customer_id, twin] = [await newCustomer(org, everything), await newCustomer(org, { email: "twin@example.com" })];
    await newCustomer(org, { email: "twin@example.com" });
    await service.database.owner(
      `update customers set (${asColumns}) = ('canary-1', 'canary-2', '{"canary-3": "canary-4"}', '{"canary-5": 7}') where org_id = $1`,
      [org.org_id],
    );
    const answers = [
      await find(org, { client_id: "C-1" }),
      await find(org, { email: "ann@example.com" }),
      await find(org, { email: "twin@example.com" }),
      await org.admin("GET", `/partner/customers/${customer_id}`),
      await org.admin("PATCH", `/partner/customers/${customer_id}`, { body: { name: "Sam" } }),
      await org.admin("PATCH", `/partner/customers/${customer_id}`, { body: { name: "Sam" } }),
      await org.admin("PATCH", `/partner/customers/${twin}`, { body: { client_id: "C-1" } }),
      await org.admin("POST", "/partner/customers", { body: { client_id: "C-1" } }),
      await org.admin("GET", "/org/audit-trail"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 409, 200, 200, 200, 409, 409, 200]);
    for (const { text } of answers) expect(text).not.toContain("canary");
    expect(answers[0]?.json.data.name).toBe("Ann Example");
  });

  test.each(Object.keys(internal))("%s cannot be read or written by any statement of the app", async (column) => {
    const { org_id } = await service.newOrg();
    for (const text of [`select ${column} from customers`, `update customers set ${column} = null`]) {
      await expect(service.db.tx(org_id, (tx) => tx.query({ name: text, text, values: [] }))).rejects.toThrow(/permission denied/);
    }
  });
});
