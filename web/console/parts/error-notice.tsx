import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError, Unreachable } from "../../http.ts";
import { en } from "../words/parts/en.ts";
import type { Refusal as RefusalView } from "./refusal.tsx";

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
  const refusal = error instanceof ApiError ? error : null;
  // Nothing is broken, and another attempt would not find it either.
  if (refusal?.status === 404) {
    return (
      <p class="notice" role="alert">
        {refusal.message}
      </p>
    );
  }
  const details = refusal?.details ?? [];
  const unplaced = details.filter(({ field }) => field === null || !shown.includes(field));
  if (isAtFields && details.length > 0 && unplaced.length === 0) return null;
  const faults = isAtFields ? unplaced : details;
  const isGeneral = refusal?.problem === "invalid_request";
  return (
    <div class="notice bad stack tight" role="alert">
      {refusal !== null && (isGeneral || faults.length > 0 || refusal.status === 403 || refusal.status === 429) ? (
        <Refusal error={refusal} faults={faults} isGeneral={isGeneral} />
      ) : (
        <p>{sentenceOf(error)}</p>
      )}
      <div class="buttons">
        {onRetry !== undefined && (
          <button type="button" class="button" onClick={() => void onRetry()}>
            {retry ?? (refusal?.status === 409 ? words.reload : words.again)}
          </button>
        )}
      </div>
      {refusal !== null && !isGeneral && hasReference(refusal) && <p class="reference">{words.reference(refusal.request_id)}</p>}
    </div>
  );
}

type View = typeof RefusalView;

const Plain: View = ({ error }) => <p>{error.message}</p>;

/** Few refusals need more than their sentence. Without the code for those, the sentence of the API is shown. */
function Refusal(props: Parameters<View>[0]) {
  const [Loaded, setLoaded] = useState<View | null>(null);
  useEffect(
    () =>
      void import("./refusal.tsx").then(
        (loaded) => setLoaded(() => loaded.Refusal),
        () => setLoaded(() => Plain),
      ),
    [],
  );
  return Loaded && <Loaded {...props} />;
}

/** Their sentences say what to do. An operator has nothing to look up about a wrong password, a missing role or a name that is taken. */
const SAYS_ENOUGH: readonly number[] = [401, 403, 409, 413, 422, 429];

const hasReference = ({ status, request_id }: ApiError): boolean => request_id !== "" && !SAYS_ENOUGH.includes(status);

function sentenceOf(error: unknown): string {
  if (error instanceof Unreachable) return words.unreachable;
  return error instanceof ApiError ? error.message : words.broken;
}
