import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { blockLeaving, navigate } from "../navigation.ts";
import { en as parts } from "../words/parts/en.ts";
import { en as words } from "../words/steps/en.ts";
import type { StepProps } from "./wizard.ts";

interface Leaving {
  /** goes there without asking, for example after saving */
  readonly travel: (to: string) => void;
  /** the question, shown at the top of the screen; nothing while the user is not leaving */
  readonly notice: ComponentChildren;
}

/**
 * Saves the step before the user leaves it, and asks if that fails or if `lossOf` says what would be lost. When the browser leaves the page
 * (`to` is null), the browser asks with its own text. `place` is where the user is.
 */
export function useSavedLeaving(unsaved: StepProps["unsaved"], place: string, lossOf: (to: string | null) => string | null): Leaving {
  const current = useRef(lossOf);
  current.current = lossOf;
  const release = useRef<() => void>(() => undefined);
  const [asked, setAsked] = useState<{ readonly to: string; readonly question: string } | null>(null);
  const hold = () => {
    release.current();
    release.current = blockLeaving((to) => {
      const question = current.current(to);
      const isChanged = unsaved.current?.isChanged() === true;
      if (to !== null && question !== null) setAsked({ to, question });
      else if (to !== null && isChanged) void saveAndTravel(to);
      return question === null && !isChanged;
    });
  };
  const travel = (to: string) => {
    setAsked(null);
    release.current();
    navigate(to);
    // This may only be another step of the same screen.
    hold();
  };
  const saveAndTravel = async (to: string) => {
    if (await unsaved.current?.save()) travel(to);
    else setAsked({ to, question: words.unsaved });
  };
  // Again at each place: a part of the screen may have had a guard of its own there.
  useEffect(() => {
    hold();
    return () => release.current();
  }, [place]);
  // The changes may have been saved since.
  const isStill = asked !== null && (lossOf(asked.to) !== null || unsaved.current?.isChanged() === true);
  const notice = isStill && (
    <div class="notice leaving stack tight" role="alert">
      <p>{asked.question}</p>
      <div class="buttons">
        <button type="button" class="button" onClick={() => travel(asked.to)}>
          {parts.leave}
        </button>
        <button type="button" class="button primary" onClick={() => setAsked(null)}>
          {parts.stay}
        </button>
      </div>
    </div>
  );
  return { travel, notice };
}
