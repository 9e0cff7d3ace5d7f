// Kills processes while people sign and while their documents are finished. There is no worker here: the service runs only HTTP, and the
// job that finishes a document runs in separate processes of this scenario, which die at given points.
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { openOffice, SENDING_SCOPES, sendEnvelope, sign, startSigning, twoSigners } from "../bench/ceremony.mjs";
import { fillDatabase, freePort, product, startDatabase, startPooler, startService } from "../bench/harness.mjs";
import { countOf, inTurns, runToItsEnd, startKillable, verdictTable } from "./runner.mjs";
import { openChecker } from "./signing-checker.mjs";

const READY_WITHIN_SECONDS = 180;
// Signing takes about 50 ms. The kill comes before the request is received, while it is recorded, or after the response.
const KILL_WITHIN_MS = 150;
const PRESS_AGAIN_MS = 50;
const ANSWERED_WITHIN_MS = 90_000;
// The number of concurrent ceremonies and checks, for two cores.
const AT_ONCE = 8;
// The number of jobs that die together. Loading the service takes longer than finishing a document, so one process per job would take most
// of the run.
const JOBS_TO_A_KILL = 16;
const KILLS_AT_ONCE = 2;
// A job that waits for another job's lock gets it within seconds.
const FINISHED_WITHIN_MS = 120_000;
// The number of envelopes per round that two processes finish at once.
const RACED_EVERY = 3;
// Each job that stops inside a transaction keeps a connection of the pooler, in two processes at once; the service needs its own.
const POOLED_CONNECTIONS = 60;

/**
 * @typedef {object} Outcome
 * @property {number} rounds
 * @property {number} service_kills @property {number} presses @property {number} answered_before the kill came after the answer
 * @property {number} lost_made the answer was lost, the signature was there @property {number} lost_unmade and it was not
 * @property {number} read_again the document had changed because another signer had signed
 * @property {number} points of a document that is sealed @property {number} vault_points of one that the vault will seal
 * @property {number} job_kills processes @property {number} jobs_killed in them @property {number} races
 * @property {number} envelopes checked
 * @property {string[]} found every violation
 */
/** @typedef {{ envelope_id: string, signers: readonly import("../bench/ceremony.mjs").Signer[], is_vaulted: boolean, is_finished: boolean, point?: number }} Signed */
/** @typedef {{ end: import("../bench/harness.mjs").Cleanup, folder: string, random: import("./random.mjs").Random, history: import("./history.mjs").History, later: (undo: () => unknown) => void, rounds: number, deadline: number, pooler: "session" | "transaction" | null }} Run */

/** @param {Run} run @returns {Promise<Outcome>} */
export async function attackSigning({ end, folder, random, history, later, rounds, deadline, pooler }) {
  const pooled = pooler === null ? null : await startDatabase(end, folder);
  const env = pooled && pooler ? await startPooler(end, folder, pooled, { mode: pooler, connections: POOLED_CONNECTIONS }) : {};
  const service = await startServing({ folder, env, later });
  const { appUrl, query } = pooled ?? (await openDatabase(service.dataDir, later));
  const filled = await fillDatabase({ appUrl, query }, { envelopes: 0, keys: 1, scopes: SENDING_SCOPES });
  const office = await openOffice(service.url, filled.keys[0] ?? "");
  const finish = finisher({ folder, env: { ...env, PORT: String(service.port) }, org_id: filled.org_id, later });
  const checker = await openChecker({ office, org_id: filled.org_id, dataDir: service.dataDir, appUrl, query, later });
  /** @type {Outcome} */
  const outcome = {
    rounds: 0,
    service_kills: 0,
    presses: 0,
    answered_before: 0,
    lost_made: 0,
    lost_unmade: 0,
    read_again: 0,
    points: 0,
    vault_points: 0,
    job_kills: 0,
    jobs_killed: 0,
    races: 0,
    envelopes: 0,
    found: [],
  };
  /** @param {Signed[]} signed */
  const check = async (signed) => {
    const faults = await inTurns(signed, AT_ONCE, checker.check);
    outcome.envelopes += signed.length;
    outcome.found.push(...faults.flat());
    await history.append({ kind: "check", envelopes: signed.length, found: faults.flat() });
  };

  const both = (/** @type {string} */ name) =>
    Promise.all([false, true].map((is_vaulted, n) => newSigned(office, `${name}-${n}`, is_vaulted)));
  // The first documents of an organization pass more points, because it gets its certificate and its key with them.
  const first = await both("first");
  await finish.whole(first.map(({ envelope_id }) => envelope_id));
  await check(first);
  const whole = await both("whole");
  const passed = await finish.whole(whole.map(({ envelope_id }) => envelope_id));
  const [points = 0, vault_points = 0] = whole.map(({ envelope_id }) => passed[envelope_id]?.length);
  Object.assign(outcome, { points, vault_points });
  await history.append({ kind: "invoke", points: whole.map(({ envelope_id }) => passed[envelope_id]) });
  await check(whole);

  for (let round = 1; round <= rounds && performance.now() < deadline; round++) {
    await check(await pressUnderKills({ service, office, random, history, outcome, round }));
    await check(await finishUnderKills({ office, finish, random, history, outcome, round }));
    outcome.rounds = round;
    process.stderr.write(`round ${round}: ${outcome.service_kills + outcome.job_kills} kills, ${outcome.found.length} violations\n`);
  }
  return { ...outcome, found: [...outcome.found, ...service.badEnds] };
}

