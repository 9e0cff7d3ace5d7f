import { useEffect, useRef } from "preact/hooks";
import { go, holdBack, query } from "../place.ts";

/** Asks before somebody leaves what is not kept; null: nothing is lost. Returns how to go from one step to another, which is no leaving. */
export function useLeaving(questionOf: () => string | null): (to: string) => void {
  const current = useRef(questionOf);
  current.current = questionOf;
  const isStep = useRef(false);
  // Whoever goes lets go of everything that held back, so it is taken hold of anew with every step.
  useEffect(() => holdBack(() => isStep.current || mayGo(current.current())), [query.value.get("step")]);
  return (to) => {
    isStep.current = true;
    go(to);
    isStep.current = false;
  };
}

/** When the page itself is left the browser asks, and lets nobody else. */
const mayGo = (question: string | null): boolean => question === null || (window.event?.type !== "beforeunload" && confirm(question));
