// Kills workers while they vault signed documents: at every point of the pipeline at once, one envelope per point. Another worker, the
// product's own, takes over their jobs, as after any crash. The result is checked from outside.
import { setTimeout as delay } from "node:timers/promises";
import { call, lookAt, SENDING_SCOPES, sign } from "../bench/ceremony.mjs";
import { contract } from "../bench/documents.mjs";
import { median } from "../bench/figure.mjs";
import { answersAt, fillDatabase, freePort, startDatabase, startPooler, startService } from "../bench/harness.mjs";
import { uploadTemplate } from "../bench/upload.mjs";
import { startReceiver } from "./receiver.mjs";
import { countOf, inTurns, runToItsEnd, verdictTable } from "./runner.mjs";
import { openVaultChecker } from "./vault-checker.mjs";
import { points, twoProcesses } from "./vault-points.mjs";

const SCOPES = [...SENDING_SCOPES, "vault:read", "webhooks:write"];
const READY_WITHIN_SECONDS = 180;
// R4: from the start of another worker. 30 s of silence, the next poll after at most 5 s, and the work itself. A busy machine takes longer
// for the work, so the time of an envelope that was not killed, signed last and vaulted by the same worker, is subtracted.
const STUCK_AFTER_MS = 60_000;
const GIVE_UP_AFTER_MS = 180_000;
const DIES_WITHIN_MS = 120_000;
const POLL_MS = 200;
// The number of concurrent ceremonies and checks, for two cores.
const AT_ONCE = 4;
// Each job that stops inside a transaction keeps a connection of the pooler; the service and the rest of the worker need theirs.
const POOLED_CONNECTIONS = 60;
const FIELD = {
  name: "Signature",
  type: "signature",
  role: "Tenant",
  placement: { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.8, w: 0.3, h: 0.04 }] },
};
const PARTY = { name: "First Example Bank, N.A.", address: "1 Example Square" };

/** @typedef {{ envelope_id: string, point: number, vaulted_after_ms: number | null }} Killed vaulted_after_ms: since another worker was started */
/** @typedef {{ event_id: string, event_type: string, envelope_id: string, timestamp: string, data: any, body: string }} Received */
/**
 * @typedef {object} Outcome
 * @property {number} rounds @property {number} kills of processes
 * @property {number[]} hits kills at each point @property {number[]} resumed_ms from the start of another worker until an envelope was vaulted
 * @property {number[]} control_ms the same of envelopes whose worker was not killed
 * @property {number} already vaulted when the worker died @property {number} envelopes checked
 * @property {number} deliveries @property {number} duplicates
 * @property {string[]} found every violation
 */

/**
 * @param {{ end: import("../bench/harness.mjs").Cleanup, folder: string, random: import("./random.mjs").Random,
 *   history: import("./history.mjs").History, times: number, deadline: number, pooler: "session" | "transaction" | null }} run
 * @returns {Promise<Outcome>}
 */
export async function attackVault({ end, folder, random, history, times, deadline, pooler }) {
  const database = await startDatabase(end, folder);
  const env = pooler === null ? database.env : await startPooler(end, folder, database, { mode: pooler, connections: POOLED_CONNECTIONS });
  const { keys } = await fillDatabase(database, { envelopes: 0, keys: 1, scopes: SCOPES });
  const place = { folder, env };
  const serve = startService("serve", { ...place, port: await freePort() });
  end.later(() => serve.stop());
  await answersAt(serve, "/readyz", READY_WITHIN_SECONDS);
  const office = await openOffice(serve.url, keys[0] ?? "");
  const receiver = await startReceiver(end);
  const made = await call(office.url, "POST", "/webhooks/endpoints", { "x-api-key": office.key }, { url: receiver.url });
  const checker = await openVaultChecker({ office, secret: made.json.data.secret, receiver });
  const heal = () => startHealer(end, place);
  /** @type {Outcome} */
  const outcome = {
    rounds: 0,
    kills: 0,
    hits: points.map(() => 0),
    resumed_ms: [],
    control_ms: [],
    already: 0,
    envelopes: 0,
    deliveries: 0,
    duplicates: 0,
    found: [],
  };

  for (let round = 1; round <= times && performance.now() < deadline; round++) {
    /** @type {Killed[]} */
    const killed = [];
    for (const group of twoProcesses()) {
      const numbers = random.sample(group, group.length);
      const signed = await inTurns(numbers, AT_ONCE, (point) => signedEnvelope(office, round, point));
      killed.push(...(await killAtPoints({ end, ...place, signed, history, outcome })));
    }
    const control = { ...(await signedEnvelope(office, round, points.length)), vaulted_after_ms: null };
    outcome.already += (await Promise.all(killed.map((one) => isVaulted(office, one)))).filter(Boolean).length;
    await untilHealed({ office, database, heal, killed, control, outcome });
    const faults = (await inTurns([...killed, control], AT_ONCE, (one) => checker.check(one))).flat();
    outcome.envelopes += killed.length + 1;
    outcome.found.push(...faults);
    outcome.rounds = round;
    await history.append({ kind: "check", envelopes: killed, found: faults });
    process.stderr.write(`round ${round} of ${times}: ${outcome.kills} kills, ${outcome.found.length} violations\n`);
  }
  const { deliveries, duplicates, faults } = checker.checkDeliveries();
  if (!serve.running()) outcome.found.push(`end: the service ended unexpectedly with ${JSON.stringify(await serve.ended)}`);
  outcome.found.push(
    ...faults,
    ...points.flatMap((_, n) => (outcome.hits[n] === outcome.rounds ? [] : [`point: ${nameOf(n)} was missed`])),
  );
  return { ...outcome, deliveries, duplicates };
}

