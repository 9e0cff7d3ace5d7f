import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { acceptanceOf, type Certification, recordAcceptance } from "../envelopes/certification.ts";
import { type Declared, declaredOf } from "../envelopes/declared.ts";
import { type EnvelopeDocument, listDocuments } from "../envelopes/document-store.ts";
import type { Envelope, SecuredParty } from "../envelopes/envelope.ts";
import { resumeFinishing } from "../envelopes/finish-document.ts";
import { findEnvelope, lockRow, moveEnvelope, updateEnvelope, wrongStatus } from "../envelopes/store.ts";
import type { ReceivedFile } from "../http/form.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { type AttestationInput, type AttestedSource, recordAttestation } from "./attestation.ts";
import type { AuthoritativeCopy } from "./copy.ts";
import { lookUpCopy } from "./copy-store.ts";
import { storeEvidence } from "./evidence-file.ts";
import { insertEvidence } from "./evidence-store.ts";
import type { SignedReceipt } from "./exports/export.ts";
import { useReceipt } from "./exports/use-receipt.ts";
import { refuseKnown } from "./fingerprints/refuse-known.ts";
import { refuseBlank } from "./refuse-blank.ts";
import { type Certificate, hasAssignment, listVersions, lookUpCertificate } from "./store.ts";
import type { PipelineDeps } from "./vault.ts";

/** A manual deposit, with accepted terms and the secured party if known. */
export interface Deposit {
  readonly certification: Certification;
  readonly secured_party?: SecuredParty;
}

export interface UploadDeposit extends Deposit, Declared {
  readonly source: AttestedSource;
  readonly attestation?: AttestationInput;
  /** of the export with which the original left a vault */
  readonly export_receipt?: SignedReceipt;
}

export interface Vaulted {
  readonly envelope: Envelope;
  readonly copy: AuthoritativeCopy | null;
  /** null while the pipeline is still working */
  readonly certificate: Certificate | null;
}

/** Vaults a document that was signed here without auto-vault. Throws RecordMismatch. */
export async function vaultInSigned(deps: PipelineDeps, caller: Caller, envelope_id: EnvelopeId, deposit: Deposit): Promise<Vaulted> {
  const { status, submission_id } = await deps.db.tx(caller.org, (tx) => findEnvelope(tx, caller.org, envelope_id));
  if (status === "completed" && submission_id !== null) await resumeFinishing(deps, caller.org, envelope_id);
  return vaultIn(deps, caller, envelope_id, deposit, async (tx, { status }) => {
    if (status !== "completed") throw wrongStatus("vault-in-signed", status);
    if ((await lookUpCopy(tx, caller.org, envelope_id)) !== null) throw wrongStatus("vault-in-signed", "vaulted");
    await accept(deps, tx, caller, envelope_id, deposit);
  });
}

/**
 * Vaults an original that was signed elsewhere: a scan of paper, or a file signed by another system. Its envelope was never sent. `file`:
 * the other system's record of the signing.
 */
export async function vaultInUpload(
  deps: PipelineDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  deposit: UploadDeposit,
  file: ReceivedFile | null = null,
): Promise<Vaulted> {
  const { org } = caller;
  const declared = declaredOf(deposit);
  // Before the transaction, because these steps are slow. If the envelope does not accept a deposit, nothing is checked or stored.
  const document = await deps.db.tx(org, async (tx) => refuseDeposit(tx, caller, await findEnvelope(tx, org, envelope_id)));
  if (deposit.source === "paper_upload") await refuseBlank(deps, org, document);
  const marks = await refuseKnown.read(deps, org, envelope_id, document);
  const { export_receipt: given } = deposit;
  const receipt = given === undefined ? null : await useReceipt.verify(deps, org, given, await receivedHash(deps, org, envelope_id));
  const evidence = file === null ? null : await storeEvidence(deps.storage, org, file);
  return vaultIn(deps, caller, envelope_id, deposit, async (tx, envelope) => {
    await refuseDeposit(tx, caller, envelope);
    await refuseKnown.refuse(tx, org, envelope_id, marks, leftWith(org, receipt));
    if (receipt !== null) await useReceipt.record(tx, caller, envelope_id, receipt);
    await accept(deps, tx, caller, envelope_id, deposit);
    if (evidence !== null) await insertEvidence(tx, org, envelope_id, evidence);
    const { source, attestation = {} } = deposit;
    await recordAttestation(tx, caller, envelope_id, source, attestation, { at: "attestation.", brought: evidence });
    const { record_type, instrument } = declared;
    await moveEnvelope(tx, org, envelope_id, "deposit", {
      completed_at: tx.now,
      deposit_source: source,
      ...(record_type !== undefined && { record_type }),
      ...(instrument !== undefined && { instrument: JSON.stringify(instrument) }),
    });
    await appendAudit(tx, org, { type: "envelope.completed", by: caller, envelope_id, data: { source, ...declared } });
  });
}

