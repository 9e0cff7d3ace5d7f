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

/** Forms with a file, read as they arrive: nothing is held in memory but the text parts, and nothing is read faster than it is taken. */

/** Specification: 50 MB. Binary megabytes, so that no file that a file manager calls "50 MB" is refused. */
export const MAX_FILE_BYTES = 52_428_800;
// The largest text part is `fields_json`: 2,000 fields with names and anchors are about half of this.
const MAX_PART_BYTES = 1_048_576;
// The text parts of a form and the lines between them, besides the file.
const MAX_OTHER_BYTES = 4 * MAX_PART_BYTES;
// Far more than any form of ours has; each costs a little memory before we know its name.
const MAX_PARTS = 32;

/** The file of a form while it arrives. */
export interface ArrivingFile {
  /** as the sender calls it, without folders; null when it says nothing */
  readonly name: string | null;
  readonly content: Readable;
  /** what has come before it */
  readonly before: Parts;
}

/** The parts of a form other than its file. */
export interface Parts {
  /** text, by name */
  readonly parts: ReadonlyMap<string, string>;
  /** parts longer than MAX_PART_BYTES, cut there, and parts that came twice */
  readonly faults: readonly Detail[];
  /** the names of parts with a file name that are not the file; their content was thrown away */
  readonly otherFiles: readonly string[];
}

/** The parts, and what became of the file. */
export interface Form<T> extends Parts {
  readonly file: T | null;
}

/** Whether a form comes, to endpoints that take JSON as well. */
export const isForm = ({ "content-type": type = "" }: IncomingHttpHeaders): boolean => /^multipart\/form-data\s*(;|$)/i.test(type);

/**
 * Reads a form to its end; `receive` takes the file, the part of that name, and the sender waits while it does. Other files are read and
 * thrown away. Throws 415, 413 or 400 in that order of checks; what `receive` throws stops the reading and comes out here. When the
 * form fails after its file has come, `drop` gets what became of the file.
 */
export async function readForm<T>(
  request: IncomingMessage,
  receive: (file: ArrivingFile) => Promise<T>,
  drop: (file: T) => Promise<void> = async () => undefined,
  filePart = "file",
): Promise<Form<T>> {
  refuseOtherTypes(request.headers);
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > MAX_FILE_BYTES + MAX_OTHER_BYTES) throw new Problem("file_too_large", `declared ${declared}`);
  const type = request.headers["content-type"] ?? "";
  const parser = parserFor(type);
  const closing = new Closing(type);
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
      // Not destroyed: the caller must be able to read our answer. What still comes is thrown away by the server.
      stopPouring();
      arriving?.destroy(error instanceof Error ? error : undefined);
      // Whoever takes the file ends first, so that nothing of it is left when the answer goes out.
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
      // The stream reports our own stop as well; without a listener that would end the process.
      content.on("error", () => undefined);
      if (name !== filePart) otherFiles.push(name ?? "");
      if (ended || name !== filePart) return void content.resume();
      if (receiving !== null) return stop(new Problem("file_twice"));
      arriving = content;
      content.once("limit", () => stop(new Problem("file_too_large", "while it arrived")));
      receiving = receive({
        name: fileName === undefined || fileName === "" ? null : fileName,
        content,
        before: { parts, faults, otherFiles },
      });
      receiving.catch(stop);
    });
    for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const) parser.on(limit, () => broken());
    parser.once("error", broken);
    parser.once("finish", () => {
      // The parser takes the end of the body for the end of the form; a form that was cut off would be taken for what it is not.
      if (!closing.seen) return broken();
      if (ended) return;
      ended = true;
      resolve();
    });
    const stopPouring = pour(request, parser, look);
    request.once("error", broken);
    request.once("close", () => {
      // A form that has come whole may still be on its way to the disk.
      if (!request.complete) broken();
    });
  });
  return { parts, faults, otherFiles, file: await (receiving as Promise<T> | null) };
}

// A body may come in pieces of a byte, each of which the parser would take for itself.
const SMALL_BYTES = 16_384;

/**
 * The body into the parser, no faster than it is taken. Small pieces that came with one read of the socket are joined. `look` sees each
 * before the parser does, and says whether to go on. What is returned stops it.
 */
