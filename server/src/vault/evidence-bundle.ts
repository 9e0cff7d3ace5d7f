import {
  type Bundle2Parts,
  type BundleKind,
  type CertificateFiles,
  canonicalize,
  canonicalValue,
  type Facts,
  type Facts2,
  type Link,
  lacksOf,
  type NamedFile,
  type RenewalFiles,
  readNote,
  registersOf,
  rules2,
  type TimeMark,
  writeBundle2,
  writeNote,
  writeOrigins,
  writeSigned,
  writeVerifyMd,
} from "@countersign/evidence";
import { readChain } from "../audit/read-chain.ts";
import type { Read, Tx } from "../db/sql.ts";
import { readStored } from "../documents/read-stored.ts";
import { issueDocument } from "../envelopes/issue-document.ts";
import { findEnvelope } from "../envelopes/store.ts";
import type { FileAnswer } from "../http/endpoint.ts";
import { listAuthorities } from "../seals/authority-store.ts";
import { ensureInstanceKeys } from "../seals/instance-keys.ts";
import { readToken } from "../seals/read-token.ts";
import { listSeals } from "../seals/store.ts";
import type { Caller } from "../shared/caller.ts";
import { type EnvelopeId, isSandbox, type OrgId } from "../shared/ids.ts";
import { nameFile } from "../shared/name-file.ts";
import { listTexts } from "../texts/store.ts";
import type { SignedCheckpoint } from "../transparency/checkpoint.ts";
import { ensureCovered } from "../transparency/ensure-covered.ts";
import { type ListedCosignature, listFirstCosignatures } from "../transparency/note-store.ts";
import { consistencyProof, inclusionProofs } from "../transparency/prove.ts";
import { lookUpNewestToken } from "../transparency/renewal-store.ts";
import { listTokens, lookUpCheckpoint } from "../transparency/store.ts";
import { signTestTrust, signTrust } from "../transparency/trust.ts";
import { requireState } from "./copy.ts";
import { findCopy } from "./copy-store.ts";
import { suppliedName } from "./evidence-file.ts";
import { lookUpEvidence } from "./evidence-store.ts";
import { listAgreedTexts } from "./facts/facts-store.ts";
import { timeStampAuthorities } from "./facts/log-facts.ts";
import { readSignedRows } from "./facts/signed-rows.ts";
import { refuseDamaged } from "./keeping/require-undamaged.ts";
import { lookUpOrigin } from "./links/origin.ts";
import { accessorName, recordAccess } from "./served-files.ts";
import { type CertificateHashes, listCertificates } from "./store.ts";
import { type PipelineDeps, statusUrl } from "./vault.ts";

/** A copy of a vaulted document with everything that is needed to verify it without us. The chain inside records who received it. */
export async function serveEvidence(deps: PipelineDeps, caller: Caller, envelope_id: EnvelopeId): Promise<FileAnswer> {
  const { org } = caller;
  requireState(
    await deps.db.tx(org, (tx) => findCopy(tx, org, envelope_id)),
    "active",
    "escrowed",
    "exported",
    "transferred",
    "papering",
    "papered",
  );
  await recordAccess(deps, caller, envelope_id, "evidence");
  const { bytes } = await issueDocument(deps, { caller, named: accessorName(caller), early: "prepared" }, envelope_id);
  const zip = await refuseDamaged(deps, org, envelope_id, () => bundleOf(deps, org, envelope_id, "evidence", bytes));
  const { envelope_name } = await deps.db.tx(org, (tx) => findEnvelope(tx, org, envelope_id));
  return { type: "application/zip", bytes: zip, file_name: nameFile(envelope_name, "zip", "evidence") };
}

/** For another vault to verify before the record is released to it. The copy in it is marked with the transfer. */
export async function transferBundle(
  deps: PipelineDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  transfer_id: string,
): Promise<Uint8Array> {
  const { org } = caller;
  const { bytes } = await issueDocument(deps, { caller, named: transfer_id, early: "prepared" }, envelope_id);
  return refuseDamaged(deps, org, envelope_id, () => bundleOf(deps, org, envelope_id, "evidence", bytes));
}

/** With the authoritative bytes, read and hashed again. This is what a vault export contains. */
export async function exportBundle(deps: PipelineDeps, org: OrgId, envelope_id: EnvelopeId): Promise<Uint8Array> {
  const { sha256 } = await deps.db.tx(org, (tx) => findCopy(tx, org, envelope_id));
  return bundleOf(deps, org, envelope_id, "export", await readStored(deps, org, sha256, "document_unavailable"));
}

