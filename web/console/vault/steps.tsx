import { useEffect, useRef } from "preact/hooks";
import { query } from "../navigation.ts";

const STEPS = ["Document", "Kind", "Attestation", "Terms and party", "Review"];

export function Steps({ at }: { at: number }) {
  return (
    <ol class="deposit-steps" aria-label="Steps">
      {STEPS.map((name, index) => (
        <li key={name} class={index + 1 < at ? "past" : undefined} aria-current={index + 1 === at ? "step" : undefined}>
          {index + 1}. {name}
        </li>
      ))}
    </ol>
  );
}

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
