import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { appendEvent } from "../events/append-event.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { type Detail, Problem } from "../shared/problems.ts";
import { listRecipients, markReminded } from "../signing/store.ts";
import { atTurn, type Recipient } from "../signing/submission.ts";
import { type Envelope, type EnvelopeDeps, open, routeOf } from "./envelope.ts";
import { remind } from "./notify.ts";
import { lockRow, wrongStatus } from "./store.ts";

export interface Reminded {
  readonly envelope_id: EnvelopeId;
  readonly reminded: readonly string[];
  readonly reminded_at: Date;
}

/** The people whose turn it is and who have not acted, limited to `emails` if given. Those who were just reminded, or get no mail, are left out. */
export function remindSigners(deps: EnvelopeDeps, caller: Caller, envelope_id: EnvelopeId, emails?: readonly string[]): Promise<Reminded> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const envelope = await lockRow(tx, org, envelope_id);
    if (!open.includes(envelope.status)) throw wrongStatus("remind", envelope.status);
    const recipients = await listRecipients(tx, org, envelope_id);
    if (emails !== undefined) refuseUnknown(emails, recipients);
    const asked = atTurn(recipients).filter(
      ({ email, delivery }) => delivery === "email" && (emails === undefined || emails.some((one) => isSame(one, email))),
    );
    if (asked.length === 0) throw new Problem("nobody_to_remind");
    const due = asked.filter((signer) => isDue(signer, tx.now, deps.remindMinSeconds));
    if (due.length === 0) throw new Problem("reminded_already", "", { retryAfterSeconds: deps.remindMinSeconds });
    await recordReminder(deps, tx, caller, envelope, due);
    return { envelope_id, reminded: due.map(({ email }) => email), reminded_at: tx.now };
  });
}

/** Queues the mail and records the entry and the event. */
export async function recordReminder(
  deps: EnvelopeDeps,
  tx: Tx,
  caller: Caller,
  envelope: Envelope,
  due: readonly Recipient[],
): Promise<void> {
  const { org } = caller;
  const { envelope_id } = envelope;
  const reminded = due.map(({ email }) => email);
  await markReminded(
    tx,
    org,
    due.map(({ slug }) => slug),
  );
  await remind(deps, tx, org, envelope, due);
  await appendAudit(tx, org, { type: "envelope.reminded", by: caller, envelope_id, data: { reminded } });
  await appendEvent(tx, org, { type: "envelope.reminder_sent", envelope_id, data: { envelope_id, reminded, ...routeOf(envelope) } });
}

export function submissionOf({ submission_id }: Envelope) {
  if (submission_id === null) throw new Error("a sent envelope has no submission");
  return submission_id;
}

const isSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.toLowerCase();

function refuseUnknown(emails: readonly string[], recipients: readonly Recipient[]): void {
  const details = emails.flatMap((email, index): Detail[] =>
    recipients.some((one) => isSame(email, one.email))
      ? []
      : [{ location: "body", field: `emails[${index}]`, code: "not_found", message: "is not a recipient of this envelope" }],
  );
  if (details.length > 0) throw new Problem("invalid_request", "unknown e-mails", { details });
}

/** The invitation does not count as a reminder. */
function isDue({ reminded_at }: Recipient, now: Date, seconds: number): boolean {
  return reminded_at === null || now.getTime() - reminded_at.getTime() >= seconds * 1000;
}
