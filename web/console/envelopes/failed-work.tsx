import type { FailedJob } from "@countersign/client/types";
import { list } from "../api.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { RetryButton } from "../problems/retry-button.tsx";
import { taskWords } from "../problems/task-words.ts";
import { useInterval, useLoad } from "../use-load.ts";
import { en as words } from "../words/problems/en.ts";

// The same interval as on the rest of the screen.
const EVERY_S = 5;

/** What did not work for this envelope and is not settled. `changed`: differs whenever something happened */
export function FailedWork({ envelope_id, changed }: { envelope_id: string; changed: string }) {
  const loaded = useLoad(`problems ${envelope_id} ${changed}`, () => list("list_problems", { query: { envelope_id, limit: 20 } }));
  const problems = loaded.data?.data ?? [];
  useInterval(EVERY_S, () => void loaded.reload(), problems.length > 0);
  return (
    <>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {problems.map((problem) => (
        <Banner key={problem.problem_id} of={problem} onRetried={loaded.reload} />
      ))}
    </>
  );
}

function Banner({ of, onRetried }: { of: FailedJob; onRetried: () => Promise<void> }) {
  const { state, explanation } = of;
  return (
    <div class={state === "failed" ? "notice bad stack tight" : "notice stack tight"} role="status">
      <p>
        <strong>{taskWords(of)}.</strong> {leadOf(state)}. {explanation}
      </p>
      <div class="buttons">
        <RetryButton of={of} onRetried={onRetried} />
      </div>
    </div>
  );
}

/** Settled problems are not asked for. */
const leadOf = (state: FailedJob["state"]): string =>
  state === "resolved" || state === "discarded" ? words.states[state] : words.banner[state];
