import { setTimeout as delay } from "node:timers/promises";
import { lookAt, openOffice, SENDING_SCOPES, sendEnvelope, sign, twoSigners } from "./ceremony.mjs";
import { atMost, median } from "./figure.mjs";
import { answersAt, fillDatabase, freePort, scratchFolder, startDatabase, startService } from "./harness.mjs";
import { cpuSecondsOf, databaseCpuSeconds } from "./process-use.mjs";

const WARM_UP = 24;
const ROUNDS = 5;
const SIGNINGS = 24;
const AT_ONCE = 4;
// Each poll costs the service about 2 ms, which count.
const POLL_MS = 200;
const SETTLED_WITHIN_MS = 120_000;

/** @typedef {{ envelope_id: string, signers: readonly import("./ceremony.mjs").Signer[] }} Sent */
/** @typedef {{ office: import("./ceremony.mjs").Office, database: import("./harness.mjs").Database }} Place */

/**
 * SIGN: CPU and elapsed time of a contract of two pages that two people sign: each opens the page, sees page 1, gives consent, adopts a
 * signature, fills in fields and signs; then the sealed document is downloaded. Once with the worker in the same process, and once with a
 * separate worker that is paused while people sign, so that each part can be measured. S16 is the first part, with its statements.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureSigning({ end }) {
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder, { shared_preload_libraries: "pg_stat_statements", "pg_stat_statements.track": "top" });
  await database.query("create extension pg_stat_statements");
  const { keys } = await fillDatabase(database, { envelopes: 0, keys: 1, scopes: SENDING_SCOPES });
  const run = async (/** @type {string} */ command) => {
    const service = startService(command, { folder, port: await freePort(), env: database.env });
    end.later(() => service.stop());
    if (command !== "worker") await answersAt(service, "/readyz", 60);
    return service;
  };
  const whole = await run("start");
  const office = await openOffice(whole.url, keys[0] ?? "");
  const rounds = await measureWhole({ office, database }, whole);
  await whole.stop();
  const [serve, worker] = [await run("serve"), await run("worker")];
  const parts = await measureParts(end, { office: { ...office, url: serve.url }, database }, serve, worker);
  return figuresOf(rounds, parts);
}

/** @param {Place} place @param {import("./harness.mjs").Program} service */
async function measureWhole(place, service) {
  const spent = clock(place.database, { service });
  await inTurns(await sendMany(place, WARM_UP), (sent) => signAndFetch(place, sent));
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const sent = await sendMany(place, SIGNINGS);
    spent();
    const began = performance.now();
    const times_ms = await inTurns(sent, (one) => signAndFetch(place, one));
    const wall_ms = (performance.now() - began) / SIGNINGS;
    rounds.push({ ...spent(), wall_ms, time_ms: median(times_ms) });
  }
  return rounds;
}

/** @param {import("./harness.mjs").Cleanup} end @param {Place} place @param {import("./harness.mjs").Program} serve @param {import("./harness.mjs").Program} worker */
async function measureParts(end, place, serve, worker) {
  const spent = clock(place.database, { serve, worker });
  const tell = (/** @type {NodeJS.Signals} */ signal) => worker.running() && process.kill(worker.pid, signal);
  // A paused process cannot react to a signal to end.
  end.later(() => tell("SIGCONT"));
  await inTurns(await sendMany(place, WARM_UP), (sent) => signAndFetch(place, sent));
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const sent = await sendMany(place, SIGNINGS);
    tell("SIGSTOP");
    await place.database.query("select pg_stat_statements_reset()");
    spent();
    await inTurns(sent, (one) => signAll(place, one));
    const ceremony = { ...spent(), statements: await statements(place) };
    tell("SIGCONT");
    await settled(place);
    const finishing = spent();
    await inTurns(sent, ({ envelope_id }) => fetchSealed(place, envelope_id));
    rounds.push({ ceremony, finishing, fetching: spent() });
  }
  return rounds;
}

/** The CPU time of each process since the last call, in milliseconds per signing. @param {import("./harness.mjs").Database} database @param {Record<string, import("./harness.mjs").Program>} programs */
function clock(database, programs) {
  const read = () => ({
    ...Object.fromEntries(Object.entries(programs).map(([name, { pid }]) => [`${name}_ms`, cpuSecondsOf(pid)])),
    database_ms: databaseCpuSeconds(database.pid),
  });
  /** @type {Record<string, number>} */
  let before = read();
  return () => {
    /** @type {Record<string, number>} */
    const now = read();
    const spent = Object.fromEntries(Object.entries(now).map(([name, value]) => [name, ((value - (before[name] ?? 0)) * 1000) / SIGNINGS]));
    before = now;
    return spent;
  };
}

