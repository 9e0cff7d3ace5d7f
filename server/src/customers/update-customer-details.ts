import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { CustomerId } from "../shared/ids.ts";
import { type Customer, type CustomerChange, type CustomerDeps, customerFields, tidy } from "./customer.ts";
import { lockCustomer, updateCustomer } from "./store.ts";

/** Changes the given fields; null clears a field. An update that changes nothing leaves no trace, not even a new `updated_at`. */
export async function updateCustomerDetails(
  deps: CustomerDeps,
  caller: Caller,
  customer_id: CustomerId,
  change: CustomerChange,
  unchanged: (now: Customer) => void,
): Promise<Customer> {
  const values = tidy(change);
  return deps.db.tx(caller.org, async (tx) => {
    const before = await lockCustomer(tx, caller.org, customer_id);
    unchanged(before);
    const changed = customerFields.filter((field) => values[field] !== undefined && values[field] !== before[field]);
    if (changed.length === 0) return before;
    const after = await updateCustomer(tx, caller.org, before.customer_id, changed, values);
    const data = { customer_id: before.customer_id, fields: changed };
    await appendAudit(tx, caller.org, { type: "customer.updated", by: caller, data });
    return after;
  });
}
