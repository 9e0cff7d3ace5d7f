import { join, type Read, type Sql, sql } from "../db/sql.ts";
import { MAX_COUNTED } from "../envelopes/filter.ts";
import { idsOf, planSearch } from "../envelopes/search-store.ts";
import { isBeingFilled } from "../envelopes/words-store.ts";
import type { CustomerId, EnvelopeId, OrgId, UserId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import { wordsToFind } from "../shared/words-to-find.ts";
import type { CopyState, DepositSource, Source } from "./copy.ts";
import { isKeptBy } from "./custody/kept-store.ts";
import type { Standing } from "./store.ts";

export interface VaultFilter {
  readonly state?: CopyState;
  /** `signed_here` is the old spelling of the filter below */
  readonly source?: DepositSource | "signed_here";
  readonly signed_here?: "true" | "false";
  /** as in the query string */
  readonly passed?: "true" | "false";
  readonly standing?: Standing;
  readonly customer_id?: string;
  readonly custodian_user_id?: string;
  /** beginnings of words of the envelope, its signers or its tags, ignoring case */
  readonly q?: string;
  /** only records that this member keeps; null: all */
  readonly keeper: UserId | null;
}

/** A vaulted envelope as the list shows it. */
export interface ListedCopy {
  readonly envelope_id: EnvelopeId;
  readonly envelope_name: string;
  readonly customer_id: CustomerId | null;
  readonly external_id: string | null;
  readonly state: CopyState;
  readonly source: Source;
  readonly vault_in: "signed" | "upload" | null;
  readonly score: number;
  readonly rules: 1 | 2;
  readonly proven_score: number | null;
  readonly standing: Standing;
  readonly stored_at: Date;
  readonly retention_until: Date;
  readonly verified_at: Date | null;
}

/**
 * Newest first. Without a filter nothing is counted: the vaulted envelopes of an organization are numbered, so the last number is the total
 * and the page starts at a known number. With a filter they are counted, because the matches change over time; with words up to a maximum.
 */
export async function listVault(read: Read, org: OrgId, filter: VaultFilter, { page, limit }: PageRequest): Promise<Page<ListedCopy>> {
  const offset = (page - 1) * limit;
  const isSearch = filter.q !== undefined;
  if (isSearch && offset >= MAX_COUNTED) throw new Problem("page_too_deep");
  const conditions = [...conditionsOf(org, filter), ...(filter.q === undefined ? [] : await hasWords(read, org, filter.q))];
  const isWhole = conditions.length === 0;
  const of = join([sql`c.org_id = ${org}`, ...conditions], " and ");
  const numbered = sql`from authoritative_copies c where ${of} and c.vault_no is not null`;
  const { rows: counted } = await read.query<{ total: number }>(
    isWhole
      ? sql`select coalesce(max(c.vault_no), 0) as total from authoritative_copies c where ${of}`
      : sql`select count(*)::int as total from (select ${numbered} ${isSearch ? sql`limit ${MAX_COUNTED + 1}` : sql``}) counted`,
  );
  const found = counted[0]?.total ?? 0;
  const isCapped = isSearch && found > MAX_COUNTED;
  const total = isCapped ? MAX_COUNTED : found;
  const shown = isSearch ? Math.min(limit, MAX_COUNTED - offset) : limit;
  const which = isWhole ? sql`${of} and c.vault_no <= ${total - offset}` : sql`${of} and c.vault_no is not null`;
  // Selected from the copies alone; envelopes are looked up only for the rows of the page.
  const { rows } = await read.query<ListedCopy>(sql`
    with page as materialized (
      select c.copy_id from authoritative_copies c where ${which} order by c.vault_no desc limit ${shown} offset ${isWhole ? 0 : offset}
    )
    select c.envelope_id, e.envelope_name, e.customer_id, e.external_id, c.state, c.source, c.vault_in, c.score, c.rules, c.proven_score, c.standing,
      c.stored_at, c.retention_until, c.verified_at
    from page join authoritative_copies c on c.org_id = ${org} and c.copy_id = page.copy_id
      join envelopes e on e.org_id = c.org_id and e.envelope_id = c.envelope_id
    order by c.vault_no desc`);
  return { items: rows, total, ...(isCapped && { total_capped: true }) };
}

/**
 * Throws a 422 for a text without words, with too many, or with words that are too frequent. Customers are not searched: a caller who cannot
 * read them could learn about them by guessing.
 */
async function hasWords(read: Read, org: OrgId, q: string): Promise<Sql[]> {
  const words = wordsToFind(q);
  if (await isBeingFilled(read, org)) return [containsText(org, q)];
  const found = await planSearch(read, { org, searchesCustomers: false }, words);
  const id = sql`c.envelope_id`;
  if ("ids" in found) return [sql`${id} = any(${idsOf(found.ids)})`];
  return [found.isFound(id), ...(found.hasOthers === null ? [] : [found.hasOthers(id)])];
}

/** By position instead of a pattern, so that a percent sign has no special meaning. Reads the envelope of each copy. */
function containsText(org: OrgId, q: string): Sql {
  const has = (column: Sql) => sql`strpos(lower(${column}), lower(${q})) > 0`;
  return sql`exists (
    select from envelopes e where e.org_id = ${org} and e.envelope_id = c.envelope_id
      and (${has(sql`e.envelope_name`)} or ${has(sql`e.external_id`)}))`;
}

/** The same rule as `wireSource`: documents signed here and deposited manually count as `electronic_signed`. */
const ofSource: Record<NonNullable<VaultFilter["source"]>, Sql> = {
  signed_here: sql`c.source = 'signed_here'`,
  paper_upload: sql`c.source = 'paper_upload'`,
  electronic_signed: sql`(c.source = 'electronic_signed' or c.source = 'signed_here' and c.vault_in is not null)`,
};

function conditionsOf(
  org: OrgId,
  { state, source, signed_here, passed, standing, customer_id, custodian_user_id, keeper }: VaultFilter,
): Sql[] {
  const conditions: Sql[] = [];
  if (keeper !== null) conditions.push(isKeptBy(org, keeper, sql`c.envelope_id`));
  if (state !== undefined) conditions.push(sql`c.state = ${state}`);
  if (source !== undefined) conditions.push(ofSource[source]);
  if (signed_here !== undefined)
    conditions.push(signed_here === "true" ? ofSource.signed_here : sql`c.source in ('electronic_signed', 'paper_upload')`);
  if (passed !== undefined) conditions.push(passed === "true" ? sql`c.score = 100` : sql`c.score < 100`);
  if (standing !== undefined) conditions.push(sql`c.standing = ${standing}`);
  if (customer_id !== undefined) {
    // The records of a merged customer are those of the one into which it was merged.
    const of = sql`select e.envelope_id from envelopes e where e.org_id = ${org} and e.customer_id = coalesce((
      select k.merged_into from customers k where k.org_id = ${org} and k.customer_id = ${customer_id}), ${customer_id})`;
    conditions.push(sql`c.envelope_id in (${of})`);
  }
  if (custodian_user_id !== undefined) {
    conditions.push(sql`exists (
      select from custodian_permissions p
      where p.org_id = ${org} and p.copy_id = c.copy_id and p.state = 'active' and p.user_id = ${custodian_user_id})`);
  }
  return conditions;
}