/** Of the file as it came. */
const receivedHash = async (deps: PipelineDeps, org: OrgId, envelope_id: EnvelopeId): Promise<string> => {
  const versions = await deps.db.tx(org, (tx) => listVersions(tx, org, envelope_id));
  return versions.find(({ kind }) => kind === "received")?.sha256 ?? "";
};

/** The record that this original was before it left this organization's vault; null if it was elsewhere. */
const leftWith = (org: OrgId, receipt: SignedReceipt | null): EnvelopeId | null =>
  receipt !== null && receipt.document.org_id === org ? receipt.document.envelope_id : null;

/** Returns the document to deposit. */
async function refuseDeposit(tx: Tx, { org }: Caller, { envelope_id, status, is_upload }: Envelope): Promise<EnvelopeDocument> {
  if (status !== "uploaded" || !is_upload) throw wrongStatus("vault-in-upload", status);
  const [document, second] = await listDocuments(tx, org, envelope_id);
  if (document === undefined) throw new Problem("envelope_without_document");
  if (second !== undefined) throw new Problem("several_documents");
  return document;
}

async function vaultIn(
  deps: PipelineDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  { secured_party }: Deposit,
  record: (tx: Tx, envelope: Envelope) => Promise<void>,
): Promise<Vaulted> {
  const { org } = caller;
  await deps.db.tx(org, async (tx) => {
    await record(tx, await lockRow(tx, org, envelope_id));
    // A party in the body replaces a saved one. A party in the register is replaced only with its consent.
    if (secured_party !== undefined) {
      if (await hasAssignment(tx, org, envelope_id)) throw new Problem("secured_party_on_record");
      await updateEnvelope(tx, org, envelope_id, { secured_party: JSON.stringify(secured_party) });
    }
    await enqueue(tx, "vault.store", { org_id: org, envelope_id });
  });
  return untilVaulted(deps, caller, envelope_id);
}

/** Nothing is vaulted without accepted terms, and the terms must be accepted with the deposit itself. */
async function accept(deps: PipelineDeps, tx: Tx, caller: Caller, envelope_id: EnvelopeId, { certification }: Deposit): Promise<void> {
  const accepted = acceptanceOf(deps, certification, true);
  if (accepted === null) throw new Error("vaulting without accepted terms");
  const data = await recordAcceptance(deps, tx, caller.org, caller, envelope_id, accepted);
  await appendAudit(tx, caller.org, { type: "certification.accepted", by: caller, envelope_id, data: { ...data } });
}

// Most documents take a second or two. After this wait the response says that the work continues.
const WAIT_MS = 30_000;
const POLL_MS = 150;

async function untilVaulted(deps: PipelineDeps, { org }: Caller, envelope_id: EnvelopeId): Promise<Vaulted> {
  for (const until = Date.now() + WAIT_MS; ; ) {
    const now = await deps.db.tx(org, async (tx) => ({
      envelope: await findEnvelope(tx, org, envelope_id),
      copy: await lookUpCopy(tx, org, envelope_id),
      certificate: await lookUpCertificate(tx, org, envelope_id),
    }));
    if (now.envelope.status === "vaulted" || Date.now() >= until) return now;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