function pour(request: IncomingMessage, parser: BusboyInstance, look: (piece: Buffer) => boolean): () => void {
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
      // A part is a file when its sender says so by a file name, whatever type it declares.
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    });
  } catch (cause) {
    throw new Problem("malformed_form", "no boundary", { cause });
  }
}

/** Whether the line that ends a form has come by; it may lie across two chunks. */
class Closing {
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

/** A file that has arrived and lies in a folder of its own kind until the request is answered. */
export interface ReceivedFile {
  readonly name: string | null;
  readonly path: string;
  readonly size: number;
  /** lower-case hexadecimal, of the bytes as they came */
  readonly sha256: string;
}

// Each write is a trip to another thread and back, and a socket brings 64 KB at a time. They are gathered in memory that is used again:
// pieces that wait for their write grow old, and what is old is not cleared in a moment.
const WRITE_BYTES = 262_144;
const KEPT_BASKETS = 4;
// Shorter pieces may be the parser's own memory for half a boundary, which it uses again. A boundary is shorter than a request's headers.
const NOT_THE_PARSERS = 16_384;
const baskets: Buffer[] = [];

/** Writes the file into the folder while it arrives, and frees its pieces; whatever goes wrong, no part of the file stays. */
export async function spool(folder: string, { name, content }: Pick<ArrivingFile, "name" | "content">): Promise<ReceivedFile> {
  const path = join(folder, `${OWNER}${newToken()}`);
  const hash = createHash("sha256");
  const basket = baskets.pop() ?? Buffer.allocUnsafeSlow(WRITE_BYTES);
  let size = 0;
  try {
    const handle = await open(path, "wx", 0o600);
    try {
      let gathered = 0;
      // One piece a turn: what waits, waits at the sender.
      for await (const chunk of content as AsyncIterable<Buffer>) {
        hash.update(chunk);
        for (let taken = 0; taken < chunk.length; ) {
          const more = chunk.copy(basket, gathered, taken);
          [taken, gathered] = [taken + more, gathered + more];
          if (gathered < basket.length) continue;
          await writeAll(handle, basket);
          gathered = 0;
        }
        size += chunk.length;
        if (chunk.length >= NOT_THE_PARSERS) freeBytes(chunk);
        await takeTurn();
      }
      await writeAll(handle, basket.subarray(0, gathered));
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(path, { force: true });
    throw isFull(error) ? noRoom(error) : error;
  } finally {
    if (baskets.length < KEPT_BASKETS) baskets.push(basket);
  }
  return { name, path, size, sha256: hash.digest("hex") };
}

/** One write may take only a part, as a disk that is filling up does. */
async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done)).bytesWritten;
}

// Room is often made within seconds.
const ROOM_RETRY_SECONDS = 5;

export const noRoom = (cause: unknown): Problem =>
  new Problem("storage_away", "no room for uploads", { retryAfterSeconds: ROOM_RETRY_SECONDS, cause });

const isFull = (error: unknown): boolean => ["ENOSPC", "EDQUOT", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "");

// Whose a file is: other processes, and other machines, may use the same folder. Containers may share a host's name, and each counts its
// processes anew: Linux tells by this which of them count together.
const COUNTED = "/proc/self/ns/pid";
const HOST = [hostname(), existsSync(COUNTED) ? readlinkSync(COUNTED) : ""].join(".").replace(/[^\w.-]/g, "_");
const OWNER = `${HOST}_${process.pid}_`;
// No request lasts this long: what is older was left, whoever left it.
const LEFT_MS = HOUR_MS;

/** The folder for files between arrival and answer, without what an earlier process left there. */
export async function makeUploads(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (isOfTheDead(name) || (await isOld(path))) await rm(path, { force: true });
  }
  return folder;
}

/** Of this machine, and of a process that is gone; this one has none yet, so what bears its number is of an earlier one. */
function isOfTheDead(name: string): boolean {
  const pid = name.startsWith(`${HOST}_`) ? Number(/^(\d+)_/.exec(name.slice(HOST.length + 1))?.[1]) : Number.NaN;
  if (Number.isNaN(pid) || pid === process.pid) return pid === process.pid;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // There is one, of another account.
    return (error as NodeJS.ErrnoException).code !== "EPERM";
  }
}

async function isOld(path: string): Promise<boolean> {
  // Another process on the same folder may take its own away between the two calls.
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return mtimeMs < Date.now() - LEFT_MS;
}
