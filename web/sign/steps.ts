import { batch } from "@preact/signals";
import { untilSignal } from "../until-signal.ts";
import { goToReview } from "./actions.ts";
import { saveInBackground, saving } from "./autosave.ts";
import { current, type Entry, faultOf, isFilled, isReviewing, isWrong, missing, steps } from "./ceremony.ts";
import { isPanelLow } from "./panel-height.ts";

/** Moves between fields. */

export const controlId = ({ field }: Entry): string => `field-${field.field_id}`;
export const placeId = ({ field }: Entry): string => `place-${field.field_id}`;

/** Scrolls to a field and focuses it. */
export function goTo(entry: Entry): void {
  batch(() => {
    isReviewing.value = false;
    current.value = entry;
    isPanelLow.value = false;
  });
  // After the panel is rendered: on a small screen it contains the field.
  requestAnimationFrame(() => {
    if (current.value !== entry) return;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    document.getElementById(placeId(entry))?.scrollIntoView({ block: "center", behavior });
    document.getElementById(controlId(entry))?.focus({ preventScroll: true });
  });
}

/** Saves a field that was changed. That it is empty is said at *Next* and at the review: a reader may only have passed it. */
export function leaveField(entry: Entry): void {
  if (entry.isUnsaved) saveInBackground();
}

/**
 * Goes to the next empty field, otherwise to the first field with a problem, otherwise to the review. A value that cannot be signed is not
 * left: the service says so when it is saved. Without a connection there is no such answer, and the reader can go on.
 */
export async function goNext(): Promise<void> {
  const at = current.value;
  if (at !== null) {
    leaveField(at);
    at.error.value ??= faultOf(at);
    await untilSignal(saving, (now) => now !== "saving");
    // The reader has gone to another field in the meantime, and stays there.
    if (current.value !== at) return;
    if (isWrong(at)) return goTo(at);
  }
  const all = steps.value;
  const index = at === null ? -1 : all.indexOf(at);
  const next = all.slice(index + 1).find((entry) => !isFilled(entry)) ?? missing.value.find((entry) => entry !== at) ?? missing.value[0];
  if (next === undefined) void openReview();
  else goTo(next);
}

export function goBack(): void {
  const index = current.value === null ? -1 : steps.value.indexOf(current.value);
  const before = steps.value[index - 1];
  if (before !== undefined) goTo(before);
}

/** Opens the review, or goes to the first field with a problem. */
export async function openReview(): Promise<void> {
  if (await goToReview()) return;
  const [first] = missing.value;
  if (first !== undefined) goTo(first);
}
