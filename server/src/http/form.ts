import { AsyncResource } from "node:async_hooks";
import { createHash } from "node:crypto";
import { existsSync, readlinkSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { HOUR_MS } from "../shared/durations.ts";
import { freeBytes } from "../shared/free-bytes.ts";
import { type Detail, Problem } from "../shared/problems.ts";
import { newToken } from "../shared/secrets.ts";
import { takeTurn } from "../shared/turns.ts";
import { tooLarge } from "./body.ts";

/** Reads forms with a file as they arrive. Only the text parts are kept in memory, and the file is read no faster than it is consumed. */

/** Specification: 50 MB. Binary megabytes, so that a file that a file manager shows as "50 MB" is accepted. */
export const MAX_FILE_BYTES = 52_428_800;
// The largest text part is `fields_json`: 2,000 fields with names and anchors take about half of this.
const MAX_PART_BYTES = 1_048_576;
// The text parts of a form and the boundaries between parts, without the file.
const MAX_OTHER_BYTES = 4 * MAX_PART_BYTES;
// Far more than any of our forms has. Each part uses a little memory before its name is known.
const MAX_PARTS = 32;

/** The file of a form while it arrives. */
export interface ArrivingFile {
  /** as given by the sender, without folders; null if there is none */
  readonly name: string | null;
  readonly content: Readable;
  /** the parts that arrived before the file */
  readonly before: Parts;
}

/** The parts of a form other than its file. */
export interface Parts {
  /** text, by name */
  readonly parts: ReadonlyMap<string, string>;
  /** parts that are longer than MAX_PART_BYTES or occur twice */
  readonly faults: readonly Detail[];
  /** the names of other parts with a file name; their content was discarded */
  readonly otherFiles: readonly string[];
}

/** The parts, and the result of receiving the file. */
export interface Form<T> extends Parts {
  readonly file: T | null;
}

/** Whether the body is a form, for endpoints that also accept JSON. */
export const isForm = ({ "content-type": type = "" }: IncomingHttpHeaders): boolean => /^multipart\/form-data\s*(;|$)/i.test(type);

/**
 * Reads a form to its end. `receive` consumes the file, which is the part named `filePart`, and the sender is slowed down to its pace.
 * Other files are discarded. Checks for 415, 413 and 400, in this order. An error of `receive` stops the reading and is rethrown. If the
 * form fails after its file has arrived, `drop` gets the result of `receive`.
 */
export async function readForm<T>(
  request: IncomingMessage,
  receive: (file: ArrivingFile) => Promise<T>,
  drop: (file: T) => Promise<void> = async () => undefined,
  filePart = "file",
): Promise<Form<T>> {
  refuseOtherTypes(request.headers);
  // Called by an event of the socket, but part of the request.
  const receiveFile = AsyncResource.bind(receive);
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > MAX_FILE_BYTES + MAX_OTHER_BYTES) throw new Problem("file_too_large", `declared ${declared}`);
  const type = request.headers["content-type"] ?? "";
  const parser = parserFor(type);
  const closing = new ClosingBoundary(type);
  const parts = new Map<string, string>();
  const faults: Detail[] = [];
  const otherFiles: string[] = [];
  let receiving: Promise<T> | null = null;
  let arriving: Readable | null = null;

  await new Promise<void>((resolve, reject) => {
    let bytes = 0;
    let ended = false;
    const stop = (error: unknown): void => {
      if (ended) return;
      ended = true;
      // The request is not destroyed, so that the caller can read our response. The server discards the rest of the body.
      stopFeeding();
      arriving?.destroy(error instanceof Error ? error : undefined);
      // Wait for `receive` to end, so that nothing of the file is left when the response is sent.
      void Promise.allSettled([receiving])
        .then(async ([taken]) => {
          if (taken.status === "fulfilled" && taken.value !== null) await drop(taken.value);
          reject(error);
        })
        .catch(reject);
    };
    const look = (piece: Buffer): boolean => {
      bytes += piece.length;
      closing.look(piece);
      if (bytes > MAX_FILE_BYTES + MAX_OTHER_BYTES) stop(tooLarge(MAX_FILE_BYTES + MAX_OTHER_BYTES, `over ${bytes} bytes of form`));
      return !ended;
    };
    const broken = (cause?: unknown): void => stop(new Problem("malformed_form", "", { cause }));

    parser.on("field", (name = "", value, _nameCut, valueCut) => {
      if (parts.has(name)) faults.push({ location: "form", field: name, code: "duplicate", message: "must be given only once" });
      else if (valueCut) faults.push({ location: "form", field: name, code: "too_long", message: "must have at most 1 MiB" });
      else parts.set(name, value);
    });
    parser.on("file", (name, content, fileName) => {
      // The stream also reports our own stop. Without a listener that would end the process.
      content.on("error", () => undefined);
      if (name !== filePart) otherFiles.push(name ?? "");
      if (ended || name !== filePart) return void content.resume();
      if (receiving !== null) return stop(new Problem("file_twice"));
      arriving = content;
      content.once("limit", () => stop(new Problem("file_too_large", "while it arrived")));
      receiving = receiveFile({
        name: fileName === undefined || fileName === "" ? null : fileName,
        content,
        before: { parts, faults, otherFiles },
      });
      receiving.catch(stop);
    });
    for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const) parser.on(limit, () => broken());
    parser.once("error", broken);
    parser.once("finish", () => {
      // The parser accepts the end of the body as the end of the form. Without this check a truncated form would be accepted.
      if (!closing.seen) return broken();
      if (ended) return;
      ended = true;
      resolve();
    });
    const stopFeeding = feedParser(request, parser, look);
    request.once("error", broken);
    request.once("close", () => {
      // A form that has arrived completely may still be being written to disk.
      if (!request.complete) broken();
    });
  });
  return { parts, faults, otherFiles, file: await (receiving as Promise<T> | null) };
}

