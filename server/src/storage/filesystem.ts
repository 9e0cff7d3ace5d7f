import { randomBytes } from "node:crypto";
import { chmod, constants, copyFile, type FileHandle, link, mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DAY_MS } from "../shared/durations.ts";
import { isId } from "../shared/ids.ts";
import { BlobMissing, BytesChanged, blobKey, noteKey, type ObjectStore, type StoredForm, StoreUnavailable } from "./blob-store.ts";
import { piecesOf } from "./hash.ts";

/** Keeps blobs as files in one folder: `<org_id>/<aa>/<bb>/<sha256>`. They are read-only from the moment they have that name. */

// Other users of the machine may have access to DATA_DIR, but must not read documents.
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o444;

const TEMPORARY = ".put-";
// No put takes a day, so an older file was left by an interrupted put. A limit shorter than a slow put would remove its file too early.
const STALE_MS = DAY_MS;

export function filesystemObjects(root: string): ObjectStore {
  const pathOf = (...key: Parameters<typeof blobKey>) => join(root, blobKey(...key));
  return {
    async put(org, sha256, form) {
      const target = pathOf(org, sha256);
      if (form.file === null) return place(root, target, form, (temporary) => write(temporary, form.open()));
      // Opened here, because a caller's file that cannot be read is not an outage of the store.
      const { file } = form;
      const source = await open(file);
      try {
        await place(root, target, form, (temporary) => copy(file, source, temporary));
      } finally {
        await source.close();
      }
    },
    read: (org, sha256) => found(root, sha256, readFile(pathOf(org, sha256))),
    async open(org, sha256) {
      const handle = await found(root, sha256, open(pathOf(org, sha256)));
      try {
        const { size } = await handle.stat();
        return { size, stream: handle.createReadStream() };
      } catch (error) {
        await handle.close();
        throw away(error);
      }
    },
    async remove(org, sha256) {
      const path = pathOf(org, sha256);
      try {
        await unlink(path);
        await sync(dirname(path));
      } catch (error) {
        if (codeOf(error) !== "ENOENT") throw away(error);
      }
    },
    check: () => probe(root),
    removeStalePuts: () => removeStalePuts(root, Date.now() - STALE_MS),
    async sizeOf(org, sha256) {
      try {
        return (await stat(pathOf(org, sha256))).size;
      } catch (error) {
        if (codeOf(error) !== "ENOENT") throw away(error);
        return null;
      }
    },
    async readNote(name) {
      try {
        return await readFile(join(root, noteKey(name)));
      } catch (error) {
        if (codeOf(error) !== "ENOENT") throw away(error);
        return null;
      }
    },
    writeNote: (name, bytes) => replaceNote(root, join(root, noteKey(name)), bytes),
    shared: null,
  };
}

/** The file gets its name once all bytes are on disk. Resolves when both name and bytes would survive a power failure. */
async function place(root: string, target: string, { isSound }: StoredForm, fill: (temporary: string) => Promise<void>): Promise<void> {
  const folder = dirname(target);
  const temporary = join(folder, `${TEMPORARY}${randomBytes(12).toString("hex")}`);
  try {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    try {
      await fill(temporary);
      await sync(temporary);
      // Reads the temporary file back, so that only correct bytes ever get the name of their hash.
      if (!(await isSound(piecesOf(temporary)))) throw new BytesChanged();
      await nameOnce(temporary, target, isSound);
    } finally {
      await unlink(temporary).catch(ignoreMissing);
    }
    await syncUpTo(dirname(root), folder);
  } catch (error) {
    throw away(error);
  }
}

/** A reader finds the earlier note or the new one, never a part of one. */
async function replaceNote(root: string, target: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(target);
  const temporary = join(folder, `${TEMPORARY}${randomBytes(12).toString("hex")}`);
  try {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    await write(temporary, bytes);
    await sync(temporary);
    await rename(temporary, target);
    await syncUpTo(dirname(root), folder);
  } catch (error) {
    throw away(error);
  }
}

async function write(path: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(path, "wx", FILE_MODE);
  try {
    if (content instanceof Uint8Array) await writeAll(handle, content);
    else for await (const piece of content) await writeAll(handle, piece);
  } finally {
    await handle.close();
  }
}

/** Copies with a system call, so the bytes do not pass through this process. The call also sets modes, which some file systems reject. */
async function copy(path: string, source: FileHandle, temporary: string): Promise<void> {
  try {
    await copyFile(path, temporary, constants.COPYFILE_EXCL);
    await chmod(temporary, FILE_MODE);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    await unlink(temporary).catch(ignoreMissing);
    await copyInPieces(source, temporary);
  }
}

