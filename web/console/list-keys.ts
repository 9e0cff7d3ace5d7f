import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Keys for a list of rows with links: move, select, open the menu, search. A row is the current one while the focus is in it. */

const STORED_AS = "countersign.list-keys";

const isStoredOn = (): boolean => {
  try {
    return localStorage.getItem(STORED_AS) !== "off";
  } catch (error) {
    // A browser that refuses storage has the default.
    if (error instanceof DOMException) return true;
    throw error;
  }
};

/** Whether keys of a single character act. */
export const usesKeys = signal(isStoredOn());

/** Returns false if the browser keeps nothing, so that the choice ends with the page. */
export function setUsesKeys(isOn: boolean): boolean {
  usesKeys.value = isOn;
  try {
    localStorage.setItem(STORED_AS, isOn ? "on" : "off");
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

const TYPED = 'input:not([type="checkbox"]):not([type="radio"]):not([type="button"]), textarea, select, [contenteditable]';

/** Whether the key is text for a field. */
export const isTyping = ({ target }: KeyboardEvent): boolean => !(target instanceof Element) || target.matches(TYPED);

const rows = (): HTMLTableRowElement[] => [...document.querySelectorAll<HTMLTableRowElement>("main tr.linked")];
const current = (): HTMLTableRowElement | null => document.activeElement?.closest<HTMLTableRowElement>("main tr.linked") ?? null;

function moveBy(step: 1 | -1): void {
  const all = rows();
  const now = current();
  const at = now === null ? (step === 1 ? -1 : all.length) : all.indexOf(now);
  const to = all[Math.min(Math.max(at + step, 0), all.length - 1)];
  to?.querySelector<HTMLElement>(".row-link")?.focus();
  to?.scrollIntoView({ block: "nearest" });
}

const inRow = (selector: string) => (): void => current()?.querySelector<HTMLElement>(selector)?.click();

const acts: Readonly<Record<string, () => void>> = {
  "/": () => document.querySelector<HTMLElement>('main input[name="q"]')?.focus(),
  j: () => moveBy(1),
  k: () => moveBy(-1),
  x: inRow('.choose input[type="checkbox"]'),
  ".": inRow('[aria-haspopup="menu"]'),
};

/** `onClear` is called for Esc. Enter needs nothing here: the link of the row has the focus, and the browser opens it. */
export function useListKeys(onClear: () => void): void {
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
      if (isTyping(event)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      if (event.key === "Escape") return onClear();
      const wanted = usesKeys.peek() ? acts[event.key] : undefined;
      if (wanted === undefined) return;
      event.preventDefault();
      wanted();
    };
    addEventListener("keydown", act);
    return () => removeEventListener("keydown", act);
  }, [onClear]);
}
