// Takes one file through the engine and says how it went.

import { COPY_MARK } from "@countersign/evidence";

/** The width of pages on the screen. */
export const FULL_WIDTH = /** @type {const} */ (1224);
/**
 * Rendering takes most of the time. A quarter of the width shows as well whether a page can be rendered. The service itself asks for
 * the full width or twice as much.
 */
export const SMALL_WIDTH = /** @type {typeof FULL_WIDTH} */ (FULL_WIDTH / 4);
export const DEADLINE_MS = 30_000;
/**
 * By the clock, a job may take this many times its deadline; then it counts as busy. More than in the service, because no one waits, and
 * because long runs share their machine.
 */
export const PATIENCE = 30;
// The pool itself should have given up the job by then. Starting and ending a thread comes on top.
const HUNG_AFTER_MS = PATIENCE * DEADLINE_MS + 60_000;

/** @typedef {{ outcome: "opened", note?: string | undefined, why?: undefined }} Opened */
/**
 * busy: the pool or the machine had no room, which says nothing about the file.
 * @typedef {{ outcome: "refused" | "busy" | "hung" | "crashed" | "worsened", why: string, note?: undefined }} Fault
 */
/** @typedef {{ key: string }} Turn whose turn a job of the pool takes */
/** @typedef {import("@countersign/pdf").PdfPool} PdfPool */

/** @type {import("@countersign/pdf").Mark} */
const STAMP = {
  kind: "text",
  field: "Note",
  signer: "sig_1",
  areas: [{ page: 1, x: 0.1, y: 0.1, w: 0.5, h: 0.2 }],
  value: "Read and agreed",
};
const COPY = { band: COPY_MARK, diagonal: "COPY" };

/**
 * Processes the file like an upload, renders its first page and processes our output again. Then stamps a value on it and marks the
 * result as a copy, which must be readable too.
 * @param {PdfPool} pool @param {Uint8Array} bytes @param {Turn} turn @param {typeof FULL_WIDTH} width_px of the rendered pages
 * @returns {Promise<Opened | Fault>}
 */
export async function judge(pool, bytes, turn, width_px = FULL_WIDTH) {
  const taken = await within(() => pool.ingest(bytes, { tags: "document" }, turn));
  if (taken.value === undefined) return taken;
  const { bytes: made } = taken.value;
  const page = { page: 1, width_px };
  const shown = await within(() => pool.page(made, page, turn));
  if (isFinal(shown)) return shown;
  if (shown.value === undefined) {
    const before = await within(() => pool.page(bytes, page, turn));
    if (isFinal(before)) return before;
    if (before.value === undefined) return { outcome: "opened", note: `page 1 not rendered: ${shown.why}` };
    return { outcome: "worsened", why: `PDFium shows the original, but not our output: ${shown.why}` };
  }
  const again = await within(() => pool.ingest(made, { tags: "document" }, turn));
  if (again.outcome === "refused") return { outcome: "worsened", why: `our own output is rejected: ${again.why}` };
  if (again.value === undefined) return again;
  const marked = await judgeMarks(pool, made, turn, page);
  if (marked.outcome !== "opened") return marked;
  if (inked(shown.value)) return marked;
  const before = await within(() => pool.page(bytes, page, turn));
  if (isFinal(before)) return before;
  return { outcome: "opened", note: before.value !== undefined && inked(before.value) ? "page 1 became blank" : marked.note };
}

/**
 * @param {PdfPool} pool @param {Uint8Array} made @param {Turn} turn @param {{ page: number, width_px: typeof FULL_WIDTH }} page
 * @returns {Promise<Opened | Fault>}
 */
async function judgeMarks(pool, made, turn, page) {
  const stamped = await within(() => pool.finish(made, { marks: [STAMP] }, turn));
  if (isFinal(stamped)) return stamped;
  if (stamped.outcome === "refused" && stamped.why !== "does_not_fit")
    return { outcome: "worsened", why: `cannot be stamped: ${stamped.why}` };
  const note = stamped.outcome === "refused" ? "page too small to stamp" : undefined;
  const copy = await within(() => pool.copy(stamped.value?.bytes ?? made, COPY, turn));
  if (copy.outcome === "refused") return { outcome: "worsened", why: `cannot be copied: ${copy.why}` };
  if (copy.value === undefined) return copy;
  const again = await within(() => pool.ingest(copy.value.bytes, { tags: "document" }, turn));
  if (again.outcome === "refused") return { outcome: "worsened", why: `our own copy is rejected: ${again.why}` };
  if (again.value === undefined) return again;
  const shown = await within(() => pool.page(copy.value.bytes, page, turn));
  if (shown.outcome === "refused") return { outcome: "worsened", why: `our own copy cannot be rendered: ${shown.why}` };
  return shown.value === undefined ? shown : { outcome: "opened", note };
}

/**
 * Whether the outcome of one step is the outcome of the file, whatever the step was.
 * @template {{ outcome: string }} T
 * @param {T} answer
 * @returns {answer is T & Fault & { outcome: "busy" | "hung" | "crashed" }}
 */
function isFinal(answer) {
  return ["busy", "hung", "crashed"].includes(answer.outcome);
}

/**
 * @template T
 * @param {() => Promise<T>} job
 * @returns {Promise<{ outcome: "opened", value: T, why?: undefined } | (Fault & { value?: undefined })>}
 */
export async function within(job, hung_after_ms = HUNG_AFTER_MS) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<Fault>} */
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve({ outcome: "hung", why: `no answer after ${hung_after_ms / 1000} s` }), hung_after_ms);
  });
  try {
    return await Promise.race([job().then((value) => ({ outcome: /** @type {const} */ ("opened"), value })), late]);
  } catch (error) {
    return refusal(error);
  } finally {
    clearTimeout(timer);
  }
}

// Faults of the service, not of the file.
const CRASHES = ["not_written"];

/**
 * What an error of the pool says about the file. Every class of the engine has a `fault`; an error without one was not expected.
 * @param {unknown} error @returns {Fault}
 */
export function refusal(error) {
  if (error instanceof RangeError && /^no page /.test(error.message)) return { outcome: "refused", why: "no such page" };
  const fault = error instanceof Error && "fault" in error ? String(error.fault) : null;
  if (!(error instanceof Error) || fault === null || CRASHES.includes(fault)) return { outcome: "crashed", why: String(error) };
  if (fault === "busy") return { outcome: "busy", why: error.message };
  // The pool reports this for any unexpected error in a thread: harmless to the caller, but still a bug of ours.
  if (error.message === "a worker failed on the file")
    return { outcome: "crashed", why: `${error.cause instanceof Error ? error.cause.stack : error.cause}` };
  const limit = "limit" in error && typeof error.limit === "string" ? error.limit : null;
  return { outcome: "refused", why: limit === null ? fault : `${fault}: ${limit}` };
}

/** Whether a picture has more than one colour: with a single colour its palette has one entry. @param {{ mime: string, bytes: Uint8Array }} picture */
function inked({ mime, bytes }) {
  if (mime !== "image/png") return true;
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const palette = png.indexOf("PLTE");
  return palette === -1 || png.readUInt32BE(palette - 4) > 3;
}
