import type { PlaceableFieldType } from "@countersign/client/types";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { isWide } from "../../ui/screen-size.ts";
import { en as words } from "../words/builder/en.ts";
import { placesText } from "./announcements.ts";
import type { Of, Prepared } from "./api.ts";
import { boxesOf, detachFromAnchors, type Edited, freePlace, hasAnchor, placeField, splitByPart } from "./edits.ts";
import { type Box, type Doc, type Field, sizeOn } from "./field.ts";
import { type Area, around, isSame } from "./geometry.ts";
import { type Part, partsOf } from "./parts.ts";
import type { Guide } from "./snap.ts";
import { beginWork, changed, redone, selectBoxes, undone, type Work } from "./work.ts";

/** A document being edited: its saved and unsaved state, and the temporary state of the screen. */
export interface Editor {
  readonly of: Of;
  readonly pages: Prepared["pages"];
  readonly parts: readonly Part[];
  readonly isReadOnly: boolean;
  readonly work: Signal<Work>;
  readonly doc: ReadonlySignal<Doc>;
  readonly selected: ReadonlySignal<readonly string[]>;
  readonly byPage: ReadonlySignal<ReadonlyMap<number, readonly Box[]>>;
  /** the field type that the next click on a page places */
  readonly armed: Signal<PlaceableFieldType | null>;
  /** the role of new fields */
  readonly role: Signal<string>;
  readonly ghost: Signal<Area | null>;
  readonly guides: Signal<readonly Guide[]>;
  readonly band: Signal<Area | null>;
  /** the matches of an anchor text, and the chosen one */
  readonly found: Signal<{ readonly matches: readonly Area[]; readonly chosen: number; readonly area: Area | null } | null>;
  /** text for screen readers */
  readonly announcement: Signal<string>;
  /** an edit that waits for confirmation, because it moves a field away from its anchor text */
  readonly pendingEdit: Signal<(() => void) | null>;
  /** 1 is the width of the column */
  readonly zoom: Signal<number>;
  /** the box that gets the focus as soon as it is rendered */
  readonly focusOn: Signal<string | null>;
  /** the column of pages */
  readonly canvas: { current: HTMLElement | null };
}

const NO_ROLE = "Signer";
// On a phone, a page as wide as the screen would have fields too small to tap.
const FINGER_ZOOM = 1.5;

export function makeEditor(
  of: Of,
  { pages, documents, fields, roles: named }: Prepared,
  roles: readonly string[],
  isReadOnly: boolean,
): Editor {
  const work = signal(beginWork(fields, [...roles, ...named]));
  const doc = computed(() => work.value.history.present);
  return {
    of,
    pages,
    parts: partsOf(documents),
    isReadOnly,
    work,
    doc,
    selected: computed(() => work.value.selected),
    byPage: computed(() => grouped(doc.value.boxes)),
    armed: signal(null),
    role: signal(doc.peek().roles[0] ?? NO_ROLE),
    ghost: signal(null),
    guides: signal([]),
    band: signal(null),
    found: signal(null),
    announcement: signal(""),
    pendingEdit: signal(null),
    zoom: signal(isWide.peek() ? 1 : FINGER_ZOOM),
    focusOn: signal(null),
    canvas: { current: null },
  };
}

function grouped(boxes: readonly Box[]): ReadonlyMap<number, readonly Box[]> {
  const pages = new Map<number, Box[]>();
  for (const box of boxes) pages.set(box.page, [...(pages.get(box.page) ?? []), box]);
  return pages;
}

interface Step {
  readonly part?: string | null;
  readonly boxes?: readonly string[];
  readonly say?: string;
}

export function edit({ work, doc, parts, announcement, isReadOnly }: Editor, next: Doc, { say, ...step }: Step = {}): void {
  if (isReadOnly) return;
  work.value = changed(work.peek(), splitByPart(next, parts), step);
  announcement.value = say ?? placesText(doc.peek(), work.peek().selected);
}

/** Adds boxes, selects them and focuses the first one. */
export function addAndFocus(editor: Editor, { doc, boxes }: Edited, say?: string): void {
  edit(editor, doc, { boxes, ...(say !== undefined && { say }) });
  editor.focusOn.value = boxes[0] ?? null;
}

/** Moves or resizes boxes. If one of them has anchor text, the user must confirm first. */
export function editPlaces(editor: Editor, ids: readonly string[], next: (doc: Doc) => Doc, step: Step = {}): void {
  if (editor.isReadOnly) return;
  if (!hasAnchor(editor.doc.peek(), ids)) edit(editor, next(editor.doc.peek()), step);
  else editor.pendingEdit.value = () => edit(editor, next(detachFromAnchors(editor.doc.peek(), ids)), step);
}

export function place(editor: Editor, type: PlaceableFieldType, area: Area): void {
  editor.armed.value = null;
  addAndFocus(editor, placeField(editor.doc.peek(), { type, role: editor.role.peek(), area }));
}

export const sizeFor = ({ pages }: Editor, page: number, type: PlaceableFieldType): { w: number; h: number } =>
  sizeOn(pages[page - 1] ?? { w_pt: 612, h_pt: 792 }, type);

/** Places a field by keyboard: in the middle of the page, or in the next free place below. */
export function placeInMiddle(editor: Editor, type: PlaceableFieldType, page: number): void {
  const middle = around(page, { x: 0.5, y: 0.5 }, sizeFor(editor, page, type));
  place(editor, type, freePlace(editor.doc.peek(), middle));
}

export function select({ work }: Editor, ids: readonly string[]): void {
  work.value = selectBoxes(work.peek(), ids);
}

export const selectedBoxes = ({ doc, selected }: Editor): readonly Box[] => boxesOf(doc.value, selected.value);

export const fieldOf = (doc: Doc, box: Box): Field | null => doc.fields.find(({ key }) => key === box.field) ?? null;

export const stepBack = (editor: Editor): void => travel(editor, undone, words.undone);
export const stepForward = (editor: Editor): void => travel(editor, redone, words.redone);

/** Selects what is different now. On the pages, the focus follows it. If it has left the pages, they get the focus, so that keys still work. */
function travel(editor: Editor, way: (work: Work) => Work, say: string): void {
  const { work, doc, canvas, focusOn, announcement } = editor;
  const before = doc.peek();
  work.value = way(work.peek());
  announcement.value = say;
  const { boxes } = doc.peek();
  const isAmong = (box: Box, others: readonly Box[]) => others.some((one) => one.id === box.id && isSame(one, box));
  const changed = boxes.filter((box) => !isAmong(box, before.boxes)).map(({ id }) => id);
  if (changed.length > 0) select(editor, changed);
  if (!canvas.current?.contains(document.activeElement)) return;
  if (before.boxes.some((box) => !isAmong(box, boxes))) canvas.current.focus({ preventScroll: true });
  focusOn.value = changed[0] ?? null;
}
