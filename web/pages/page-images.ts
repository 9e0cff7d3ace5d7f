import { type Signal, signal } from "@preact/signals";

/** One picture of a page: which, how fine, and with what was entered at which revision. */
export interface Wanted {
  readonly page: number;
  readonly fine: boolean;
  /** null: the document as it was sent */
  readonly revision: number | null;
}

export type Picture =
  | { readonly kind: "none" }
  | { readonly kind: "fetching" }
  | { readonly kind: "ready"; readonly url: string }
  | { readonly kind: "failed" };

const NONE: Picture = { kind: "none" };
// Two keep the line busy; more would only make the page that is looked at wait for those that are not.
const MOST_IN_FLIGHT = 2;
// A phone's memory: the pictures themselves are a few hundred kilobytes each.
const MOST_KEPT = 60;

/** Fetches pictures of pages, the nearest first, and forgets those that were not looked at for longest. */
export class PageImages {
  readonly #fetchPage: (wanted: Wanted) => Promise<Blob>;
  readonly #pictures = new Map<string, Signal<Picture>>();
  #queue: Wanted[] = [];
  #inFlight = 0;

  constructor(fetchPage: (wanted: Wanted) => Promise<Blob>) {
    this.#fetchPage = fetchPage;
  }

  picture(wanted: Wanted): Signal<Picture> {
    const key = keyOf(wanted);
    const known = this.#pictures.get(key) ?? signal<Picture>(NONE);
    // Moved to the end: what was asked for last is forgotten last.
    this.#pictures.delete(key);
    this.#pictures.set(key, known);
    return known;
  }

  /** One that came before anybody asked here. */
  keep(wanted: Wanted, url: string): void {
    const picture = this.picture(wanted);
    if (picture.peek().kind === "none") picture.value = { kind: "ready", url };
  }

  /** These, in this order; what was wanted before and is not begun is no longer. */
  want(wanted: readonly Wanted[]): void {
    this.#queue = wanted.filter((one) => this.picture(one).peek().kind === "none");
    this.#pump();
  }

  retry(wanted: Wanted): void {
    this.picture(wanted).value = NONE;
    this.#queue.unshift(wanted);
    this.#pump();
  }

  #pump(): void {
    while (this.#inFlight < MOST_IN_FLIGHT) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      const picture = this.picture(next);
      if (picture.peek().kind !== "none") continue;
      picture.value = { kind: "fetching" };
      this.#inFlight += 1;
      void this.#fetch(next, picture);
    }
  }

  async #fetch(wanted: Wanted, picture: Signal<Picture>): Promise<void> {
    try {
      picture.value = { kind: "ready", url: URL.createObjectURL(await this.#fetchPage(wanted)) };
    } catch {
      // Said on the page itself, with a button to try again.
      picture.value = { kind: "failed" };
    }
    this.#inFlight -= 1;
    this.#forgetOldest();
    this.#pump();
  }

  #forgetOldest(): void {
    const ready = [...this.#pictures].filter(([, { value }]) => value.kind === "ready");
    for (const [key, picture] of ready.slice(0, Math.max(0, ready.length - MOST_KEPT))) {
      const { value } = picture;
      if (value.kind === "ready") URL.revokeObjectURL(value.url);
      picture.value = NONE;
      this.#pictures.delete(key);
    }
  }
}

const keyOf = ({ page, fine, revision }: Wanted): string => `${page} ${fine} ${revision}`;
