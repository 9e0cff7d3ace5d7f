// The manifest of a bundle 2: every file under two hash algorithms, the instant that the bundle describes, and what it lacks.

import { createHash } from "node:crypto";
import { canonicalValue } from "../checkpoint.ts";
import { isHash, isId, isTime } from "../entry.ts";
import type { AsOf } from "../rules/2/compliance.ts";
import { isStatusUrl } from "../status.ts";
import type { NamedFile } from "../zip/zip-format.ts";
import { isLackCode, type LackCode } from "./lacks.ts";
import { sha256 } from "./manifest.ts";
import { type BundleKind, documentNames, MANIFEST, MANIFEST_SIGNATURE } from "./names.ts";

export type ListedFile = { readonly name: string; readonly size: number; readonly sha256: string; readonly sha512: string };

export type Manifest2 = {
  readonly type: "countersign/manifest/2";
  readonly kind: BundleKind;
  readonly org_id: string;
  readonly envelope_id: string;
  readonly copy_id: string;
  /** the revision that this bundle is about; earlier ones are in it too */
  readonly certificate_revision: number;
  /** the rules of that revision */
  readonly rules: 1 | 2;
  readonly created_at: string;
  /** `tree_size` is that of checkpoints/latest.json */
  readonly as_of: AsOf;
  /** in the order of the list of codes */
  readonly lacks: readonly LackCode[];
  /** where the present state can be asked for; null if the installation has no such page */
  readonly status_url: string | null;
  /** ID of the Ed25519 key that signs the manifest */
  readonly key_id: string;
  /** all files except the manifest and its signature, sorted by name */
  readonly files: readonly ListedFile[];
};

const MEMBERS = 13;
const SHA512 = /^[0-9a-f]{128}$/;

const sha512 = (bytes: Uint8Array): string => createHash("sha512").update(bytes).digest("hex");

const isListed = ({ name }: NamedFile): boolean => name !== MANIFEST && name !== MANIFEST_SIGNATURE;

export function manifest2Of(about: Omit<Manifest2, "type" | "files">, files: readonly NamedFile[]): Manifest2 {
  const sorted = files.filter(isListed).sort((a, b) => (a.name < b.name ? -1 : 1));
  return { type: "countersign/manifest/2", ...about, files: sorted.map(lineOf) };
}

const lineOf = ({ name, bytes }: NamedFile): ListedFile => ({ name, size: bytes.length, sha256: sha256(bytes), sha512: sha512(bytes) });

/** Parses a manifest; null unless the bytes are canonical and have exactly its members. */
export function readManifest2(bytes: Uint8Array): Manifest2 | null {
  const value = canonicalValue(bytes);
  const manifest = Object(value) as Record<string, unknown>;
  if (Object.keys(manifest).length !== MEMBERS || manifest.type !== "countersign/manifest/2") return null;
  const { kind, org_id, envelope_id, copy_id, certificate_revision, rules, created_at, as_of, lacks, status_url, key_id, files } = manifest;
  const fits = [
    Object.hasOwn(documentNames, String(kind)),
    [org_id, envelope_id, copy_id].every(isId),
    Number.isSafeInteger(certificate_revision) && Number(certificate_revision) > 0,
    rules === 1 || rules === 2,
    isTime(created_at),
    isAsOf(as_of),
    Array.isArray(lacks) && lacks.every(isLackCode),
    status_url === null || isStatusUrl(status_url),
    isHash(key_id),
    Array.isArray(files) && files.every(isLine),
  ];
  return fits.every(Boolean) ? (value as Manifest2) : null;
}

function isAsOf(value: unknown): boolean {
  const { at, chain_seq, chain_hash, tree_size } = Object(value) as Record<string, unknown>;
  return Object.keys(Object(value)).length === 4 && isTime(at) && isHash(chain_hash) && [chain_seq, tree_size].every(Number.isSafeInteger);
}

function isLine(line: unknown): boolean {
  const { name, size, sha256: short, sha512: long } = Object(line) as Record<string, unknown>;
  if (Object.keys(Object(line)).length !== 4 || typeof name !== "string" || !Number.isSafeInteger(size)) return false;
  return isHash(short) && typeof long === "string" && SHA512.test(long);
}

/** The first file whose SHA-512 differs from the manifest; null if there is none. For files that `manifestFault` has compared. */
export function sha512Fault({ files: listed }: Manifest2, files: readonly NamedFile[]): { name: string; reason: string } | null {
  for (const { name, sha512: hash } of listed) {
    const found = files.find((file) => file.name === name);
    if (found !== undefined && sha512(found.bytes) !== hash) return { name, reason: "has another SHA-512 than the manifest says" };
  }
  return null;
}
