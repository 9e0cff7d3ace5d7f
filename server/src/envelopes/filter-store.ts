import { currentCustomerId } from "../customers/store.ts";
import { join, type Read, raw, type Sql, sql } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import { wordsToFind } from "../shared/words-to-find.ts";
import { drafts, type ListedEnvelope, open } from "./envelope.ts";
import { type EnvelopeFilter, MAX_COUNTED, type Sort } from "./filter.ts";
import { alsoAll, asText, idsOf, type ManyFound, pageOfFrequent, planSearch, splitIds, taggedWith } from "./search-store.ts";
import { expiryOf, isDue, isOpen, statusNow } from "./status-now.ts";
import { isBeingFilled } from "./words-store.ts";

/** Lists with filters and orders that the specification does not have. They are counted up to a maximum. */

export const COLUMNS = "envelope_id, envelope_name, status, customer_id, external_id, created_at, updated_at, expires_at";
export const SHOWN = `envelope_id, envelope_name, ${statusNow()} as status, customer_id, external_id,
  created_at, updated_at`;

/** The order of a list: by a value, then by id. Null comes last. */
interface Order {
  readonly key: string | null;
  readonly direction: "asc" | "desc";
}

const EXPIRY = expiryOf({ of: "e." });
const IS_OPEN = raw(isOpen({ of: "e." }));

const orders: Record<Sort, Order> = {
  "-created_at": { key: null, direction: "desc" },
  "-updated_at": { key: "e.updated_at", direction: "desc" },
  expires_at: { key: EXPIRY, direction: "asc" },
  envelope_name: { key: "e.name_key", direction: "asc" },
};

// Before the job has filled in the names by which lists are sorted.
const UNFILLED_NAME = "coalesce(e.name_key, lower(e.envelope_name))";

/** A list before it is counted or read: which rows, in which order. */
export interface PlannedList {
  readonly org: OrgId;
  readonly conditions: readonly Sql[];
  readonly order: Order;
  /** a search that finds no more than a list has: all ids of the list, whatever the conditions, in no order */
  readonly few: readonly string[] | null;
  readonly search: ManyFound | null;
  /** of a search: leaves out discarded drafts. They have an index of their own, so that the others need not be read */
  readonly isLive: boolean;
}

/** Throws a 422 for a search without words, with too many, or with words that are too frequent. */
export async function planList(read: Read, org: OrgId, given: EnvelopeFilter): Promise<PlannedList> {
  const filter = await ofCurrentCustomer(read, org, given);
  const { q, sort = "-created_at", searchesCustomers = false } = filter;
  const isFilling = await isBeingFilled(read, org);
  const isUnnamed = isFilling && sort === "envelope_name";
  const isLive = filter.discarded === "exclude" && !isFilling && (q !== undefined || filter.tag !== undefined);
  const asked = isLive ? { ...filter, discarded: undefined } : filter;
  const planned = {
    org,
    isLive,
    few: null,
    conditions: conditionsOf(org, q === undefined ? { ...asked, tag: undefined } : asked, isFilling),
    order: isUnnamed ? { ...orders[sort], key: UNFILLED_NAME } : orders[sort],
  };
  if (q === undefined) return { ...planned, search: filter.tag === undefined ? null : taggedWith(org, filter.tag) };
  const words = wordsToFind(q);
  if (!isFilling) {
    const search = await planSearch(read, { org, searchesCustomers }, words);
    if (!("ids" in search)) return { ...planned, search };
    return { ...planned, few: await narrowed(read, planned, search.ids), search: null };
  }
  return { ...planned, conditions: [...planned.conditions, contains(org, q, searchesCustomers)], search: null };
}

/** The envelopes of a merged customer are those of the one into which it was merged. */
export async function ofCurrentCustomer(read: Read, org: OrgId, filter: EnvelopeFilter): Promise<EnvelopeFilter> {
  if (filter.customer_id === undefined) return filter;
  return { ...filter, customer_id: await currentCustomerId(read, org, filter.customer_id) };
}

/** Those of the ids that fit. */
async function narrowed(
  read: Read,
  { org, conditions, isLive }: Pick<PlannedList, "org" | "conditions" | "isLive">,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0 || (conditions.length === 0 && !isLive)) return ids;
  const idsWhere = async (where: Sql): Promise<Set<string>> => {
    const { rows } = await read.query<{ ids: string }>(sql`
      select ${asText(ID)} as ids from envelopes e
      where e.org_id = ${org} and e.envelope_id = any(${idsOf(ids)}) and ${where}`);
    return new Set(splitIds(rows[0]?.ids ?? ""));
  };
  const fit = conditions.length === 0 ? null : await idsWhere(join(conditions, " and "));
  const discarded = isLive ? await idsWhere(sql`e.discarded_at is not null`) : null;
  return ids.filter((id) => fit?.has(id) !== false && discarded?.has(id) !== true);
}

