import type { ComponentChildren } from "preact";
import { GlyphBox, type GlyphName } from "./glyph.tsx";

interface EmptyProps {
  readonly title: string;
  /** what this list is for */
  readonly children: ComponentChildren;
  readonly glyph?: GlyphName;
  readonly action?: ComponentChildren;
  /** the API call that creates the first entry */
  readonly curl?: ComponentChildren;
}

/** An empty list. Explains what it is for and how to create the first entry. */
export function Empty({ title, children, glyph = "inbox", action, curl }: EmptyProps) {
  return (
    <section class="empty stack">
      <GlyphBox name={glyph} />
      <h2>{title}</h2>
      <p class="quiet">{children}</p>
      {action !== undefined && <div class="buttons">{action}</div>}
      {curl}
    </section>
  );
}
