import { createHash } from "node:crypto";
import type { PartitionEnd, Sequence } from "../db/copies.ts";
import type { ObjectStore } from "../storage/blob-store.ts";

/** Nothing was changed, or what was written is not used. The message says why. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
}

export const FORMAT = "countersign/backup/1";

/** The files of a backup, beside `blobs/`, in which each blob has the key that it has in every store. */
export const files = {
  manifest: "manifest.json",
  signature: "manifest.sig.json",
  blobs: "blobs.tsv.gz",
  missing: "missing.tsv",
  queue: "queue.copy.gz",
  table: (name: string) => `tables/${name}.copy.gz`,
} as const;

export interface FileEntry {
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
}

export interface TableEntry extends FileEntry {
  readonly table: string;
  readonly rows: number;
}

/** What a backup consists of. It is signed with the key of the installation that signs records. */
export interface Manifest {
  readonly format: typeof FORMAT;
  /** when its snapshot was taken, by the database's clock */
  readonly made_at: string;
  /** of the program */
  readonly version: string;
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[];
  /** by which a restore recognizes APP_SECRET, which is not in a backup */
  readonly secret_versions: readonly {
    readonly version: number;
    /** Base64 */
    readonly check: string;
    readonly in_use: boolean;
    readonly retired: boolean;
  }[];
  /** entries of the public log; null before the first checkpoint */
  readonly log_size: number | null;
  readonly tables: readonly TableEntry[];
  readonly queue: FileEntry & { readonly rows: number };
  readonly sequences: readonly Sequence[];
  /** of each table the oldest first; none before there were partitions */
  readonly partitions: readonly PartitionEnd[];
  /** null: they are backed up in another way */
  readonly blobs: (FileEntry & { readonly count: number; readonly bytes: number }) | null;
  /** documents that the database names and the store did not have; null: none. They are listed as lines of organization and SHA-256 */
  readonly missing: (FileEntry & { readonly count: number }) | null;
  /** false: only blobs; the other members about the database are empty */
  readonly has_database: boolean;
}

export interface ManifestSignature {
  /** SHA-256 of the public key of the installation's records key */
  readonly key_id: string;
  /** Base64, over the bytes of the manifest */
  readonly signature: string;
}

/** One line of the list of blobs: the organization, the name, size and SHA-256 of what is stored, and of the wrapped key. */
export interface StoredBlob {
  readonly org_id: string;
  readonly sha256: string;
  readonly size: number;
  readonly stored_sha256: string;
  readonly key: string;
}

export const writeLine = ({ org_id, sha256, size, stored_sha256, key }: StoredBlob): string =>
  `${org_id}\t${sha256}\t${size}\t${stored_sha256}\t${key}\n`;

export function readLine(line: string): StoredBlob {
  const [org_id = "", sha256 = "", size = "", stored_sha256 = "", key = ""] = line.split("\t");
  if (!/^org_\w+$/.test(org_id) || ![sha256, stored_sha256, key].every((hash) => /^[0-9a-f]{64}$/.test(hash)) || !/^\d+$/.test(size))
    throw new BackupRefused(`The list of blobs in ${files.blobs} has a line that cannot be read.`);
  return { org_id, sha256, size: Number(size), stored_sha256, key };
}

/** Reads and writes what is stored, without opening it. */
export type Objects = Pick<ObjectStore, "open" | "put" | "sizeOf">;

/** Called with a line for the operator. */
export type Progress = (line: string) => void;

/** Passes bytes on, and knows their number and hash at the end. */
export function counted() {
  const hash = createHash("sha256");
  let size = 0;
  return {
    async *pass(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.byteLength;
        yield chunk;
      }
    },
    result: (): { readonly size: number; readonly sha256: string } => ({ size, sha256: hash.digest("hex") }),
  };
}
