// The worker thread of the pool: one job at a time, with a report at each step. Only the pool starts it, and may terminate it at any
// moment.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { jobs } from "./jobs.ts";
import { pdfium } from "./pdfium.ts";
import { ownThread } from "./pool/deadline.ts";
import { causeOf, faultOf, type Report, type Source, type Task } from "./pool/protocol.ts";

const port = parentPort;
if (port === null) throw new Error("worker.js is started by the PDF pool");

// Several busy threads must not delay the thread that answers requests, so they get about a fifth of its scheduling weight; with idle
// cores they run at full speed. Only Linux has a priority per thread; elsewhere it would apply to the whole process.
const STEPS_BELOW = 7;
if (process.platform === "linux") setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEPS_BELOW));

const thread = ownThread();

function report(said: Report, transferred: ArrayBuffer[] = []): void {
  port?.postMessage(said, transferred);
}

async function work({ kind, source, request }: Task): Promise<void> {
  // The start of PDFium is not counted for the file. It is restarted if a file crashed it.
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

// An unreadable file is an error of the system, not of its content.
function bytesOf(source: Source): Uint8Array | null {
  if (source instanceof Uint8Array) return source;
  try {
    return readWhole(source.file);
  } catch (error) {
    report({ is: "refused", fault: { fault: "no_file", cause: causeOf(error) } });
    return null;
  }
}

// Not a Buffer, which libraries treat differently, and not a copy of one, which would use twice the memory.
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

// Transferring a view would transfer its whole buffer; those of the pixels and of libpdf are larger than what is used.
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

// An uncaught rejection ends the thread, and the pool reports it to the caller.
port.on("message", (task: Task) => void work(task));
