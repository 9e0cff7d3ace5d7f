import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { atLeast, atMost } from "./figure.mjs";
import { answersAt, freePort, product, scratchFolder, startDatabase, startService } from "./harness.mjs";

const EVENTS_PER_SECOND = 100;
const ENDPOINTS = 10;
const RUN_SECONDS = 20;
const WARM_UP_SECONDS = 5;
// Deliveries that wait at once, of so many organizations with one endpoint each.
const BACKLOG = 12_000;
const BACKLOG_ORGS = 20;
const RECEIVERS = 4;
// Requests that arrive later than this after the last event count with this time.
const TIMEOUT_MS = 20_000;

/**
 * S12: a `worker` process, ten receivers, 100 events a second. Measures from the moment before an event's commit to the arrival of the
 * first request at a receiver. Twice: with all receivers working, and with one that never responds; the p95 of the others are compared.
 * Then how many deliveries of a backlog one worker makes in a second, and two.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureWebhooks({ end, seconds }) {
  const stage = await setUp(end);
  // The worker starts in the meantime, and its code gets compiled.
  await stage.run("one", false, WARM_UP_SECONDS);
  const figures = [];
  // Each event to one endpoint, or to all ten of one org: 100 or 1,000 deliveries a second.
  for (const layout of /** @type {const} */ (["one", "all"])) {
    const well = await stage.run(layout, false, seconds ?? RUN_SECONDS);
    const ill = await stage.run(layout, true, seconds ?? RUN_SECONDS);
    const ratio = ill.p95 / well.p95;
    const to = layout === "one" ? "each to one of ten endpoints" : "each to all ten endpoints";
    const rate = (/** @type {Run} */ run) =>
      `${run.p95.toFixed(0)} ms (p50 ${run.p50.toFixed(0)}, max ${run.max.toFixed(0)}, missed ${run.missed})`;
    figures.push(
      {
        id: "S12",
        name: `commit to first attempt, p95, 100 events/s, ${to}`,
        measured: rate(well),
        goal: "< 1000 ms",
        verdict: atMost(well.p95, 1000),
        values: { ...well },
      },
      {
        id: "S12",
        name: `the same for nine receivers while the tenth hangs`,
        measured: rate(ill),
        goal: "< 1000 ms",
        verdict: atMost(ill.p95, 1000),
        values: { ...ill },
      },
      { id: "S12", name: "ratio", measured: ratio.toFixed(2), goal: "< 2", verdict: atMost(ratio, 2) },
    );
  }
  return [...figures, ...(await stage.measureRate())];
}

/** @typedef {{ p50: number, p95: number, max: number, missed: number, deliveries: number }} Run */

/** @param {import("./harness.mjs").Cleanup} end */
async function setUp(end) {
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder);
  const env = { ...database.env, APP_SECRET: randomBytes(32).toString("hex"), LOG_LEVEL: "warn" };
  const { readConfig } = await product("config.js");
  const { buildFeatures } = await product("features.js");
  const { connectDb } = await product("db/connect.js");
  const db = connectDb({ url: database.appUrl, poolSize: 10 });
  end.later(() => db.end());
  const features = buildFeatures(readConfig({ ...env, DATA_DIR: join(folder, "data") }), db);
  end.later(() => features.pdf.close());
  const worker = startService("worker", { folder, port: await freePort(), env });
  end.later(() => worker.stop());
  const measureRate = async () => {
    const one = await drain({ db, features, database });
    const port = await freePort();
    const second = startService("worker", { folder, port: await freePort(), env: { ...env, METRICS_PORT: String(port) } });
    end.later(() => second.stop());
    // A worker answers there only.
    await answersAt({ ...second, url: `http://127.0.0.1:${port}` }, "/healthz", 20);
    // Its code gets compiled.
    await drain({ db, features, database }, BACKLOG / 4);
    const two = await drain({ db, features, database });
    const shown = (/** @type {number} */ rate) => `${rate.toFixed(0)} a second`;
    return [
      {
        id: "S12",
        name: "a backlog of 20 organizations, one worker",
        measured: shown(one),
        goal: "",
        verdict: /** @type {const} */ ("info"),
      },
      {
        id: "S12",
        name: "the same with two workers, with PostgreSQL and the receivers on the same cores",
        measured: shown(two),
        goal: ">= 600 a second",
        verdict: atLeast(two, 600),
      },
      {
        id: "S12",
        name: "two workers compared with one",
        measured: (two / one).toFixed(2),
        goal: "",
        verdict: /** @type {const} */ ("info"),
      },
    ];
  };
  return {
    measureRate,
    run: (/** @type {"one" | "all"} */ layout, /** @type {boolean} */ hanging, /** @type {number} */ seconds) =>
      run({ db, features, layout, hanging, seconds }),
  };
}

