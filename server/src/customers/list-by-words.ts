import type { Read } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { wordsToFind } from "../shared/words-to-find.ts";
import type { Customer } from "./customer.ts";
import { searchCustomers } from "./search-store.ts";
import { scanCustomers } from "./store.ts";
import { isBeingFilled } from "./words-store.ts";

/** One page of the customers that a text finds, newest first. Throws a 422 for a text without words, or with too many. */
export async function listByWords(read: Read, org: OrgId, q: string, page: PageRequest): Promise<Page<Customer>> {
  const words = wordsToFind(q);
  return (await isBeingFilled(read, org)) ? scanCustomers(read, org, q, page) : searchCustomers(read, org, words, page);
}
