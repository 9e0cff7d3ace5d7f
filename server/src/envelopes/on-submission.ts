import { appendAudit } from "../audit/append-audit.ts";
import type { Read, Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { declinedForSender, lockedForSender, paperRequestedForSender } from "../mail/messages/to-sender.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { RecordDeps } from "../signing/proven-record.ts";
import { listRecipients } from "../signing/store.ts";
import type { SentDocument, SentEnvelope, SubmissionChange } from "../signing/submission.ts";
import { advanceEnvelope } from "./advance-envelope.ts";
import { lookUpSentDocument } from "./document-store.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { tellEnded, tellSender, withdrawLinks } from "./notify.ts";
import { findSigningEnvelope, lockSigningEnvelope, type SigningEnvelope } from "./signing-envelope-store.ts";
import { findEnvelope, moveEnvelope } from "./store.ts";

/** The functions that a ceremony gets from envelopes, because signing/ does not import this feature. */

/** What is needed to compare a record with its audit chain. */
export const recordDeps = ({ db, values }: Pick<EnvelopeDeps, "db" | "values">): RecordDeps => ({
  db,
  values,
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
  const document = await lookUpSentDocument(read, org, envelope_id);
  if (document === null) throw new Error("a sent envelope has no document");
  const { pdf_sha256: prepared_sha256, auto_vault_enabled, ...shown } = document;
  // With auto-vault, copies are made from the stamped version. Without it, everyone gets the sealed version.
  const is_finished = shown.stamped_sha256 !== null && (auto_vault_enabled || shown.signed_sha256 !== null);
  return { ...shown, prepared_sha256, is_finished };
}

function asSent({ status, ...envelope }: SigningEnvelope): SentEnvelope {
  if (status === "pending" || status === "uploaded" || status === "preparing") throw new Problem("envelope_not_found", "never sent");
  return { ...envelope, status };
}

/** None of these are webhook events, which the specification reserves. The audit chain has them. */
export function onSubmission(deps: EnvelopeDeps): (tx: Tx, org: OrgId, change: SubmissionChange) => Promise<StatusAfter> {
  return (tx, org, change) => (change.kind === "acted" ? recordAct(deps, tx, org, change) : recordOther(deps, tx, org, change));
}

type StatusAfter = "sent" | "viewed" | "completed";
type OtherChange = Exclude<SubmissionChange, { kind: "acted" }>;

async function recordOther(deps: EnvelopeDeps, tx: Tx, org: OrgId, change: OtherChange): Promise<StatusAfter> {
  switch (change.kind) {
    case "viewed":
      await recordViewed(tx, org, change);
      break;
    case "locked":
      await tellLocked(deps, tx, org, change);
      break;
    case "paper_requested":
      await tellPaperRequested(deps, tx, org, change);
      break;
    case "declined":
      await recordDeclined(deps, tx, org, change);
  }
  return change.kind === "viewed" ? "viewed" : "sent";
}

/** The first signer who opens the document moves the envelope. */
async function recordViewed(tx: Tx, org: OrgId, { envelope_id, by, signing_session }: SubmissionChange): Promise<void> {
  await moveEnvelope(tx, org, envelope_id, "view");
  await appendAudit(tx, org, { type: "envelope.viewed", by, envelope_id, data: { signing_session } });
}

/** A person who has acted gets no more reminders. If they were the last of their step, the next one begins. */
async function recordAct(deps: EnvelopeDeps, tx: Tx, org: OrgId, change: SubmissionChange): Promise<StatusAfter> {
  const { envelope_id, slug, by, signing_session } = change;
  const recipients = await listRecipients(tx, org, envelope_id);
  await withdrawLinks(tx, { envelope_id }, recipients.find((one) => one.slug === slug)?.email ?? null);
  const status = await advanceEnvelope(deps, tx, org, envelope_id, { by, signing_session, recipients });
  await requestCheckpoint(tx);
  return status;
}

/**
 * Once a checkpoint is signed, the entries of an act cannot be rewritten without a trace. Each act therefore requests one
 * instead of waiting for the next minute. Requests that come close together are combined into one.
 */
const requestCheckpoint = (tx: Tx): Promise<void> => enqueue(tx, "log.checkpoint", {}, "log.checkpoint");

/** The sender is told, because only they can let the signer try again. */
async function tellLocked(deps: EnvelopeDeps, tx: Tx, org: OrgId, { envelope_id, slug }: SubmissionChange): Promise<void> {
  const envelope = await findEnvelope(tx, org, envelope_id);
  const { envelope_name } = envelope;
  const { sender: org_name } = await findSigningEnvelope(tx, org, envelope_id);
  const signer_name = (await listRecipients(tx, org, envelope_id)).find((one) => one.slug === slug)?.name ?? "";
  const url = `${deps.consoleUrl}/envelopes/${envelope_id}`;
  const news = { kind: "action_needed", envelope_name, person: signer_name, because: "locked" } as const;
  await tellSender(tx, org, envelope, news, lockedForSender({ envelope_name, org_name, url, signer_name }));
}

/** The sender decides how to go on: the envelope stays open. */
async function tellPaperRequested(deps: EnvelopeDeps, tx: Tx, org: OrgId, { envelope_id, slug }: SubmissionChange): Promise<void> {
  const envelope = await findEnvelope(tx, org, envelope_id);
  const { envelope_name } = envelope;
  const { sender: org_name } = await findSigningEnvelope(tx, org, envelope_id);
  const signer_name = (await listRecipients(tx, org, envelope_id)).find((one) => one.slug === slug)?.name ?? "";
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
  const recipients = await listRecipients(tx, org, envelope_id);
  const who = recipients.find((one) => one.slug === slug);
  const others = recipients.filter((one) => one.slug !== slug);
  const rejected = who?.kind === "approver";
  await tellEnded(deps, tx, org, envelope, others, rejected ? "rejected" : "declined");
  const url = `${deps.consoleUrl}/envelopes/${envelope_id}`;
  const person = who?.name ?? "";
  const words = declinedForSender({ envelope_name, org_name, url, signer_name: person, reason, rejected });
  await tellSender(tx, org, envelope, { kind: "declined", envelope_name, person, ...(rejected && { rejected }) }, words);
  if (submission_id !== null) await enqueue(tx, "signing.cancel", { org_id: org, submission_id });
}
