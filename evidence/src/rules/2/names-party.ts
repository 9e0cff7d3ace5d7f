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
  const words = text.normalize("NFKC").toLowerCase();
  // "T.B.D." is one word, "to-be-named" three.
  const readings = ["", " "].map((gap) =>
    words
      .replace(/[^\p{L}\p{N}\s]+/gu, gap)
      .replace(/\s+/g, " ")
      .trim()
      .replace(/^the /, ""),
  );
  return namesSomebody(text) && !readings.some((reading) => PLACEHOLDERS.includes(reading) || /^not yet\b/.test(reading));
}