/** `serve` on its own folder, killed and restarted while its database keeps running. @param {{ folder: string, env: Record<string, string>, later: (undo: () => unknown) => void }} place */
async function startServing({ folder, env, later }) {
  const port = await freePort();
  const start = () => startService("serve", { folder, port, env });
  const { url, ready, kill } = await startKillable({ start, later, readyWithinSeconds: READY_WITHIN_SECONDS });
  /** @type {string[]} */
  const badEnds = [];
  return {
    port,
    url,
    dataDir: join(folder, "data"),
    badEnds,
    ready,
    async kill() {
      if (!(await kill())) badEnds.push("end: the service ended unexpectedly");
    },
  };
}

/** `query` runs as its owner; `appUrl` is for the serve login. @param {string} dataDir @param {(undo: () => unknown) => void} later */
async function openDatabase(dataDir, later) {
  const { lookUpRunning } = await product("db/embedded.js");
  const running = await lookUpRunning(dataDir);
  const pool = new pg.Pool({ connectionString: running.url, max: 2 });
  later(() => pool.end());
  const { appUrl } = running;
  return {
    appUrl,
    query: async (/** @type {string} */ text, /** @type {unknown[]} */ values = []) => (await pool.query(text, values)).rows,
  };
}

/** @param {import("../bench/ceremony.mjs").Office} office @param {string} name @param {boolean} is_vaulted @param {number} [point] @returns {Promise<Signed>} */
async function newSigned(office, name, is_vaulted, point) {
  const signers = twoSigners(name);
  const envelope_id = await sendEnvelope(office, { signers, auto_vault_enabled: is_vaulted });
  for (const signer of signers) await sign(office, envelope_id, signer);
  return { envelope_id, signers, is_vaulted, is_finished: true, ...(point !== undefined && { point }) };
}

/** @typedef {{ service: Awaited<ReturnType<typeof startServing>>, office: import("../bench/ceremony.mjs").Office, random: Run["random"], history: Run["history"], outcome: Outcome, round: number }} Pressing */

/** One envelope whose signers sign one after the other, and one whose signers sign at the same moment. @param {Pressing} run @returns {Promise<Signed[]>} */
async function pressUnderKills({ office, round, ...run }) {
  const [inOrder, atOnce] = [twoSigners(`order-${round}`), twoSigners(`once-${round}`)];
  const first = await sendEnvelope(office, { signers: inOrder });
  for (const signer of inOrder) await pressAndKill(run, [await ready(office, first, signer)]);
  const second = await sendEnvelope(office, { signers: atOnce, signing_order: "parallel" });
  await pressAndKill(run, await Promise.all(atOnce.map((signer) => ready(office, second, signer))));
  const common = { is_vaulted: false, is_finished: false };
  return [
    { envelope_id: first, signers: inOrder, ...common },
    { envelope_id: second, signers: atOnce, ...common },
  ];
}

