import { en } from "../words/parts/en.ts";
import { Glyph } from "./glyph.tsx";

const words = en.stepper;

export interface StepItem {
  readonly name: string;
  /** a tick instead of its number; only for what is known to be done */
  readonly isDone?: boolean;
  /** a link, so that the step can be opened in another tab */
  readonly href?: string;
  /** a plain click on the link */
  readonly onFollow?: () => void;
}

/** The steps of a task that is done one after the other. `at` counts from 0. */
export function Stepper({ steps, at }: { steps: readonly StepItem[]; at: number }) {
  return (
    <nav aria-label={words.label}>
      <ol class="stepper">
        {steps.map((step, index) => (
          <li key={step.name}>
            <Step {...step} number={index + 1} isCurrent={index === at} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Step({
  name,
  isDone = false,
  href,
  onFollow,
  number,
  isCurrent,
}: StepItem & { readonly number: number; readonly isCurrent: boolean }) {
  const look = isDone && !isCurrent ? "step done" : "step";
  const current = isCurrent ? "step" : undefined;
  const content = (
    <>
      <span class="step-mark" aria-hidden="true">
        {isDone && !isCurrent ? <Glyph name="check" /> : number}
      </span>
      <span class="step-name">
        {name}
        {isDone && !isCurrent && <span class="hidden-visually">, {words.done}</span>}
      </span>
    </>
  );
  if (href === undefined) {
    return (
      <span class={look} aria-current={current}>
        {content}
      </span>
    );
  }
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onFollow?.();
  };
  return (
    <a class={look} href={href} aria-current={current} onClick={follow}>
      {content}
    </a>
  );
}
