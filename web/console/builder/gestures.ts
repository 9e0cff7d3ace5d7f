import type { PlaceableFieldType } from "@countersign/client/types";
import { signal } from "@preact/signals";
import { en as words } from "../words/builder/en.ts";
import { placesText } from "./announcements.ts";
import { type Editor, edit, editPlaces, place, select, sizeFor } from "./editor.ts";
import { boxesOf, hasAnchor, moveWith, setArea } from "./edits.ts";
import type { Box, Doc } from "./field.ts";
import { type Area, around, between, type Corner, cornerAt, onGrid, onPage, overlap } from "./geometry.ts";
import { isOnSheet, type Point, pointAt } from "./sheets.ts";
import { snapCorner, snapMove } from "./snap.ts";
import { toggle } from "./work.ts";

/** Pointer input. A drag is one undo step; Esc cancels it. */

// A click may move by this much without becoming a drag.
const CLICK_SLACK_PX = 4;
// A drag near the edge of the window scrolls the page.
const EDGE_PX = 48;
const SCROLL_PX = 16;

interface Drag {
  readonly onMove: (event: PointerEvent) => void;
  readonly onEnd?: (event: PointerEvent, hasMoved: boolean) => void;
  readonly onCancelled?: () => void;
}

/** Whether the user is dragging. A drag is saved when it is over. */
export const isDragging = signal(false);

/** Tracks the pointer until it is released, even outside the page. */
function follow(start: PointerEvent, { onMove, onEnd, onCancelled }: Drag): void {
  let hasMoved = false;
  const moved = (event: PointerEvent) => {
    if (event.pointerId !== start.pointerId) return;
    if (!hasMoved && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < CLICK_SLACK_PX) return;
    hasMoved = true;
    isDragging.value = true;
    if (event.clientY < EDGE_PX) scrollBy(0, -SCROLL_PX);
    if (event.clientY > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
    onMove(event);
  };
  const over = new AbortController();
  const ended = (event: PointerEvent) => {
    if (event.pointerId !== start.pointerId) return;
    over.abort();
    onEnd?.(event, hasMoved);
    isDragging.value = false;
  };
  const cancelled = () => {
    over.abort();
    onCancelled?.();
    isDragging.value = false;
  };
  const { signal } = over;
  addEventListener("pointermove", moved, { signal });
  addEventListener("pointerup", ended, { signal });
  addEventListener("pointercancel", cancelled, { signal });
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !hasMoved) return;
      event.preventDefault();
      event.stopPropagation();
      cancelled();
    },
    { signal, capture: true },
  );
}

const ignoresGuides = (event: PointerEvent): boolean => event.ctrlKey || event.metaKey;
let drags = 0;

/** Selects a box, and drags it together with the other selected boxes. */
export function pressBox(editor: Editor, box: Box, event: PointerEvent): void {
  if (event.button !== 0) return;
  event.stopPropagation();
  if (event.shiftKey) {
    editor.work.value = toggle(editor.work.peek(), box.id);
    return;
  }
  const wasSelected = editor.selected.peek().includes(box.id);
  if (!wasSelected) select(editor, [box.id]);
  // On a touch screen, dragging an unselected box scrolls the page.
  if (editor.isReadOnly || (event.pointerType === "touch" && !wasSelected)) return;
  const from = pointAt(editor, event);
  if (from === null) return;
  drag(
    editor,
    event,
    editor.selected.peek(),
    (at, isUnguided) => {
      const wanted = onPage({ ...box, page: at.page, x: onGrid(at.x - (from.x - box.x)), y: onGrid(at.y - (from.y - box.y)) });
      const snapped = isUnguided ? { area: wanted, guides: [] } : snapMove(wanted, others(editor));
      editor.guides.value = snapped.guides;
      return (doc) => moveWith(doc, editor.selected.peek(), box, onPage(snapped.area));
    },
    () => wasSelected && select(editor, [box.id]),
  );
}

export function pressCorner(editor: Editor, box: Box, corner: Corner, event: PointerEvent): void {
  if (event.button !== 0) return;
  event.stopPropagation();
  drag(editor, event, [box.id], (at, isUnguided) => {
    const wanted = cornerAt(box, corner, { x: onGrid(at.x), y: onGrid(at.y) });
    const snapped = isUnguided ? { area: wanted, guides: [] } : snapCorner(wanted, corner, others(editor));
    editor.guides.value = snapped.guides;
    return (doc) => setArea(doc, box.id, snapped.area);
  });
}