/** @typedef {{ signing: Awaited<ReturnType<typeof startSigning>>, completion: import("../bench/ceremony.mjs").Completion }} Presser */

/** @param {import("../bench/ceremony.mjs").Office} office @param {string} envelope_id @param {import("../bench/ceremony.mjs").Signer} signer @returns {Promise<Presser>} */
async function ready(office, envelope_id, signer) {
  const signing = await startSigning(office, envelope_id, signer);
  return { signing, completion: await signing.makeReady() };
}

/** @param {Omit<Pressing, "office" | "round">} run @param {Presser[]} pressers */
async function pressAndKill({ service, random, history, outcome }, pressers) {
  const after_ms = random.between(0, KILL_WITHIN_MS);
  const killSoon = async () => {
    await delay(after_ms);
    await service.kill();
    outcome.service_kills++;
    await history.append({ kind: "kill", target: "service", after_ms: Math.round(after_ms), presses: pressers.length });
    await service.ready();
  };
  await Promise.all([...pressers.map((presser) => pressUntilAnswered(presser, outcome)), killSoon()]);
}

/** Like a page with a broken connection: repeats the same request until the result is known. @param {Presser} presser @param {Outcome} outcome */
async function pressUntilAnswered({ signing, completion }, outcome) {
  outcome.presses++;
  const deadline = performance.now() + ANSWERED_WITHIN_MS;
  let [asked, wasLost] = [completion, false];
  while (performance.now() < deadline) {
    const answer = await signing.press(asked).catch(cutOff);
    if (answer?.status === 200) {
      if (!wasLost) outcome.answered_before++;
      else if (answer.headers.get("idempotent-replayed") === "true") outcome.lost_made++;
      else outcome.lost_unmade++;
      return pressOnceMore(signing, asked, answer.bytes, outcome);
    }
    // Try again later: the database is unavailable, or the transaction of the interrupted request has not ended yet.
    if (answer === null || answer.headers.has("retry-after")) {
      wasLost = true;
      await delay(PRESS_AGAIN_MS);
    } else if (answer.status === 409 && answer.json.details?.[0]?.code === "stale") {
      outcome.read_again++;
      asked = (await signing.readAgain(asked).catch(cutOff)) ?? asked;
    } else {
      return void outcome.found.push(`answer: a signing request got ${answer.status} ${answer.bytes.toString("utf8", 0, 300)}`);
    }
  }
  outcome.found.push(`answer: a signing request got no response in ${ANSWERED_WITHIN_MS / 1000} s`);
}

/** `fetch` rejects with a TypeError if the connection is refused or the response is cut off. Anything else is our own bug. @param {unknown} error */
function cutOff(error) {
  const isLate = error instanceof Error && error.name === "TimeoutError";
  if (error instanceof TypeError || isLate) return null;
  throw error;
}

/** The kill may still be to come. @param {Presser["signing"]} signing @param {Presser["completion"]} asked @param {Buffer} first @param {Outcome} outcome */
async function pressOnceMore(signing, asked, first, outcome) {
  const again = await signing.press(asked).catch(cutOff);
  if (again === null || again.headers.has("retry-after")) return;
  const isSame = again.status === 200 && again.bytes.equals(first);
  if (!isSame) outcome.found.push(`answer: the same request got ${first}, then ${again.status} ${again.bytes}`);
}

/**
 * @typedef {object} Finisher
 * @property {(envelope_ids: readonly string[]) => Promise<Record<string, string[]>>} whole finishes them; the points that each passed
 * @property {(signed: readonly Signed[]) => Promise<void>} killed kills each at its point
 */

