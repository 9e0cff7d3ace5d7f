import { join, type Read, raw, type Sql, sql } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import { endOfPrefix, type SearchedWord } from "../shared/search-words.ts";
import { type Customer, customerFields } from "./customer.ts";

/** Customers by the beginnings of their words. */

// Counting stops here, and no page comes after it: as in the list of envelopes.
const MAX_COUNTED = 10_000;

const columns = raw(`customer_id, ${customerFields.join(", ")}, created_at, updated_at`);

const withWord = (org: OrgId, word: SearchedWord): Sql =>
  sql`select w.customer_id from customer_words w where w.org_id = ${org} and w.word >= ${word} and w.word < ${endOfPrefix(word)}`;

/** Newest first. The words of those that were merged into a customer are among its own. Throws a 422 for a page after the last that is counted. */
export async function searchCustomers(
  read: Read,
  org: OrgId,
  words: readonly SearchedWord[],
  { page, limit }: PageRequest,
): Promise<Page<Customer>> {
  const offset = (page - 1) * limit;
  if (offset >= MAX_COUNTED) throw new Problem("page_too_deep");
  const found = await planSearch(read, org, words);
  const { rows } = await read.query<Customer & { total: number }>(sql`
    with found as materialized (${found}), page as (
      select customer_id from found order by customer_id desc limit ${Math.min(limit, MAX_COUNTED - offset)} offset ${offset}
    )
    select (select count(*)::int from found) as total, ${columns}
    from (values (1)) as one
      left join (select ${columns} from customers where org_id = ${org} and customer_id = any(array(select customer_id from page))) as shown on true
    order by customer_id desc`);
  const total = rows[0]?.total ?? 0;
  const items = rows.filter((row) => row.customer_id !== null);
  return { items, total: Math.min(total, MAX_COUNTED), ...(total > MAX_COUNTED && { total_capped: true }) };
}

/**
 * The ids, each once. What few customers have is compared with the other words one by one. If each word is that of many, the sets are
 * intersected, which needs none of the database's estimates.
 */
async function planSearch(read: Read, org: OrgId, words: readonly SearchedWord[]): Promise<Sql> {
  const counts = words.map(
    (word, n) => sql`select ${n}::int as n, (select count(*)::int from (${withWord(org, word)} limit ${MAX_COUNTED + 1}) counted) as found`,
  );
  const { rows } = await read.query<{ n: number; found: number }>(sql`${join(counts, " union all ")} order by found, n`);
  const [rarest] = rows;
  const lead = rarest === undefined ? undefined : words[rarest.n];
  if (rarest === undefined || lead === undefined) throw new Error("a search without words");
  const others = words.filter((word) => word !== lead);
  if (rarest.found > MAX_COUNTED)
    return join(
      [lead, ...others].map((word) => sql`(${distinct(org, word)})`),
      " intersect ",
    );
  // `offset 0` keeps the planner from reading all words of this beginning at once.
  const has = others.map((word) => sql`and exists (${withWord(org, word)} and w.customer_id = b.customer_id offset 0)`);
  return sql`select b.customer_id from (${distinct(org, lead)}) b where true ${has.length > 0 ? join(has, " ") : sql``}`;
}

const distinct = (org: OrgId, word: SearchedWord): Sql => sql`select distinct customer_id from (${withWord(org, word)}) words`;
