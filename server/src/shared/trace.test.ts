import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Behaviour, type Collector, startCollector } from "../../test/collector.ts";
import { freePort } from "../../test/process.ts";
import { until } from "../../test/until.ts";
import { beginSpan, belonging, createTracer, inSpan, inWork, readTraceparent, type Tracer } from "./trace.ts";

let collector: Collector;
beforeAll(async () => {
  collector = await startCollector();
});
afterAll(() => collector.close());
afterEach(() => {
  collector.behave("takes");
  for (const seen of [collector.spans, collector.bodies, collector.requests]) seen.length = 0;
});

const counts = { sent: 0, failed: 0, dropped: 0 };
const said: unknown[] = [];

/** `ratio` 1: everything is recorded. Nothing is sent before a stop, unless a test says so. */
function newTracer({
  ratio = 1,
  endpoint = collector.endpoint,
  limits = {},
}: {
  ratio?: number;
  endpoint?: string;
  limits?: object;
} = {}): Tracer {
  Object.assign(counts, { sent: 0, failed: 0, dropped: 0 });
  said.length = 0;
  return createTracer({
    endpoint,
    ratio,
    about: { "service.name": "countersign" },
    onSpans: (outcome, count) => {
      counts[outcome] += count;
    },
    onFailure: (error) => said.push(error),
    limits: { every_ms: 3_600_000, ...limits },
  });
}

const THEIRS = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe("a span", () => {
  test("arrives with its trace, the span above it, its time and its outcome", async () => {
    const tracer = newTracer();
    const request = tracer.beginRequest(THEIRS);
    const began = Date.now();
    await inWork({ request_id: "req_1", span: request }, async () => {
      await inSpan("transaction", async () => {
        const statement = beginSpan("statement", "find-org");
        statement?.end();
      });
      const failing = inSpan("transaction", async () => {
        beginSpan("pdf", "page")?.fail();
        throw new Error("no such org");
      });
      await expect(failing).rejects.toThrow("no such org");
    });
    request.end({ "http.response.status_code": 200 }, "GET /x/:id");
    await tracer.stop();

    expect(collector.requests).toEqual(["POST /v1/traces application/json"]);
    const [statement, transaction, failed, first] = collector.spans;
    expect(collector.spans.map(({ name, kind }) => [name, kind])).toEqual([
      ["statement find-org", 3],
      ["transaction", 1],
      ["transaction", 1],
      ["GET /x/:id", 2],
    ]);
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set(["0af7651916cd43dd8448eb211c80319c"]));
    expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(4);
    expect(first).toMatchObject({ parentSpanId: "b7ad6b7169203331", attributes: { "http.response.status_code": 200 }, status: {} });
    expect([statement?.parentSpanId, transaction?.parentSpanId, failed?.parentSpanId]).toEqual([
      transaction?.spanId,
      first?.spanId,
      first?.spanId,
    ]);
    expect([statement?.status, transaction?.status, failed?.status]).toEqual([{}, {}, { code: 2 }]);
    expect(first?.resource).toEqual({ "service.name": "countersign" });
    const ms = (nanoseconds = "") => Number(BigInt(nanoseconds) / 1000n) / 1000;
    for (const { startTimeUnixNano, endTimeUnixNano } of collector.spans) {
      expect(ms(startTimeUnixNano)).toBeGreaterThanOrEqual(ms(first?.startTimeUnixNano));
      expect(ms(endTimeUnixNano)).toBeGreaterThanOrEqual(ms(startTimeUnixNano));
      expect(ms(endTimeUnixNano)).toBeLessThanOrEqual(ms(first?.endTimeUnixNano));
    }
    // Two clocks, of which one is exact to a millisecond and the other is set at times.
    expect(Math.abs(ms(first?.startTimeUnixNano) - began)).toBeLessThan(1_000);
    expect(counts).toEqual({ sent: 4, failed: 0, dropped: 0 });
  });

  test("of work that is not recorded is none, and jobs of that work are not recorded either", async () => {
    const tracer = newTracer({ ratio: 0 });
    const request = tracer.beginRequest(undefined);
    const job = await inWork({ request_id: "req_1", span: request }, () =>
      inSpan("transaction", async () => {
        expect(beginSpan("statement", "find-org")).toBeNull();
        return belonging();
      }),
    );
    expect(job).toEqual({ traceparent: request.traceparent, request_id: "req_1" });
    expect(request.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(newTracer({ ratio: 1 }).beginJob("vault.store", job.traceparent).isRecorded).toBe(false);
    request.end();
    tracer.addEnded("delivery", 1, {});
    await tracer.stop();
    expect(collector.requests).toEqual([]);
  });

  test("is none without a request or job, and while traces are off", async () => {
    expect([beginSpan("statement"), belonging()]).toEqual([null, { traceparent: null, request_id: null }]);
    await inWork({ request_id: "req_1", span: null }, async () => {
      expect([beginSpan("statement"), belonging()]).toEqual([null, { traceparent: null, request_id: "req_1" }]);
    });
  });

  test("that has ended when it is added begins that much earlier", async () => {
    const tracer = newTracer();
    tracer.addEnded("delivery", 2.5, { "countersign.outcome": "2xx" });
    await tracer.stop();
    const [{ startTimeUnixNano, endTimeUnixNano, name, parentSpanId, attributes } = expect.fail("no span")] = collector.spans;
    expect([name, parentSpanId, attributes]).toEqual(["delivery", undefined, { "countersign.outcome": "2xx" }]);
    expect(Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e9).toBeCloseTo(2.5, 1);
  });
});

