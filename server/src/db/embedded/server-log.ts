// PostgreSQL appends to one file, `server.log` in the cluster. Its own log collector can rotate files but does not limit their total
// size, so the service that uses the database keeps the file short.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { Cluster } from "./cluster.ts";

const LOG_MAX_BYTES = 8 * 1024 * 1024;
const LOG_KEPT_BYTES = 1024 * 1024;
const TAIL_BYTES = 4096;

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;

// The folder belongs to PostgreSQL's account and we may be root, so we must not follow a symbolic link to another file.
const openInCluster = (dir: string, flags: number): Promise<FileHandle> => open(join(dir, "server.log"), flags | O_NOFOLLOW, 0o600);

/** Opens the log for the server in append mode, so that a shortened file continues at its new end. The caller closes it. */
export async function openLog({ dir, account }: Cluster): Promise<FileHandle> {
  const file = await openInCluster(dir, O_RDWR | O_APPEND | O_CREAT);
  if (account !== null) await file.chown(account.uid, account.gid);
  await shorten(file);
  return file;
}

/** Shortens a log that is too long. A line that PostgreSQL writes at the same time can be lost. */
export async function limitLog(dir: string): Promise<void> {
  const file = await openInCluster(dir, O_RDWR | O_APPEND);
  try {
    await shorten(file);
  } finally {
    await file.close();
  }
}

async function shorten(file: FileHandle): Promise<void> {
  if ((await file.stat()).size <= LOG_MAX_BYTES) return;
  const kept = await readEnd(file, LOG_KEPT_BYTES);
  await file.truncate(0);
  await file.appendFile(kept);
}

export async function tailOfLog(dir: string): Promise<string> {
  const file = await openInCluster(dir, constants.O_RDONLY);
  try {
    return `The end of ${join(dir, "server.log")}:\n${await readEnd(file, TAIL_BYTES)}`;
  } finally {
    await file.close();
  }
}

async function readEnd(file: FileHandle, bytes: number): Promise<string> {
  const { size } = await file.stat();
  const length = Math.min(size, bytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const text = buffer.toString("utf8", 0, bytesRead);
  return length < size ? text.slice(text.indexOf("\n") + 1) : text;
}
