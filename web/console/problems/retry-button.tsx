import type { FailedJob } from "@countersign/client/types";
import { call } from "../api.ts";
import { ActionButton } from "../parts/button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { showToast } from "../parts/toast.tsx";
import { useSending } from "../sending.ts";
import { en as words } from "../words/problems/en.ts";
import { countFailed } from "./failed-count.tsx";
import { taskWords } from "./task-words.ts";

/** Asks a worker to try again. Of two members who ask at once, one reads that the problem was handled. */
export function RetryButton({ of, onRetried }: { of: FailedJob; onRetried: () => Promise<void> }) {
  const sending = useSending();
  const retry = async () => {
    await call("retry_problem", { params: { problem_id: of.problem_id } });
    showToast(words.retried);
    await Promise.all([onRetried(), countFailed()]);
  };
  return (
    <>
      {of.can_retry && (
        <span class="unbroken">
          <ActionButton sending={sending} onAction={retry} label={words.retryOf(taskWords(of))}>
            {words.retry}
          </ActionButton>
        </span>
      )}
      <ErrorNotice error={sending.error} onRetry={onRetried} />
    </>
  );
}
