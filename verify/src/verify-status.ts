import { isSigned, readManifest2, readSignedStatus, recordsKeyAt, type Status } from "@countersign/evidence";
import type { ReadKeys } from "./read-keys.ts";
import { BundleRejected } from "./step.ts";
import { checkTrust } from "./steps/03-trust.ts";

export type StatusReport = {
  readonly document: Status;
  /** The signer is the installation whose root the reader pinned. */
  readonly pinned: boolean;
  readonly notes: readonly string[];
};

/**
 * Checks a saved answer of a status page against a list of keys. Throws BundleRejected if it is not what it claims to be.
 * @example verifyStatus(readFileSync("status.json"), readKeys("bundle.zip"), "9f2c…")
 */
export function verifyStatus(bytes: Uint8Array, { files, keys }: ReadKeys, root: string | null): StatusReport {
  const answer = readSignedStatus(bytes);
  if (answer === null) throw new BundleRejected("the answer", "is not a status in canonical form");
  const { document, signed, signature, key_id } = answer;
  const { value: trust, notes = [] } = checkTrust(files, keys, { root, tsa_roots: null });
  const { at } = document.as_of;
  const key = recordsKeyAt(keys, key_id, at);
  if (key === null) {
    const later = keys.issued_at < at ? ` The list is of ${keys.issued_at}; get the installation's present trust document.` : "";
    throw new BundleRejected("the answer", `key ${key_id} was not valid at ${at} according to this list of keys.${later}`);
  }
  if (!isSigned({ bytes: signed, signature }, key)) throw new BundleRejected("the answer", "is not signed by its key");
  return { document, pinned: trust.pinned, notes: [...notes, ...bundleNotes(files.get("manifest.json"), document)] };
}

/** An answer about another record than that of the bundle is not what the reader wants to know. */
function bundleNotes(bytes: Uint8Array | undefined, { status_url }: Status): string[] {
  const manifest = bytes === undefined ? null : readManifest2(bytes);
  if (manifest === null || manifest.status_url === null) return [];
  if (manifest.status_url !== status_url)
    throw new BundleRejected("the answer", `is about another record: the bundle names ${manifest.status_url}`);
  return ["The answer is about the record of the bundle. The bundle itself was not verified."];
}
