// What an installation publishes about itself at /.well-known/countersign-trust.json: its root, and every key that the root vouches for.
// Who pinned the root reads there with which key the installation signs. Who keeps a decision of that installation keeps this with it.

import { X509Certificate } from "node:crypto";
import { fingerprintOf, isSignedByRoot, readTrustKeys, type TrustKeys2 } from "./bundle/trust-keys.ts";
import { canonicalize, type Json } from "./canonical.ts";
import { fromBase64 } from "./note.ts";
import { readRoots, walkRoots } from "./root-succession.ts";
import { hasExactly, orNull } from "./shape.ts";

/** The part of the document that is needed to check a signature later. */
export type TrustStatement = {
  /** DER in base64 */
  readonly root_certificate: string;
  /** how the root follows the pinned one; null if it is the pinned one */
  readonly roots: Json;
  readonly keys: TrustKeys2;
  /** of the root over the canonical bytes of `keys`, in hex */
  readonly signature: string;
};

/** What another installation publishes about itself, verified. */
export type RemoteTrust = {
  readonly keys: TrustKeys2;
  /** SHA-256 of every root certificate it has had, oldest first */
  readonly roots: readonly string[];
};

/** Null unless the document is signed by the pinned root, or by one that provably follows it. */
export function readRemoteTrust(text: string, pinned_root: string): RemoteTrust | null {
  const { type, ...members } = membersOf(text);
  return type === "countersign/trust/2" ? trustIn(members, pinned_root) : null;
}

/** The same as evidence, without what a check does not need. Null if the text is not such a document. */
export function trustStatementOf(text: string, pinned_root: string): TrustStatement | null {
  if (readRemoteTrust(text, pinned_root) === null) return null;
  const { root_certificate, roots, keys, signature } = membersOf(text) as unknown as TrustStatement;
  return { root_certificate, roots: keys.root_sha256 === pinned_root ? null : roots, keys, signature };
}

/** Null unless this is a statement in its one form, signed by the pinned root, or by one that provably follows it. */
export function readTrustStatement(value: unknown, pinned_root: string): RemoteTrust | null {
  const isText = (member: unknown): boolean => typeof member === "string";
  const isObject = (member: unknown): boolean => typeof member === "object" && member !== null;
  if (!hasExactly(value, { root_certificate: isText, roots: orNull(isObject), keys: isObject, signature: isText })) return null;
  const statement = value as TrustStatement;
  const trust = trustIn(statement, pinned_root);
  return trust !== null && (statement.roots === null) === (trust.keys.root_sha256 === pinned_root) ? trust : null;
}

function trustIn({ root_certificate, roots, keys, signature }: Record<string, unknown>, pinned_root: string): RemoteTrust | null {
  if (typeof root_certificate !== "string" || typeof signature !== "string" || !/^([0-9a-f]{2})+$/.test(signature)) return null;
  const root = certificateOf(root_certificate);
  const bytes = canonicalBytes(keys);
  const list = bytes === null ? null : readTrustKeys(bytes);
  // A test root vouches for no records but those of sandboxes, which are not evidence.
  if (root === null || bytes === null || list?.type !== "countersign/keys/2" || list.test === true) return null;
  const found = fingerprintOf(root);
  if (list.root_sha256 !== found || !isSignedByRoot({ bytes, signature: Buffer.from(signature, "hex") }, root)) return null;
  if (found !== pinned_root && !follows(roots, pinned_root, found)) return null;
  return { keys: list, roots: list.roots.map(({ certificate_sha256 }) => certificate_sha256) };
}

function membersOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function certificateOf(base64: string): X509Certificate | null {
  const der = fromBase64(base64);
  if (der === null) return null;
  try {
    const root = new X509Certificate(der);
    // OpenSSL also takes bytes after the certificate, which no signature would cover.
    return root.raw.equals(der) && root.ca && root.verify(root.publicKey) ? root : null;
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
