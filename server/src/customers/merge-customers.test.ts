import { describe, expect, test } from "vitest";
import { sentEnvelope } from "../../test/envelopes.ts";
import { form } from "../../test/form.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { vaultedCopy } from "../../test/vaulted.ts";
import { backfill } from "../jobs/backfill.ts";
import { backfills } from "../main.ts";
import { gatherFacts } from "../vault/gather-facts.ts";
import { customerFields } from "./customer.ts";

const service = testService();

const nothing = Object.fromEntries(customerFields.map((field) => [field, null]));

async function newCustomer(org: TestOrg, body: object): Promise<string> {
  return (await org.admin("POST", "/partner/customers", { body })).json.data.customer_id;
}

async function newDraft(
  org: TestOrg,
  customer_email: string,
  customer_name = "Ann",
): Promise<{ envelope_id: string; customer_id: string }> {
  const body = { envelope_name: "Lease", customer_email, customer_name };
  const { status, json } = await org.admin("POST", "/partner/envelopes", { body });
  expect([status, json.error]).toEqual([201, undefined]);
  return json.data;
}

const give = (envelope_id: string, customer_id: string) =>
  service.database.owner("update envelopes set customer_id = $2 where envelope_id = $1", [envelope_id, customer_id]);
const merge = (org: TestOrg, into: string, duplicate_customer_id: string) =>
  org.admin("POST", `/partner/customers/${into}/merge`, { body: { duplicate_customer_id } });
const remove = (org: TestOrg, customer_id: string) => org.admin("DELETE", `/partner/customers/${customer_id}`);
const get = async (org: TestOrg, path: string) => (await org.admin("GET", path)).json;

async function lastEntry(org: TestOrg): Promise<{ type: string; data: Record<string, unknown> }> {
  const { type, data } = (await get(org, "/org/audit-trail?limit=1")).data[0];
  const { ip: _, user_agent: __, request_id: ___, ...own } = data;
  return { type, data: own };
}

