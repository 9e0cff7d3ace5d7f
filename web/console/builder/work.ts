import type { Doc } from "./field.ts";
import { begin, change, type History, redo, undo } from "./history.ts";
import { afterSave, docOf, type FieldError, type Known, losesTags, type PresentField } from "./wire.ts";

/** The complete state of the editor as one immutable value. Each action returns a new one. */
export interface Work {
  readonly history: History<Doc>;
  /** the selected boxes; the others are aligned to the first one */
  readonly selected: readonly string[];
  /** the last saved state; compared by identity */
  readonly saved: Doc;
  readonly known: Known;
  /** what was sent last, until its answer arrives */
  readonly unconfirmed: Doc | null;
  readonly fieldErrors: readonly FieldError[];
}

export function beginWork(present: readonly PresentField[], roles: readonly string[]): Work {
  const { doc, known } = docOf(present, roles);
  return { history: begin(doc), selected: [], saved: doc, known, unconfirmed: null, fieldErrors: [] };
}

export const isUnsaved = ({ history, saved }: Work): boolean => history.present !== saved;

interface Step {
  /** the group of the step, see history.ts */
  readonly part?: string | null;
  /** the new selection */
  readonly boxes?: readonly string[];
}

export const changed = (work: Work, doc: Doc, { part = null, boxes = work.selected }: Step = {}): Work =>
  tidy({ ...work, history: change(work.history, doc, part), selected: boxes }, work.history.present);

export const undone = (work: Work): Work => tidy({ ...work, history: undo(work.history) }, work.history.present);
export const redone = (work: Work): Work => tidy({ ...work, history: redo(work.history) }, work.history.present);

/** Removes deleted boxes from the selection, and errors of changed fields. */
function tidy(work: Work, before: Doc): Work {
  const { present } = work.history;
  if (present === before) return work;
  const ids = new Set(present.boxes.map(({ id }) => id));
  const isAsItWas = (key: string) =>
    present.fields.find((field) => field.key === key) === before.fields.find((field) => field.key === key) &&
    present.boxes.every((box) => box.field !== key || before.boxes.includes(box));
  return {
    ...work,
    selected: work.selected.filter((id) => ids.has(id)),
    fieldErrors: work.fieldErrors.filter(({ field }) => isAsItWas(field)),
  };
}

/** Marks `sent` as saved. Changes made during the request stay unsaved. */
export function saved(work: Work, sent: Doc, answered: readonly Pick<PresentField, "areas" | "anchor_match">[]): Work {
  const { doc, known } = afterSave(sent, answered);
  const isOver = work.history.present === sent;
  const { past, future } = losesTags(work.known, sent) ? { past: [], future: [] } : work.history;
  const history = isOver ? { past, present: doc, future, part: null } : { ...work.history, past, part: null };
  return { ...work, history, saved: isOver ? doc : sent, known, unconfirmed: null, fieldErrors: [] };
}

export const selectBoxes = (work: Work, ids: readonly string[]): Work => ({ ...work, selected: ids });

/** Adds a box to the selection or removes it. */
export const toggle = (work: Work, id: string): Work =>
  selectBoxes(work, work.selected.includes(id) ? work.selected.filter((one) => one !== id) : [...work.selected, id]);
