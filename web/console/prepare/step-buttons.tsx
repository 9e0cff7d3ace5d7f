import { SubmitButton } from "../parts/button.tsx";
import type { Sending } from "../sending.ts";
import { previousOf, type Step } from "./steps.tsx";

interface StepButtonsProps {
  readonly step: Step;
  readonly sending: Sending;
  readonly onLeave: (step: Step) => void;
  readonly words?: string;
}

export function StepButtons({ step, sending, onLeave, words = "Save and continue" }: StepButtonsProps) {
  return (
    <div class="buttons">
      {previousOf(step) !== step && (
        <button type="button" class="button" onClick={() => onLeave(previousOf(step))}>
          Back
        </button>
      )}
      <SubmitButton sending={sending}>{words}</SubmitButton>
    </div>
  );
}
