import { ApiError } from "../../http.ts";
import type { Sending } from "../sending.ts";
import { en as words } from "../words/keys/en.ts";
import { filterDay, inputDay, midnight } from "../zone-inputs.ts";

/** Until when and from where a key works, as its form has it. */

/** The last day of a key in the user's time zone, as a date field has it; empty if it does not expire. */
export const dayOf = (expires_at: string | null): string =>
  expires_at === null ? "" : inputDay(new Date(Date.parse(expires_at) - 1).toISOString());

/** The end of the day; null without one. The service refuses what is no day; without a time, the key would never expire. */
export const endOf = (day: string): string | null => (day === "" ? null : (midnight(filterDay(day), 1) ?? day));

/** One in each line. Empty lines are left out. */
export const addressesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The error about one of the addresses names it. */
export function withLines(sending: Sending, text: string): Sending {
  const errorOf = (field: string): string | null => {
    const { error } = sending;
    const found = error instanceof ApiError ? error.details.find((one) => one.field?.startsWith(`${field}[`)) : undefined;
    if (found === undefined) return sending.errorOf(field);
    const line = addressesOf(text)[Number(/\d+/.exec(found.field ?? "")?.[0])] ?? "";
    return words.form.addressError(line, found.message);
  };
  return { ...sending, errorOf };
}
