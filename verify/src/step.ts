import type { AlgorithmPolicy, FetchTile, NamedFile, Note, NoteKey } from "@countersign/evidence";

/** What the reader knows from sources other than the bundle. */
export type Options = {
  /** the SHA-256 of the root certificate; null if no root is pinned */
  readonly root: string | null;
  /** DER certificates of time-stamp authorities to trust; null for those that the installation lists */
  readonly tsa_roots: readonly Uint8Array[] | null;
  /** accept the record of a sandbox, which is not evidence */
  readonly allow_test?: boolean;
  /** which algorithms to accept; without it, those of this release */
  readonly policy?: AlgorithmPolicy;
  /** also replay the registers up to this time */
  readonly as_of?: string | null;
  /** witnesses that must have cosigned the log; null or absent if none must */
  readonly witnesses?: WantedWitnesses | null;
};

/** Which witnesses must have seen the log, as the reader chose them. */
export type WantedWitnesses = {
  readonly keys: readonly NoteKey[];
  /** how many of them are enough */
  readonly quorum: number;
  /** notes from other sources than the bundle */
  readonly notes: readonly Note[];
  /** the log's tiles, to follow a note of a later checkpoint back to that of the bundle; null if there are none */
  readonly tiles: FetchTile | null;
};

/** The bundle is not what it claims to be. Says where and why; later steps were not run. */
export class BundleRejected extends Error {
  override readonly name = "BundleRejected";
  readonly file: string;
  readonly entry: number | null;

  constructor(file: string, reason: string, entry: number | null = null) {
    super(reason);
    this.file = file;
    this.entry = entry;
  }
}

/** The result of a step: `value` for later steps, `says` for the reader. `notes` are printed below the steps. */
export type StepResult<T> = { readonly value: T; readonly says: string; readonly notes?: readonly string[] };

export type Files = ReadonlyMap<string, Uint8Array>;

export const toFileMap = (files: readonly NamedFile[]): Files => new Map(files.map(({ name, bytes }) => [name, bytes]));

/** For names that checkContainer has already found. */
export function fileOf(files: Files, name: string): Uint8Array {
  const bytes = files.get(name);
  if (bytes === undefined) throw new BundleRejected(name, "is missing");
  return bytes;
}
