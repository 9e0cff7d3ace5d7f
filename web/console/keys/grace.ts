import { en as words } from "../words/keys/en.ts";

/** How long a rotated key or secret keeps working. */
export const gracePeriods: readonly (readonly [seconds: string, words: string])[] = [
  ["0", words.grace.none],
  ["3600", words.grace.hour],
  ["86400", words.grace.day],
  ["604800", words.grace.week],
];
