import { Worker } from "node:worker_threads";
import type { BundleVerdict } from "./link.ts";

// The thread runs built JavaScript, even if this module is run from source.
const WORKER_FILE = new URL(import.meta.url.endsWith(".ts") ? "../../../dist/vault/links/worker.js" : "./worker.js", import.meta.url);

// A bundle of a hundred pages takes a second or two.
const DEADLINE_MS = 120_000;
const MEMORY_MB = 1_024;

/** Whether a bundle verifies against the pinned root. What takes too long or too much memory does not. */
export function verifyInThread(zip: Uint8Array, root: string): Promise<BundleVerdict> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(WORKER_FILE, { workerData: { zip, root }, env: {}, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
    const timer = setTimeout(() => end({ verified: false, says: "verifying it takes too long" }), DEADLINE_MS);
    const end = (verdict: BundleVerdict): void => {
      clearTimeout(timer);
      resolve(verdict);
      void thread.terminate();
    };
    thread.once("message", end);
    thread.once("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve({ verified: false, says: "verifying it takes too much memory" });
      else reject(error);
    });
    thread.once("exit", () => {
      clearTimeout(timer);
      reject(new Error("the thread that verifies a bundle ended without a result"));
    });
  });
}
