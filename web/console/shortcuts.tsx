import { useEffect } from "preact/hooks";
import { lazy } from "./parts/lazy.tsx";
import { opened } from "./search/opened.ts";
import { isTyping, usesKeys } from "./uses-keys.ts";
import { en as words } from "./words/shortcuts/en.ts";

/** The search over everything and the list of keys, which every screen has. Their code is loaded when they are first opened. */

interface Opened {
  readonly onClose: () => void;
}

const parts = {
  search: lazy<Opened>(async () => (await import("./search/palette.tsx")).Palette),
  keys: lazy<Opened>(async () => (await import("./search/keys-dialog.tsx")).KeysDialog),
} as const;

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
export const searchKeys = (): string => (isMac() ? words.keysMac : words.keys);

/** Which part a key opens. Ctrl-K also works in text fields, where it means nothing else. */
function wantedBy(event: KeyboardEvent): keyof typeof parts | null {
  if (event.defaultPrevented || event.altKey || event.isComposing) return null;
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand) return !event.shiftKey && event.key.toLowerCase() === "k" ? "search" : null;
  return event.key === "?" && usesKeys.peek() && !isTyping(event) ? "keys" : null;
}

export function Shortcuts() {
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      const wanted = wantedBy(event);
      if (wanted === null) return;
      // A dialog that asks for a decision stays in front.
      const isCovered = document.querySelector("dialog[open]") !== null;
      if (isCovered && opened.peek() === null) return;
      event.preventDefault();
      opened.value = opened.peek() === wanted ? null : wanted;
    };
    addEventListener("keydown", act);
    return () => {
      removeEventListener("keydown", act);
      opened.value = null;
    };
  }, []);
  if (opened.value === null) return null;
  const Part = parts[opened.value];
  return <Part onClose={close} />;
}

const close = () => {
  opened.value = null;
};