// Large pieces, because each read and write is a round trip to another thread.
const PIECE_BYTES = 1_048_576;

/** Reuses one buffer. */
export async function copyInPieces(source: FileHandle, path: string): Promise<void> {
  const handle = await open(path, "wx", FILE_MODE);
  try {
    const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    for (let at = 0; ; ) {
      const { bytesRead } = await source.read(piece, 0, piece.length, at);
      if (bytesRead === 0) return;
      await writeAll(handle, piece.subarray(0, bytesRead));
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** A single write may be partial, for example on a disk that is almost full. */
async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.byteLength; ) done += (await handle.write(chunk, done)).bytesWritten;
}

/**
 * `link` fails if the name exists, where `rename` would replace it, so intact bytes are never touched. If the existing bytes are
 * damaged, or the file system has no hard links, renaming is safe, because the new bytes are those of the name.
 */
export async function nameOnce(
  temporary: string,
  target: string,
  isSound: StoredForm["isSound"],
  linkFile: typeof link = link,
): Promise<void> {
  try {
    return await linkFile(temporary, target);
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST" && (await isSoundAt(target, isSound))) return;
    if (code !== "EEXIST" && !isUnsupported(error)) throw error;
  }
  await rename(temporary, target);
}

/** Whether the file system does not support hard links or modes. */
const isUnsupported = (error: unknown): boolean => ["EPERM", "ENOTSUP", "EXDEV"].includes(codeOf(error) ?? "");

/** False also if the file is missing, because a sweep may have removed it in the meantime. */
async function isSoundAt(path: string, isSound: StoredForm["isSound"]): Promise<boolean> {
  try {
    return await isSound(piecesOf(path));
  } catch (error) {
    ignoreMissing(error);
    return false;
  }
}

/** Syncs existing folders too, because another put may have just created one and not synced it yet. */
async function syncUpTo(top: string, folder: string): Promise<void> {
  for (let path = folder; ; path = dirname(path)) {
    await sync(path);
    if (path === top) return;
  }
}

/** Syncs a file or a folder. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a file to detect missing rights, a read-only mount or a missing volume. */
async function probe(root: string): Promise<void> {
  const path = join(root, `${TEMPORARY}${randomBytes(12).toString("hex")}`);
  try {
    await mkdir(root, { recursive: true, mode: FOLDER_MODE });
    await (await open(path, "wx", FILE_MODE)).close();
    await unlink(path);
  } catch (error) {
    throw away(error);
  }
}

async function removeStalePuts(root: string, before: number): Promise<number> {
  let removed = 0;
  try {
    for await (const path of temporaryFiles(root)) if (await removeOlder(path, before)) removed++;
  } catch (error) {
    // The first put creates the folder.
    if (codeOf(error) !== "ENOENT") throw away(error);
  }
  return removed;
}

async function removeOlder(path: string, before: number): Promise<boolean> {
  try {
    if ((await stat(path)).mtimeMs >= before) return false;
    await unlink(path);
    return true;
  } catch (error) {
    // The put finished and removed the file.
    ignoreMissing(error);
    return false;
  }
}

/** Reads folder by folder, because a list of millions of files would need too much memory. */
async function* temporaryFiles(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* temporaryFiles(path);
    else if (entry.name.startsWith(TEMPORARY)) yield path;
  }
}

/** A missing file is a missing blob, unless the folder contains no orgs. Then the volume is probably not mounted. */
async function found<T>(root: string, sha256: string, pending: Promise<T>): Promise<T> {
  try {
    return await pending;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw away(error);
    if (!(await hasOrgs(root))) throw new StoreUnavailable("its folder is empty or gone", { cause: error });
    throw new BlobMissing(sha256, { cause: error });
  }
}

async function hasOrgs(root: string): Promise<boolean> {
  try {
    return (await readdir(root)).some((name) => isId("org", name));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw away(error);
  }
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== "ENOENT") throw error;
}

/** Errors of the operating system (full disk, missing rights, broken disk) are an outage. Other errors are not changed. */
function away(error: unknown): unknown {
  return codeOf(error) === undefined ? error : new StoreUnavailable(String(codeOf(error)), { cause: error });
}

/** Only the codes of system calls. Node's argument errors have codes too. */
function codeOf(error: unknown): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined ? undefined : code;
}
