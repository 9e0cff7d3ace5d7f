import { DAY_MS } from "../shared/durations.ts";
import type { ReminderColumns } from "./choices.ts";

interface Waiting extends ReminderColumns {
  readonly sent_at: Date;
  readonly expires_at: Date;
}

/**
 * When the next automatic reminder is due after a moment; null if none is. `last` is the reminder of that moment, if one was sent: without
 * it, the first is still to come. The last reminder replaces one that would come later, and none follows it.
 */
export function nextReminder(envelope: Waiting, now: Date, last: Date | null = null): Date | null {
  const { remind_every_days, remind_first_after_days, remind_last_days_before, sent_at, expires_at } = envelope;
  if (remind_every_days === null) return null;
  const first = inDays(sent_at, remind_first_after_days ?? remind_every_days);
  const regular = last === null && first > now ? first : inDays(last ?? now, remind_every_days);
  const end = remind_last_days_before === null ? null : inDays(expires_at, -remind_last_days_before);
  // An end before the sending says nothing about this envelope: it has less time than that.
  if (end === null || end <= sent_at) return regular;
  if (end <= now) return null;
  return end < regular ? end : regular;
}

const inDays = (from: Date, days: number): Date => new Date(from.getTime() + days * DAY_MS);
