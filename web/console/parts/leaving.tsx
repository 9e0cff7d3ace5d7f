import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { go, holdBack } from "../place.ts";

interface Leaving {
  /** without being asked: for who has just saved */
  readonly travel: (to: string) => void;
  /** what is asked, at the top of the screen; nothing while nobody is leaving */
  readonly notice: ComponentChildren;
}

/**
 * Asks before somebody leaves what is not kept. `questionOf`: null while going there loses nothing. When the page itself is left (`to` is
 * null), the browser asks in its own words.
 */
export function useLeaving(questionOf: (to: string | null) => string | null): Leaving {
  const current = useRef(questionOf);
  current.current = questionOf;
  const release = useRef<() => void>(() => undefined);
  const [asked, setAsked] = useState<{ readonly to: string; readonly question: string } | null>(null);
  const hold = () => {
    release.current();
    release.current = holdBack((to) => {
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
    go(to);
    // Perhaps only another step of the same screen.
    hold();
  };
  const notice = asked !== null && questionOf(asked.to) !== null && (
    <div class="notice leaving stack tight" role="alert">
      <p>{asked.question}</p>
      <div class="buttons">
        <button type="button" class="button" onClick={() => travel(asked.to)}>
          Leave all the same
        </button>
        <button type="button" class="button primary" onClick={() => setAsked(null)}>
          Stay here
        </button>
      </div>
    </div>
  );
  return { travel, notice };
}
