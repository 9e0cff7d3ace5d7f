// A drawing: operators, and the resources that they use. Coordinates are points on the displayed page, measured down from its top left
// corner; they are mapped to the page's own space once for the whole drawing.

import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfStream } from "@libpdf/core";
import { addDefaultColors } from "../archive-claim.ts";
import { fromDisplayedPoints } from "../area.ts";
import type { Matrix } from "../content/matrix.ts";
import { type Doc, type Page, register, resolve } from "../doc.ts";
import { drawOver } from "../isolate-content.ts";
import { spellNumber } from "../numbers.ts";
import { displayedPage, type displayedSize } from "../page-tree.ts";
import { type FontBook, utf16 } from "./embed-fonts.ts";
import type { Face } from "./face.ts";
import { centred, inVisualOrder, type Letter, RIGHT_TO_LEFT, type Shift } from "./shape.ts";
import { type PageTags, pageTags, type Tag } from "./structure-tree.ts";

export type Box = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

export type Sheet = {
  readonly add: (operators: string) => void;
  readonly fonts: FontBook;
  /** The structure of the page; absent if the document has none, and for forms, whose content belongs to where they are used. */
  readonly tags?: PageTags;
  /** The name of a resource on this sheet. */
  readonly name: (category: "Font" | "XObject" | "ExtGState" | "Properties", value: PdfObject) => string;
};

/**
 * A drawing over a page: `finish` adds it. The page's resources are copied first, since pages may share them. `space` maps the drawing to
 * the page's own space.
 */
export function openSheet(
  doc: Doc,
  page: Page,
  fonts: FontBook,
  space: Matrix = fromDisplayedPoints(displayedPage(doc, page.dict)),
): Sheet & { readonly finish: () => void } {
  const shared = resolve(doc, page.dict.get("Resources"));
  const resources = shared instanceof PdfDict ? shared.clone() : new PdfDict();
  addDefaultColors(doc, resources);
  const operators: string[] = [`${space.map(spellNumber).join(" ")} cm`];
  const tags = pageTags(doc, page);
  return {
    add: (text) => operators.push(text),
    fonts,
    ...(tags === null ? {} : { tags }),
    name: namesIn(doc, resources),
    finish() {
      page.dict.set("Resources", register(doc, resources));
      drawOver(doc, page, Buffer.from(operators.join("\n"), "latin1"));
    },
  };
}

/** A drawing of the displayed page's size, made once and used on many pages as a form XObject. */
export function openForm(
  doc: Pick<Doc, "pdf" | "budget">,
  { w_pt, h_pt }: ReturnType<typeof displayedSize>,
  fonts: FontBook,
): Sheet & { readonly finish: () => PdfStream } {
  const resources = new PdfDict();
  addDefaultColors(doc, resources);
  const operators: string[] = [];
  return {
    add: (text) => operators.push(text),
    fonts,
    name: namesIn(doc, resources),
    finish: () => formOf(resources, [0, 0, w_pt, h_pt], operators.join("\n")),
  };
}

function formOf(resources: PdfDict, bbox: readonly number[], operators: string): PdfStream {
  const form = new PdfStream(new PdfDict(), Buffer.from(operators, "latin1"));
  form.set("Type", PdfName.of("XObject"));
  form.set("Subtype", PdfName.of("Form"));
  form.set("BBox", new PdfArray(bbox.map((value) => PdfNumber.of(value))));
  form.set("Resources", resources);
  return form;
}

// The upload's own names are kept, so ours must be different.
function namesIn(doc: Pick<Doc, "pdf">, resources: PdfDict): Sheet["name"] {
  const given = new Map<PdfObject, string>();
  const opened = new Map<string, PdfDict>();
  const categoryOf = (category: string): PdfDict => {
    const known = opened.get(category);
    if (known !== undefined) return known;
    const old = resolve(doc, resources.get(category));
    const copy = old instanceof PdfDict ? old.clone() : new PdfDict();
    resources.set(category, copy);
    opened.set(category, copy);
    return copy;
  };
  return (category, value) => {
    const known = given.get(value);
    if (known !== undefined) return known;
    const names = categoryOf(category);
    let n = names.size;
    while (names.has(`Stamp${n}`)) n++;
    names.set(`Stamp${n}`, value);
    given.set(value, `Stamp${n}`);
    return `Stamp${n}`;
  };
}

const DECIMALS = 4;

/** A length in points, or a color, in PDF syntax: to a ten-thousandth. A matrix needs all its digits (`spellNumber`). */
export function decimal(value: number): string {
  return spellNumber(Number(value.toFixed(DECIMALS)));
}

/** Joins numbers and operators: `ops(1, 2, "m")`. */
export const ops = (...parts: readonly (number | string)[]): string =>
  parts.map((part) => (typeof part === "number" ? decimal(part) : part)).join(" ");

/** Marks operators as representing `text`, whatever they look like (ISO 32000-2, 14.9.4). */
export function withActualText(text: string, operators: readonly string[]): string {
  return `/Span << /ActualText <FEFF${utf16(text)}> >> BDC\n${operators.join("\n")}\nEMC`;
}

/**
 * Marks drawn text as representing `text`. Adds nothing if any of it is right-to-left: PDFium and poppler would reverse the stated text
 * as if it were painted, but they read the glyphs themselves correctly.
 */
