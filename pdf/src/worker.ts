// The thread's side of the pool: one job at a time, a report at each step. Started by the pool only, which may end it at any moment.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { jobs } from "./jobs.ts";
import { pdfium } from "./pdfium.ts";
import { ownThread } from "./pool/deadline.ts";
import { causeOf, faultOf, type Report, type Source, type Task } from "./pool/protocol.ts";

const port = parentPort;
if (port === null) throw new Error("worker.js is started by the PDF pool");

// As many threads as cores, each busy for seconds, must not hold up the thread that answers requests. A fifth of its weight: with
// cores to spare they run as fast as ever. Linux alone gives each thread a priority; elsewhere it would be the process's.
const STEPS_BELOW = 7;
if (process.platform === "linux") setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEPS_BELOW));

const thread = ownThread();

function report(said: Report, transferred: ArrayBuffer[] = []): void {
  port?.postMessage(said, transferred);
}

async function work({ kind, source, request }: Task): Promise<void> {
  // Starting PDFium is not the file's doing. It is started again if a file broke it.
  await pdfium();
  const bytes = bytesOf(source);
  if (bytes === null) return;
  report({ is: "began", thread });
  const job = jobs[kind] as (bytes: Uint8Array, request: Task["request"], opened: () => void) => Promise<unknown>;
  const opened = (): void => report({ is: "opened" });
  try {
    const answer = withOwnBytes(await job(bytes, request, opened));
    report({ is: "answered", answer }, buffersOf(answer));
  } catch (error) {
    report({ is: "refused", fault: faultOf(error) });
  }
}

// A file that cannot be read says nothing about what is in it.
function bytesOf(source: Source): Uint8Array | null {
  if (source instanceof Uint8Array) return source;
  try {
    return readWhole(source.file);
  } catch (error) {
    report({ is: "refused", fault: { fault: "no_file", cause: causeOf(error) } });
    return null;
  }
}

// Not a Buffer, which libraries treat in ways of their own, and not a copy of one: that would be twice the file.
function readWhole(path: string): Uint8Array {
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(fstatSync(file).size);
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(file, bytes, at, bytes.length - at, at);
      if (read === 0) throw new Error("the file became shorter while it was read");
      at += read;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

// A view would take all of its buffer along; the pixels' and libpdf's buffers are larger than what is in use.
function withOwnBytes(answer: unknown): unknown {
  if (!hasBytes(answer) || isWhole(answer.bytes)) return answer;
  return { ...answer, bytes: new Uint8Array(answer.bytes) };
}

function buffersOf(answer: unknown): ArrayBuffer[] {
  return hasBytes(answer) ? [answer.bytes.buffer as ArrayBuffer] : [];
}

function hasBytes(answer: unknown): answer is { readonly bytes: Uint8Array } {
  return typeof answer === "object" && answer !== null && "bytes" in answer && answer.bytes instanceof Uint8Array;
}

function isWhole({ buffer, byteLength }: Uint8Array): boolean {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
}

// A rejection that reaches no catch ends the thread, and the pool tells the caller.
port.on("message", (task: Task) => void work(task));
