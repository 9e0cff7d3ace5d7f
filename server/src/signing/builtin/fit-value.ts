import { type Fonts, fitText, openFonts, textBox } from "@countersign/pdf/fit";
import { placesOf } from "../mark.ts";
import type { Step } from "../steps.ts";
import type { SentDocument } from "../submission.ts";

let fonts: Fonts | null = null;

/** The faces that values are drawn in, read once in the life of the process. */
export function sharedFonts(): Fonts {
  fonts ??= openFonts();
  return fonts;
}

/** Whether a text can be drawn legibly in every place that it goes to: what the last signature could not draw is refused when it is typed. */
export function fits(step: Step, text: string, { pages }: Pick<SentDocument, "pages">): boolean {
  if (text.trim() === "" || !isWritten(step)) return true;
  return placesOf(step)
    .flat()
    .every((area) => {
      const page = pages[area.page - 1];
      return page !== undefined && fitText(text, textBox(area, page), sharedFonts()) !== null;
    });
}

/** Ticks and discs have no text; a radio button has one only where there is no place for each option. */
function isWritten(step: Step): boolean {
  if (step.type === "radio") return placesOf(step).some((areas) => areas.length !== step.options?.length);
  return step.type !== "checkbox" && step.type !== "signature" && step.type !== "initials";
}
