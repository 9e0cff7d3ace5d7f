// What @libpdf/core asks of the package named `pako`, on node:zlib and under a budget. libpdf inflates without any limit and
// swallows every error of this package, so an exceeded budget is remembered on the budget itself: whoever opened the file
// looks there afterwards. Of a cut or broken stream we give what could be read; libpdf alone stops at 64 KB or gives nothing.

import { constants, deflateSync, inflateRawSync, inflateSync } from "node:zlib";

const MB = 1024 * 1024;

// The largest page of a scan at 600 dpi and 24 bit is about 100 MB. A job may decode a few of those, not a few hundred.
const STREAM_BYTES = 128 * MB;
const JOB_BYTES = 512 * MB;

// A test runner or a bundler may load this file twice, once for libpdf and once for us. The current budget is one thing all the same.
const CURRENT = Symbol.for("countersign.inflate.budget");

export class BudgetExceeded extends Error {
  name = "BudgetExceeded";
}

/** A fresh budget: one per job, handed to `useBudget` by everything that the job opens. */
export function createBudget({ stream_bytes = STREAM_BYTES, job_bytes = JOB_BYTES } = {}) {
  return { stream_bytes, job_bytes, spent_bytes: 0, exceeded: null };
}

/** From now on, in this thread, all inflating is charged to `budget`. Null ends the job: what follows has the limits of one stream only. */
export function useBudget(budget) {
  globalThis[CURRENT] = budget;
}

/** The bytes behind zlib data. Throws BudgetExceeded, or the error of zlib when not one byte could be read. */
export function inflate(data) {
  const budget = globalThis[CURRENT] ?? createBudget();
  const left = Math.min(budget.stream_bytes, budget.job_bytes - budget.spent_bytes);
  if (budget.exceeded !== null || left <= 0) return exceed(budget, budget.exceeded ?? "job_bytes");
  const bytes = readAll(data, left) ?? readRaw(data, left) ?? readUntilFault(data, left);
  if (bytes === TOO_LONG) return exceed(budget, left < budget.stream_bytes ? "job_bytes" : "stream_bytes");
  budget.spent_bytes += bytes.length;
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

export function deflate(data) {
  const bytes = deflateSync(data);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** libpdf's second try after `inflate` failed; it reads `strm` and catches what is thrown. */
export class Inflate {
  strm = { output: null, total_out: 0 };

  push(data) {
    const output = inflate(data);
    this.strm = { output, total_out: output.length };
    return true;
  }
}

const TOO_LONG = Symbol("too long");

function exceed(budget, limit) {
  budget.exceeded = limit;
  throw new BudgetExceeded(limit);
}

// Without a final block zlib would call the data incomplete; a sync flush takes what is there.
function options(maxOutputLength) {
  return { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength };
}

// Null: the data is faulty.
function readAll(data, maxOutputLength) {
  return attempt(() => inflateSync(data, options(maxOutputLength)));
}

// The checksum at the end is what breaks most often, when a file was edited by hand or its line ends were converted. Raw
// deflate has none; the first two bytes are the header of zlib (RFC 1950, 2.2).
function readRaw(data, maxOutputLength) {
  const method = data[0] & 0x0f;
  if (method !== 8 || data.length < 3) return null;
  return attempt(() => inflateRawSync(data.subarray(2), options(maxOutputLength)));
}

function attempt(read) {
  try {
    return read();
  } catch (error) {
    if (error?.code === "ERR_BUFFER_TOO_LARGE") return TOO_LONG;
    return null;
  }
}

// node:zlib throws away what it had read before a fault, so the longest readable beginning is found by halving. The work is
// bounded by what one sound stream may cost: past it, the best beginning found so far is the answer.
function readUntilFault(data, maxOutputLength) {
  let best = null;
  let work = 0;
  let readable = 0;
  let faulty = data.length;
  while (faulty - readable > 1 && work < maxOutputLength) {
    const middle = (readable + faulty) >> 1;
    const bytes = readRaw(data.subarray(0, middle), maxOutputLength - work);
    if (bytes === TOO_LONG) return best ?? TOO_LONG;
    if (bytes === null) {
      faulty = middle;
      continue;
    }
    work += bytes.length;
    best = bytes;
    readable = middle;
  }
  if (best === null || best.length === 0) throw new Error("not zlib data");
  return best;
}

// libpdf imports both the names and the default.
// biome-ignore lint/style/noDefaultExport: the package whose name we bear has one
export default { inflate, deflate, Inflate };
