import { createWriteStream, existsSync } from "node:fs";
import { link, mkdir, open, readdir, realpath, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { copyAlone, type Snapshot, withSnapshot } from "../db/copies.ts";
import type { OrgId } from "../shared/ids.ts";
import { BlobMissing, blobKey } from "../storage/blob-store.ts";
import { nameFile } from "../storage/hash.ts";
import {
  BackupRefused,
  counted,
  type FileEntry,
  FORMAT,
  files,
  type Manifest,
  type ManifestSignature,
  type Objects,
  type Progress,
  type StoredBlob,
  writeLine,
} from "./backup.ts";
import { readBlobList, readManifest } from "./manifest.ts";
import { describeDatabase, type ListedBlob, listBlobs } from "./store.ts";

export interface BackupDeps {
  readonly ownerUrl: string;
  readonly objects: Objects;
  /** with the installation's records key */
  sign(bytes: Uint8Array): Promise<ManifestSignature>;
  readonly version: string;
  readonly onProgress: Progress;
}

export interface Wanted {
  readonly to: string;
  readonly database: boolean;
  readonly blobs: boolean;
}

/**
 * Writes a backup beside the folder, and gives it the folder's name when every byte is on disk. An earlier backup in the folder is replaced at
 * that moment; blobs that it has are linked, not copied again. Documents come before and after the snapshot: those that it names were stored
 * before it, and one that is just being encrypted is complete with the key that the snapshot has (decision 0138).
 */
export async function backUp(deps: BackupDeps, wanted: Wanted): Promise<Manifest> {
  const manifest = await copyAlone(deps.ownerUrl, () => backUpAlone(deps, wanted));
  if (manifest === null) throw new BackupRefused("Another backup of this installation, or a restore, is running. Wait until it has ended.");
  return manifest;
}

async function backUpAlone(deps: BackupDeps, { to, database, blobs }: Wanted): Promise<Manifest> {
  // The folder that a symbolic link leads to: the new one belongs beside it, and the link stays.
  const folder = existsSync(to) ? await realpath(to) : resolve(to);
  const partial = `${folder}.partial`;
  try {
    await finishInterrupted(folder);
    const before = await earlierIn(folder);
    await removePartial(partial);
    return await write(deps, { folder, partial, before, database, blobs });
  } catch (error) {
    // What was begun would keep a full disk full.
    await removePartial(partial).catch((cause: unknown) => {
      if (!(cause instanceof BackupRefused)) throw cause;
    });
    const { code, syscall, path } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined || (path !== undefined && !path.startsWith(folder))) throw error;
    throw new BackupRefused(
      `The backup could not be written: ${(error as Error).message}. Nothing in ${folder} was changed. A backup is written beside its folder, on the same file system, so choose a folder that is not a mount point, in one that may be written to.`,
      { cause: error },
    );
  }
}

interface Target {
  readonly folder: string;
  readonly partial: string;
  readonly before: Manifest | null;
}

async function write(deps: BackupDeps, { folder, partial, before, database, blobs }: Target & Omit<Wanted, "to">): Promise<Manifest> {
  await mkdir(join(partial, "tables"), { recursive: true, mode: 0o700 });
  if (before === null && existsSync(folder)) await requireMovable(folder);
  const copier = blobs ? await makeCopier(deps, partial, (await isListWhole(folder, before)) ? folder : null) : null;
  if (copier !== null) await copier.copyAll(await withSnapshot(deps.ownerUrl, listBlobs));
  const manifest = await withSnapshot(deps.ownerUrl, async (snapshot) => {
    const copied = database ? await copyDatabase(deps, snapshot, partial) : { tables: [], queue: NO_FILE };
    const copiedBlobs = copier === null ? null : await copier.finish(await listBlobs(snapshot));
    return describe(deps, snapshot, copied, copiedBlobs, database);
  });
  // A table that a migration rewrites or extends is not copied as the snapshot has it.
  const { migrations } = await withSnapshot(deps.ownerUrl, describeDatabase);
  if (migrations.length !== manifest.migrations.length)
    throw new BackupRefused("The database was migrated while it was copied. No backup was made. Run it again.");
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
  await writeSynced(join(partial, files.manifest), bytes);
  await writeSynced(join(partial, files.signature), Buffer.from(`${JSON.stringify(await deps.sign(bytes))}\n`));
  await syncFolders(partial);
  await takePlace(partial, folder);
  return manifest;
}

