// An upgrade as docs/upgrading.md has it, while people sign, keys are created and events are delivered: processes of the version before, then
// of both, then of the new one, behind a balancer. No request may fail, nothing may be lost, and what the version before uses must stay until
// none of its processes runs. scripts/test-upgrade.mjs builds both versions.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lookAt, openOffice, SENDING_SCOPES, sendEnvelope, sign, twoSigners } from "../bench/ceremony.mjs";
import { answersAt, freePort, product, startProgram, statusOf } from "../bench/harness.mjs";
import { client } from "./api.mjs";
import { startBalancer } from "./balancer.mjs";
import { startReceiver } from "./receiver.mjs";
import { hashOf, signedHash, verifyEvidence } from "./restore.mjs";
import { countOf, verdictTable } from "./runner.mjs";
import { adminSession } from "./session.mjs";
import { faultsOfRequests, idOf } from "./webhooks.mjs";

const READY_WITHIN_SECONDS = 180;
const SETTLED_WITHIN_MS = 120_000;
const LANES = 2;
// Of each three envelopes one is vaulted, one is only signed, and one only sent.
const KINDS = 3;
// Envelopes that are finished in each part of the upgrade.
const ROUNDS = 3;
const PAUSE_MS = 400;
const SECRET = "the secret of the upgraded installation: 51c90e7d";
const ADMIN = { email: "admin@example.com", password: "mauve otter kettle 1931" };
const SCOPES = [...SENDING_SCOPES, "webhooks:write", "vault:read"];

/** @typedef {{ name: string, folder: string }} Version a release in a folder */
/** @typedef {{ envelope_id: string, kind: number, sha256: string | null }} Acknowledged */
/** @typedef {import("../bench/harness.mjs").Program & { version: Version, role: "serve" | "worker", probes: string, log: string }} Process */
/**
 * @typedef {object} Outcome
 * @property {string[]} found every violation
 * @property {Record<string, number>} answered requests by version
 * @property {number} signed @property {number} keys @property {number} events @property {number} documents @property {number} evidence
 * @property {string[]} steps
 */

/**
 * @param {{ end: import("../bench/harness.mjs").Cleanup, folder: string, previous: Version, next: Version, note: (line: string) => void }} run
 * @returns {Promise<Outcome>}
 */
