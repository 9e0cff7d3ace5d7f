import type { ErrorDetail } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import type { ApiError } from "../../http.ts";
import { session } from "../session.ts";
import { en as words } from "../words/refusals/en.ts";
import { faultSentence } from "./fault-sentence.ts";

interface RefusalProps {
  readonly error: ApiError;
  /** what no field shows */
  readonly faults: readonly ErrorDetail[];
  /** the sentence of the API says nothing besides its details */
  readonly isGeneral: boolean;
}

/** Refusals that need more than the sentence of the API. Their code is loaded with the first of them. */
export function Refusal({ error, faults, isGeneral }: RefusalProps) {
  const sentences = faults.map(faultSentence);
  const [only] = sentences;
  const isAlone = isGeneral && sentences.length === 1;
  return (
    <>
      <p>{isAlone ? only : isGeneral ? words.refused : headOf(error)}</p>
      {!isAlone && sentences.length > 0 && (
        <ul class="details">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {error.status === 429 && <RetryCountdown seconds={error.retry_after_s ?? 60} />}
    </>
  );
}

/** Refusals because of the role. The others with 403 are about the person or the record, and another role would not change them. */
const ofRole: readonly string[] = ["scope_missing", "admin_required", "insufficient_permission", "role_too_low"];

function headOf(error: ApiError): string {
  const role = session.value?.role;
  if (role === undefined || !ofRole.includes(error.problem)) return error.message;
  return words.role(error.message, role.replace("_", " "));
}

function RetryCountdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <p>{words.wait(left)}</p>;
}
