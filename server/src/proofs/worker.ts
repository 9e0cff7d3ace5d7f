// The thread's side of the pool: one job at a time. The synchronous functions work in this thread; the others would use libuv's, which
// every file read of the process needs.
import { constants, getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";
import { PARAMETERS } from "./parameters.ts";
import type { Report, Task } from "./protocol.ts";

const port = parentPort;
if (port === null) throw new Error("worker.js is started by the pool of proofs/");

// Below the thread that answers requests, as the threads for PDFs are. Linux alone gives each thread a priority; elsewhere it would be
// the process's.
const STEPS_BELOW = 7;
if (process.platform === "linux") setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEPS_BELOW));

function work(task: Task): Report {
  try {
    return { answer: task.kind === "hash" ? hashSync(task.text, PARAMETERS) : verifySync(task.stored, task.text) };
  } catch (error) {
    // A stored hash that is none. The message is the library's, and holds neither the hash nor the text.
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

port.on("message", (task: Task) => port.postMessage(work(task)));
