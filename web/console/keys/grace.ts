/** How long a rotated key or secret keeps working. */
export const gracePeriods: readonly (readonly [seconds: string, words: string])[] = [
  ["0", "None (stops immediately)"],
  ["3600", "1 hour"],
  ["86400", "24 hours"],
  ["604800", "7 days"],
];
