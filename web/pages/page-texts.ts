import type { PageText } from "@countersign/client/pages";
import { type Signal, signal } from "@preact/signals";

export type Words =
  | { readonly kind: "none" }
  | { readonly kind: "fetching" }
  | ({ readonly kind: "ready" } & Pick<PageText, "blocks" | "places" | "has_text">);

// Screen readers read them one after the other, so the first pages are needed soon.
const FIRST = [1, 2, 3];
// In long documents, later pages are loaded when they come near.
const MAX_PREFETCHED = 50;
const MAX_FAILURES = 9;

/** Loads the text of the pages for screen readers, one page at a time and after the images, so that it delays nothing. */
export class PageTexts {
  readonly #fetchText: (page: number) => Promise<PageText>;
  readonly #pages: readonly Signal<Words>[];
  #near: readonly number[] = [];
  #isBusy = false;
  #failures = 0;

  constructor(count: number, fetchText: (page: number) => Promise<PageText>) {
    this.#fetchText = fetchText;
    this.#pages = Array.from({ length: count }, () => signal<Words>({ kind: "none" }));
  }

  of(page: number): Signal<Words> | undefined {
    return this.#pages[page - 1];
  }

  fetchInTurn(near: readonly number[]): void {
    this.#near = near;
    if (!this.#isBusy) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const page = next;
      const words = this.of(page);
      if (words === undefined) break;
      words.value = { kind: "fetching" };
      try {
        words.value = { kind: "ready", ...(await this.#fetchText(page)) };
        this.#failures = 0;
      } catch {
        words.value = { kind: "none" };
        // A page that cannot be read is not asked for again without end.
        if (this.#failures++ < MAX_FAILURES) setTimeout(() => this.fetchInTurn(this.#near), 1_000 * this.#failures);
        break;
      }
    }
    this.#isBusy = false;
  }

  #next(): number | undefined {
    const unasked = Array.from({ length: Math.min(this.#pages.length, MAX_PREFETCHED) }, (_, index) => index + 1);
    return [...FIRST, ...this.#near, ...unasked].find((page) => this.of(page)?.peek().kind === "none");
  }
}
