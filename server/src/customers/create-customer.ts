import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import { newId } from "../shared/ids.ts";
import { type Customer, type CustomerChange, type CustomerDeps, customerFields, tidy } from "./customer.ts";
import { insertCustomer } from "./store.ts";

export async function createCustomer(deps: CustomerDeps, caller: Caller, wanted: CustomerChange): Promise<Customer> {
  const values = tidy(wanted);
  // The entry has the names of the given fields, not their values, because people can request erasure, which covers only the table.
  const given = customerFields.filter((field) => typeof values[field] === "string");
  return deps.db.tx(caller.org, async (tx) => {
    const customer_id = newId("customer", tx.now.getTime());
    const customer = await insertCustomer(tx, caller.org, customer_id, values);
    await appendAudit(tx, caller.org, { type: "customer.created", by: caller, data: { customer_id, fields: given } });
    return customer;
  });
}
