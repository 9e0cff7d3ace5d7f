import type { Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, RecipientId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { notingMismatch } from "../signing/noting-mismatch.ts";
import { type ProvenRecord, provenRecord } from "../signing/proven-record.ts";
import { listRecipients } from "../signing/store.ts";
import { hasFinished, isActing, type Recipient, runningStep } from "../signing/submission.ts";
import { type Envelope, type EnvelopeDeps, open } from "./envelope.ts";
import { recordDeps } from "./on-submission.ts";
import { lockRow, wrongStatus } from "./store.ts";

/** What adding, changing and removing a person of a sent envelope have in common. */

/** A sent envelope under its lock, with rows that were compared with the audit chain: a changed row must not become part of a new hash. */
export interface OpenEnvelope {
  readonly envelope: Envelope;
  readonly record: ProvenRecord;
}

export function onOpenEnvelope<T>(
  deps: EnvelopeDeps,
  { org }: Caller,
  envelope_id: EnvelopeId,
  change: (tx: Tx, found: OpenEnvelope) => Promise<T>,
): Promise<T> {
  const run = async (tx: Tx): Promise<T> => {
    const envelope = await lockRow(tx, org, envelope_id);
    if (!open.includes(envelope.status)) throw wrongStatus("change recipients", envelope.status);
    return change(tx, { envelope, record: await provenRecord(recordDeps(deps), tx, org, envelope_id) });
  };
  return notingMismatch(recordDeps(deps), org, () => deps.db.tx(org, run));
}

/** The same for a missing envelope, so that the response does not reveal which of the two is missing. */
export function onOpenRecipient<T>(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  recipient_id: RecipientId,
  change: (tx: Tx, found: OpenEnvelope & { readonly before: Recipient }) => Promise<T>,
): Promise<T> {
  const find = (recipients: readonly Recipient[]): Recipient => {
    const found = recipients.find((one) => one.recipient_id === recipient_id);
    if (found === undefined) throw new Problem("recipient_not_found");
    return found;
  };
  const isThere = () => deps.db.tx(caller.org, async (tx) => find(await listRecipients(tx, caller.org, envelope_id)));
  return isThere().then(() =>
    onOpenEnvelope(deps, caller, envelope_id, (tx, found) => {
      const before = find(found.record.recipients);
      if (hasFinished(before) || before.status === "declined" || before.status === "delivered") throw new Problem("recipient_has_acted");
      return change(tx, { ...found, before });
    }),
  );
}

/** An address belongs to one person of an envelope. */
export function refuseTaken(recipients: readonly Recipient[], email: string, before?: Recipient): void {
  const isTaken = recipients.some((other) => other !== before && other.email.toLowerCase() === email.toLowerCase());
  if (isTaken) throw invalidField("email", "duplicate", "belongs to another recipient of this envelope");
}

/** The step that a person gets. Gaps are closed, and a step that is over cannot be joined by a person who acts. */
export function stepFor(recipients: readonly Recipient[], kind: Recipient["kind"], step: number): number {
  const running = runningStep(recipients) ?? 1;
  if (isActing({ kind }) && step < running) {
    throw invalidField("step", "too_small", `must be at least ${running}, the step that is running`);
  }
  return Math.min(step, Math.max(...recipients.map((one) => one.step ?? 0)) + 1);
}
