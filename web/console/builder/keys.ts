import { en as words } from "../words/builder/en.ts";
import { placesText, sizeText } from "./announcements.ts";
import { copiedFields, copyFields } from "./copied.ts";
import { addAndFocus, type Editor, edit, editPlaces, select, stepBack, stepForward } from "./editor.ts";
import { clipOf, growBoxes, moveBoxes, paste, removeBoxes } from "./edits.ts";
import { BIG_STEP, STEP } from "./geometry.ts";
import { pageInView } from "./sheets.ts";
import { toggle } from "./work.ts";

/** Keyboard input. It can do everything that a pointer can do on the pages. */

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const isTyping = (target: EventTarget | null, isCommand: boolean): boolean =>
  target instanceof HTMLElement &&
  (target.matches("input:not([type=checkbox]), textarea") ||
    // A select has no undo or copy of its own, but it takes letters and arrow keys.
    (!isCommand && target.matches("select")));

let presses = 0;

/** True if the key was handled. */
export function onKey(editor: Editor, event: KeyboardEvent, save: () => void): boolean {
  const isCommand = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (isCommand && key === "s" && !editor.isReadOnly) {
    save();
    return true;
  }
  if (isTyping(event.target, isCommand)) return false;
  if (isCommand) return onCommand(editor, key, event.shiftKey);
  return onBoxKey(editor, event) || onCanvasKey(editor, event);
}

function onCommand(editor: Editor, key: string, isShifted: boolean): boolean {
  if (key === "a") selectPage(editor);
  else if (editor.isReadOnly) return false;
  else if (key === "z" && isShifted) stepForward(editor);
  else if (key === "z") stepBack(editor);
  else if (key === "y") stepForward(editor);
  else if (key === "c" && editor.selected.peek().length > 0) copy(editor);
  else if (key === "v" && isTaken(editor)) return true;
  else if (key === "d" && editor.selected.peek().length > 0) duplicate(editor);
  else return false;
  return true;
}

/** Pastes what was copied, also in another document or tab. */
function isTaken(editor: Editor): boolean {
  const clip = copiedFields(editor.of, editor.pages.length);
  if (clip.length === 0) return false;
  addAndFocus(editor, paste(editor.doc.peek(), clip, pageInView(editor)));
  return true;
}

export function copy({ of, doc, selected, announcement }: Editor): void {
  copyFields(of, clipOf(doc.peek(), selected.peek()));
  announcement.value = words.copied(selected.peek().length);
}

export function duplicate(editor: Editor): void {
  addAndFocus(editor, paste(editor.doc.peek(), clipOf(editor.doc.peek(), editor.selected.peek())));
}

export function remove(editor: Editor): void {
  const ids = editor.selected.peek();
  if (ids.length === 0) return;
  edit(editor, removeBoxes(editor.doc.peek(), ids), { boxes: [], say: words.removed(ids.length) });
  // The focused box is gone.
  editor.canvas.current?.focus({ preventScroll: true });
}

/** Selects all fields on the current page. */
function selectPage(editor: Editor): void {
  const focused = boxOf(document.activeElement);
  const page = editor.doc.peek().boxes.find(({ id }) => id === focused)?.page ?? pageInView(editor);
  const ids = editor.doc
    .peek()
    .boxes.filter((box) => box.page === page)
    .map(({ id }) => id);
  select(editor, ids);
  editor.announcement.value = words.selected(ids.length, page);
}

const boxOf = (element: EventTarget | null): string | null =>
  element instanceof HTMLElement ? (element.closest<HTMLElement>("[data-box]")?.dataset.box ?? null) : null;

/** Keys on a focused box. They select it first if it is not selected. */
function onBoxKey(editor: Editor, event: KeyboardEvent): boolean {
  const id = boxOf(event.target);
  if (id === null) return false;
  if (event.key === "Enter" || event.key === " ") {
    if (event.shiftKey) editor.work.value = toggle(editor.work.peek(), id);
    else select(editor, [id]);
    return true;
  }
  if (!(event.key in arrows) && event.key !== "Delete" && event.key !== "Backspace") return false;
  if (!editor.selected.peek().includes(id)) select(editor, [id]);
  return false;
}

function onCanvasKey(editor: Editor, event: KeyboardEvent): boolean {
  const { armed, selected, canvas } = editor;
  if (event.key === "Escape" && (armed.peek() !== null || selected.peek().length > 0)) {
    if (armed.peek() === null) select(editor, []);
    armed.value = null;
    return true;
  }
  if (!(event.target instanceof Node) || canvas.current?.contains(event.target) !== true) return false;
  if (editor.isReadOnly || selected.peek().length === 0) return false;
  const arrow = arrows[event.key];
  if (arrow !== undefined) {
    push(editor, arrow, event);
    return true;
  }
  if (event.key !== "Delete" && event.key !== "Backspace") return false;
  remove(editor);
  return true;
}

function push(editor: Editor, [x, y]: readonly [number, number], { shiftKey, altKey, repeat }: KeyboardEvent): void {
  const ids = editor.selected.peek();
  const at = editor.doc.peek().boxes.find(({ id }) => id === ids[0])?.page ?? 1;
  const { w_pt = 1, h_pt = 1 } = editor.pages[at - 1] ?? {};
  const step = shiftKey ? BIG_STEP : STEP;
  const [dx, dy] = [(x * step) / w_pt, (y * step) / h_pt];
  // Holding a key down is one undo step.
  if (!repeat) presses += 1;
  const part = `keys ${presses}`;
  editPlaces(editor, ids, (doc) => (altKey ? growBoxes(doc, ids, dx, dy) : moveBoxes(doc, ids, dx, dy)), { part });
  if (altKey) editor.announcement.value = placesText(editor.doc.peek(), ids, sizeText);
}