export async function upgrade({ end, folder, previous, next, note }) {
  /** @type {Outcome} */
  const outcome = { found: [], answered: {}, signed: 0, keys: 0, events: 0, documents: 0, evidence: 0, steps: [] };
  const step = (/** @type {string} */ text) => {
    outcome.steps.push(text);
    note(text);
  };
  const balancer = await startBalancer(end, isNotReadyYet);
  const receiver = await startReceiver(end);
  const place = await placeOf(end, folder, balancer.url);
  must(await command(previous, place, ["migrate"]), "migrate of the version before");
  const org = must(
    await command(previous, place, ["setup", "--org", "Acme", "--email", ADMIN.email, "--name", "Ada"], { SETUP_PASSWORD: ADMIN.password }),
    "setup",
  );
  const [org_id = ""] = /org_\w+/.exec(org) ?? [];
  const made = must(
    await command(previous, place, [
      "keys",
      "create",
      "--org",
      org_id,
      "--name",
      "Load",
      "--scopes",
      SCOPES.join(","),
      "--rate-limit",
      "100000",
    ]),
    "keys create",
  );
  const [key = ""] = /lk_[0-9a-f]{40}/.exec(made) ?? [];

  const start = async (/** @type {Version} */ version, /** @type {"serve" | "worker"} */ role) => {
    const process = await startProcess(end, place, version, role);
    await answersAt({ ...process, url: process.probes }, "/readyz", READY_WITHIN_SECONDS);
    if (role === "serve") balancer.add({ name: version.name, url: process.url });
    return process;
  };
  const stop = async (/** @type {Process} */ process) => {
    const { code, signal } = await process.stop("SIGTERM");
    balancer.remove(process.url);
    if (code !== 0) outcome.found.push(`end: ${process.role} of ${process.version.name} ended with ${code ?? signal}`);
  };

  const before = { serves: [await start(previous, "serve"), await start(previous, "serve")], worker: await start(previous, "worker") };
  const load = await startLoad(end, { url: balancer.url, key, receiver, outcome });
  await load.rounds(ROUNDS);
  step(`${previous.name} alone: ${load.count()} envelopes`);

  must(await command(next, place, ["migrate"]), `migrate of ${next.name}`);
  step(`migrated by ${next.name}`);
  const early = await command(next, place, ["migrate", "--contract"]);
  if (early.code === 0 || !early.said.includes("processes of one still run"))
    outcome.found.push(`contract: not refused while ${previous.name} runs: ${early.code} ${early.said}`);
  await load.rounds(ROUNDS);
  for (const process of [...before.serves, before.worker]) await requireReady(process, outcome);
  const again = await startProcess(end, place, previous, "serve");
  const isBack = await answersAt(again, "/readyz", READY_WITHIN_SECONDS).then(
    () => null,
    (error) => String(error),
  );
  if (isBack !== null) outcome.found.push(`ready: ${previous.name} cannot be started on the new schema: ${isBack} ${lastOf(again.log)}`);
  else await stop(again);
  step(`${previous.name} on the new schema: ${load.count()} envelopes`);

  const worker = await start(next, "worker");
  await stop(before.worker);
  await load.rounds(ROUNDS);
  const [first, second] = before.serves;
  const serves = [await start(next, "serve")];
  if (first !== undefined) await stop(first);
  await load.rounds(ROUNDS);
  step(`both: ${load.count()} envelopes`);
  serves.push(await start(next, "serve"));
  if (second !== undefined) await stop(second);
  await backfilled(next, place, outcome);
  await load.rounds(ROUNDS);
  step(`${next.name} alone: ${load.count()} envelopes`);

  const late = await command(next, place, ["migrate", "--contract"]);
  if (late.code !== 0 || !late.said.includes("applied")) outcome.found.push(`contract: not applied: ${late.code} ${late.said}`);
  await load.rounds(ROUNDS);
  step(`after the contract step: ${load.count()} envelopes`);
  for (const process of [...serves, worker]) await requireReady(process, outcome);
  const refused = await startProcess(end, place, previous, "serve");
  const { code } = await refused.ended;
  if (code === 0 || !/newer than this program/.test(readFileSync(refused.log, "utf8")))
    outcome.found.push(`contract: ${previous.name} was not refused afterwards: ${code} ${lastOf(refused.log)}`);

  await load.stop();
  Object.assign(outcome.answered, balancer.answered);
  for (const { what, target, status, why } of balancer.failures)
    outcome.found.push(`refused: ${what} by ${target}: ${status ?? "no response"} ${why}`);
  await load.check();
  for (const process of [...serves, worker]) await stop(process);
  return outcome;
}

/** Who asks for a signed document too early is told to ask again. @param {{ method: string, path: string, status: number }} answer */
const isNotReadyYet = ({ method, path, status }) => method === "GET" && path.endsWith("/document") && status === 409;

/** @typedef {{ folder: string, url: string, env: Record<string, string> }} Place */

/** A PostgreSQL without tables, and the settings of an installation on it. @param {import("../bench/harness.mjs").Cleanup} end @param {string} folder @param {string} publicUrl @returns {Promise<Place>} */
async function placeOf(end, folder, publicUrl) {
  const { startEmbedded } = await product("db/embedded.js");
  const { ensureEmbeddedLogins } = await product("db/logins.js");
  const server = await startEmbedded({ dataDir: join(folder, "database") });
  end.later(() => server.stop());
  await ensureEmbeddedLogins(server.url, server.logins);
  mkdirSync(join(folder, "data"), { recursive: true });
  return {
    folder,
    url: server.url,
    env: {
      DATA_DIR: join(folder, "data"),
      DATABASE_APP_URL: server.appUrl,
      DATABASE_QUEUE_URL: server.queueUrl,
      APP_SECRET: SECRET,
      PUBLIC_URL: publicUrl,
      LOG_LEVEL: "warn",
      WEBHOOK_ALLOW_HTTP: "true",
    },
  };
}

const program = (/** @type {Version} */ { folder }) => join(folder, "server/bin/countersign.js");

