import { afterAll, beforeAll, expect, test } from "vitest";
import { client, type Send } from "./client.ts";
import { type Collector, startCollector } from "./collector.ts";
import { newEndpoint } from "./deliveries.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "./lease.ts";
import { freePort, type Running, startProcess, stopProcess } from "./process.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { testService } from "./service.ts";
import { until } from "./until.ts";

/** The built program with traces of every request, and collectors that work, hang or are not there. */

const service = testService();
let collector: Collector;
let receiver: Receiver;
beforeAll(async () => {
  [collector, receiver] = [await startCollector(), await startReceiver()];
});
afterAll(() => Promise.all([collector.close(), receiver.close()]));

const start = (endpoint: string, more: Record<string, string> = {}): Promise<Running> =>
  startProcess("start", {
    ...service.database.env,
    DATA_DIR: service.config.dataDir,
    APP_SECRET: service.config.appSecrets[0].secret,
    LOG_LEVEL: "warn",
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_TRACES_SAMPLER_ARG: "1",
    ...more,
  });

const at = ({ url }: Running, headers: Record<string, string> = {}): Send => client(url.replace("localhost", "127.0.0.1"), headers);

/** How long a stop took, in milliseconds. */
async function timeOfStop(running: Running): Promise<number> {
  const began = performance.now();
  expect(await stopProcess(running)).toBe(0);
  return performance.now() - began;
}

test("a request, its jobs, its PDFs and blobs and the webhook are traced, up to the last request before a stop", async () => {
  const running = await start(collector.endpoint);
  const org = await service.newOrg();
  const { api_key, key_id } = await org.newKey();
  const key = { api_key, key_id, send: at(running, { "x-api-key": api_key }) };
  await newEndpoint(org, receiver);
  const envelope_id = await newEnvelope(key, await newTemplate(key));
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } });
  expect(sent.status).toBe(200);
  await receiver.received(1);
  expect(Object.keys(receiver.requests[0]?.headers ?? {})).toEqual(expect.not.arrayContaining(["traceparent", "tracestate"]));
  const has = (name: RegExp) => collector.spans.some((span) => name.test(span.name));
  const wanted = [
    /^POST \/api\/v2\/partner\/templates$/,
    /^transaction$/,
    /^statement enqueue$/,
    /^statement$/,
    /^pdf ingest/,
    /^blob put/,
    /^job signing\.draw-pages$/,
    /^pdf page$/,
    /^job webhooks\.fan-out$/,
    /^delivery$/,
  ];
  await until("all kinds of spans", async () => wanted.every(has)).catch(() => undefined);
  expect(wanted.filter((name) => !has(name)).map(String)).toEqual([]);
  const draw = collector.spans.find(
    ({ name, attributes }) => name === "job signing.draw-pages" && attributes["countersign.request_id"] === sent.headers["x-request-id"],
  );
  const page = collector.spans.filter(({ name, traceId }) => name === "pdf page" && traceId === draw?.traceId);
  expect(page.map(({ parentSpanId }) => parentSpanId)).toContain(draw?.spanId);
  expect(draw?.resource).toMatchObject({ "service.name": "countersign", "countersign.role": "all" });

  const last = await key.send("GET", "/partner/envelopes");
  expect(await timeOfStop(running)).toBeLessThan(10_000);
  expect(collector.spans.filter(({ attributes }) => attributes["countersign.request_id"] === last.headers["x-request-id"]).length).toBe(1);
  expect(running.stderr()).toBe("");
}, 90_000);

test.each(["hangs", "floods", "drips"] as const)(
  "a collector that %s delays no request and no stop",
  async (how) => {
    collector.behave(how);
    const running = await start(collector.endpoint);
    const key = await (await service.newOrg()).newKey();
    const send = at(running, { "x-api-key": key.api_key });
    for (let nth = 0; nth < 20; nth++) expect((await send("GET", "/partner/envelopes")).status).toBe(200);
    await until("a batch", async () => collector.requests.length > 0);
    for (let nth = 0; nth < 20; nth++) expect((await send("GET", "/partner/envelopes")).status).toBe(200);
    // Two seconds for the collector, and what a stop takes on a busy machine.
    expect(await timeOfStop(running)).toBeLessThan(10_000);
    collector.behave("takes");
    collector.requests.length = 0;
  },
  60_000,
);

test("a collector that is not there is counted and said once, and costs nothing else", async () => {
  const port = await freePort();
  const running = await start(`http://127.0.0.1:${await freePort()}`, { METRICS_PORT: String(port) });
  const key = await (await service.newOrg()).newKey();
  expect((await at(running, { "x-api-key": key.api_key })("GET", "/partner/envelopes")).status).toBe(200);
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await until("the count", async () => /^countersign_trace_spans_total\{outcome="failed"\} [1-9]/m.test(await metrics()));
  expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toMatchObject({ status: "ready" });
  expect(await timeOfStop(running)).toBeLessThan(10_000);
  expect(running.stderr().match(/spans could not be sent/g)).toHaveLength(1);
}, 60_000);
