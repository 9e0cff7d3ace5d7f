// Lists every file of a bundle with size and hash, under one signature. It protects every bit of every file, including formats whose own
// signatures leave some bytes uncovered (CMS in a PDF, a time-stamp token).

import { createHash } from "node:crypto";
import { canonicalValue } from "../checkpoint.ts";
import { isHash, isId, isTime } from "../entry.ts";
import type { NamedFile } from "../zip/zip-format.ts";
import { type BundleKind, documentNames, MANIFEST, MANIFEST_SIGNATURE } from "./names.ts";

export type Manifest = {
  readonly type: "countersign/manifest/1";
  readonly kind: BundleKind;
  readonly org_id: string;
  readonly envelope_id: string;
  readonly created_at: string;
  /** ID of the Ed25519 key that signs the manifest */
  readonly key_id: string;
  /** all files except the manifest and its signature, sorted by name */
  readonly files: readonly { readonly name: string; readonly size: number; readonly sha256: string }[];
};

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const isListed = ({ name }: NamedFile): boolean => name !== MANIFEST && name !== MANIFEST_SIGNATURE;

export function manifestOf(about: Omit<Manifest, "type" | "files">, files: readonly NamedFile[]): Manifest {
  const sorted = files.filter(isListed).sort((a, b) => (a.name < b.name ? -1 : 1));
  const listed = sorted.map(({ name, bytes }) => ({ name, size: bytes.length, sha256: sha256(bytes) }));
  return { type: "countersign/manifest/1", ...about, files: listed };
}

/** Parses a manifest; null unless the bytes are canonical and have exactly its members. */
export function readManifest(bytes: Uint8Array): Manifest | null {
  const value = canonicalValue(bytes);
  const { type, kind, org_id, envelope_id, created_at, key_id, files } = Object(value) as Record<string, unknown>;
  if (Object.keys(Object(value)).length !== 7 || type !== "countersign/manifest/1" || !Object.hasOwn(documentNames, String(kind)))
    return null;
  if (!isId(org_id) || !isId(envelope_id) || !isTime(created_at) || !isHash(key_id) || !Array.isArray(files)) return null;
  return files.every(isLine) ? (value as Manifest) : null;
}

function isLine(line: unknown): boolean {
  const { name, size, sha256: hash } = Object(line) as Record<string, unknown>;
  return Object.keys(Object(line)).length === 3 && typeof name === "string" && Number.isSafeInteger(size) && isHash(hash);
}

/** The first file that differs from the manifest, is not listed or is missing; null if there is none. */
export function manifestFault(
  { files: listed }: { readonly files: Manifest["files"] },
  files: readonly NamedFile[],
): { readonly name: string; readonly reason: string } | null {
  const here = files.filter(isListed);
  const unlisted = here.find(({ name }) => !listed.some((line) => line.name === name));
  if (unlisted !== undefined) return { name: unlisted.name, reason: "is not in the manifest" };
  for (const [index, { name, size, sha256: hash }] of listed.entries()) {
    if (listed.findIndex((line) => line.name === name) !== index) return { name, reason: "is listed twice" };
    const found = here.find((file) => file.name === name);
    if (found === undefined) return { name, reason: "is listed but missing" };
    if (found.bytes.length !== size) return { name, reason: `has ${found.bytes.length} bytes, but the manifest says ${size}` };
    const hashed = sha256(found.bytes);
    if (hashed !== hash) return { name, reason: `has the hash ${hashed}, but the manifest says ${hash}` };
  }
  return null;
}
