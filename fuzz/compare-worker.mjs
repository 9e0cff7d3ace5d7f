// The thread of compare.mjs: reads an upload and what the engine made of it with PDFium, page by page. PDFium may hang on a file, so
// this runs in a thread that can be ended.

import { writeFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { createBudget, openPdf } from "@countersign/pdf";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { PdfArray, PdfBool, PdfDict, PdfName, PdfRef } from "@libpdf/core";
import { pngOf } from "./png.mjs";

// Of longer documents only the first pages are compared.
const MAX_PAGES = 40;
// Pixels of a page's longer side.
const SIDE_PX = 800;
// A pixel has changed when it is this much darker or lighter, of 255: less is the rounding of an edge.
const CLEARLY = 64;
// A page has changed its look when this many pixels have: fewer are no letter.
const CHANGED_PIXELS = 6;
// Fields may be drawn in another font than PDFium's: only the darkness of squares of this many pixels is compared, and as many must differ.
const SQUARE_PX = 16;
const SQUARE_DARKER = 20;
const CHANGED_SQUARES = 3;
const LISTED_WORDS = 40;

/**
 * `changed_squares`: where the fields of the upload, as a viewer shows them, look different.
 * @typedef {{ page: number, lost: string[], gained: string[], lost_words: number, gained_words: number, changed_pixels: number, box: number[] | null, changed_squares: number }} Difference
 */
/** @typedef {{ widgets: number, pages_with_widgets: number[], need_appearances: boolean, annotations: Record<string, number>, without_appearance: Record<string, number> }} Form */
/** @typedef {{ pages: [before: number, after: number], compared: number, before: Form | null, after: Form | null, differences: Difference[] }} Compared */
/** @typedef {{ id: number, before: Uint8Array, after: Uint8Array, pictures: string | null }} Task */
/** @typedef {{ id: number, is: Compared | { unread: string } }} Answer */
/** @typedef {import("@hyzyla/pdfium").PDFiumDocument} Document */
/** @typedef {import("./png.mjs").Picture} Picture */

const library = await PDFiumLibrary.init();
parentPort?.on("message", (/** @type {Task} */ task) => {
  compare(task).then(
    (is) => answer({ id: task.id, is }),
    (error) => {
      // After a WebAssembly trap the memory is in an unknown state: the next file gets a new thread.
      if (error.name === "RuntimeError") process.exit(1);
      answer({ id: task.id, is: { unread: String(error) } });
    },
  );
});

/** @param {Answer} message */
function answer(message) {
  parentPort?.postMessage(message);
}

/** @param {Task} task @returns {Promise<Compared | { unread: string }>} */
async function compare({ before, after, pictures }) {
  const old = await library.loadDocument(before).catch(() => null);
  if (old === null) return { unread: "PDFium cannot open the upload" };
  const made = await library.loadDocument(after).catch(() => null);
  if (made === null) return { unread: "PDFium cannot open our output" };
  const counts = /** @type {[number, number]} */ ([old.getPageCount(), made.getPageCount()]);
  const compared = Math.min(...counts, MAX_PAGES);
  const form = await formOf(before);
  const differences = [];
  for (let index = 0; index < compared; index++) {
    const difference = await comparePage(old, made, index, form === null || form.pages_with_widgets.includes(index + 1), pictures);
    if (difference !== null) differences.push(difference);
  }
  old.destroy();
  made.destroy();
  return { pages: counts, compared, before: form, after: await formOf(after), differences };
}

/**
 * What differs on a page; null if nothing does.
 * @param {Document} old @param {Document} made @param {number} index @param {boolean} hasForm @param {string | null} pictures
 * @returns {Promise<Difference | null>}
 */
async function comparePage(old, made, index, hasForm, pictures) {
  const before = await readPage(old, index);
  const after = await readPage(made, index);
  const [lost, gained] = [without(before.words, after.words), without(after.words, before.words)];
  let look = changed(before, after);
  let [squares, shown] = [0, before];
  // PDFium shows fields only to a caller that asks for them. Outside of the fields, what we made may look like either picture.
  if (hasForm) {
    shown = await readPage(old, index, true);
    const filled = changed(shown, after);
    if (filled.pixels < look.pixels) look = filled;
    squares = changedSquares(shown, after);
  }
  const isChanged = look.pixels >= CHANGED_PIXELS;
  const areFieldsChanged = squares >= CHANGED_SQUARES;
  if (lost.length === 0 && gained.length === 0 && !isChanged && !areFieldsChanged) return null;
  if (pictures !== null && (isChanged || areFieldsChanged)) {
    writeFileSync(`${pictures}-p${index + 1}-before.png`, pngOf(shown));
    writeFileSync(`${pictures}-p${index + 1}-after.png`, pngOf(after));
  }
  return {
    page: index + 1,
    lost: lost.slice(0, LISTED_WORDS),
    gained: gained.slice(0, LISTED_WORDS),
    lost_words: lost.length,
    gained_words: gained.length,
    changed_pixels: isChanged ? look.pixels : 0,
    box: isChanged ? look.box : null,
    changed_squares: areFieldsChanged ? squares : 0,
  };
}

/**
 * The words and the picture of a page. Rendering also closes the page.
 * @param {Document} document @param {number} index
 * @returns {Promise<Picture & { words: string[] }>}
 */
async function readPage(document, index, renderFormFields = false) {
  const page = document.getPage(index);
  const words = page
    .getText()
    .normalize("NFKC")
    .split(/[\s\0]+/u);
  const { originalWidth: w, originalHeight: h } = page.getOriginalSize();
  // PDFium gives no size to a page that it counts but cannot read.
  if (!(w > 0 && h > 0)) return { width: 0, height: 0, data: new Uint8Array(), words: [] };
  const scale = SIDE_PX / Math.max(w, h);
  const size = { width: Math.max(1, Math.round(w * scale)), height: Math.max(1, Math.round(h * scale)) };
  const { data } = await page.render({ ...size, scale: 1, render: "bitmap", renderFormFields });
  return { ...size, data: new Uint8Array(data), words: words.filter((word) => word !== "") };
}

/** The words of `these` that `those` does not have, as often as it has them too few. @param {string[]} these @param {string[]} those */
function without(these, those) {
  /** @type {Map<string, number>} */
  const left = new Map();
  for (const word of those) left.set(word, (left.get(word) ?? 0) + 1);
  return these.filter((word) => {
    const count = left.get(word) ?? 0;
    if (count > 0) left.set(word, count - 1);
    return count === 0;
  });
}

/** How many pixels changed, and the box around them in fractions of the page. @param {Picture} before @param {Picture} after */
function changed(before, after) {
  if (before.width !== after.width || before.height !== after.height)
    return { pixels: Math.max(before.width * before.height, after.width * after.height), box: [0, 0, 1, 1] };
  const { width, height } = before;
  let [pixels, left, top, right, bottom] = [0, width, height, 0, 0];
  for (let at = 0; at < before.data.length; at += 4) {
    if (Math.abs(greyAt(before.data, at) - greyAt(after.data, at)) <= CLEARLY) continue;
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    pixels++;
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  const box = [left / width, top / height, right / width, bottom / height].map((share) => Number(share.toFixed(3)));
  return { pixels, box };
}

/** How many squares became clearly darker or lighter. @param {Picture} before @param {Picture} after */
function changedSquares(before, after) {
  if (before.width !== after.width || before.height !== after.height) return Number.MAX_SAFE_INTEGER;
  const across = Math.ceil(before.width / SQUARE_PX);
  const sums = new Float64Array(across * Math.ceil(before.height / SQUARE_PX));
  for (let at = 0; at < before.data.length; at += 4) {
    const [x, y] = [(at / 4) % before.width, Math.floor(at / 4 / before.width)];
    const square = Math.floor(y / SQUARE_PX) * across + Math.floor(x / SQUARE_PX);
    sums[square] = (sums[square] ?? 0) + greyAt(before.data, at) - greyAt(after.data, at);
  }
  return sums.filter((sum) => Math.abs(sum) / SQUARE_PX ** 2 > SQUARE_DARKER).length;
}

/** @param {Uint8Array} rgba @param {number} at */
function greyAt(rgba, at) {
  return ((rgba[at] ?? 0) + (rgba[at + 1] ?? 0) + (rgba[at + 2] ?? 0)) / 3;
}

/** What is left to fill in, and the annotations; null if the file cannot be opened. @param {Uint8Array} bytes @returns {Promise<Form | null>} */
async function formOf(bytes) {
  // The caller's bytes stay as they are.
  const doc = await openPdf(new Uint8Array(bytes), createBudget()).catch(() => null);
  if (doc === null) return null;
  const get = (/** @type {import("@libpdf/core").PdfObject | undefined} */ value) =>
    value instanceof PdfRef ? doc.pdf.context.resolve(value) : value;
  const form = get(doc.catalog.get("AcroForm"));
  const outdated = form instanceof PdfDict ? get(form.get("NeedAppearances")) : null;
  /** @type {Form} */
  const found = {
    widgets: 0,
    pages_with_widgets: [],
    need_appearances: outdated instanceof PdfBool && outdated.value,
    annotations: {},
    without_appearance: {},
  };
  for (const { dict, index } of doc.pages) {
    const list = get(dict.get("Annots"));
    for (const item of list instanceof PdfArray ? list.toArray() : []) {
      const annotation = get(item);
      if (!(annotation instanceof PdfDict)) continue;
      const subtype = get(annotation.get("Subtype"));
      const kind = subtype instanceof PdfName ? subtype.value : "none";
      if (kind === "Widget" && found.pages_with_widgets.at(-1) !== index + 1) found.pages_with_widgets.push(index + 1);
      found.annotations[kind] = (found.annotations[kind] ?? 0) + 1;
      const appearance = get(annotation.get("AP"));
      if (!(appearance instanceof PdfDict)) found.without_appearance[kind] = (found.without_appearance[kind] ?? 0) + 1;
    }
  }
  found.widgets = found.annotations.Widget ?? 0;
  return found;
}
