import { appendAudit } from "../audit/append-audit.ts";
import { appendEvent } from "../events/append-event.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { withoutDirections } from "../shared/without-directions.ts";
import { cancelSigners, endSubmission, listRecipients } from "../signing/store.ts";
import { isWaiting } from "../signing/submission.ts";
import { type Envelope, type EnvelopeDeps, routeOf } from "./envelope.ts";
import { forgetLiveBuckets } from "./list-store.ts";
import { tellEnded, withdrawLinks } from "./notify.ts";
import { refuseSentToDrafter } from "./require-own-draft.ts";
import { findEnvelope, lockRow, moveEnvelope } from "./store.ts";

/** Ends signing of an envelope. `discard` is only for drafts; a draft that is voided is discarded too, because no one was asked to sign. */
export function voidEnvelope(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  said: string,
  move: "void" | "discard" = "void",
): Promise<Envelope> {
  const { org } = caller;
  const reason = withoutDirections(said);
  return deps.db.tx(org, async (tx) => {
    const before = await lockRow(tx, org, envelope_id);
    refuseSentToDrafter(caller, before);
    const isDraft = before.sent_at === null;
    const discarded = isDraft ? { discarded_at: tx.now } : {};
    await moveEnvelope(tx, org, envelope_id, move, { reason, ended_at: tx.now, next_reminder_at: null, ...discarded });
    if (isDraft) await forgetLiveBuckets(tx, org, envelope_id);
    const { submission_id } = before;
    if (submission_id !== null) {
      const waiting = (await listRecipients(tx, org, envelope_id)).filter(isWaiting);
      await endSubmission(tx, org, envelope_id);
      await cancelSigners(tx, org, envelope_id);
      await withdrawLinks(tx, before);
      await tellEnded(deps, tx, org, before, waiting, { voided: reason });
      await enqueue(tx, "signing.cancel", { org_id: org, submission_id });
    }
    await appendAudit(tx, org, { type: "envelope.voided", by: caller, envelope_id, data: { reason } });
    await appendEvent(tx, org, { type: "envelope.voided", envelope_id, data: { envelope_id, reason, ...routeOf(before) } });
    return findEnvelope(tx, org, envelope_id);
  });
}
