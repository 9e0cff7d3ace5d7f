import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { blockLeaving, navigate } from "../navigation.ts";
import { en as words } from "../words/parts/en.ts";

interface Leaving {
  /** goes there without asking, for example after saving */
  readonly travel: (to: string) => void;
  /** the question, shown at the top of the screen; nothing while the user is not leaving */
  readonly notice: ComponentChildren;
}

/**
 * Asks before the user leaves unsaved work. `questionOf` returns null if going there loses nothing. When the browser leaves the page (`to`
 * is null), the browser asks with its own text.
 */
export function useLeaving(questionOf: (to: string | null) => string | null): Leaving {
  const current = useRef(questionOf);
  current.current = questionOf;
  const release = useRef<() => void>(() => undefined);
  const [asked, setAsked] = useState<{ readonly to: string; readonly question: string } | null>(null);
  const hold = () => {
    release.current();
    release.current = blockLeaving((to) => {
      const question = current.current(to);
      if (question !== null && to !== null) setAsked({ to, question });
      return question === null;
    });
  };
  useEffect(() => {
    hold();
    return () => release.current();
  }, []);
  const travel = (to: string) => {
    setAsked(null);
    release.current();
    navigate(to);
    // This may only be another step of the same screen.
    hold();
  };
  const notice = asked !== null && questionOf(asked.to) !== null && (
    <div class="notice leaving stack tight" role="alert">
      <p>{asked.question}</p>
      <div class="buttons">
        <button type="button" class="button" onClick={() => travel(asked.to)}>
          {words.leave}
        </button>
        <button type="button" class="button primary" onClick={() => setAsked(null)}>
          {words.stay}
        </button>
      </div>
    </div>
  );
  return { travel, notice };
}
