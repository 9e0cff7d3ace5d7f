import { join, type Read, raw, type Sql, sql } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { endOfPrefix, type SearchedWord, wordsOf } from "../shared/search-words.ts";
import { listTags } from "../tags/store.ts";
import { MAX_COUNTED } from "./filter.ts";

/** The envelopes with certain words, their own, those of their tags, and those of their customers. */

// The envelopes of each customer are looked up one by one.
const MAX_CUSTOMERS = 10_000;

/** One beginning of a word, and what has such words. */
interface Beginning {
  readonly word: SearchedWord;
  /** tags with such a word; there are at most a few hundred tags, so they are compared in memory */
  readonly tags: readonly string[];
  readonly wholeTags: readonly string[];
}

/** At most as many as a list has: their ids, in no order. */
export interface FewFound {
  readonly ids: readonly string[];
}

/** More than a list has. */
export interface ManyFound {
  /** the ids, each once, of all envelopes that the leading word finds */
  readonly source: Sql;
  /** that the leading word finds the envelope with this id */
  readonly isFound: (id: Sql) => Sql;
  /** the same for the other words; null if there are none */
  readonly hasOthers: ((id: Sql) => Sql) | null;
  /** how ranges of them are compared as sets; null for a tag, whose envelopes an index has in order */
  readonly words: FrequentWords | null;
}

interface Scope {
  readonly org: OrgId;
  readonly searchesCustomers: boolean;
}

/**
 * Counts what each beginning finds, up to the maximum. The one with the fewest leads, and what it finds is compared with the others. If each
 * finds more than a list has, the leading word must be a whole word, whose envelopes the index has in the order of the list.
 */
export async function planSearch(read: Read, scope: Scope, words: readonly SearchedWord[]): Promise<FewFound | ManyFound> {
  const { org } = scope;
  const tags = (await listTags(read, org)).map(({ tag_key, name }) => ({ tag_key, words: wordsOf([name]) }));
  const beginnings = words.map((word) => ({
    word,
    tags: tags.filter((tag) => tag.words.some((one) => one.startsWith(word))).map(({ tag_key }) => tag_key),
    wholeTags: tags.filter((tag) => tag.words.includes(word)).map(({ tag_key }) => tag_key),
  }));
  const all = await countFound(read, scope, beginnings);
  for (const lead of fewestFirst(all, "beginning", (found) => !isOver(found))) {
    const ids = await lookUpFew(read, org, lead, await withVariants(read, org, othersThan(all, lead)));
    if (ids !== null) return { ids };
  }
  for (const lead of fewestFirst(all, "whole", ({ own, tagged, customers }) => own + tagged + customers > 0)) {
    const ofCustomers = await lookUpOfCustomers(read, org, lead);
    const { own, tagged } = lead.whole;
    if (own + tagged > 0 || ofCustomers === null || ofCustomers.length > 0) {
      return searchLedBy({ org, lead, ofCustomers, others: await withVariants(read, org, othersThan(all, lead)) });
    }
  }
  throw new Problem("search_too_broad");
}

type Match = "beginning" | "whole";

/** In how many places there are such words. More than the maximum means: too many. */
interface Counts {
  readonly own: number;
  readonly tagged: number;
  readonly customers: number;
}

type Found = Beginning & Readonly<Record<Match, Counts>>;

const isOver = ({ own, tagged, customers }: Counts): boolean => own > MAX_COUNTED || tagged > MAX_COUNTED || customers > MAX_CUSTOMERS;
const sizeOf = ({ own, tagged, customers }: Counts): number => own + tagged + customers;

/** Words of very many customers come last: their envelopes are in no index in order, so all envelopes would be compared. */
const fewestFirst = (found: readonly Found[], match: Match, isFit: (counts: Counts) => boolean): Found[] => {
  const isOfMost = (one: Found): number => (one[match].customers > MAX_CUSTOMERS ? 1 : 0);
  return found.filter((one) => isFit(one[match])).sort((a, b) => isOfMost(a) - isOfMost(b) || sizeOf(a[match]) - sizeOf(b[match]));
};

const othersThan = (all: readonly Found[], lead: Found): Found[] => all.filter((one) => one !== lead);

