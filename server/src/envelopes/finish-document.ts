import { partSealReason, signedSealReason } from "@countersign/evidence";
import { appendAudit } from "../audit/append-audit.ts";
import { hasEntryOf } from "../audit/entries.ts";
import type { Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { completedForSender } from "../mail/messages/to-sender.ts";
import { completedForSigner } from "../mail/messages/to-signer.ts";
import { asSystem, systemOrigin } from "../shared/caller.ts";
import { DAY_MS } from "../shared/durations.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { timeStep } from "../shared/time-step.ts";
import { stampOf } from "../signing/mark.ts";
import { notingMismatch } from "../signing/noting-mismatch.ts";
import { type ProvenRecord, provenRecord, RecordMismatch } from "../signing/proven-record.ts";
import { finalValuesIn } from "../signing/signed-content.ts";
import { listRecipients, markDelivered } from "../signing/store.ts";
import { sha512InTurns } from "../storage/hash.ts";
import { keepBlob } from "../storage/store.ts";
import { storeBlob } from "../storage/store-blob.ts";
import { enqueueFinishing } from "./advance-envelope.ts";
import { factsFor, findCorrespondence, headersOf } from "./correspondence.ts";
import { insertVersion } from "./document-store.ts";
import type { Envelope, EnvelopeDeps } from "./envelope.ts";
import { marksOfPart } from "./marks-of-part.ts";
import { mailLink, noteShared, tellSender } from "./notify.ts";
import { recordDeps } from "./on-submission.ts";
import { findEnvelope, lockRow } from "./store.ts";

const BY = asSystem(systemOrigin("countersign worker", "envelopes.finish-document"));

interface Job {
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId;
}

/**
 * Makes the document that everyone signed, in two steps. Each runs outside a transaction and is recorded in one: the values are stamped
 * into the prepared version, and the result is sealed with the org's seal, unless the vault seals it. After a crash, the job continues
 * from what was recorded. If two jobs run at once, the bytes of the first are kept. If the rows differ from the audit chain, nothing is
 * stamped or sealed: the job records the difference and ends, because a retry would find the same.
 */
export async function finishDocument(deps: EnvelopeDeps, job: Job): Promise<void> {
  try {
    await notingMismatch(recordDeps(deps), job.org_id, () => finish(deps, job));
  } catch (error) {
    if (!(error instanceof RecordMismatch)) throw error;
  }
}

async function finish(deps: EnvelopeDeps, { org_id: org, envelope_id }: Job): Promise<void> {
  const envelope = await deps.db.tx(org, (tx) => findEnvelope(tx, org, envelope_id));
  const record = await provenNow(deps, org, envelope_id);
  if (record.document.signed_sha256 !== null) return;
  if (record.document.stamped_sha256 === null) await timeStep(deps, "finish", () => stampContent(deps, org, envelope, record));
  // The vault seals its own copy. Until then, downloads are marked copies of the stamped version.
  if (envelope.auto_vault_enabled) return;
  await sealParts(deps, org, envelope);
  await sealContent(deps, org, envelope);
}

export const provenNow = (deps: Pick<EnvelopeDeps, "db" | "values">, org: OrgId, envelope_id: EnvelopeId): Promise<ProvenRecord> =>
  deps.db.tx(org, (tx) => provenRecord(recordDeps(deps), tx, org, envelope_id));

async function stampContent(deps: EnvelopeDeps, org: OrgId, { envelope_id }: Envelope, record: ProvenRecord): Promise<void> {
  const { prepared_sha256 } = record.document;
  const marks = marksOf(record, envelope_id);
  const bytes = await deps.storage.blobs.read(org, prepared_sha256);
  const finished = await deps.pdf.finish(bytes, { marks }, { key: org, priority: "background", give_up_bytes: true });
  const made = await storeBlob(deps.storage, org, finished.bytes);
  await deps.db.tx(org, async (tx) => {
    await lockRow(tx, org, envelope_id);
    await keepBlob(tx, org, made.sha256);
    if (!(await insertVersion(tx, org, envelope_id, "stamped", made, prepared_sha256))) return;
    const types = new Map(record.document.fields.map(({ position, type }) => [`f${position}`, type]));
    const appearances = finished.stamped
      .filter(({ time }) => time !== null)
      .map(({ field, signer, name, time, page }) => ({
        field,
        signer,
        kind: types.get(field) ?? null,
        name,
        time: time?.toISOString() ?? null,
        page,
      }));
    const data = {
      sha256: made.sha256,
      size: made.size,
      parent_sha256: prepared_sha256,
      appearances,
      warnings: finished.warnings.map(({ message }) => message),
    };
    await appendAudit(tx, org, { type: "document.stamped", by: BY, envelope_id, data });
    const envelope = await findEnvelope(tx, org, envelope_id);
    if (envelope.auto_vault_enabled) {
      await tellCompleted(deps, tx, org, envelope);
      await enqueue(tx, "vault.store", { org_id: org, envelope_id });
    }
  });
}

/**
 * The marks of everyone who has signed so far and the values that the sender locked. Throws RecordMismatch after recording the
 * difference.
 */
export async function signedMarks(deps: Pick<EnvelopeDeps, "db" | "values">, org: OrgId, envelope_id: EnvelopeId) {
  const record = await notingMismatch(recordDeps(deps), org, () => provenNow(deps, org, envelope_id));
  return { prepared_sha256: record.document.prepared_sha256, marks: marksOf(record, envelope_id) };
}

export function marksOf({ document, recipients, signed }: ProvenRecord, reference: EnvelopeId) {
  return finalValuesIn(document, signed).flatMap(({ step, slug, entered, locale }) => {
    const name = recipients.find((one) => one.slug === slug)?.name ?? "";
    return stampOf(step, entered, { signer: { name, role: step.role }, reference, locale });
  });
}

/**
 * Stamps and seals each of several documents on its own, from its own PDF, so that it carries nothing of the others. Each is recorded when
 * it is done; after a crash, the job continues with the next one.
 */
async function sealParts(deps: EnvelopeDeps, org: OrgId, { envelope_id }: Envelope): Promise<void> {
  const record = await provenNow(deps, org, envelope_id);
  const { documents } = record.document;
  const marks = marksOf(record, envelope_id);
  for (const part of documents.filter(({ part_sha256 }) => part_sha256 === null)) {
    const bytes = await deps.storage.blobs.read(org, part.sha256);
    const turn = { key: org, priority: "background", give_up_bytes: true } as const;
    const stamped = await deps.pdf.finish(bytes, { marks: marksOfPart(marks, part) }, turn);
    const { bytes: sealed } = await deps.seal(org, stamped.bytes, partSealReason(envelope_id, part.document_no, documents));
    const made = await storeBlob(deps.storage, org, sealed);
    const sha512 = await sha512InTurns(sealed);
    const { document_no } = part;
    await deps.db.tx(org, async (tx) => {
      await lockRow(tx, org, envelope_id);
      await keepBlob(tx, org, made.sha256);
      if (!(await insertVersion(tx, org, envelope_id, "part", made, part.sha256, document_no))) return;
      const data = { document_no, sha256: made.sha256, sha512, size: made.size };
      await appendAudit(tx, org, { type: "document.part_sealed", by: BY, envelope_id, data });
    });
  }
}

/** Seals the version that the audit chain names, not one from another row. */
async function sealContent(deps: EnvelopeDeps, org: OrgId, { envelope_id }: Envelope): Promise<void> {
  const { stamped_sha256 } = (await provenNow(deps, org, envelope_id)).document;
  if (stamped_sha256 === null) throw new Error("there is no stamped version to seal");
  const bytes = await deps.storage.blobs.read(org, stamped_sha256);
  const { bytes: sealed, seal } = await deps.seal(org, bytes, signedSealReason(envelope_id));
  const made = await storeBlob(deps.storage, org, sealed);
  await deps.db.tx(org, async (tx) => {
    await lockRow(tx, org, envelope_id);
    await keepBlob(tx, org, made.sha256);
    if (!(await insertVersion(tx, org, envelope_id, "signed", made, stamped_sha256))) return;
    const { seal_id, certificate_sha256, subject, level, tsa_error = null, level_error = null, sealed_at } = seal;
    const facts = { seal_id, certificate_sha256, subject, level, tsa_error, level_error, sealed_at: sealed_at.toISOString() };
    const data = { sha256: made.sha256, size: made.size, parent_sha256: stamped_sha256, ...facts };
    await appendAudit(tx, org, { type: "document.sealed", by: BY, envelope_id, data });
    await tellCompleted(deps, tx, org, await findEnvelope(tx, org, envelope_id));
  });
}

// Long enough that the message still arrives if a mail server was down over a weekend.
const NEWS_DAYS = 7;

/**
 * Notifies the sender and every recipient, with a link to their copy and, if the organization wants it, the document itself. Once, when the
 * copy is available.
 */
async function tellCompleted(deps: EnvelopeDeps, tx: Tx, org: OrgId, envelope: Envelope): Promise<void> {
  const { envelope_id, envelope_name } = envelope;
  const correspondence = await findCorrespondence(tx, org, envelope);
  const { name: org_name, completed_mail } = correspondence.org;
  const expires_at = new Date(tx.now.getTime() + NEWS_DAYS * DAY_MS);
  const recipients = await listRecipients(tx, org, envelope_id);
  const completed_at = new Date(Math.max(...recipients.map(({ acted_at }) => acted_at?.getTime() ?? 0)));
  await markDelivered(tx, org, envelope_id);
  for (const recipient of recipients.filter(({ delivery }) => delivery === "email")) {
    const facts = { ...factsFor(correspondence, recipient), completed_at };
    if (recipient.kind === "cc" && recipient.invited_at === null) await noteShared(tx, org, envelope_id, recipient, "result");
    await mailLink(deps, tx, org, recipient, (copy_url) => ({
      ...completedForSigner({ ...facts, copy_url, attached: false }),
      ...(completed_mail === "attachment" && { attaching: completedForSigner({ ...facts, copy_url, attached: true }) }),
      ...headersOf(correspondence),
      expires_at,
      about: envelope_id,
      envelope_id,
    }));
  }
  const words = completedForSender({ envelope_name, org_name, url: `${deps.consoleUrl}/envelopes/${envelope_id}` });
  await tellSender(tx, org, envelope, { kind: "completed", envelope_name }, words);
}

/**
 * For a request for a document that is not ready yet. Throws RecordMismatch, after recording the difference, if the record was changed.
 * If the record has been repaired, the job that ended because of it starts again.
 */
export async function resumeFinishing(deps: Pick<EnvelopeDeps, "db" | "values">, org: OrgId, envelope_id: EnvelopeId): Promise<void> {
  await notingMismatch(recordDeps(deps), org, () =>
    deps.db.tx(org, async (tx) => {
      await provenRecord(recordDeps(deps), tx, org, envelope_id);
      if (!(await hasEntryOf(tx, org, envelope_id, "document.record_mismatch"))) return;
      await enqueueFinishing(tx, org, envelope_id);
    }),
  );
}