async function bundleOf(
  deps: PipelineDeps,
  org: OrgId,
  envelope_id: EnvelopeId,
  kind: BundleKind,
  document: Uint8Array,
): Promise<Uint8Array> {
  const rows = await deps.db.tx(org, (tx) => readRows(deps, tx, org, envelope_id));
  const { copy, evidence, links } = rows;
  const read = (sha256: string) => readStored(deps, org, sha256, "document_unavailable");
  const origin = await lookUpOrigin(deps, org, envelope_id);
  const registers = registersOf(rules2.withTransfersSettled(rules2.milestonesOf(links)));
  if (registers === null) throw new Error(`the registers of ${copy.copy_id} cannot be replayed`);
  const certificates = await Promise.all(rows.certificates.map((hashes) => readCertificate(read, hashes)));
  const facts = factsOf(certificates);
  const { records, at } = await ensureInstanceKeys(deps.seals);
  const { root, roots, ...keys } = await (isSandbox(org) ? signTestTrust(deps.log) : signTrust(deps.log));
  const proven = await proveAll(deps, links, facts);
  const last = links.at(-1)?.entry;
  // A time at which the records key was in use, also if it is replaced before the bundle is ready.
  const created_at = at.toISOString();
  const parts: Bundle2Parts = {
    kind,
    org_id: org,
    envelope_id,
    copy_id: copy.copy_id,
    certificate_revision: facts.certificate?.revision ?? 0,
    rules: facts.type === "countersign/facts/2" ? 2 : 1,
    created_at,
    as_of: { at: created_at, chain_seq: last?.seq ?? 0, chain_hash: last?.hash ?? "", tree_size: proven.tree_size },
    lacks: lacksOf({ facts, links, times: proven.times }),
    status_url: isSandbox(org) ? null : statusUrl(deps.publicUrl, copy),
    document,
    certificates,
    links,
    proofs: proven.proofs,
    vaulted: proven.vaulted,
    latest: proven.latest,
    renewals: proven.renewals,
    registers,
    texts: await deps.db.tx(org, (tx) => agreedTexts(tx, org, envelope_id)),
    supplied: evidence === null ? null : { name: suppliedName(evidence), bytes: await read(evidence.sha256) },
    signed: rows.signed === null ? [] : writeSigned(rows.signed),
    verify_md: writeVerifyMd(VERIFIER_VERSION),
    origins: origin === null ? [] : writeOrigins(origin.files, { bytes: origin.row.release, signature: origin.row.release_signature }),
    trust: { root, seals: rows.seals, keys, roots, tsa: proven.authorities, more: witnessFiles(proven.witnesses) },
  };
  return writeBundle2(parts, records);
}

async function readRows(deps: PipelineDeps, tx: Tx, org: OrgId, envelope_id: EnvelopeId) {
  const envelope = await findEnvelope(tx, org, envelope_id);
  return {
    copy: await findCopy(tx, org, envelope_id),
    evidence: await lookUpEvidence(tx, org, envelope_id),
    certificates: await listCertificates(tx, org, envelope_id),
    seals: (await listSeals(tx, org)).map(({ certificate, issuers }) => [certificate, ...issuers]),
    signed: await readSignedRows(deps, tx, org, envelope),
    links: await readChain(tx, org, envelope_id),
  };
}

async function readCertificate(read: (sha256: string) => Promise<Uint8Array>, hashes: CertificateHashes): Promise<CertificateFiles> {
  return {
    revision: hashes.revision,
    pdf: await read(hashes.pdf_sha256),
    compliance: await read(hashes.json_sha256),
    facts: await read(hashes.facts_sha256),
  };
}

/** Of the latest revision, which the bundle is about. */
function factsOf(certificates: readonly CertificateFiles[]): Facts | Facts2 {
  const latest = certificates.at(-1);
  if (latest === undefined) throw new Error("the vaulted envelope has no certificate");
  return canonicalValue(latest.facts) as unknown as Facts | Facts2;
}

