// Leaves of the log that are not audit entries. Each names an object that evidence rests on (a token, a cosigned note, a revocation list, a
// list of keys) by two hashes, so a later checkpoint with a time stamp shows that the object existed by then, as RFC 4998 renews evidence.
// For the day on which SHA-256 no longer suffices, `leaves` records name blocks of leaves by a SHA-512 tree over what the leaves stand for.

import { createHash } from "node:crypto";
import { canonicalize } from "./canonical.ts";
import { canonicalValue } from "./checkpoint.ts";
import { type Entry, type EntryData, isHash, isTime } from "./entry.ts";

/**
 * token: a time stamp (RFC 3161) over a checkpoint. note: a checkpoint as a note with cosignatures. crl, ocsp: revocation data. trust: the
 * signed list of keys. leaves: a block of leaves under SHA-512.
 */
export const logRecordKinds = ["token", "note", "crl", "ocsp", "trust", "leaves"] as const;
export type LogRecordKind = (typeof logRecordKinds)[number];

export type LogRecord = {
  readonly type: "countersign/log-record/1";
  readonly kind: LogRecordKind;
  /** Of the object. For `leaves`: the RFC 9162 root of the block under SHA-256. */
  readonly sha256: string;
  /** Of the object. For `leaves`: the root of the block under SHA-512. */
  readonly sha512: string;
  /** Of the checkpoint that the object is about, or of the newest one. For `leaves`: where the block ends. */
  readonly tree_size: number;
  readonly at: string;
};

/** What is stored: the canonical bytes, and their SHA-256, which is the leaf's hash in the log. */
export type WrittenLogRecord = { readonly hash: string; readonly bytes: Uint8Array };

const isSha512 = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{128}$/.test(value);

/** Throws NotCanonical or a RangeError for a record that could not be read again. */
export function writeLogRecord(record: Omit<LogRecord, "type">): WrittenLogRecord {
  const { kind, sha256, sha512, tree_size, at } = record;
  const bytes = Buffer.from(canonicalize({ type: "countersign/log-record/1", kind, sha256, sha512, tree_size, at }));
  if (readLogRecord(bytes) === null) throw new RangeError("malformed log record");
  return { hash: hashOfRecord(bytes), bytes };
}

/** A record that names an object by both of its hashes. */
export function recordObject(object: Uint8Array, about: Pick<LogRecord, "kind" | "tree_size" | "at">): WrittenLogRecord {
  return writeLogRecord({ ...about, sha256: hex("sha256", object), sha512: hex("sha512", object) });
}

/** Parses a record; null unless the bytes are canonical and have exactly its members. */
export function readLogRecord(bytes: Uint8Array): LogRecord | null {
  const value = canonicalValue(bytes);
  const { type, kind, sha256, sha512, tree_size, at } = Object(value) as Record<string, unknown>;
  if (Object.keys(Object(value)).length !== 6 || type !== "countersign/log-record/1") return null;
  if (!logRecordKinds.some((known) => known === kind) || !Number.isSafeInteger(tree_size) || Number(tree_size) < 0) return null;
  return isHash(sha256) && isSha512(sha512) && isTime(at) ? (value as LogRecord) : null;
}

/** The leaf's hash in the log. No entry has it, because the bytes that are hashed for an entry begin differently. */
export const hashOfRecord = (bytes: Uint8Array): string => hex("sha256", bytes);

/** Whether the record names these bytes, by both hashes. */
export const isRecordOf = ({ sha256, sha512 }: LogRecord, object: Uint8Array): boolean =>
  hex("sha256", object) === sha256 && hex("sha512", object) === sha512;

/** How many leaves one `leaves` record covers at most. Blocks begin at multiples of it. */
export const LEAVES_PER_BLOCK = 65_536;

/** The first leaf of the block that ends at `tree_size`. */
export const blockStart = (tree_size: number): number => Math.floor((tree_size - 1) / LEAVES_PER_BLOCK) * LEAVES_PER_BLOCK;

/** Binds an entry's data under SHA-512. Kept when the data is erased; without the salt, guesses at the data cannot be tested. */
export function rehashOfData({ salt, data }: EntryData): string {
  return hex("sha512", "countersign/data/2\n", Buffer.from(salt, "hex"), canonicalize(data));
}

/** What stands for an entry in the SHA-512 tree: the entry itself, with its hashes, and what binds its data. */
export function rehashOfEntry(entry: Entry, data_sha512: string | null): string {
  const { v, org_id, subject, seq, type, at, actor, commitment, prev, hash } = entry;
  const bound = canonicalize({ v, org_id, subject, seq, type, at, actor, commitment, prev, hash, data_sha512 });
  return hex("sha512", "countersign/entry/2\n", bound);
}

/** What stands for a log record in the SHA-512 tree. */
export const rehashOfRecord = (bytes: Uint8Array): string => hex("sha512", bytes);

const leafBySha512 = (rehash: string): string => hex("sha512", "\u0000", Buffer.from(rehash, "hex"));
const nodeBySha512 = (left: string, right: string): string => hex("sha512", "\u0001", Buffer.from(left, "hex"), Buffer.from(right, "hex"));

/** The root of a block under SHA-512, as RFC 9162 (2.1.1) builds it under SHA-256. `rehashes`: one for each leaf, in order. */
export function rootBySha512(rehashes: readonly string[]): string {
  if (rehashes.length === 0) throw new RangeError("a block has at least one leaf");
  const subtrees: { readonly size: number; readonly hash: string }[] = [];
  for (const rehash of rehashes) {
    let node = { size: 1, hash: leafBySha512(rehash) };
    for (let left = subtrees.at(-1); left?.size === node.size; left = subtrees.at(-1)) {
      subtrees.pop();
      node = { size: 2 * node.size, hash: nodeBySha512(left.hash, node.hash) };
    }
    subtrees.push(node);
  }
  return subtrees.map(({ hash }) => hash).reduceRight((right, left) => nodeBySha512(left, right));
}

function hex(algorithm: "sha256" | "sha512", ...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
