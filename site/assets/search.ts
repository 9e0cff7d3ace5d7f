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
    const found = search.search(words);
    return { hits: found.slice(0, MAX_HITS).map(hitOf), total: found.length };
  };
}

const hitOf = ({ title, page, address, kind }: SearchResult): Hit => ({ title, page, address, kind });
