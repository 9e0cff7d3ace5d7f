// The content of a certificate as plain data, without layout. It is the input of the PDF engine's typesetter. This package does not
// depend on the PDF engine, so the type is declared a second time here; a test keeps the two the same.

export type Tone = "plain" | "quiet" | "good" | "bad" | "caution";

export type Words = string | { readonly text: string; readonly look?: "regular" | "strong" | "small" | "fixed"; readonly tone?: Tone };

/** A signature as its signer made it. The bytes of a PNG are in base64. */
export type PictureOfSignature =
  | { readonly kind: "drawn"; readonly w: number; readonly h: number; readonly strokes: readonly (readonly (readonly number[])[])[] }
  | { readonly kind: "typed"; readonly text: string; readonly font: "dancing-script" | "caveat" | "great-vibes" | "plain" }
  | { readonly kind: "uploaded"; readonly png: string };

/** `alt` is read aloud instead of the picture. */
export type PictureCell = { readonly picture: PictureOfSignature; readonly alt: string };

/** Drawn beside pairs. */
export type QrCode = { readonly text: string; readonly alt: string };

export type Cell = Words | readonly Words[] | PictureCell;

export type Pair = { readonly label: string; readonly value: Cell };

export type Column = { readonly head: string; readonly share: number; readonly align?: "start" | "end" };

export type Block =
  | { readonly kind: "title"; readonly text: string; readonly tone?: Tone; readonly below?: string }
  | { readonly kind: "heading"; readonly level: 1 | 2 | 3; readonly text: string; readonly new_page?: boolean }
  | { readonly kind: "paragraph"; readonly words: Words }
  | { readonly kind: "item"; readonly mark: string; readonly words: Words }
  | {
      readonly kind: "pairs";
      readonly rows: readonly Pair[];
      readonly columns?: 1 | 2;
      readonly holds_next?: boolean;
      readonly code?: QrCode;
    }
  | { readonly kind: "table"; readonly columns: readonly Column[]; readonly rows: readonly (readonly Cell[])[]; readonly dense?: boolean }
  | { readonly kind: "callout"; readonly tone: Tone; readonly title: string; readonly text?: string; readonly figure?: string }
  | { readonly kind: "rule" };

export type CertificateModel = {
  readonly title: string;
  readonly subject: string;
  readonly author: string;
  /** BCP 47 */
  readonly language: string;
  readonly paper: "a4" | "letter";
  readonly footer: { readonly before: string; readonly after: string };
  readonly blocks: readonly Block[];
};
