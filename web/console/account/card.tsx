import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { en as frame } from "../words/frame/en.ts";
import { en as words } from "../words/parts/en.ts";

interface AccountCardProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The page for visitors who are not logged in: one card with one task. */
export function AccountCard({ title, lead, children }: AccountCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = words.pageTitle(title);
    heading.current?.focus();
  }, [title]);
  return (
    <main class="account">
      <p class="brand">{frame.product}</p>
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
