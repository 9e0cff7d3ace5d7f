import { parseRetryAfter } from "../../outbound/retry-schedule.ts";
import type { Failure, Result } from "../../outbound/send-request.ts";
import { sha256 } from "../../shared/secrets.ts";

/** What a registry answered, or why there is no answer that counts. */
export type Answer =
  | {
      readonly kind: "accepted";
      readonly reference: string;
      /** of the bytes of the answer */
      readonly sha256: string;
    }
  | { readonly kind: "refused"; readonly reference: string | null; readonly reason: string | null; readonly sha256: string }
  | { readonly kind: "failed"; readonly error: AnswerFault; readonly code: number | null; readonly retry_after_seconds: number | null };

export type AnswerFault = Failure | "redirect" | "http_error" | "answer_too_big" | "answer_not_json" | "answer_not_understood";

const MOST_CHARACTERS = 200;

/** Only a status of 200 to 299 with `{accepted, reference}` in JSON is an answer; everything else is asked again. */
export function readAnswer(result: Result): Answer {
  if (result.kind === "failed") return { ...result, code: null, retry_after_seconds: null };
  const { code, headers, body, complete } = result;
  const failed = (error: AnswerFault): Answer => {
    return { kind: "failed", error, code, retry_after_seconds: parseRetryAfter(headers["retry-after"], Date.now()) };
  };
  if (code >= 300 && code < 400) return failed("redirect");
  if (code < 200 || code >= 300) return failed("http_error");
  if (!complete) return failed("answer_too_big");
  const said = jsonOf(body);
  if (said === null) return failed("answer_not_json");
  const { accepted, reference, reason } = said;
  const hash = sha256(body).toString("hex");
  if (accepted === true && isText(reference)) return { kind: "accepted", reference, sha256: hash };
  if (accepted !== false) return failed("answer_not_understood");
  return { kind: "refused", reference: isText(reference) ? reference : null, reason: isText(reason) ? reason : null, sha256: hash };
}

/** The status alone: a registry that is only told need not answer anything. */
export const isTold = (result: Result): boolean => result.kind === "answered" && result.code >= 200 && result.code < 300;

function jsonOf(body: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "" && value.length <= MOST_CHARACTERS && !/[\p{Cc}\p{Cs}]/u.test(value);
