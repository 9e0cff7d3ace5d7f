/** How long what is rotated goes on working. */
export const graces: readonly (readonly [seconds: string, words: string])[] = [
  ["0", "No longer: it ends at once"],
  ["3600", "1 hour"],
  ["86400", "24 hours"],
  ["604800", "7 days"],
];