/** What an interrupted backup left behind. A folder of someone else is never removed. */
async function removePartial(partial: string): Promise<void> {
  if (!existsSync(partial)) return;
  const ours: readonly string[] = ["tables", "blobs", files.manifest, files.signature, files.blobs, files.queue];
  const other = (await readdir(partial)).find((name) => !ours.includes(name));
  if (other !== undefined)
    throw new BackupRefused(`${partial} has ${other} in it and is not an unfinished backup. Move it, or choose another folder.`);
  await rm(partial, { recursive: true });
}

/** Not a name that someone gives a folder. */
const previousOf = (folder: string): string => `${folder}.replaced-by-countersign`;

/** A process that died between the two renames left the earlier backup under another name. */
async function finishInterrupted(folder: string): Promise<void> {
  const previous = previousOf(folder);
  if (!existsSync(previous)) return;
  if (existsSync(folder)) await rm(previous, { recursive: true });
  else await rename(previous, folder);
}

/** An empty folder may be a mount point, which cannot be replaced. That must be known before hours of copying. */
async function requireMovable(folder: string): Promise<void> {
  await rename(folder, previousOf(folder));
  await rename(previousOf(folder), folder);
}

async function takePlace(partial: string, folder: string): Promise<void> {
  const previous = previousOf(folder);
  if (existsSync(folder)) await rename(folder, previous);
  await rename(partial, folder).catch(async (error: unknown) => {
    if (existsSync(previous)) await rename(previous, folder);
    throw error;
  });
  await sync(dirname(folder));
  await rm(previous, { recursive: true, force: true });
}

/** Null if there is none. A folder with anything else is never replaced. */
async function earlierIn(folder: string): Promise<Manifest | null> {
  if (!existsSync(folder)) return null;
  if ((await readdir(folder)).length === 0) return null;
  if (!existsSync(join(folder, files.manifest))) throw new BackupRefused(`${folder} is not empty and not a backup. Choose another folder.`);
  return (await readManifest(folder)).manifest;
}

const NO_FILE = { file: "", size: 0, sha256: "", rows: 0 };

async function copyDatabase(deps: BackupDeps, snapshot: Snapshot, partial: string) {
  const tables: Manifest["tables"][number][] = [];
  for (const table of snapshot.tables) {
    const { stream, rows } = snapshot.copyTable(table);
    const entry = await writePacked(stream, partial, files.table(table));
    tables.push({ table, rows: rows(), ...entry });
  }
  const { stream, rows } = snapshot.copyQueue();
  const entry = await writePacked(stream, partial, files.queue);
  deps.onProgress(`Database: ${tables.length} tables, ${tables.reduce((sum, one) => sum + one.rows, 0)} rows`);
  return { tables, queue: { ...entry, rows: rows() } };
}

async function describe(
  deps: BackupDeps,
  snapshot: Snapshot,
  { tables, queue }: Pick<Manifest, "tables" | "queue">,
  blobs: Manifest["blobs"],
  has_database: boolean,
): Promise<Manifest> {
  return {
    format: FORMAT,
    ...(await describeDatabase(snapshot)),
    version: deps.version,
    tables,
    queue,
    sequences: has_database ? snapshot.sequences : [],
    blobs,
    has_database,
  };
}

/** Whether the list of documents of the earlier backup is as it was written. Without it all are copied again. */
async function isListWhole(folder: string, before: Manifest | null): Promise<boolean> {
  const path = join(folder, files.blobs);
  return before !== null && before.blobs !== null && existsSync(path) && (await nameFile(path)).sha256 === before.blobs.sha256;
}

/** Instead of the hash of a key: never the one of a document, so the document is copied again. */
const UNSURE = "f".repeat(64);

