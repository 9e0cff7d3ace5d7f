import type { Readable } from "node:stream";
import type { OrgId } from "../shared/ids.ts";

/** A blob by its content: SHA-256 in 64 hexadecimal digits, size in bytes. */
export interface BlobName {
  readonly sha256: string;
  readonly size: number;
}

/** Bytes on their way out, to whoever asked for them. They are not hashed again: what must be proven is had by `read`. */
export interface OpenBlob {
  readonly size: number;
  readonly stream: Readable;
}

/**
 * Where bytes are kept: write-once, named by their content, per org. Sharing across orgs would tell one, by timing, what another
 * has. Every failure of the store is one of the first three errors below.
 */
export interface BlobStore {
  /**
   * Done when the bytes are on the medium, read back and hashed anew. Whoever knows their name says it: bytes that are
   * others by now are then refused, and nothing is stored.
   */
  put(org: OrgId, bytes: Uint8Array, name?: BlobName): Promise<BlobName>;
  /** The same for a file, in constant memory. */
  putFile(org: OrgId, path: string, name?: BlobName): Promise<BlobName>;
  /** All the bytes, hashed: they are what was put. */
  read(org: OrgId, sha256: string): Promise<Uint8Array>;
  open(org: OrgId, sha256: string): Promise<OpenBlob>;
  /** Only for the sweep and for destruction. What is gone already is no failure. */
  remove(org: OrgId, sha256: string): Promise<void>;
  /** Throws StoreAway when nothing could be stored now. */
  check(): Promise<void>;
  /** Forgets what puts that were cut off left behind, if it is older than a day. Says how many. */
  removeStalePuts(): Promise<number>;
}

/** The store answers, and has no such blob. */
export class BlobMissing extends Error {
  override readonly name = "BlobMissing";
  readonly sha256: string;

  constructor(sha256: string, options?: ErrorOptions) {
    super(`no blob ${sha256}`, options);
    this.sha256 = sha256;
  }
}

/** The store answers, with other bytes than were put. Carries both hashes: it is evidence. */
export class BlobDamaged extends Error {
  override readonly name = "BlobDamaged";
  readonly expected: string;
  readonly found: string;

  constructor(expected: string, found: string) {
    super(`blob ${expected} has the bytes of ${found}`);
    this.expected = expected;
    this.found = found;
  }
}

/** The store cannot be reached, is full or refuses us: an outage, which says nothing about what it holds. */
export class StoreAway extends Error {
  override readonly name = "StoreAway";

  constructor(why: string, options?: ErrorOptions) {
    super(`blob store away: ${why}`, options);
  }
}

/** The bytes are no longer those that were named. Nothing was stored. */
export class BytesChanged extends Error {
  override readonly name = "BytesChanged";
  override readonly message = "the bytes changed while they were put";
}

export function refuseDamaged(expected: string, found: string): void {
  if (found !== expected) throw new BlobDamaged(expected, found);
}

/** The same in every store, so that one can be copied into another: two levels of 256 folders keep each folder small. */
export function blobKey(org: OrgId, sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error("not a SHA-256 in hexadecimal digits");
  return `${org}/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}