/** Conditions on the row `e` of an envelope. Each value is compared with a column, because an index of another expression is not used. */
export function conditionsOf(org: OrgId, filter: EnvelopeFilter, isFilling = false): Sql[] {
  const { customer_id, status, external_id, created_from, created_to, tag, owner, recipient_email, waiting_for, discarded } = filter;
  const conditions: Sql[] = [];
  if (customer_id !== undefined) conditions.push(sql`e.customer_id = ${customer_id}`);
  if (external_id !== undefined) conditions.push(sql`e.external_id = ${external_id}`);
  if (filter.envelope_ids !== undefined) conditions.push(sql`e.envelope_id = any(${filter.envelope_ids})`);
  if (status !== undefined) conditions.push(hasStatus(status));
  if (filter.stage === "draft") conditions.push(sql`e.status = any(${drafts})`);
  if (filter.stage === "open") conditions.push(IS_OPEN);
  if (created_from !== undefined) conditions.push(sql`e.created_at >= ${created_from}`);
  if (created_to !== undefined) conditions.push(sql`e.created_at < ${created_to}`);
  if (owner !== undefined) conditions.push(isFilling ? isUnfilledOwner(org, owner) : sql`e.owner_user_id = ${owner}`);
  for (const column of ["template_id", "batch_id", "form_id"] as const) {
    if (filter[column] !== undefined) conditions.push(sql`${raw(`e.${column}`)} = ${filter[column]}`);
  }
  if (discarded !== undefined) conditions.push(discarded === "only" ? sql`e.discarded_at is not null` : sql`e.discarded_at is null`);
  if (tag !== undefined) {
    conditions.push(
      sql`exists (select from envelope_tags t where t.org_id = ${org} and t.tag_key = ${tag} and t.envelope_id = e.envelope_id)`,
    );
  }
  const ofSigner = sql`select from signers s where s.org_id = ${org} and s.envelope_id = e.envelope_id and s.removed_at is null`;
  if (recipient_email !== undefined) conditions.push(sql`exists (${ofSigner} and s.email_key = email_key(${recipient_email.trim()}))`);
  if (waiting_for !== undefined) {
    const address = sql`(select email_key(u.email) from users u where u.user_id = ${waiting_for})`;
    conditions.push(
      sql`exists (${ofSigner} and s.email_key = ${address} and s.invited_at is not null and s.kind <> 'cc' and s.status in ('pending', 'viewed'))`,
      IS_OPEN,
    );
  }
  return conditions;
}

/** The current status, as `statusNow` has it, in a form that an index of the status can be used for. */
function hasStatus(status: string): Sql {
  if (status === "expired") return sql`(e.status = 'expired' or (${raw(isDue({ of: "e." }))}))`;
  if (!open.some((one) => one === status)) return sql`e.status = ${status}`;
  return sql`e.status = ${status} and (e.expires_at is null or e.expires_at > now())`;
}

const isUnfilledOwner = (org: OrgId, owner: string): Sql => sql`(e.owner_user_id = ${owner} or (e.owner_user_id is null and (
  e.created_by = ${owner} or e.created_by in (select k.key_id from api_keys k where k.org_id = ${org} and k.created_by = ${owner}))))`;

/** By position instead of a pattern, so that a percent sign has no special meaning. Reads all envelopes of the org. */
function contains(org: OrgId, q: string, searchesCustomers: boolean): Sql {
  const holds = (column: string): Sql => sql`strpos(lower(${raw(column)}), lower(${q}::text)) > 0`;
  const ofCustomer = sql`or e.customer_id in (
    select c.customer_id from customers c where c.org_id = ${org} and (${holds("c.name")} or ${holds("c.email")} or ${holds("c.client_id")}))`;
  return sql`(${holds("e.envelope_name")} or ${holds("e.external_id")} ${searchesCustomers ? ofCustomer : sql``})`;
}

const ID = sql`e.envelope_id`;

/**
 * The rows of a list: `e` is the envelope, and `id` its id where the rows come from, so that they are read in that order. `offset 0` keeps
 * the planner from reading all envelopes to join them with a few thousand ids.
 */
