import { type ApiResponse, Call } from "./call.ts";

export interface Page<T> {
  readonly data: T[];
  /** `total_capped`: counting stopped at `total`, and there are more */
  readonly meta: { readonly page: number; readonly limit: number; readonly total: number; readonly total_capped?: boolean };
}

/**
 * A list request in progress. `await` gives one page; `for await` iterates over the rows of all pages.
 *
 *     for await (const envelope of cs.envelopes.list({ status: "sent" })) console.log(envelope.envelope_id);
 */
export class List<T> extends Call<Page<T>> implements AsyncIterable<T> {
  readonly #next: (page: number, limit: number) => Promise<Page<T>>;
  /** null if the rows have no ID */
  readonly #key: string | null;

  constructor(first: Promise<ApiResponse<Page<T>>>, key: string | null, next: (page: number, limit: number) => Promise<Page<T>>) {
    super(first);
    this.#key = key;
    this.#next = next;
  }

  /**
   * Lists are newest first, so new rows push others onto the next page. Rows whose ID was already returned are skipped. If a row leaves
   * the list during the iteration, another moves onto a page that was already read and is missed. A list that has more rows than the
   * service counts (`total_capped`) ends with a ValidationError, `page_too_deep`.
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
      const { page: number, limit, total, total_capped = false } = page.meta;
      // The service refuses the page after the last one that it counted. Ending there would look as if that were all.
      if (page.data.length < limit || (number * limit >= total && !total_capped)) return;
    }
  }
}
