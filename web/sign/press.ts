import type { MarkInput } from "@countersign/client/pages";
import { signal } from "@preact/signals";
import { ApiError } from "../http.ts";
import { handleError } from "./actions.ts";
import { adoptMark, setValue } from "./autosave.ts";
import { current, type Entry, isMark, type MarkType, marks, steps } from "./ceremony.ts";
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
    goNext();
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
    if (error instanceof ApiError && error.status === 422) return error.details[0]?.message ?? error.message;
    if (error instanceof ApiError && !error.isTemporary) {
      adopting.value = null;
      await handleError(error);
      return null;
    }
    return error instanceof Error ? error.message : String(error);
  }
  adopting.value = null;
  // A closing dialog returns the focus to its opener. Only after that can the focus move on.
  if (asked.at !== null) requestAnimationFrame(goNext);
  return null;
}

/** Initials can be applied to all remaining fields at once. Each is still recorded separately. */
export const remainingInitials = (): readonly Entry[] =>
  steps.value.filter(({ field, value }) => field.type === "initials" && value.value !== true);

export function applyAllInitials(): void {
  for (const entry of remainingInitials()) setValue(entry, true, { now: true });
}
