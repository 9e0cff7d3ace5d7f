import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Link } from "../link.tsx";
import { hrefOf } from "../navigation.ts";
import { Glyph } from "../parts/glyph.tsx";
import { Stepper } from "../parts/stepper.tsx";
import { en as words } from "../words/steps/en.ts";

export const steps = [
  ["document", words.names.document],
  ["people", words.names.people],
  ["fields", words.names.fields],
  ["options", words.names.options],
  ["review", words.names.review],
] as const;
export type Step = (typeof steps)[number][0];

export const stepOf = (wanted: string | null): Step | null => steps.find(([code]) => code === wanted)?.[0] ?? null;
export const nextOf = (step: Step): Step => steps[steps.findIndex(([code]) => code === step) + 1]?.[0] ?? step;
export const previousOf = (step: Step): Step => steps[steps.findIndex(([code]) => code === step) - 1]?.[0] ?? step;

export const placeOf = (envelope_id: string, step: Step): string => `/envelopes/${envelope_id}/prepare?step=${step}`;

interface StepListProps {
  readonly at: Step;
  /** null: there is no draft yet, so the other steps are not links */
  readonly envelope_id: string | null;
  readonly onStep?: (step: Step) => void;
  /** the steps with nothing left to do */
  readonly done?: readonly Step[];
}

/** The steps of the wizard. They are links, so that they can be opened in another tab. A plain click saves the current step first. */
export function StepList({ at, envelope_id, onStep, done = [] }: StepListProps) {
  const items = steps.map(([code, name]) => ({
    name,
    isDone: done.includes(code),
    ...(envelope_id !== null && { href: hrefOf(placeOf(envelope_id, code)), onFollow: () => onStep?.(code) }),
  }));
  return <Stepper steps={items} at={steps.findIndex(([code]) => code === at)} />;
}

/** Leaves the wizard, which has the whole window: prepare.css hides the menu beside it. */
export const CloseLink = ({ to }: { to: string }) => (
  <Link to={to} class="button quiet prepare-close" aria-label={words.close}>
    <Glyph name="cross" />
  </Link>
);

/** The heading of a step. It gets the focus when the step opens. */
export function StepHead({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <header class="stack tight">
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children !== undefined && <div class="quiet">{children}</div>}
    </header>
  );
}
