import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { call, openOffice, SENDING_SCOPES, sendEnvelope, sign, twoSigners } from "./ceremony.mjs";
import { atMost } from "./figure.mjs";
import { answersAt, freePort, product, scratchFolder, startDatabase, startService } from "./harness.mjs";

// An installation of 10,000 organizations and ten million envelopes at 1:50.
const ORGS = 200;
const ENVELOPES = 200_000;
const BATCH = 20_000;
const PHASE_SECONDS = 60;
const REQUESTS_PER_SECOND = 60;
const SHARE_OF_LARGEST = 0.3;
const CEREMONIES_PER_SECOND = 1;
const EVENTS_PER_SECOND = 100;
// Organizations that send envelopes and have a receiver.
const ACTIVE = 20;
const HOSTILE_IN = 100;
const STATEMENT_MS = 1_000;
const LOOK_EVERY_MS = 2_000;
const ARRIVED_WITHIN_MS = 20_000;

/** @typedef {{ org_id: string, key: string, envelopes: string[] }} Office */
/** @typedef {{ latencies: Map<string, number[]>, queues: number[], missed: number, ceremonies: number }} Phase */

/**
 * FLEET: a day of many organizations of very different sizes, twice: without the requests of the largest, and with them, which are then 30 %
 * of all. The same ceremonies and deliveries in both.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureFleet({ end, seconds }) {
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder, { shared_preload_libraries: "pg_stat_statements", "pg_stat_statements.track": "top" });
  await database.query("create extension pg_stat_statements");
  const env = { ...database.env, APP_SECRET: randomBytes(32).toString("hex"), LOG_LEVEL: "warn" };
  const { readConfig } = await product("config.js");
  const { buildFeatures } = await product("features.js");
  const { connectDb } = await product("db/connect.js");
  const db = connectDb({ url: database.appUrl, poolSize: 10 });
  end.later(() => db.end());
  const features = buildFeatures(readConfig({ ...env, DATA_DIR: join(folder, "data") }), db);
  end.later(() => features.pdf.close());
  const offices = await fill(database, db);
  const service = startService("serve", { folder, port: await freePort(), env });
  end.later(() => service.stop());
  const worker = startService("worker", { folder, port: await freePort(), env });
  end.later(() => worker.stop());
  await answersAt(service, "/readyz", 60);
  const active = offices.slice(1, 1 + ACTIVE);
  const receivers = await Promise.all(active.map(({ org_id }) => receiverOf(end, features, org_id)));
  const templates = await Promise.all(active.map(({ key }) => openOffice(service.url, key)));
  const place = { database, db, url: service.url, offices, receivers, templates };
  await run(place, { seconds: 10, withLargest: true });
  await database.query("select pg_stat_statements_reset()");
  const phases = [];
  for (const withLargest of [false, true]) phases.push(await run(place, { seconds: seconds ?? PHASE_SECONDS, withLargest }));
  const [longest] = await database.query(
    `select query, max_exec_time as ms from pg_stat_statements s join pg_roles r on r.oid = s.userid
     where r.rolname in ('countersign_serve', 'countersign_queue') order by max_exec_time desc limit 1`,
  );
  const [without, beside] = /** @type {[Phase, Phase]} */ (phases);
  return figuresOf(without, beside, longest);
}

/** @param {Phase} without @param {Phase} beside @param {{ query: string, ms: number }} longest @returns {import("./figure.mjs").Figure[]} */
function figuresOf(without, beside, longest) {
  const of = (/** @type {Phase} */ phase, /** @type {string} */ who) => percentile(phase.latencies.get(who) ?? [], 0.95);
  const ratio = of(beside, "others") / of(without, "others");
  const [early, late] = [beside.queues.slice(0, beside.queues.length / 2), beside.queues.slice(beside.queues.length / 2)].map(highest);
  const missed = without.missed + beside.missed;
  return [
    {
      id: "FLEET",
      name: `p95 of ${ORGS - 1} organizations beside the largest, compared with without it`,
      measured: `${ratio.toFixed(2)} × (${of(beside, "others").toFixed(1)} of ${of(without, "others").toFixed(1)} ms; the largest ${of(beside, "largest").toFixed(1)} ms)`,
      goal: "< 2 ×",
      verdict: ratio < 2 ? "met" : "missed",
      values: { without: [...without.latencies], beside: [...beside.latencies] },
    },
    {
      id: "FLEET",
      name: "longest statement of the service and its workers",
      measured: `${longest.ms.toFixed(0)} ms`,
      goal: `<= ${STATEMENT_MS} ms`,
      verdict: atMost(longest.ms, STATEMENT_MS),
      values: { query: longest.query },
    },
    {
      id: "FLEET",
      name: "waiting in outbox, jobs and deliveries, most of the first and of the second half",
      measured: `${early} and ${late}`,
      goal: "<= 2 × and 100",
      verdict: atMost(late ?? 0, 2 * (early ?? 0) + 100),
      values: { queues: beside.queues },
    },
    {
      id: "FLEET",
      name: "deliveries to receivers that respond, missing at the end",
      measured: `${missed}`,
      goal: "0",
      verdict: atMost(missed, 0),
    },
    {
      id: "FLEET",
      name: "ceremonies of two signers finished",
      measured: `${without.ceremonies} and ${beside.ceremonies}`,
      goal: "",
      verdict: "info",
    },
  ];
}