/** The product's worker, as an operator's supervisor starts it. @param {import("../bench/harness.mjs").Cleanup} end @param {{ folder: string, env: Record<string, string> }} place */
async function startHealer(end, place) {
  const worker = startService("worker", { ...place, port: await freePort() });
  end.later(() => worker.stop());
  return worker;
}

/** A page that one person signs. @param {string} url @param {string} key @returns {Promise<import("../bench/ceremony.mjs").Office>} */
async function openOffice(url, key) {
  const { status, text } = await uploadTemplate({ url, key, file: contract(1, "simple"), fields: [FIELD] });
  if (status !== 200) throw new Error(`creating a template returned ${status}: ${text}`);
  return { url, key, template_id: JSON.parse(text).data.template_id };
}

/** An envelope that everyone has signed, before any worker has processed it. @param {import("../bench/ceremony.mjs").Office} office @param {number} round @param {number} point */
async function signedEnvelope(office, round, point) {
  const { url, key, template_id } = office;
  const headers = { "x-api-key": key };
  const customer = { customer_email: "customer@example.com", customer_name: "Ann" };
  const draft = { envelope_name: "Lease", ...customer, template_id, auto_vault_enabled: true, secured_party: PARTY };
  const { envelope_id } = (await call(url, "POST", "/partner/envelopes", headers, draft)).json.data;
  const { terms_version } = (await call(url, "GET", "/partner/certification-terms", headers)).json.data;
  const signer = { email: `ann-${round}-${point}@example.com`, name: "Ann", role: "Tenant" };
  const wanted = { signers: [signer], certification: { accepted: true, terms_version } };
  const sent = await call(url, "POST", `/partner/envelopes/${envelope_id}/send`, headers, wanted);
  if (sent.status !== 200) throw new Error(`sending returned ${sent.status}: ${sent.bytes}`);
  await sign(office, envelope_id, signer);
  return { envelope_id, point };
}

/**
 * @param {object} run
 * @param {import("../bench/harness.mjs").Cleanup} run.end @param {string} run.folder @param {Record<string, string>} run.env
 * @param {{ envelope_id: string, point: number }[]} run.signed @param {import("./history.mjs").History} run.history @param {Outcome} run.outcome
 * @returns {Promise<Killed[]>}
 */
async function killAtPoints({ end, folder, env, signed, history, outcome }) {
  const args = signed.map(({ envelope_id, point }) => `${envelope_id}@${point}`);
  const run = { program: "vault-worker.mjs", args, folder, env, within_ms: DIES_WITHIN_MS, later: end.later };
  const { diedByItself, said, why } = await runToItsEnd(run);
  /** @type {string[]} */
  const reached = said ?? [];
  const missed = signed.filter(({ envelope_id }) => !reached.includes(envelope_id));
  if (!diedByItself || missed.length > 0) throw new Error(`a worker that should have died at its points ${why}`);
  outcome.kills++;
  for (const { point } of signed) outcome.hits[point] = (outcome.hits[point] ?? 0) + 1;
  await history.append({ kind: "kill", target: "worker", points: signed.map((one) => ({ ...one, at: nameOf(one.point) })) });
  return signed.map((one) => ({ ...one, vaulted_after_ms: null }));
}

