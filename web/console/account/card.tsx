import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface AccountCardProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The page for visitors who are not logged in: one card with one task. */
export function AccountCard({ title, lead, children }: AccountCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Countersign`;
    heading.current?.focus();
  }, [title]);
  return (
    <main class="account">
      <p class="brand">Countersign</p>
      <div class="account-card stack">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p class="quiet">{lead}</p>}
        {children}
      </div>
    </main>
  );
}

export const PASSWORD_HINT = "At least 12 characters. A few unrelated words work well.";
