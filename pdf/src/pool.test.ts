// Uses real threads and real files. Deadlines are shortened, never faked.

import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { ALL, testInAll } from "../../testing/all.ts";
import { SHARED_PROCESS } from "../../testing/shared-process.ts";
import { deepArrays, objectStreamBomb, strayBracket } from "../fixtures/bombs.ts";
import { makeOrg, NOW } from "../fixtures/certificates.ts";
import { onePage, pages, text } from "../fixtures/pages.ts";
import { makePng } from "../fixtures/png.ts";
import { latin1, writePdf } from "../fixtures/writer.ts";
import { AnchorFault, NotAPdf, NotWritten, PdfBusy, StampFault, TagFault, UnreadablePdf } from "./errors.ts";
import { type JobKind, jobs } from "./jobs.ts";
import { type Priority, Queue } from "./pool/queue.ts";
import { createPdfPool, type PdfPool, type PdfPoolSettings } from "./pool.ts";
import { roomFor, seal } from "./seal.ts";
import type { Mark } from "./stamp.ts";

const open: PdfPool[] = [];

// While other tests run, a thread may wait longer than it works.
const PATIENT = { patience: 1_000 };

function startPool(settings: PdfPoolSettings = {}): PdfPool {
  const pool = createPdfPool({ workers: 1, ...SHARED_PROCESS, ...PATIENT, ...settings });
  open.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
});

/** One pool for the tests of a group that check the results of jobs, not the threads: starting a thread takes a second. */
function sharedPool(): PdfPool {
  const pool = createPdfPool({ workers: 1, ...SHARED_PROCESS });
  afterAll(() => pool.close());
  return pool;
}

const plain = (): Uint8Array => writePdf(onePage());
const endless = (): Uint8Array => writePdf(strayBracket());
const refusal = (job: Promise<unknown>): Promise<unknown> =>
  job.then(
    () => "accepted",
    (error: unknown) => error,
  );
const TEMPLATE = { tags: "template" } as const;

/** The nice value of each thread of this process, by its id: higher means lower priority (proc(5), field 19 of `stat`). */
function niceOfThreads(): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const thread of readdirSync("/proc/self/task")) {
    try {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
      ranks.set(thread, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]));
    } catch (error) {
      // It ended after the folder was listed.
      if (!/ENOENT|ESRCH/.test(String(error))) throw error;
    }
  }
  return ranks;
}

test.skipIf(process.platform !== "linux")("a thread of the pool gives way to the one that called it", async () => {
  const own = getPriority();
  // Other tests of the run start and end threads meanwhile: only those that are new count.
  const before = niceOfThreads();
  await startPool().ingest(plain(), TEMPLATE);
  const started = [...niceOfThreads()].filter(([thread]) => !before.has(thread));
  expect(started.map(([, nice]) => nice)).toContain(Math.min(19, own + 7));
  expect(getPriority()).toBe(own);
});

