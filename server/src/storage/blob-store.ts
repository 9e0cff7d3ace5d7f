import type { Readable } from "node:stream";
import type { OrgId } from "../shared/ids.ts";

/** Identifies a blob by its content: SHA-256 in 64 hexadecimal digits, size in bytes. */
export interface BlobName {
  readonly sha256: string;
  readonly size: number;
}

/** A blob as a stream, for downloads. The bytes are not hashed again; use `read` if they must be verified. */
export interface OpenBlob {
  readonly size: number;
  readonly stream: Readable;
}

/**
 * Stores bytes write-once, named by their content, per org. Orgs do not share blobs, because timing would reveal to one org what
 * another has stored. Every failure of the store is one of the first three errors below.
 */
export interface BlobStore {
  /**
   * Resolves when the bytes have been written to disk, read back and hashed. Callers that already know the hash pass it; if the bytes
   * have changed since, the call fails and nothing is stored.
   */
  put(org: OrgId, bytes: Uint8Array, name?: BlobName): Promise<BlobName>;
  /** The same for a file, in constant memory. */
  putFile(org: OrgId, path: string, name?: BlobName): Promise<BlobName>;
  /** All bytes. They are hashed, so they are the bytes that were put. */
  read(org: OrgId, sha256: string): Promise<Uint8Array>;
  open(org: OrgId, sha256: string): Promise<OpenBlob>;
  /** Only for the sweep and for destruction. Removing a missing blob is not an error. */
  remove(org: OrgId, sha256: string): Promise<void>;
  /** Throws StoreUnavailable if the store cannot take blobs now. */
  check(): Promise<void>;
  /** Removes temporary files of interrupted puts that are older than a day. Returns how many. */
  removeStalePuts(): Promise<number>;
  /** A small file of the installation under a fixed name, which a later one replaces. Null if there is none. */
  readNote(name: NoteName): Promise<Uint8Array | null>;
  writeNote(name: NoteName, bytes: Uint8Array): Promise<void>;
  /** null: every machine has the folder of this store, and what is beside it */
  readonly shared: SharedFiles | null;
}

/**
 * Files that are made from a blob, which one machine keeps for the others. Each can be made again, so none is kept for ever, and none is read
 * back after it was written. A later one replaces one of the same name.
 */
export interface SharedFiles {
  read(of: SharedFile): Promise<Uint8Array | null>;
  write(of: SharedFile, bytes: Uint8Array): Promise<void>;
  /** Removes those in one of the 256 parts that were written before. Returns how many. */
  removeOlder(part: number, before: Date): Promise<number>;
}

export interface SharedFile {
  readonly org: OrgId;
  /** of the blob */
  readonly sha256: string;
  readonly name: string;
}

export const SHARED_PARTS = 256;

/** What the installation itself keeps beside the blobs: `checkpoint` is the latest of the log. */
export const noteNames = ["checkpoint"] as const;
export type NoteName = (typeof noteNames)[number];

/** The key of a blob as it is stored in its row: encrypted under a key of the org. */
export interface WrappedKey {
  readonly key_no: number;
  readonly key_wrapped: Buffer;
}

/** What is stored under the name of a blob: its bytes, or their encrypted form. */
export interface StoredForm {
  /** of what is stored */
  readonly size: number;
  /** of what is stored, in hexadecimal digits. Computed when it is asked for, because not every store needs it. */
  sha256(): Promise<string>;
  /** Starts again with each call. Throws `BytesChanged` if the blob's bytes are not those of its name. */
  open(): Uint8Array | AsyncIterable<Uint8Array>;
  /** a file with exactly what is stored, which can be copied without reading it; null if there is none */
  readonly file: string | null;
  /** Whether this is what was put. A piece can be used only until the next one is asked for. */
  isSound(pieces: AsyncIterable<Uint8Array>): Promise<boolean>;
}

/** Keeps what it is given under the names of blobs. What that means, and whether it is intact on reading, is known to the BlobStore above it. */
export interface ObjectStore {
  /** Resolves when everything is written to disk and read back. What is there and sound is not written again; anything else is replaced at once. */
  put(org: OrgId, sha256: string, form: StoredForm): Promise<void>;
  read(org: OrgId, sha256: string): Promise<Uint8Array>;
  open(org: OrgId, sha256: string): Promise<OpenBlob>;
  /** of what is stored; null if there is nothing */
  sizeOf(org: OrgId, sha256: string): Promise<number | null>;
  remove(org: OrgId, sha256: string): Promise<void>;
  check(): Promise<void>;
  removeStalePuts(): Promise<number>;
  readNote(name: NoteName): Promise<Uint8Array | null>;
  writeNote(name: NoteName, bytes: Uint8Array): Promise<void>;
  /** null: every machine has the folder of this store, and what is beside it */
  readonly shared: SharedFiles | null;
}

/** The store works, but has no such blob. */
export class BlobMissing extends Error {
  override readonly name = "BlobMissing";
  readonly sha256: string;

  constructor(sha256: string, options?: ErrorOptions) {
    super(`no blob ${sha256}`, options);
    this.sha256 = sha256;
  }
}

/** The stored bytes are not the ones that were put. Has both hashes as evidence. */
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

/** The store cannot be reached, is full or denies access. This is an outage and says nothing about the stored blobs. */
export class StoreUnavailable extends Error {
  override readonly name: string = "StoreUnavailable";

  constructor(why: string, options?: ErrorOptions) {
    super(`blob store away: ${why}`, options);
  }
}

/** The same for the key service, without which encrypted blobs can be neither read nor stored. */
export class KeyServiceUnavailable extends StoreUnavailable {
  override readonly name = "KeyServiceUnavailable";
}

/** The bytes do not match the given hash. Nothing was stored. */
export class BytesChanged extends Error {
  override readonly name = "BytesChanged";
  override readonly message = "the bytes changed while they were put";
}

/** The blob has no key, or another one than while it was put, because a record with the same bytes was destroyed. It must be claimed again. */
export class KeyChanged extends Error {
  override readonly name = "KeyChanged";
  override readonly message = "the blob has no key, or another one than while it was put";
}

export function refuseDamaged(expected: string, found: string): void {
  if (found !== expected) throw new BlobDamaged(expected, found);
}

/** Notes are beside the folders of organizations, whose names begin with `org_`. */
export const noteKey = (name: NoteName): string => `notes/${name}`;

/** The folder of a part, whose number is the first two digits of the hash. */
export const sharedFolder = (part: number): string => `derived/${part.toString(16).padStart(2, "0")}/`;

export function sharedKey({ org, sha256, name }: SharedFile): string {
  return `${sharedFolder(Number.parseInt(sha256.slice(0, 2), 16))}${org}/${requireHash(sha256)}-${name}`;
}

/** The key is the same in every store, so that one can be copied into another. Two levels of 256 folders keep each folder small. */
export function blobKey(org: OrgId, sha256: string): string {
  return `${org}/${requireHash(sha256).slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}

function requireHash(sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error("not a SHA-256 in hexadecimal digits");
  return sha256;
}
