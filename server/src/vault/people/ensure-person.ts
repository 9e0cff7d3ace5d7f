import type { Tx } from "../../db/sql.ts";
import { newId, type PersonId } from "../../shared/ids.ts";
import { insertPerson } from "./store.ts";

/** The person with this address, who is added if there is none. Addresses that differ only in case belong to one person. */
export function ensurePerson(tx: Tx, email: string): Promise<PersonId> {
  return insertPerson(tx, newId("person", tx.now.getTime()), email);
}