const matches = (match: Match, column: Sql, { word }: Beginning): Sql =>
  match === "whole" ? sql`${column} = ${word}` : sql`${column} >= ${word} and ${column} < ${endOfPrefix(word)}`;
const tagsOf = (match: Match, { tags, wholeTags }: Beginning): readonly string[] => (match === "whole" ? wholeTags : tags);

/** If there are too many of the whole word, those of the beginning are not counted too. */
async function countFound(read: Read, { org, searchesCustomers }: Scope, beginnings: readonly Beginning[]): Promise<Found[]> {
  const upTo = (limit: number, rows: Sql): Sql => sql`(select count(*)::int from (${rows} limit ${limit + 1}) probed)`;
  const counts = beginnings.map((one, index) => {
    const own = (match: Match) =>
      upTo(MAX_COUNTED, sql`select from envelope_words w where w.org_id = ${org} and ${matches(match, sql`w.word`, one)}`);
    const tagged = (match: Match) =>
      tagsOf(match, one).length === 0
        ? sql`0`
        : upTo(MAX_COUNTED, sql`select from envelope_tags t where t.org_id = ${org} and t.tag_key = any(${tagsOf(match, one)})`);
    const customers = (match: Match) =>
      searchesCustomers
        ? upTo(MAX_CUSTOMERS, sql`select from customer_words c where c.org_id = ${org} and ${matches(match, sql`c.word`, one)}`)
        : sql`0`;
    return sql`select ${index}::int as n, whole.own as whole_own, whole.tagged as whole_tagged, whole.customers as whole_customers,
        case when whole.own > ${MAX_COUNTED} then whole.own else ${own("beginning")} end as own, ${tagged("beginning")} as tagged,
        case when whole.customers > ${MAX_CUSTOMERS} then whole.customers else ${customers("beginning")} end as customers
      from (select ${own("whole")} as own, ${tagged("whole")} as tagged, ${customers("whole")} as customers offset 0) whole`;
  });
  const { rows } = await read.query<Counts & { whole_own: number; whole_tagged: number; whole_customers: number }>(
    sql`${join(counts, " union all ")} order by n`,
  );
  return rows.map(({ own, tagged, customers, whole_own, whole_tagged, whole_customers }, index) => {
    const one = beginnings[index];
    if (one === undefined) throw new Error("more counts than words");
    const whole = { own: whole_own, tagged: whole_tagged, customers: whole_customers };
    return { ...one, beginning: { own, tagged, customers }, whole };
  });
}

/**
 * A word that envelopes must also have. Few words that begin like it are looked up in the index by word, which has the envelopes of each
 * next to each other; of many, each envelope's own words are looked at.
 */
interface Other extends Found {
  /** the words of envelopes that begin like it; null if they are more than a few */
  readonly variants: readonly string[] | null;
  /** the same of customers; also null if the word finds few customers, whose envelopes are looked up instead */
  readonly customerVariants: readonly string[] | null;
}

// Each is one more range of the index.
const MAX_VARIANTS = 8;

async function withVariants(read: Read, org: OrgId, others: readonly Found[]): Promise<Other[]> {
  const found: Other[] = [];
  for (const one of others) {
    const variants = one.beginning.own === 0 ? [] : await lookUpVariants(read, "envelope_words", org, one);
    const hasMany = one.beginning.customers > FEW_CUSTOMERS;
    found.push({ ...one, variants, customerVariants: hasMany ? await lookUpVariants(read, "customer_words", org, one) : null });
  }
  return found;
}

type Words = "envelope_words" | "customer_words";

async function lookUpVariants(read: Read, words: Words, org: OrgId, { word }: Beginning): Promise<string[] | null> {
  const next = (after: Sql): Sql => sql`(select w.word from ${raw(words)} w where w.org_id = ${org} and ${after}
    and w.word < ${endOfPrefix(word)} order by w.word limit 1)`;
  const { rows } = await read.query<{ word: string }>(sql`
    with recursive variants as (
      select ${next(sql`w.word >= ${word}`)} as word
      union all select ${next(sql`w.word > v.word`)} from variants v where v.word is not null
    ) select word from variants where word is not null limit ${MAX_VARIANTS + 1}`);
  return rows.length > MAX_VARIANTS ? null : rows.map((row) => row.word);
}

