import { useEffect, useRef, useState } from "preact/hooks";
import { TextField } from "../parts/field.tsx";
import { ask, query } from "../place.ts";

// Long enough that a word is typed through, short enough that nobody waits for it.
const PAUSE_MS = 250;

interface SearchProps {
  readonly label: string;
  readonly hint: string;
}

/** What is looked for, in the address as `q`, a moment after the last key. */
export function Search({ label, hint }: SearchProps) {
  const wanted = query.value.get("q") ?? "";
  const [text, setText] = useState(wanted);
  const asked = useRef(wanted);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => {
    // Somebody else changed the address: the menu, or a button that takes the search away.
    if (wanted !== asked.current) setText(wanted);
    asked.current = wanted;
  }, [wanted]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      asked.current = value;
      ask({ q: value });
    }, PAUSE_MS);
  };
  return (
    <search class="filters">
      <div class="grow">
        <TextField label={label} name="q" type="search" autoComplete="off" placeholder={hint} value={text} onText={type} />
      </div>
    </search>
  );
}
