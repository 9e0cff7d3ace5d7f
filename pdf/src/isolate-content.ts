// Isolates the page's own content before something is drawn over it. Producers forget a `Q`, and then later drawings are scaled and
// shifted; some write one `Q` too many, which would end our own `q`. An unclosed string, layer or inline image would swallow a later
// drawing, which must not happen to a signature.

import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfRef, PdfStream } from "@libpdf/core";
import { skipInlineImage } from "./content/inline-images.ts";
import { Lexer, operatorCode } from "./content/lexer.ts";
import { cachingDecoder, pageSource, type Source } from "./content/sources.ts";
import { type Doc, type Page, register, resolve } from "./doc.ts";

const SAVE = operatorCode("q");
const RESTORE = operatorCode("Q");
const INLINE_IMAGE = operatorCode("BI");
const BEGIN_TEXT = operatorCode("BT");
const END_TEXT = operatorCode("ET");
const BEGIN_MARKED = new Set(["BMC", "BDC"].map(operatorCode));
const END_MARKED = operatorCode("EMC");

/** Encloses the page's content so that it leaves nothing open, and appends `drawing` in its own `q … Q`. */
export function drawOver(doc: Doc, page: Page, drawing: Uint8Array): void {
  const source = pageSource(doc, page, cachingDecoder(doc));
  const left = leftOpen(source.bytes);
  const old = left.isBroken ? [asForm(doc, page, source, left)] : enclosed(doc, source, left);
  const after = Buffer.concat([Buffer.from("\nq\n"), drawing, Buffer.from("\nQ\n")]);
  page.dict.set("Contents", new PdfArray([...old, register(doc, new PdfStream(new PdfDict(), after))]));
}

/** The unchanged parts, between a `q` and the closing operators. */
function enclosed(doc: Doc, source: Source, { surplus, closers }: LeftOpen): PdfRef[] {
  const parts = source.from.kind === "page" ? source.from.parts : [];
  const old = parts.map(({ stream, start, end }) => {
    const stray = surplus.filter((at) => at >= start && at < end);
    const ref = doc.pdf.context.getRef(stream);
    if (stray.length === 0) return ref ?? register(doc, stream);
    return register(doc, new PdfStream(new PdfDict(), blanked(source.bytes, start, end, stray)));
  });
  const before = register(doc, new PdfStream(new PdfDict(), Buffer.from("q\n")));
  const after = register(doc, new PdfStream(new PdfDict(), Buffer.from(`\n${closers} Q\n`)));
  return [before, ...old, after];
}

// Large enough for any page (ISO 32000-1, annex C), wherever its boxes start.
const ANYWHERE = [-32_768, -32_768, 32_767, 32_767];

/** The end of a form's stream closes everything that is open in it, in every reader, so it cannot affect what follows. */
function asForm(doc: Doc, page: Page, source: Source, { surplus, closers, whole }: LeftOpen): PdfRef {
  const kept = blanked(
    source.bytes,
    0,
    whole,
    surplus.filter((at) => at < whole),
  );
  const form = new PdfStream(new PdfDict(), Buffer.concat([kept, Buffer.from(`\n${closers}\n`)]));
  form.set("Type", PdfName.of("XObject"));
  form.set("Subtype", PdfName.of("Form"));
  form.set("BBox", new PdfArray(ANYWHERE.map((value) => PdfNumber.of(value))));
  const shared = resolve(doc, page.dict.get("Resources"));
  const resources = shared instanceof PdfDict ? shared.clone() : new PdfDict();
  form.set("Resources", shared instanceof PdfDict ? shared.clone() : new PdfDict());
  const objects = resolve(doc, resources.get("XObject"));
  const named = objects instanceof PdfDict ? objects.clone() : new PdfDict();
  let name = "Isolated";
  while (named.has(name)) name += "_";
  named.set(name, register(doc, form));
  resources.set("XObject", named);
  page.dict.set("Resources", register(doc, resources));
  return register(doc, new PdfStream(new PdfDict(), Buffer.from(`q /${name} Do Q\n`)));
}

function blanked(bytes: Uint8Array, start: number, end: number, at: readonly number[]): Uint8Array {
  const copy = bytes.slice(start, end);
  for (const position of at) copy[position - start] = 0x20;
  return copy;
}

type LeftOpen = {
  /** The positions of `Q` operators without a matching `q`. */
  readonly surplus: readonly number[];
  /** The operators that close everything that is open. */
  readonly closers: string;
  /** The end of the last operator; anything after it has no effect or is truncated. */
  readonly whole: number;
  /** A string, an array, a dictionary or an image is not closed, and readers disagree about where it ends. */
  readonly isBroken: boolean;
};

/** What a page's content leaves open. */
export function leftOpen(bytes: Uint8Array): LeftOpen {
  const lexer = new Lexer(bytes);
  const surplus: number[] = [];
  let [open, marked, whole] = [0, 0, 0];
  let [inText, isCut, hasRest] = [false, false, false];
  for (let word = lexer.next(); word !== "end"; word = lexer.next()) {
    hasRest = word === "operand";
    if (word !== "operator") continue;
    if (lexer.operator === INLINE_IMAGE) {
      const begun = lexer.start;
      skipInlineImage(lexer);
      isCut = lexer.at >= bytes.length && !endsImage(bytes);
      if (isCut) {
        whole = begun;
        break;
      }
    } else if (lexer.operator === SAVE) open++;
    else if (lexer.operator === RESTORE) {
      if (open > 0) open--;
      else surplus.push(lexer.start);
    } else if (lexer.operator === BEGIN_TEXT) inText = true;
    else if (lexer.operator === END_TEXT) inText = false;
    else if (BEGIN_MARKED.has(lexer.operator)) marked++;
    else if (lexer.operator === END_MARKED && marked > 0) marked--;
    whole = lexer.at;
  }
  const closers = `${inText ? "ET " : ""}${"EMC ".repeat(marked)}${"Q ".repeat(open)}`.trim();
  return { surplus, closers, whole, isBroken: isCut || hasRest || lexer.unclosed > 0 };
}

const endsImage = (bytes: Uint8Array): boolean => /\sEI\s*$/.test(Buffer.from(bytes.subarray(-64)).toString("latin1"));
