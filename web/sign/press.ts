import type { MarkInput } from "@countersign/client/pages";
import { signal } from "@preact/signals";
import { Refusal } from "../http.ts";
import { adoptMark, enter } from "./autosave.ts";
import { current, type Entry, isMark, type MarkType, marks, steps } from "./ceremony.ts";
import { settle } from "./conduct.ts";
import { goOn, goTo } from "./steps.ts";

/** Signatures and initials: each place needs a press of its own. */

/** the dialog is open, for the place that was pressed */
export const adopting = signal<{ readonly type: MarkType; readonly at: Entry | null } | null>(null);

/** The first press asks for the signature, later ones apply it. An applied one is only looked at: taking it off is a button of its own. */
export function press(entry: Entry): void {
  const { field } = entry;
  if (!isMark(field)) return;
  current.value = entry;
  if (entry.value.value === true) goTo(entry);
  else if (marks[field.type].value === null) adopting.value = { type: field.type, at: entry };
  else {
    enter(entry, true, { now: true });
    goOn();
  }
}

export function takeOff(entry: Entry): void {
  enter(entry, null, { now: true });
}

/** The sentence to show in the dialog, or null: it is adopted. */
export async function adopt(mark: MarkInput): Promise<string | null> {
  const asked = adopting.value;
  if (asked === null) return null;
  try {
    await adoptMark(asked.type, mark, asked.at);
  } catch (error) {
    if (error instanceof Refusal && error.status === 422) return error.details[0]?.message ?? error.message;
    if (error instanceof Refusal && !error.passes) {
      adopting.value = null;
      await settle(error);
      return null;
    }
    return error instanceof Error ? error.message : String(error);
  }
  adopting.value = null;
  // The dialog gives the focus back to where it was opened when it goes; only then is it moved on.
  if (asked.at !== null) requestAnimationFrame(goOn);
  return null;
}

/** Initials may stand on every page: one press for all that are left, and each is a step of its own in the record. */
export const openInitials = (): readonly Entry[] =>
  steps.value.filter(({ field, value }) => field.type === "initials" && value.value !== true);

export function applyAllInitials(): void {
  for (const entry of openInitials()) enter(entry, true, { now: true });
}
