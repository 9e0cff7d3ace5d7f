import { useState } from "preact/hooks";
import { en as words } from "../words/copy/en.ts";

interface CopyProps {
  readonly text: string;
  readonly children?: string;
  /** names what is copied, for screen readers */
  readonly what?: string;
}

type Outcome = "idle" | "done" | "refused";

/** Copies text to the clipboard and confirms it. If the browser blocks this, it tells the user to copy by hand. */
export function Copy({ text, children = words.copy, what }: CopyProps) {
  const [outcome, setOutcome] = useState<Outcome>("idle");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("done");
    } catch {
      setOutcome("refused");
    }
    setTimeout(() => setOutcome("idle"), 3_000);
  };
  return (
    <>
      <button type="button" class="button" aria-label={what === undefined ? undefined : words.copyOne(what)} onClick={() => void copy()}>
        {outcome === "done" ? words.copied : children}
      </button>
      <span class={outcome === "refused" ? "error" : "hidden-visually"} role="status">
        {outcome === "done" ? words.copied : outcome === "refused" ? words.blocked : ""}
      </span>
    </>
  );
}
