// Before anything is drawn onto a page: its own content must leave the graphics state as it found it. Producers forget a `Q`,
// and what is drawn afterwards then lands scaled and shifted; some write one `Q` too many, which would end our own `q`.

import { PdfArray, PdfDict, PdfStream } from "@libpdf/core";
import { skipInlineImage } from "./content/inline-images.ts";
import { Lexer, operatorCode } from "./content/lexer.ts";
import { keptDecoder, pageSource } from "./content/sources.ts";
import { type Doc, type Page, register } from "./doc.ts";

const SAVE = operatorCode("q");
const RESTORE = operatorCode("Q");
const INLINE_IMAGE = operatorCode("BI");

/** Encloses the page's content in `q` and as many `Q` as it leaves open, and appends `drawing` in its own `q … Q`. */
export function drawOver(doc: Doc, page: Page, drawing: Uint8Array): void {
  const source = pageSource(doc, page, keptDecoder(doc));
  const { open, surplus } = balance(source.bytes);
  const parts = source.from.kind === "page" ? source.from.parts : [];
  const old = parts.map(({ stream, start, end }) => {
    const stray = surplus.filter((at) => at >= start && at < end);
    return doc.pdf.context.getRef(stream) !== null && stray.length === 0
      ? (doc.pdf.context.getRef(stream) ?? stream)
      : register(doc, new PdfStream(new PdfDict(), blanked(source.bytes, start, end, stray)));
  });
  const before = register(doc, new PdfStream(new PdfDict(), Buffer.from("q\n")));
  const after = Buffer.concat([Buffer.from(`\n${"Q ".repeat(open + 1)}q\n`), drawing, Buffer.from("\nQ\n")]);
  page.dict.set("Contents", new PdfArray([before, ...old, register(doc, new PdfStream(new PdfDict(), after))]));
}

function blanked(bytes: Uint8Array, start: number, end: number, at: readonly number[]): Uint8Array {
  const copy = bytes.slice(start, end);
  for (const position of at) copy[position - start] = 0x20;
  return copy;
}

function balance(bytes: Uint8Array): { open: number; surplus: readonly number[] } {
  const lexer = new Lexer(bytes);
  const surplus: number[] = [];
  let open = 0;
  for (let word = lexer.next(); word !== "end"; word = lexer.next()) {
    if (word !== "operator") continue;
    if (lexer.operator === SAVE) open++;
    else if (lexer.operator === INLINE_IMAGE) skipInlineImage(lexer);
    else if (lexer.operator === RESTORE) {
      if (open > 0) open--;
      else surplus.push(lexer.start);
    }
  }
  return { open, surplus };
}