describe("merging a duplicate", () => {
  test("moves its envelopes, fills what the customer lacks, and all its names find the customer", async () => {
    const org = await service.newOrg();
    const kept = await newCustomer(org, { name: "Ann Example", email: "ann@example.com", client_id: "C-1" });
    const duplicate = await newCustomer(org, {
      name: "A. Example",
      email: "ann@work.example",
      client_id: "C-2",
      phone: "+1 555",
      city: "Bonn",
    });
    const draft = await newDraft(org, "ann@work.example");
    const before = (await get(org, `/partner/envelopes/${draft.envelope_id}`)).data;
    const { status, json } = await merge(org, kept, duplicate);
    const now = expect.any(String);
    const values = { name: "Ann Example", email: "ann@example.com", client_id: "C-1", phone: "+1 555", city: "Bonn" };
    const customer = { ...nothing, customer_id: kept, ...values, created_at: now, updated_at: now };
    expect([status, json]).toEqual([200, { data: { customer, merged_customer_id: duplicate, envelopes_moved: 1 } }]);
    expect(await lastEntry(org)).toEqual({
      type: "customer.merged",
      data: { customer_id: kept, merged_customer_id: duplicate, fields: ["phone", "city"], envelopes: 1 },
    });
    for (const path of [
      `/partner/customers/${kept}`,
      `/partner/customers/${duplicate}`,
      "/partner/customers?client_id=c-2",
      "/partner/customers?email=ANN@work.example",
    ]) {
      expect((await get(org, path)).data, path).toEqual(customer);
    }
    // Each list has the customer once, also by what only the duplicate had.
    for (const path of ["/customers", "/customers?q=C-2", "/customers?q=work.example", "/customers?q=example"]) {
      expect((await get(org, path)).data, path).toEqual([customer]);
    }
    for (const id of [kept, duplicate]) {
      const { data, meta } = await get(org, `/partner/envelopes?customer_id=${id}`);
      expect([meta.total, data[0].envelope_id, data[0].customer_id]).toEqual([1, draft.envelope_id, kept]);
    }
    for (const id of [kept, duplicate]) {
      const { data, meta } = await get(org, `/partner/customers/${id}/merged`);
      const former = { customer_id: duplicate, name: "A. Example", email: "ann@work.example", client_id: "C-2", merged_at: now };
      expect([data, meta.total]).toEqual([[former], 1]);
    }
    // The envelope itself did not change.
    expect((await get(org, `/partner/envelopes/${draft.envelope_id}`)).data).toEqual({ ...before, customer_id: kept });
  });

  test("the customer stays found by what the duplicates had, also after a change and in the list of contacts", async () => {
    const org = await service.newOrg();
    const kept = await newCustomer(org, { name: "Ann Example", email: "ann@example.com" });
    const first = await newCustomer(org, { name: "Berta Muster", client_id: "C-2" });
    const second = await newCustomer(org, { company: "Cesar Ltd", email: "cesar@work.example" });
    await merge(org, first, second);
    await merge(org, kept, first);
    await org.admin("PATCH", `/partner/customers/${kept}`, { body: { name: "Dora" } });
    const ids = async (path: string) => (await get(org, path)).data.map((one: { customer_id: string }) => one.customer_id);
    for (const q of ["dora", "berta", "cesar", "c-2", "work.ex", "muster+dora"]) {
      expect(await ids(`/customers?q=${q}`), q).toEqual([kept]);
      expect(await ids(`/contacts?q=${q}`), q).toEqual([kept]);
    }
    expect(await ids("/customers?q=example+ann")).toEqual([kept]);
    expect(await service.database.owner("select distinct customer_id from customer_words where org_id = $1", [org.org_id])).toEqual([
      { customer_id: kept },
    ]);
  });

  test("a merge from before its words counted is found once the job has filled them in", async () => {
    const org = await service.newOrg();
    const kept = await newCustomer(org, { name: "Ann" });
    const duplicate = await newCustomer(org, { name: "Berta" });
    await merge(org, kept, duplicate);
    const { owner } = service.database;
    await owner("delete from customer_words where org_id = $1 and word = 'berta'", [org.org_id]);
    const found = async () => (await get(org, "/customers?q=berta")).meta.total;
    expect(await found()).toBe(0);
    await owner("insert into backfills (name, org_id) values ('former-customer-words', $1)", [org.org_id]);
    expect(await found(), "looked at one by one").toBe(1);
    await backfill(service, backfills);
    expect([await found(), await owner("select name from backfills where org_id = $1 and done_at is null", [org.org_id])]).toEqual([1, []]);
  });

  test("later acts with the duplicate's id, client_id or address reach the customer", async () => {
    const org = await service.newOrg();
    const kept = await newCustomer(org, { name: "Ann", client_id: "C-1" });
    const duplicate = await newCustomer(org, { name: "Ann", email: "ann@example.com", client_id: "C-2" });
    await merge(org, kept, duplicate);
    expect((await newDraft(org, "ann@example.com")).customer_id).toBe(kept);
    expect((await org.admin("PATCH", `/partner/customers/${duplicate}`, { body: { city: "Bonn" } })).json.data).toMatchObject({
      customer_id: kept,
      city: "Bonn",
    });
    const csv = { bytes: Buffer.from("client_id,name,phone\nC-2,,+1 555\nC-3,Ben,\n"), name: "customers.csv", type: "text/csv" };
    expect((await org.admin("POST", "/customers/bulk", form({}, csv))).json.data).toMatchObject({
      rows: 2,
      created: 1,
      updated: 1,
      failed: 0,
    });
    expect((await get(org, `/partner/customers/${kept}`)).data).toMatchObject({ phone: "+1 555", client_id: "C-1" });
    // Its client_id is still taken, except for the customer itself.
    expect((await org.admin("POST", "/partner/customers", { body: { client_id: "c-2" } })).status).toBe(409);
    expect((await org.admin("PATCH", `/partner/customers/${kept}`, { body: { client_id: "C-2" } })).json.data.client_id).toBe("C-2");
    expect((await get(org, "/contacts?q=ann")).data.map((one: { customer_id: string }) => one.customer_id)).toEqual([kept]);
  });

  test("a chain of merges ends at the last customer, and a second call changes nothing", async () => {
    const org = await service.newOrg();
    const [a, b, c] = [await newCustomer(org, { name: "A" }), await newCustomer(org, { name: "B" }), await newCustomer(org, { name: "C" })];
    await merge(org, b, a);
    await merge(org, c, a);
    expect((await get(org, `/partner/customers/${a}`)).data.customer_id).toBe(c);
    expect((await get(org, `/partner/customers/${b}`)).data.customer_id).toBe(c);
    const entries = (await get(org, "/org/audit-trail")).meta.total;
    expect((await merge(org, c, b)).json.data).toMatchObject({ merged_customer_id: b, envelopes_moved: 0 });
    // In the other direction too: both ids mean the same customer.
    expect((await merge(org, b, c)).json.data.customer.customer_id).toBe(c);
    expect((await get(org, "/org/audit-trail")).meta.total).toBe(entries);
  });

  test("is refused with itself, with a customer of another organization, and while auditors see one of the two", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const [a, b, foreign] = [await newCustomer(org, {}), await newCustomer(org, {}), await newCustomer(other, {})];
    expect((await merge(org, a, a)).json.details[0].message).toBe("must be another customer");
    expect((await merge(org, a, foreign)).json.details[0].message).toBe("must be a customer of your organization");
    expect((await merge(org, foreign, a)).status).toBe(404);
    await service.database.owner("insert into parties (org_id, party_id, kind, name) values ($1, 'pty_x', 'people', 'Auditors')", [
      org.org_id,
    ]);
    await service.database.owner(
      `insert into audit_grants (org_id, grant_id, party_id, filter, may_download, until, granted_by, granted_at)
       values ($1, 'agr_x', 'pty_x', jsonb_build_object('customer_id', $2::text), false, now() + interval '1 day', '{}', now())`,
      [org.org_id, b],
    );
    const audited = "An audit grant covers the records of one of the two customers. Revoke the grant, or wait until it ends";
    for (const [into, from] of [
      [a, b],
      [b, a],
    ] as const) {
      const { status, json } = await merge(org, into, from);
      expect([status, json]).toEqual([409, refusedWith(audited)]);
    }
    await service.database.owner("update audit_grants set revoked_at = now() where org_id = $1", [org.org_id]);
    expect((await merge(org, a, b)).status).toBe(200);
  });

  test("leaves a vaulted record as it was recorded: an evaluation names the customer that it named before", async () => {
    const org = await service.newOrg();
    const original = await newCustomer(org, { name: "Ann" });
    const { envelope_id } = await vaultedCopy(service, org);
    await give(envelope_id, original);
    const kept = await newCustomer(org, { name: "Ann" });
    await merge(org, kept, original);
    expect((await get(org, `/partner/envelopes/${envelope_id}`)).data.customer_id).toBe(kept);
    expect((await get(org, `/partner/vault?customer_id=${original}`)).data.map((one: { envelope_id: string }) => one.envelope_id)).toEqual([
      envelope_id,
    ]);
    const facts = await gatherFacts(service.features.vault, org.org_id, envelope_id, { certificate: null, covered: null });
    expect(facts.envelope.customer_id).toBe(original);
  });

  test("the list of a customer with many envelopes stays complete and in order", async () => {
    const org = await service.newOrg();
    const [a, b] = [await newCustomer(org, {}), await newCustomer(org, {})];
    await service.database.owner(
      `insert into envelopes (org_id, envelope_id, envelope_name, status, customer_id, created_at)
       select $1, 'env_' || lpad(n::text, 26, '0'), 'Lease', 'voided', case when n % 3 = 0 then $2 else $3 end, now() - interval '1 day'
       from generate_series(1, 4500) n`,
      [org.org_id, a, b],
    );
    await service.database.owner("select fill_envelope_buckets(1000, '10 minutes', '2 days')");
    expect((await merge(org, b, a)).json.data.envelopes_moved).toBe(1_500);
    const buckets = await service.database.owner(
      "select bucket_no, last_id from envelope_buckets where org_id = $1 and subset = $2 order by 1",
      [org.org_id, b],
    );
    expect(buckets.map(({ bucket_no, last_id }) => [bucket_no, Number(last_id.slice(4))])).toEqual(
      [1, 2, 3, 4].map((no) => [no, no * 1_000]),
    );
    for (const page of [1, 20, 45]) {
      const { data, meta } = await get(org, `/partner/envelopes?customer_id=${b}&limit=100&page=${page}`);
      expect(meta.total).toBe(4_500);
      const first = 4_500 - (page - 1) * 100;
      expect(data.map(({ envelope_id }: { envelope_id: string }) => Number(envelope_id.slice(4)))).toEqual(
        Array.from({ length: 100 }, (_, n) => first - n),
      );
    }
  });

  test("while envelopes are created for the duplicate, none stays behind", async () => {
    const org = await service.newOrg();
    const kept = await newCustomer(org, { name: "Ann" });
    const duplicate = await newCustomer(org, { name: "Ann", email: "ann@example.com" });
    const made = Array.from({ length: 12 }, () => newDraft(org, "ann@example.com"));
    const merged = merge(org, kept, duplicate);
    await Promise.all([...made, merged]);
    expect((await merged).status).toBe(200);
    expect((await get(org, `/partner/envelopes?customer_id=${kept}`)).meta.total).toBe(12);
    expect(await service.database.owner("select from envelopes where org_id = $1 and customer_id = $2", [org.org_id, duplicate])).toEqual(
      [],
    );
  });

  test("of opposite merges at once one wins, and no customer is lost", async () => {
    const org = await service.newOrg();
    for (let turn = 0; turn < 5; turn++) {
      const [a, b] = [await newCustomer(org, { name: "A" }), await newCustomer(org, { name: "B" })];
      const answers = await Promise.all([merge(org, a, b), merge(org, b, a)]);
      expect(answers.map(({ status }) => status)).toContain(200);
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
      const [one, other] = [(await get(org, `/partner/customers/${a}`)).data, (await get(org, `/partner/customers/${b}`)).data];
      expect(one).toEqual(other);
    }
  });
});

