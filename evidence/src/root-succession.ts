// How a reader who knows one root finds out that a later one is of the same installation: each root that was replaced signed the statement
// that the next one follows it, and so did the next one.

import { X509Certificate } from "node:crypto";
import { sha256 } from "./bundle/manifest.ts";
import { isSignedByRoot } from "./bundle/trust-keys.ts";
import { canonicalize } from "./canonical.ts";
import { canonicalValue } from "./checkpoint.ts";
import { isHash, isTime } from "./entry.ts";

/** What both roots sign, in canonical form. `old` and `new` are the SHA-256 of their certificates. */
export type RootSuccession = {
  readonly type: "countersign/root-succession/1";
  readonly old: string;
  readonly new: string;
  readonly at: string;
};

export type SignedSuccession = {
  readonly statement: RootSuccession;
  /** r ‖ s with the low s, in hex; null if the old key was lost */
  readonly old_signature: string | null;
  readonly new_signature: string;
};

/** The content of `trust/roots.json`: every root, oldest first, and how each follows the one before it. */
export type Roots = {
  readonly type: "countersign/roots/1";
  /** DER in Base64 */
  readonly certificates: readonly string[];
  readonly successions: readonly SignedSuccession[];
};

/** Parses the list; null unless the bytes are canonical, have exactly its members, and there is one succession between two roots. */
export function readRoots(bytes: Uint8Array): Roots | null {
  const value = canonicalValue(bytes);
  const { type, certificates, successions } = Object(value) as Record<string, unknown>;
  if (Object.keys(Object(value)).length !== 3 || type !== "countersign/roots/1") return null;
  if (!Array.isArray(certificates) || !Array.isArray(successions) || successions.length !== certificates.length - 1) return null;
  return certificates.every((item) => typeof item === "string") && successions.every(isSuccession) ? (value as Roots) : null;
}

function isSuccession(item: unknown): boolean {
  const { statement, old_signature, new_signature } = Object(item) as Record<string, unknown>;
  const { type, old, new: next, at } = Object(statement) as Record<string, unknown>;
  if (Object.keys(Object(item)).length !== 3 || Object.keys(Object(statement)).length !== 4) return false;
  if (type !== "countersign/root-succession/1" || !isHash(old) || !isHash(next) || !isTime(at)) return false;
  return (old_signature === null || isHex(old_signature)) && isHex(new_signature);
}

const isHex = (value: unknown): boolean => typeof value === "string" && /^([0-9a-f]{2})+$/.test(value);

/**
 * `proven`: every step from the first to the last root is signed by both. `unproven`: one of them by the new root alone. `unknown`: the
 * first is not in the list. `broken`: the list is not what it claims to be.
 */
export type RootWalk =
  | { readonly kind: "proven"; readonly steps: number }
  | { readonly kind: "unproven"; readonly at: string; readonly reason: string }
  | { readonly kind: "unknown" }
  | { readonly kind: "broken"; readonly reason: string };

/**
 * Walks from one root forward to another. Both are given by the SHA-256 of their certificates; the last certificate of the list must be
 * `to`.
 * @example walkRoots(roots, pinned, fingerprintOf(root)) // { kind: "proven", steps: 2 }
 */
export function walkRoots({ certificates, successions }: Roots, from: string, to: string): RootWalk {
  const roots = certificates.map(readCertificate);
  if (roots.some((root) => root === null)) return { kind: "broken", reason: "contains something that is not a root certificate" };
  const hashes = roots.map((root) => sha256(root?.raw ?? new Uint8Array()));
  if (hashes.at(-1) !== to) return { kind: "broken", reason: `ends with the root ${hashes.at(-1)}, not with ${to}` };
  const fault = successions.findIndex((each, n) => !isValid(each, roots[n] ?? null, roots[n + 1] ?? null));
  if (fault !== -1)
    return { kind: "broken", reason: `contains no valid statement that root ${hashes[fault + 1]} follows ${hashes[fault]}` };
  const start = hashes.indexOf(from);
  if (start === -1) return { kind: "unknown" };
  const walked = successions.slice(start);
  const lost = walked.find(({ old_signature }) => old_signature === null);
  if (lost === undefined) return { kind: "proven", steps: walked.length };
  const { old, new: next, at } = lost.statement;
  return { kind: "unproven", at, reason: `The old key was lost: on ${at} root ${next} replaced root ${old}, which did not sign this.` };
}

function readCertificate(base64: string): X509Certificate | null {
  const der = Buffer.from(base64, "base64");
  try {
    const root = new X509Certificate(der);
    return der.toString("base64") === base64 && root.ca && root.verify(root.publicKey) ? root : null;
  } catch {
    // The bytes are not a certificate.
    return null;
  }
}

function isValid({ statement, ...signed }: SignedSuccession, old: X509Certificate | null, next: X509Certificate | null): boolean {
  if (old === null || next === null || sha256(old.raw) !== statement.old || sha256(next.raw) !== statement.new) return false;
  const bytes = Buffer.from(canonicalize(statement));
  const by = (root: X509Certificate, hex: string) => isSignedByRoot({ bytes, signature: Buffer.from(hex, "hex") }, root);
  return by(next, signed.new_signature) && (signed.old_signature === null || by(old, signed.old_signature));
}