function rowsOf(
  { org, conditions, few, search, isLive }: PlannedList,
  way: "by id" | "by key",
  more: readonly Sql[] = [],
): { rows: Sql; id: Sql } {
  if (few !== null) {
    const rows = sql`from (select * from envelopes i where i.org_id = ${org} and i.envelope_id = any(${idsOf(few)}) offset 0) e where true ${alsoAll(more)}`;
    return { rows, id: ID };
  }
  const wanted = [...conditions, ...more];
  const others = (id: Sql): Sql[] => (search?.hasOthers == null ? [] : [search.hasOthers(id)]);
  const live = (id: Sql): Sql[] => (isLive ? [isNotDiscarded(org, id)] : []);
  if (search === null || way === "by key") {
    const found = search === null ? [] : [search.isFound(ID)];
    return { rows: sql`from envelopes e where e.org_id = ${org} ${alsoAll([...wanted, ...live(ID), ...found, ...others(ID)])}`, id: ID };
  }
  // Nothing of the envelope itself is needed: its id is enough.
  if (wanted.length === 0) return { rows: sql`from (${search.source}) e where true ${alsoAll([...others(ID), ...live(ID)])}`, id: ID };
  const id = sql`f.envelope_id`;
  const rows = sql`from (${search.source}) f,
    lateral (select * from envelopes i where i.org_id = ${org} and i.envelope_id = ${id} offset 0) e where true ${alsoAll([...wanted, ...live(id), ...others(id)])}`;
  return { rows, id };
}

const isNotDiscarded = (org: OrgId, id: Sql): Sql =>
  sql`not exists (select from envelopes d where d.org_id = ${org} and d.envelope_id = ${id} and d.discarded_at is not null offset 0)`;

const wayOf = ({ order }: PlannedList) => (order.key === null ? "by id" : "by key");

function orderBy({ key, direction }: Order, id: Sql): Sql {
  const way = raw(direction);
  return key === null ? sql`${id} ${way}` : sql`${raw(key)} ${way}, ${id} ${way}`;
}

/** How many rows there are, up to one more than `limit`. */
const countUpTo = (list: PlannedList, limit: number): Sql =>
  sql`select count(*)::int as n from (select ${rowsOf(list, "by id").rows} limit ${limit + 1}) counted`;

type Row = ListedEnvelope & { readonly total: number };

/** One page and the total, which stops at the maximum. Throws a 422 for a page after it. */
export async function listFiltered(
  read: Read,
  org: OrgId,
  filter: EnvelopeFilter,
  { page, limit }: PageRequest,
): Promise<Page<ListedEnvelope>> {
  const offset = (page - 1) * limit;
  if (offset >= MAX_COUNTED) throw new Problem("page_too_deep");
  const list = await planList(read, org, filter);
  const shown = Math.min(limit, MAX_COUNTED - offset);
  const found = await pageOfWords(read, list, shown, offset);
  if (found !== null) return { items: await readListed(read, org, found.ids), ...totalOf(found.total) };
  const { rows: listed, id } = rowsOf(list, wayOf(list));
  const { rows } = await read.query<Row>(sql`
    with total as (${countUpTo(list, MAX_COUNTED)}),
    ids as (
      select e.envelope_id, row_number() over () as place from (
        select e.envelope_id ${listed} order by ${orderBy(list.order, id)} limit ${shown} offset ${offset}) e
    ), page as (
      select ids.place, e.* from ids, lateral (
        select ${raw(COLUMNS)} from envelopes e where e.org_id = ${org} and e.envelope_id = ids.envelope_id offset 0) e
    )
    select (select n from total) as total, ${raw(SHOWN)} from (values (1)) as one left join page on true order by place`);
  return { items: rows.filter((row) => row.envelope_id !== null), ...totalOf(rows[0]?.total ?? 0) };
}

const totalOf = (found: number) => ({ total: Math.min(found, MAX_COUNTED), ...(found > MAX_COUNTED && { total_capped: true }) });

interface FoundPage {
  readonly total: number;
  readonly ids: readonly string[];
}

