import { type Read, sql, type Tx } from "../db/sql.ts";
import type { CustomerId, OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { currentCustomerId } from "./store.ts";
import { type Searched, writeCustomerWords } from "./words-store.ts";

/** What a merge changes besides the two customers. */

/**
 * Locks customers, in the order of their ids, so that two merges cannot wait for each other. A transaction that gives one of them an envelope waits.
 * False if one was merged or deleted meanwhile.
 */
export async function lockToMerge(tx: Tx, org: OrgId, customer_ids: readonly CustomerId[]): Promise<boolean> {
  const { rows } = await tx.query<{ merged_into: string | null }>(sql`
    select merged_into from customers where org_id = ${org} and customer_id = any(${customer_ids}) order by customer_id for update`);
  return rows.length === customer_ids.length && rows.every(({ merged_into }) => merged_into === null);
}

/** Whether auditors of a party may look at the records of one of these customers now. */
export async function isAudited(read: Read, org: OrgId, customer_ids: readonly CustomerId[]): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from audit_grants where org_id = ${org} and revoked_at is null and until > now() and filter ->> 'customer_id' = any(${customer_ids})
    limit 1`);
  return rows.length > 0;
}

/** How many envelopes a customer has, counted up to one more than `most`. */
export async function countEnvelopes(read: Read, org: OrgId, customer_id: CustomerId, most: number): Promise<number> {
  const { rows } = await read.query<{ n: number }>(sql`
    select count(*)::int as n from (
      select from envelopes where org_id = ${org} and customer_id = ${customer_id} limit ${most + 1}) counted`);
  return rows[0]?.n ?? 0;
}

/** Frees the client_id of a customer for the one into which it is merged. */
export async function giveUpClientId(tx: Tx, org: OrgId, customer_id: CustomerId): Promise<void> {
  await tx.query(sql`update customers set client_id = null, client_key = null where org_id = ${org} and customer_id = ${customer_id}`);
}

/** Also for those that were merged into it before. The one into which it was merged is found by its words from now on. */
export async function markMerged(tx: Tx, org: OrgId, from: CustomerId, into: Searched): Promise<void> {
  await tx.query(sql`
    update customers set merged_into = ${into.customer_id}, merged_at = coalesce(merged_at, now())
    where org_id = ${org} and (customer_id = ${from} or merged_into = ${from})`);
  await tx.query(sql`delete from customer_words where org_id = ${org} and customer_id = ${from}`);
  await writeCustomerWords(tx, org, [into]);
}

/** A customer that was merged into another, as it was then. Its client_id is null if the other took it over. */
export interface FormerCustomer {
  readonly customer_id: CustomerId;
  readonly name: string | null;
  readonly email: string | null;
  readonly client_id: string | null;
  readonly merged_at: Date;
}

/** The customers that were merged into this one, the last first. */
export async function listMerged(
  read: Read,
  org: OrgId,
  customer_id: CustomerId,
  { page, limit }: PageRequest,
): Promise<Page<FormerCustomer>> {
  const into = sql`org_id = ${org} and merged_into = ${customer_id}`;
  const { rows } = await read.query<FormerCustomer>(sql`
    select customer_id, name, email, client_id, merged_at from customers where ${into}
    order by merged_at desc, customer_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ n: number }>(sql`select count(*)::int as n from customers where ${into}`);
  return { items: rows, total: counted[0]?.n ?? 0 };
}

/** The customer whom an id of a request means now. */
export const currentOf = async (read: Read, org: OrgId, customer_id: CustomerId): Promise<CustomerId> =>
  (await currentCustomerId(read, org, customer_id)) as CustomerId;