const own = (org: OrgId, one: Beginning, match: Match): Sql =>
  sql`select w.envelope_id from envelope_words w where w.org_id = ${org} and ${matches(match, sql`w.word`, one)}`;
const tagged = (org: OrgId, keys: readonly string[]): Sql =>
  sql`select t.envelope_id from envelope_tags t where t.org_id = ${org} and t.tag_key = any(${keys})`;

/**
 * An array of customers keeps the planner from reading all envelopes to join them, and is looked up in half the time of one by one.
 * `distinct` also sorts it, in half the time that the index takes to sort an array.
 */
const ofCustomers = (org: OrgId, one: Beginning, match: Match): Sql => sql`
  select i.envelope_id from envelopes i where i.org_id = ${org} and i.customer_id = any(array(
    select distinct c.customer_id from customer_words c where c.org_id = ${org} and ${matches(match, sql`c.word`, one)}))`;

/** All envelopes with a word that begins like the leading one, and with the others. Null if the leading word finds too many. */
async function lookUpFew(read: Read, org: OrgId, lead: Found, others: readonly Other[]): Promise<string[] | null> {
  const places = [
    own(org, lead, "beginning"),
    ...(lead.beginning.tagged > 0 ? [tagged(org, lead.tags)] : []),
    ...(lead.beginning.customers > 0 ? [sql`(${ofCustomers(org, lead, "beginning")} limit ${MAX_COUNTED + 1})`] : []),
  ];
  const all = join(places, " union all ");
  if (others.length === 0) {
    const { rows } = await read.query<{ ids: string }>(sql`select ${asText(sql`envelope_id`)} as ids from (${all}) every`);
    const ids = new Set(splitIds(rows[0]?.ids ?? ""));
    return ids.size > MAX_COUNTED ? null : [...ids];
  }
  const { parts, checks } = checksAmong(org, others, { match: "beginning", name: "other", range: null });
  const { rows } = await read.query<{ n: number; ids: string }>(sql`
    with compared as materialized (select envelope_id from (${all}) every group by envelope_id),
    given as materialized (select array(select envelope_id from compared order by envelope_id) as ids) ${parts}
    select (select count(*)::int from compared) as n, (select ${asText(sql`n.envelope_id`)} from compared n where true ${alsoAll(checks)}) as ids`);
  const [row] = rows;
  if (row === undefined) throw new Error("a count returned no row");
  return row.n > MAX_COUNTED ? null : splitIds(row.ids);
}

// Ids as one text are read and written in a fraction of the time of an array.
export const asText = (id: Sql): Sql => sql`coalesce(string_agg(${id}, ' '), '')`;
export const splitIds = (text: string): string[] => (text === "" ? [] : text.split(" "));
export const idsOf = (ids: readonly string[]): Sql => sql`string_to_array(${ids.join(" ")}, ' ')`;

/** Null if they are more than a list has. */
async function lookUpOfCustomers(read: Read, org: OrgId, lead: Found): Promise<string[] | null> {
  if (lead.whole.customers === 0) return [];
  if (lead.whole.customers > MAX_CUSTOMERS) return null;
  const { rows } = await read.query<{ ids: string }>(sql`
    select ${asText(sql`envelope_id`)} as ids from (${ofCustomers(org, lead, "whole")} limit ${MAX_COUNTED + 1}) some_of_them`);
  const ids = splitIds(rows[0]?.ids ?? "");
  return ids.length > MAX_COUNTED ? null : ids;
}

/** The envelopes with a tag, which the index has in the order of the list. */
export function taggedWith(org: OrgId, tag_key: string): ManyFound {
  const all = sql`select t.envelope_id from envelope_tags t where t.org_id = ${org} and t.tag_key = ${tag_key}`;
  return { source: all, isFound: (id) => sql`exists (${all} and t.envelope_id = ${id})`, hasOthers: null, words: null };
}

/** Words that each find more than a list has. */
export interface FrequentWords {
  readonly org: OrgId;
  /** a whole word */
  readonly lead: Found;
  /** the envelopes of its customers; null if they are more than a list has */
  readonly ofCustomers: readonly string[] | null;
  readonly others: readonly Other[];
}

