// node finish-once.mjs ORG_ID ENVELOPE_ID[@POINT]…, with the service's DATA_DIR and its settings of the database, if it has any: runs the job
// that finishes documents next to the running service, on its database and in its folder. Without points it finishes each envelope and prints the points that it passed. With points it
// runs every job until it reaches its own point, and then kills itself with SIGKILL, like a worker that dies with all its jobs.
import { writeSync } from "node:fs";
import { product } from "../bench/harness.mjs";

// The same number as in a worker.
const FINISHED_AT_ONCE = 4;
// Each job that stops inside a transaction keeps a connection. The others need their own.
const SPARE_CONNECTIONS = 4;

/** @typedef {{ envelope_id: string, at: number | null, passed: string[] }} Job at: the point to die at, from 1 */
/** Passes a point, or never returns. `going`: the next step has started when the process dies. @typedef {(name: string, going?: boolean) => Promise<void>} Pass */

const [org_id = "", ...wanted] = process.argv.slice(2);
/** @type {Job[]} */
const jobs = wanted.map((text) => {
  const [envelope_id = "", point] = text.split("@");
  return { envelope_id, at: point === undefined ? null : Number(point), passed: [] };
});
const dying = jobs.filter(({ at }) => at !== null).length;

const { readConfig } = await product("config.js");
const { connectDb } = await product("db/connect.js");
const { lookUpRunning } = await product("db/embedded.js");
const { poolingOf } = await product("administration.js");
const { buildFeatures } = await product("features.js");
const { finishDocument } = await product("envelopes/finish-document.js");
const { sealDocument } = await product("seals/seal-document.js");

const config = readConfig(process.env);
const url = config.databaseAppUrl ?? (await lookUpRunning(config.dataDir))?.appUrl;
if (url === undefined) throw new Error("no service is running in this folder");
const db = connectDb({ url, poolSize: dying + SPARE_CONNECTIONS, ...poolingOf(config) });
const features = buildFeatures(config, db);
const meet = meeting(dying);
const death = new Promise(() => undefined);
const waiting = [...jobs];
const next = async () => {
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
    const { envelope_id, at, passed } = job;
    await finishDocument(watched(passOf(job)), { org_id, envelope_id });
    // The others would wait for it forever. A job that was released can still finish at the last moment.
    if (at !== null && passed.length < at) throw new Error(`${envelope_id} has ${passed.length} points and never reached point ${at}`);
    if (at !== null) await death;
  }
};
await Promise.all(Array.from({ length: dying === 0 ? FINISHED_AT_ONCE : jobs.length }, next));
say();
await features.pdf.close();
await db.end();

function say() {
  writeSync(1, `${JSON.stringify(Object.fromEntries(jobs.map(({ envelope_id, passed }) => [envelope_id, passed])))}\n`);
}

/** Stops each job that arrives. When all have arrived, the process dies, after the jobs whose step is `going` have started it. @param {number} expected */
function meeting(expected) {
  let missing = expected;
  /** @type {(() => void)[]} */
  const begin = [];
  const die = () => {
    say();
    process.kill(process.pid, "SIGKILL");
  };
  return (/** @type {boolean} */ going) =>
    new Promise((/** @type {(value: void) => void} */ resolve) => {
      if (going) begin.push(resolve);
      if (--missing > 0) return;
      for (const go of begin) go();
      // After their request was sent, and usually before its response is read.
      if (begin.length > 0) setImmediate(die);
      else die();
    });
}

/** @param {Job} job @returns {Pass} */
function passOf({ at, passed }) {
  return async (name, going = false) => {
    passed.push(name);
    if (passed.length === at) await meet(going);
  };
}

/** The dependencies of the job, with a point before and after every step that leaves something behind. @param {Pass} pass */
function watched(pass) {
  const { envelopes, storage, seals, pdf } = features;
  const own = { ...db, tx: inTransaction(pass, db.tx), system: inTransaction(pass, db.system) };
  const { read, put } = storage.blobs;
  const blobs = { ...storage.blobs, read: around(pass, "read", read), put: around(pass, "put", put) };
  const seal = (/** @type {string} */ org, /** @type {Uint8Array} */ bytes, /** @type {string} */ reason) =>
    sealDocument({ ...seals, db: own }, org, bytes, { reason });
  return {
    ...envelopes,
    db: own,
    storage: { ...storage, db: own, blobs },
    pdf: { ...pdf, finish: around(pass, "stamp", pdf.finish) },
    seal: around(pass, "seal", seal),
  };
}

/** @param {Pass} pass @param {string} name @param {(...args: any[]) => Promise<any>} step */
function around(pass, name, step) {
  return async (/** @type {any[]} */ ...args) => {
    await pass(`before ${name}`);
    const result = await step(...args);
    await pass(`after ${name}`);
    return result;
  };
}

/** The last argument is the function that runs inside. @param {Pass} pass @param {(...args: any[]) => Promise<any>} transaction */
function inTransaction(pass, transaction) {
  return async (/** @type {any[]} */ ...args) => {
    await pass("before begin");
    const inside = args.at(-1);
    const result = await transaction(...args.slice(0, -1), async (/** @type {any} */ tx) => {
      const made = await inside(tx);
      await pass("before commit");
      await pass("at commit", true);
      return made;
    });
    await pass("after commit");
    return result;
  };
}
