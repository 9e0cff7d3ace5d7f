import { describe, expect, test } from "vitest";
import { type TestOrg, testService } from "../../test/service.ts";
import { type Provisioned, provisionCustomer } from "./provision-customer.ts";

const service = testService();

const provision = (org: TestOrg, email: string, name: string): Promise<Provisioned> =>
  service.db.tx(org.org_id, (tx) => provisionCustomer(tx, org.org_id, { email, name }));

async function newCustomer(org: TestOrg, body: object): Promise<string> {
  return (await org.admin("POST", "/partner/customers", { body })).json.data.customer_id;
}

describe("the customer of an envelope", () => {
  test("is created if no customer has the e-mail address", async () => {
    const org = await service.newOrg();
    const { customer, created } = await provision(org, " ann@example.com", "Ann ");
    expect(created).toBe(true);
    const { json } = await org.admin("GET", `/partner/customers/${customer.customer_id}`);
    expect(json.data).toMatchObject({ name: "Ann", email: "ann@example.com", client_id: null });
  });

  test("is the one with the e-mail address, ignoring case, whatever the name; it is not changed", async () => {
    const org = await service.newOrg();
    const customer_id = await newCustomer(org, { name: "Ann", email: "Ann@Example.com" });
    const { customer, created } = await provision(org, "ANN@example.com", "Somebody");
    expect([customer.customer_id, customer.name, created]).toEqual([customer_id, "Ann", false]);
  });

  test("is never another org's", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const customer_id = await newCustomer(other, { name: "Ann", email: "ann@example.com" });
    const { customer, created } = await provision(org, "ann@example.com", "Ann");
    expect([created, customer.customer_id === customer_id]).toEqual([true, false]);
  });

  test("is the one with the name, if several have the e-mail address", async () => {
    const org = await service.newOrg();
    await newCustomer(org, { name: "Ann", email: "office@example.com" });
    const sam = await newCustomer(org, { name: "Sam", email: "office@example.com" });
    expect((await provision(org, "office@example.com", "Sam")).customer.customer_id).toBe(sam);
  });

  test.each([
    ["nobody", "Kim"],
    ["two of them", "Ann"],
  ])("must be chosen by the caller if several have the e-mail address and %s the name", async (_who, name) => {
    const org = await service.newOrg();
    const first = await newCustomer(org, { name: "Ann", email: "office@example.com", client_id: "C-1" });
    const second = await newCustomer(org, { name: "Ann", email: "office@example.com" });
    await expect(provision(org, "office@example.com", name)).rejects.toMatchObject({
      code: "several_customers",
      candidates: [
        { customer_id: first, name: "Ann", client_id: "C-1" },
        { customer_id: second, name: "Ann", client_id: null },
      ],
    });
  });

  test("is created once if thirty envelopes need it at the same time", async () => {
    const org = await service.newOrg();
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, n) => provision(org, n % 2 === 0 ? "new@example.com" : "NEW@example.com", `N ${n}`)),
    );
    expect(all.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(all.map(({ customer }) => customer.customer_id)).size).toBe(1);
  });

  test("is not created if creating the envelope fails", async () => {
    const org = await service.newOrg();
    const failing = service.db.tx(org.org_id, async (tx) => {
      await provisionCustomer(tx, org.org_id, { email: "ann@example.com", name: "Ann" });
      throw new Error("no envelope");
    });
    await expect(failing).rejects.toThrow("no envelope");
    expect((await org.admin("GET", "/partner/customers?email=ann@example.com")).status).toBe(404);
  });
});
