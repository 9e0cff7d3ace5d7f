import { useEffect, useRef } from "preact/hooks";
import { query } from "../navigation.ts";
import { Stepper } from "../parts/stepper.tsx";
import { en } from "../words/deposit/en.ts";

const w = en.steps;

const STEPS = [w.document, w.kind, w.attestation, w.termsAndParty, w.review];

/** `at` counts from 1. A step can be reached only after those before it. */
export const Steps = ({ at }: { at: number }) => (
  <Stepper steps={STEPS.map((name, index) => ({ name, isDone: index + 1 < at }))} at={at - 1} />
);

/** Takes the focus when its step is shown, so that screen readers announce it. */
export function StepTitle({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = query.peek().get("envelope") === null;
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
  }, []);
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  );
}
