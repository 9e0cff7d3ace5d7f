import { X509Certificate } from "node:crypto";
import {
  canonicalize,
  fingerprintOf,
  isSignedByRoot,
  keyAt,
  readRoots,
  readTrustKeys,
  type TrustKeys2,
  walkRoots,
} from "@countersign/evidence";

/** What another installation publishes about itself, verified. */
export interface RemoteTrust {
  readonly keys: TrustKeys2;
  /** SHA-256 of every root certificate it has had, oldest first */
  readonly roots: readonly string[];
}

/** Null unless the document is signed by the pinned root, or by one that provably follows it. */
export function readRemoteTrust(text: string, pinned_root: string): RemoteTrust | null {
  const { type, root_certificate, roots, keys, signature } = membersOf(text);
  if (type !== "countersign/trust/2" || typeof root_certificate !== "string" || typeof signature !== "string") return null;
  const root = certificateOf(root_certificate);
  const bytes = canonicalBytes(keys);
  const list = bytes === null ? null : readTrustKeys(bytes);
  if (root === null || bytes === null || list?.type !== "countersign/keys/2") return null;
  const found = fingerprintOf(root);
  if (list.root_sha256 !== found || !isSignedByRoot({ bytes, signature: Buffer.from(signature, "hex") }, root)) return null;
  if (found !== pinned_root && !follows(roots, pinned_root, found)) return null;
  return { keys: list, roots: list.roots.map(({ certificate_sha256 }) => certificate_sha256) };
}

/** The public key for encryption with this ID, if it is in use; null otherwise. DER-encoded SPKI. */
export const vaultKeyOf = ({ keys }: RemoteTrust, key_id: string, at: string): Uint8Array | null => keyAt(keys.vault, key_id, at);

function membersOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function certificateOf(base64: string): X509Certificate | null {
  try {
    const root = new X509Certificate(Buffer.from(base64, "base64"));
    return root.ca && root.verify(root.publicKey) ? root : null;
  } catch {
    // OpenSSL has many errors for bytes that are not a certificate; all of them mean null here.
    return null;
  }
}

function canonicalBytes(value: unknown): Buffer | null {
  try {
    return Buffer.from(canonicalize(value));
  } catch {
    // JSON from elsewhere may have numbers that the canonical form has no spelling for. Then it is not a list of keys either.
    return null;
  }
}

function follows(roots: unknown, from: string, to: string): boolean {
  const bytes = roots === null || roots === undefined ? null : canonicalBytes(roots);
  const read = bytes === null ? null : readRoots(bytes);
  return read !== null && walkRoots(read, from, to).kind === "proven";
}
