// The points at which a vaulting worker is killed: before and after every step of the pipeline that leaves something behind
// (vault/store-envelope.ts, vault/issue-certificate.ts).

/**
 * @typedef {object} Point
 * @property {string} step @property {string} what
 * @property {number | null} late of the log's transaction: after all others, in this order, because one of them stops in the log's lock
 * @property {string} leaves behind
 */

/** @type {readonly Point[]} */
export const points = [
  point("1", "begins", "a job that was taken"),
  point("1", "sealed", "nothing"),
  point("1", "copy stored", "an orphan blob"),
  point("TX2", "before commit", "an orphan blob"),
  point("TX2", "commit on its way", "either"),
  point("TX2", "committed", "stored, not evaluated"),
  point("2", "committed", "an unused checkpoint", 1),
  point("2", "before commit", "stored, not evaluated", 2),
  point("2", "commit on its way", "either", 2),
  point("3", "sealed", "an unused checkpoint"),
  point("3", "facts stored", "an orphan blob"),
  point("3", "result stored", "two orphan blobs"),
  point("3", "certificate stored", "three orphan blobs"),
  point("TX3", "before commit", "three orphan blobs"),
  point("TX3", "commit on its way", "either"),
  point("TX3", "committed", "vaulted, the job not done"),
];

/** @param {string} step @param {string} what @param {string} leaves @param {number | null} [late] @returns {Point} */
function point(step, what, leaves, late = null) {
  return { step, what, leaves, late };
}

/** @param {number} number from 0 @returns {Point} */
export function pointAt(number) {
  const found = points[number];
  if (found === undefined) throw new Error(`there is no point ${number}`);
  return found;
}

/** Only one of the two points inside the log's lock can be reached in one process. @returns {[first: number[], second: number[]]} */
export function twoProcesses() {
  const numbers = [...points.keys()];
  const isFirst = (/** @type {number} */ n) => (points[n]?.late === null ? n % 2 === 0 : points[n]?.what === "before commit");
  return [numbers.filter(isFirst), numbers.filter((n) => !isFirst(n))];
}
