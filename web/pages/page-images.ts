import { type Signal, signal } from "@preact/signals";

/** An image of a page: page number, resolution, and the revision of the entered values. */
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
// Two use the connection well. More would delay the visible page.
const MAX_IN_FLIGHT = 2;
// Limited by the memory of phones: each image has a few hundred kilobytes.
const MAX_KEPT = 60;

/** Loads images of pages, the nearest first, and drops the least recently used ones. */
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
    // Moved to the end, so that it is dropped last.
    this.#pictures.delete(key);
    this.#pictures.set(key, known);
    return known;
  }

  /** Adds an image that was loaded elsewhere. */
  keep(wanted: Wanted, url: string): void {
    const picture = this.picture(wanted);
    if (picture.peek().kind === "none") picture.value = { kind: "ready", url };
  }

  /** Requests these images in this order, and cancels earlier requests that have not started. */
  want(wanted: readonly Wanted[]): void {
    this.#queue = wanted.filter((one) => this.picture(one).peek().kind === "none");
    this.#pump();
  }

  retry(wanted: Wanted): void {
    this.picture(wanted).value = NONE;
    this.#queue.unshift(wanted);
    this.#pump();
  }

  dropAll(): void {
    this.#queue = [];
    for (const { value } of this.#pictures.values()) if (value.kind === "ready") URL.revokeObjectURL(value.url);
    this.#pictures.clear();
  }

  #pump(): void {
    while (this.#inFlight < MAX_IN_FLIGHT) {
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
      // The page shows the error with a retry button.
      picture.value = { kind: "failed" };
    }
    this.#inFlight -= 1;
    this.#forgetOldest();
    this.#pump();
  }

  #forgetOldest(): void {
    const ready = [...this.#pictures].filter(([, { value }]) => value.kind === "ready");
    for (const [key, picture] of ready.slice(0, Math.max(0, ready.length - MAX_KEPT))) {
      const { value } = picture;
      if (value.kind === "ready") URL.revokeObjectURL(value.url);
      picture.value = NONE;
      this.#pictures.delete(key);
    }
  }
}

const keyOf = ({ page, fine, revision }: Wanted): string => `${page} ${fine} ${revision}`;
