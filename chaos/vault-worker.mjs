// node vault-worker.mjs ENVELOPE_ID@POINT…, with the database settings and DATA_DIR of the service: a worker with the queue and all jobs,
// as the product starts it, but vault.store of each envelope stops at its point. Once all have stopped, the process kills itself with
// SIGKILL, together with all its jobs. Before that it prints which point each has reached.
import { writeSync } from "node:fs";
import { product } from "../bench/harness.mjs";
import { pointAt } from "./vault-points.mjs";

// For other jobs: finishing documents, mail, fan-out. Also, each job that stops inside a transaction keeps a connection.
const SPARE = 6;

/** Returns, or never: the process dies at this point. `going`: the next step has started when the process dies. @typedef {(step: string, what: string, going?: boolean) => Promise<void>} Pass */
/** @typedef {{ envelope_id: string, point: import("./vault-points.mjs").Point, reached: boolean }} Job */

/** @type {Job[]} */
const jobs = process.argv.slice(2).map((text) => {
  const [envelope_id = "", number] = text.split("@");
  return { envelope_id, point: pointAt(Number(number)), reached: false };
});

const { poolingOf } = await product("administration.js");
const { readConfig } = await product("config.js");
const { connectDb } = await product("db/connect.js");
const { buildFeatures } = await product("features.js");
const { jobHandlers } = await product("main.js");
const { startWorker } = await product("jobs/worker.js");
const { storeEnvelope } = await product("vault/store-envelope.js");
const { startDelivering } = await product("webhooks/delivery-loop.js");

const config = readConfig(process.env);
const db = connectDb({ url: config.databaseAppUrl, poolSize: jobs.length + SPARE, ...poolingOf(config) });
const features = buildFeatures(config, db);
const log = { info: () => undefined, warn: complain, error: complain };
const meet = meeting(jobs.length);
// One at a time and after all others: they append pending entries to the log, and one of them stops while it holds the log's lock.
const late = jobs.filter(({ point }) => point.late !== null).sort((a, b) => Number(a.point.late) - Number(b.point.late));

await startWorker({
  url: config.databaseQueueUrl,
  handlers: { ...jobHandlers(features), ...handlers() },
  log,
  concurrency: jobs.length + SPARE,
});
startDelivering(features.webhooks, log);

/** @param {{ err?: unknown }} fields @param {string} message */
function complain(fields, message) {
  writeSync(2, `${message}: ${fields.err instanceof Error ? fields.err.stack : JSON.stringify(fields)}\n`);
}

function handlers() {
  return {
    /** @param {{ org_id: string, envelope_id: string }} payload */
    "vault.store": (payload) => {
      const job = jobs.find(({ envelope_id }) => envelope_id === payload.envelope_id);
      return storeEnvelope(job === undefined ? features.vault : watched(job), payload);
    },
    // The regular job would append the entries that a point of step 2 is about.
    "log.checkpoint": async () => undefined,
  };
}

/** Stops each job that arrives. When all have arrived, the process dies, after the jobs whose step is `going` have started it. @param {number} expected */
function meeting(expected) {
  let missing = expected;
  /** @type {(() => void)[]} */
  const begin = [];
  /** @type {[when: number, go: () => void][]} */
  let waiting = [];
  const die = () => {
    writeSync(1, `${JSON.stringify(jobs.filter(({ reached }) => reached).map(({ envelope_id }) => envelope_id))}\n`);
    process.kill(process.pid, "SIGKILL");
  };
  const letGo = () => {
    for (const [when, go] of waiting) if (missing <= when) go();
    waiting = waiting.filter(([when]) => missing > when);
  };
  return {
    /** @param {boolean} going */
    stand: (going) =>
      new Promise((/** @type {(value: void) => void} */ resolve) => {
        if (going) begin.push(resolve);
        missing--;
        letGo();
        if (missing > 0) return;
        for (const go of begin) go();
        // After their request was sent, and usually before its response is read.
        if (begin.length > 0) setImmediate(die);
        else die();
      }),
    /** Waits until at most this many are missing. @param {number} when */
    until: (when) =>
      new Promise((/** @type {(value: void) => void} */ resolve) => {
        waiting.push([when, resolve]);
        letGo();
      }),
  };
}

/** The dependencies of the pipeline. The current step is derived from what the pipeline has done: vault.md, section 13. @param {Job} job */
function watched(job) {
  const { vault } = features;
  const { storage, log: ledger } = vault;
  let [step, puts, looks] = ["1", 0, 0];
  /** @type {Pass} */
  const pass = async (at, what, going = false) => {
    const { point } = job;
    if (job.reached || point.step !== at || point.what !== what) return;
    job.reached = true;
    await meet.stand(going);
  };

  const tx = async (/** @type {string} */ org, /** @type {(tx: any) => Promise<any>} */ inside) => {
    if (step === "1" && looks === 0 && puts === 0) await pass("1", "begins");
    if (step === "1" && puts === 1) step = "TX2";
    if (step === "2" && looks > 0) step = "3";
    if (step === "3" && puts === 4) step = "TX3";
    if (step === "TX2" && late.includes(job)) await meet.until(late.length - late.indexOf(job));
    // The first certificates of an org wait for each other until they commit, so a job that stops before its commit runs after all others.
    if (step === "TX3" && job.point.step === "TX3" && job.point.what !== "committed") await meet.until(late.length + 1);
    const result = await db.tx(org, (/** @type {any} */ own) => committing(step, () => inside(own)));
    await pass(step, "committed");
    if (step === "TX2") step = "2";
    return result;
  };
  /** @param {string} at @param {() => Promise<any>} inside */
  const committing = async (at, inside) => {
    const made = await inside();
    await pass(at, "before commit");
    await pass(at, "commit on its way", true);
    return made;
  };
  // The second transaction of the log appends the entries and signs. The first checks whether they are already in it.
  const system = async (/** @type {(tx: any) => Promise<any>} */ inside) => {
    const isSigning = step === "2" && ++looks === 2;
    const result = await db.system((/** @type {any} */ own) => (isSigning ? committing("2", () => inside(own)) : inside(own)));
    if (isSigning) await pass("2", "committed");
    return result;
  };
  const put = async (/** @type {any[]} */ ...args) => {
    const result = await storage.blobs.put(...args);
    await pass(step, ["copy stored", "facts stored", "result stored", "certificate stored"][puts++] ?? "");
    return result;
  };
  const seal = async (/** @type {any[]} */ ...args) => {
    const result = await vault.seal(...args);
    await pass(step, "sealed");
    return result;
  };
  const own = { ...db, tx };
  const blobs = { ...storage.blobs, put };
  return { ...vault, db: own, storage: { ...storage, db: own, blobs }, seal, log: { ...ledger, db: { ...db, system } } };
}
