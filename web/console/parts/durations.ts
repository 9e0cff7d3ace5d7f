export const SECOND_MS = 1_000;
export const DAY_MS = 86_400 * SECOND_MS;
