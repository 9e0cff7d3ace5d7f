import type { Tx } from "../db/sql.ts";
import { newId, type OrgId } from "../shared/ids.ts";
import { type Customer, severalCustomers } from "./customer.ts";
import { insertCustomer, listByEmail, listByEmailAndName, lockEmail } from "./store.ts";

export interface Provisioned {
  readonly customer: Customer;
  /** for the audit entry of the operation that needed the customer */
  readonly created: boolean;
}

/**
 * The customer with an e-mail address, created if there is none, in the caller's transaction. The lock makes sure that only one of
 * several callers creates the customer; it is taken before all row locks. If several customers have the address, the one with the same
 * name is used. If the name does not identify one, this throws 409, and the caller must choose.
 */
export async function provisionCustomer(tx: Tx, org: OrgId, wanted: { email: string; name: string }): Promise<Provisioned> {
  const [email, name] = [wanted.email.trim(), wanted.name.trim()];
  await lockEmail(tx, org, email);
  const found = await listByEmail(tx, org, email);
  const only = found.length > 1 ? await onlyOneNamed(tx, org, email, name) : found[0];
  if (only !== undefined) return { customer: only, created: false };
  if (found.length > 1) throw severalCustomers(found);
  return { customer: await insertCustomer(tx, org, newId("customer", tx.now.getTime()), { email, name }), created: true };
}

async function onlyOneNamed(tx: Tx, org: OrgId, email: string, name: string): Promise<Customer | undefined> {
  const namesakes = await listByEmailAndName(tx, org, email, name);
  return namesakes.length === 1 ? namesakes[0] : undefined;
}