describe("whether work is recorded", () => {
  test("is not for the caller to say: of a thousand requests that say so, as many are recorded as of others", () => {
    const tracer = newTracer({ ratio: 0.1 });
    // One trace for all: choosing by its id would record all of them or none.
    const spans = Array.from({ length: 1_000 }, () => tracer.beginRequest(THEIRS));
    const recorded = spans.filter(({ isRecorded }) => isRecorded).length;
    // Nine standard deviations: fails once in a billion billion runs.
    expect(recorded).toBeGreaterThan(15);
    expect(recorded).toBeLessThan(185);
    expect(new Set(spans.map(({ traceparent }) => traceparent.slice(0, 35)))).toEqual(new Set([THEIRS.slice(0, 35)]));
  });

  test("is for a job what it was for the work that queued it, in every process", () => {
    const [none, all] = [newTracer({ ratio: 0 }), newTracer({ ratio: 1 })];
    expect(none.beginJob("vault.store", THEIRS).isRecorded).toBe(true);
    expect(all.beginJob("vault.store", THEIRS.replace(/01$/, "00")).isRecorded).toBe(false);
    expect([none.beginJob("orgs.clean-up", null).isRecorded, all.beginJob("orgs.clean-up", null).isRecorded]).toEqual([false, true]);
  });

  test.each([
    ["with flags", THEIRS, true],
    ["with other flags", THEIRS.replace(/01$/, "ff"), true],
    ["of no version", THEIRS.replace(/^00/, "ff"), false],
    ["of a later version", THEIRS.replace(/^00/, "01"), false],
    ["in upper case", THEIRS.toUpperCase(), false],
    ["with more", `${THEIRS}-more`, false],
    ["given twice", `${THEIRS}, ${THEIRS}`, false],
    ["without a trace", "00-00000000000000000000000000000000-b7ad6b7169203331-01", false],
    ["without a span", "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false],
    ["that is empty", "", false],
    ["that is missing", undefined, false],
    ["that is a list", [THEIRS], false],
    ["that is long", "0".repeat(100_000), false],
  ])("depends on a well-formed traceparent only: one %s", (_what, given, isKnown) => {
    expect(readTraceparent(given) !== null).toBe(isKnown);
    const { traceparent } = newTracer().beginRequest(given);
    expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(traceparent.startsWith(THEIRS.slice(0, 35))).toBe(isKnown);
  });
});

describe("a collector", () => {
  const add = (tracer: Tracer, spans: number) => {
    for (let nth = 0; nth < spans; nth++) tracer.addEnded("delivery", 0, {});
  };

  test("gets everything, 512 spans at a time", async () => {
    const tracer = newTracer();
    add(tracer, 1_100);
    await tracer.stop();
    expect([collector.spans.length, collector.requests.length, counts.sent]).toEqual([1_100, 3, 1_100]);
  });

  test("gets what has ended once a second, over connections that stay open", async () => {
    const tracer = newTracer({ limits: { every_ms: 10 } });
    for (const nth of [1, 2, 3, 4, 5, 6]) {
      add(tracer, 1);
      await until(`span ${nth}`, async () => collector.spans.length === nth);
    }
    // The next batch can come before the client knows that its connection is free again.
    expect(collector.open()).toBeLessThanOrEqual(2);
    await tracer.stop();
  });

  test("that hangs keeps 2,048 spans waiting and one connection; more spans are dropped and counted", async () => {
    collector.behave("hangs");
    const tracer = newTracer({ limits: { every_ms: 10, stop_ms: 100 } });
    const before = collector.open();
    add(tracer, 600);
    await until("the first batch", async () => collector.requests.length === 1);
    add(tracer, 2_400);
    expect(counts).toEqual({ sent: 0, failed: 0, dropped: 3_000 - 2_048 });
    expect(collector.open() - before).toBeLessThanOrEqual(1);
    await tracer.stop();
    expect(counts).toEqual({ sent: 0, failed: 2_048, dropped: 3_000 - 2_048 });
    add(tracer, 1);
    expect(counts.dropped, "after the stop").toBe(3_000 - 2_048 + 1);
  });

  const bad: readonly Behaviour[] = ["hangs", "refuses", "redirects", "drips", "floods", "cuts"];

  test.each(bad)("that %s loses the batch, is said once a minute, and takes later ones when it works", async (how) => {
    collector.behave(how);
    const tracer = newTracer({ limits: { every_ms: 10, request_ms: 200 } });
    add(tracer, 1);
    await until("the batch to be settled", async () => counts.failed + counts.sent === 1);
    add(tracer, 1);
    await until("the next one", async () => counts.failed + counts.sent === 2);
    // The status of an answer that is too long has arrived: the spans are taken, and the rest of the answer is not read.
    const isTaken = how === "floods";
    expect(counts).toEqual(isTaken ? { sent: 2, failed: 0, dropped: 0 } : { sent: 0, failed: 2, dropped: 0 });
    expect(said.length).toBe(isTaken ? 0 : 1);
    expect(collector.answered(), "bytes of an answer without end").toBeLessThan(10_000_000);
    collector.behave("takes");
    add(tracer, 1);
    await until("a collector that works again", async () => collector.spans.length === 1);
    await tracer.stop();
  });

  test("that is dead costs a stop nothing, and one that hangs no more than two seconds", async () => {
    const dead = newTracer({ endpoint: `http://127.0.0.1:${await freePort()}` });
    add(dead, 2_048);
    await dead.stop();
    expect(counts).toEqual({ sent: 0, failed: 2_048, dropped: 0 });

    collector.behave("hangs");
    const hanging = newTracer({ limits: { every_ms: 10 } });
    add(hanging, 2_048);
    await until("the first batch", async () => collector.requests.length === 1);
    const began = performance.now();
    await hanging.stop();
    // Two, and what a busy machine adds.
    expect(performance.now() - began).toBeLessThan(4_000);
    expect(counts).toEqual({ sent: 0, failed: 2_048, dropped: 0 });
  });
});