/** @param {{ db: any, features: any, layout: "one" | "all", hanging: boolean, seconds: number }} wanted @returns {Promise<Run>} */
async function run({ db, features, layout, hanging, seconds }) {
  const { appendEvent } = await product("events/append-event.js");
  const { newId } = await product("shared/ids.js");
  /** @type {Map<string, number>} */
  const committed = new Map();
  const receivers = await Promise.all(Array.from({ length: ENDPOINTS }, (_, index) => startReceiver(hanging && index === 0)));
  const orgs = await Promise.all(Array.from({ length: layout === "one" ? ENDPOINTS : 1 }, () => newOrg(db)));
  for (const [index, receiver] of receivers.entries()) await newEndpoint(features, orgs[index % orgs.length] ?? "", receiver.url);
  /** @type {Map<string, number>} who it is for: an org's index */
  const sentTo = new Map();
  const sending = [];
  const began = performance.now();
  for (let n = 0; n < seconds * EVENTS_PER_SECOND; n++) {
    await delay(began + (n * 1000) / EVENTS_PER_SECOND - performance.now());
    const [org, envelope_id] = [orgs[n % orgs.length], newId("envelope")];
    const data = { envelope_id, reason: "bench", customer_id: null, external_id: null };
    sending.push(
      db.tx(org, async (/** @type {any} */ tx) => {
        const event_id = await appendEvent(tx, org, { type: "envelope.voided", envelope_id, data });
        sentTo.set(event_id, n % orgs.length);
        committed.set(event_id, performance.now());
      }),
    );
  }
  await Promise.all(sending);
  /** @type {[number, string][]} index of a well receiver, and an event that it is to get */
  const expected = [...sentTo].flatMap(([event_id, org]) =>
    receivers.flatMap((receiver, index) =>
      !receiver.hangs && index % orgs.length === org ? [/** @type {[number, string]} */ ([index, event_id])] : [],
    ),
  );
  const deadline = performance.now() + TIMEOUT_MS;
  const arrived = () => expected.filter(([index, event_id]) => receivers[index]?.first.has(event_id)).length;
  while (arrived() < expected.length && performance.now() < deadline) await delay(100);
  const times = expected
    .map(([index, event_id]) => (receivers[index]?.first.get(event_id) ?? deadline) - (committed.get(event_id) ?? 0))
    .sort((a, b) => a - b);
  const missed = expected.length - arrived();
  await retire(db, orgs);
  await Promise.all(receivers.map((receiver) => receiver.close()));
  const at = (/** @type {number} */ part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), max: at(1), missed, deliveries: expected.length };
}

/**
 * Deliveries that are all due at once: how many arrive in a second, from the tenth to the ninetieth percent of them.
 * @param {{ db: any, features: any, database: import("./harness.mjs").Database }} place
 * @param {number} [count]
 */