/** With the owner's login, as operators run it. @param {Version} version @param {Place} place @param {string[]} args @param {Record<string, string>} [more] @returns {Promise<{ code: number, said: string }>} */
function command(version, { folder, url, env }, args, more = {}) {
  const settings = { PATH: process.env.PATH, HOME: process.env.HOME, ...env, DATABASE_URL: url, ...more };
  return new Promise((resolve) => {
    execFile(process.execPath, [program(version), ...args], { cwd: folder, env: settings }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), said: `${stdout}${stderr}` }),
    );
  });
}

/** @param {{ code: number, said: string }} ended @param {string} what @returns {string} */
function must({ code, said }, what) {
  if (code !== 0) throw new Error(`${what} ended with ${code}: ${said}`);
  return said;
}

let started = 0;

/** @param {import("../bench/harness.mjs").Cleanup} end @param {Place} place @param {Version} version @param {"serve" | "worker"} role @returns {Promise<Process>} */
async function startProcess(end, { folder, env }, version, role) {
  const [port, probes] = [await freePort(), await freePort()];
  const log = join(folder, `${++started}-${role}-of-${version.name.replace(/\W/g, "-")}.log`);
  const settings = { ...env, METRICS_PORT: String(probes) };
  const running = startProgram({ args: ["--v8-pool-size=1", program(version), role], env: settings, port, log, cwd: folder });
  end.later(() => running.stop("SIGKILL"));
  return { ...running, version, role, probes: `http://127.0.0.1:${probes}`, log };
}

/** @param {string} log */
const lastOf = (log) => readFileSync(log, "utf8").trimEnd().split("\n").slice(-3).join(" ").slice(0, 600);

/** @param {Process} process @param {Outcome} outcome */
async function requireReady({ probes, role, version, log }, outcome) {
  const status = await statusOf(`${probes}/readyz`);
  if (status === 200) return;
  const why = status === 0 ? lastOf(log) : await (await fetch(`${probes}/readyz`)).text();
  outcome.found.push(`ready: ${role} of ${version.name} answered ${status}: ${why}`);
}

/** Waits until jobs have filled in what the migration asked for. @param {Version} version @param {Place} place @param {Outcome} outcome */
async function backfilled(version, place, outcome) {
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const status = must(await command(version, place, ["migrate", "--status"]), "migrate --status");
    if (!status.includes("fills in")) return;
    if (performance.now() > deadline) return void outcome.found.push(`contract: a backfill is not done: ${status}`);
    await delay(1_000);
  }
}