function searchLedBy(words: FrequentWords): ManyFound {
  const { org, lead, others } = words;
  return {
    source: newestFoundBy(words),
    isFound: (id) => hasWord(org, lead, "whole", id),
    hasOthers:
      others.length === 0
        ? null
        : (id) =>
            join(
              others.map((one) => hasWord(org, one, "beginning", id)),
              " and ",
            ),
    words,
  };
}

const listed = (ids: readonly string[]): Sql => sql`select envelope_id from unnest(${ids}::text[]) as listed (envelope_id)`;

/** Each place leaves out what the places before it have, so that they are merged in the order of the list instead of sorted together. */
function newestFoundBy({ org, lead, ofCustomers: ids }: FrequentWords): Sql {
  const { wholeTags, whole } = lead;
  const words = own(org, lead, "whole");
  const isOfCustomers = ids === null || ids.length > 0;
  if (whole.tagged === 0 && !isOfCustomers) return words;
  // With `offset 0`, PostgreSQL looks up each envelope by its id, whatever it believes about the size of the tables. As a join, with old
  // statistics, it would read all words of the organization for each envelope.
  const notOwn = (id: Sql): Sql => sql`not exists (${words} and w.envelope_id = ${id} offset 0)`;
  const restOfTagged = sql`select distinct o.envelope_id from (${tagged(org, wholeTags)}) o where ${notOwn(sql`o.envelope_id`)}`;
  const notTagged = whole.tagged > 0 ? sql`and not exists (${tagged(org, wholeTags)} and t.envelope_id = o.envelope_id offset 0)` : sql``;
  const restOfCustomers = sql`select o.envelope_id from (${ids === null ? ofCustomers(org, lead, "whole") : listed(ids)}) o
    where ${notOwn(sql`o.envelope_id`)} ${notTagged}`;
  return sql`select envelope_id from (${words} ${whole.tagged > 0 ? sql`union all ${restOfTagged}` : sql``}
    ${isOfCustomers ? sql`union all ${restOfCustomers}` : sql``}) merged order by envelope_id desc`;
}

// The newest of the leading word that are compared at once. More than a list has, so that words that usually come together need one round.
const AT_ONCE = 10_500;
const MIN_AT_ONCE = 500;

/** How many to compare next: as many as are probably needed, by what the last ones found. */
function nextSize(needed: number, { compared, n }: { readonly compared: number; readonly n: number }): number {
  const likely = (needed * 1.2 * compared) / Math.max(1, n);
  return Math.min(AT_ONCE, Math.ceil(likely) + MIN_AT_ONCE);
}

export interface Wanted {
  /** conditions on the row `e` of the envelope */
  readonly conditions: readonly Sql[];
  readonly isLive: boolean;
  /** only envelopes before this id */
  readonly before?: string;
  readonly offset: number;
  readonly limit: number;
  /** stops counting here */
  readonly most: number;
  /** the first by this order, of all that are found, instead of the newest */
  readonly order?: Sql;
}

/**
 * How many envelopes have all the words, up to a maximum, and the ids of one page of them, newest first. The index has those of a word in
 * that order, so ranges of it are compared as sets. To look up each envelope of one word among those of another takes several times as long.
 */
