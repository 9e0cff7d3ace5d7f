import { fieldTypes } from "@countersign/fields";
import { type Fonts, fitText, isDrawable, openFonts, textBox } from "@countersign/pdf/fit";
import { placesOf } from "../mark.ts";
import type { Step } from "../steps.ts";
import type { SentDocument } from "../submission.ts";

let fonts: Fonts | null = null;

/** The fonts for values, read once per process. */
export function sharedFonts(): Fonts {
  fonts ??= openFonts();
  return fonts;
}

/** The limit for all values of a signer, in characters times places. Far more than anyone types into a contract. */
export const MAX_DRAWN_CHARACTERS = 100_000;

/** The number of characters of a value in all its places. */
export function drawnCharacters(step: Step, text: string): number {
  return isWritten(step) ? text.length * placesOf(step).flat().length : 0;
}

/**
 * Why a text cannot be drawn in its places; null if it can. Checked when it is typed, so that stamping cannot fail after the last
 * signature.
 */
export function misfitOf(step: Step, text: string, document: Pick<SentDocument, "pages">): Misfit | null {
  if (text.trim() === "" || !isWritten(step)) return null;
  if (!remembered(`glyphs\n${text}`, () => isDrawable(text, sharedFonts()))) return "no_glyph";
  return fits(step, text, document) ? null : "too_long";
}

export type Misfit = "no_glyph" | "too_long";

// A page requests all its values after each save, and most of them have not changed.
const MAX_REMEMBERED = 5_000;
const judged = new Map<string, boolean>();

function remembered(what: string, judge: () => boolean): boolean {
  const known = judged.get(what);
  if (known !== undefined) return known;
  const result = judge();
  judged.set(what, result);
  const oldest = judged.keys().next().value;
  if (judged.size > MAX_REMEMBERED && oldest !== undefined) judged.delete(oldest);
  return result;
}

function fits(step: Step, text: string, { pages }: Pick<SentDocument, "pages">): boolean {
  return placesOf(step)
    .flat()
    .every((area) => {
      const page = pages[area.page - 1];
      if (page === undefined) return false;
      const box = textBox(area, page);
      return remembered(`${box.w_pt} ${box.h_pt}\n${text}`, () => fitText(text, box, sharedFonts()) !== null);
    });
}

/** Ticks and discs have no text. A radio button has text only if there is not one place for each option. */
function isWritten(step: Step): boolean {
  const { draw } = fieldTypes[step.type];
  if (draw === "disc") return placesOf(step).some((areas) => areas.length !== step.options?.length);
  return draw === "text";
}
