import { useEffect, useRef, useState } from "preact/hooks";
import { query, setQuery } from "../navigation.ts";
import { useWhenChanged } from "../when-changed.ts";

// Long enough to finish typing a word, short enough not to feel slow.
const PAUSE_MS = 250;

/** The search text. It is written to the address as `q` shortly after the last key press. */
export function useSearchText(): readonly [text: string, type: (text: string) => void] {
  const wanted = query.value.get("q") ?? "";
  const [text, setText] = useState(wanted);
  const latest = useRef(wanted);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useWhenChanged(wanted, () => {
    // Something else changed the address: the menu, the browser's Back button, or a button that clears the search.
    if (wanted !== latest.current) setText(wanted);
    latest.current = wanted;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      latest.current = value.trim();
      setQuery({ q: value.trim() });
    }, PAUSE_MS);
  };
  return [text, type];
}
