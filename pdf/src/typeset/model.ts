// What a document that we write ourselves consists of: plain data, so that whoever has the facts needs no PDF code and a test reads
// the words. What it looks like is decided here alone (`styles.ts`).

export type Tone = "plain" | "quiet" | "good" | "bad" | "caution";

/** strong: a heavier line. fixed: each character as wide as the next, for hashes. small: beside or below something larger. */
export type Look = "regular" | "strong" | "small" | "fixed";

/** A line feed begins a new paragraph. */
export type Words = string | { readonly text: string; readonly look?: Look; readonly tone?: Tone };

/** Several stand below each other. */
export type Cell = Words | readonly Words[];

export type Pair = { readonly label: string; readonly value: Cell };

/** `share` is of the width, against the other columns' shares. */
export type Column = { readonly head: string; readonly share: number; readonly align?: "start" | "end" };

export type Block =
  | { readonly kind: "title"; readonly text: string; readonly tone?: Tone; readonly below?: string }
  /** 1 and 2 are in the outline. `new_page`: it begins one, unless the page has hardly begun. */
  | { readonly kind: "heading"; readonly level: 1 | 2 | 3; readonly text: string; readonly new_page?: boolean }
  | { readonly kind: "paragraph"; readonly words: Words }
  /** Of a list; `mark` is what stands before it: a number, a dash. */
  | { readonly kind: "item"; readonly mark: string; readonly words: Words }
  /** In two columns they are read row by row. `holds_next`: no page ends between them and what follows. */
  | { readonly kind: "pairs"; readonly rows: readonly Pair[]; readonly columns?: 1 | 2; readonly holds_next?: boolean }
  /** The head is repeated where a page begins within. `dense`: with less white, for hundreds of rows. */
  | { readonly kind: "table"; readonly columns: readonly Column[]; readonly rows: readonly (readonly Cell[])[]; readonly dense?: boolean }
  /** A box. `figure` stands large at its end: a score. */
  | { readonly kind: "callout"; readonly tone: Tone; readonly title: string; readonly text?: string; readonly figure?: string }
  | { readonly kind: "rule" };

export type DocumentModel = {
  readonly title: string;
  readonly subject?: string;
  readonly author?: string;
  /** BCP 47: what screen readers pronounce it as. */
  readonly language: string;
  readonly paper: "a4" | "letter";
  /** At the foot of each page: `before · page n of m · after`. */
  readonly footer: { readonly before: string; readonly after: string };
  readonly blocks: readonly Block[];
};

/** The words of a cell, one by one. */
export const wordsOf = (cell: Cell): readonly Exclude<Words, string>[] =>
  (isList(cell) ? cell : [cell]).map((words) => (typeof words === "string" ? { text: words } : words));

const isList = (cell: Cell): cell is readonly Words[] => Array.isArray(cell);

/** How a model crosses to a thread of the pool, and comes out there. */
export const bytesOfModel = (model: DocumentModel): Uint8Array => new TextEncoder().encode(JSON.stringify(model));
export const modelOf = (bytes: Uint8Array): DocumentModel => JSON.parse(new TextDecoder().decode(bytes)) as DocumentModel;