async function drain({ db, features, database }, count = BACKLOG) {
  const receivers = await Promise.all(Array.from({ length: RECEIVERS }, () => startReceiver(false)));
  const orgs = await Promise.all(Array.from({ length: BACKLOG_ORGS }, () => newOrg(db)));
  for (const [index, org] of orgs.entries()) await newEndpoint(features, org, receivers[index % RECEIVERS]?.url ?? "");
  const expected = Math.floor(count / BACKLOG_ORGS) * BACKLOG_ORGS;
  await database.query(
    `with made as (
       insert into events (org_id, event_id, event_type, occurred_at, body, fanned_out_at)
       select org_id, first_event_id(now()) || left(md5(org_id || n || clock_timestamp()), 16), 'webhook.test', now(), convert_to($3, 'UTF8'), now()
       from unnest($1::text[]) as o (org_id), generate_series(1, $2::int) n returning *
     ) insert into webhook_deliveries (org_id, delivery_id, endpoint_id, event_id, event_type, event_seq, status, trigger, next_attempt_at)
     select m.org_id, replace(m.event_id, 'evt', 'whd'), e.endpoint_id, m.event_id, m.event_type, m.event_seq, 'pending', 'test', now()
     from made m join webhook_endpoints e on e.org_id = m.org_id`,
    [orgs, expected / BACKLOG_ORGS, JSON.stringify({ event_type: "webhook.test", data: { text: "x".repeat(400) } })],
  );
  const deadline = performance.now() + 120_000;
  const arrived = () => receivers.reduce((sum, { first }) => sum + first.size, 0);
  while (arrived() < expected && performance.now() < deadline) await delay(50);
  const times = receivers.flatMap(({ first }) => [...first.values()]).sort((a, b) => a - b);
  await retire(db, orgs);
  await Promise.all(receivers.map((receiver) => receiver.close()));
  if (times.length < expected) throw new Error(`${expected - times.length} of ${expected} deliveries did not arrive`);
  const [from, to] = [Math.floor(expected * 0.1), Math.floor(expected * 0.9)];
  return (to - from) / (((times[to] ?? 0) - (times[from] ?? 0)) / 1000);
}

/** When each event's first request arrived. @param {boolean} hangs @returns {Promise<{ url: string, hangs: boolean, first: Map<string, number>, close: () => Promise<void> }>} */
async function startReceiver(hangs) {
  /** @type {Map<string, number>} */
  const first = new Map();
  const server = createServer((request, response) => {
    const id = String(request.headers["webhook-id"]);
    if (!first.has(id)) first.set(id, performance.now());
    request.resume();
    if (!hangs) request.once("end", () => response.writeHead(204).end());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const close = () =>
    new Promise((/** @type {(value: void) => void} */ resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url: `http://127.0.0.1:${port}/`, hangs, first, close };
}

/** @param {any} db @returns {Promise<string>} */
async function newOrg(db) {
  const { createOrg } = await product("orgs/create-org.js");
  const { createProofPool } = await product("proofs/pool.js");
  const by = { ip: "127.0.0.1", user_agent: "bench", request_id: "bench" };
  const admin = { email: `${randomBytes(6).toString("hex")}@example.com`, name: "Admin", password: randomBytes(16).toString("hex") };
  const proofs = createProofPool();
  const prepared = await createOrg.prepare({ proofs }, { org_name: "Bench", ...admin });
  const { org_id } = await db.system((/** @type {any} */ tx) => createOrg.save(tx, by, prepared));
  await proofs.close();
  return org_id;
}

/** @param {any} features @param {string} org @param {string} url */
async function newEndpoint(features, org, url) {
  const { createEndpoint } = await product("webhooks/create-endpoint.js");
  const { systemCaller } = await product("shared/caller.js");
  await createEndpoint(features.webhooks, systemCaller(org), { url });
}

/** Retries of this run must not happen during the next. @param {any} db @param {string[]} orgs */
async function retire(db, orgs) {
  const { sql } = await product("db/sql.js");
  for (const org of orgs) {
    await db.tx(org, async (/** @type {any} */ tx) => {
      await tx.query(
        sql`update webhook_deliveries set status = 'cancelled', next_attempt_at = null where org_id = ${org} and status = 'pending'`,
      );
    });
  }
}
