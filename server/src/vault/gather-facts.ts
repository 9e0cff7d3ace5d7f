import {
  COPY_MARK,
  type DocumentRow,
  type Facts2 as Facts,
  firstDifference,
  type Head,
  type Link,
  type PartFacts,
  rules2,
  type SignedRows,
  type VersionFacts,
} from "@countersign/evidence";
import { readChain } from "../audit/read-chain.ts";
import { lockHead } from "../audit/read-head.ts";
import type { Tx } from "../db/sql.ts";
import { type EnvelopeDocument, lookUpDocument } from "../envelopes/document-store.ts";
import type { Envelope } from "../envelopes/envelope.ts";
import { findEnvelope } from "../envelopes/store.ts";
import { listAuthorities } from "../seals/authority-store.ts";
import { type EnvelopeId, isSandbox, type OrgId } from "../shared/ids.ts";
import { BlobDamaged, BlobMissing, type BlobStore } from "../storage/blob-store.ts";
import type { Covered } from "../transparency/ensure-covered.ts";
import { listSealCertificates } from "../transparency/store.ts";
import type { AuthoritativeCopy } from "./copy.ts";
import { lookUpCopy } from "./copy-store.ts";
import { listEffectiveActs } from "./facts/facts-store.ts";
import { checkpointFacts, logFacts, timeFacts, timeMarks } from "./facts/log-facts.ts";
import { namesInEvidence } from "./facts/names-in-evidence.ts";
import { registerFacts } from "./facts/register-facts.ts";
import { readSignedRows } from "./facts/signed-rows.ts";
import { type People, signerFacts } from "./facts/signer-facts.ts";
import { textFacts } from "./facts/text-facts.ts";
import { ensureFingerprints } from "./fingerprints/ensure-fingerprints.ts";
import { identityFacts } from "./fingerprints/identity-facts.ts";
import { lookUpOrigin, type Origin } from "./links/origin.ts";
import { findOrgSettings, listVersions, lookUpOlderCopy } from "./store.ts";
import { background, unreadable } from "./unreadable.ts";
import type { PipelineDeps } from "./vault.ts";
import { verifySealOf } from "./verify-seal-of.ts";

export interface Gathering {
  /** null for a preview: nothing is stored or read from the store */
  readonly certificate: Facts["certificate"];
  readonly covered: Covered | null;
}

/**
 * Collects everything that the eight checks look at, as it is now. For a certificate, the bytes are read from the store and hashed, the
 * seal is verified, and a copy is made and opened again; bytes that cannot be read are a fact too. A store that does not respond is not a
 * fact; this throws.
 */
export async function gatherFacts(
  deps: PipelineDeps,
  org: OrgId,
  envelope_id: EnvelopeId,
  { certificate, covered }: Gathering,
): Promise<Facts> {
  // Copies of an earlier release get theirs by a job, which may not have come to this one yet.
  if (certificate !== null) await ensureFingerprints(deps, org, envelope_id);
  const rows = await deps.db.tx(org, (tx) => readRows(deps, tx, org, envelope_id));
  const { envelope, document, copy, links } = rows;
  const chain = rules2.chainFacts(links, { org_id: org, subject: envelope_id, ...(rows.head !== null && { head: rows.head }) });
  const isPreview = certificate === null;
  const origin = await lookUpOrigin(deps, org, envelope_id);
  const read = readingOnce(deps, org);
  const times = await timeMarks(deps, covered);
  const source = copy?.source ?? (envelope.is_upload && envelope.submission_id === null ? "electronic_signed" : "signed_here");
  return {
    type: "countersign/facts/2",
    evaluated_at: new Date().toISOString(),
    source,
    provider: envelope.submission_id === null ? null : deps.provider.name,
    org: rows.org,
    envelope: {
      envelope_id,
      envelope_name: envelope.envelope_name,
      external_id: envelope.external_id,
      // As it was recorded, also after the customer was merged into another.
      customer_id: envelope.original_customer_id ?? envelope.customer_id,
      status: envelope.status,
      auto_vault_enabled: envelope.auto_vault_enabled,
      kba_required: envelope.kba_required,
      signing_order: envelope.signing_order,
      secured_party: envelope.secured_party,
    },
    certificate,
    ...(origin !== null && { origin: origin.facts }),
    copy: copy === null || isPreview ? null : await copyFacts(read, copy),
    older_copy: rows.older_copy,
    document: document === null ? null : await documentFacts(deps, org, read, document, isPreview),
    versions: await versionFacts(read, rows.versions, isPreview),
    seal: copy === null || isPreview ? null : await sealFacts(deps, org, read, copy, times, origin),
    upload_signatures: copy === null || isPreview ? [] : await uploadSignatures(deps, org, read, document, receivedAt(links)),
    chain,
    checkpoint: covered === null ? null : await checkpointFacts(deps, links, covered),
    time: await timeFacts(deps, covered),
    times,
    log: await logFacts(deps),
    identity: rows.identity,
    signers: rows.people.signers,
    ...(rows.documents.length > 0 && { documents: await partFacts(read, rows.documents, isPreview) }),
    ...(rows.people.recipients.length > 0 && { recipients: rows.people.recipients }),
    signed: rows.signed === null ? null : signedFacts(rows.signed, links),
    ...rows.register,
    acts: actFacts(rows.acts, links),
    evidence_file: await evidenceFacts(deps, org, read, rows.register, isPreview),
    texts: rows.texts,
    rendition: copy === null || isPreview ? null : await renditionFacts(deps, org, read, copy),
  };
}

