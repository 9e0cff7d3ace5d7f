import { en as words } from "../words/recipients/en.ts";

/** The heading of a step of the signing order. null: people who only get the result. */
export const StepLine = ({ step }: { step: number | null }) => (
  <p class="prepare-step-line">
    <strong>{step === null ? words.noStep : words.step(step)}</strong>{" "}
    <span class="quiet">{step === null ? words.resultLine : words.stepLine(step)}</span>
  </p>
);