describe("deadlines", () => {
  test("a file that hangs the parser is too_complex at its deadline, timers keep running, and the next job works", async () => {
    const pool = startPool({ open_ms: 1_500 });
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    const refused = await refusal(pool.ingest(endless(), TEMPLATE));
    clearInterval(timer);
    expect(refused).toBeInstanceOf(UnreadablePdf);
    expect(refused).toMatchObject({ fault: "too_complex", limit: "more than 1.5 s to open" });
    expect(ticks).toBeGreaterThan(20);
    expect((await pool.ingest(plain(), TEMPLATE)).pages).toHaveLength(1);
    expect(pool.stats().kills).toEqual({ deadline: 1, starved: 0, memory: 0, crash: 0, closed: 0 });
  });

  testInAll("opening has a separate deadline in every job that parses", async () => {
    const pool = startPool({ open_ms: 300 });
    const place = { name: "Acme", reason: "Signed", at: NOW, room: 100, marker: randomBytes(32) };
    const refused = [
      pool.verify(endless(), { roots: [], at: NOW }),
      pool.placeSeal(endless(), place),
      pool.prepare(endless(), { signers: [] }),
      pool.finish(endless(), { marks: [] }),
      pool.preview(endless(), { marks: [], page: 1, width_px: 1224 }),
      pool.copy(endless(), { band: "COPY" }),
    ].map(refusal);
    for (const outcome of await Promise.all(refused))
      expect(outcome).toMatchObject({ fault: "too_complex", limit: "more than 0.3 s to open" });
  });

  test("every job that parses reports once that the file is open, after which the longer deadline applies", async () => {
    const place = { name: "Acme", reason: "Signed", at: NOW, room: 100, marker: randomBytes(32) };
    const ran: ((opened: () => unknown) => Promise<unknown>)[] = [
      (opened) => jobs.verify(plain(), { roots: [], at: NOW }, opened),
      (opened) => jobs.placeSeal(plain(), place, opened),
      (opened) => jobs.prepare(plain(), { signers: [] }, opened),
      (opened) => jobs.finish(plain(), { marks: [] }, opened),
      (opened) => jobs.preview(plain(), { marks: [], page: 1, width_px: 1224 }, opened),
      (opened) => jobs.copy(plain(), { band: "COPY" }, opened),
    ];
    const told: number[] = [];
    for (const [index, run] of ran.entries()) await run(() => told.push(index));
    expect(told).toEqual([...ran.keys()]);
  });

  // Each thread keeps a core busy; the pool's thread gets at most a fifth of it.
  async function amongBusyThreads<T>(run: () => Promise<T>): Promise<T> {
    const threads = Array.from({ length: availableParallelism() }, () => new Worker("for (;;);", { eval: true }));
    await Promise.all(threads.map((thread) => once(thread, "online")));
    try {
      return await run();
    } finally {
      await Promise.all(threads.map((thread) => thread.terminate()));
    }
  }

  // Only Linux tells the time of one thread. These two keep every core busy, and with it the other tests.
  const testAmongBusyThreads = test.runIf(process.platform === "linux" && ALL);

  testAmongBusyThreads("they count what the thread works: a busy machine makes no file too complex", async () => {
    const pool = startPool({ open_ms: 300 });
    await pool.ingest(plain(), TEMPLATE);
    await amongBusyThreads(async () => {
      const began = performance.now();
      const refused = await refusal(pool.ingest(endless(), TEMPLATE));
      expect(refused).toMatchObject({ fault: "too_complex", limit: "more than 0.3 s to open" });
      expect(performance.now() - began).toBeGreaterThan(600);
    });
  });

  testAmongBusyThreads("a job that the machine has no time for is PdfBusy, not too_complex", async () => {
    const pool = startPool({ open_ms: 1_000, patience: 1 });
    await pool.ingest(plain(), TEMPLATE);
    expect(await amongBusyThreads(() => refusal(pool.ingest(endless(), TEMPLATE)))).toBeInstanceOf(PdfBusy);
    expect(pool.stats().kills).toMatchObject({ deadline: 0, starved: 1 });
  });

  test("starting a thread does not count", async () => {
    const pool = startPool({ workers: 2, jobs_per_worker: 1 });
    await Promise.all([1, 2, 3, 4].map(() => pool.text(plain(), { page: 1 })));
    expect(pool.stats().jobs).toEqual({ "text:ok": 4 });
  });
});

describe("memory", () => {
  testInAll("a zip bomb is too_complex and does not end the thread", async () => {
    const pool = startPool();
    expect(await refusal(pool.ingest(objectStreamBomb(130), TEMPLATE))).toMatchObject({
      fault: "too_complex",
      limit: "more than 128 MB in one stream",
    });
    expect(await refusal(pool.ingest(writePdf(deepArrays(200)), TEMPLATE))).toMatchObject({ fault: "too_complex" });
    expect(pool.stats()).toMatchObject({ workers: 1, kills: { deadline: 0, memory: 0, crash: 0 } });
  });

  testInAll(
    "a job that exceeds the memory of the process is stopped, runs once more alone, and is too_complex if stopped again",
    async () => {
      const pool = startPool({ memory_bytes_per_worker: 1, open_ms: 20_000 });
      const refused = await refusal(pool.ingest(endless(), TEMPLATE));
      expect(refused).toMatchObject({ fault: "too_complex", limit: "more memory than allowed for a file" });
      expect(pool.stats().kills).toMatchObject({ deadline: 0, memory: 2 });
    },
  );

  test("bytes that are given up are moved; others stay with the caller", async () => {
    const pool = startPool();
    const [kept, given] = [plain(), plain()];
    await pool.text(kept, { page: 1 });
    await pool.text(given, { page: 1 }, { give_up_bytes: true });
    expect([kept.length, given.length]).toEqual([plain().length, 0]);
    expect(await refusal(pool.text(given, { page: 1 }))).toBeInstanceOf(NotAPdf);
    const pooled = Buffer.from(plain());
    await pool.text(pooled.subarray(0, pooled.length), { page: 1 }, { give_up_bytes: true });
  });

  test("idle and long-used threads are terminated", async () => {
    const pool = startPool({ idle_ms: 50 });
    await pool.text(plain(), { page: 1 });
    await expect.poll(() => pool.stats().workers, { timeout: 10_000 }).toBe(0);
    expect(await pool.text(plain(), { page: 1 })).toMatchObject({ blocks: ["Sign here"] });
  });
});