export async function pageOfFrequent(
  read: Read,
  words: FrequentWords,
  { conditions, isLive, before: first = AFTER_ALL, offset, limit, most, order }: Wanted,
): Promise<{ readonly total: number; readonly ids: readonly string[] }> {
  const { org } = words;
  const ids: string[] = [];
  let total = 0;
  let size = AT_ONCE;
  for (let before = first; ; ) {
    const inRange: InRange = (id) => sql`${id} >= (select id from least) and ${id} < ${before}`;
    const discarded = sql`except select d.envelope_id from envelopes d
      where d.org_id = ${org} and d.discarded_at is not null and ${inRange(sql`d.envelope_id`)}`;
    const { sets, parts, checks } = checksOf(words, inRange);
    const common = sql`select n.envelope_id from compared n where true ${alsoAll(checks)}
      ${sets.length > 0 ? join(sets, " ") : sql``} ${isLive ? discarded : sql``}`;
    const fit = sql`select e.envelope_id from envelopes e
      where e.org_id = ${org} and e.envelope_id = any(array(select envelope_id from common)) ${alsoAll(conditions)}`;
    const found = conditions.length > 0 ? sql`fit` : sql`common`;
    const shown =
      order === undefined
        ? sql`select envelope_id from ${found} order by envelope_id desc limit ${limit - ids.length} offset ${Math.max(0, offset - total)}`
        : sql`select e.envelope_id from (
            select * from envelopes i where i.org_id = ${org} and i.envelope_id = any(array(select envelope_id from ${found})) offset 0) e
            order by ${order} limit ${offset + limit}`;
    const { rows } = await read.query<{ least: string | null; compared: number; n: number; ids: string[] }>(sql`
      with compared as materialized (${newestOf(words, before, size)}),
      given as materialized (select array(select envelope_id from compared) as ids),
      least as materialized (select min(envelope_id) as id, count(*)::int as compared from compared) ${parts},
      common as materialized (${common}) ${conditions.length > 0 ? sql`, fit as materialized (${fit})` : sql``}
      select least.id as least, least.compared, (select count(*)::int from ${found}) as n, array(${shown}) as ids from least`);
    const [row] = rows;
    if (row === undefined) throw new Error("a count returned no row");
    ids.push(...row.ids);
    total += row.n;
    if (row.least === null || row.compared < size || (total >= most && order === undefined)) {
      return { total: Math.min(total, most), ids };
    }
    before = row.least;
    if (order === undefined) size = nextSize(most - total, row);
  }
}

// Greater than every id.
const AFTER_ALL = "env_~";

export const alsoAll = (conditions: readonly Sql[]): Sql => (conditions.length === 0 ? sql`` : sql`and ${join(conditions, " and ")}`);

/** The newest of each place have the newest of all among them. If the leading word's customers have too many envelopes, all are compared. */
function newestOf({ org, lead, ofCustomers: ids }: FrequentWords, before: string, size: number): Sql {
  const newestIn = (rows: Sql): Sql =>
    sql`(select p.envelope_id from (${rows}) p where p.envelope_id < ${before} order by p.envelope_id desc limit ${size})`;
  if (ids === null) return newestIn(sql`select e.envelope_id from envelopes e where e.org_id = ${org}`);
  const places = [
    newestIn(own(org, lead, "whole")),
    ...lead.wholeTags.map((key) => newestIn(tagged(org, [key]))),
    ...(ids.length > 0 ? [newestIn(listed(ids))] : []),
  ];
  return places.length === 1 ? sql`${places[0]}` : newestIn(join(places, " union "));
}

interface Checks {
  /** parts of a statement that the checks refer to */
  readonly parts: Sql;
  readonly sets: readonly Sql[];
  readonly checks: readonly Sql[];
}

type InRange = (id: Sql) => Sql;

function checksOf({ org, lead, ofCustomers: ids, others }: FrequentWords, inRange: InRange): Checks {
  // The words of a range of envelopes are read at once. This is only worth it if the envelopes that are compared are close to each other.
  const range = ids === null || lead.whole.own > MAX_COUNTED ? inRange : null;
  const rest = checksAmong(org, others, { match: "beginning", name: "other", range });
  if (ids !== null) return rest;
  const first = checksAmong(org, [{ ...lead, variants: [lead.word], customerVariants: [lead.word] }], {
    match: "whole",
    name: "lead",
    range,
  });
  return { parts: sql`${first.parts} ${rest.parts}`, sets: [...first.sets, ...rest.sets], checks: [...first.checks, ...rest.checks] };
}

// With fewer customers, their envelopes are looked up; with more, the customers of the envelopes that are compared.
const FEW_CUSTOMERS = 1_000;

/**
 * That `n` of the envelopes in `compared`, whose ids are `given`, has each word. `is true` keeps each place a set of its own, which is read
 * once: a join depends on the database's estimates, and can take longer than a request may.
 */
