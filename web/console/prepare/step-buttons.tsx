import { SubmitButton } from "../parts/button.tsx";
import type { Sending } from "../sending.ts";
import { beforeOf, type Step } from "./steps.tsx";

interface StepButtonsProps {
  readonly step: Step;
  readonly sending: Sending;
  readonly onLeave: (step: Step) => void;
  readonly words?: string;
}

export function StepButtons({ step, sending, onLeave, words = "Save and continue" }: StepButtonsProps) {
  return (
    <div class="buttons">
      {beforeOf(step) !== step && (
        <button type="button" class="button" onClick={() => onLeave(beforeOf(step))}>
          Back
        </button>
      )}
      <SubmitButton sending={sending}>{words}</SubmitButton>
    </div>
  );
}
