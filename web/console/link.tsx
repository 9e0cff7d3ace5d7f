import type { ComponentChildren, JSX } from "preact";
import { canOpen } from "./can-open.ts";
import { hrefOf, navigate } from "./navigation.ts";

interface LinkProps extends Omit<JSX.HTMLAttributes<HTMLAnchorElement>, "href" | "onClick"> {
  /** within the console: `/envelopes` */
  readonly to: string;
  readonly children: ComponentChildren;
  /** called before the link is followed, here or in another tab */
  readonly onFollow?: () => void;
}

/**
 * A real link, so that it can be opened in another tab. A plain click changes the screen without loading the page again. To a screen that the
 * user's role does not have, only the words.
 */
export function Link({ to, children, onFollow, ...more }: LinkProps) {
  const follow = (event: MouseEvent) => {
    onFollow?.();
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  if (!canOpen(to)) return <span>{children}</span>;
  return (
    <a {...more} href={hrefOf(to)} onClick={follow}>
      {children}
    </a>
  );
}
