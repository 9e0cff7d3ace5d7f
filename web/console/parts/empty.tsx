import type { ComponentChildren } from "preact";

interface EmptyProps {
  readonly title: string;
  /** what would be here, and what for */
  readonly children: ComponentChildren;
  readonly action?: ComponentChildren;
  /** the same by the API */
  readonly curl?: ComponentChildren;
}

/** Where nothing is yet: says what the thing is, and how the first one comes about. */
export function Empty({ title, children, action, curl }: EmptyProps) {
  return (
    <section class="empty stack">
      <h2>{title}</h2>
      <p class="quiet">{children}</p>
      {action !== undefined && <div class="buttons">{action}</div>}
      {curl}
    </section>
  );
}
