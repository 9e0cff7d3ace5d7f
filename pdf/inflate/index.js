// The functions that @libpdf/core uses of the package `pako`, implemented with node:zlib and limited by a budget. libpdf inflates without
// any limit and swallows every error of this package, so an exceeded budget is recorded in the budget itself, where the code that opened
// the file checks it. For a truncated or broken stream this returns what could be read; pako would stop at 64 KB or return nothing.

import { constants, deflateSync, inflateRawSync, inflateSync } from "node:zlib";

const MB = 1024 * 1024;

// The largest scanned page, at 600 dpi and 24 bits, has about 100 MB. A job may decode a few of those, not hundreds.
const STREAM_BYTES = 128 * MB;
const JOB_BYTES = 512 * MB;

// A test runner or bundler may load this file twice, once for libpdf and once for us. Both must share the current budget.
const CURRENT = Symbol.for("countersign.inflate.budget");

export class BudgetExceeded extends Error {
  name = "BudgetExceeded";
}

/** A new budget. Create one per job and pass it to `useBudget` for everything that the job opens. */
export function createBudget({ stream_bytes = STREAM_BYTES, job_bytes = JOB_BYTES } = {}) {
  return { stream_bytes, job_bytes, spent_bytes: 0, exceeded: null };
}

/** Charges all inflating in this thread to `budget` from now on. Null ends the job; after that only the limit per stream applies. */
export function useBudget(budget) {
  globalThis[CURRENT] = budget;
}

/** Inflates zlib data. Throws BudgetExceeded, or zlib's error if not a single byte could be read. */
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

/** libpdf's fallback when `inflate` fails; it reads `strm` and catches errors. */
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

// Without a final block, zlib treats the data as incomplete; a sync flush returns what is there.
function options(maxOutputLength) {
  return { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength };
}

// Null if the data is damaged.
function readAll(data, maxOutputLength) {
  return attempt(() => inflateSync(data, options(maxOutputLength)));
}

// The checksum at the end is damaged most often, by editing the file or converting its line endings. Raw deflate has no checksum; the
// first two bytes are the zlib header (RFC 1950, 2.2).
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

// node:zlib discards what it read before an error, so the longest readable prefix is found by bisection. The work is limited to the cost
// of one valid stream; after that the best prefix so far is returned.
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

// libpdf imports both the named exports and the default.
// biome-ignore lint/style/noDefaultExport: the replaced package has one
export default { inflate, deflate, Inflate };
