import type { NamedFile } from "../zip/zip-format.ts";
import { originFile, originsIn, releaseNames } from "./names-2.ts";

/** What the sender signed when it released the record. */
export type ReleaseFiles = { readonly bytes: Uint8Array; readonly signature: Uint8Array };

/**
 * The files of `origin/` for the next vault: those of the sender's bundle in a folder of their own, after the folders that the sender's
 * bundle had itself.
 */
export function writeOrigins(bundle: readonly NamedFile[], release: ReleaseFiles): NamedFile[] {
  const number = originsIn(bundle.map(({ name }) => name)) + 1;
  const [document, signature] = releaseNames;
  return [
    ...bundle.map(({ name, bytes }) => ({ name: name.startsWith("origin/") ? name : originFile(number, name), bytes })),
    { name: originFile(number, document), bytes: release.bytes },
    { name: originFile(number, signature), bytes: release.signature },
  ];
}

/** The bundle of the previous vault, and its release; null for a record that was first vaulted here. */
export function readOrigin(
  files: readonly NamedFile[],
): { readonly number: number; readonly bundle: NamedFile[]; readonly release: Partial<ReleaseFiles> } | null {
  const number = originsIn(files.map(({ name }) => name));
  if (number === 0) return null;
  const folder = originFile(number, "");
  const [document, signature] = releaseNames.map((name) => files.find((file) => file.name === `${folder}${name}`)?.bytes);
  const isOfBundle = ({ name }: NamedFile) => name.startsWith("origin/") && !releaseNames.some((each) => name === `${folder}${each}`);
  return {
    number,
    bundle: files
      .filter(isOfBundle)
      .map(({ name, bytes }) => ({ name: name.startsWith(folder) ? name.slice(folder.length) : name, bytes })),
    release: { ...(document !== undefined && { bytes: document }), ...(signature !== undefined && { signature }) },
  };
}