describe("deleting a customer", () => {
  test("removes the row, those merged into it, its words and its address among the contacts", async () => {
    const org = await service.newOrg();
    const kept = await newCustomer(org, { name: "Ann Example", email: "ann@example.com", client_id: "C-1" });
    const duplicate = await newCustomer(org, { name: "Ann", email: "ann@work.example" });
    await merge(org, kept, duplicate);
    const { status, json } = await remove(org, kept);
    expect([status, json]).toEqual([200, { data: { customer_id: kept, deleted: true } }]);
    expect(await lastEntry(org)).toEqual({
      type: "customer.deleted",
      data: { customer_id: kept, merged_customer_ids: [duplicate], envelopes: 0 },
    });
    for (const id of [kept, duplicate]) {
      expect((await org.admin("GET", `/partner/customers/${id}`)).status).toBe(404);
      expect((await remove(org, id)).status).toBe(404);
    }
    for (const table of ["customers", "customer_words", "recent_recipients"]) {
      expect(await service.database.owner(`select from ${table} where org_id = $1`, [org.org_id]), table).toEqual([]);
    }
    expect(await newCustomer(org, { client_id: "C-1" })).toMatch(/^cust_/);
  });

  test("leaves envelopes that ended without a signature, without the customer", async () => {
    const org = await service.newOrg();
    const { envelope_id, customer_id } = await newDraft(org, "ann@example.com");
    expect((await remove(org, customer_id)).json.error).toBe("The customer cannot be deleted: 1 draft (discard first)");
    await org.admin("DELETE", `/partner/envelopes/${envelope_id}`);
    expect((await remove(org, customer_id)).status).toBe(200);
    expect((await get(org, `/partner/envelopes/${envelope_id}`)).data.customer_id).toBeNull();
    expect((await lastEntry(org)).data).toMatchObject({ envelopes: 1 });
  });

  test("says exactly what keeps the customer", async () => {
    const org = await service.newOrg();
    const customer_id = await newCustomer(org, { name: "Ann" });
    const { envelope_id: sent } = await sentEnvelope(service, org);
    const { envelope_id: signed } = await sentEnvelope(service, org, { status: "completed" });
    const vaulted = await vaultedCopy(service, org);
    for (const id of [sent, signed, vaulted.envelope_id]) await give(id, customer_id);
    const [copy] = await service.database.owner("select retention_until from authoritative_copies where envelope_id = $1", [
      vaulted.envelope_id,
    ]);
    const until = copy?.retention_until.toISOString().slice(0, 10);
    const { status, json } = await remove(org, customer_id);
    expect([status, json.error]).toEqual([
      409,
      `The customer cannot be deleted: 1 envelope out for signature (void first); 1 signed document outside the vault; 1 record in the vault, retention until ${until}`,
    ]);
    // After its retention, and once it is no longer in this vault.
    await service.database.owner("update envelopes set status = 'voided' where org_id = $1 and envelope_id = any($2)", [
      org.org_id,
      [sent, signed],
    ]);
    await service.database.owner("alter table authoritative_copies disable trigger later_only");
    const age = (state: string, by: string) =>
      service.database.owner("update authoritative_copies set state = $2, retention_until = now() + $3::interval where envelope_id = $1", [
        vaulted.envelope_id,
        state,
        by,
      ]);
    await age("exported", "1 day");
    expect((await remove(org, customer_id)).json.error).toMatch(/^The customer cannot be deleted: 1 record in the vault, retention until /);
    await age("active", "-1 day");
    expect((await remove(org, customer_id)).json.error).toMatch(/^The customer cannot be deleted: 1 record in the vault, retention until /);
    await age("exported", "-1 day");
    expect((await remove(org, customer_id)).status).toBe(200);
  });

  test("needs customers:write, as a merge does", async () => {
    const org = await service.newOrg();
    const customer_id = await newCustomer(org, {});
    const key = await org.newKey({ scopes: ["customers:read"] });
    expect((await key.send("DELETE", `/partner/customers/${customer_id}`)).status).toBe(403);
    expect(
      (await key.send("POST", `/partner/customers/${customer_id}/merge`, { body: { duplicate_customer_id: customer_id } })).status,
    ).toBe(403);
  });
});
