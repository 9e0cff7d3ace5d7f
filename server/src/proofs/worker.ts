// Runs in the threads of the pool, one job at a time. Uses the synchronous functions, because the asynchronous ones would use libuv's
// threads, which all file reads of the process need.
import { constants, getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";
import { PARAMETERS } from "./parameters.ts";
import type { Report, Task } from "./protocol.ts";

const port = parentPort;
if (port === null) throw new Error("worker.js is started by the pool of proofs/");

// A lower priority than the main thread, like the threads for PDFs. Only Linux has a priority per thread; elsewhere this would change
// the whole process.
const STEPS_BELOW = 7;
if (process.platform === "linux") setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEPS_BELOW));

function work(task: Task): Report {
  try {
    return { answer: task.kind === "hash" ? hashSync(task.text, PARAMETERS) : verifySync(task.stored, task.text) };
  } catch (error) {
    // The stored text is not a hash. The library's message contains neither the hash nor the text.
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

port.on("message", (task: Task) => port.postMessage(work(task)));
