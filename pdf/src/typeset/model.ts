// The model of our own documents: plain data, so that callers need no PDF code and tests can read the words. Only this package decides
// the look (`styles.ts`).

import type { SignatureFont } from "../stamp/fonts.ts";

export type Tone = "plain" | "quiet" | "good" | "bad" | "caution";

/** strong: bolder. fixed: every character has the same width, for hashes. small: next to or below something larger. */
export type Look = "regular" | "strong" | "small" | "fixed";

/** A line feed starts a new paragraph. */
export type Words = string | { readonly text: string; readonly look?: Look; readonly tone?: Tone };

/** A signature as its signer made it: pen strokes, a typed name or a PNG. The bytes of a PNG are in base64, because a model is JSON. */
export type PictureOfSignature =
  | { readonly kind: "drawn"; readonly w: number; readonly h: number; readonly strokes: readonly (readonly (readonly number[])[])[] }
  | { readonly kind: "typed"; readonly text: string; readonly font: SignatureFont }
  | { readonly kind: "uploaded"; readonly png: string };

/** Drawn like on the signed document, with the height of three lines. `alt` is what is read instead of it. */
export type PictureCell = { readonly picture: PictureOfSignature; readonly alt: string };

/** A text that cameras read, as a QR code. `alt` is what is read instead of it. */
export type QrCode = { readonly text: string; readonly alt: string };

/** A list is shown as lines below each other. */
export type Cell = Words | readonly Words[] | PictureCell;

export type Pair = { readonly label: string; readonly value: Cell };

/** `share` is the relative width among the columns. */
export type Column = { readonly head: string; readonly share: number; readonly align?: "start" | "end" };

export type Block =
  | { readonly kind: "title"; readonly text: string; readonly tone?: Tone; readonly below?: string }
  /** Levels 1 and 2 are in the outline. `new_page`: starts a new page, unless the current page has only just begun. */
  | { readonly kind: "heading"; readonly level: 1 | 2 | 3; readonly text: string; readonly new_page?: boolean }
  | { readonly kind: "paragraph"; readonly words: Words }
  /** An item of a list; `mark` comes before it: a number or a dash. */
  | { readonly kind: "item"; readonly mark: string; readonly words: Words }
  /**
   * With two columns, read row by row. `holds_next`: no page break between the pairs and what follows. `code` is drawn at the right of the
   * rows, which leave space for it.
   */
  | {
      readonly kind: "pairs";
      readonly rows: readonly Pair[];
      readonly columns?: 1 | 2;
      readonly holds_next?: boolean;
      readonly code?: QrCode;
    }
  /** The header is repeated after a page break. `dense`: less spacing, for hundreds of rows. */
  | { readonly kind: "table"; readonly columns: readonly Column[]; readonly rows: readonly (readonly Cell[])[]; readonly dense?: boolean }
  /** A box. `figure` is shown large at its end: a score. */
  | { readonly kind: "callout"; readonly tone: Tone; readonly title: string; readonly text?: string; readonly figure?: string }
  | { readonly kind: "rule" };

export type DocumentModel = {
  readonly title: string;
  readonly subject?: string;
  readonly author?: string;
  /** BCP 47; screen readers use it for pronunciation. */
  readonly language: string;
  readonly paper: "a4" | "letter";
  /** At the bottom of each page: `before · page n of m · after`. */
  readonly footer: { readonly before: string; readonly after: string };
  readonly blocks: readonly Block[];
};

/** The words of a cell as a list; none for a picture. */
export function wordsOf(cell: Cell): readonly Exclude<Words, string>[] {
  if (isPicture(cell)) return [];
  return (isList(cell) ? cell : [cell]).map((words) => (typeof words === "string" ? { text: words } : words));
}

/** The text of a cell; each of its words on a line. */
export const textOf = (cell: Cell): string =>
  isPicture(cell)
    ? cell.alt
    : wordsOf(cell)
        .map(({ text }) => text)
        .join("\n");

export const isPicture = (cell: Cell): cell is PictureCell => typeof cell === "object" && "picture" in cell;

/** Every picture of a model, in its order. */
export const picturesIn = (blocks: readonly Block[]): PictureCell[] =>
  blocks.flatMap((block) => {
    if (block.kind === "table") return block.rows.flat().filter(isPicture);
    return block.kind === "pairs" ? block.rows.map(({ value }) => value).filter(isPicture) : [];
  });

const isList = (cell: Cell): cell is readonly Words[] => Array.isArray(cell);

/** Encodes a model for a thread of the pool, and decodes it there. */
export const bytesOfModel = (model: DocumentModel): Uint8Array => new TextEncoder().encode(JSON.stringify(model));
export const modelOf = (bytes: Uint8Array): DocumentModel => JSON.parse(new TextDecoder().decode(bytes)) as DocumentModel;