type Proven = Pick<Bundle2Parts, "proofs" | "vaulted" | "latest" | "renewals"> & {
  readonly tree_size: number;
  readonly times: readonly Pick<TimeMark, "kind" | "valid">[];
  /** the public keys of the witnesses whose cosignatures are in the bundle */
  readonly witnesses: readonly string[];
  /** the roots of the tokens in the bundle */
  readonly authorities: readonly Uint8Array[];
};

/** For the storing, the checkpoint and the token that the certificate names, whatever there is now; for the whole chain, the latest one. */
async function proveAll(deps: PipelineDeps, links: readonly Link[], facts: Facts | Facts2): Promise<Proven> {
  const hashes = links.map(({ entry }) => entry.hash);
  const { checkpoint: latest } = await ensureCovered(deps.log, hashes);
  const vaulted = await findCheckpoint(deps, facts.checkpoint?.tree_size ?? 0);
  const { tree_size } = latest;
  const proved = await inclusionProofs(deps.log, hashes, tree_size);
  const certified = links.findLastIndex(({ entry }) => entry.type === "vault.certificate.issued");
  const sizes = [vaulted.tree_size, (proved[certified]?.index ?? tree_size - 1) + 1] as const;
  const stamps = await stampsOf(deps, facts, sizes);
  const own = stamps.find(({ isOfFacts }) => isOfFacts);
  const later = stamps.filter(({ isOfFacts }) => !isOfFacts);
  const cosignatures = await cosignaturesOf(deps, sizes);
  const ends: Ends = { vaulted: vaulted.tree_size, latest: tree_size };
  return {
    tree_size,
    proofs: {
      type: "countersign/proofs/1",
      inclusions: proved.map(({ index, proof }, at) => ({ seq: links[at]?.entry.seq ?? 0, index, proof })),
      consistency: await consistencyProof(deps.log, vaulted.tree_size, tree_size),
    },
    vaulted: { bytes: vaulted.bytes, signature: vaulted.signature, token: own?.token ?? null, note: noteOf(vaulted) },
    latest: { bytes: latest.bytes, signature: latest.signature, note: noteOf(latest) },
    renewals: [
      ...(await Promise.all(later.map((stamp) => renewalOf(deps, ends, stamp)))),
      ...(await cosignedNotes(deps, ends, cosignatures)),
    ],
    times: [
      ...stamps.map(() => ({ kind: "token", valid: true }) as const),
      ...cosignatures.map(() => ({ kind: "cosignature", valid: true }) as const),
    ],
    witnesses: [...new Set(cosignatures.map(({ vkey }) => vkey))],
    authorities: distinct([...stamps.map(({ root }) => root), ...(await deps.db.system((tx) => listAuthorities(tx, "tsa")))]),
  };
}

/** Seals inside the bundle may have time stamps too, so every authority that was ever used is listed. */
const distinct = (roots: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(roots.map((root) => [Buffer.from(root).toString("hex"), root])).values(),
];

interface Stamp {
  readonly checkpoint: SignedCheckpoint;
  readonly token: Uint8Array;
  /** the root that it verifies under */
  readonly root: Uint8Array;
  /** whether the certificate names it as the time of its checkpoint */
  readonly isOfFacts: boolean;
}

// The first version of the verifier that reads these bundles.
const VERIFIER_VERSION = "0.2.0";

/** The least sizes of trees that contain the storing, and the latest certificate. */
type Sizes = readonly [storing: number, certificate: number];

// A few of the first tokens may be of an authority that was never trusted.
const MOST_TOKENS = 8;

/**
 * The valid time stamps to carry: the one that the certificate names, the first one after the storing, the first one after the certificate,
 * whose seal it proves, and the newest one, which carries the evidence on.
 */
async function stampsOf(deps: PipelineDeps, facts: Facts | Facts2, sizes: Sizes): Promise<Stamp[]> {
  const roots = await timeStampAuthorities(deps);
  const tokens = await deps.db.system(async (tx) => {
    const newest = await lookUpNewestToken(tx);
    return [
      ...(await listTokens(tx, sizes[0], MOST_TOKENS)),
      ...(await listTokens(tx, sizes[1], MOST_TOKENS)),
      ...(newest === null || newest.tree_size < sizes[0] ? [] : [newest]),
    ].sort((a, b) => a.tree_size - b.tree_size);
  });
  const stamps: Stamp[] = [];
  for (const { tree_size, token } of tokens) {
    if (stamps.some((stamp) => stamp.checkpoint.tree_size === tree_size)) continue;
    const checkpoint = await findCheckpoint(deps, tree_size);
    const { gen_time, root } = readToken(token, checkpoint.bytes, roots);
    const named = facts.time.token;
    const isOfFacts = named?.valid === true && named.tree_size === tree_size && named.gen_time === gen_time;
    if (root !== null) stamps.push({ checkpoint, token, root, isOfFacts });
  }
  const firstFrom = (size: number) => stamps.find(({ checkpoint }) => checkpoint.tree_size >= size);
  const carried = [firstFrom(sizes[0]), firstFrom(sizes[1]), stamps.at(-1)];
  return stamps.filter((stamp) => stamp.isOfFacts || carried.includes(stamp));
}