/** @param {import("../bench/harness.mjs").Cleanup} end @param {{ url: string, key: string, receiver: Awaited<ReturnType<typeof startReceiver>>, outcome: Outcome }} at */
async function startLoad(end, { url, key, receiver, outcome }) {
  const send = client(url);
  const byKey = { "x-api-key": key };
  const endpoint = await send("POST", "/webhooks/endpoints", { headers: byKey, body: { url: receiver.url } });
  if (endpoint.status !== 201) throw new Error(`the endpoint returned ${endpoint.status} ${JSON.stringify(endpoint.json)}`);
  const office = await openOffice(url, key);
  const session = adminSession(send, ADMIN, 60_000);
  /** @type {Acknowledged[]} */
  const acknowledged = [];
  /** @type {Map<string, string>} by id */
  const keys = new Map();
  /** @type {Set<string>} */
  const events = new Set();
  let isOver = false;
  end.later(() => {
    isOver = true;
  });

  /** The balancer keeps failed requests; this is for what is wrong with the others. @param {unknown} error */
  const note = (error) => void outcome.found.push(`load: ${error}`);

  /** @param {number} lane */
  async function signAll(lane) {
    for (let n = 0; !isOver; n++) {
      const kind = n % KINDS;
      const signers = twoSigners(`${lane}-${n}`);
      try {
        const envelope_id = await sendEnvelope(office, { signers, auto_vault_enabled: kind === 2 });
        for (const signer of kind === 0 ? [] : signers) await sign(office, envelope_id, signer);
        acknowledged.push({ envelope_id, kind, sha256: kind === 1 ? await signedHash(office, envelope_id) : null });
      } catch (error) {
        note(error);
      }
    }
  }

  async function createKeys() {
    for (let n = 0; !isOver; n++) {
      try {
        const headers = { authorization: `Bearer ${await session.token()}` };
        const made = await send("POST", "/partners/keys", { headers, body: { partner_name: `Partner ${n}`, scopes: ["envelopes:read"] } });
        if (made.status !== 201) throw new Error(`a key returned ${made.status}`);
        const { key_id, api_key } = made.json.data;
        keys.set(key_id, api_key);
        const read = await send("GET", "/partner/envelopes?limit=10", { headers: { "x-api-key": api_key } });
        if (read.status !== 200) throw new Error(`a new key was answered with ${read.status}`);
        const test = await send("POST", `/partners/keys/${key_id}/test-webhook`, { headers });
        if (test.status !== 202) throw new Error(`a test event returned ${test.status}`);
        events.add(test.json.data.event_id);
      } catch (error) {
        note(error);
      }
      await delay(PAUSE_MS);
    }
  }

  const running = Promise.all([...Array.from({ length: LANES }, (_, lane) => signAll(lane)), createKeys()]);

  async function check() {
    const { secret } = endpoint.json.data;
    const missing = () => [...events].filter((id) => !receiver.arrived.some((one) => idOf(one) === id));
    const deadline = performance.now() + SETTLED_WITHIN_MS;
    while (missing().length > 0 && performance.now() < deadline) await delay(250);
    for (const id of missing()) outcome.found.push(`missed: ${id} never reached the receiver`);
    outcome.found.push(...(await faultsOfRequests({ kind: "upgraded", receiver, secret })));
    for (const [key_id, api_key] of keys) {
      const { status } = await send("GET", "/partner/envelopes?limit=1", { headers: { "x-api-key": api_key } });
      if (status !== 200) outcome.found.push(`lost: the key ${key_id} is answered with ${status}`);
    }
    for (const one of acknowledged) await checkEnvelope(office, one, outcome);
    Object.assign(outcome, { signed: acknowledged.length, keys: keys.size, events: events.size });
  }

  return {
    count: () => acknowledged.length,
    /** Until so many more envelopes are done. @param {number} more */
    async rounds(more) {
      const wanted = acknowledged.length + more;
      const deadline = performance.now() + SETTLED_WITHIN_MS;
      while (acknowledged.length < wanted) {
        if (performance.now() > deadline)
          throw new Error(`only ${acknowledged.length} of ${wanted} envelopes: ${outcome.found.slice(0, 3).join("; ")}`);
        await delay(100);
      }
    },
    async stop() {
      isOver = true;
      await running;
    },
    check,
  };
}

/** @param {import("../bench/ceremony.mjs").Office} office @param {Acknowledged} acknowledged @param {Outcome} outcome */
async function checkEnvelope(office, { envelope_id, kind, sha256 }, outcome) {
  const wanted = ["sent", "completed", "vaulted"][kind];
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  let state = "";
  for (;;) {
    const { status, json } = await lookAt(office, envelope_id, "/status");
    state = status === 200 ? json.data.status : String(status);
    if (state === wanted || performance.now() > deadline) break;
    await delay(250);
  }
  if (state !== wanted) return void outcome.found.push(`lost: ${envelope_id} is ${state}, not ${wanted}`);
  if (sha256 !== null) {
    outcome.documents += 1;
    const { bytes } = await lookAt(office, envelope_id, "/document");
    if ((await hashOf(bytes)) !== sha256) outcome.found.push(`lost: the document of ${envelope_id} has other bytes`);
  }
  if (kind === 2) await verifyEvidence(office, envelope_id, outcome);
}

/** @param {Outcome} outcome */
export function upgradeTable({ answered, signed, keys, events, documents, evidence, found }) {
  const requests = Object.entries(answered).map(([name, count]) => `${count} by ${name}`);
  return verdictTable(
    [
      ["requests", requests.join(", ")],
      ["envelopes, keys, test events", `${signed}, ${keys}, ${events}`],
      ["signed documents compared, evidence bundles verified", `${documents}, ${evidence}`],
      ["failed requests", countOf(found, "refused")],
      ["what clients found wrong", countOf(found, "load")],
      ["processes that were not ready", countOf(found, "ready")],
      ["contract step at the wrong time", countOf(found, "contract")],
      ["lost or changed", countOf(found, "lost")],
      ["evidence that does not verify", countOf(found, "evidence")],
      [
        "events that did not arrive, or not as sent",
        String(["missed", "changed", "forged"].reduce((sum, kind) => sum + Number(countOf(found, kind)), 0)),
      ],
      ["unexpected exits", countOf(found, "end")],
    ],
    found,
  );
}
