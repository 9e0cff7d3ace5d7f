import type { Recipient } from "@countersign/client/types";
import { SelectField } from "../parts/field.tsx";
import type { Sending } from "../sending.ts";
import { en as words } from "../words/recipients/en.ts";

interface StepFieldProps {
  readonly value: number;
  readonly recipients: readonly Recipient[];
  /** the step that is running */
  readonly running: number;
  readonly onStep: (step: number) => void;
  readonly sending: Sending;
}

/** A step from the one that is running to a new one after the last. */
export function StepField({ value, recipients, running, onStep, sending }: StepFieldProps) {
  const last = Math.max(running, ...recipients.map(({ step }) => step ?? 0));
  const steps = Array.from({ length: last - running + 2 }, (_, index) => String(running + index));
  return (
    <SelectField
      label={words.stepLabel}
      name="step"
      value={String(value)}
      choices={steps.map((step) => [step, words.step(Number(step))] as const)}
      hint={words.stepHint(running)}
      onChoice={(step) => onStep(Number(step))}
      sending={sending}
    />
  );
}