/** @param {number} point */
const nameOf = (point) => `${points[point]?.step}: ${points[point]?.what}`;

/** @param {import("../bench/ceremony.mjs").Office} office @param {{ envelope_id: string }} one */
async function isVaulted(office, { envelope_id }) {
  const { status, json } = await lookAt(office, envelope_id, "/status");
  if (status !== 200) throw new Error(`reading a status returned ${status}`);
  return json.data.status === "vaulted";
}

/**
 * Waits until every envelope is vaulted and the queue is empty: a job that died after its last commit runs once more too.
 * @param {{ office: import("../bench/ceremony.mjs").Office, database: import("../bench/harness.mjs").Database,
 *   heal: () => Promise<import("../bench/harness.mjs").Program>, killed: Killed[], control: Killed, outcome: Outcome }} run
 */
async function untilHealed({ office, database, heal, killed, control, outcome }) {
  const worker = await heal();
  const began = performance.now();
  const all = [...killed, control];
  for (let isIdle = false; !isIdle; await delay(POLL_MS)) {
    for (const one of all.filter(({ vaulted_after_ms }) => vaulted_after_ms === null)) {
      if (await isVaulted(office, one)) one.vaulted_after_ms = performance.now() - began;
    }
    const [row] = await database.query(
      `select (select count(*) from outbox)::int + (select count(*) from graphile_worker.jobs)::int
         + (select count(*) from webhook_deliveries where status = 'pending')::int as n`,
    );
    isIdle = row.n === 0 && all.every(({ vaulted_after_ms }) => vaulted_after_ms !== null);
    if (performance.now() - began > GIVE_UP_AFTER_MS) {
      outcome.found.push(`stuck: ${row.n} jobs or deliveries still waiting ${GIVE_UP_AFTER_MS / 1000} s after recovery`);
      break;
    }
  }
  const undisturbed_ms = control.vaulted_after_ms ?? Number.POSITIVE_INFINITY;
  outcome.control_ms.push(undisturbed_ms);
  for (const { envelope_id, point, vaulted_after_ms } of killed) {
    const after_ms = vaulted_after_ms ?? Number.POSITIVE_INFINITY;
    outcome.resumed_ms.push(after_ms);
    if (after_ms - undisturbed_ms <= STUCK_AFTER_MS) continue;
    outcome.found.push(
      `stuck: ${envelope_id}, killed at ${nameOf(point)}, vaulted after ${after_ms} ms, another one after ${undisturbed_ms} ms`,
    );
  }
  const { code } = await worker.stop();
  if (code !== 0) outcome.found.push(`end: the worker ended with ${code} when stopped`);
}

/** @param {Outcome} outcome */
export function vaultTable({ rounds, kills, hits, resumed_ms, control_ms, already, envelopes, deliveries, duplicates, found }) {
  const seconds = (/** @type {number} */ ms) => (ms / 1000).toFixed(1);
  return verdictTable(
    [
      ["rounds", String(rounds)],
      ["workers killed, their envelopes", `${kills}, ${hits.reduce((sum, n) => sum + n, 0)}`],
      ...points.map(({ leaves }, n) => /** @type {[string, string]} */ ([`  killed at ${nameOf(n)}`, `${hits[n]} × (leaves ${leaves})`])),
      ["already vaulted when the worker died", String(already)],
      [
        "seconds from another worker's start to vaulted, median / max",
        `${seconds(median(resumed_ms))} / ${seconds(Math.max(...resumed_ms))}`,
      ],
      ["  without a kill", `${seconds(median(control_ms))} / ${seconds(Math.max(...control_ms))}`],
      ["envelopes checked", String(envelopes)],
      ["deliveries received, of them duplicates", `${deliveries}, ${duplicates}`],
      ["not exactly one copy, custodian or assignee", countOf(found, "copy")],
      ["events missing, duplicate or out of order", countOf(found, "event")],
      ["incorrect certificates", countOf(found, "certificate")],
      ["evidence that does not verify", countOf(found, "evidence")],
      ["stuck longer than 60 s", countOf(found, "stuck")],
      ["points that were missed", countOf(found, "point")],
      ["unexpected exits", countOf(found, "end")],
    ],
    found,
  );
}
