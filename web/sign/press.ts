import type { MarkInput } from "@countersign/client/pages";
import { signal } from "@preact/signals";
import { ApiError } from "../http.ts";
import { words } from "../i18n/i18n.ts";
import { showTrouble } from "../trouble.ts";
import { handleError } from "./actions.ts";
import { adoptMark, setValue } from "./autosave.ts";
import { current, type Entry, isMark, type MarkType, marks, namedIn, steps } from "./ceremony.ts";
import { goNext, goTo } from "./steps.ts";

/** Signatures and initials. Each field must be pressed separately. */

/** set while the dialog is open, with the field that was pressed */
export const adopting = signal<{ readonly type: MarkType; readonly at: Entry | null } | null>(null);

/** The first press opens the dialog, later ones apply the mark. Pressing an applied mark only selects it; removing it is a separate button. */
export function press(entry: Entry): void {
  const { field } = entry;
  if (!isMark(field)) return;
  current.value = entry;
  if (entry.value.value === true) goTo(entry);
  else if (marks[field.type].value === null) adopting.value = { type: field.type, at: entry };
  else {
    setValue(entry, true, { now: true });
    void goNext();
  }
}

export function removeMark(entry: Entry): void {
  setValue(entry, null, { now: true });
}

/** Returns an error message for the dialog, or null if the mark was adopted. */
export async function adopt(mark: MarkInput): Promise<string | null> {
  const asked = adopting.value;
  if (asked === null) return null;
  try {
    await adoptMark(asked.type, mark, asked.at);
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return refusal(error);
    if (error instanceof ApiError && !error.isTemporary) {
      adopting.value = null;
      await handleError(error);
      return null;
    }
    showTrouble(error);
    return words.value.adoptLater;
  }
  adopting.value = null;
  // A closing dialog returns the focus to its opener. Only after that can the focus move on.
  if (asked.at !== null) requestAnimationFrame(() => void goNext());
  return null;
}

/** In the language of the page. The service names characters that cannot be drawn. */
function refusal({ details, message }: ApiError): string {
  const characters = namedIn(details[0]?.message ?? message);
  return characters === "" ? words.value.adoptRefused : words.value.undrawable(characters);
}

/** The other places that need this mark, once it is at one of them. Places that can be left empty are not among them. */
export function otherPlaces(type: MarkType): readonly Entry[] {
  const places = steps.value.filter(({ field }) => field.type === type);
  if (!places.some(({ value }) => value.value === true)) return [];
  return places.filter((entry) => entry.field.required && entry.value.value !== true);
}

/** Each place is still recorded separately. */
export function applyToOthers(type: MarkType): void {
  for (const entry of otherPlaces(type)) setValue(entry, true, { now: true });
  void goNext();
}
