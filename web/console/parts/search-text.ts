import { useEffect, useRef, useState } from "preact/hooks";
import { ask, query } from "../place.ts";
import { useWhenChanged } from "../when-changed.ts";

// Long enough that a word is typed through, short enough that nobody waits for it.
const PAUSE_MS = 250;

/** What is looked for: in the address as `q`, a moment after the last key. */
export function useSearchText(): readonly [text: string, type: (text: string) => void] {
  const wanted = query.value.get("q") ?? "";
  const [text, setText] = useState(wanted);
  const asked = useRef(wanted);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useWhenChanged(wanted, () => {
    // The address was changed from elsewhere: by the menu, the browser's Back, or a button that takes the search away.
    if (wanted !== asked.current) setText(wanted);
    asked.current = wanted;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      asked.current = value.trim();
      ask({ q: value.trim() });
    }, PAUSE_MS);
  };
  return [text, type];
}
