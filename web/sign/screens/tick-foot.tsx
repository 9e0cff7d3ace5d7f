import type { Signal } from "@preact/signals";
import { words } from "../../i18n/i18n.ts";

interface TickFootProps {
  /** the words beside the box, which is never ticked in advance */
  readonly box: string;
  readonly isTicked: Signal<boolean>;
  readonly isBusy: boolean;
  /** empty: nothing is wrong */
  readonly error: string;
}

/** The end of a text that the signer accepts: a checkbox and the Continue button. */
export function TickFoot({ box, isTicked, isBusy, error }: TickFootProps) {
  return (
    <div class="stack tight foot">
      <label class="tick">
        <input
          type="checkbox"
          checked={isTicked.value}
          disabled={isBusy}
          onChange={(event) => (isTicked.value = event.currentTarget.checked)}
        />
        <span>{box}</span>
      </label>
      <p class="error" role="alert">
        {error}
      </p>
      <button type="submit" class="button primary wide" disabled={isBusy}>
        {words.value.continue}
      </button>
    </div>
  );
}
