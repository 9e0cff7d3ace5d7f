import { join, type Read, type Sql, sql } from "../db/sql.ts";
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

export interface Search {
  /** at most as many as a list has; otherwise the newest of them come first */
  readonly isSmall: boolean;
  /** the ids, each once, of all envelopes that one of the words finds; of a small search, those that also have the others */
  readonly source: Sql;
  /** that one of the words finds the envelope with this id */
  readonly isFound: (id: Sql) => Sql;
  /** the same for the other words; null if there are none, or if the source has only envelopes with them */
  readonly hasOthers: ((id: Sql) => Sql) | null;
  /** how the newest of a search that is not small are found faster than by its source; null if they are not */
  readonly frequent: FrequentWords | null;
  /** how many a small search finds at most */
  readonly size: number;
}

interface Scope {
  readonly org: OrgId;
  readonly searchesCustomers: boolean;
}

/**
 * Counts what each beginning finds, up to the maximum. The one with the fewest leads, and what it finds is compared with the others. If each
 * finds more than a list has, the leading word must be a whole word, whose envelopes the index has in the order of the list.
 */
export async function planSearch(read: Read, scope: Scope, words: readonly SearchedWord[]): Promise<Search> {
  const tags = (await listTags(read, scope.org)).map(({ tag_key, name }) => ({ tag_key, words: wordsOf([name]) }));
  const beginnings = words.map((word) => ({
    word,
    tags: tags.filter((tag) => tag.words.some((one) => one.startsWith(word))).map(({ tag_key }) => tag_key),
    wholeTags: tags.filter((tag) => tag.words.includes(word)).map(({ tag_key }) => tag_key),
  }));
  const all = await countFound(read, scope, beginnings, "beginning");
  const small = smallest(all, (size) => size <= MAX_COUNTED);
  if (small !== null) return searchOfFew(scope.org, all, small);
  const whole = smallest(await countFound(read, scope, beginnings, "whole"), (size) => size > 0);
  if (whole === null) throw new Problem("search_too_broad");
  return searchLedBy(scope.org, all, whole, await lookUpVariants(read, scope.org, whole, all));
}

function smallest(found: readonly Found[], isFit: (size: number) => boolean): Found | null {
  const fit = found.filter(({ size }) => isFit(size));
  return fit.reduce<Found | null>((least, one) => (least === null || one.size < least.size ? one : least), null);
}

/** What a beginning finds: how many, and in which places. A place without any is not looked at again. */
interface Found {
  readonly one: Beginning;
  readonly size: number;
  readonly isTagged: boolean;
  readonly isOfCustomers: boolean;
  /** the envelopes of its customers, if they are few enough to be passed along instead of looked up again */
  readonly ofCustomers: readonly string[] | null;
}

type Match = "beginning" | "whole";

const matches = (match: Match, column: Sql, { word }: Beginning): Sql =>
  match === "whole" ? sql`${column} = ${word}` : sql`${column} >= ${word} and ${column} < ${endOfPrefix(word)}`;
const tagsOf = (match: Match, { tags, wholeTags }: Beginning): readonly string[] => (match === "whole" ? wholeTags : tags);

/** How many each finds. More than the maximum means: too many. */
async function countFound(read: Read, scope: Scope, beginnings: readonly Beginning[], match: Match): Promise<Found[]> {
  const { org, searchesCustomers } = scope;
  const upTo = (limit: number, rows: Sql): Sql => sql`(select count(*)::int from (${rows} limit ${limit + 1}) probed)`;
  const counts = beginnings.map((one, index) => {
    const own = upTo(MAX_COUNTED, sql`select from envelope_words w where w.org_id = ${org} and ${matches(match, sql`w.word`, one)}`);
    const tagged = upTo(MAX_COUNTED, sql`select from envelope_tags t where t.org_id = ${org} and t.tag_key = any(${tagsOf(match, one)})`);
    const customers = sql`select from customer_words c where c.org_id = ${org} and ${matches(match, sql`c.word`, one)}`;
    return sql`select ${index}::int as n, ${own} as own, ${tagsOf(match, one).length > 0 ? tagged : sql`0`} as tagged,
      ${searchesCustomers ? upTo(MAX_CUSTOMERS, customers) : sql`0`} as customers`;
  });
  const { rows } = await read.query<Counted>(sql`${join(counts, " union all ")} order by n`);
  const found: Found[] = [];
  for (const [index, { own, tagged, customers }] of rows.entries()) {
    const one = beginnings[index];
    if (one === undefined) throw new Error("more counts than words");
    const isOver = own > MAX_COUNTED || tagged > MAX_COUNTED || customers > MAX_CUSTOMERS;
    const ofCustomers = isOver ? null : customers === 0 ? [] : await lookUpOfCustomers(read, org, one, match);
    found.push({
      one,
      size: ofCustomers === null ? MAX_COUNTED + 1 : own + tagged + ofCustomers.length,
      isTagged: tagged > 0,
      isOfCustomers: ofCustomers === null ? customers > 0 : ofCustomers.length > 0,
      ofCustomers,
    });
  }
  return found;
}

