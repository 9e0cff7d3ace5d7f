import { type BundleKind, type BundleParts, chainFacts, keyIdOf, type Link, registersOf, writeBundle } from "@countersign/evidence";
import { readChain } from "../audit/read-chain.ts";
import type { Read } from "../db/sql.ts";
import { readStored } from "../documents/read-stored.ts";
import { currentTerms } from "../envelopes/certification.ts";
import { issueDocument } from "../envelopes/issue-document.ts";
import type { FileAnswer } from "../http/endpoint.ts";
import { ensureInstanceKeys } from "../seals/instance-keys.ts";
import { lookUpSeal } from "../seals/store.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { currentTexts } from "../signing/texts.ts";
import { ensureCovered } from "../transparency/ensure-covered.ts";
import { consistencyProof, inclusionProofs } from "../transparency/prove.ts";
import { signTrust } from "../transparency/trust.ts";
import { requireState } from "./copy.ts";
import { findCopy } from "./copy-store.ts";
import { upToStoring } from "./cover-storing.ts";
import { suppliedName } from "./evidence-file.ts";
import { lookUpEvidence } from "./evidence-store.ts";
import { accessorName, recordAccess } from "./hand-out.ts";
import { refuseDamaged } from "./keeping/require-undamaged.ts";
import { listAgreedHashes, lookUpCertificate, lookUpHead } from "./store.ts";
import type { PipelineDeps } from "./vault.ts";

/** A copy of a vaulted document with everything that is needed to verify it without us. The chain inside records who received it. */
export async function serveEvidence(deps: PipelineDeps, caller: Caller, envelope_id: EnvelopeId): Promise<FileAnswer> {
  const { org } = caller;
  requireState(await deps.db.tx(org, (tx) => findCopy(tx, org, envelope_id)), "active", "escrowed", "exported");
  await recordAccess(deps, caller, envelope_id, "evidence");
  const { bytes } = await issueDocument(deps, { caller, named: accessorName(caller), early: "prepared" }, envelope_id);
  const zip = await refuseDamaged(deps, org, envelope_id, () => bundleOf(deps, org, envelope_id, "evidence", bytes));
  return { type: "application/zip", bytes: zip, file_name: `${envelope_id}-evidence.zip` };
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
  const { certificate, copy, evidence, seal, links, head } = await deps.db.tx(org, async (tx) => {
    const copy = await findCopy(tx, org, envelope_id);
    return {
      copy,
      evidence: await lookUpEvidence(tx, org, envelope_id),
      certificate: await lookUpCertificate(tx, org, envelope_id),
      seal: await lookUpSeal(tx, org, copy.seal_id),
      links: await readChain(tx, org, envelope_id),
      head: await lookUpHead(tx, org, envelope_id),
    };
  });
  if (certificate === null || seal === null) throw new Error("the vaulted envelope has no certificate or no seal");
  const read = (sha256: string) => readStored(deps, org, sha256, "document_unavailable");
  const registers = registersOf(chainFacts(links, { org_id: org, subject: envelope_id, ...(head !== null && { head }) }).milestones);
  if (registers === null) throw new Error(`the registers of ${copy.copy_id} cannot be replayed`);
  const { root, ...keys } = await signTrust(deps.log);
  const { records } = await deps.db.system((tx) => ensureInstanceKeys(deps.seals, tx));
  const parts: BundleParts = {
    kind,
    org_id: org,
    envelope_id,
    created_at: new Date().toISOString(),
    document,
    certificate: await read(certificate.pdf_sha256),
    compliance: await read(certificate.json_sha256),
    facts: await read(certificate.facts_sha256),
    links,
    ...(await proveAll(deps, links)),
    registers,
    texts: await deps.db.tx(org, (tx) => agreedTexts(tx, org, envelope_id)),
    supplied: evidence === null ? null : { name: suppliedName(evidence), bytes: await read(evidence.sha256) },
    trust: { root, seal: [seal.certificate, ...seal.issuers], keys, tsa: deps.log.tsaRoots },
  };
  return writeBundle(parts, { key: records.key, key_id: keyIdOf(records.public_key) });
}

/** For the storing, the checkpoint that the certificate is based on; for the whole chain, the latest checkpoint. */
async function proveAll(deps: PipelineDeps, links: readonly Link[]): Promise<Pick<BundleParts, "proofs" | "vaulted" | "latest">> {
  const hashes = links.map(({ entry }) => entry.hash);
  const vaulted = await ensureCovered(deps.log, upToStoring(links));
  const latest = await ensureCovered(deps.log, hashes);
  const { tree_size } = latest.checkpoint;
  const proved = await inclusionProofs(deps.log, hashes, tree_size);
  return {
    proofs: {
      type: "countersign/proofs/1",
      inclusions: proved.map(({ index, proof }, at) => ({ seq: links[at]?.entry.seq ?? 0, index, proof })),
      consistency: await consistencyProof(deps.log, vaulted.checkpoint.tree_size, tree_size),
    },
    vaulted: { bytes: vaulted.checkpoint.bytes, signature: vaulted.checkpoint.signature, token: vaulted.stamp.token },
    latest: { bytes: latest.checkpoint.bytes, signature: latest.checkpoint.signature },
  };
}

/** In full, because a hash says little to a reader of the bundle. */
async function agreedTexts(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<BundleParts["texts"]> {
  const agreed = new Set(await listAgreedHashes(read, org, envelope_id));
  const published = (["disclosure", "intent"] as const).flatMap((kind) =>
    currentTexts(kind).map(({ version, locale, sha256, text }) => ({ name: `texts/${kind}-${version}.${locale}.md`, sha256, text })),
  );
  const { terms_version, terms_sha256, text } = currentTerms();
  return [...published, { name: `texts/terms-${terms_version}.en.md`, sha256: terms_sha256, text }]
    .filter(({ sha256 }) => agreed.has(sha256))
    .map(({ name, text: content }) => ({ name, bytes: Buffer.from(content) }));
}
