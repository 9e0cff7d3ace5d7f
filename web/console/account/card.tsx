import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface AccountCardProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The page for those who are not signed in: one card, one thing to do. */
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

export const PASSWORD_HINT = "12 characters or more. A few words that do not belong together are good.";
