import { vault } from "../../i18n/vault/vault.ts";
import { type Act, failed, isUnderway } from "../acts.ts";

interface ActButtonProps {
  readonly act: Act;
  readonly run: () => Promise<void>;
  readonly children: string;
  readonly kind?: "primary" | "plain";
  /** accessible name, if the visible text is too short */
  readonly label?: string;
  /** text while it runs */
  readonly meanwhile?: string;
}

/** `aria-disabled` while it runs, because `disabled` would lose the focus. */
export function ActButton({ act, run, children, kind = "plain", label, meanwhile }: ActButtonProps) {
  const isBusy = isUnderway(act);
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
export function Failure({ acts }: { acts: readonly Act[] }) {
  const now = failed.value;
  const isHere = now !== null && acts.includes(now.act);
  return (
    <p class="error" role="status">
      {!isHere ? "" : now.reference === null ? vault.value.failedLater : vault.value.failed(now.reference)}
    </p>
  );
}
