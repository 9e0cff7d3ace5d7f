import { ApiError } from "../../http.ts";
import type { Sending } from "../sending.ts";
import { en as words } from "../words/keys/en.ts";

/** Until when and from where a key works, as its form has it. */

/** The last day of a key in the browser's time zone, as a date field has it; empty if it does not expire. */
export function dayOf(expires_at: string | null): string {
  if (expires_at === null) return "";
  const last = new Date(Date.parse(expires_at) - 1);
  const pad = (n: number) => String(n).padStart(2, "0");
  return `${last.getFullYear()}-${pad(last.getMonth() + 1)}-${pad(last.getDate())}`;
}

/** The end of the day; null without one. */
export function endOf(day: string): string | null {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return day === "" ? null : new Date(year, month - 1, date + 1).toISOString();
}

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
