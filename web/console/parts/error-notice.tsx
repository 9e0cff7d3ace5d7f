import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError, Unreachable } from "../../http.ts";
import { session } from "../session.ts";
import { en } from "../words/parts/en.ts";

const words = en.error;

interface ErrorNoticeProps {
  readonly error: unknown;
  /** tries again */
  readonly onRetry?: () => unknown;
  /** the words of its button, if it does something else */
  readonly retry?: string;
  /** fields that show their own errors */
  readonly shown?: readonly string[];
  /** they do show errors now, so that an error with nothing else to say is not repeated here */
  readonly isAtFields?: boolean;
}

/** An error in the API's words, with what the user can do about it. */
export function ErrorNotice(props: ErrorNoticeProps) {
  if (props.error === null || props.error === undefined) return null;
  const isLimited = props.error instanceof ApiError && props.error.status === 429;
  return isLimited && props.onRetry !== undefined ? <LimitNotice {...props} onRetry={props.onRetry} /> : <Notice {...props} />;
}

/** What the parts of the screen do to load again, while the limit of requests stops them. */
const limited = signal<readonly (() => unknown)[]>([]);

/** The limit stops all parts of a screen at once. The first notice speaks for all of them, and its button loads all of them. */
function LimitNotice(props: ErrorNoticeProps & { readonly onRetry: () => unknown }) {
  const retry = useRef(props.onRetry);
  retry.current = props.onRetry;
  const own = useRef(() => retry.current()).current;
  useLayoutEffect(() => {
    limited.value = [...limited.peek(), own];
    return () => {
      limited.value = limited.peek().filter((one) => one !== own);
    };
  }, []);
  if (limited.value[0] !== own) return null;
  return <Notice {...props} onRetry={() => limited.peek().map((one) => one())} />;
}

function Notice({ error, onRetry, retry, shown = [], isAtFields = false }: ErrorNoticeProps) {
  const unplaced = error instanceof ApiError ? error.details.filter(({ field }) => field === null || !shown.includes(field)) : [];
  if (isAtFields && error instanceof ApiError && error.details.length > 0 && unplaced.length === 0) return null;
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
            {retry ?? (error instanceof ApiError && error.status === 409 ? words.reload : words.again)}
          </button>
        )}
      </div>
      {error instanceof ApiError && hasReference(error) && <p class="reference">{words.reference(error.request_id)}</p>}
    </div>
  );
}

/** A wrong password or a missing role is nothing to ask an operator about. */
const hasReference = ({ status, request_id }: ApiError): boolean => request_id !== "" && status !== 401 && status !== 403;

function sentenceOf(error: unknown): string {
  if (error instanceof Unreachable) return words.unreachable;
  if (!(error instanceof ApiError)) return words.broken;
  if (error.status === 403 && error.code !== "reauthentication_required") return words.role(error.message, session.value?.role ?? "none");
  return error.message;
}

function RetryCountdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <p>{words.wait(left)}</p>;
}
