import { useEffect } from "preact/hooks";
import type { StepProps, UnsavedStep } from "./wizard.ts";

/** Says what of the step is not saved, as long as it is shown. */
export function useUnsavedStep(unsaved: StepProps["unsaved"], now: UnsavedStep): void {
  unsaved.current = now;
  useEffect(() => {
    return () => {
      unsaved.current = null;
    };
  }, []);
}
