// Kills at seeded random moments while the clients work, and has the result checked.
import { setTimeout as delay } from "node:timers/promises";
import { client } from "./api.mjs";
import { check } from "./checker.mjs";
import { readHistory } from "./history.mjs";

const CHECK_EVERY_KILLS = 20;
// One in four comes before the service is ready again, so that starting and healing are interrupted too.
const EARLY = 0.25;
const EARLY_WITHIN_MS = 1_500;
const WORK_MS = [100, 3_000];
const OLD_KEYS_PER_CHECK = 100;

/**
 * @typedef {object} Outcome
 * @property {number} kills
 * @property {Record<string, number>} killed by target
 * @property {number[]} heals seconds from a kill until the service was ready
 * @property {import("./checker.mjs").Verdict} verdict
 * @property {string[]} found every violation, of all checks
 * @property {number} checks
 * @property {{ code: number | string | null, databaseLeft: boolean, lostAnswers: number }} stop SIGTERM while the clients worked
 */

/**
 * @param {object} run
 * @param {ReturnType<typeof import("./victim.mjs").startVictim>} run.victim
 * @param {import("./clients.mjs").Org[]} run.orgs
 * @param {import("./history.mjs").History} run.history
 * @param {import("./random.mjs").Random} run.random
 * @param {ReturnType<typeof import("./clients.mjs").startClients>} run.clients
 * @param {"service" | "postgres" | "both"} run.target
 * @param {number} run.kills
 * @param {number} run.deadline
 * @returns {Promise<Outcome>}
 */
export async function attack({ victim, orgs, clients, history, random, target, kills, deadline }) {
  const send = client(victim.url);
  /** @type {Outcome["heals"]} */
  const heals = [];
  /** @type {Record<string, number>} */
  const killed = { service: 0, postgres: 0 };
  /** @type {Set<string>} */
  const found = new Set();
  /** @type {Set<string>} */
  const tried = new Set();
  let checks = 0;
  let done = 0;
  /** @type {number | null} */
  let killedAt = null;
  /** @type {number | null} */
  let deadDatabase = null;

  const heal = async () => {
    if (killedAt === null) return;
    if (deadDatabase !== null) await victim.healed(deadDatabase);
    await victim.ready();
    heals.push((performance.now() - killedAt) / 1000);
    await history.append({ kind: "heal", seconds: heals.at(-1) });
    killedAt = null;
    deadDatabase = null;
  };

  /** False when there was nothing to kill. */
  const kill = async () => {
    const now = target === "both" ? (random.happens(0.5) ? "service" : "postgres") : target;
    const at = performance.now();
    if (now === "service") {
      await victim.killService();
    } else {
      const pid = await victim.killDatabase();
      if (pid === null) return false;
      deadDatabase = pid;
    }
    killedAt = at;
    await history.append({ kind: "kill", target: now });
    killed[now] = (killed[now] ?? 0) + 1;
    done++;
    return true;
  };

  /** @param {boolean} whole every key that was ever acknowledged, or the new ones and some old */
  const checkNow = async (whole) => {
    await clients.pause();
    const old = new Set(random.sample([...tried], OLD_KEYS_PER_CHECK));
    const tryKey = (/** @type {string} */ key_id) => whole || !tried.has(key_id) || old.has(key_id);
    const verdict = await check({ file: history.file, orgs, send, random, tryKey });
    for (const { kind, key_id } of readHistory(history.file)) if (kind === "answer" && key_id !== undefined) tried.add(key_id);
    for (const kind of /** @type {const} */ (["lost", "halfMade", "twice", "odd"])) {
      for (const text of verdict[kind]) found.add(`${kind}: ${text}`);
    }
    checks++;
    await history.append({ kind: "check", kills: done, acknowledged: verdict.acknowledged, found: found.size });
    process.stderr.write(
      `${done} kills, ${verdict.acknowledged} acknowledged, ${verdict.authenticated} keys tried, ${found.size + victim.badEnds.length} violations\n`,
    );
    clients.resume();
    return verdict;
  };

  while (done < kills && performance.now() < deadline) {
    if (random.happens(EARLY)) {
      await delay(random.between(0, EARLY_WITHIN_MS));
    } else {
      await heal();
      await delay(random.between(WORK_MS[0] ?? 0, WORK_MS[1] ?? 0));
    }
    if (!(await kill())) continue;
    if (done % CHECK_EVERY_KILLS === 0 && done < kills) {
      await heal();
      await checkNow(false);
    }
  }
  await heal();
  const stop = await stopUnderLoad();
  victim.startAgain();
  await victim.ready();
  const verdict = await checkNow(true);
  await clients.stop();
  const last = await victim.stopOrderly();
  if (last.databaseLeft) found.add("odd: a database was left running after an orderly stop");
  return { kills: done, killed, heals, verdict, found: [...found, ...victim.badEnds], checks, stop };

  /** The clients keep asking while the service is told to stop: what it has accepted it must answer. */
  async function stopUnderLoad() {
    await delay(1_000);
    const from = readHistory(history.file).length;
    await history.append({ kind: "stop" });
    const end = await victim.stopOrderly();
    await history.append({ kind: "stopped", ...end });
    const lostAnswers = readHistory(history.file)
      .slice(from)
      .filter(({ kind }) => kind === "lost").length;
    if (end.databaseLeft) found.add("odd: a database was left running after an orderly stop");
    return { ...end, lostAnswers };
  }
}
