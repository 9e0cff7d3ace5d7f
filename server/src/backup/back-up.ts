import { createWriteStream, existsSync } from "node:fs";
import { copyFile, link, mkdir, open, readdir, realpath, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { copyAlone, type Snapshot, withSnapshot } from "../db/copies.ts";
import { ownerTx } from "../db/owner-tx.ts";
import type { OrgId } from "../shared/ids.ts";
import { BlobMissing, blobKey } from "../storage/blob-store.ts";
import { nameBytes, nameFile } from "../storage/hash.ts";
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
import { describeDatabase, isRecordsKey, type ListedBlob, listBlobs, listUses, noteBackup } from "./store.ts";

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
  /** Documents that the store does not have are listed. Otherwise there is no backup. */
  readonly skipMissing: boolean;
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

async function backUpAlone(deps: BackupDeps, { to, ...wanted }: Wanted): Promise<Manifest> {
  // The folder that a symbolic link leads to: the new one belongs beside it, and the link stays.
  const folder = existsSync(to) ? await realpath(to) : resolve(to);
  const partial = `${folder}.partial`;
  try {
    await finishInterrupted(folder);
    const before = await earlierIn(deps.ownerUrl, folder);
    await removePartial(partial);
    const manifest = await write(deps, { folder, partial, before, ...wanted });
    if (wanted.database) await note(deps, manifest);
    return manifest;
  } catch (error) {
    // What was begun would keep a full disk full.
    await removePartial(partial).catch((cause: unknown) => {
      if (!(cause instanceof BackupRefused)) throw cause;
    });
    const { code, syscall, path } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined || OF_NETWORK.test(code) || (path !== undefined && !path.startsWith(folder)))
      throw error;
    throw new BackupRefused(
      `The backup could not be written: ${(error as Error).message}. Nothing in ${folder} was changed. A backup is written beside its folder, on the same file system, so choose a folder that is not a mount point, in one that may be written to.`,
      { cause: error },
    );
  }
}

/** Codes of connections, of which nothing is to be said about the folder. */
const OF_NETWORK = /^(ECONN|EHOST|ENET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_)/;

/** The backup is complete already, whatever the database says now. */
async function note({ ownerUrl, onProgress }: BackupDeps, { made_at }: Manifest): Promise<void> {
  await ownerTx(ownerUrl, (tx) => noteBackup(tx, made_at)).catch((error: unknown) => {
    onProgress(
      `The backup is complete, but the database could not note its time, so the metric of its age does not count it: ${error instanceof Error ? error.message : error}`,
    );
  });
}

interface Target {
  readonly folder: string;
  readonly partial: string;
  readonly before: Manifest | null;
}

