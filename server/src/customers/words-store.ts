import { type Read, sql, type Tx } from "../db/sql.ts";
import type { CustomerId, OrgId } from "../shared/ids.ts";
import { wordsOf } from "../shared/search-words.ts";
import type { Customer } from "./customer.ts";

/** The words by which customers are found. */

export type Searched = Pick<Customer, "customer_id" | "name" | "email" | "company" | "client_id">;

const textsOf = ({ name, email, company, client_id }: Searched) => [name, email, company, client_id];

/** Writes the words of these customers, which were just inserted or changed in the same transaction, so that their rows are locked. */
export async function writeCustomerWords(tx: Tx, org: OrgId, customers: readonly Searched[]): Promise<void> {
  if (customers.length === 0) return;
  const given = customers.map((customer) => ({ id: customer.customer_id, words: wordsOf(textsOf(customer)) }));
  await tx.query(sql`
    with given as materialized (
      select g.id, word from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (id text, words jsonb), jsonb_array_elements_text(g.words) as word
    ), old as (
      delete from customer_words w where w.org_id = ${org} and w.customer_id = any(${given.map(({ id }) => id)}::text[])
        and not exists (select from given g where g.id = w.customer_id and g.word = w.word)
    )
    insert into customer_words (org_id, word, customer_id) select ${org}, word, id from given on conflict do nothing`);
}

/** The next customers in the order of their ids, locked. Returns the last id, or null if none was left. */
export async function fillCustomerWords(tx: Tx, org: OrgId, after: string, limit: number): Promise<CustomerId | null> {
  const { rows } = await tx.query<Searched>(sql`
    select customer_id, name, email, company, client_id from customers
    where org_id = ${org} and customer_id > ${after} order by customer_id limit ${limit} for no key update`);
  await writeCustomerWords(tx, org, rows);
  return rows.at(-1)?.customer_id ?? null;
}

/** Whether customers of the org have no words yet. */
export async function isBeingFilled(read: Read, org: OrgId): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from backfills where org_id = ${org} and name = 'customer-words' and done_at is null`);
  return rows.length > 0;
}
