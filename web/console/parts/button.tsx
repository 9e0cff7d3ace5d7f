import type { ComponentChildren } from "preact";
import type { Sending } from "../sending.ts";
import { en as words } from "../words/parts/en.ts";

interface SubmitButtonProps {
  readonly sending: Sending;
  readonly children: ComponentChildren;
  /** the label while the action runs */
  readonly busyLabel?: string;
  readonly kind?: "primary" | "danger" | "plain";
  readonly wide?: boolean;
}

/** Uses `aria-disabled` while it is busy, because `disabled` would lose the focus. */
export function SubmitButton({ sending, children, busyLabel = words.busy, kind = "primary", wide = false }: SubmitButtonProps) {
  const className = `button${kind === "plain" ? "" : ` ${kind}`}${wide ? " wide" : ""}`;
  return (
    <button type="submit" class={className} aria-disabled={sending.isBusy}>
      {sending.isBusy ? busyLabel : children}
    </button>
  );
}

interface ActionButtonProps extends SubmitButtonProps {
  readonly onAction: () => Promise<unknown>;
  readonly label?: string;
}

/** A button that runs an action directly, without a form. */
export function ActionButton({
  sending,
  onAction,
  children,
  busyLabel = words.busy,
  kind = "plain",
  wide = false,
  label,
}: ActionButtonProps) {
  const className = `button${kind === "plain" ? "" : ` ${kind}`}${wide ? " wide" : ""}`;
  return (
    <button type="button" class={className} aria-label={label} aria-disabled={sending.isBusy} onClick={() => void sending.run(onAction)}>
      {sending.isBusy ? busyLabel : children}
    </button>
  );
}