async function write(deps: BackupDeps, wanted: Target & Omit<Wanted, "to">): Promise<Manifest> {
  const { folder, partial, before, database, blobs } = wanted;
  await mkdir(join(partial, "tables"), { recursive: true, mode: 0o700 });
  if (before === null && existsSync(folder)) await requireMovable(folder);
  const copier = blobs ? await makeCopier(deps, partial, (await isListWhole(folder, before)) ? folder : null) : null;
  if (copier !== null) await copier.copyAll(await withSnapshot(deps.ownerUrl, listBlobs));
  const manifest = await withSnapshot(deps.ownerUrl, async (snapshot) => {
    const copied = database ? await copyDatabase(deps, snapshot, partial) : { tables: [], queue: NO_FILE };
    const documents = copier === null ? { blobs: null, missing: null } : await finish(copier, snapshot, wanted);
    return describe(deps, snapshot, copied, documents, database);
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
  const ours: readonly string[] = ["tables", "blobs", files.manifest, files.signature, files.blobs, files.missing, files.queue];
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

/** Null if there is none. A folder with anything else, or with the backup of another installation, is never replaced. */
async function earlierIn(ownerUrl: string, folder: string): Promise<Manifest | null> {
  if (!existsSync(folder)) return null;
  if ((await readdir(folder)).length === 0) return null;
  if (!existsSync(join(folder, files.manifest))) throw new BackupRefused(`${folder} is not empty and not a backup. Choose another folder.`);
  const { manifest, signed } = await readManifest(folder);
  if (!(await withSnapshot(ownerUrl, (snapshot) => isRecordsKey(snapshot, signed.key_id)))) {
    throw new BackupRefused(
      `${folder} has a backup of ${manifest.made_at} that was signed with a key which this database does not have: it is of another installation, or newer than the backup from which this one was restored. It was not replaced. Choose another folder.`,
    );
  }
  return manifest;
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
  documents: Pick<Manifest, "blobs" | "missing">,
  has_database: boolean,
): Promise<Manifest> {
  return {
    format: FORMAT,
    ...(await describeDatabase(snapshot)),
    version: deps.version,
    tables,
    queue,
    sequences: has_database ? snapshot.sequences : [],
    partitions: has_database ? snapshot.partitions : [],
    ...documents,
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

type Copier = Awaited<ReturnType<typeof makeCopier>>;

async function makeCopier(deps: BackupDeps, partial: string, earlier: string | null) {
  const known = new Map<string, StoredBlob>();
  if (earlier !== null) for await (const one of readBlobList(earlier)) known.set(blobKey(one.org_id as OrgId, one.sha256), one);
  const copied = new Map<string, StoredBlob>();
  let [linked, fetched, rescued] = [0, 0, 0];

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

  /** Whether the earlier backup has these very bytes, under the key that the database has now. */
  async function isInEarlier({ org_id, sha256, key: wrapped }: ListedBlob): Promise<boolean> {
    const key = blobKey(org_id, sha256);
    const before = known.get(key);
    if (earlier === null || before?.key !== wrapped) return false;
    const path = join(earlier, "blobs", key);
    return existsSync(path) && (await nameFile(path)).sha256 === before.stored_sha256;
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
    /** Copies what the snapshot has besides, and returns what a record needs and the store does not have. */
    async copyRest(rows: readonly ListedBlob[]): Promise<ListedBlob[]> {
      const missing: ListedBlob[] = [];
      for (const row of rows) {
        await copyOne(row).catch((error: unknown) => {
          if (!(error instanceof BlobMissing)) throw error;
          if (row.kept) missing.push(row);
        });
      }
      return missing;
    },
    isInEarlier,
    /** Takes documents from the earlier backup, which is about to be replaced and may be the last place that has them. Returns the others. */
    async rescue(missing: readonly ListedBlob[]): Promise<ListedBlob[]> {
      const lost: ListedBlob[] = [];
      for (const row of missing) {
        const key = blobKey(row.org_id, row.sha256);
        const before = known.get(key);
        if (before === undefined || earlier === null || !(await isInEarlier(row))) {
          lost.push(row);
          continue;
        }
        const target = join(partial, "blobs", key);
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await copyFile(join(earlier, "blobs", key), target);
        await sync(target);
        copied.set(key, before);
        rescued++;
      }
      return lost;
    },
    /** Removes what the snapshot does not have, and writes the list. */
    async writeList(rows: readonly ListedBlob[]): Promise<Manifest["blobs"]> {
      const wanted = new Set(rows.map(({ org_id, sha256 }) => blobKey(org_id, sha256)));
      for (const key of copied.keys()) {
        if (!wanted.has(key)) await forget(key);
      }
      const listed = [...copied.values()].sort((a, b) => (a.org_id + a.sha256 < b.org_id + b.sha256 ? -1 : 1));
      const entry = await writePacked(Readable.from(listed.map(writeLine)), partial, files.blobs);
      deps.onProgress(`Documents: ${listed.length}, of which ${fetched} copied and ${linked} as in the backup before`);
      if (rescued > 0) deps.onProgress(`Documents that are not in the store, taken from the backup before: ${rescued}`);
      return { ...entry, count: listed.length, bytes: listed.reduce((sum, { size }) => sum + size, 0) };
    },
  };
}

// More lines hide the sentence that says what to do.
const SHOWN = 20;

async function finish(
  copier: Copier,
  snapshot: Snapshot,
  { folder, partial, skipMissing }: Pick<Target & Wanted, "folder" | "partial" | "skipMissing">,
): Promise<Pick<Manifest, "blobs" | "missing">> {
  const rows = await listBlobs(snapshot);
  const missing = await copier.copyRest(rows);
  if (missing.length > 0 && !skipMissing) throw new BackupRefused(await missingText(copier, snapshot, folder, missing));
  const lost = await copier.rescue(missing);
  return { blobs: await copier.writeList(rows), missing: lost.length === 0 ? null : await writeMissing(lost, partial) };
}

async function missingText(copier: Copier, snapshot: Snapshot, folder: string, missing: readonly ListedBlob[]): Promise<string> {
  const lines: string[] = [];
  for (const one of missing.slice(0, SHOWN)) {
    const places = await listUses(snapshot, one);
    if (await copier.isInEarlier(one)) places.push(`still in ${folder}`);
    lines.push(`  ${blobKey(one.org_id, one.sha256)}  ${places.join(", ")}`.trimEnd());
  }
  if (missing.length > SHOWN) lines.push(`  and ${missing.length - SHOWN} more`);
  return `Documents that the database names and the store does not have: ${missing.length}
${lines.join("\n")}
No backup was made. Put them back into the store, or use --skip-missing: the backup then has everything else, takes those over that the backup in its folder still has, and lists the others.`;
}

async function writeMissing(lost: readonly ListedBlob[], partial: string): Promise<NonNullable<Manifest["missing"]>> {
  const bytes = Buffer.from(lost.map(({ org_id, sha256 }) => `${org_id}\t${sha256}\n`).join(""));
  await writeSynced(join(partial, files.missing), bytes);
  return { file: files.missing, ...nameBytes(bytes), count: lost.length };
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