export function reading(text: string, operators: readonly string[]): string {
  return RIGHT_TO_LEFT.test(text) ? operators.join("\n") : withActualText(text, operators);
}

/**
 * Adds what `draw` draws to the structure of a tagged document, or marks it as decoration if there is no tag. In a document without
 * structure it is only drawn.
 */
export function drawTagged(sheet: Sheet, tag: Tag | null, draw: () => void): void {
  const { tags } = sheet;
  if (tags !== undefined) sheet.add(tag === null ? "/Artifact BMC" : `/${tag.kind} << /MCID ${tags.add(tag)} >> BDC`);
  draw();
  if (tags !== undefined) sheet.add("EMC");
}

/** Clips the operators to the box. */
export function within({ x, y, w, h }: Box, operators: readonly string[]): string {
  return `q\n${ops(x, y, w, h, "re W n")}\n${operators.join("\n")}\nQ`;
}

/** One line of letters in reading order, starting at `x` on the baseline `y`. */
export function showLine(sheet: Sheet, line: readonly Letter[], at: At): string[] {
  const letters = inVisualOrder(line);
  const shown: string[] = [];
  let x = at.x;
  for (let from = 0; from < letters.length; ) {
    const first = letters[from] as Letter;
    const { face } = first;
    if (isMarkedRightToLeft(first) || isMirrored(first)) {
      shown.push((isMirrored(first) ? showMirrored : showMarked)(sheet, first, { ...at, x }));
      x += first.width * at.size;
      from++;
      continue;
    }
    let to = from + 1;
    while (isPastedTo(letters[to - 1] as Letter, letters[to])) to++;
    const run = letters.slice(from, to);
    const codes = run.map(({ glyph, told }) => sheet.fonts.code(face, glyph, told)).join("");
    shown.push(show(sheet, face, shifted({ ...at, x }, first.shift), codes));
    for (const letter of run) {
      shown.push(...showAccents(sheet, letter, { ...at, x }));
      x += letter.width * at.size;
    }
    from = to;
  }
  return shown.length === 0 ? [] : ["BT", ...shown, "ET"];
}

// Whether the pen is at the place of the next letter after a letter has been shown.
function isPastedTo(letter: Letter, next: Letter | undefined): boolean {
  if (
    next === undefined ||
    isMarkedRightToLeft(next) ||
    isMirrored(next) ||
    next.face !== letter.face ||
    letter.shift !== undefined ||
    next.shift !== undefined
  )
    return false;
  return letter.width === letter.face.widthOf(letter.glyph);
}

const isMirrored = ({ mirrored, accents }: Letter): boolean => mirrored === true && accents.length === 0;

/**
 * A bracket of right-to-left text. PDFium takes it for what it looks like and turns it round; poppler takes it for what is stated. Both
 * believe a stated text, PDFium the inner one of any mark, poppler only that of a Span. Readers that believe neither get what it looks like.
 */
function showMirrored(sheet: Sheet, letter: Letter, at: At): string {
  const { face, glyph, told, text, shift } = letter;
  const shown = show(sheet, face, shifted(at, shift), sheet.fonts.code(face, glyph, told));
  return withActualText(text, [`/Mirrored << /ActualText <FEFF${utf16(told)}> >> BDC`, shown, "EMC"]);
}

const isMarkedRightToLeft = ({ level, accents }: Letter): boolean => level % 2 === 1 && accents.length > 0;

/**
 * A Hebrew or Arabic letter with its vowel marks. PDFium and poppler reverse what they read between right-to-left letters, also the stated
 * text, so it is stated in reverse. poppler takes the end of the last glyph as the end of the letter: character spacing moves it there.
 */
function showMarked(sheet: Sheet, letter: Letter, at: At): string {
  const end = at.x + letter.width * at.size;
  const marks = letter.accents.map((accent) => {
    const { face, glyph, text, shift = centred(letter, accent) } = accent;
    const place = shifted(at, shift);
    return `${ops(end - place.x - face.widthOf(glyph) * at.size, "Tc")} ${show(sheet, face, place, sheet.fonts.code(face, glyph, text))}`;
  });
  const base = show(sheet, letter.face, shifted(at, letter.shift), sheet.fonts.code(letter.face, letter.glyph, letter.told));
  const text = [letter.told, ...letter.accents.map((accent) => accent.text)].reverse().join("");
  return withActualText(text, [base, ...marks, "0 Tc"]);
}

type At = { readonly x: number; readonly y: number; readonly size: number };

function shifted({ x, y, size }: At, shift: Shift = { x: 0, y: 0 }): At {
  return { x: x + shift.x * size, y: y - shift.y * size, size };
}

// The -1 is needed because coordinates count downwards but letters point upwards.
function show(sheet: Sheet, face: Face, { x, y, size }: At, codes: string): string {
  return ops(`/${sheet.name("Font", sheet.fonts.refOf(face))}`, size, "Tf 1 0 0 -1", x, y, `Tm <${codes}> Tj`);
}

function showAccents(sheet: Sheet, letter: Letter, at: At): string[] {
  return letter.accents.map((accent) => {
    const { face, glyph, text, shift = centred(letter, accent) } = accent;
    return show(sheet, face, shifted(at, shift), sheet.fonts.code(face, glyph, text));
  });
}
