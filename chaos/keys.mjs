// Kills the service while API keys are created, and checks the result every 20 kills and at the end.
import { setTimeout as delay } from "node:timers/promises";
import { median } from "../bench/figure.mjs";
import { client } from "./api.mjs";
import { check } from "./checker.mjs";
import { startClients } from "./clients.mjs";
import { readHistory } from "./history.mjs";
import { countOf, killAtRandom, killsRow, verdictTable } from "./runner.mjs";

const CHECK_EVERY_KILLS = 20;
const OLD_KEYS_PER_CHECK = 100;

/**
 * @typedef {import("./checker.mjs").Verdict & Attacked} Outcome the verdict is the last check's
 */
/**
 * @typedef {object} Attacked
 * @property {number} kills @property {number} seconds
 * @property {Record<string, number>} killed by target
 * @property {number[]} heals seconds from a kill until the service was ready
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
 * @param {"service" | "postgres" | "both"} run.target
 * @param {number} run.kills
 * @param {number} run.deadline @param {number} run.seed
 * @param {(undo: () => unknown) => void} run.later
 * @returns {Promise<Outcome>}
 */
export async function attackKeys({ victim, orgs, history, random, target, kills, deadline, seed, later }) {
  const began = performance.now();
  const clients = startClients({ orgs, history, seed });
  later(() => void clients.stop().catch(() => undefined));
  const send = client(victim.url);
  /** @type {Outcome["heals"]} */
  const heals = [];
  /** @type {Set<string>} */
  const found = new Set();
  /** @type {Set<string>} */
  const tried = new Set();
  let checks = 0;
  let done = 0;

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

  const killed = await killAtRandom({
    victim,
    history,
    random,
    target,
    kills,
    deadline,
    healed: (seconds) => {
      heals.push(seconds);
      return history.append({ kind: "heal", seconds });
    },
    killed: async (now, heal) => {
      done = now;
      if (done % CHECK_EVERY_KILLS !== 0 || done >= kills) return;
      await heal();
      await checkNow(false);
    },
  });
  const stop = await stopUnderLoad();
  victim.startAgain();
  await victim.ready();
  const verdict = await checkNow(true);
  await clients.stop();
  const last = await victim.stopOrderly();
  if (last.databaseLeft) found.add("odd: a database was left running after an orderly stop");
  const seconds = (performance.now() - began) / 1000;
  return { ...verdict, kills: done, killed, seconds, heals, found: [...found, ...victim.badEnds], checks, stop };

  /** The clients continue while the service is stopping. It must answer every request that it has accepted. */
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

/** @param {Outcome} outcome */
export function keysTable(outcome) {
  const { killed, seconds, heals, found, checks, stop } = outcome;
  const refused = Object.entries(outcome.refused).map(([status, n]) => `${n} × ${status}`);
  return verdictTable(
    [
      ["kills", `${killsRow(killed)} in ${(seconds / 60).toFixed(1)} min`],
      ["operations", String(outcome.operations)],
      ["acknowledged", String(outcome.acknowledged)],
      ["lost", countOf(found, "lost")],
      ["partly created", countOf(found, "halfMade")],
      ["created twice", countOf(found, "twice")],
      ["other inconsistencies", countOf(found, "odd")],
      ["times the service ended without being killed", String(found.filter((text) => text.startsWith("the service ended")).length)],
      ["responses lost, key created / not created", `${outcome.unknownMade} / ${outcome.unknownAbsent}`],
      ["responses other than 201", refused.length === 0 ? "none" : refused.join(", ")],
      ["seconds to recover, median / max", `${median(heals).toFixed(2)} / ${Math.max(...heals).toFixed(2)} (of ${heals.length})`],
      ["orderly stop under load", `exit ${stop.code}, ${stop.lostAnswers} responses lost`],
      ["checks, keys tried in the last one", `${checks}, ${outcome.authenticated}`],
    ],
    found,
  );
}
