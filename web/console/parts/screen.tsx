import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface ScreenProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  /** what stands above the title: where one came from */
  readonly above?: ComponentChildren;
  /** buttons at the end of the title's line */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen: its title is the page's, and takes the focus when the screen comes, so that those who hear it know where they are. */
export function Screen({ title, lead, above, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    document.title = `${title} · Countersign`;
  }, [title]);
  return (
    <div class="screen">
      <header class="screen-head">
        {above}
        <div class="screen-line">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {actions !== undefined && <div class="buttons">{actions}</div>}
        </div>
        {lead !== undefined && <div class="quiet">{lead}</div>}
      </header>
      {children}
    </div>
  );
}
