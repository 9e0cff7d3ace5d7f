import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import { DAY_MS, HOUR_MS } from "../shared/durations.ts";
import { invalidField } from "../shared/problems.ts";
import { type Choices, reminderColumns, remindersOf } from "./choices.ts";
import type { Envelope } from "./envelope.ts";
import { nextReminder } from "./next-reminder.ts";
import { updateOpen } from "./store.ts";

interface SentChange extends Pick<Choices, "reminders"> {
  readonly expires_at?: string;
}

/**
 * Changes the expiry or the reminders of a locked envelope that people act on. Loses against the sweep if the envelope has expired, and the
 * sweep loses against an expiry that was moved. Links that were handed over keep the end that they were given.
 */
export async function changeSent(tx: Tx, caller: Caller, now: Envelope, change: SentChange): Promise<void> {
  const { org } = caller;
  const { envelope_id, sent_at, expires_at: from } = now;
  if (sent_at === null || from === null) throw new Error(`the open envelope ${envelope_id} was not sent`);
  const expires_at = change.expires_at === undefined ? from : expiryOf(change.expires_at, tx.now);
  const reminders = { ...now, ...(change.reminders !== undefined && reminderColumns(change.reminders)) };
  const { remind_every_days, remind_first_after_days, remind_last_days_before } = reminders;
  await updateOpen(tx, org, envelope_id, {
    expires_at,
    remind_every_days,
    remind_first_after_days,
    remind_last_days_before,
    next_reminder_at: nextReminder({ ...reminders, sent_at, expires_at }, tx.now),
  });
  if (expires_at.getTime() !== from.getTime()) {
    const data = { from: from.toISOString(), to: expires_at.toISOString() };
    await appendAudit(tx, org, { type: "envelope.expiry_changed", by: caller, envelope_id, data });
  }
  if (change.reminders !== undefined) {
    const data = { from: remindersOf(now), to: remindersOf(reminders) };
    await appendAudit(tx, org, { type: "envelope.reminders_changed", by: caller, envelope_id, data });
  }
}

const MAX_DAYS = 365;

function expiryOf(text: string, now: Date): Date {
  const expires_at = new Date(text);
  const ahead = expires_at.getTime() - now.getTime();
  if (ahead < HOUR_MS) throw invalidField("expires_at", "too_small", "must be at least 1 hour from now");
  if (ahead > MAX_DAYS * DAY_MS) throw invalidField("expires_at", "too_big", `must be at most ${MAX_DAYS} days from now`);
  return expires_at;
}
