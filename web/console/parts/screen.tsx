import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { session } from "../session.ts";
import { en as words } from "../words/parts/en.ts";
import { lazy } from "./lazy.tsx";

const NewRole = lazy(async () => (await import("./new-role.tsx")).NewRole);

interface ScreenProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  /** above the title: a link back to the list */
  readonly above?: ComponentChildren;
  /** buttons beside the title; below the lead on a phone */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen. Its title is also the page title, and it gets the focus so that screen readers announce the new screen. */
export function Screen({ title, lead, above, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  // An admin can change the role while the screen is open. Parts that the new role does not have are gone, with what was entered there.
  const [roleAtFirst] = useState(() => session.peek()?.role);
  const role = session.value?.role;
  useEffect(() => {
    document.title = words.pageTitle(title);
  }, [title]);
  return (
    <div class="screen">
      <header class="screen-head">
        {above}
        <div class="screen-line">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <div class="screen-lead quiet">{lead}</div>}
          {actions !== undefined && <div class="buttons">{actions}</div>}
        </div>
      </header>
      {role !== undefined && role !== roleAtFirst && <NewRole role={role} />}
      {children}
    </div>
  );
}
