import { type Read, sql, type Tx } from "../db/sql.ts";
import type { CustomerId, OrgId } from "../shared/ids.ts";
import { wordsOf } from "../shared/search-words.ts";
import type { Customer } from "./customer.ts";

/** The words by which customers are found. */

export type Searched = Pick<Customer, "customer_id" | "name" | "email" | "company" | "client_id">;

const textsOf = ({ name, email, company, client_id }: Searched) => [name, email, company, client_id];

/**
 * Writes the words of these customers, which were just inserted or changed in the same transaction, so that their rows are locked. A customer
 * is also found by the words of those that were merged into it. `isNew`: nothing was merged into it yet.
 */
export async function writeCustomerWords(
  tx: Tx,
  org: OrgId,
  customers: readonly Searched[],
  isNew: (customer: Searched) => boolean = () => false,
): Promise<void> {
  if (customers.length === 0) return;
  const former = await listFormerTexts(
    tx,
    org,
    customers.filter((customer) => !isNew(customer)),
  );
  const given = customers.map((customer) => ({
    id: customer.customer_id,
    words: wordsOf([...textsOf(customer), ...(former.get(customer.customer_id) ?? [])]),
  }));
  await tx.query(sql`
    with given as materialized (
      select g.id, word from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (id text, words jsonb), jsonb_array_elements_text(g.words) as word
    ), old as (
      delete from customer_words w where w.org_id = ${org} and w.customer_id = any(${given.map(({ id }) => id)}::text[])
        and not exists (select from given g where g.id = w.customer_id and g.word = w.word)
    )
    insert into customer_words (org_id, word, customer_id) select ${org}, word, id from given on conflict do nothing`);
}

/** What those had that were merged into these customers, the last one first, by the id of the one into which they were merged. */
async function listFormerTexts(tx: Tx, org: OrgId, customers: readonly Searched[]): Promise<ReadonlyMap<CustomerId, (string | null)[]>> {
  const texts = new Map<CustomerId, (string | null)[]>();
  if (customers.length === 0) return texts;
  const { rows } = await tx.query<Searched & { merged_into: CustomerId }>(sql`
    select merged_into, customer_id, name, email, company, client_id from customers
    where org_id = ${org} and merged_into = any(${customers.map(({ customer_id }) => customer_id)}::text[])
    order by merged_at desc, customer_id desc`);
  for (const row of rows) texts.set(row.merged_into, [...(texts.get(row.merged_into) ?? []), ...textsOf(row)]);
  return texts;
}

/** The next customers in the order of their ids, locked. Returns the last id, or null if none was left. */
export async function fillCustomerWords(tx: Tx, org: OrgId, after: string, limit: number): Promise<CustomerId | null> {
  const { rows } = await tx.query<Searched & { is_merged: boolean }>(sql`
    select customer_id, name, email, company, client_id, merged_into is not null as is_merged from customers
    where org_id = ${org} and customer_id > ${after} order by customer_id limit ${limit} for no key update`);
  await writeCustomerWords(
    tx,
    org,
    rows.filter(({ is_merged }) => !is_merged),
  );
  return rows.at(-1)?.customer_id ?? null;
}

/** Whether customers of the org have no words yet, or not those of the ones that were merged into them. */
export async function isBeingFilled(read: Read, org: OrgId): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from backfills where org_id = ${org} and name in ('customer-words', 'former-customer-words') and done_at is null`);
  return rows.length > 0;
}
