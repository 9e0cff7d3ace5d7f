import type { ComponentProps } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog as ModalDialog } from "../../ui/dialog.tsx";
import { en as words } from "../words/dialog/en.ts";
import { wholeOf } from "./cut.tsx";

/**
 * A dialog of the console. Its first field has the focus when it opens; without a field, the button Close has it. If the user changed a
 * field, Esc and Close must be repeated to discard the changes.
 */
export function Dialog({ children, onClose, ...more }: ComponentProps<typeof ModalDialog>) {
  const mark = useRef<HTMLParagraphElement>(null);
  const isEdited = useRef<() => boolean>(() => false);
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    const shown = mark.current?.closest("dialog");
    if (shown == null) return;
    const heading = shown.querySelector("h1");
    if (heading !== null) heading.title = wholeOf(more.title) ?? "";
    // A field with `autofocus` keeps the focus.
    if (document.activeElement?.closest(".dialog-head")?.parentElement?.parentElement === shown) firstField(shown)?.focus();
    const watched = watchEdits(shown, () => setAsked(false));
    isEdited.current = watched.isEdited;
    return watched.stop;
  }, []);
  // The bottom of a tall dialog can be out of sight.
  useEffect(() => {
    if (isAsked) mark.current?.scrollIntoView({ block: "nearest" });
  }, [isAsked]);
  return (
    <ModalDialog {...more} onClose={() => (isEdited.current() && !isAsked ? setAsked(true) : onClose())}>
      {children}
      <p ref={mark} class={isAsked ? "error" : "hidden-visually"} role="status">
        {isAsked ? words.unsaved : ""}
      </p>
    </ModalDialog>
  );
}

const FIELDS = ":is(input, select, textarea):not(:disabled, [type=hidden], [tabindex='-1'])";

/** The first field, or the chosen one of the group if it is a choice. */
function firstField(shown: HTMLElement): HTMLElement | null {
  const first = shown.querySelector<HTMLInputElement>(FIELDS);
  if (first?.type !== "radio") return first;
  return shown.querySelector<HTMLInputElement>(`input[type=radio][name="${CSS.escape(first.name)}"]:checked`) ?? first;
}

/** Hidden fields hold what the user chose with other controls. */
const WATCHED = ":is(input, select, textarea):not(:disabled, [tabindex='-1'])";

/** Compares what the fields have now with what they had at first. A field that appeared after an edit had nothing. */
function watchEdits(shown: HTMLElement, onEdit: () => void) {
  const fields = () => [...shown.querySelectorAll<HTMLInputElement>(WATCHED)];
  const atFirst = new Map(fields().map((field) => [field, contentOf(field)]));
  let isTouched = false;
  const edited = () => {
    isTouched = true;
    onEdit();
  };
  // `change` is for files, `drop` for files that were dragged here.
  const events = ["input", "change", "drop"];
  for (const event of events) shown.addEventListener(event, edited);
  return {
    isEdited: () => isTouched && fields().some((field) => contentOf(field) !== (atFirst.get(field) ?? "")),
    stop: () => {
      for (const event of events) shown.removeEventListener(event, edited);
    },
  };
}

function contentOf(field: HTMLInputElement): string {
  return field.type === "checkbox" || field.type === "radio" ? (field.checked ? "on" : "") : field.value;
}
