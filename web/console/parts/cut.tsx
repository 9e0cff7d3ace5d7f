import type { ComponentChildren } from "preact";

/** Longer names are cut after two lines of their place. */
const LONG = 60;

const isLong = (content: unknown): content is string => typeof content === "string" && content.length > LONG;

/** The whole text, for the place that shows it cut. Undefined if it is short enough to be shown whole. */
export const wholeOf = (content: unknown): string | undefined => (isLong(content) ? content : undefined);

/** A name that ends after two lines with an ellipsis. Pointing at it shows the whole name, and so does the screen of what it names. */
export const cut = (content: ComponentChildren): ComponentChildren =>
  isLong(content) ? (
    <span class="cut" title={content}>
      {content}
    </span>
  ) : (
    content
  );
