import type { ComponentChildren } from "preact";
import type { Sending } from "../sending.ts";

interface SubmitProps {
  readonly sending: Sending;
  readonly children: ComponentChildren;
  /** while it is under way */
  readonly meanwhile?: string;
  readonly kind?: "primary" | "danger" | "plain";
  readonly wide?: boolean;
}

/** Stays where it is and keeps the focus while it works: `disabled` would take it away. */
export function Submit({ sending, children, meanwhile = "One moment…", kind = "primary", wide = false }: SubmitProps) {
  const looks = `button${kind === "plain" ? "" : ` ${kind}`}${wide ? " wide" : ""}`;
  return (
    <button type="submit" class={looks} aria-disabled={sending.isBusy}>
      {sending.isBusy ? meanwhile : children}
    </button>
  );
}

interface ActProps extends SubmitProps {
  readonly onAct: () => Promise<unknown>;
  readonly label?: string;
}

/** A button whose press is sent at once. */
export function Act({ sending, onAct, children, meanwhile = "One moment…", kind = "plain", wide = false, label }: ActProps) {
  const looks = `button${kind === "plain" ? "" : ` ${kind}`}${wide ? " wide" : ""}`;
  return (
    <button type="button" class={looks} aria-label={label} aria-disabled={sending.isBusy} onClick={() => void sending.run(onAct)}>
      {sending.isBusy ? meanwhile : children}
    </button>
  );
}
