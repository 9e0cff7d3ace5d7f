import type { Read } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { type Customer, severalCustomers } from "./customer.ts";
import { findByClientId, listByEmail } from "./store.ts";

export interface CustomerQuery {
  readonly client_id?: string | undefined;
  readonly email?: string | undefined;
}

/** The customer with this client_id or e-mail address, ignoring case. Throws 409 if several customers share the address. */
export async function findOneCustomer(read: Read, org: OrgId, { client_id, email }: CustomerQuery): Promise<Customer> {
  if (client_id !== undefined && email === undefined) return findByClientId(read, org, client_id);
  if (email !== undefined && client_id === undefined) return findByEmail(read, org, email);
  const [code, message] =
    email === undefined
      ? (["required", "give client_id or email"] as const)
      : (["invalid_value", "give only one of client_id and email"] as const);
  throw new Problem("invalid_request", `${code} query`, {
    details: ["client_id", "email"].map((field) => ({ location: "query", field, code, message })),
  });
}

async function findByEmail(read: Read, org: OrgId, email: string): Promise<Customer> {
  const found = await listByEmail(read, org, email);
  if (found.length > 1) throw severalCustomers(found);
  if (found[0] === undefined) throw new Problem("customer_not_found");
  return found[0];
}
