import type { ComponentChildren } from "preact";
import type { Sending } from "../sending.ts";

interface SubmitProps {
  readonly sending: Sending;
  readonly children: ComponentChildren;
  /** the label while the action runs */
  readonly meanwhile?: string;
  readonly kind?: "primary" | "danger" | "plain";
  readonly wide?: boolean;
}

/** Uses `aria-disabled` while it is busy, because `disabled` would lose the focus. */
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

/** A button that runs an action directly, without a form. */
export function Act({ sending, onAct, children, meanwhile = "One moment…", kind = "plain", wide = false, label }: ActProps) {
  const looks = `button${kind === "plain" ? "" : ` ${kind}`}${wide ? " wide" : ""}`;
  return (
    <button type="button" class={looks} aria-label={label} aria-disabled={sending.isBusy} onClick={() => void sending.run(onAct)}>
      {sending.isBusy ? meanwhile : children}
    </button>
  );
}