// A body can arrive in pieces of one byte, and the parser would process each separately.
const SMALL_BYTES = 16_384;

/**
 * Feeds the body to the parser, no faster than the parser consumes it. Joins small pieces that arrived with one read of the socket. `look`
 * sees each piece before the parser and says whether to continue. Returns a function that stops feeding.
 */
function feedParser(request: IncomingMessage, parser: BusboyInstance, look: (piece: Buffer) => boolean): () => void {
  let small: Buffer[] = [];
  const give = (piece: Buffer): void => {
    if (!look(piece) || parser.write(piece)) return;
    request.pause();
    parser.once("drain", () => request.resume());
  };
  const giveSmall = (): void => {
    if (small.length === 0) return;
    const joined = Buffer.concat(small);
    small = [];
    give(joined);
  };
  const take = (piece: Buffer): void => {
    if (piece.length < SMALL_BYTES) {
      if (small.push(piece) === 1) setImmediate(giveSmall);
      return;
    }
    giveSmall();
    give(piece);
  };
  const end = (): void => {
    giveSmall();
    parser.end();
  };
  request.on("data", take).once("end", end);
  return () => {
    request.off("data", take).off("end", end);
    small = [];
  };
}

function refuseOtherTypes(headers: IncomingHttpHeaders): void {
  const { "content-encoding": encoding = "identity" } = headers;
  if (!isForm(headers) || encoding.toLowerCase() !== "identity") throw new Problem("wrong_form_type");
}

function parserFor(type: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": type },
      limits: {
        fieldNameSize: 100,
        fieldSize: MAX_PART_BYTES,
        fields: MAX_PARTS,
        files: MAX_PARTS,
        parts: MAX_PARTS,
        fileSize: MAX_FILE_BYTES,
        headerPairs: 20,
        headerSize: 16_384,
      },
      // A part is a file if it has a file name, regardless of its declared type.
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    });
  } catch (cause) {
    throw new Problem("malformed_form", "no boundary", { cause });
  }
}

/** Detects the closing boundary of a form, which can be split across two chunks. */
class ClosingBoundary {
  readonly #line: Buffer;
  #tail: Uint8Array = new Uint8Array();
  seen = false;