/** The page of a search by words; null if the list has none. */
async function pageOfWords(read: Read, list: PlannedList, limit: number, offset: number): Promise<FoundPage | null> {
  const { org, few, search, order, conditions, isLive } = list;
  if (few !== null) {
    const ids = order.key === null ? newestOf(few, offset + limit).slice(offset) : await fewByKey(read, list, few, limit, offset);
    return { total: few.length, ids };
  }
  const words = search?.words ?? null;
  if (words === null) return null;
  const isPlain = words.others.length === 0 && words.ofCustomers !== null && conditions.length === 0 && !isLive;
  const newest = isPlain
    ? await newestPage(read, list, limit, offset)
    : await pageOfFrequent(read, words, { conditions, isLive, offset, limit, most: MAX_COUNTED + 1 });
  if (order.key === null) return newest;
  const first = await probedByKey(read, list, limit, offset);
  if (first !== null || newest.total === 0) return { total: newest.total, ids: first ?? [] };
  const best = await pageOfFrequent(read, words, { conditions, isLive, offset, limit, most: MAX_COUNTED + 1, order: orderBy(order, ID) });
  return { total: newest.total, ids: await sortedByKey(read, org, order, best.ids, limit, offset) };
}

/** The newest of these, newest first. To sort all of several thousand takes longer than to find a page of them. */
function newestOf(ids: readonly string[], count: number): string[] {
  let newest: string[] = [];
  let least = "";
  for (const id of ids) {
    if (id < least) continue;
    newest.push(id);
    if (newest.length < 2 * count + 100) continue;
    newest = newest.sort().reverse().slice(0, count);
    least = newest.at(-1) ?? "";
  }
  return newest.sort().reverse().slice(0, count);
}

/** Of one word, whose envelopes the index has in this order. */
async function newestPage(read: Read, list: PlannedList, limit: number, offset: number): Promise<FoundPage> {
  const { rows: found, id } = rowsOf(list, "by id");
  const { rows } = await read.query<{ total: number; ids: string[] }>(sql`
    with total as (${countUpTo(list, MAX_COUNTED)})
    select (select n from total) as total, array(select ${id} ${found} order by ${id} desc limit ${limit} offset ${offset}) as ids`);
  return { total: rows[0]?.total ?? 0, ids: rows[0]?.ids ?? [] };
}

// Below this, reading every envelope that was found is as fast.
const MIN_WALKED_FOR = 1_000;
// Entries of an index. If the page is not among them, the search has cost a few milliseconds more.
const MAX_WALKED = 20_000;
// The same, if each entry is looked up among the words; and how many more for each row before the page.
const MAX_PROBED = 2_000;
const PROBED_FOR_EACH = 4;

/**
 * A page by a value that an index has in order: reads the index from its beginning until the page is full. To sort what was found needs each
 * envelope, from as many pages of the table; this is done if the page is too far from the beginning.
 */
async function fewByKey(read: Read, list: PlannedList, few: readonly string[], limit: number, offset: number): Promise<string[]> {
  const { org, order } = list;
  if (few.length >= MIN_WALKED_FOR) {
    const { rows } = await read.query<{ envelope_id: string }>(sql`
      select envelope_id from (
        select e.envelope_id from envelopes e where e.org_id = ${org} order by ${orderBy(order, ID)} limit ${MAX_WALKED}) walked
      where envelope_id = any(${idsOf(few)}) limit ${limit} offset ${offset}`);
    if (rows.length >= Math.min(limit, few.length - offset)) return rows.map((row) => row.envelope_id);
  }
  return sortedByKey(read, org, order, few, limit, offset);
}

async function sortedByKey(read: Read, org: OrgId, order: Order, ids: readonly string[], limit: number, offset: number): Promise<string[]> {
  const { rows } = await read.query<{ envelope_id: string }>(sql`
    select e.envelope_id from (select * from envelopes i where i.org_id = ${org} and i.envelope_id = any(${idsOf(ids)}) offset 0) e
    order by ${orderBy(order, ID)} limit ${limit} offset ${offset}`);
  return rows.map((row) => row.envelope_id);
}

/** The page of frequent words from the beginning of the index of the order; null if it is not full. */
async function probedByKey(read: Read, list: PlannedList, limit: number, offset: number): Promise<string[] | null> {
  const { org, order, search, conditions, isLive } = list;
  if (search === null) return null;
  const id = sql`p.envelope_id`;
  const fits = sql`exists (select from envelopes e where e.org_id = ${org} and e.envelope_id = ${id} ${alsoAll(conditions)} offset 0)`;
  const wanted = [
    search.isFound(id),
    ...(search.hasOthers === null ? [] : [search.hasOthers(id)]),
    ...(isLive ? [isNotDiscarded(org, id)] : []),
    ...(conditions.length > 0 ? [fits] : []),
  ];
  const { rows } = await read.query<{ envelope_id: string }>(sql`
    select p.envelope_id from (
      select e.envelope_id from envelopes e where e.org_id = ${org} order by ${orderBy(order, ID)} limit ${MAX_PROBED + PROBED_FOR_EACH * offset}) p
    where ${join(wanted, " and ")} limit ${limit} offset ${offset}`);
  return rows.length < limit ? null : rows.map((row) => row.envelope_id);
}

