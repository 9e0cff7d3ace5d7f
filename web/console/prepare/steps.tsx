import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { hrefOf } from "../navigation.ts";

export const steps = [
  ["document", "Documents"],
  ["people", "Recipients"],
  ["fields", "Fields"],
  ["options", "Options"],
  ["review", "Review and send"],
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
}

/** The steps of the wizard. They are links, so that they can be opened in another tab. A plain click saves the current step first. */
export function StepList({ at, envelope_id, onStep }: StepListProps) {
  return (
    <nav aria-label="Steps">
      <ol class="prepare-wizard-steps">
        {steps.map(([code, name], index) => (
          <li key={code}>
            <StepName {...{ at, envelope_id, code, onStep }}>
              <span class="prepare-step-number" aria-hidden="true">
                {index + 1}
              </span>
              <span class="prepare-step-name">{name}</span>
            </StepName>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface StepNameProps extends Omit<StepListProps, "onStep"> {
  readonly code: Step;
  readonly onStep: ((step: Step) => void) | undefined;
  readonly children: ComponentChildren;
}

function StepName({ at, envelope_id, code, onStep, children }: StepNameProps) {
  const current = code === at ? "step" : undefined;
  if (envelope_id === null) {
    return (
      <span class="prepare-wizard-step" aria-current={current}>
        {children}
      </span>
    );
  }
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onStep?.(code);
  };
  return (
    <a class="prepare-wizard-step" href={hrefOf(placeOf(envelope_id, code))} aria-current={current} onClick={follow}>
      {children}
    </a>
  );
}

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
