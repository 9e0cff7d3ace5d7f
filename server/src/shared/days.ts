import { DAY_MS } from "./durations.ts";

/** Whole days in UTC, ending with today. */
export interface Span {
  readonly since: Date;
  readonly days: number;
}

export const lastDays = (days: number, now: number): Span => ({ since: new Date((Math.floor(now / DAY_MS) + 1 - days) * DAY_MS), days });