describe("the queue", () => {
  test("jobs beyond its limit are PdfBusy, and accepted jobs are completed", async () => {
    const pool = startPool({ waiting_jobs: 4 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => refusal(pool.ingest(plain(), TEMPLATE))));
    expect(answers.map((answer) => answer instanceof PdfBusy)).toEqual([...Array(5).fill(false), ...Array(5).fill(true)]);
    expect(answers.slice(0, 5)).toEqual(Array(5).fill("accepted"));
    expect(pool.stats().jobs).toEqual({ "ingest:ok": 5, "ingest:busy": 5 });
  });

  test("the queue is also limited in bytes", async () => {
    const pool = startPool({ waiting_bytes: plain().length * 2 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => refusal(pool.text(plain(), { page: 1 }))));
    expect(answers.map((answer) => answer instanceof PdfBusy)).toEqual([false, false, false, true, true]);
  });

  test("no caller gets more than half of either, but one job may always wait", async () => {
    const pool = startPool({ waiting_bytes: plain().length * 3 });
    const ask = (key: string): Promise<unknown> => refusal(pool.text(plain(), { page: 1 }, { key }));
    const answers = await Promise.all([..."aaabb"].map(ask));
    expect(answers.map((answer) => answer instanceof PdfBusy)).toEqual([false, false, true, false, true]);
  });

  test("files wait on disk: they count as jobs but not as bytes, and the thread reads them", async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-pool-"));
    const file = join(folder, "plain.pdf");
    writeFileSync(file, plain());
    const pool = startPool({ waiting_bytes: 1 });
    const source = { file, size: plain().length };
    const answers = await Promise.all(Array.from({ length: 5 }, () => pool.text(source, { page: 1 })));
    expect(answers.map(({ blocks }) => blocks)).toEqual(Array(5).fill(["Sign here"]));
    rmSync(folder, { recursive: true });
    const gone = await refusal(pool.text(source, { page: 1 }));
    expect(gone).toBeInstanceOf(Error);
    expect(gone).not.toBeInstanceOf(UnreadablePdf);
    expect(String(gone)).toContain("could not be read");
    expect((await pool.text(plain(), { page: 1 })).blocks).toEqual(["Sign here"]);
  });

  test("processing from file to file gives the same result as in memory, and a write error is not the PDF's fault", async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-pool-"));
    const [file, into] = [join(folder, "plain.pdf"), join(folder, "clean.pdf")];
    writeFileSync(file, plain());
    const pool = startPool();
    const source = { file, size: plain().length };
    const { bytes, sha256: _, ...answer } = await pool.ingest(plain(), TEMPLATE);
    const { sha256, size, ...taken } = await pool.ingestToFile(source, { ...TEMPLATE, into });
    expect(taken).toEqual(answer);
    // The two files differ in their own ID.
    const written = readFileSync(into);
    expect([written.length, createHash("sha256").update(written).digest("hex")]).toEqual([size, sha256]);
    expect(size).toBe(bytes.length);
    const nowhere = await refusal(pool.ingestToFile(source, { ...TEMPLATE, into: join(folder, "missing", "clean.pdf") }));
    expect(nowhere).toBeInstanceOf(NotWritten);
    expect(nowhere).toMatchObject({ message: "ENOENT" });
    writeFileSync(file, "no PDF");
    rmSync(into);
    expect(await refusal(pool.ingestToFile(source, { ...TEMPLATE, into }))).toBeInstanceOf(NotAPdf);
    expect(readdirSync(folder)).toEqual(["plain.pdf"]);
    rmSync(folder, { recursive: true });
  });

  test("a caller with many jobs does not delay another", async () => {
    // One worker, because with two the system decides which is faster. The first turn is not counted, because no one else was waiting.
    const pool = startPool({ workers: 1 });
    const finished: string[] = [];
    const ask = (key: string): Promise<unknown> => pool.ingest(plain(), TEMPLATE, { key }).then(() => finished.push(key));
    await Promise.all([..."aaaaaaaabb"].map(ask));
    expect(finished.join("")).toBe("aababaaaaa");
  });

  const job = (key: string, priority: Priority = "interactive", size = 1, kind: JobKind = "ingestToFile") => ({
    kind,
    key,
    priority,
    source: { file: "x.pdf", size },
  });
  type Asked = ReturnType<typeof job>;

  function queueOf(workers: number, ...jobs: readonly Asked[]): Queue<Asked> {
    const queue = new Queue<Asked>(workers);
    for (const waiting of jobs) queue.add(waiting);
    return queue;
  }

  test("one key holds at most half of the workers while others wait, and all of them otherwise", () => {
    const running = [job("a"), job("a")];
    expect(queueOf(4, job("a"), job("b")).take(running)).toMatchObject({ key: "b" });
    expect(queueOf(4, job("a")).take(running)).toMatchObject({ key: "a" });
  });

  test("callers take turns", () => {
    const queue = queueOf(1, job("a"), job("a"), job("a"), job("b"), job("b"), job("c"));
    const order = Array.from({ length: 6 }, () => queue.take([])?.key).join("");
    expect(order).toBe("abcaba");
  });

  test("interactive work goes first, and background work leaves it one worker", () => {
    const batch = job("a", "background");
    expect(queueOf(2, batch, job("a")).take([])).toMatchObject({ priority: "interactive" });
    expect(queueOf(2, batch).take([batch])).toBeUndefined();
    expect(queueOf(2, batch, job("a")).take([batch])).toMatchObject({ priority: "interactive" });
    expect(queueOf(1, batch).take([])).toBe(batch);
  });

  test("large files also leave one worker for other jobs", () => {
    const large = job("a", "interactive", 50_000_000);
    const another = job("b", "interactive", 10 * 1024 * 1024);
    const small = job("c", "interactive", 10 * 1024 * 1024 - 1);
    expect(queueOf(2, another).take([large])).toBeUndefined();
    expect(queueOf(2, another, small).take([large])).toBe(small);
    expect(queueOf(3, another).take([large])).toBe(another);
    expect(queueOf(2, another).take([job("a", "background")])).toBeUndefined();
    expect(queueOf(1, large).take([])).toBe(large);
  });

  test("rendering a page of a large file is short work and does not wait behind its caller's uploads", () => {
    const upload = job("a", "interactive", 50_000_000);
    const page = job("a", "interactive", 50_000_000, "page");
    expect(queueOf(2, upload, upload, page).take([upload])).toBe(page);
    expect(queueOf(2, upload).take([page])).toBe(upload);
  });
});