/** How many the service sent per signing, `begin` and `commit` too. @param {Place} place */
async function statements({ database }) {
  const [row] = await database.query("select sum(calls)::int as n from pg_stat_statements where userid = 'countersign_serve'::regrole");
  return row.n / SIGNINGS;
}

let named = 0;

/** Sends the envelopes and waits for the worker, whose work for sending is not part of the figure. @param {Place} place @param {number} count @returns {Promise<Sent[]>} */
async function sendMany(place, count) {
  const wanted = Array.from({ length: count }, () => twoSigners(String(named++)));
  const sent = await inTurns(wanted, async (signers) => ({ envelope_id: await sendEnvelope(place.office, { signers }), signers }));
  await settled(place);
  return sent;
}

/** @template T, R @param {readonly T[]} items @param {(item: T) => Promise<R>} act @returns {Promise<R[]>} */
async function inTurns(items, act) {
  const left = [...items];
  /** @type {R[]} */
  const results = [];
  const one = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) results.push(await act(item));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return results;
}

/** Milliseconds from opening the page to the sealed document. @param {Place} place @param {Sent} sent */
async function signAndFetch(place, sent) {
  const began = performance.now();
  await signAll(place, sent);
  await fetchSealed(place, sent.envelope_id);
  return performance.now() - began;
}

/** @param {Place} place @param {Sent} sent */
async function signAll({ office }, { envelope_id, signers }) {
  for (const signer of signers) await sign(office, envelope_id, signer);
}

/** @param {Place} place @param {string} envelope_id */
async function fetchSealed({ office }, envelope_id) {
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  while (performance.now() < deadline) {
    const { status, headers, json } = await lookAt(office, envelope_id, "/document");
    if (status === 200 && headers.get("x-document-rendition") === "signed") return;
    if (status < 400 || headers.get("retry-after") === null)
      throw new Error(`reading a document returned ${status} ${JSON.stringify(json)}`);
    await delay(POLL_MS);
  }
  throw new Error("a document was not sealed in time");
}

/** Waits until the queue is empty. @param {Place} place */
async function settled({ database }) {
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  while (performance.now() < deadline) {
    const [row] = await database.query("select (select count(*) from outbox)::int + (select count(*) from graphile_worker.jobs)::int as n");
    if (row.n === 0) return;
    await delay(POLL_MS);
  }
  throw new Error("the queue did not become empty");
}

/** @param {Record<string, number>[]} rounds @param {Record<string, Record<string, number>>[]} parts @returns {import("./figure.mjs").Figure[]} */
function figuresOf(rounds, parts) {
  const of = (/** @type {string} */ name) => median(rounds.map((round) => round[name] ?? Number.NaN));
  const part = (/** @type {string} */ name, /** @type {string} */ program) =>
    median(parts.map((round) => round[name]?.[program] ?? Number.NaN));
  const shares = [part("ceremony", "serve_ms"), part("finishing", "worker_ms"), part("fetching", "serve_ms")];
  const stored = [part("ceremony", "database_ms"), part("finishing", "database_ms"), part("fetching", "database_ms")];
  const sum = (/** @type {number[]} */ values) => values.map((value) => value.toFixed(1)).join(" + ");
  const [serve_ms = Number.NaN, database_ms = Number.NaN, sent = Number.NaN] = ["serve_ms", "database_ms", "statements"].map((what) =>
    part("ceremony", what),
  );
  const info = { id: "SIGN", goal: "", verdict: /** @type {const} */ ("info") };
  return [
    goalOf("CPU of the service", serve_ms, 90, "ms"),
    goalOf("PostgreSQL's CPU", database_ms, 50, "ms"),
    goalOf("statements", sent, 120, ""),
    { ...info, name: "CPU per signing by two people", measured: `${of("service_ms").toFixed(1)} ms`, values: { rounds, parts } },
    { ...info, name: "PostgreSQL's CPU per signing by two people", measured: `${of("database_ms").toFixed(1)} ms` },
    {
      ...info,
      name: `time of one signing, ${AT_ONCE} at once`,
      measured: `${of("time_ms").toFixed(0)} ms, one every ${of("wall_ms").toFixed(0)} ms`,
    },
    { ...info, name: "CPU by part: ceremony + stamp and seal + download", measured: `${sum(shares)} ms, PostgreSQL's ${sum(stored)} ms` },
  ];
}

/** @param {string} what @param {number} value @param {number} goal @param {string} unit @returns {import("./figure.mjs").Figure} */
function goalOf(what, value, goal, unit) {
  const name = `a ceremony with two signers: ${what}`;
  return {
    id: "S16",
    name,
    measured: `${value.toFixed(1)} ${unit}`.trim(),
    goal: `<= ${goal} ${unit}`.trim(),
    verdict: atMost(value, goal),
  };
}
