import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { endSubmission, listRecipients } from "../signing/store.ts";
import { atTurn, hasFinished, isActing, type Recipient } from "../signing/submission.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { invite, shareCopies } from "./notify.ts";
import { findEnvelope, moveEnvelope } from "./store.ts";

/** Who did what the envelope follows. */
export interface Advanced {
  readonly by: Pick<Caller, "actor" | "ip" | "user_agent" | "request_id" | "by_test">;
  /** of the person who acted on the page */
  readonly signing_session?: string;
  /** if the caller has read them after the change */
  readonly recipients?: readonly Recipient[];
}

/**
 * After someone has acted, or was added, moved or removed: the next step begins if the one before is finished, and the envelope is
 * completed if everyone who must act has. In the transaction of the act, under the envelope's lock, so that everyone is invited once.
 */
export async function advanceEnvelope(
  deps: EnvelopeDeps,
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  { by, signing_session, recipients: known }: Advanced,
): Promise<"sent" | "viewed" | "completed"> {
  const recipients = known ?? (await listRecipients(tx, org, envelope_id));
  if (recipients.filter(isActing).every(hasFinished)) {
    await endSubmission(tx, org, envelope_id);
    await moveEnvelope(tx, org, envelope_id, "complete", { completed_at: lastSignature(recipients), next_reminder_at: null });
    const data = signing_session === undefined ? {} : { signing_session };
    await appendAudit(tx, org, { type: "envelope.completed", by, envelope_id, data });
    await enqueueFinishing(tx, org, envelope_id);
    return "completed";
  }
  const envelope = await findEnvelope(tx, org, envelope_id);
  const due = atTurn(recipients).filter(({ invited_at }) => invited_at === null);
  await invite(deps, tx, org, envelope, due, { first: false, recipients });
  await shareCopies(deps, tx, org, envelope, recipients);
  return envelope.status === "viewed" ? "viewed" : "sent";
}

/** What the specification calls `signed_at`, also if an approver or a viewer acts after it. */
function lastSignature(recipients: readonly Recipient[]): Date {
  const times = recipients.flatMap(({ signed_at }) => (signed_at === null ? [] : [signed_at.getTime()]));
  if (times.length === 0) throw new Error("an envelope without a signature cannot be completed");
  return new Date(Math.max(...times));
}

/** Jobs that have not started yet are combined into one. */
export const enqueueFinishing = (tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<void> =>
  enqueue(tx, "envelopes.finish-document", { org_id: org, envelope_id }, `finish-document ${envelope_id}`);
