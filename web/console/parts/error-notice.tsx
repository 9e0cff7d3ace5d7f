import { useEffect, useState } from "preact/hooks";
import { ApiError, Unreachable } from "../../http.ts";
import { session } from "../session.ts";

interface ErrorNoticeProps {
  readonly error: unknown;
  /** tries again */
  readonly onRetry?: () => unknown;
  /** fields that show their own errors */
  readonly shown?: readonly string[];
}

/** An error in the API's words, with what the user can do about it. */
export function ErrorNotice({ error, onRetry, shown = [] }: ErrorNoticeProps) {
  if (error === null || error === undefined) return null;
  const unplaced = error instanceof ApiError ? error.details.filter(({ field }) => field === null || !shown.includes(field)) : [];
  return (
    <div class="notice bad stack tight" role="alert">
      <p>{sentenceOf(error)}</p>
      {unplaced.length > 0 && (
        <ul class="details">
          {unplaced.map(({ field, message }) => (
            <li key={`${field} ${message}`}>{field === null ? message : `${field} ${message}`}</li>
          ))}
        </ul>
      )}
      {error instanceof ApiError && error.status === 429 && <RetryCountdown seconds={error.retry_after_s ?? 60} />}
      <div class="buttons">
        {onRetry !== undefined && (
          <button type="button" class="button" onClick={() => void onRetry()}>
            {error instanceof ApiError && error.status === 409 ? "Reload" : "Try again"}
          </button>
        )}
      </div>
      {error instanceof ApiError && error.request_id !== "" && <p class="reference">Reference {error.request_id}</p>}
    </div>
  );
}

function sentenceOf(error: unknown): string {
  if (error instanceof Unreachable) return "Countersign is not responding. Check your network connection. Nothing you entered is lost.";
  if (!(error instanceof ApiError)) return "Something went wrong on this page. Reload it.";
  if (error.status === 403) return `${error.message}. Your role is ${session.value?.role ?? "none"}. An admin can change it.`;
  return error.message;
}

function RetryCountdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <p>{left > 0 ? `You can try again in ${left} s.` : "You can try again now."}</p>;
}
