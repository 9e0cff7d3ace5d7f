import { firstFault, type Head, type Link } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import { readChain } from "../../audit/read-chain.ts";
import { lockHead } from "../../audit/read-head.ts";
import type { Read, Tx } from "../../db/sql.ts";
import type { Envelope } from "../../envelopes/envelope.ts";
import { lockRow } from "../../envelopes/store.ts";
import type { Cause } from "../../jobs/catalogue.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { BlobDamaged, BlobMissing } from "../../storage/blob-store.ts";
import { type AuthoritativeCopy, type LockedCopy, type VaultDeps, vaultJobCaller, verifiable } from "../copy.ts";
import { lockCopyById, lookUpCopy } from "../copy-store.ts";
import type { EvidenceFile } from "../evidence-file.ts";
import { lookUpEvidence } from "../evidence-store.ts";
import { lookUpEscrow } from "../exports/store.ts";
import { type Damage, differenceOf } from "./difference.ts";
import { type CertificateRow, listCertificates, listEffectiveRows, listPermissionRows, markTampered, markVerified } from "./store.ts";

/** `gone`: the copy has left, was destroyed or is known to be damaged, so there is nothing to verify. */
export type Verdict = "sound" | "tampered" | "gone";

/** `damage`: the entry that records it, for which an evaluation is queued; null unless damage was found just now. */
export interface Examined {
  readonly verdict: Verdict;
  readonly damage: Cause | null;
  /** the copy and when it was found sound; null for any other verdict */
  readonly sound: Pick<LockedCopy, "copy_id" | "now"> | null;
}

type Deps = Pick<VaultDeps, "db" | "storage">;

/**
 * Verifies one copy independently: reads and hashes its bytes and those of its certificates, recomputes its chain, and compares every row
 * with its entry. A difference marks the copy as tampered, with an entry, an e-mail and another evaluation. Throws StoreUnavailable if the
 * store cannot be read, because an outage says nothing about the stored bytes.
 */
export const verifyCopy = async (deps: Deps, org: OrgId, envelope_id: EnvelopeId): Promise<Verdict> =>
  (await examineCopy(deps, org, envelope_id)).verdict;

/**
 * The same for a caller that evaluates the record right away. `marks: false`: the copy does not count as verified yet, because the caller has
 * more to compare.
 */
export async function examineCopy(
  deps: Deps,
  org: OrgId,
  envelope_id: EnvelopeId,
  { marks }: { readonly marks: boolean } = { marks: true },
): Promise<Examined> {
  const found = await deps.db.tx(org, async (tx) => ({
    copy: await lookUpCopy(tx, org, envelope_id),
    files: await readCopyFiles(tx, org, envelope_id),
  }));
  if (found.copy === null || !verifiable.includes(found.copy.state)) return { verdict: "gone", damage: null, sound: null };
  const { copy_id } = found.copy;
  const damaged = await damagedBlob(deps, org, found.copy, found.files);
  return deps.db.tx(org, async (tx) => {
    // Nothing changes while rows and entries are compared.
    const envelope = await lockRow(tx, org, envelope_id);
    const copy = await lockCopyById(tx, org, copy_id);
    if (!verifiable.includes(copy.state)) return { verdict: "gone", damage: null, sound: null };
    const damage = damaged ?? (await recordDamage(tx, org, envelope, copy));
    if (damage === null) {
      if (marks) await markVerified(tx, org, copy);
      return { verdict: "sound", damage: null, sound: copy };
    }
    return { verdict: "tampered", damage: await recordTampering(tx, org, envelope, copy, damage), sound: null };
  });
}

interface RecordedBlob {
  readonly what: string;
  readonly sha256: string;
}

/** Stored files that belong to the copy. */
export interface CopyFiles {
  readonly certificates: readonly CertificateRow[];
  readonly evidence: EvidenceFile | null;
}