/** The boxes that are not being moved. */
function others({ doc, selected }: Editor): readonly Area[] {
  return doc.peek().boxes.filter(({ id }) => !selected.peek().includes(id));
}

type Moving = (at: Point, isUnguided: boolean) => (doc: Doc) => Doc;

/** `pressed` is called if the pointer was released without a drag. */
function drag(editor: Editor, start: PointerEvent, ids: readonly string[], moving: Moving, pressed?: () => unknown): void {
  const before = editor.doc.peek();
  const step = { part: `drag ${++drags}` };
  const isAnchored = hasAnchor(before, ids);
  let next: ((doc: Doc) => Doc) | null = null;
  follow(start, {
    onMove: (event) => {
      const at = pointAt(editor, event);
      if (at === null) return;
      next = moving(at, ignoresGuides(event));
      if (isAnchored) editor.ghost.value = boxesOf(next(before), ids)[0] ?? null;
      else edit(editor, next(before), { ...step, say: "" });
    },
    onEnd: () => {
      hideGhost(editor);
      if (next === null) pressed?.();
      else if (isAnchored) editPlaces(editor, ids, next, step);
      else editor.announcement.value = placesText(editor.doc.peek(), ids);
    },
    onCancelled: () => {
      hideGhost(editor);
      edit(editor, before, { ...step, say: words.cancelled });
    },
  });
}

/** Drags a field type from the palette onto a page. */
export function dragType(editor: Editor, type: PlaceableFieldType, start: PointerEvent): void {
  // On a touch screen, the user taps the type and then the page. Dragging scrolls.
  if (start.button !== 0 || start.pointerType === "touch") return;
  follow(start, {
    onMove: (event) => showGhost(editor, type, event),
    onEnd: (_, hasMoved) => {
      const { ghost } = editor;
      if (hasMoved && ghost.peek() !== null) place(editor, type, ghost.peek() as Area);
      hideGhost(editor);
    },
    onCancelled: () => hideGhost(editor),
  });
}

/** Shows where the field would be placed. */
export function showGhost(editor: Editor, type: PlaceableFieldType, event: PointerEvent): void {
  const at = pointAt(editor, event);
  if (at === null || !isOnSheet(at)) {
    hideGhost(editor);
    return;
  }
  const wanted = around(at.page, at, sizeFor(editor, at.page, type));
  const snapped = ignoresGuides(event) ? { area: wanted, guides: [] } : snapMove(wanted, editor.doc.peek().boxes);
  editor.ghost.value = onPage(snapped.area);
  editor.guides.value = snapped.guides;
}

export function hideGhost({ ghost, guides }: Editor): void {
  ghost.value = null;
  guides.value = [];
}

/** A press on an empty part of a page. Places the armed type, or draws a selection frame. */
export function pressSheet(editor: Editor, event: PointerEvent): void {
  const from = pointAt(editor, event);
  if (event.button !== 0 || from === null || !isOnSheet(from)) return;
  const type = editor.armed.peek();
  if (type === null) drawBand(editor, from, event);
  else pressToPlace(editor, type, event);
}

function drawBand(editor: Editor, from: Point, start: PointerEvent): void {
  const kept = start.shiftKey ? editor.selected.peek() : [];
  follow(start, {
    onMove: (now) => {
      // On a touch screen, dragging scrolls.
      if (now.pointerType === "touch") return;
      const to = pointAt(editor, now);
      // The frame stays on the page where it started.
      if (to === null || to.page !== from.page) return;
      const band = between(from.page, from, to);
      editor.band.value = band;
      const inside = editor.doc.peek().boxes.filter((box) => overlap(box, band) && !kept.includes(box.id));
      select(editor, [...kept, ...inside.map(({ id }) => id)]);
    },
    onEnd: (_, hasMoved) => {
      editor.band.value = null;
      if (!hasMoved) select(editor, kept);
    },
    onCancelled: () => (editor.band.value = null),
  });
}

function pressToPlace(editor: Editor, type: PlaceableFieldType, start: PointerEvent): void {
  follow(start, {
    onMove: (event) => showGhost(editor, type, event),
    onEnd: (event) => {
      showGhost(editor, type, event);
      const area = editor.ghost.peek();
      hideGhost(editor);
      if (area !== null) place(editor, type, area);
    },
    onCancelled: () => hideGhost(editor),
  });
}