function checksAmong(org: OrgId, words: readonly Other[], how: How): Checks {
  const [parts, sets, checks]: [Sql[], Sql[], Sql[]] = [[], [], []];
  for (const [index, one] of words.entries()) {
    const { customers } = one[how.match];
    const places = placesAmong(org, one, how);
    // The larger set is read along the smaller one.
    const common = sql`intersect (${places.length > 0 ? join(places, " union all ") : sql`select null`})`;
    if (customers <= FEW_CUSTOMERS) {
      if (customers === 0 && how.range !== null) sets.push(common);
      else checks.push(isIn(customers === 0 ? places : [...places, ofCustomers(org, one, how.match)]));
      continue;
    }
    const [has, rest, rows] = ["has", "rest", "rows"].map((part) => raw(`${how.name}_${part}_${index}`)) as [Sql, Sql, Sql];
    // Customers are looked up for the envelopes that do not have the word.
    if (places.length > 0) {
      parts.push(sql`, ${has} as materialized (select envelope_id from compared ${common}),
        ${rest} as materialized (select array(select envelope_id from compared except select envelope_id from ${has} order by 1) as ids)`);
    }
    parts.push(sql`, ${rows} as materialized (select e.envelope_id, e.customer_id from envelopes e
      where e.org_id = ${org} and e.envelope_id = any((select ids from ${places.length > 0 ? rest : sql`given`})::text[]))`);
    const fits = sql`select r.envelope_id from ${rows} r where (r.customer_id in (${customersAmong(org, one, how.match, rows)})) is true`;
    checks.push(isIn(places.length > 0 ? [sql`select envelope_id from ${has}`, fits] : [fits]));
  }
  return { parts: parts.length > 0 ? join(parts, " ") : sql``, sets, checks };
}

/**
 * The customers of these rows who have the word. Of few words, the index by word is read, where customers with the same word are next to each
 * other, so that neighbours share a descent; the order is that of this index. Of many, each customer's own words are looked at.
 */
function customersAmong(org: OrgId, one: Other, match: Match, rows: Sql): Sql {
  const words = sql`select c.customer_id from customer_words c
    where c.org_id = ${org} and c.customer_id = any(array(select distinct customer_id from ${rows}))`;
  return one.customerVariants === null
    ? sql`${words} and ${matches(match, sql`c.word`, one)}`
    : sql`${words} and c.word = any(${one.customerVariants}) order by c.word, c.customer_id`;
}

interface How {
  readonly match: Match;
  /** of the parts */
  readonly name: string;
  /** in which all envelopes are that are compared; null if they are far from each other */
  readonly range: InRange | null;
}

const isIn = (places: readonly Sql[]): Sql =>
  places.length === 0
    ? sql`false`
    : sql`(${join(
        places.map((place) => sql`(n.envelope_id in (${place})) is true`),
        " or ",
      )})`;

function placesAmong(org: OrgId, one: Other, { match, range }: How): Sql[] {
  const among = (id: Sql): Sql => sql`${id} = any((select ids from given)::text[])`;
  const words = sql`select o.envelope_id from envelope_words o where o.org_id = ${org}`;
  const counts = one[match];
  const places: Sql[] = [];
  if (counts.own > 0 && one.variants === null) {
    places.push(sql`${words} and ${among(sql`o.envelope_id`)} and ${matches(match, sql`o.word`, one)}`);
  } else if (counts.own > 0) {
    // The order is that of the index by word, so that it is used.
    const near = range === null ? among : range;
    places.push(sql`(${words} and o.word = any(${one.variants}) and ${near(sql`o.envelope_id`)} order by o.word, o.envelope_id)`);
  }
  if (counts.tagged > 0) places.push(sql`${tagged(org, tagsOf(match, one))} and ${among(sql`t.envelope_id`)}`);
  return places;
}

/** `offset 0` keeps the planner from reading all words of this beginning at once to compare each row with them. */
function hasWord(org: OrgId, one: Found, match: Match, id: Sql): Sql {
  const keys = tagsOf(match, one);
  const words = sql`exists (select from envelope_words w where w.org_id = ${org} and w.envelope_id = ${id} and ${matches(match, sql`w.word`, one)} offset 0)`;
  const tags = sql`exists (select from envelope_tags t where t.org_id = ${org} and t.envelope_id = ${id} and t.tag_key = any(${keys}) offset 0)`;
  const customer = sql`exists (
    select from envelopes i, lateral (
      select from customer_words c where c.org_id = ${org} and c.customer_id = i.customer_id and ${matches(match, sql`c.word`, one)} limit 1) c
    where i.org_id = ${org} and i.envelope_id = ${id} offset 0)`;
  const { tagged: inTags, customers } = one[match];
  return sql`(${join([words, ...(inTags > 0 ? [tags] : []), ...(customers > 0 ? [customer] : [])], " or ")})`;
}