interface Counted {
  readonly n: number;
  readonly own: number;
  readonly tagged: number;
  readonly customers: number;
}

/** Null if they are more than a list has. */
async function lookUpOfCustomers(read: Read, org: OrgId, one: Beginning, match: Match): Promise<string[] | null> {
  const { rows } = await read.query<{ ids: string[] }>(sql`
    select coalesce(array_agg(envelope_id), '{}') as ids from (${ofCustomers(org, one, match)} limit ${MAX_COUNTED + 1}) some_of_them`);
  const ids = rows[0]?.ids ?? [];
  return ids.length > MAX_COUNTED ? null : ids;
}

/** An array of customers keeps the planner from reading all envelopes to join them, and is looked up in half the time of one by one. */
const ofCustomers = (org: OrgId, one: Beginning, match: Match): Sql => sql`
  select i.envelope_id from envelopes i where i.org_id = ${org} and i.customer_id = any(array(
    select distinct c.customer_id from customer_words c where c.org_id = ${org} and ${matches(match, sql`c.word`, one)}))`;

/** The envelopes with a tag, which the index has in the order of the list, as it has those of a whole word. */
export function taggedWith(org: OrgId, tag_key: string): Search {
  const all = sql`select t.envelope_id from envelope_tags t where t.org_id = ${org} and t.tag_key = ${tag_key}`;
  return {
    isSmall: false,
    source: all,
    isFound: (id) => sql`exists (${all} and t.envelope_id = ${id})`,
    hasOthers: null,
    frequent: null,
    size: Infinity,
  };
}

const othersThan = (all: readonly Found[], lead: Found): Found[] => all.filter(({ one }) => one !== lead.one);
const hasAll = (org: OrgId, others: readonly Found[], id: Sql): Sql =>
  join(
    others.map((one) => hasWord(org, one, "beginning", id)),
    " and ",
  );

function searchOfFew(org: OrgId, all: readonly Found[], lead: Found): Search {
  const others = othersThan(all, lead);
  const found = allFoundBy(org, lead);
  const source = others.length === 0 ? found : sql`select s.envelope_id from (${found}) s where ${hasAll(org, others, sql`s.envelope_id`)}`;
  return { isSmall: true, source, isFound: (id) => hasWord(org, lead, "beginning", id), hasOthers: null, frequent: null, size: lead.size };
}

function searchLedBy(org: OrgId, all: readonly Found[], lead: Found, variants: readonly (readonly string[])[] | null): Search {
  const others = othersThan(all, lead);
  return {
    isSmall: false,
    source: newestFoundBy(org, lead),
    isFound: (id) => hasWord(org, lead, "whole", id),
    hasOthers: others.length === 0 ? null : (id) => hasAll(org, others, id),
    frequent: variants === null || variants.length === 0 ? null : { org, lead: lead.one.word, others: variants },
    size: Infinity,
  };
}

/** Several words that each find more than a list has, as whole words. */
export interface FrequentWords {
  readonly org: OrgId;
  readonly lead: string;
  /** for each of the other words, the words that begin like it */
  readonly others: readonly (readonly string[])[];
}

// The newest of the leading word that are compared at once. More than a list has, so that words that usually come together need one round.
const AT_ONCE = 12_000;

/**
 * How many envelopes have all the words, up to a maximum, and the ids of one page of them, newest first. The index has those of each word in
 * that order, so ranges of it are compared as sets, which reads each entry once. To look up each envelope of one word among those of another
 * takes several times as long.
 */
export async function pageOfFrequent(
  read: Read,
  { org, lead, others }: FrequentWords,
  { isLive, offset, limit, most }: { readonly isLive: boolean; readonly offset: number; readonly limit: number; readonly most: number },
): Promise<{ readonly total: number; readonly ids: readonly string[] }> {
  const ids: string[] = [];
  let total = 0;
  for (let before = AFTER_ALL; ; ) {
    const inRange = (id: Sql): Sql => sql`${id} >= (select id from least) and ${id} < ${before}`;
    const sets = others.map(
      (words) => sql`intersect select o.envelope_id from envelope_words o
        where o.org_id = ${org} and o.word = any(${words}) and ${inRange(sql`o.envelope_id`)}`,
    );
    const discarded = sql`except select d.envelope_id from envelopes d
      where d.org_id = ${org} and d.discarded_at is not null and ${inRange(sql`d.envelope_id`)}`;
    const { rows } = await read.query<{ least: string | null; compared: number; n: number; ids: string[] }>(sql`
      with newest as materialized (
        select w.envelope_id from envelope_words w where w.org_id = ${org} and w.word = ${lead} and w.envelope_id < ${before}
        order by w.envelope_id desc limit ${AT_ONCE}
      ), least as materialized (select min(envelope_id) as id, count(*)::int as compared from newest),
      common as materialized (select envelope_id from newest ${join(sets, " ")} ${isLive ? discarded : sql``})
      select least.id as least, least.compared, (select count(*)::int from common) as n, array(
        select envelope_id from common order by envelope_id desc
        limit ${limit - ids.length} offset ${Math.max(0, offset - total)}) as ids
      from least`);
    const [row] = rows;
    if (row === undefined) throw new Error("a count returned no row");
    ids.push(...row.ids);
    total += row.n;
    if (row.least === null || row.compared < AT_ONCE || total >= most) return { total: Math.min(total, most), ids };
    before = row.least;
  }
}

