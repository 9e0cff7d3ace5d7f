import { ApiError } from "../http.ts";
import { type Ending, ending } from "./ceremony.ts";

/** What an error of the service means for the page. */
export type ErrorMeaning =
  | { readonly kind: "over" }
  | { readonly kind: "ending"; readonly why: Ending; readonly reference?: string }
  /** the state of the ceremony has changed: it is read again */
  | { readonly kind: "read_again"; readonly code: string };

const ended = ["voided", "expired", "declined"] as const;
const endings: readonly Ending[] = [...ended, "record_mismatch", "not_your_task"];

export const isEndedStatus = (status: string): status is (typeof ended)[number] => ended.some((one) => one === status);

export function interpretError(error: unknown): ErrorMeaning {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 401) return { kind: "over" };
  if (error.status === 404) return { kind: "ending", why: "not_found" };
  const why = endings.find((one) => one === error.code);
  if (why !== undefined) return { kind: "ending", why };
  if (error.status === 409 || error.status === 403) return { kind: "read_again", code: error.code };
  return { kind: "ending", why: "problem", reference: error.request_id };
}

/** `said`: the sender's reason. */
export function endWith(why: Ending, more: { readonly reference?: string; readonly said?: string | null } = {}): void {
  ending.value = { why, ...more };
}
