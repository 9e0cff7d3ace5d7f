import { COPY_MARK, PARTIAL_MARK } from "@countersign/evidence";
import type { Tx } from "../../db/sql.ts";
import { findEnvelope } from "../../envelopes/store.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { BlobDamaged, BlobMissing } from "../../storage/blob-store.ts";
import type { AuthoritativeCopy, VaultDeps } from "../copy.ts";
import { lookUpCopy } from "../copy-store.ts";
import { background, unreadable } from "../unreadable.ts";
import { type Fingerprint, fingerprintsOf, instrumentFingerprint } from "./fingerprint.ts";
import { hasFingerprints, insertFingerprints, lookUpReceivedMarks } from "./store.ts";

/** Words that mark a PDF of ours which is not the signed document. */
export const MARKS = [COPY_MARK, PARTIAL_MARK] as const;

/** What the stored bytes are recognized by. `parent_size`: how many of them were there before our seal. */
export async function readFingerprints(
  { pdf }: Pick<VaultDeps, "pdf">,
  org: OrgId,
  sealed: Uint8Array,
  parent_size: number,
): Promise<Fingerprint[]> {
  const found = await pdf.fingerprint(sealed, { wholes: [parent_size], marks: MARKS }, background(org)).catch(unreadable);
  return found === null ? [] : fingerprintsOf(found);
}

type Known = Pick<AuthoritativeCopy, "envelope_id" | "source" | "sha256" | "content_sha256" | "parent_sha256">;

/** Records what a stored copy is recognized by: what was read from its bytes, what is known of the file as it came, and what was declared. */
export async function recordFingerprints(tx: Tx, org: OrgId, copy: Known, read: readonly Fingerprint[]): Promise<void> {
  const { envelope_id, sha256, content_sha256, parent_sha256 } = copy;
  const hashes = [sha256, content_sha256, parent_sha256].map((value) => ({ kind: "file", value }) as const);
  // Of a document that was signed here, the file as it came was not signed yet: others may be sent the same one.
  const received = copy.source === "signed_here" ? null : await lookUpReceivedMarks(tx, org, envelope_id);
  const { instrument } = await findEnvelope(tx, org, envelope_id);
  const prints = [...hashes, ...read, ...(received === null ? [] : fingerprintsOf(received)), ...instrumentFingerprint(instrument)];
  await insertFingerprints(tx, org, envelope_id, prints);
}

/** For copies that were stored before there were fingerprints. Bytes that are gone or damaged leave the hashes that are on record. */
export async function ensureFingerprints(
  deps: Pick<VaultDeps, "db" | "pdf" | "storage">,
  org: OrgId,
  envelope_id: EnvelopeId,
): Promise<void> {
  const copy = await deps.db.tx(org, async (tx) => {
    const stored = await lookUpCopy(tx, org, envelope_id);
    return stored === null || (await hasFingerprints(tx, org, stored)) ? null : stored;
  });
  if (copy === null) return;
  const sealed = await readIfIntact(deps, org, copy.sha256);
  const parent = await readIfIntact(deps, org, copy.parent_sha256);
  const read = sealed === null ? [] : await readFingerprints(deps, org, sealed, parent?.length ?? sealed.length);
  await deps.db.tx(org, (tx) => recordFingerprints(tx, org, copy, read));
}

async function readIfIntact({ storage }: Pick<VaultDeps, "storage">, org: OrgId, sha256: string): Promise<Uint8Array | null> {
  try {
    return await storage.blobs.read(org, sha256);
  } catch (error) {
    if (error instanceof BlobMissing || error instanceof BlobDamaged) return null;
    throw error;
  }
}
