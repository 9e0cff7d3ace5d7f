import { useEffect } from "preact/hooks";
import { isTyping, usesKeys } from "./uses-keys.ts";

/** Keys for a list of rows with links: move, select, tag what is selected, open the menu, search. A row is the current one while the focus is in it. */

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
  // The button is there while something is selected, for those who may tag.
  t: () => document.querySelector<HTMLElement>('main [role="toolbar"] .tag-selected')?.click(),
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
