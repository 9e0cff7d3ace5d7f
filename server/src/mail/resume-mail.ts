import type { MessageId } from "../shared/ids.ts";
import type { SendingDeps } from "./message.ts";
import { type Attempted, sendMail } from "./send-mail.ts";
import { listDueMessages } from "./store.ts";

const BATCH = 100;
// The sweep runs every minute. A longer one would overlap with the next.
const SWEEP_MS = 50_000;

export type Resumed = Attempted & { readonly message_id: MessageId };

/**
 * Sends the messages that are due: after a pause, after a worker died, or because there was no mail server when they were queued.
 * An unavailable server ends the sweep, so that an outage uses up one attempt of one message per minute, not one of every message.
 */
export async function resumeMail(deps: SendingDeps, onAttempt: (resumed: Resumed) => void = () => undefined): Promise<void> {
  if (deps.smtp === null) return;
  const end = Date.now() + SWEEP_MS;
  for (;;) {
    const due = await deps.db.system((tx) => listDueMessages(tx, BATCH));
    for (const message_id of due) {
      const attempted = await sendMail(deps, message_id);
      if (attempted !== null) onAttempt({ ...attempted, message_id });
      if (attempted?.outcome.kind === "away" || Date.now() > end) return;
    }
    if (due.length < BATCH) return;
  }
}
