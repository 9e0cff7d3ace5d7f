import type { Tx } from "../db/sql.ts";
import type { CustomerId, OrgId } from "../shared/ids.ts";
import { renumberCustomers } from "./list-store.ts";
import { giveToCustomer } from "./store.ts";

/**
 * Gives all envelopes of a customer who is merged to another, or of one who is deleted to none. None of them counts as changed, and what was
 * recorded about them stays. Returns how many.
 */
export async function moveToCustomer(tx: Tx, org: OrgId, from: CustomerId, into: CustomerId | null): Promise<number> {
  const { moved, first } = await giveToCustomer(tx, org, from, into);
  if (first !== null) await renumberCustomers(tx, org, { from, into, first });
  return moved;
}
