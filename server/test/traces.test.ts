import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobHandlers } from "../src/jobs/catalogue.ts";
import { enqueue } from "../src/jobs/enqueue.ts";
import { startWorker, type Worker } from "../src/jobs/worker.ts";
import { makeLogger } from "../src/logger.ts";
import { buildHttp, jobHandlers } from "../src/main.ts";
import { createTracer, inWork, type Tracer } from "../src/shared/trace.ts";
import { client, type Send } from "./client.ts";
import { type Collector, type ReceivedSpan, startCollector } from "./collector.ts";
import { form } from "./form.ts";
import { newEnvelope, newTemplate } from "./lease.ts";
import { AT_ONCE, type TestKey, testService } from "./service.ts";
import { until } from "./until.ts";

/** A service whose every request is traced, beside one without traces, on one database. */

const service = testService();
const THEIRS = "0af7651916cd43dd8448eb211c80319c";

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

const lines: Line[] = [];
const logger = pino({ level: "debug" }, { write: (line: string) => lines.push(JSON.parse(line)) });
const payloads: { readonly task: string; readonly payload: unknown }[] = [];
let failing: string | null = null;
let collector: Collector;
let tracer: Tracer;
let app: FastifyInstance;
let url: string;
let worker: Worker;

/** The service's own handlers, which note what they were given. */
function noting(handlers: JobHandlers): JobHandlers {
  const noted = Object.entries(handlers).map(([task, handle]) => [
    task,
    async (payload: never) => {
      payloads.push({ task, payload });
      if (task === failing) throw new Error("as the test wants");
      if (task === "orgs.clean-up") await service.db.system((tx) => enqueue(tx, "keys.warn-expiry", {}));
      await handle(payload);
    },
  ]);
  return Object.fromEntries(noted) as JobHandlers;
}

beforeAll(async () => {
  collector = await startCollector();
  tracer = createTracer({ endpoint: collector.endpoint, ratio: 1, about: {}, limits: { every_ms: 20 } });
  const { db, features, config } = service;
  app = await buildHttp({ config: { ...config, trustProxyHops: 1 }, db, features, logger, tracer, checks: AT_ONCE });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
  const handlers = noting(jobHandlers(features));
  worker = await startWorker({ url: service.database.queueUrl, handlers, log: logger, tracer, schedule: [] });
  service.onQueued(worker.relayNow);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
  await tracer.stop();
  await collector.close();
});

const traced = ({ api_key }: TestKey): Send => client(url, { "x-api-key": api_key });

const spansOf = async (requestId: string, name: RegExp): Promise<ReceivedSpan[]> => {
  const wanted = () => collector.spans.filter((span) => name.test(span.name) && span.attributes["countersign.request_id"] === requestId);
  await until(`a span ${name} of ${requestId}`, async () => wanted().length > 0);
  return wanted();
};

/** Whether one span is below the other, at any depth. */
function isBelow(span: ReceivedSpan, above: ReceivedSpan): boolean {
  for (let at: ReceivedSpan | undefined = span; at !== undefined; ) {
    if (at.spanId === above.spanId) return true;
    const { parentSpanId }: ReceivedSpan = at;
    at = collector.spans.find(({ spanId }) => spanId === parentSpanId);
  }
  return false;
}

test("a request and the jobs that it queues are one trace, and their lines in the log have its id", async () => {
  const org = await service.newOrg();
  const key = await org.newKey();
  const envelope_id = await newEnvelope(key, await newTemplate(key));
  const headers = { traceparent: `00-${THEIRS}-b7ad6b7169203331-00` };
  const sent = await traced(key)("POST", `/partner/envelopes/${envelope_id}/send`, { headers });
  expect(sent.status).toBe(200);
  const request_id = sent.headers["x-request-id"] ?? "";

  const [request = expect.fail()] = await spansOf(request_id, /^POST /);
  expect(request).toMatchObject({
    name: "POST /api/v2/partner/envelopes/:envelope_id/send",
    traceId: THEIRS,
    parentSpanId: "b7ad6b7169203331",
    kind: 2,
    status: {},
    attributes: { "http.request.method": "POST", "http.response.status_code": 200 },
  });
  const jobs = await spansOf(request_id, /^job signing\.draw-pages$/);
  expect(jobs.map((job) => [job.traceId, isBelow(job, request), job.attributes["countersign.attempt"]])).toEqual([[THEIRS, true, 1]]);
  const statements = collector.spans.filter(({ name }) => name === "statement enqueue");
  expect(statements.some((one) => isBelow(one, request))).toBe(true);
  const [job = expect.fail()] = jobs;
  expect(collector.spans.some((one) => one.name === "transaction" && isBelow(one, job))).toBe(true);

  const line = lines.find(
    ({ msg, task, envelope_id: of }) => msg === "job finished" && task === "signing.draw-pages" && of === envelope_id,
  );
  expect(line).toMatchObject({ level: 30, job_id: expect.any(String), org: org.org_id, request_id, attempt: 1, ms: expect.any(Number) });
  // What the relay passes on is not part of what a handler is given.
  expect(payloads).toContainEqual({ task: "signing.draw-pages", payload: { org_id: org.org_id, envelope_id } });
});

