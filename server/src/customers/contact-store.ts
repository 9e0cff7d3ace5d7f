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
 * People to whom envelopes were sent, the last one first. Compared are those with a word that begins like the longest one, and, because
 * these can be too many, those to whom the last envelopes were sent. A customer with the address lends name and id.
 */
export async function listRecent(read: Read, org: OrgId, words: readonly SearchedWord[], limit: number): Promise<Contact[]> {
  const has = words.map(
    (word) =>
      sql`exists (select from recipient_words w where w.org_id = ${org} and w.email_key = r.email_key and ${begins(sql`w.word`, word)})`,
  );
  const { rows } = await read.query<Contact>(sql`
    with compared as materialized (
      (select w.email_key from recipient_words w where w.org_id = ${org} and ${begins(sql`w.word`, leadOf(words))} limit ${MAX_COMPARED})
      union
      (select l.email_key from recent_recipients l where l.org_id = ${org} order by l.last_used_at desc limit ${MAX_COMPARED})
    ), found as (
      select r.* from compared, lateral (
        select r.email_key, r.email, r.name, r.last_used_at from recent_recipients r
        where r.org_id = ${org} and r.email_key = compared.email_key and ${join(has, " and ")} offset 0) r
      order by r.last_used_at desc, r.email_key limit ${limit}
    )
    select coalesce(c.name, f.name) as name, f.email, c.customer_id, f.last_used_at from found f left join lateral (
      select c.customer_id, c.name from customers c where c.org_id = ${org} and c.email_key = f.email_key order by c.customer_id limit 1) c on true
    order by f.last_used_at desc, f.email_key`);
  return rows;
}

/** Customers with an e-mail address. Those to whom an envelope was sent last come first, then the newest. */
export async function listCustomerContacts(read: Read, org: OrgId, words: readonly SearchedWord[], limit: number): Promise<Contact[]> {
  const others = words.filter((word) => word !== leadOf(words));
  const has = others.map(
    (word) =>
      sql`and exists (select from customer_words w where w.org_id = ${org} and w.customer_id = compared.customer_id and ${begins(sql`w.word`, word)})`,
  );
  const { rows } = await read.query<Contact>(sql`
    with compared as materialized (
      select distinct customer_id from (
        select w.customer_id from customer_words w where w.org_id = ${org} and ${begins(sql`w.word`, leadOf(words))} limit ${MAX_COMPARED}) begun
    )
    select c.name, c.email, c.customer_id, r.last_used_at from compared, lateral (
        select c.name, c.email, c.email_key, c.customer_id from customers c where c.org_id = ${org} and c.customer_id = compared.customer_id offset 0) c
      left join lateral (
        select r.last_used_at from recent_recipients r where r.org_id = ${org} and r.email_key = c.email_key offset 0) r on true
    where c.email is not null ${has.length > 0 ? join(has, " ") : sql``}
    order by r.last_used_at desc nulls last, c.customer_id desc limit ${limit}`);
  return rows;
}
