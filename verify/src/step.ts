import type { NamedFile } from "@countersign/evidence";

/** What the reader brings along, from elsewhere than the bundle. */
export type Options = {
  /** the SHA-256 of the root certificate; null: nobody is pinned */
  readonly root: string | null;
  /** certificates of time-stamp authorities, DER; null: those that the installation lists */
  readonly tsa_roots: readonly Uint8Array[] | null;
};

/** The bundle is not what it claims to be: where, and why. Nothing after it was looked at. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly file: string;
  readonly entry: number | null;

  constructor(file: string, reason: string, entry: number | null = null) {
    super(reason);
    this.file = file;
    this.entry = entry;
  }
}

/** What a step found, for the steps after it and for the reader. `notes` go below the verdict. */
export type Passed<T> = { readonly value: T; readonly says: string; readonly notes?: readonly string[] };

export type Files = ReadonlyMap<string, Uint8Array>;

export const asFiles = (files: readonly NamedFile[]): Files => new Map(files.map(({ name, bytes }) => [name, bytes]));

/** For names that the container's check found. */
export function fileOf(files: Files, name: string): Uint8Array {
  const bytes = files.get(name);
  if (bytes === undefined) throw new Refused(name, "is missing");
  return bytes;
}
