import { useState } from "preact/hooks";

interface CopyProps {
  readonly text: string;
  readonly children?: string;
  /** what is copied, for those who hear it */
  readonly what?: string;
}

type Outcome = "idle" | "done" | "refused";

/** Puts text on the clipboard and says so; where the browser refuses, it says how else. */
export function Copy({ text, children = "Copy", what }: CopyProps) {
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
      <button type="button" class="button" aria-label={what === undefined ? undefined : `Copy ${what}`} onClick={() => void copy()}>
        {outcome === "done" ? "Copied" : children}
      </button>
      <span class={outcome === "refused" ? "error" : "hidden-visually"} role="status">
        {outcome === "done" ? "Copied" : outcome === "refused" ? "The browser did not allow it. Select the text and copy it." : ""}
      </span>
    </>
  );
}
