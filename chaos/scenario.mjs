// What the scenarios share that judge after the kills: who kills and when, the admin's calls, and the table of the verdict.
import { setTimeout as delay } from "node:timers/promises";
import { retryAfter } from "./api.mjs";

// One in four comes before the service is ready again, so that starting and healing are interrupted too.
const EARLY = 0.25;
const EARLY_WITHIN_MS = 1_500;
// A run that finds more than this has found one thing many times.
const SHOWN = 20;

/** @typedef {"service" | "postgres" | "both"} KillTarget */

/**
 * Kills until there were enough, the time is over or nobody works any more; then waits until the service is ready.
 * @param {object} run
 * @param {ReturnType<typeof import("./victim.mjs").startVictim>} run.victim
 * @param {import("./history.mjs").History} run.history
 * @param {import("./random.mjs").Random} run.random
 * @param {KillTarget} run.target
 * @param {number} run.kills @param {number} run.deadline
 * @param {() => Promise<unknown>} [run.work] what a service that is ready may do before it is killed; without it, some time passes
 * @param {() => boolean} [run.working]
 * @returns {Promise<Record<string, number>>} kills by target
 */
export async function killAtRandom({
  victim,
  history,
  random,
  target,
  kills,
  deadline,
  work = () => delay(random.between(100, 3_000)),
  working = () => true,
}) {
  /** @type {Record<string, number>} */
  const killed = { service: 0, postgres: 0 };
  /** @type {number | null} */
  let deadDatabase = null;
  for (let done = 0; done < kills && performance.now() < deadline && working(); ) {
    if (random.happens(EARLY)) await delay(random.between(0, EARLY_WITHIN_MS));
    else {
      if (deadDatabase !== null) await victim.healed(deadDatabase);
      deadDatabase = null;
      await victim.ready();
      await work();
    }
    const now = target === "both" ? (random.happens(0.5) ? "service" : "postgres") : target;
    if (now === "service") await victim.killService();
    else {
      deadDatabase = await victim.killDatabase();
      if (deadDatabase === null) continue;
    }
    await history.append({ kind: "kill", target: now });
    killed[now] = (killed[now] ?? 0) + 1;
    if (++done % 20 === 0) process.stderr.write(`${done} kills\n`);
  }
  if (deadDatabase !== null) await victim.healed(deadDatabase);
  await victim.ready();
  return killed;
}

/** With the admin's session; a full quota is waited for. @param {import("./clients.mjs").Org} org @param {string} method @param {string} path @param {unknown} [body] */
export async function ask(org, method, path, body) {
  for (;;) {
    const answer = await org.send(method, path, { headers: { authorization: `Bearer ${await org.token()}` }, body });
    if (answer.status !== 429) return answer;
    await delay(retryAfter(answer) * 1000);
  }
}

/** @param {Record<string, number>} killed */
export function killsRow(killed) {
  const kills = Object.values(killed).reduce((sum, n) => sum + n, 0);
  return `${kills} (${killed.service} service, ${killed.postgres} postgres)`;
}

/** Violations begin with their kind and a colon. @param {string[]} found @param {string} kind */
export const countOf = (found, kind) => String(found.filter((text) => text.startsWith(`${kind}: `)).length);

/** @param {[string, string][]} rows @param {string[]} found */
export function verdictTable(rows, found) {
  const all = [...rows, ["verdict", found.length === 0 ? "no violation" : `${found.length} VIOLATIONS`]];
  const width = Math.max(...all.map(([name]) => (name ?? "").length));
  return [
    ...all.map(([name, value]) => `${(name ?? "").padEnd(width)}  ${value}`),
    ...found.slice(0, SHOWN).map((text) => `- ${text}`),
  ].join("\n");
}
