import { namesSomebody } from "../1/checks/08-secured-party.ts";

const PLACEHOLDERS: readonly string[] = [
  "tbd",
  "tba",
  "tbc",
  "na",
  "none",
  "null",
  "undefined",
  "unknown",
  "xxx",
  "to be determined",
  "to be advised",
  "to be confirmed",
  "to be named",
  "pending",
  "lender",
  "bank",
  "secured party",
  "assignee",
  "test",
];

/** Whether it says who the party is, and not only what it is or that it is to come. Punctuation and case do not matter. */
export function namesParty(text: string): boolean {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return (
    namesSomebody(text) && !PLACEHOLDERS.includes(plain) && !PLACEHOLDERS.includes(plain.replace(/^the /, "")) && !/^not yet\b/.test(plain)
  );
}
