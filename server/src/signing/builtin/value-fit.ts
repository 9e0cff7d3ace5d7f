import { fieldTypes, printed, printLanguages } from "@countersign/fields";
import { fitText, sharedFonts, textBox, undrawableIn } from "@countersign/pdf/fit";
import type { DetailCode } from "../../shared/problems.ts";
import { placesOf } from "../mark.ts";
import type { Step } from "../steps.ts";
import type { SentDocument } from "../submission.ts";

/** The limit for all values of a signer, in characters times places. Far more than anyone types into a contract. */
export const MAX_DRAWN_CHARACTERS = 100_000;

/** The number of characters of a value in all its places. */
export function drawnCharacters(step: Step, text: string): number {
  return isWritten(step) ? text.length * placesOf(step).flat().length : 0;
}

/**
 * Why a value cannot be drawn in its places; null if it can, in every language in which it may be written. Checked when it is typed, so
 * that stamping cannot fail after the last signature.
 */
export function misfitOf(step: Step, value: string, document: Pick<SentDocument, "pages">): Misfit | null {
  const { control } = fieldTypes[step.type];
  const texts = new Set([value, ...printLanguages.map((language) => printed(control, value, language, step.settings.unit))]);
  for (const text of texts) {
    const misfit = misfitOfText(step, text, document);
    if (misfit !== null) return misfit;
  }
  return null;
}

function misfitOfText(step: Step, text: string, document: Pick<SentDocument, "pages">): Misfit | null {
  if (text.trim() === "" || !isWritten(step)) return null;
  if (!remembered(`glyphs\n${text}`, () => undrawableIn(text, sharedFonts()) === null)) {
    return { code: "invalid_value", message: undrawableIn(text, sharedFonts()) ?? "" };
  }
  return fits(step, text, document) ? null : { code: "does_not_fit", message: "is too long for its field in the document" };
}

export interface Misfit {
  readonly code: Extract<DetailCode, "invalid_value" | "does_not_fit">;
  /** follows the name of the field */
  readonly message: string;
}

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

/** Why a value of a field of this type cannot be drawn, wherever it is placed; null if it can. */
export function undrawableValue(type: Step["type"], value: string): string | null {
  const { draw } = fieldTypes[type];
  return draw === "text" || draw === "disc" ? undrawableIn(value, sharedFonts()) : null;
}

/** Ticks and discs have no text. A radio button has text only if there is not one place for each option. */
function isWritten(step: Step): boolean {
  const { draw } = fieldTypes[step.type];
  if (draw === "disc") return placesOf(step).some((areas) => areas.length !== step.options?.length);
  return draw === "text";
}