const noteOf = ({ note }: SignedCheckpoint): string | null => note?.toString("utf8") ?? null;

async function findCheckpoint(deps: PipelineDeps, tree_size: number): Promise<SignedCheckpoint> {
  const found = await deps.db.system((tx) => lookUpCheckpoint(tx, tree_size));
  if (found === null) throw new Error(`checkpoint ${tree_size} is not there`);
  return found;
}

/** The sizes of the bundle's own two checkpoints. */
interface Ends {
  readonly vaulted: number;
  readonly latest: number;
}

async function renewalOf(deps: PipelineDeps, ends: Ends, { checkpoint, token }: Stamp): Promise<RenewalFiles> {
  const { tree_size, bytes, signature } = checkpoint;
  return { checkpoint: { bytes, signature }, token, note: null, proof: await proofOf(deps, ends, tree_size) };
}

async function proofOf({ log }: PipelineDeps, { vaulted, latest }: Ends, tree_size: number): Promise<RenewalFiles["proof"]> {
  return {
    vaulted: await consistencyProof(log, vaulted, tree_size),
    latest: await consistencyProof(log, Math.min(tree_size, latest), Math.max(tree_size, latest)),
  };
}

/** Of each witness, its first valid cosignature of a checkpoint that contains the storing, and of one that contains the certificate. */
async function cosignaturesOf(deps: PipelineDeps, sizes: Sizes): Promise<ListedCosignature[]> {
  const found = await deps.db.system(async (tx) => [
    ...(await listFirstCosignatures(tx, sizes[0])),
    ...(await listFirstCosignatures(tx, sizes[1])),
  ]);
  return [...new Map(found.filter(({ valid }) => valid).map((each) => [each.line, each])).values()];
}

/** One note for each checkpoint that a witness cosigned, with the cosignatures below the log's own signatures. */
async function cosignedNotes(deps: PipelineDeps, ends: Ends, cosignatures: readonly ListedCosignature[]): Promise<RenewalFiles[]> {
  const sizes = [...new Set(cosignatures.map(({ tree_size }) => tree_size))].sort((a, b) => a - b);
  return Promise.all(
    sizes.map(async (tree_size): Promise<RenewalFiles> => {
      const note = readNote((await findCheckpoint(deps, tree_size)).note ?? Buffer.alloc(0));
      if (note === null) throw new Error(`checkpoint ${tree_size} is cosigned and has no note`);
      const lines = cosignatures.filter((each) => each.tree_size === tree_size).map(({ line }) => line);
      const cosigned = writeNote(note.text, [...note.signatures.map(({ line }) => line), ...lines]).toString("utf8");
      return { checkpoint: null, token: null, note: cosigned, proof: await proofOf(deps, ends, tree_size) };
    }),
  );
}

const witnessFiles = (vkeys: readonly string[]): NamedFile[] =>
  vkeys.length === 0 ? [] : [{ name: "trust/witnesses.json", bytes: Buffer.from(canonicalize([...vkeys])) }];

/**
 * The texts that were accepted, in full, because a hash says little to a reader of the bundle. Never the current ones: a text is found by
 * its hash, and named by the version under which it was accepted.
 */
async function agreedTexts(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Bundle2Parts["texts"]> {
  const agreed = await listAgreedTexts(read, org, envelope_id);
  const published = await listTexts(
    read,
    agreed.map(({ sha256 }) => sha256),
  );
  return agreed.flatMap(({ kind, version, sha256 }) => {
    const found = published.find((text) => text.sha256 === sha256);
    return found === undefined ? [] : [{ name: `texts/${kind}-${version}.${found.locale}.md`, bytes: Buffer.from(found.text) }];
  });
}
