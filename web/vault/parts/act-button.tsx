import { vault } from "../../i18n/vault/vault.ts";
import { type Act, failed, isUnderway } from "../acts.ts";

interface ActButtonProps {
  readonly act: Act;
  readonly run: () => Promise<void>;
  readonly children: string;
  readonly kind?: "primary" | "plain";
  /** for those who hear it, where what is to be seen is short */
  readonly label?: string;
  /** while it runs */
  readonly meanwhile?: string;
}

/** Stays where it is and keeps the focus while it works: `disabled` would take it away. */
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

/** What became of the last attempt, where it was made. */
export function Failure({ acts }: { acts: readonly Act[] }) {
  const now = failed.value;
  const isHere = now !== null && acts.includes(now.act);
  return (
    <p class="error" role="status">
      {!isHere ? "" : now.reference === null ? vault.value.failedLater : vault.value.failed(now.reference)}
    </p>
  );
}
