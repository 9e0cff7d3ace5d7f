import MiniSearch, { type AsPlainObject, type Options, type SearchResult } from "minisearch";

/** Loaded when the search field gets the focus for the first time. */

export interface Hit {
  readonly title: string;
  readonly page: string;
  readonly address: string;
  readonly kind: string;
}

interface Index {
  readonly options: Options;
  readonly index: AsPlainObject;
}

const MAX_HITS = 12;

export async function openSearch(address: string): Promise<(words: string) => { readonly hits: readonly Hit[]; readonly total: number }> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The search index could not be loaded: ${answer.status}`);
  const { options, index } = (await answer.json()) as Index;
  const search = MiniSearch.loadJS(index, options);
  return (words) => {
    const found = search.search(words, { boostDocument: weightOf });
    return { hits: found.slice(0, MAX_HITS).map(hitOf), total: found.length };
  };
}

/** A page comes before its parts and before parts of others; an error after both, unless its status is what was typed. */
export function weightOf(_id: unknown, term: string, stored?: Readonly<Record<string, unknown>>): number {
  if (stored?.kind === "Error") return /^\d+$/.test(term) ? 1 : 0.6;
  return stored?.title === stored?.page ? 1.3 : 1;
}

const hitOf = ({ title, page, address, kind }: SearchResult): Hit => ({ title, page, address, kind });