  constructor(type: string) {
    const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type);
    this.#line = Buffer.from(`--${boundary?.[1] ?? boundary?.[2] ?? ""}--`);
  }

  look(chunk: Buffer): void {
    if (this.seen) return;
    const joint = Buffer.concat([this.#tail, chunk.subarray(0, this.#line.length)]);
    this.seen = joint.includes(this.#line) || chunk.includes(this.#line);
    const end = Buffer.concat([this.#tail, chunk.subarray(Math.max(0, chunk.length - this.#line.length))]);
    this.#tail = end.subarray(Math.max(0, end.length - this.#line.length + 1));
  }
}

/** A file that has arrived and is kept in the uploads folder until the request is answered. */
export interface ReceivedFile {
  readonly name: string | null;
  readonly path: string;
  readonly size: number;
  /** of the received bytes, in lower-case hexadecimal */
  readonly sha256: string;
}

// Each write is a round trip to another thread, and a socket delivers 64 KB at a time, so pieces are gathered. The buffers are reused:
// pieces that wait for their write would move to the old generation of the heap, whose collection is slow.
const WRITE_BYTES = 262_144;
const KEPT_BUFFERS = 4;
// Shorter pieces may be the parser's own memory for half a boundary, which it uses again. A boundary is shorter than a request's headers.
const NOT_THE_PARSERS = 16_384;
const writeBuffers: Buffer[] = [];

/** Writes the file into the folder while it arrives, and frees its pieces; whatever goes wrong, no part of the file stays. */
export async function spool(folder: string, { name, content }: Pick<ArrivingFile, "name" | "content">): Promise<ReceivedFile> {
  const path = join(folder, `${OWNER}${newToken()}`);
  const hash = createHash("sha256");
  const buffer = writeBuffers.pop() ?? Buffer.allocUnsafeSlow(WRITE_BYTES);
  let size = 0;
  try {
    const handle = await open(path, "wx", 0o600);
    try {
      let gathered = 0;
      // One piece per turn. The sender waits, so nothing piles up in memory.
      for await (const chunk of content as AsyncIterable<Buffer>) {
        hash.update(chunk);
        for (let taken = 0; taken < chunk.length; ) {
          const more = chunk.copy(buffer, gathered, taken);
          [taken, gathered] = [taken + more, gathered + more];
          if (gathered < buffer.length) continue;
          await writeAll(handle, buffer);
          gathered = 0;
        }
        size += chunk.length;
        if (chunk.length >= NOT_THE_PARSERS) freeBytes(chunk);
        await takeTurn();
      }
      await writeAll(handle, buffer.subarray(0, gathered));
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(path, { force: true });
    throw isUnwritable(error) ? noRoom(error) : error;
  } finally {
    if (writeBuffers.length < KEPT_BUFFERS) writeBuffers.push(buffer);
  }
  return { name, path, size, sha256: hash.digest("hex") };
}

/** One write can write only a part, for example when the disk is almost full. */
async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done)).bytesWritten;
}

// Disk space is often freed within seconds.
const ROOM_RETRY_SECONDS = 5;

export const noRoom = (cause: unknown): Problem =>
  new Problem(isFull(cause) ? "disk_full" : "storage_away", "no room for uploads", { retryAfterSeconds: ROOM_RETRY_SECONDS, cause });

/** The error of a PDF thread has the system's code as its message. */
const isFull = (error: unknown): boolean => {
  const { code, message } = error as NodeJS.ErrnoException;
  return ["ENOSPC", "EDQUOT"].includes(code ?? message);
};

/** The disk is full, or cannot be written to any more. */
const isUnwritable = (error: unknown): boolean => isFull(error) || (error as NodeJS.ErrnoException).code === "EROFS";

// Identifies the process that owns a file, because other processes and machines can use the same folder. Containers can share a host name
// but have their own process ids, so the name of the Linux process namespace is included.
const PID_NAMESPACE = "/proc/self/ns/pid";
const HOST = [hostname(), existsSync(PID_NAMESPACE) ? readlinkSync(PID_NAMESPACE) : ""].join(".").replace(/[^\w.-]/g, "_");
const OWNER = `${HOST}_${process.pid}_`;
// No request lasts this long. Older files are orphaned, no matter which process owned them.
const ORPHANED_MS = HOUR_MS;

/** Creates the folder for uploads and removes files that ended processes left there. */
export async function makeUploads(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (isOrphanedUpload(name) || (await isOld(path))) await rm(path, { force: true });
  }
  return folder;
}

/** Whether the file's process ran on this machine and has ended. This process has no files yet, so its own id belonged to an earlier one. */
function isOrphanedUpload(name: string): boolean {
  const pid = name.startsWith(`${HOST}_`) ? Number(/^(\d+)_/.exec(name.slice(HOST.length + 1))?.[1]) : Number.NaN;
  if (Number.isNaN(pid) || pid === process.pid) return pid === process.pid;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code !== "EPERM";
  }
}

async function isOld(path: string): Promise<boolean> {
  // Another process may remove its own file between the two calls.
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return mtimeMs < Date.now() - ORPHANED_MS;
}
