import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { list } from "../api.ts";
import { formatNumber } from "../format-number.ts";
import { useInterval } from "../use-load.ts";
import { en as words } from "../words/problems/en.ts";

const EVERY_S = 300;

/** How much work is not tried any more. */
const failed = signal(0);

/** A failure leaves the last number: the screens say when the service cannot be reached. */
export async function countFailed(): Promise<void> {
  try {
    failed.value = (await list("list_problems", { query: { state: "failed", limit: 1 } })).meta.total;
  } catch {
    // The next attempt follows at the next interval.
  }
}

/** Beside the entry of the menu. */
export function FailedCount() {
  useEffect(() => void countFailed(), []);
  useInterval(EVERY_S, () => void countFailed());
  if (failed.value === 0) return null;
  return (
    <>
      {" "}
      <span class="bell-count">
        {formatNumber(failed.value)}
        <span class="hidden-visually">{words.failed}</span>
      </span>
    </>
  );
}
