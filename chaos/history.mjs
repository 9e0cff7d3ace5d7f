// What the clients saw, one JSON value per line. A line is on disk before its writer continues, so no response that the checker relies on
// can be lost with the client.
import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";

/**
 * An attempt to create a key is `invoke`, then for each request `answer` or `lost`. `kill`, `heal`, `stop` and `check` come from the
 * killer.
 * @typedef {object} Entry
 * @property {"invoke" | "answer" | "lost" | "kill" | "heal" | "stop" | "stopped" | "check" | "summary"} kind
 * @property {string} [op] the operation, which is also the key's `partner_name`
 * @property {number} [org] index of the org
 * @property {boolean} [idempotent] sent with an Idempotency-Key
 * @property {number} [status]
 * @property {string} [key_id] @property {string} [api_key] of a 201
 * @property {string} [error] @property {string} [request_id] of any other answer
 * @property {number} [at] milliseconds since the run began
 */
/**
 * @typedef {object} History
 * @property {string} file
 * @property {(entry: Entry & Record<string, unknown>) => Promise<void>} append
 * @property {() => Promise<void>} close
 */

/** @param {string} file @returns {Promise<History>} */
export async function openHistory(file) {
  const handle = await open(file, "wx");
  const began = performance.now();
  let waiting = "";
  /** @type {Promise<void> | null} */
  let queued = null;
  let written = Promise.resolve();
  const flush = async () => {
    const text = waiting;
    waiting = "";
    queued = null;
    await handle.write(text);
    await handle.datasync();
  };
  return {
    file,
    /** Entries that arrive while the disk is busy are written together. */
    append(entry) {
      waiting += `${JSON.stringify({ at: Math.round(performance.now() - began), ...entry })}\n`;
      queued ??= written = written.then(flush);
      return queued;
    },
    async close() {
      await written;
      await handle.close();
    },
  };
}

/** @param {string} file @returns {Entry[]} */
export function readHistory(file) {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}
