import { isUniqueViolation } from "../db/errors.ts";
import { lockRecord } from "../db/locks.ts";
import { join, named, type Read, raw, type Sql, sql, type Tx } from "../db/sql.ts";
import { emailKey } from "../shared/email.ts";
import type { CustomerId, OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import { type Customer, type CustomerChange, type CustomerField, clientIdTaken, clientKey, customerFields } from "./customer.ts";
import { type Searched, writeCustomerWords } from "./words-store.ts";

// Enough to choose from on a screen. With more candidates the caller needs the client_id anyway.
const MAX_CANDIDATES = 100;

const fields = raw(customerFields.join(", "));
const columns = sql`customer_id, ${fields}, created_at, updated_at`;

const keyOf = (client_id: string | null | undefined) => (typeof client_id === "string" ? clientKey(client_id) : null);

/** The id of a merged customer finds the one into which it was merged. */
export async function findCustomer(read: Read, org: OrgId, customer_id: CustomerId): Promise<Customer> {
  return findCurrent(read, org, sql`customer_id = ${customer_id}`);
}

/** So does its client_id. */
export async function findByClientId(read: Read, org: OrgId, client_id: string): Promise<Customer> {
  return findCurrent(read, org, sql`client_key = ${clientKey(client_id)}`);
}

async function findCurrent(read: Read, org: OrgId, which: Sql): Promise<Customer> {
  const { rows } = await read.query<Customer>(sql`
    select ${columns} from customers where org_id = ${org} and customer_id = (
      select coalesce(merged_into, customer_id) from customers where org_id = ${org} and ${which})`);
  return rows[0] ?? notFound();
}

/** The customer whom an id of a request means now. An id that does not exist stays as it is. */
export async function currentCustomerId(read: Read, org: OrgId, customer_id: string): Promise<string> {
  const { rows } = await read.query<{ merged_into: string }>(sql`
    select merged_into from customers where org_id = ${org} and customer_id = ${customer_id} and merged_into is not null`);
  return rows[0]?.merged_into ?? customer_id;
}

/**
 * The same for a customer who is about to get an envelope. Until the transaction ends, the customer can be neither merged nor deleted: the
 * other transaction waits and then finds the envelope.
 */
export async function holdCustomer(tx: Tx, org: OrgId, customer_id: CustomerId): Promise<CustomerId> {
  const { rows } = await tx.query<{ customer_id: CustomerId }>(named("hold-customer")`
    select coalesce(merged_into, customer_id) as customer_id from customers
    where org_id = ${org} and customer_id = ${customer_id} for key share`);
  return rows[0]?.customer_id ?? notFound();
}

function notFound(): never {
  throw new Problem("customer_not_found");
}

/** Newest first. */
export async function listCustomers(read: Read, org: OrgId, { page, limit }: PageRequest): Promise<Page<Customer>> {
  const { rows } = await read.query<Customer>(sql`
    select ${columns} from customers where org_id = ${org} and merged_into is null
    order by customer_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ n: number }>(sql`
    select count(*)::int as n from customers where org_id = ${org} and merged_into is null`);
  return { items: rows, total: counted[0]?.n ?? 0 };
}

const SEARCHED: readonly CustomerField[] = ["name", "email", "company", "client_id"];

/**
 * Until the words of customers are filled in: those with this text, ignoring case, in one of the fields that identify a customer; newest
 * first. Reads every customer of the org once, for both the page and the total.
 */
export async function scanCustomers(read: Read, org: OrgId, q: string, { page, limit }: PageRequest): Promise<Page<Customer>> {
  // Uses strpos instead of LIKE, which has special characters.
  const holds = SEARCHED.map((field) => sql`strpos(lower(${raw(field)}), lower(${q})) > 0`);
  const { rows } = await read.query<Customer & { total: number }>(sql`
    with found as materialized (
      select distinct coalesce(merged_into, customer_id) as customer_id from customers where org_id = ${org} and (${join(holds, " or ")})
    ), page as (
      select customer_id from found order by customer_id desc limit ${limit} offset ${(page - 1) * limit}
    )
    select (select count(*)::int from found) as total, ${columns}
    from (values (1)) as one
      left join (select ${columns} from customers where org_id = ${org} and customer_id in (select customer_id from page)) as shown on true
    order by customer_id desc`);
  return { items: rows.filter((row) => row.customer_id !== null), total: rows[0]?.total ?? 0 };
}

/**
 * Oldest first. Addresses are compared as for accounts, ignoring the case of ASCII letters only. An address that only merged customers have
 * finds those into which they were merged.
 */
export async function listByEmail(read: Read, org: OrgId, email: string): Promise<Customer[]> {
  const having = sql`org_id = ${org} and email_key = email_key(${email.trim()})`;
  const { rows } = await read.query<Customer>(named("list-customers-by-email")`
    select ${columns} from customers where ${having} and merged_into is null order by customer_id limit ${MAX_CANDIDATES}`);
  if (rows.length > 0) return rows;
  const { rows: into } = await read.query<Customer>(sql`
    select ${columns} from customers where org_id = ${org} and customer_id in (
      select merged_into from customers where ${having} and merged_into is not null)
    order by customer_id limit ${MAX_CANDIDATES}`);
  return into;
}

/** Customers with this address and name. Returns at most two, which is enough to know that the name is not unique. */
export async function listByEmailAndName(read: Read, org: OrgId, email: string, name: string): Promise<Customer[]> {
  const { rows } = await read.query<Customer>(sql`
    select ${columns} from customers where org_id = ${org} and email_key = email_key(${email.trim()}) and name = ${name.trim()}
      and merged_into is null
    order by customer_id limit 2`);
  return rows;
}

export async function insertCustomer(tx: Tx, org: OrgId, customer_id: CustomerId, values: CustomerChange): Promise<Customer> {
  const cells = customerFields.map((field) => values[field] ?? null);
  const { rows } = await tx.query<Customer>(sql`
    insert into customers (org_id, customer_id, client_key, ${fields})
    values (${org}, ${customer_id}, ${keyOf(values.client_id)}, ${join(cells)})
    on conflict (org_id, client_key) do nothing returning ${columns}`);
  if (rows[0] === undefined) throw clientIdTaken();
  await writeCustomerWords(tx, org, [rows[0]], () => true);
  return rows[0];
}

/** Locks the row for a change, so that the change is compared with the current values. */
export async function lockCustomer(tx: Tx, org: OrgId, customer_id: CustomerId): Promise<Customer> {
  const current = await currentCustomerId(tx, org, customer_id);
  await tx.query(sql`select 1 from customers where org_id = ${org} and customer_id = ${current} for no key update`);
  const customer = await findCustomer(tx, org, customer_id);
  // It was merged while this waited for the lock.
  return customer.customer_id === current ? customer : lockCustomer(tx, org, customer_id);
}

export async function updateCustomer(
  tx: Tx,
  org: OrgId,
  customer_id: CustomerId,
  changed: readonly CustomerField[],
  values: CustomerChange,
): Promise<Customer> {
  const assignments = changed.map((field) => sql`${raw(field)} = ${values[field] ?? null}`);
  if (changed.includes("client_id")) {
    assignments.push(sql`client_key = ${keyOf(values.client_id)}`);
    // A customer that was merged into this one gives its client_id back.
    await tx.query(sql`
      update customers set client_id = null, client_key = null
      where org_id = ${org} and merged_into = ${customer_id} and client_key = ${keyOf(values.client_id)}`);
  }
  try {
    const { rows } = await tx.query<Customer>(sql`
      update customers set ${join(assignments)}, updated_at = now()
      where org_id = ${org} and customer_id = ${customer_id} returning ${columns}`);
    const customer = rows[0] ?? notFound();
    await writeCustomerWords(tx, org, [customer]);
    return customer;
  } catch (cause) {
    // Only the client_id has to be unique.
    throw isUniqueViolation(cause) ? clientIdTaken(cause) : cause;
  }
}

export interface UploadedCustomer {
  readonly customer_id: CustomerId;
  readonly client_key: string | null;
  readonly values: CustomerChange;
}

/**
 * One statement for a batch: rows with a known client_id update the given fields, the others are inserted. Returns how many were
 * inserted. Two rows of a batch must not share a client_id. Rows are processed in the order of their client_ids, so that simultaneous
 * uploads of the same customers cannot deadlock. A row without changes writes nothing. A row with the client_id of a merged customer updates
 * the one into which it was merged, which keeps its own client_id.
 */
export async function upsertCustomers(tx: Tx, org: OrgId, batch: readonly UploadedCustomer[]): Promise<number> {
  const into = await lookUpMerged(tx, org, batch);
  for (const { client_key, values } of batch) {
    const current = into.get(client_key ?? "");
    if (current !== undefined) await updateMerged(tx, org, current, values);
  }
  const rows = batch
    .filter(({ client_key }) => !into.has(client_key ?? ""))
    .map(({ customer_id, client_key, values }) => ({ customer_id, client_key, ...values }));
  const { rows: written } = await tx.query<Searched>({
    name: "upsert-customers",
    text: UPSERT,
    values: [org, JSON.stringify(rows)],
  });
  // An inserted row returns its new id, an updated one the id that it had.
  const made = new Set(batch.map(({ customer_id }) => customer_id));
  await writeCustomerWords(tx, org, written, ({ customer_id }) => made.has(customer_id));
  return written.filter(({ customer_id }) => made.has(customer_id)).length;
}

/** By client key: the customers into which those of the batch were merged. */
async function lookUpMerged(tx: Tx, org: OrgId, batch: readonly UploadedCustomer[]): Promise<ReadonlyMap<string, CustomerId>> {
  const keys = batch.flatMap(({ client_key }) => (client_key === null ? [] : [client_key]));
  const { rows } = await tx.query<{ client_key: string; merged_into: CustomerId }>(sql`
    select client_key, merged_into from customers where org_id = ${org} and client_key = any(${keys}) and merged_into is not null`);
  return new Map(rows.map(({ client_key, merged_into }) => [client_key, merged_into]));
}

async function updateMerged(tx: Tx, org: OrgId, customer_id: CustomerId, values: CustomerChange): Promise<void> {
  const now = await lockCustomer(tx, org, customer_id);
  const changed = customerFields.filter((field) => field !== "client_id" && (values[field] ?? now[field]) !== now[field]);
  if (changed.length > 0) await updateCustomer(tx, org, now.customer_id, changed, values);
}

const list = (of: (field: CustomerField) => string) => customerFields.map(of).join(", ");
const UPSERT = `
  insert into customers as c (org_id, customer_id, client_key, ${list((field) => field)})
  select $1, customer_id, client_key, ${list((field) => field)}
  from jsonb_to_recordset($2::jsonb) as given(customer_id text, client_key text, ${list((field) => `${field} text`)})
  order by client_key collate "C"
  on conflict (org_id, client_key) do update set ${list((field) => `${field} = coalesce(excluded.${field}, c.${field})`)}, updated_at = now()
  where (${list((field) => `c.${field}`)}) is distinct from (${list((field) => `coalesce(excluded.${field}, c.${field})`)})
  returning customer_id, name, email, company, client_id`;

/** Locks the e-mail address, so that no other transaction provisions a customer with it at the same time. */
export async function lockEmail(tx: Tx, org: OrgId, email: string): Promise<void> {
  await lockRecord(tx, "customers", `${org} ${emailKey(email)}`);
}
