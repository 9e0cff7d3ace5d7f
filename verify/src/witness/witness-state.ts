import { createHash } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Note, readNote, readTreeHead, type TreeHead } from "@countersign/evidence";

/** The folder with the state of a witness is in use or damaged. The message says what to do. */
export class BadState extends Error {
  override readonly name = "BadState";
}

/** The latest note of each log that this witness has cosigned. One process at a time can have it open. */
export type WitnessState = {
  /** null if this witness has never cosigned a note of this log */
  readonly latest: (origin: string) => (TreeHead & { readonly note: Note }) | null;
  /** On return the note is on disk, also after a power failure. */
  readonly save: (origin: string, note: Uint8Array) => void;
  readonly close: () => void;
};

/** Every call is synchronous: between reading the state and writing it, no other request of this process runs. */
export function openWitnessState(folder: string): WitnessState {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = join(folder, "lock");
  takeLock(lock);
  const fileOf = (origin: string): string => join(folder, `${createHash("sha256").update(origin).digest("hex")}.note`);
  return {
    latest: (origin) => {
      const bytes = readIfThere(fileOf(origin));
      if (bytes === null) return null;
      const note = readNote(bytes);
      const head = note === null ? null : readTreeHead(note.text);
      // To begin anew would allow what the witness has already refused.
      if (note === null || head?.origin !== origin) throw new BadState(`${fileOf(origin)} is damaged. Restore it from a backup.`);
      return { ...head, note };
    },
    save: (origin, note) => replaceFile(folder, fileOf(origin), note),
    close: () => rmSync(lock, { force: true }),
  };
}

function takeLock(path: string): void {
  const owner = Number(readIfThere(path)?.toString("utf8") ?? "0");
  if (owner > 0 && owner !== process.pid && isRunning(owner))
    throw new BadState(`Process ${owner} uses this state. Two witnesses with one state could cosign two histories.`);
  // Left behind by a process that was killed.
  if (owner > 0) rmSync(path, { force: true });
  try {
    const file = openSync(path, "wx", 0o600);
    writeSync(file, String(process.pid));
    closeSync(file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    throw new BadState("Another process has just opened this state.", { cause });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Replaces a file by a new one as a whole. The folder is synchronized too, because the rename is recorded there. */
export function replaceFile(folder: string, path: string, bytes: Uint8Array): void {
  const written = `${path}.new`;
  const file = openSync(written, "w", 0o600);
  try {
    writeSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(written, path);
  const directory = openSync(folder, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