// Greater than every id.
const AFTER_ALL = "env_~";

// Each is one more range of the index.
const MAX_VARIANTS = 8;

/** The words that begin like each of the other words; null if one has too many, or if tags or customers have such words. */
async function lookUpVariants(read: Read, org: OrgId, lead: Found, all: readonly Found[]): Promise<string[][] | null> {
  if (all.some(({ isTagged, isOfCustomers }) => isTagged || isOfCustomers)) return null;
  const found: string[][] = [];
  for (const { one } of othersThan(all, lead)) {
    const next = (after: Sql): Sql => sql`(select w.word from envelope_words w where w.org_id = ${org} and ${after}
      and w.word < ${endOfPrefix(one.word)} order by w.word limit 1)`;
    const { rows } = await read.query<{ word: string }>(sql`
      with recursive variants as (
        select ${next(sql`w.word >= ${one.word}`)} as word
        union all select ${next(sql`w.word > v.word`)} from variants v where v.word is not null
      ) select word from variants where word is not null limit ${MAX_VARIANTS + 1}`);
    if (rows.length > MAX_VARIANTS) return null;
    found.push(rows.map(({ word }) => word));
  }
  return found;
}

const own = (org: OrgId, one: Beginning, match: Match): Sql =>
  sql`select w.envelope_id from envelope_words w where w.org_id = ${org} and ${matches(match, sql`w.word`, one)}`;
const tagged = (org: OrgId, keys: readonly string[]): Sql =>
  sql`select t.envelope_id from envelope_tags t where t.org_id = ${org} and t.tag_key = any(${keys})`;

const ofFoundCustomers = (org: OrgId, { one, ofCustomers: ids }: Found, match: Match): Sql =>
  ids === null ? ofCustomers(org, one, match) : sql`select envelope_id from unnest(${ids}::text[]) as given (envelope_id)`;

function allFoundBy(org: OrgId, found: Found): Sql {
  const { one, isTagged, isOfCustomers } = found;
  if (!isTagged && !isOfCustomers) return sql`${own(org, one, "beginning")} group by w.envelope_id`;
  return sql`${own(org, one, "beginning")} ${isTagged ? sql`union ${tagged(org, one.tags)}` : sql``}
    ${isOfCustomers ? sql`union ${ofFoundCustomers(org, found, "beginning")}` : sql``}`;
}

/** Each place leaves out what the places before it have, so that they are merged in the order of the list instead of sorted together. */
function newestFoundBy(org: OrgId, found: Found): Sql {
  const { one, isTagged, isOfCustomers } = found;
  const words = own(org, one, "whole");
  if (!isTagged && !isOfCustomers) return words;
  const notOwn = (id: Sql): Sql => sql`not exists (${words} and w.envelope_id = ${id})`;
  const restOfTagged = sql`select distinct o.envelope_id from (${tagged(org, one.wholeTags)}) o where ${notOwn(sql`o.envelope_id`)}`;
  const notTagged = isTagged ? sql`and not exists (${tagged(org, one.wholeTags)} and t.envelope_id = o.envelope_id)` : sql``;
  const restOfCustomers = sql`select o.envelope_id from (${ofFoundCustomers(org, found, "whole")}) o where ${notOwn(sql`o.envelope_id`)} ${notTagged}`;
  return sql`select envelope_id from (${words} ${isTagged ? sql`union all ${restOfTagged}` : sql``}
    ${isOfCustomers ? sql`union all ${restOfCustomers}` : sql``}) merged order by envelope_id desc`;
}

/** `offset 0` keeps the planner from reading all words of this beginning at once to compare each row with them. */
function hasWord(org: OrgId, { one, isTagged, isOfCustomers }: Found, match: Match, id: Sql): Sql {
  const keys = tagsOf(match, one);
  const words = sql`exists (select from envelope_words w where w.org_id = ${org} and w.envelope_id = ${id} and ${matches(match, sql`w.word`, one)} offset 0)`;
  const tags = sql`exists (select from envelope_tags t where t.org_id = ${org} and t.envelope_id = ${id} and t.tag_key = any(${keys}) offset 0)`;
  const customer = sql`exists (
    select from envelopes i, lateral (
      select from customer_words c where c.org_id = ${org} and c.customer_id = i.customer_id and ${matches(match, sql`c.word`, one)} limit 1) c
    where i.org_id = ${org} and i.envelope_id = ${id} offset 0)`;
  return sql`(${join([words, ...(isTagged ? [tags] : []), ...(isOfCustomers ? [customer] : [])], " or ")})`;
}