async function makeCopier(deps: BackupDeps, partial: string, earlier: string | null) {
  const known = new Map<string, StoredBlob>();
  if (earlier !== null) for await (const one of readBlobList(earlier)) known.set(blobKey(one.org_id as OrgId, one.sha256), one);
  const copied = new Map<string, StoredBlob>();
  let [linked, fetched] = [0, 0];

  async function forget(key: string): Promise<void> {
    if (copied.delete(key)) await unlink(join(partial, "blobs", key));
  }

  async function copyOne({ org_id, sha256, kept, key: wrapped }: ListedBlob): Promise<void> {
    const key = blobKey(org_id, sha256);
    // What is not kept may be about to be stored again, under a new key.
    const isSame = (one: StoredBlob | undefined): boolean => kept && one?.key === wrapped;
    if (isSame(copied.get(key))) return;
    const target = join(partial, "blobs", key);
    const size = await deps.objects.sizeOf(org_id, sha256);
    if (size === null) throw new BlobMissing(sha256);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await forget(key);
    const before = known.get(key);
    if (earlier !== null && before?.size === size && isSame(before) && (await linkFrom(join(earlier, "blobs", key), target, size))) {
      copied.set(key, before);
      linked++;
      return;
    }
    const { stream } = await deps.objects.open(org_id, sha256);
    const count = counted();
    await pipeline(stream, count.pass, createWriteStream(target, { mode: 0o400 }));
    await sync(target);
    const { size: written, sha256: stored_sha256 } = count.result();
    copied.set(key, { org_id, sha256, size: written, stored_sha256, key: kept ? wrapped : UNSURE });
    fetched++;
  }

  return {
    async copyAll(rows: readonly ListedBlob[]): Promise<void> {
      for (const row of rows) {
        if (!row.kept) continue;
        // One that is destroyed while it is copied is not in the snapshot either.
        await copyOne(row).catch((error: unknown) => {
          if (!(error instanceof BlobMissing)) throw error;
        });
      }
    },
    /** Copies what the snapshot has besides, and removes what it does not have. */
    async finish(rows: readonly ListedBlob[]): Promise<Manifest["blobs"]> {
      const missing: string[] = [];
      for (const row of rows) {
        await copyOne(row).catch((error: unknown) => {
          if (!(error instanceof BlobMissing)) throw error;
          if (row.kept) missing.push(blobKey(row.org_id, row.sha256));
        });
      }
      if (missing.length > 0) {
        throw new BackupRefused(
          `${missing.length} documents that the database names are not in the store, first ${missing[0]}. No backup was made. Run: countersign verify-install`,
        );
      }
      const wanted = new Set(rows.map(({ org_id, sha256 }) => blobKey(org_id, sha256)));
      for (const key of copied.keys()) {
        if (!wanted.has(key)) await forget(key);
      }
      const listed = [...copied.values()].sort((a, b) => (a.org_id + a.sha256 < b.org_id + b.sha256 ? -1 : 1));
      const entry = await writePacked(Readable.from(listed.map(writeLine)), partial, files.blobs);
      deps.onProgress(`Documents: ${listed.length}, of which ${fetched} copied and ${linked} as in the backup before`);
      return { ...entry, count: listed.length, bytes: listed.reduce((sum, { size }) => sum + size, 0) };
    },
  };
}

/** False if the file system has no hard links, or the file is not there or not whole: then it is copied from the store. */
async function linkFrom(source: string, target: string, size: number): Promise<boolean> {
  try {
    if ((await stat(source)).size !== size) return false;
    await link(source, target);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "EPERM", "ENOTSUP", "EXDEV", "EMLINK"].includes(code)) return false;
    throw error;
  }
}

async function writePacked(source: Readable, partial: string, file: string): Promise<FileEntry> {
  const count = counted();
  const path = join(partial, file);
  await pipeline(source, createGzip(), count.pass, createWriteStream(path, { mode: 0o600 }));
  await sync(path);
  return { file, ...count.result() };
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Files are on disk; this does the same for their names. */
async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  await sync(folder);
}