export async function readCopyFiles(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<CopyFiles> {
  return { certificates: await listCertificates(read, org, envelope_id), evidence: await lookUpEvidence(read, org, envelope_id) };
}

/** Everything that must be in the store unchanged. */
export function blobsOf(copy: AuthoritativeCopy, { certificates, evidence }: CopyFiles): RecordedBlob[] {
  return [
    { what: "the copy's bytes", sha256: copy.sha256 },
    ...certificates.flatMap(({ revision, facts_sha256, json_sha256, pdf_sha256 }) =>
      [pdf_sha256, json_sha256, facts_sha256].map((sha256) => ({ what: `the bytes of certificate ${revision}`, sha256 })),
    ),
    ...(evidence === null ? [] : [{ what: "the evidence file", sha256: evidence.sha256 }]),
  ];
}

/** The first blob that is missing or changed; throws StoreUnavailable if the store cannot be read. */
export async function damagedBlob({ storage }: Deps, org: OrgId, copy: AuthoritativeCopy, files: CopyFiles): Promise<Damage | null> {
  for (const { what, sha256 } of blobsOf(copy, files)) {
    try {
      await storage.blobs.read(org, sha256);
    } catch (error) {
      if (error instanceof BlobDamaged) return { what, expected: sha256, found: error.found };
      if (error instanceof BlobMissing) return { what, expected: sha256, found: null };
      throw error;
    }
  }
  return null;
}

/** The first difference in the chain or the rows. The caller holds the locks of envelope and copy. */
export async function recordDamage(tx: Tx, org: OrgId, { envelope_id, secured_party }: Envelope, copy: LockedCopy): Promise<Damage | null> {
  const head = await lockHead(tx, org, envelope_id);
  const links = await readChain(tx, org, envelope_id);
  return (
    chainDamage(links, org, envelope_id, head) ??
    differenceOf(links, {
      copy,
      secured_party,
      permissions: await listPermissionRows(tx, org, copy.copy_id),
      assignments: await listEffectiveRows(tx, org, envelope_id),
      certificates: await listCertificates(tx, org, envelope_id),
      escrow: await lookUpEscrow(tx, org, copy.copy_id),
    })
  );
}

export const CHAIN = "the audit trail";

export function chainDamage(links: readonly Link[], org_id: OrgId, subject: EnvelopeId | OrgId, head: Head | null): Damage | null {
  if (head === null) return { what: CHAIN, expected: "a head", found: null };
  const fault = firstFault(links, { org_id, subject, head });
  if (fault === null) return null;
  return { what: `${CHAIN} at entry ${fault.seq} (${fault.kind})`, expected: fault.expected, found: fault.found };
}

/** Nothing more is appended to a damaged trail. Then the entry goes to the organization's own trail, also if the head is missing. */
async function recordTampering(tx: Tx, org: OrgId, envelope: Envelope, copy: LockedCopy, damage: Damage): Promise<Cause> {
  const { envelope_id, envelope_name } = envelope;
  const { copy_id, state } = copy;
  const { what, expected, found } = damage;
  await markTampered(tx, org, copy);
  const data = { envelope_id, copy_id, state, what, expected, found };
  const chain = what.startsWith(CHAIN) ? {} : { envelope_id };
  const type = "vault.document.tamper_detected";
  const { hash } = await appendAudit(tx, org, { type, by: vaultJobCaller(org), ...chain, data });
  await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash } });
  await enqueue(tx, "orgs.notify-admins", { org_id: org, kind: "vault_tampered", ...wordsFor(envelope_id, envelope_name, what) });
  return { type, hash };
}

function wordsFor(envelope_id: EnvelopeId, envelope_name: string, what: string): { subject: string; text: string } {
  return {
    subject: `A vaulted document does not match its record: ${envelope_name}`,
    text: [
      `The vault found that ${what} of ${envelope_id} ("${envelope_name}") does not match its record.`,
      "Until this is resolved, the document cannot be downloaded, transferred to another custodian or exported.",
      "If only the stored file is damaged, restore it from a backup. Any other difference means that someone with access to the database changed it.",
    ].join("\n\n"),
  };
}
