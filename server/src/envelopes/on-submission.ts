import { appendAudit } from "../audit/append-audit.ts";
import type { Read, Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { declinedForSender, lockedForSender, paperRequestedForSender } from "../mail/messages/to-sender.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { RecordDeps } from "../signing/proven-record.ts";
import { listSigners } from "../signing/store.ts";
import { atTurn, type SentDocument, type SentEnvelope, type SubmissionChange } from "../signing/submission.ts";
import { findSentFields, lookUpDocument, lookUpVersion } from "./document-store.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { invite, tellEnded, tellSender, withdrawLinks } from "./notify.ts";
import { findSigningEnvelope, lockSigningEnvelope, type SigningEnvelope } from "./signing-envelope-store.ts";
import { findEnvelope, moveEnvelope } from "./store.ts";

/** The functions that a ceremony gets from envelopes, because signing/ does not import this feature. */

/** What is needed to compare a record with its audit chain. */
export const recordDeps = ({ db }: Pick<EnvelopeDeps, "db">): RecordDeps => ({
  db,
  findDocument: findSentDocument,
  findEnvelope: findSentEnvelope,
});

export async function findSentEnvelope(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SentEnvelope> {
  return asSent(await findSigningEnvelope(read, org, envelope_id));
}

export async function lockEnvelope(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<SentEnvelope> {
  return asSent(await lockSigningEnvelope(tx, org, envelope_id));
}

export async function findSentDocument(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SentDocument> {
  const document = await lookUpDocument(read, org, envelope_id);
  if (document === null) throw new Error("a sent envelope has no document");
  const fields = await findSentFields(read, org, envelope_id);
  const { status, auto_vault_enabled, kba_required } = await findEnvelope(read, org, envelope_id);
  const stamped = await lookUpVersion(read, org, envelope_id, "stamped");
  // With auto-vault, copies are made from the stamped version. Without it, everyone gets the sealed version.
  const signed = await lookUpVersion(read, org, envelope_id, "signed");
  const is_finished = stamped !== null && (auto_vault_enabled || signed !== null);
  return {
    prepared_sha256: document.pdf_sha256,
    pages: document.pages,
    fields,
    is_completed: status === "completed" || status === "vaulted",
    stamped_sha256: stamped?.sha256 ?? null,
    signed_sha256: signed?.sha256 ?? null,
    kba_required,
    is_finished,
  };
}

function asSent({ status, ...envelope }: SigningEnvelope): SentEnvelope {
  if (status === "pending" || status === "uploaded" || status === "preparing") throw new Problem("envelope_not_found", "never sent");
  return { ...envelope, status };
}

/** None of these are webhook events, which the specification reserves. The audit chain has them. */
export function onSubmission(deps: EnvelopeDeps): (tx: Tx, org: OrgId, change: SubmissionChange) => Promise<void> {
  return (tx, org, change) => {
    switch (change.kind) {
      case "viewed":
        return recordViewed(tx, org, change);
      case "locked":
        return tellLocked(deps, tx, org, change);
      case "paper_requested":
        return tellPaperRequested(deps, tx, org, change);
      case "signed":
        return recordSigned(deps, tx, org, change);
      case "completed":
        return recordCompleted(tx, org, change);
      case "declined":
        return recordDeclined(deps, tx, org, change);
    }
  };
}

/** The first signer who opens the document moves the envelope. */
async function recordViewed(tx: Tx, org: OrgId, { envelope_id, by, signing_session }: SubmissionChange): Promise<void> {
  const { status } = await findEnvelope(tx, org, envelope_id);
  if (status !== "sent") return;
  await moveEnvelope(tx, org, envelope_id, "view");
  await appendAudit(tx, org, { type: "envelope.viewed", by, envelope_id, data: { signing_session } });
}

/** A signer who has signed gets no more reminders. With sequential signing, the next one is told that it is their turn. */
async function recordSigned(deps: EnvelopeDeps, tx: Tx, org: OrgId, { envelope_id, slug }: SubmissionChange): Promise<void> {
  const envelope = await findEnvelope(tx, org, envelope_id);
  const signers = await listSigners(tx, org, envelope_id);
  await withdrawLinks(tx, envelope, signers.find((signer) => signer.slug === slug)?.email ?? null);
  const due = atTurn(envelope.signing_order, signers).filter(({ invited_at }) => invited_at === null);
  await invite(deps, tx, org, envelope, due, false);
  await requestCheckpoint(tx);
}

async function recordCompleted(
  tx: Tx,
  org: OrgId,
  { envelope_id, by, signing_session, at }: Extract<SubmissionChange, { kind: "completed" }>,
): Promise<void> {
  await moveEnvelope(tx, org, envelope_id, "complete", { completed_at: at, next_reminder_at: null });
  await appendAudit(tx, org, { type: "envelope.completed", by, envelope_id, data: { signing_session } });
  await enqueueFinishing(tx, org, envelope_id);
}

/** Jobs that have not started yet are combined into one. */
export const enqueueFinishing = (tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<void> =>
  enqueue(tx, "envelopes.finish-document", { org_id: org, envelope_id }, `finish-document ${envelope_id}`);

/**
 * Once a checkpoint is signed, the entries of a signature cannot be rewritten without a trace. Each signature therefore requests one
 * instead of waiting for the next minute. Requests that come close together are combined into one.
 */
const requestCheckpoint = (tx: Tx): Promise<void> => enqueue(tx, "log.checkpoint", {}, "log.checkpoint");

/** The sender is told, because only they can let the signer try again. */
async function tellLocked(deps: EnvelopeDeps, tx: Tx, org: OrgId, { envelope_id, slug }: SubmissionChange): Promise<void> {
  const envelope = await findEnvelope(tx, org, envelope_id);
  const { envelope_name } = envelope;
  const { sender: org_name } = await findSigningEnvelope(tx, org, envelope_id);
  const signer_name = (await listSigners(tx, org, envelope_id)).find((signer) => signer.slug === slug)?.name ?? "";
  const url = `${deps.consoleUrl}/envelopes/${envelope_id}`;
  const news = { kind: "action_needed", envelope_name, person: signer_name, because: "locked" } as const;
  await tellSender(tx, org, envelope, news, lockedForSender({ envelope_name, org_name, url, signer_name }));
}

/** The sender decides how to go on: the envelope stays open. */
async function tellPaperRequested(deps: EnvelopeDeps, tx: Tx, org: OrgId, { envelope_id, slug }: SubmissionChange): Promise<void> {
  const envelope = await findEnvelope(tx, org, envelope_id);
  const { envelope_name } = envelope;
  const { sender: org_name } = await findSigningEnvelope(tx, org, envelope_id);
  const signer_name = (await listSigners(tx, org, envelope_id)).find((signer) => signer.slug === slug)?.name ?? "";
  const url = `${deps.consoleUrl}/envelopes/${envelope_id}`;
  const news = { kind: "action_needed", envelope_name, person: signer_name, because: "paper" } as const;
  await tellSender(tx, org, envelope, news, paperRequestedForSender({ envelope_name, org_name, url, signer_name }));
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
  const envelope = await findEnvelope(tx, org, envelope_id);
  const { envelope_name, submission_id } = envelope;
  const { sender: org_name } = await findSigningEnvelope(tx, org, envelope_id);
  const signers = await listSigners(tx, org, envelope_id);
  const signer_name = signers.find((signer) => signer.slug === slug)?.name ?? "";
  const others = signers.filter((signer) => signer.slug !== slug);
  await tellEnded(deps, tx, org, envelope, others, "declined");
  const url = `${deps.consoleUrl}/envelopes/${envelope_id}`;
  const words = declinedForSender({ envelope_name, org_name, url, signer_name, reason });
  await tellSender(tx, org, envelope, { kind: "declined", envelope_name, person: signer_name }, words);
  if (submission_id !== null) await enqueue(tx, "signing.cancel", { org_id: org, submission_id });
}
