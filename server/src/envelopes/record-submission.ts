import { appendAudit } from "../audit/append-audit.ts";
import type { Read, Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { declinedForSender } from "../mail/messages/to-sender.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { listSigners } from "../signing/store.ts";
import { atTurn, type SentEnvelope, type SubmissionChange } from "../signing/submission.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { invite, tellSender, withdrawLinks } from "./notify.ts";
import { findStanding, lockStanding, type Standing } from "./standing.ts";
import { findEnvelope, moveEnvelope } from "./store.ts";

/** What a ceremony is handed of envelopes: it does not know them, and they follow it. */

export async function findSentEnvelope(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SentEnvelope> {
  return asSent(await findStanding(read, org, envelope_id));
}

export async function lockEnvelope(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<SentEnvelope> {
  return asSent(await lockStanding(tx, org, envelope_id));
}

function asSent({ status, ...standing }: Standing): SentEnvelope {
  if (status === "pending" || status === "uploaded" || status === "preparing") throw new Problem("envelope_not_found", "never sent");
  return { ...standing, status };
}

/** None of these is an event: the specification reserves them. The chain has the facts. */
export function onSubmission(deps: EnvelopeDeps): (tx: Tx, org: OrgId, change: SubmissionChange) => Promise<void> {
  return (tx, org, change) => {
    switch (change.kind) {
      case "viewed":
        return recordViewed(tx, org, change);
      case "signed":
        return inviteNext(deps, tx, org, change.envelope_id);
      case "completed":
        return recordCompleted(tx, org, change);
      case "declined":
        return recordDeclined(deps, tx, org, change);
    }
  };
}

/** The first of several signers who open it moves the envelope. */
async function recordViewed(tx: Tx, org: OrgId, { envelope_id, by, signing_session }: SubmissionChange): Promise<void> {
  const { status } = await findEnvelope(tx, org, envelope_id);
  if (status !== "sent") return;
  await moveEnvelope(tx, org, envelope_id, "view");
  await appendAudit(tx, org, { type: "envelope.viewed", by, envelope_id, data: { signing_session } });
}

/** In sequence the next signer hears that it is their turn. */
async function inviteNext(deps: EnvelopeDeps, tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<void> {
  const envelope = await findEnvelope(tx, org, envelope_id);
  const due = atTurn(envelope.signing_order, await listSigners(tx, org, envelope_id)).filter(({ invited_at }) => invited_at === null);
  await invite(deps, tx, org, envelope, due, false);
}

async function recordCompleted(tx: Tx, org: OrgId, { envelope_id, by, signing_session }: SubmissionChange): Promise<void> {
  await moveEnvelope(tx, org, envelope_id, "complete", { completed_at: tx.now, next_reminder_at: null });
  await appendAudit(tx, org, { type: "envelope.completed", by, envelope_id, data: { signing_session } });
}

async function recordDeclined(
  deps: EnvelopeDeps,
  tx: Tx,
  org: OrgId,
  { envelope_id, slug, reason, by, signing_session }: Extract<SubmissionChange, { kind: "declined" }>,
): Promise<void> {
  await moveEnvelope(tx, org, envelope_id, "decline", { ended_at: tx.now, next_reminder_at: null });
  await withdrawLinks(tx, { envelope_id });
  await appendAudit(tx, org, { type: "envelope.declined", by, envelope_id, data: { reason, signing_session } });
  const { envelope_name, sent_by, submission_id } = await findEnvelope(tx, org, envelope_id);
  const { sender: org_name } = await findStanding(tx, org, envelope_id);
  const signer_name = (await listSigners(tx, org, envelope_id)).find((signer) => signer.slug === slug)?.name ?? "";
  const url = `${deps.consoleUrl}/envelopes/${envelope_id}`;
  await tellSender(tx, org, sent_by, declinedForSender({ envelope_name, org_name, url, signer_name, reason }));
  if (submission_id !== null) await enqueue(tx, "signing.cancel", { org_id: org, submission_id });
}
