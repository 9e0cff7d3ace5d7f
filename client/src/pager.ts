import { type Answered, Call } from "./call.ts";

export interface Page<T> {
  readonly data: T[];
  readonly meta: { readonly page: number; readonly limit: number; readonly total: number };
}

/**
 * A list under way. Awaiting it gives one page; `for await` walks all of them.
 *
 *     for await (const envelope of cs.envelopes.list({ status: "sent" })) console.log(envelope.envelope_id);
 */
export class List<T> extends Call<Page<T>> implements AsyncIterable<T> {
  readonly #next: (page: number, limit: number) => Promise<Page<T>>;
  /** null: the rows have no id */
  readonly #key: string | null;

  constructor(first: Promise<Answered<Page<T>>>, key: string | null, next: (page: number, limit: number) => Promise<Page<T>>) {
    super(first);
    this.#key = key;
    this.#next = next;
  }

  /**
   * New rows come first and push others onto the next page, where they are seen again: a row whose id was seen is passed over. A row that
   * leaves the list while it is walked pulls another one onto a page that was already read; that one is not seen.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    const seen = new Set<unknown>();
    for (let page: Page<T> = (await this.withResponse()).data; ; page = await this.#next(page.meta.page + 1, page.meta.limit)) {
      for (const row of page.data) {
        const id = this.#key === null ? row : (row as Record<string, unknown>)[this.#key];
        if (seen.has(id)) continue;
        seen.add(id);
        yield row;
      }
      const { page: number, limit, total } = page.meta;
      if (page.data.length < limit || number * limit >= total) return;
    }
  }
}
