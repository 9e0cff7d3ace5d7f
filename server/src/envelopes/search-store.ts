import { join, type Read, type Sql, sql } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { endOfPrefix, type SearchedWord, wordsOf } from "../shared/search-words.ts";
import { MAX_COUNTED } from "./filter.ts";
import { listTags } from "./tag-store.ts";

/** The envelopes with certain words, their own, those of their tags, and those of their customers. */

// The envelopes of each customer are looked up one by one.
const MAX_CUSTOMERS = 5_000;

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
  /** the ids of all envelopes that one of the words finds, each once */
  readonly source: Sql;
  /** that one of the words finds the envelope with this id and customer */
  readonly isFound: (id: Sql, customer: Sql) => Sql;
  /** the same for all other words; null if there are none */
  readonly hasOthers: ((id: Sql, customer: Sql) => Sql) | null;
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
  const sizes = await countFound(read, scope, beginnings, "beginning");
  const small = smallest(beginnings, sizes, (size) => size <= MAX_COUNTED);
  if (small !== null) return searchLedBy(scope, beginnings, small, "beginning");
  const whole = smallest(beginnings, await countFound(read, scope, beginnings, "whole"), (size) => size > 0);
  if (whole === null) throw new Problem("search_too_broad");
  return searchLedBy(scope, beginnings, whole, "whole");
}

function smallest(beginnings: readonly Beginning[], sizes: readonly number[], isFit: (size: number) => boolean): Beginning | null {
  const fit = sizes.filter(isFit);
  return fit.length === 0 ? null : (beginnings[sizes.indexOf(Math.min(...fit))] ?? null);
}

type Match = "beginning" | "whole";

const matches = (match: Match, column: Sql, { word }: Beginning): Sql =>
  match === "whole" ? sql`${column} = ${word}` : sql`${column} >= ${word} and ${column} < ${endOfPrefix(word)}`;
const tagsOf = (match: Match, { tags, wholeTags }: Beginning): readonly string[] => (match === "whole" ? wholeTags : tags);

/** How many each finds. More than the maximum means: too many. */
async function countFound(read: Read, scope: Scope, beginnings: readonly Beginning[], match: Match): Promise<number[]> {
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
  const found: number[] = [];
  for (const [index, { own, tagged, customers }] of rows.entries()) {
    const one = beginnings[index];
    const isOver = own > MAX_COUNTED || tagged > MAX_COUNTED || customers > MAX_CUSTOMERS;
    const ofCustomers = isOver || customers === 0 || one === undefined ? 0 : await countOfCustomers(read, org, one, match);
    found.push(isOver ? MAX_COUNTED + 1 : own + tagged + ofCustomers);
  }
  return found;
}

interface Counted {
  readonly n: number;
  readonly own: number;
  readonly tagged: number;
  readonly customers: number;
}

async function countOfCustomers(read: Read, org: OrgId, one: Beginning, match: Match): Promise<number> {
  const { rows } = await read.query<{ n: number }>(sql`
    select count(*)::int as n from (${ofCustomers(org, one, match)} limit ${MAX_COUNTED + 1}) probed`);
  return rows[0]?.n ?? 0;
}

/** The inner limit keeps the planner from reading all envelopes to join them with the customers. */
const ofCustomers = (org: OrgId, one: Beginning, match: Match): Sql => sql`
  select e.envelope_id from (select distinct c.customer_id from customer_words c where c.org_id = ${org} and ${matches(match, sql`c.word`, one)}) c,
    lateral (select i.envelope_id from envelopes i where i.org_id = ${org} and i.customer_id = c.customer_id offset 0) e`;

function searchLedBy(scope: Scope, beginnings: readonly Beginning[], lead: Beginning, match: Match): Search {
  const others = beginnings.filter((one) => one !== lead);
  return {
    isSmall: match === "beginning",
    source: sourceOf(scope, lead, match),
    isFound: (id, customer) => hasWord(scope, lead, match, id, customer),
    hasOthers:
      others.length === 0
        ? null
        : (id, customer) =>
            join(
              others.map((one) => hasWord(scope, one, "beginning", id, customer)),
              " and ",
            ),
  };
}

/** Of a whole word, each part leaves out what the parts before it have, so that the parts are merged in order instead of sorted together. */
function sourceOf({ org, searchesCustomers }: Scope, one: Beginning, match: Match): Sql {
  const keys = tagsOf(match, one);
  const own = sql`select w.envelope_id from envelope_words w where w.org_id = ${org} and ${matches(match, sql`w.word`, one)}`;
  const tagged = sql`select t.envelope_id from envelope_tags t where t.org_id = ${org} and t.tag_key = any(${keys})`;
  const customers = ofCustomers(org, one, match);
  if (match === "beginning") {
    return sql`${own} ${keys.length > 0 ? sql`union ${tagged}` : sql``} ${searchesCustomers ? sql`union ${customers}` : sql``}
      ${keys.length === 0 && !searchesCustomers ? sql`group by w.envelope_id` : sql``}`;
  }
  const notOwn = (id: Sql) => sql`not exists (${own} and w.envelope_id = ${id})`;
  const restOfTagged = sql`select distinct t.envelope_id from envelope_tags t where t.org_id = ${org} and t.tag_key = any(${keys}) and ${notOwn(sql`t.envelope_id`)}`;
  const restOfCustomers = sql`select o.envelope_id from (${customers}) o where ${notOwn(sql`o.envelope_id`)}
    ${keys.length > 0 ? sql`and not exists (${tagged} and t.envelope_id = o.envelope_id)` : sql``}`;
  return sql`${own} ${keys.length > 0 ? sql`union all ${restOfTagged}` : sql``} ${searchesCustomers ? sql`union all ${restOfCustomers}` : sql``}`;
}

function hasWord({ org, searchesCustomers }: Scope, one: Beginning, match: Match, id: Sql, customer: Sql): Sql {
  const keys = tagsOf(match, one);
  const own = sql`exists (select from envelope_words w where w.org_id = ${org} and w.envelope_id = ${id} and ${matches(match, sql`w.word`, one)})`;
  const tagged = sql`exists (select from envelope_tags t where t.org_id = ${org} and t.envelope_id = ${id} and t.tag_key = any(${keys}))`;
  const ofCustomer = sql`exists (select from customer_words c where c.org_id = ${org} and c.customer_id = ${customer} and ${matches(match, sql`c.word`, one)})`;
  return sql`(${join([own, ...(keys.length > 0 ? [tagged] : []), ...(searchesCustomers ? [ofCustomer] : [])], " or ")})`;
}