/** @param {readonly number[]} values */
const highest = (values) => Math.max(0, ...values);

/** @param {readonly number[]} values @param {number} q */
const percentile = (values, q) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * q)] ?? Number.NaN;

/**
 * Organizations of Zipf's sizes, the largest first, each with a key.
 * @param {import("./harness.mjs").Database} database @param {any} db @returns {Promise<Office[]>}
 */
async function fill(database, db) {
  const { newId } = await product("shared/ids.js");
  const { createKey } = await product("keys/create-key.js");
  const { systemCaller } = await product("shared/caller.js");
  const share = ENVELOPES / Array.from({ length: ORGS }, (_, n) => 1 / (n + 1)).reduce((sum, part) => sum + part, 0);
  /** @type {Office[]} */
  const offices = [];
  for (let n = 0; n < ORGS; n++) {
    const org_id = await newOrg(db, n);
    const wanted = { partner_name: "Fleet", scopes: SENDING_SCOPES, rate_limit_rpm: 100_000 };
    const { api_key: key } = await createKey({ db, defaultRateLimitRpm: 100 }, systemCaller(org_id), wanted);
    const count = Math.max(1, Math.round(share / (n + 1)));
    offices.push({ org_id, key, envelopes: Array.from({ length: count }, () => newId("envelope")) });
  }
  const all = offices.flatMap(({ org_id, envelopes }) => envelopes.map((id) => [org_id, id]));
  for (let first = 0; first < all.length; first += BATCH) await insertEnvelopes(database, all.slice(first, first + BATCH));
  await database.query("vacuum analyze");
  return offices;
}

/** Sent to one person each, with the words of their names. @param {import("./harness.mjs").Database} database @param {string[][]} rows */
async function insertEnvelopes(database, rows) {
  await database.query(
    `with given as (
      select o.org_id, o.id, n, (array['sent', 'viewed', 'completed', 'vaulted'])[1 + n % 4] as status, 'Lease ' || n as name
      from unnest($1::text[], $2::text[]) with ordinality as o (org_id, id, n)
    ), made as (
      insert into envelopes (org_id, envelope_id, envelope_name, name_key, status, external_id, submission_id, sent_at, completed_at, expires_at)
      select org_id, id, name, lower(name), status, 'fleet-' || n, 'sub_' || right(id, 26), now(),
        case when status in ('completed', 'vaulted') then now() end, now() + interval '20 days'
      from given returning org_id, envelope_id, submission_id
    ), submitted as (
      insert into submissions (org_id, submission_id, envelope_id, provider, signing_order)
      select org_id, submission_id, envelope_id, 'builtin', 'parallel' from made returning org_id, submission_id, envelope_id
    ), people as (
      insert into signers (org_id, submission_id, turn, step, recipient_id, envelope_id, slug, email, name, role, invited_at)
      select org_id, submission_id, 1, 1, 'rcp_' || right(envelope_id, 26), envelope_id, md5(org_id || submission_id),
        'signer@example.com', 'Signer', 'Signer', now() from submitted
    )
    insert into envelope_words (org_id, word, envelope_id)
    select org_id, word, id from given, lateral (values ('lease'), (n::text)) as w (word)`,
    [rows.map(([org_id]) => org_id), rows.map(([, id]) => id)],
  );
}

/** @param {any} db @param {number} n @returns {Promise<string>} */
async function newOrg(db, n) {
  const { createOrg } = await product("orgs/create-org.js");
  const { createProofPool } = await product("proofs/pool.js");
  const by = { ip: "127.0.0.1", user_agent: "bench", request_id: "bench" };
  const admin = { email: `admin${n}@example.com`, name: "Admin", password: randomBytes(16).toString("hex") };
  const proofs = createProofPool();
  const prepared = await createOrg.prepare({ proofs }, { org_name: `Office ${n}`, ...admin });
  const { org_id } = await db.system((/** @type {any} */ tx) => createOrg.save(tx, by, prepared));
  await proofs.close();
  return org_id;
}

/**
 * @typedef {object} Place
 * @property {import("./harness.mjs").Database} database
 * @property {any} db
 * @property {string} url
 * @property {readonly Office[]} offices the largest first
 * @property {readonly Receiver[]} receivers of the active ones
 * @property {readonly import("./ceremony.mjs").Office[]} templates of the active ones
 */

