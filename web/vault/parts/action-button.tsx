import { vault } from "../../i18n/vault/vault.ts";
import { type Action, failed, isRunning } from "../actions.ts";

interface ActionButtonProps {
  readonly action: Action;
  readonly run: () => Promise<void>;
  readonly children: string;
  readonly kind?: "primary" | "plain";
  /** accessible name, if the visible text is too short */
  readonly label?: string;
  /** text while it runs */
  readonly meanwhile?: string;
}

/** `aria-disabled` while it runs, because `disabled` would lose the focus. */
export function ActionButton({ action, run, children, kind = "plain", label, meanwhile }: ActionButtonProps) {
  const isBusy = isRunning(action);
  return (
    <button
      type="button"
      class={kind === "primary" ? "button primary wide" : "button wide"}
      aria-disabled={isBusy}
      aria-label={isBusy ? undefined : label}
      onClick={() => void run()}
    >
      {isBusy ? (meanwhile ?? vault.value.working) : children}
    </button>
  );
}

/** The error of the last attempt of these actions. */
export function Failure({ actions }: { actions: readonly Action[] }) {
  const now = failed.value;
  const isHere = now !== null && actions.includes(now.action);
  return (
    <p class="error" role="status">
      {!isHere ? "" : now.reference === null ? vault.value.failedLater : vault.value.failed(now.reference)}
    </p>
  );
}
