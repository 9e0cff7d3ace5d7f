import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { cut } from "./cut.tsx";

interface CardProps {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A section of a screen with its own heading. */
export function Card({ title, actions, children }: CardProps) {
  const id = useId();
  return (
    <section class="card stack" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{cut(title)}</h2>
        {actions !== undefined && <div class="buttons">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
