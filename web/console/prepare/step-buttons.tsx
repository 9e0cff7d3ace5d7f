import { SubmitButton } from "../parts/button.tsx";
import type { Sending } from "../sending.ts";
import { en } from "../words/prepare/en.ts";
import { previousOf, type Step } from "./steps.tsx";

interface StepButtonsProps {
  readonly step: Step;
  readonly sending: Sending;
  readonly isBlocked: boolean;
  readonly onLeave: (step: Step) => void;
  readonly words?: string;
  /** what is saved */
  readonly state?: string;
}

/** Belongs into the bar of a form, which is seen without scrolling. */
export function StepButtons({ step, sending, isBlocked, onLeave, words = en.next, state }: StepButtonsProps) {
  return (
    <div class="buttons">
      {previousOf(step) !== step && (
        <button type="button" class="button" disabled={isBlocked} onClick={() => onLeave(previousOf(step))}>
          {en.back}
        </button>
      )}
      {isBlocked ? (
        // Enter in a field does not submit a form with a disabled button.
        <button type="submit" class="button primary" disabled>
          {words}
        </button>
      ) : (
        <SubmitButton sending={sending}>{words}</SubmitButton>
      )}
      {state !== undefined && (
        <p class="prepare-state quiet small" role="status">
          {state}
        </p>
      )}
    </div>
  );
}