describe("jobs", () => {
  const pool = sharedPool();
  const TAGGED = text("Sign here: {{Signature;role=Buyer;type=signature}} by Friday");

  const hashed = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

  test("a tagged template gives its fields and clean bytes", async () => {
    const upload = writePdf(onePage({ content: TAGGED, catalog: "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>" }));
    const anchors = [{ anchor_text: "sign here", place: { offset_y: 0.1, w: 0.2, h: 0.05 } }];
    const { bytes, fields, anchors: placed, ...rest } = await pool.ingest(upload, { ...TEMPLATE, anchors });
    expect(fields).toMatchObject([{ name: "Signature", type: "signature", role: "Buyer", area: { page: 1 } }]);
    expect(placed).toMatchObject([{ page: 1, matches: 1, area: { page: 1, w: 0.2, h: 0.05 }, area_clipped: false }]);
    expect(rest).toEqual({
      sha256: hashed(bytes),
      marks: {
        // As received, and without the white space at its end.
        file: [hashed(upload), hashed(Buffer.from(upload).subarray(0, upload.length - 1))],
        pdf_id: null,
        reasons: [],
        rendition: null,
        revisions: [hashed(Buffer.from(upload).subarray(0, upload.length - 1))],
      },
      kind: "pdf",
      kept: false,
      pages: [{ w_pt: 612, h_pt: 792, rotate: 0, has_text: true, scan_dpi: null }],
      revisions: 1,
      signatures: 0,
      seals: [],
      removed: { "OpenAction/JavaScript": 1 },
      flattened: true,
      warnings: [],
      page_warnings: [],
      tag_warnings: [],
      roles: ["Buyer"],
    });
    expect(Buffer.from(bytes).toString("latin1")).not.toMatch(/JavaScript|app\.alert|\{\{/);
    expect((await pool.text(bytes, { page: 1 })).blocks.join(" ")).toMatch(/Sign here:\s+by Friday/);
    expect(await pool.page(bytes, { page: 1, width_px: 1224 })).toMatchObject({ mime: "image/png", w: 1224, h: 1584 });
  });

  test("in a customer's document an invalid tag stays text, and discarded tags are removed without fields", async () => {
    const upload = writePdf(onePage({ content: text("{{Name}} {{A;typ=x}} {{S;type=signature;role=Buyer}}") }));
    const document = await pool.ingest(upload, { tags: "document" });
    expect(document).toMatchObject({ fields: [{ name: "S" }], roles: ["Buyer"], warnings: ["tag_not_understood"] });
    expect((await pool.text(document.bytes, { page: 1 })).blocks.join(" ").trim()).toBe("{{Name}} {{A;typ=x}}");
    const discarded = await pool.ingest(upload, { tags: "discard" });
    expect(discarded).toMatchObject({ fields: [], roles: [], warnings: [], pages: [{ has_text: false }] });
  });

  test("an image becomes a page if images are allowed", async () => {
    const png = makePng({ width: 20, height: 10, depth: 8, color: 0, pixel: (x) => [x] });
    expect(await pool.ingest(png, { tags: "document", images: true })).toMatchObject({ kind: "png", pages: [{ has_text: false }] });
    expect(await refusal(pool.ingest(png, TEMPLATE))).toBeInstanceOf(NotAPdf);
  });

  const area = { page: 1, x: 0.2, y: 0.3, w: 0.3, h: 0.05 };
  const date: Mark = { kind: "text", field: "Date", signer: "sig_1", areas: [area], value: "2026-03-01" };

  test("values are stamped, previewed and listed, and a copy of the result is marked", async () => {
    const { bytes, stamped, warnings } = await pool.finish(plain(), { marks: [date] });
    expect(stamped).toMatchObject([{ field: "Date", page: 1 }]);
    expect(warnings).toEqual([]);
    expect((await pool.text(bytes, { page: 1 })).blocks).toEqual(["Sign here", "2026-03-01"]);
    const preview = await pool.preview(plain(), { marks: [date], page: 1, width_px: 1224 });
    expect(Buffer.from(preview.bytes).equals((await pool.page(bytes, { page: 1, width_px: 1224 })).bytes)).toBe(true);
    const copy = await pool.copy(bytes, { band: "COPY of env_1", diagonal: "COPY" });
    expect(copy.pages).toBe(1);
    expect((await pool.text(copy.bytes, { page: 1 })).blocks).toContain("COPY of env_1");
  });

  test("signers without a field get a page and sign on it, and times survive the transfer to the thread", async () => {
    const prepared = await pool.prepare(plain(), { signers: [{ signer: "sig_1", label: "Ann Example" }] });
    expect(prepared).toMatchObject({ pages: [{ w_pt: 612 }, { w_pt: 612 }], areas: [{ signer: "sig_1", signature: { page: 2 } }] });
    const value = { kind: "uploaded", png: makePng({ width: 20, height: 10, depth: 8, color: 6, pixel: () => [0, 0, 0, 9] }) } as const;
    const time = new Date("2026-03-01T09:30:00Z");
    const areas = prepared.areas.map(({ signature }) => signature);
    const signing = { name: "Ann Example", time, reference: "env_1" };
    const marks: Mark[] = [{ kind: "mark", field: "Signature", signer: "sig_1", areas, value, ...signing }];
    const { bytes, stamped } = await pool.finish(prepared.bytes, { marks });
    expect(stamped).toMatchObject([{ name: "Ann Example", time, page: 2 }]);
    expect((await pool.text(bytes, { page: 2 })).blocks).toContain("Ann Example · 2026-03-01 09:30:00 UTC · env_1");
  });

  test("a value that does not fit is a StampFault that names its field", async () => {
    const marks: Mark[] = [{ ...date, value: "long ".repeat(400) }];
    for (const job of [pool.finish(plain(), { marks }), pool.preview(plain(), { marks, page: 1, width_px: 1224 })]) {
      const refused = await refusal(job);
      expect(refused).toBeInstanceOf(StampFault);
      expect(refused).toMatchObject({ fault: "does_not_fit", field: "Date" });
    }
    const elsewhere: Mark[] = [{ ...date, areas: [{ ...area, page: 2 }] }];
    expect(await refusal(pool.finish(plain(), { marks: elsewhere }))).toBeInstanceOf(RangeError);
  });

  test("a sealed upload is verified and kept unchanged", async () => {
    const org = await makeOrg();
    const certificates = [org.seal.certificate];
    const place = { name: "Acme", reason: "Signed", at: NOW, room: roomFor(certificates, false), marker: randomBytes(32) };
    const sealed = await seal(await pool.placeSeal(plain(), place), { certificates, sign: org.sign });
    const trust = { roots: [org.root.certificate], at: NOW };
    expect(await pool.verify(sealed.bytes, trust)).toMatchObject([{ intact: true, trusted: true }]);
    const kept = await pool.ingest(sealed.bytes, { tags: "document", keep_signed: true, verify: trust });
    expect(kept).toMatchObject({ kept: true, signatures: 1, seals: [{ intact: true, trusted: true }] });
    expect(Buffer.from(kept.bytes).equals(sealed.bytes)).toBe(true);
    const cleaned = await pool.ingest(sealed.bytes, { tags: "document", verify: trust });
    expect(cleaned).toMatchObject({ kept: false, seals: [{ intact: true }], warnings: ["signatures_removed_by_cleaning"] });
  });
});

describe("faults", () => {
  const pool = sharedPool();

  test("errors arrive as their classes, with all details", async () => {
    expect(await refusal(pool.ingest(latin1("hello"), TEMPLATE))).toBeInstanceOf(NotAPdf);
    const broken = await refusal(pool.ingest(latin1("%PDF-1.7\nnothing else"), TEMPLATE));
    expect(broken).toBeInstanceOf(UnreadablePdf);
    expect(broken).toMatchObject({ fault: "unparseable", limit: null });
    const badTag = await refusal(pool.ingest(writePdf(onePage({ content: text("{{Sig;typ=signature}}") })), TEMPLATE));
    expect(badTag).toBeInstanceOf(TagFault);
    expect(badTag).toMatchObject({
      details: [{ code: "unknown_field", message: expect.stringContaining("Page 1, {{Sig;typ=signature}}") }],
    });
    const asked = [
      { anchor_text: "Sign here" },
      { anchor_text: "nowhere" },
      { anchor_text: "Sign here", place: { offset_x: 2, w: 0.1, h: 0.1 } },
    ];
    const badAnchors = await refusal(pool.anchors(plain(), { anchors: asked }));
    expect(badAnchors).toBeInstanceOf(AnchorFault);
    expect(badAnchors).toMatchObject({
      details: [
        { field: 1, fault: "anchor_not_found", matches: 0 },
        { field: 2, fault: "area_outside_page", matches: 1 },
      ],
    });
    expect(await refusal(pool.page(writePdf(pages(2)), { page: 3, width_px: 1224 }))).toBeInstanceOf(RangeError);
  });

  test("an unexpected error is unparseable, with its cause for the log, and the next job gets a new thread", async () => {
    const place = { name: "Acme", reason: "Signed", at: NOW, room: 100, marker: new Uint8Array(1) };
    const refused = await refusal(pool.placeSeal(plain(), place));
    expect(refused).toMatchObject({ fault: "unparseable", cause: expect.objectContaining({ message: "the marker must have 32 bytes" }) });
    expect(await pool.text(plain(), { page: 1 })).toMatchObject({ has_text: true });
  });

  test("a request that cannot be cloned is the caller's error and blocks nothing", async () => {
    const request = { page: 1, odd: () => 1 };
    expect(await refusal(pool.text(plain(), request))).toMatchObject({ name: "DataCloneError" });
    expect(await pool.text(plain(), { page: 1 })).toMatchObject({ has_text: true });
  });
});

test("closing terminates the threads immediately; waiting, running and later jobs are PdfBusy", async () => {
  const pool = startPool({ open_ms: 20_000 });
  const asked = [endless(), plain()].map((bytes) => refusal(pool.ingest(bytes, TEMPLATE)));
  await pool.close();
  expect(await Promise.all(asked)).toEqual([expect.any(PdfBusy), expect.any(PdfBusy)]);
  expect(pool.stats()).toMatchObject({ workers: 0, running: 0, waiting: 0 });
  expect(await refusal(pool.ingest(plain(), TEMPLATE))).toBeInstanceOf(PdfBusy);
});