test("a job that fails has the same line, as an error, and so has its next run", async () => {
  const org = await service.newOrg();
  const key = await org.newKey();
  const envelope_id = await newEnvelope(key, await newTemplate(key));
  failing = "signing.draw-pages";
  const sent = await traced(key)("POST", `/partner/envelopes/${envelope_id}/send`);
  const request_id = sent.headers["x-request-id"] ?? "";
  const failed = () => lines.find((line) => line.msg === "job failed and will be retried" && line.envelope_id === envelope_id);
  await until("the failed job", async () => failed() !== undefined);
  failing = null;
  expect(failed()).toMatchObject({
    level: 50,
    task: "signing.draw-pages",
    org: org.org_id,
    request_id,
    attempt: 1,
    ms: expect.any(Number),
  });
  expect(failed()?.err).toMatchObject({ message: "as the test wants" });
  expect((await spansOf(request_id, /^job signing\.draw-pages$/))[0]?.status).toEqual({ code: 2 });

  await service.database.owner("update graphile_worker._private_jobs set run_at = now()");
  await until("its second run", async () =>
    lines.some((line) => line.msg === "job finished" && line.envelope_id === envelope_id && line.attempt === 2),
  );
  expect(lines.find((line) => line.envelope_id === envelope_id && line.attempt === 2)).toMatchObject({ request_id });
});

test("a job that another job queues belongs to the same request", async () => {
  const span = tracer.beginRequest(`00-${"ab".repeat(16)}-b7ad6b7169203331-00`);
  await inWork({ request_id: "req_first", span }, () => service.db.system((tx) => enqueue(tx, "orgs.clean-up", {})));
  const [second = expect.fail()] = await spansOf("req_first", /^job keys\.warn-expiry$/);
  const [first = expect.fail()] = await spansOf("req_first", /^job orgs\.clean-up$/);
  expect([second.traceId, isBelow(second, first)]).toEqual(["ab".repeat(16), true]);
  await until("its line", async () => lines.some(({ task, request_id }) => task === "keys.warn-expiry" && request_id === "req_first"));
});

test("work that begins while a file arrives belongs to the request", async () => {
  const { api_key } = await (await service.newOrg()).newKey();
  const { raw, headers } = form({}, { bytes: Buffer.from("client_id,name\n1,Ann\n2,Sam\n"), name: "people.csv" });
  const trace_id = "cd".repeat(16);
  const ofTrace = (name: string) => collector.spans.filter((span) => span.traceId === trace_id && span.name === name);
  const outgoing = httpRequest(`${url}/api/v2/customers/bulk`, {
    method: "POST",
    headers: { ...headers, "x-api-key": api_key, "content-length": raw.length, traceparent: `00-${trace_id}-b7ad6b7169203331-00` },
  });
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  outgoing.flushHeaders();
  // The caller is known, so the body is waited for. It arrives by an event of the socket, not of the request.
  await until("the credential to be looked at", async () => ofTrace("statement authenticate-key").length > 0);
  const before = ofTrace("transaction").length;
  outgoing.end(raw);
  const [response] = await answered;
  expect([response.statusCode, JSON.parse(await text(response)).data]).toMatchObject([200, { rows: 2, created: 2 }]);
  await until("the request's own span", async () => ofTrace("POST /api/v2/customers/bulk").length === 1);
  expect(ofTrace("transaction").length).toBeGreaterThan(before);
});

