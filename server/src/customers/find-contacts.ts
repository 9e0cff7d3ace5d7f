import type { Read } from "../db/sql.ts";
import { emailKey } from "../shared/email.ts";
import type { OrgId } from "../shared/ids.ts";
import { invalidQuery } from "../shared/problems.ts";
import { MAX_SEARCHED_WORDS, searchedWords } from "../shared/search-words.ts";
import { type Contact, listCustomerContacts, listRecent } from "./contact-store.ts";
import { scanCustomers } from "./store.ts";
import { isBeingFilled } from "./words-store.ts";

// Enough for a list under a text field.
const MAX_CONTACTS = 8;

/** People for what was typed so far, the one to whom an envelope was sent last first. Nothing for a text without letters and digits. */
export async function findContacts(read: Read, org: OrgId, q: string): Promise<Contact[]> {
  const words = searchedWords(q);
  if (words.length > MAX_SEARCHED_WORDS) throw invalidQuery("q", "too_long", `must have at most ${MAX_SEARCHED_WORDS} words`);
  if (words.length === 0) return [];
  const recent = await listRecent(read, org, words, MAX_CONTACTS);
  const customers = (await isBeingFilled(read, org))
    ? await scanForContacts(read, org, q)
    : await listCustomerContacts(read, org, words, MAX_CONTACTS);
  const known = new Set(recent.map(keyOf));
  return [...recent, ...customers.filter((customer) => !known.has(keyOf(customer)))].sort(lastUsedFirst).slice(0, MAX_CONTACTS);
}

/** While the words of customers are still being filled in. */
async function scanForContacts(read: Read, org: OrgId, q: string): Promise<Contact[]> {
  const { items } = await scanCustomers(read, org, q, { page: 1, limit: MAX_CONTACTS });
  return items.flatMap(({ name, email, customer_id }) => (email === null ? [] : [{ name, email, customer_id, last_used_at: null }]));
}

/** Several customers can share an address; each is a contact. */
const keyOf = ({ customer_id, email }: Contact): string => customer_id ?? emailKey(email);

const lastUsedFirst = (a: Contact, b: Contact): number => (b.last_used_at?.getTime() ?? 0) - (a.last_used_at?.getTime() ?? 0);
