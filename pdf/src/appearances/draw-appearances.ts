// Draws everything that viewers show without an appearance of its own, so that each viewer, our own pictures and the sealed document show
// the same. It only adds appearances; flattening makes them part of the page.

import type { Box } from "../content/clip.ts";
import type { Doc } from "../doc.ts";
import { NotDrawable, type NotDrawableDetail } from "../errors.ts";
import { openFontBook } from "../stamp/embed-fonts.ts";
import type { Fonts } from "../stamp/fonts.ts";
import { annotationsToDraw, drawAnnotation } from "./draw-annotations.ts";
import { drawField, fieldsToDraw, nameStates, type OpenField } from "./draw-fields.ts";
import type { TextSetter } from "./text.ts";

// Enough to fix a document; the rest is found with the next upload.
const MOST_FAULTS = 20;

/**
 * Gives an appearance to each of the form fields and to each annotation that is shown and has none. Returns where annotations were drawn that PDFium
 * did not show before, or not so, by page from 1.
 * - refuse: throws NotDrawable with everything that cannot be drawn.
 * - approximate: draws it as well as possible, for a document that was accepted before.
 */
export function drawAppearances(
  doc: Doc,
  fonts: Fonts,
  undrawable: "refuse" | "approximate" = "refuse",
  fields: readonly OpenField[] = fieldsToDraw(doc),
): Map<number, Box[]> {
  const faults: NotDrawableDetail[] = [];
  const book = openFontBook(doc);
  const drawn = new Map<number, Box[]>();
  nameStates(doc);
  for (const open of fields) {
    const part = { kind: "field", name: open.field.name, page: open.page.index + 1 } as const;
    attempt(fonts, undrawable, part, faults, (setter) => drawField(doc, open, book, setter));
  }
  for (const open of annotationsToDraw(doc)) {
    const part = { kind: "annotation", name: open.subtype, page: open.page.index + 1 } as const;
    attempt(fonts, undrawable, part, faults, (setter) => {
      const boxes = drawn.get(part.page) ?? [];
      drawn.set(part.page, boxes);
      for (const box of drawAnnotation(doc, open, book, setter)) boxes.push(box);
    });
  }
  if (faults.length > 0) throw new NotDrawable(faults);
  book.finish();
  return drawn;
}

class Refusal extends Error {}

function attempt(
  fonts: Fonts,
  undrawable: "refuse" | "approximate",
  part: Omit<NotDrawableDetail, "reason">,
  faults: NotDrawableDetail[],
  draw: (setter: TextSetter) => void,
): void {
  if (faults.length === MOST_FAULTS) return;
  const refuse = (reason: string): void => {
    if (undrawable === "refuse") throw new Refusal(reason);
  };
  try {
    draw({ fonts, refuse });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    faults.push({ ...part, reason: error.message });
  }
}