/** @param {{ folder: string, env: Record<string, string>, org_id: string, later: (undo: () => unknown) => void }} place @returns {Finisher} */
function finisher({ folder, env, org_id, later }) {
  const start = async (/** @type {string[]} */ jobs) => {
    const run = { program: "finish-once.mjs", args: [org_id, ...jobs], folder, env, later };
    const { said, ...ended } = await runToItsEnd({ ...run, within_ms: FINISHED_WITHIN_MS });
    return { ...ended, passed: said ?? {} };
  };
  return {
    async whole(envelope_ids) {
      const { code, passed, why } = await start([...envelope_ids]);
      if (code !== 0) throw new Error(`finishing ${why}`);
      return passed;
    },
    async killed(signed) {
      const { diedByItself, passed, why } = await start(signed.map(({ envelope_id, point }) => `${envelope_id}@${point}`));
      const arePlaced = signed.every(({ envelope_id, point = 0 }) => (passed[envelope_id]?.length ?? 0) >= point);
      if (!diedByItself || !arePlaced) throw new Error(`a process that should have died at its points ${why} ${JSON.stringify(passed)}`);
    },
  };
}

/** @typedef {{ office: import("../bench/ceremony.mjs").Office, finish: Finisher, random: Run["random"], history: Run["history"], outcome: Outcome, round: number }} Finishing */

/** One envelope for each point of each kind: killed there, and finished afterwards. @param {Finishing} run @returns {Promise<Signed[]>} */
async function finishUnderKills({ office, finish, random, history, outcome, round }) {
  const numbered = (/** @type {number} */ points, /** @type {boolean} */ is_vaulted) =>
    Array.from({ length: points }, (_, index) => ({ point: index + 1, is_vaulted }));
  const places = [...numbered(outcome.points, false), ...numbered(outcome.vault_points, true)];
  const signed = await inTurns(random.sample(places, places.length), AT_ONCE, ({ point, is_vaulted }) =>
    newSigned(office, `${is_vaulted ? "vault" : "seal"}-${round}-${point}`, is_vaulted, point),
  );
  const groups = Array.from({ length: Math.ceil(signed.length / JOBS_TO_A_KILL) }, (_, n) =>
    signed.slice(n * JOBS_TO_A_KILL, (n + 1) * JOBS_TO_A_KILL),
  );
  await inTurns(groups, KILLS_AT_ONCE, async (group) => {
    await finish.killed(group);
    outcome.job_kills++;
    outcome.jobs_killed += group.length;
    await history.append({ kind: "kill", target: "job", jobs: group.map(({ envelope_id, point }) => ({ envelope_id, point })) });
  });
  const ids = signed.map(({ envelope_id }) => envelope_id);
  const raced = ids.filter((_, index) => index % RACED_EVERY === 0);
  // Both start with the same envelopes, in the same order.
  await Promise.all([finish.whole([...raced, ...ids.filter((id) => !raced.includes(id))]), finish.whole(raced)]);
  outcome.races += raced.length;
  return signed;
}

/** @param {Outcome} outcome */
export function signingTable(outcome) {
  const { rounds, service_kills, presses, answered_before, lost_made, lost_unmade, read_again, found } = outcome;
  const { points, vault_points, job_kills, jobs_killed, races, envelopes } = outcome;
  return verdictTable(
    [
      ["rounds", String(rounds)],
      ["kills of the service during signing", `${service_kills}, ${presses} requests`],
      ["requests answered before the kill", String(answered_before)],
      ["responses lost, signature recorded / not recorded", `${lost_made} / ${lost_unmade}`],
      ["requests for a document that had changed", String(read_again)],
      ["points of finishing, sealed / left to the vault", `${points} / ${vault_points}`],
      ["kills of finishing processes", `${job_kills}, with ${jobs_killed} jobs`],
      ["finished by two processes at once", String(races)],
      ["envelopes checked", String(envelopes)],
      ["missing or duplicate signatures, completions or jobs", countOf(found, "count")],
      ["documents not stamped, sealed or mailed exactly once", countOf(found, "document")],
      ["chains that do not verify", countOf(found, "chain")],
      ["documents that differ from the record", countOf(found, "bytes")],
      ["seals that do not verify", countOf(found, "seal")],
      ["unexpected responses", countOf(found, "answer")],
      ["unexpected exits of the service", countOf(found, "end")],
    ],
    found,
  );
}
