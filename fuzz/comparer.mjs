// Compares files in a thread that is ended and replaced when a file takes too long.

import { Worker } from "node:worker_threads";

// Forty pages take a few seconds; a file that PDFium hangs on takes forever.
const LIMIT_MS = 120_000;

/** @typedef {import("./compare-worker.mjs").Compared} Compared */
/** @typedef {import("./compare-worker.mjs").Answer} Answer */

/** @returns {{ compare: (before: Uint8Array, after: Uint8Array, pictures: string | null) => Promise<Compared | { unread: string }>, close: () => Promise<void> }} */
export function openComparer() {
  let worker = start();
  let id = 0;
  return {
    async compare(before, after, pictures) {
      const answer = await ask(worker, { id: ++id, before, after, pictures });
      if (answer !== null) return answer;
      await worker.terminate();
      worker = start();
      return { unread: `PDFium crashed, or needed more than ${LIMIT_MS / 1000} s` };
    },
    async close() {
      await worker.terminate();
    },
  };
}

function start() {
  // What the libraries print about a file is not ours.
  const worker = new Worker(new URL("compare-worker.mjs", import.meta.url), { stdout: true, stderr: true });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

/** The answer; null if the thread died or the time is over. @param {Worker} worker @param {import("./compare-worker.mjs").Task} task @returns {Promise<Answer["is"] | null>} */
function ask(worker, task) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(null), LIMIT_MS);
    const onMessage = (/** @type {Answer} */ answer) => finish(answer.is);
    const onEnd = () => finish(null);
    worker.on("message", onMessage).on("error", onEnd).on("exit", onEnd);
    worker.postMessage(task);
    /** @param {Answer["is"] | null} result */
    function finish(result) {
      clearTimeout(timer);
      worker.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
      resolve(result);
    }
  });
}