interface Rows {
  readonly envelope: Envelope;
  readonly document: EnvelopeDocument | null;
  /** those that it was combined from; empty for an envelope with one */
  readonly documents: readonly DocumentRow[];
  readonly copy: AuthoritativeCopy | null;
  readonly older_copy: Facts["older_copy"];
  readonly org: Facts["org"];
  readonly versions: readonly Omit<VersionFacts, "found_sha256">[];
  readonly head: Head | null;
  readonly links: readonly Link[];
  readonly people: People;
  /** null unless the built-in provider ran the signing */
  readonly signed: SignedRows | null;
  readonly texts: Facts["texts"];
  readonly register: Awaited<ReturnType<typeof registerFacts>>;
  readonly acts: Awaited<ReturnType<typeof listEffectiveActs>>;
  readonly identity: Facts["identity"];
}

/**
 * Reads rows and chain in one consistent state: every change to a row of the envelope appends to its chain and waits for the chain's head.
 * Facts that report an act without its entry, or an entry without its act, would be refused by every verifier of the bundle.
 */
async function readRows(deps: PipelineDeps, tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<Rows> {
  const head = await lockHead(tx, org, envelope_id);
  const envelope = await findEnvelope(tx, org, envelope_id);
  const links = await readChain(tx, org, envelope_id);
  const copy = await lookUpCopy(tx, org, envelope_id);
  const { name, min_retention_days, require_external_time } = await findOrgSettings(tx, org);
  const signed = await readSignedRows(deps, tx, org, envelope);
  return {
    envelope,
    document: await lookUpDocument(tx, org, envelope_id),
    copy,
    older_copy: copy === null ? null : await lookUpOlderCopy(tx, org, copy),
    org: { org_id: org, name, min_retention_days, require_external_time },
    versions: await listVersions(tx, org, envelope_id),
    head,
    links,
    people: await signerFacts(deps, tx, org, envelope, links),
    signed,
    documents: signed?.documents ?? [],
    texts: await textFacts(tx, org, envelope_id),
    register: await registerFacts(tx, org, envelope, copy),
    acts: await listEffectiveActs(tx, org, envelope_id),
    identity: await identityFacts(tx, org, envelope, copy !== null),
  };
}

/** In the order of the chain, which names the entry of each act. */
function actFacts(acts: Rows["acts"], links: readonly Link[]): Facts["acts"] {
  const entries = rules2.milestonesOf(links).filter(({ type }) => type === "act.effective");
  const seqOf = (act_id: string): number => entries.find(({ said }) => said?.act_id === act_id)?.seq ?? 0;
  return acts.map((act) => ({ ...act, entry_seq: seqOf(act.act_id) })).sort((a, b) => a.entry_seq - b.entry_seq);
}

function signedFacts(rows: SignedRows, links: readonly Link[]): NonNullable<Facts["signed"]> {
  const difference = firstDifference(rows, links);
  const sent = rules2.milestonesOf(links).find(({ type }) => type === "envelope.sent");
  return {
    fields_recorded: typeof sent?.said?.fields_sha256 === "string",
    difference: difference === null ? null : { what: difference.what, signer: difference.signer },
  };
}

/** What the store has under a hash: null if nothing; without bytes if they have changed. */
type ReadBack = (sha256: string) => Promise<{ readonly sha256: string; readonly bytes: Uint8Array | null } | null>;

/** Reads each blob once, because most checks use the same two or three. */
function readingOnce({ storage }: PipelineDeps, org: OrgId): ReadBack {
  const found = new Map<string, ReturnType<ReadBack>>();
  return (sha256) => {
    const reading = found.get(sha256) ?? readBack(storage.blobs, org, sha256);
    found.set(sha256, reading);
    return reading;
  };
}

/** As it is in the store now. The store hashes what it reads; if the bytes have changed, the result has their actual hash. */
async function readBack(blobs: BlobStore, org: OrgId, sha256: string): ReturnType<ReadBack> {
  try {
    return { sha256, bytes: await blobs.read(org, sha256) };
  } catch (error) {
    if (error instanceof BlobMissing) return null;
    if (error instanceof BlobDamaged) return { sha256: error.found, bytes: null };
    throw error;
  }
}

async function copyFacts(read: ReadBack, copy: AuthoritativeCopy): Promise<NonNullable<Facts["copy"]>> {
  const found = await read(copy.sha256);
  return {
    copy_id: copy.copy_id,
    state: copy.state,
    state_since: copy.state_since?.toISOString() ?? null,
    sha256: copy.sha256,
    size: copy.size,
    content_sha256: copy.content_sha256,
    stored_at: copy.stored_at.toISOString(),
    retention_until: copy.retention_until.toISOString(),
    lock: { kind: copy.lock_kind, until: copy.lock_until.toISOString() },
    read_at: new Date().toISOString(),
    found_sha256: found?.sha256 ?? null,
    found_size: found?.bytes?.length ?? null,
  };
}

async function versionFacts(read: ReadBack, versions: Rows["versions"], isPreview: boolean): Promise<VersionFacts[]> {
  // A received file that had to be cleaned was never stored. All other versions must be unchanged.
  const found = async ({ kind, sha256 }: Rows["versions"][number]): Promise<string | null> =>
    isPreview || kind === "received" ? null : ((await read(sha256))?.sha256 ?? null);
  return Promise.all(versions.map(async (version) => ({ ...version, found_sha256: await found(version) })));
}

async function partFacts(read: ReadBack, documents: Rows["documents"], isPreview: boolean): Promise<PartFacts[]> {
  const found = async (sha256: string): Promise<string | null> => (isPreview ? null : ((await read(sha256))?.sha256 ?? null));
  return Promise.all(documents.map(async (one) => ({ ...one, found_sha256: await found(one.sha256) })));
}

async function documentFacts(
  deps: PipelineDeps,
  org: OrgId,
  read: ReadBack,
  { content_type, hash, pdf_sha256, pages, byte_for_byte }: EnvelopeDocument,
  isPreview: boolean,
): Promise<NonNullable<Facts["document"]>> {
  const kept = isPreview ? null : await read(hash);
  const pdf = isPreview ? null : await read(pdf_sha256);
  const opened = pdf?.bytes == null ? null : await deps.pdf.inspect(pdf.bytes, {}, background(org)).catch(unreadable);
  return {
    content_type,
    hash,
    found_sha256: kept?.sha256 ?? null,
    pages: pages.length,
    found_pages: opened?.pages ?? null,
    byte_for_byte,
    lowest_dpi: lowestDpi(pages),
  };
}

const receivedAt = (links: readonly Link[]): Date =>
  new Date(links.find(({ entry }) => entry.type === "document.received")?.entry.at ?? Date.now());

/** Of pages that are a single image: a scan with a low resolution is weak evidence. */
function lowestDpi(pages: EnvelopeDocument["pages"]): number | null {
  const scans = pages.flatMap(({ scan_dpi }) => (scan_dpi === null || scan_dpi === undefined ? [] : [Math.round(scan_dpi)]));
  return scans.length === 0 ? null : Math.min(...scans);
}

async function sealFacts(
  deps: PipelineDeps,
  org: OrgId,
  read: ReadBack,
  copy: AuthoritativeCopy,
  times: Facts["times"],
  origin: Origin | null,
): Promise<NonNullable<Facts["seal"]>> {
  const none = {
    valid: false,
    // Another vault's seal has no id here.
    seal_id: copy.seal_id ?? "",
    subject: "",
    certificate_sha256: "",
    level: copy.seal_level,
    reason: "",
    self_issued: true,
  };
  const bytes = (await read(copy.sha256))?.bytes ?? null;
  if (bytes === null) return { ...none, fault: "the bytes are not what was sealed", revisions: 0, sealed_revisions: 0 };
  const proofs = times.filter(({ valid }) => valid).map(({ at }) => at);
  const own = await verifySealOf(deps, org, copy, bytes, { origin, proofs });
  const { revisions = 0 } = (await deps.pdf.inspect(bytes, {}, background(org)).catch(unreadable)) ?? {};
  const parent = (await read(copy.parent_sha256))?.bytes ?? null;
  const { revisions: sealed_revisions = 0 } =
    (parent === null ? null : await deps.pdf.inspect(parent, {}, background(org)).catch(unreadable)) ?? {};
  const counted = { revisions, sealed_revisions: origin === null ? sealed_revisions : sealedRevisions(origin) };
  const fault = own.valid ? null : own.reason;
  if (own.report === null) return { ...none, fault, ...counted };
  const { certificate, reason } = own.report;
  return {
    ...none,
    valid: own.valid,
    fault,
    subject: certificate?.subject ?? "",
    certificate_sha256: certificate?.sha256 ?? "",
    reason: reason ?? "",
    self_issued:
      origin === null ? deps.seals.bought === null || isSandbox(org) : (rules2.firstFacts(origin.facts.facts).seal?.self_issued ?? true),
    ...counted,
  };
}

const sealedRevisions = ({ facts }: Origin): number => rules2.firstFacts(facts.facts).seal?.sealed_revisions ?? 0;

/** Whether the evidence file is still in the store, unchanged, and whom it names. A preview reads it too: whom it names decides a check. */
async function evidenceFacts(
  deps: PipelineDeps,
  org: OrgId,
  read: ReadBack,
  { evidence_file: file, attestation }: Pick<Rows["register"], "evidence_file" | "attestation">,
  isPreview: boolean,
): Promise<Facts["evidence_file"]> {
  if (file === null) return null;
  const found = await read(file.sha256);
  const names = await namesInEvidence(deps.pdf, found?.bytes ?? null, attestation?.signers ?? [], background(org));
  return { ...file, found_sha256: isPreview ? null : (found?.sha256 ?? null), names };
}

/** The digital signatures in an uploaded document that was signed elsewhere, judged at the time at which it was received. */
async function uploadSignatures(
  deps: PipelineDeps,
  org: OrgId,
  read: ReadBack,
  document: EnvelopeDocument | null,
  received_at: Date,
): Promise<Facts["upload_signatures"]> {
  if (document === null || !document.byte_for_byte) return [];
  const bytes = (await read(document.pdf_sha256))?.bytes ?? null;
  const roots = await deps.db.system(async (tx) => [...deps.uploadRoots, ...(await listAuthorities(tx, "upload"))]);
  const reports = bytes === null ? null : await deps.pdf.verify(bytes, { roots, at: received_at }, background(org)).catch(unreadable);
  const own = await deps.db.system((tx) => listSealCertificates(tx));
  return (reports ?? []).map(({ field, intact, fault, certificate, trusted }) => ({
    field,
    intact,
    fault: intact ? null : (fault ?? "broken"),
    subject: certificate?.subject ?? null,
    trusted,
    ours: own.some(({ certificate_sha256 }) => certificate_sha256 === certificate?.sha256),
  }));
}

/** Makes a copy as a caller would get it, opens it again and checks every page. The copy is not handed out. */
async function renditionFacts(
  deps: PipelineDeps,
  org: OrgId,
  read: ReadBack,
  copy: AuthoritativeCopy,
): Promise<NonNullable<Facts["rendition"]>> {
  const bytes = (await read(copy.parent_sha256))?.bytes ?? null;
  if (bytes === null) return { pages: 0, marked_pages: 0, fault: "the document cannot be read from the store" };
  const band = `${COPY_MARK} · ${copy.envelope_id}`;
  const made = await deps.pdf.copy(bytes, { band, diagonal: "COPY" }, background(org)).catch(unreadable);
  if (made === null) return { pages: 0, marked_pages: 0, fault: "the document cannot be opened" };
  const opened = await deps.pdf.inspect(made.bytes, { text: COPY_MARK }, background(org)).catch(unreadable);
  if (opened === null) return { pages: 0, marked_pages: 0, fault: "the copy cannot be opened" };
  return { pages: opened.pages, marked_pages: opened.pages_with_text, fault: null };
}
