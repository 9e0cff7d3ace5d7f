import { join, type Read, type Sql, sql } from "../db/sql.ts";
import type { CustomerId, OrgId } from "../shared/ids.ts";
import { endOfPrefix, type SearchedWord } from "../shared/search-words.ts";

/** People to send to: customers, and those to whom envelopes were sent. */

export interface Contact {
  readonly name: string | null;
  readonly email: string;
  readonly customer_id: CustomerId | null;
  readonly last_used_at: Date | null;
}

// What is compared of each kind. If more begin like this, the person needs more letters anyway.
const MAX_COMPARED = 300;

const begins = (column: Sql, word: SearchedWord): Sql => sql`${column} >= ${word} and ${column} < ${endOfPrefix(word)}`;
/** The longest has the fewest hits. */
const leadOf = (words: readonly SearchedWord[]): SearchedWord => words.reduce((a, b) => (b.length > a.length ? b : a));

/**
 * People to whom envelopes were sent, the last one first. Compared are those with a word that begins like the longest one, and, if these are
 * too many, those to whom the last envelopes were sent. A customer with the address lends name and id.
 */
export async function listRecent(read: Read, org: OrgId, words: readonly SearchedWord[], limit: number): Promise<Contact[]> {
  const begun = await lookUpBegun(read, org, leadOf(words));
  if (begun.length === 0) return [];
  const last = begun.length > MAX_COMPARED ? await lookUpLast(read, org, words, limit) : [];
  // If the last ones fill the list, no other can be before them.
  const compared = last.length === limit ? last : [...new Set([...last, ...begun.slice(0, MAX_COMPARED)])];
  const { rows } = await read.query<Contact>(sql`
    with found as materialized (
      select r.email_key, r.email, r.name, r.last_used_at from recent_recipients r
      where r.org_id = ${org} and r.email_key = any(${compared}) ${hasRecipientWords(org, words)}
      order by r.last_used_at desc, r.email_key limit ${limit}
    )
    select coalesce(c.name, f.name) as name, f.email, c.customer_id, f.last_used_at from found f left join lateral (
      select coalesce(c.merged_into, c.customer_id) as customer_id, c.name from customers c where c.org_id = ${org} and c.email_key = f.email_key
      order by c.merged_into is not null, c.customer_id limit 1) c on true
    order by f.last_used_at desc, f.email_key`);
  return rows;
}

/** The addresses with a word that begins like this, one for each such word, and one more than are compared if there are so many. */
async function lookUpBegun(read: Read, org: OrgId, word: SearchedWord): Promise<string[]> {
  const { rows } = await read.query<{ email_key: string }>(sql`
    select w.email_key from recipient_words w where w.org_id = ${org} and ${begins(sql`w.word`, word)} limit ${MAX_COMPARED + 1}`);
  return rows.map(({ email_key }) => email_key);
}

/** Those with all the words among the people to whom the last envelopes were sent, the last one first. */
async function lookUpLast(read: Read, org: OrgId, words: readonly SearchedWord[], limit: number): Promise<string[]> {
  const { rows } = await read.query<{ email_key: string }>(sql`
    select r.email_key from (
      select l.email_key from recent_recipients l where l.org_id = ${org} order by l.last_used_at desc limit ${MAX_COMPARED}) r
    where true ${hasRecipientWords(org, words)} limit ${limit}`);
  return rows.map(({ email_key }) => email_key);
}

/** `offset 0` keeps the planner from reading all words of a beginning at once. */
const hasRecipientWords = (org: OrgId, words: readonly SearchedWord[]): Sql =>
  join(
    words.map(
      (word) =>
        sql`and exists (select from recipient_words w where w.org_id = ${org} and w.email_key = r.email_key and ${begins(sql`w.word`, word)} offset 0)`,
    ),
    " ",
  );

/**
 * Customers with an e-mail address. Those to whom an envelope was sent last come first, then the newest. Arrays are looked up in the order of
 * the index, in less time than one by one.
 */
export async function listCustomerContacts(read: Read, org: OrgId, words: readonly SearchedWord[], limit: number): Promise<Contact[]> {
  const lead = leadOf(words);
  const has = words
    .filter((word) => word !== lead)
    .map(
      (word) =>
        sql`and exists (select from customer_words w where w.org_id = ${org} and w.customer_id = c.customer_id and ${begins(sql`w.word`, word)} offset 0)`,
    );
  const { rows } = await read.query<Contact>(sql`
    with begun as materialized (
      select w.customer_id from customer_words w where w.org_id = ${org} and ${begins(sql`w.word`, lead)} limit ${MAX_COMPARED}
    ), compared as materialized (
      select c.name, c.email, c.email_key, c.customer_id from customers c
      where c.org_id = ${org} and c.customer_id = any(array(select distinct customer_id from begun)) and c.email is not null
        and c.merged_into is null
        ${has.length > 0 ? join(has, " ") : sql``}
    ), used as materialized (
      select r.email_key, r.last_used_at from recent_recipients r
      where r.org_id = ${org} and r.email_key = any(array(select email_key from compared))
    )
    select c.name, c.email, c.customer_id, (select u.last_used_at from used u where u.email_key = c.email_key) as last_used_at
    from compared c order by last_used_at desc nulls last, c.customer_id desc limit ${limit}`);
  return rows;
}