test("spans contain no parameter, no text of a statement, no id and no address", async () => {
  const org = await service.newOrg();
  const key = await org.newKey();
  const answer = await traced(key)("GET", "/partner/envelopes?customer_email=ann%40example.com");
  await spansOf(answer.headers["x-request-id"] ?? "", /^GET /);
  const span = tracer.beginRequest(undefined);
  await inWork({ request_id: "req_third", span }, () => service.db.system((tx) => enqueue(tx, "orgs.clean-up", {})));
  await spansOf("req_third", /^job /);
  const sent = collector.bodies.join("\n");
  expect(sent).toContain("statement enqueue");
  expect(sent).not.toMatch(/select |insert |@example\.com|customer_email|org_[0-9a-z]{26}|user_[0-9a-z]{26}|env_[0-9a-z]{26}/i);
  expect(sent).not.toContain(key.api_key);
  const keys = collector.spans.flatMap(({ attributes }) => Object.keys(attributes));
  expect([...new Set(keys)].sort()).toEqual([
    "countersign.attempt",
    "countersign.request_id",
    "http.request.method",
    "http.response.status_code",
    "http.route",
  ]);
});

test("probes are not traced, and a request that fails is marked", async () => {
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const missing = await fetch(`${url}/api/v2/no/such/path`);
  const [span] = await spansOf(missing.headers.get("x-request-id") ?? "", /./);
  expect([span?.name, span?.attributes["http.response.status_code"], span?.status]).toEqual(["GET none", 404, {}]);
  expect(collector.spans.filter(({ name }) => name.includes("healthz"))).toEqual([]);
});

test.each([
  ["7f3c.proxy_9-a", true],
  ["0123456", false],
  ["x".repeat(64), true],
  ["x".repeat(65), false],
  ["a b c d e f", false],
  ['12345678"}', false],
])("an X-Request-Id of a trusted proxy is logged beside ours: %s", async (given, isLogged) => {
  const answer = await fetch(`${url}/api/v2/partner/envelopes`, { headers: { "x-request-id": given } });
  const request_id = answer.headers.get("x-request-id");
  expect(request_id).toMatch(/^req_[0-9a-f-]{36}$/);
  await until("the line", async () => lines.some((line) => line.request_id === request_id));
  expect(lines.find((line) => line.request_id === request_id)?.upstream_request_id).toBe(isLogged ? given : undefined);
});

test("without a trusted proxy, anyone's X-Request-Id is left out of the log", async () => {
  const { db, features, config } = service;
  const direct = await buildHttp({ config, db, features, logger, checks: AT_ONCE });
  const there = await direct.listen({ port: 0, host: "127.0.0.1" });
  const answer = await fetch(`${there}/api/v2/partner/envelopes`, { headers: { "x-request-id": "7f3c.proxy_9-a" } });
  const request_id = answer.headers.get("x-request-id");
  await until("the line", async () => lines.some((one) => one.request_id === request_id));
  const line = lines.find((one) => one.request_id === request_id);
  expect(line).toMatchObject({ status: 401 });
  expect(line).not.toHaveProperty("upstream_request_id");
  await direct.close();
});

test("while traces are off, jobs keep the request that queued them, and nothing is sent", async () => {
  const before = collector.spans.length;
  const { db, features, config } = service;
  const off = await buildHttp({ config, db, features, logger: makeLogger("silent"), checks: AT_ONCE });
  const org = await service.newOrg();
  const key = await org.newKey();
  const envelope_id = await newEnvelope(key, await newTemplate(key));
  const sent = await client(await off.listen({ port: 0, host: "127.0.0.1" }), { "x-api-key": key.api_key })(
    "POST",
    `/partner/envelopes/${envelope_id}/send`,
    { headers: { traceparent: `00-${THEIRS}-b7ad6b7169203331-01` } },
  );
  const finished = () =>
    lines.find((line) => line.msg === "job finished" && line.task === "signing.draw-pages" && line.envelope_id === envelope_id);
  await until("the job", async () => finished() !== undefined);
  expect(finished()?.request_id).toBe(sent.headers["x-request-id"]);
  // Jobs without a trace are chosen anew, which is one of their own.
  const others = collector.spans.slice(before).filter(({ name }) => !/^(job|transaction|statement)/.test(name));
  expect(others).toEqual([]);
  await off.close();
});