/** @param {Place} place @param {{ seconds: number, withLargest: boolean }} wanted @returns {Promise<Phase>} */
async function run(place, { seconds, withLargest }) {
  const until = performance.now() + seconds * 1000;
  const [latencies, queues, expected] = [new Map(), /** @type {number[]} */ ([]), /** @type {[Receiver, string][]} */ ([])];
  let ceremonies = 0;
  await Promise.all([
    atRate(REQUESTS_PER_SECOND, until, (n) => ask(place, n, withLargest, latencies)),
    atRate(CEREMONIES_PER_SECOND, until, async (n) => {
      const office = place.templates[n % place.templates.length];
      if (office === undefined) return;
      const signers = twoSigners(randomBytes(6).toString("hex"));
      const envelope_id = await sendEnvelope(office, { signers });
      for (const signer of signers) await sign(office, envelope_id, signer);
      ceremonies++;
    }),
    atRate(EVENTS_PER_SECOND, until, async (n) => {
      const receiver = place.receivers[n % place.receivers.length];
      if (receiver !== undefined) expected.push([receiver, await appendEvent(place.db, receiver.org_id)]);
    }),
    atRate(1000 / LOOK_EVERY_MS, until, async () => {
      queues.push(await waiting(place.database));
    }),
  ]);
  const deadline = performance.now() + ARRIVED_WITHIN_MS;
  const missing = () => expected.filter(([receiver, event_id]) => !receiver.hangs && !receiver.seen.has(event_id)).length;
  while (missing() > 0 && performance.now() < deadline) await delay(100);
  return { latencies, queues, missed: missing(), ceremonies };
}

/** Begins `act` at this rate, whether or not the ones before have ended. @param {number} perSecond @param {number} until @param {(n: number) => Promise<void>} act */
async function atRate(perSecond, until, act) {
  const began = performance.now();
  const running = [];
  for (let n = 0; performance.now() < until; n++) {
    await delay(began + (n * 1000) / perSecond - performance.now());
    running.push(act(n));
  }
  await Promise.all(running);
}

const PATHS = [
  "/partner/envelopes?limit=20",
  "/partner/envelopes?status=sent&limit=20",
  "/partner/envelopes?q=lease&limit=20",
  "/partner/envelopes?sort=envelope_name&limit=20",
];

/**
 * One request of an organization: of the largest, or of another in proportion to its size.
 * @param {Place} place @param {number} n @param {boolean} withLargest @param {Map<string, number[]>} latencies
 */
async function ask({ url, offices }, n, withLargest, latencies) {
  const isLargest = n % 10 < SHARE_OF_LARGEST * 10;
  // Without the largest, its requests are left out, so that the others make as many in both phases.
  if (isLargest && !withLargest) return;
  const office = isLargest ? offices[0] : offices[1 + Math.floor((ORGS - 1) ** Math.random()) - 1];
  if (office === undefined) return;
  const one = office.envelopes[n % office.envelopes.length];
  const path = n % 2 === 0 ? `/partner/envelopes/${one}` : (PATHS[Math.floor(n / 2) % PATHS.length] ?? "");
  const began = performance.now();
  const { status } = await call(url, "GET", path, { "x-api-key": office.key });
  if (status !== 200) throw new Error(`${path} returned ${status}`);
  const who = isLargest ? "largest" : "others";
  const known = latencies.get(who) ?? [];
  known.push(performance.now() - began);
  latencies.set(who, known);
}

/** @param {any} db @param {string} org_id @returns {Promise<string>} */
async function appendEvent(db, org_id) {
  const { appendEvent: append } = await product("events/append-event.js");
  const { newId } = await product("shared/ids.js");
  const envelope_id = newId("envelope");
  const data = { envelope_id, reason: "bench", customer_id: null, external_id: null };
  return db.tx(org_id, (/** @type {any} */ tx) => append(tx, org_id, { type: "envelope.voided", envelope_id, data }));
}

/** What waits now: deliveries that wait for their next attempt do not. @param {import("./harness.mjs").Database} database */
async function waiting(database) {
  const [row] = await database.query(
    `select (select count(*) from outbox)::int + (select count(*) from graphile_worker.jobs where run_at <= now() and attempts = 0)::int
       + (select count(*) from webhook_deliveries where status = 'pending' and next_attempt_at <= now())::int as n`,
  );
  return row.n;
}

/** @typedef {{ org_id: string, hangs: boolean, seen: Set<string> }} Receiver */

let receivers = 0;

/** @param {import("./harness.mjs").Cleanup} end @param {any} features @param {string} org_id @returns {Promise<Receiver>} */
async function receiverOf(end, features, org_id) {
  const { createEndpoint } = await product("webhooks/create-endpoint.js");
  const { systemCaller } = await product("shared/caller.js");
  const receiver = { org_id, hangs: receivers++ % HOSTILE_IN === 0, seen: new Set() };
  const server = createServer((request, response) => {
    receiver.seen.add(String(request.headers["webhook-id"]));
    request.resume();
    if (!receiver.hangs) request.once("end", () => response.writeHead(204).end());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  end.later(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve(undefined)));
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  await createEndpoint(features.webhooks, systemCaller(org_id), { url: `http://127.0.0.1:${port}/` });
  return receiver;
}