/** In the order of the ids. One that does not exist is left out. */
export async function readListed(read: Read, org: OrgId, ids: readonly string[]): Promise<ListedEnvelope[]> {
  const { rows } = await read.query<ListedEnvelope>(sql`
    select ${raw(SHOWN)} from envelopes where org_id = ${org} and envelope_id = any(${ids})
    order by array_position(${ids}::text[], envelope_id)`);
  return rows;
}

/** Whether a list has more rows than this. */
export async function hasMoreThan(read: Read, list: PlannedList, limit: number): Promise<boolean> {
  const { few, search, conditions, isLive } = list;
  if (few !== null) return few.length > limit;
  if (search?.words != null) {
    const { total } = await pageOfFrequent(read, search.words, { conditions, isLive, offset: 0, limit: 0, most: limit + 1 });
    return total > limit;
  }
  const { rows } = await read.query<{ n: number }>(countUpTo(list, limit));
  return (rows[0]?.n ?? 0) > limit;
}

/** The place after a row, in the order of a list. The value is text as the database writes it, so that it loses no microseconds. */
export interface Place {
  readonly key: string | null;
  readonly envelope_id: string;
}

export type PlacedEnvelope = ListedEnvelope & { readonly place_key: string | null };

/** The rows after a place, in order. Rows without a value come last and are read separately, so that the index can be used for both. */
export async function listAfter(read: Read, list: PlannedList, after: Place | null, limit: number): Promise<PlacedEnvelope[]> {
  const { key, direction } = list.order;
  if (key === null) return listAfterId(read, list, after, limit);
  const value = raw(key);
  const sign = raw(direction === "asc" ? ">" : "<");
  const isAmongNull = after !== null && after.key === null;
  const valued =
    after === null || after.key === null
      ? [sql`${value} is not null`]
      : [sql`(${value}, e.envelope_id) ${sign} (${after.key}${raw(typeOf(key))}, ${after.envelope_id})`];
  const first = isAmongNull ? [] : await readAfter(read, list, valued, limit);
  if (first.length === limit) return first;
  const rest = isAmongNull ? [sql`${value} is null`, sql`e.envelope_id ${sign} ${after.envelope_id}`] : [sql`${value} is null`];
  return [...first, ...(await readAfter(read, list, rest, limit - first.length))];
}

/** Newest first. */
async function listAfterId(read: Read, list: PlannedList, after: Place | null, limit: number): Promise<PlacedEnvelope[]> {
  const { org, few, search, conditions, isLive } = list;
  const placed = async (ids: readonly string[]): Promise<PlacedEnvelope[]> =>
    (await readListed(read, org, ids)).map((row) => ({ ...row, place_key: null }));
  if (few !== null) {
    const left = after === null ? few : few.filter((id) => id < after.envelope_id);
    return placed(newestOf(left, limit));
  }
  const before = after === null ? {} : { before: after.envelope_id };
  if (search?.words != null) {
    return placed((await pageOfFrequent(read, search.words, { conditions, isLive, ...before, offset: 0, limit, most: limit })).ids);
  }
  return readAfter(read, list, after === null ? [] : [sql`e.envelope_id < ${after.envelope_id}`], limit);
}

const typeOf = (key: string): string => (key === "e.updated_at" || key === EXPIRY ? "::timestamptz" : "::text");

async function readAfter(read: Read, list: PlannedList, more: readonly Sql[], limit: number): Promise<PlacedEnvelope[]> {
  const key = list.order.key === null ? sql`null` : raw(`(${list.order.key})::text`);
  const { rows: listed, id } = rowsOf(list, wayOf(list), more);
  const { rows } = await read.query<PlacedEnvelope>(sql`
    with ids as (
      select e.envelope_id, row_number() over () as place, e.place_key from (
        select e.envelope_id, ${key} as place_key ${listed} order by ${orderBy(list.order, id)} limit ${limit}) e
    ), page as (
      select ids.place, ids.place_key, e.* from ids, lateral (
        select ${raw(COLUMNS)} from envelopes e where e.org_id = ${list.org} and e.envelope_id = ids.envelope_id offset 0) e
    )
    select place_key, ${raw(SHOWN)} from page order by place`);
  return rows;
}
