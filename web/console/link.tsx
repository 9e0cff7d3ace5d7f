import type { ComponentChildren, JSX } from "preact";
import { hrefOf, navigate } from "./navigation.ts";

interface LinkProps extends Omit<JSX.HTMLAttributes<HTMLAnchorElement>, "href"> {
  /** within the console: `/envelopes` */
  readonly to: string;
  readonly children: ComponentChildren;
}

/** A real link, so that it can be opened in another tab. A plain click changes the screen without loading the page again. */
export function Link({ to, children, ...more }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a {...more} href={hrefOf(to)} onClick={follow}>
      {children}
    </a>
  );
}
