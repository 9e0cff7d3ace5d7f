import type { Tx } from "../db/sql.ts";
import { newId, type OrgId } from "../shared/ids.ts";
import { type Customer, severalCustomers } from "./customer.ts";
import { insertCustomer, listByEmail, listByEmailAndName, lockEmail } from "./store.ts";

export interface Provisioned {
  readonly customer: Customer;
  /** for the audit entry of whatever the customer was needed for */
  readonly created: boolean;
}

/**
 * The customer of an address, made if there is none, in the transaction of what needs one. The lock makes of any number of
 * callers one who creates; it comes before every row's lock. Of several customers the one with the same name is meant; when
 * the name does not tell them apart the caller has to.
 */
export async function provisionCustomer(tx: Tx, org: OrgId, wanted: { email: string; name: string }): Promise<Provisioned> {
  const [email, name] = [wanted.email.trim(), wanted.name.trim()];
  await lockEmail(tx, org, email);
  const found = await listByEmail(tx, org, email);
  const only = found.length > 1 ? await theNamesake(tx, org, email, name) : found[0];
  if (only !== undefined) return { customer: only, created: false };
  if (found.length > 1) throw severalCustomers(found);
  return { customer: await insertCustomer(tx, org, newId("customer", tx.now.getTime()), { email, name }), created: true };
}

async function theNamesake(tx: Tx, org: OrgId, email: string, name: string): Promise<Customer | undefined> {
  const namesakes = await listByEmailAndName(tx, org, email, name);
  return namesakes.length === 1 ? namesakes[0] : undefined;
}
