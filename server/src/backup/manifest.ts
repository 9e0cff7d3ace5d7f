import { createReadStream, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { nameFile } from "../storage/hash.ts";
import {
  BackupRefused,
  type FileEntry,
  FORMAT,
  files,
  type Manifest,
  type ManifestSignature,
  readLine,
  type StoredBlob,
} from "./backup.ts";

export interface ReadManifest {
  readonly manifest: Manifest;
  readonly bytes: Uint8Array;
  readonly signed: ManifestSignature;
}

export async function readManifest(folder: string): Promise<ReadManifest> {
  if (!existsSync(join(folder, files.manifest))) throw new BackupRefused(`${folder} is not a backup: it has no ${files.manifest}.`);
  const bytes = await readFile(join(folder, files.manifest));
  const manifest = parsed<Manifest>(bytes);
  if (manifest?.format !== FORMAT) throw new BackupRefused(`${folder} is not a backup that this program can read.`);
  const signed = existsSync(join(folder, files.signature))
    ? parsed<ManifestSignature>(await readFile(join(folder, files.signature)))
    : null;
  if (signed === null) throw new BackupRefused(`${folder} has no readable ${files.signature}.`);
  return { manifest, bytes, signed };
}

function parsed<T>(bytes: Buffer): T | null {
  try {
    return JSON.parse(bytes.toString("utf8")) as T;
  } catch {
    return null;
  }
}

/** Throws if one file of the backup, except a blob, is not as the manifest says. Blobs are compared while they are copied. */
export async function requireWholeFiles(folder: string, { tables, queue, blobs, missing, has_database }: Manifest): Promise<void> {
  const listed: FileEntry[] = [...tables, ...(has_database ? [queue] : []), ...[blobs, missing].filter((one) => one !== null)];
  for (const one of listed) await requireWhole(folder, one);
}

export async function requireWhole(folder: string, { file, sha256 }: Pick<FileEntry, "file" | "sha256">): Promise<void> {
  const path = join(folder, file);
  if (!existsSync(path)) throw new BackupRefused(`The backup is incomplete: ${file} is missing.`);
  if ((await nameFile(path)).sha256 !== sha256) throw new BackupRefused(`The backup is damaged: ${file} has changed since it was made.`);
}

/** How many documents of each organization the store did not have when the backup was made. */
export async function countMissing(folder: string, { missing }: Pick<Manifest, "missing">): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  if (missing === null) return counts;
  for await (const line of createInterface({ input: createReadStream(join(folder, missing.file)) })) {
    const [org_id = ""] = line.split("\t");
    counts.set(org_id, (counts.get(org_id) ?? 0) + 1);
  }
  return counts;
}

export async function* readBlobList(folder: string): AsyncGenerator<StoredBlob> {
  const path = join(folder, files.blobs);
  if (!existsSync(path)) return;
  for await (const line of createInterface({ input: createReadStream(path).pipe(createGunzip()) })) yield readLine(line);
}
