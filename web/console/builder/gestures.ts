import type { PlaceableFieldType } from "@countersign/client/types";
import { type Editor, edit, editPlaces, place, select, sizeFor } from "./editor.ts";
import { boxesOf, hasAnchor, moveWith, setArea } from "./edits.ts";
import type { Box, Doc } from "./field.ts";
import { type Area, around, between, type Corner, cornerAt, onGrid, onPage, overlap } from "./geometry.ts";
import { placesSaid } from "./said.ts";
import { isOnSheet, type Point, pointAt } from "./sheets.ts";
import { snapCorner, snapMove } from "./snap.ts";
import { toggle } from "./work.ts";

/** What a pointer does. A drag is one step to undo; Esc gives it up. */

// A hand that only presses trembles by as much.
const TREMBLE_PX = 4;
// Near the edge of the window a drag takes the page along.
const EDGE_PX = 48;
const PULL_PX = 16;

interface Drag {
  readonly onMove: (event: PointerEvent) => void;
  readonly onEnd?: (event: PointerEvent, hasMoved: boolean) => void;
  readonly onGivenUp?: () => void;
}

/** From here until the pointer is let go, wherever it goes meanwhile. */
function follow(start: PointerEvent, { onMove, onEnd, onGivenUp }: Drag): void {
  let hasMoved = false;
  const moved = (event: PointerEvent) => {
    if (event.pointerId !== start.pointerId) return;
    if (!hasMoved && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < TREMBLE_PX) return;
    hasMoved = true;
    if (event.clientY < EDGE_PX) scrollBy(0, -PULL_PX);
    if (event.clientY > innerHeight - EDGE_PX) scrollBy(0, PULL_PX);
    onMove(event);
  };
  const over = new AbortController();
  const ended = (event: PointerEvent) => {
    if (event.pointerId !== start.pointerId) return;
    over.abort();
    onEnd?.(event, hasMoved);
  };
  const givenUp = () => {
    over.abort();
    onGivenUp?.();
  };
  const { signal } = over;
  addEventListener("pointermove", moved, { signal });
  addEventListener("pointerup", ended, { signal });
  addEventListener("pointercancel", givenUp, { signal });
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !hasMoved) return;
      event.preventDefault();
      event.stopPropagation();
      givenUp();
    },
    { signal, capture: true },
  );
}

const isFree = (event: PointerEvent): boolean => event.ctrlKey || event.metaKey;
let drags = 0;

/** A box that is pressed: chosen, and with the others that are, moved. */
export function pressBox(editor: Editor, box: Box, event: PointerEvent): void {
  if (event.button !== 0) return;
  event.stopPropagation();
  if (event.shiftKey) {
    editor.work.value = toggle(editor.work.peek(), box.id);
    return;
  }
  const wasChosen = editor.selected.peek().includes(box.id);
  if (!wasChosen) select(editor, [box.id]);
  // A finger that was not on a chosen one scrolls.
  if (editor.isReadOnly || (event.pointerType === "touch" && !wasChosen)) return;
  const from = pointAt(editor, event);
  if (from === null) return;
  drag(
    editor,
    event,
    editor.selected.peek(),
    (at, isLoose) => {
      const wanted = onPage({ ...box, page: at.page, x: onGrid(at.x - (from.x - box.x)), y: onGrid(at.y - (from.y - box.y)) });
      const snapped = isLoose ? { area: wanted, guides: [] } : snapMove(wanted, others(editor));
      editor.guides.value = snapped.guides;
      return (doc) => moveWith(doc, editor.selected.peek(), box, onPage(snapped.area));
    },
    () => wasChosen && select(editor, [box.id]),
  );
}

export function pressCorner(editor: Editor, box: Box, corner: Corner, event: PointerEvent): void {
  if (event.button !== 0) return;
  event.stopPropagation();
  drag(editor, event, [box.id], (at, isLoose) => {
    const wanted = cornerAt(box, corner, { x: onGrid(at.x), y: onGrid(at.y) });
    const snapped = isLoose ? { area: wanted, guides: [] } : snapCorner(wanted, corner, others(editor));
    editor.guides.value = snapped.guides;
    return (doc) => setArea(doc, box.id, snapped.area);
  });
}

/** Those that are not moved. */
function others({ doc, selected }: Editor): readonly Area[] {
  return doc.peek().boxes.filter(({ id }) => !selected.peek().includes(id));
}

type Moving = (at: Point, isLoose: boolean) => (doc: Doc) => Doc;

/** `pressed`: it was let go where it was taken. */
function drag(editor: Editor, start: PointerEvent, ids: readonly string[], moving: Moving, pressed?: () => unknown): void {
  const before = editor.doc.peek();
  const step = { part: `drag ${++drags}` };
  const isAnchored = hasAnchor(before, ids);
  let next: ((doc: Doc) => Doc) | null = null;
  follow(start, {
    onMove: (event) => {
      const at = pointAt(editor, event);
      if (at === null) return;
      next = moving(at, isFree(event));
      if (isAnchored) editor.ghost.value = boxesOf(next(before), ids)[0] ?? null;
      else edit(editor, next(before), { ...step, say: "" });
    },
    onEnd: () => {
      forgetGhost(editor);
      if (next === null) pressed?.();
      else if (isAnchored) editPlaces(editor, ids, next, step);
      else editor.said.value = placesSaid(editor.doc.peek(), ids);
    },
    onGivenUp: () => {
      forgetGhost(editor);
      edit(editor, before, { ...step, say: "Left where it was" });
    },
  });
}

/** A type that is pulled off the palette onto a page. */
export function pullType(editor: Editor, type: PlaceableFieldType, start: PointerEvent): void {
  // A finger presses the type and then the page; a pull of it scrolls.
  if (start.button !== 0 || start.pointerType === "touch") return;
  follow(start, {
    onMove: (event) => showGhost(editor, type, event),
    onEnd: (_, hasMoved) => {
      const { ghost } = editor;
      if (hasMoved && ghost.peek() !== null) place(editor, type, ghost.peek() as Area);
      forgetGhost(editor);
    },
    onGivenUp: () => forgetGhost(editor),
  });
}

/** Where it would stand. */
export function showGhost(editor: Editor, type: PlaceableFieldType, event: PointerEvent): void {
  const at = pointAt(editor, event);
  if (at === null || !isOnSheet(at)) {
    forgetGhost(editor);
    return;
  }
  const wanted = around(at.page, at, sizeFor(editor, at.page, type));
  const snapped = isFree(event) ? { area: wanted, guides: [] } : snapMove(wanted, editor.doc.peek().boxes);
  editor.ghost.value = onPage(snapped.area);
  editor.guides.value = snapped.guides;
}

export function forgetGhost({ ghost, guides }: Editor): void {
  ghost.value = null;
  guides.value = [];
}

/** An empty part of a page: the armed type is placed; else a frame is drawn around what is to be chosen. */
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
      // A finger scrolls.
      if (now.pointerType === "touch") return;
      const to = pointAt(editor, now);
      // The frame stays on the page that it was begun on.
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
    onGivenUp: () => (editor.band.value = null),
  });
}

function pressToPlace(editor: Editor, type: PlaceableFieldType, start: PointerEvent): void {
  follow(start, {
    onMove: (event) => showGhost(editor, type, event),
    onEnd: (event) => {
      showGhost(editor, type, event);
      const area = editor.ghost.peek();
      forgetGhost(editor);
      if (area !== null) place(editor, type, area);
    },
    onGivenUp: () => forgetGhost(editor),
  });
}
