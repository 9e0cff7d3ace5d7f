// Shared by the scenarios: what is killed and when, programs that die at a point, the admin's calls, and the table of results.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { answersAt } from "../bench/harness.mjs";
import { retryAfter } from "./api.mjs";

// One in four kills comes before the service is ready again, so that starting and recovery are interrupted too.
const EARLY = 0.25;
const EARLY_WITHIN_MS = 1_500;
// A run with more violations than this has probably found the same one many times.
const SHOWN = 20;

/** @typedef {"service" | "postgres" | "both"} KillTarget */

/**
 * Kills until the number or time is reached or all work is done, then waits until the service is ready.
 * @param {object} run
 * @param {ReturnType<typeof import("./victim.mjs").startVictim>} run.victim
 * @param {import("./history.mjs").History} run.history
 * @param {import("./random.mjs").Random} run.random
 * @param {KillTarget} run.target
 * @param {number} run.kills @param {number} run.deadline
 * @param {() => Promise<unknown>} [run.work] what a service that is ready may do before it is killed; without it, some time passes
 * @param {() => boolean} [run.working]
 * @param {(seconds: number) => unknown} [run.healed] the service is ready again, so many seconds after the last kill
 * @param {(done: number, heal: () => Promise<void>) => Promise<unknown>} [run.killed] after each kill
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
  healed = () => undefined,
  killed: afterKill = async () => undefined,
}) {
  /** @type {Record<string, number>} */
  const killed = { service: 0, postgres: 0 };
  /** @type {number | null} */
  let deadDatabase = null;
  /** @type {number | null} */
  let killedAt = null;
  const heal = async () => {
    if (deadDatabase !== null) await victim.healed(deadDatabase);
    deadDatabase = null;
    await victim.ready();
    if (killedAt !== null) await healed((performance.now() - killedAt) / 1000);
    killedAt = null;
  };
  for (let done = 0; done < kills && performance.now() < deadline && working(); ) {
    if (random.happens(EARLY)) await delay(random.between(0, EARLY_WITHIN_MS));
    else {
      await heal();
      await work();
    }
    const now = target === "both" ? (random.happens(0.5) ? "service" : "postgres") : target;
    const at = performance.now();
    if (now === "service") await victim.killService();
    else {
      const pid = await victim.killDatabase();
      if (pid === null) continue;
      deadDatabase = pid;
    }
    killedAt = at;
    await history.append({ kind: "kill", target: now });
    killed[now] = (killed[now] ?? 0) + 1;
    if (++done % 20 === 0) process.stderr.write(`${done} kills\n`);
    await afterKill(done, heal);
  }
  await heal();
  return killed;
}

/**
 * A program of the product that is killed and restarted at once, while its database keeps running.
 * @param {{ start: () => import("../bench/harness.mjs").Program, later: (undo: () => unknown) => void, readyWithinSeconds: number }} run
 */
export async function startKillable({ start, later, readyWithinSeconds }) {
  let over = false;
  let running = Promise.resolve(start());
  later(async () => {
    over = true;
    return (await running).stop("SIGKILL");
  });
  /** If the program is killed in the meantime, callers wait for the next one. */
  const ready = async () => {
    for (;;) {
      const asked = running;
      try {
        return await answersAt(await asked, "/readyz", readyWithinSeconds);
      } catch (error) {
        if (asked === running) throw error;
      }
    }
  };
  await ready();
  return {
    url: (await running).url,
    ready,
    /** False if it had already ended. */
    async kill() {
      const dying = await running;
      const wasRunning = dying.running();
      running = dying.stop("SIGKILL").then(() => {
        // If the run is interrupted while a kill is in progress, nothing must be left behind.
        if (over) throw new Error("the run is over");
        return start();
      });
      await running;
      return wasRunning;
    },
  };
}

/**
 * Runs a program of this folder until it ends or kills itself with SIGKILL at its point, and returns its output.
 * @param {{ program: string, args: readonly string[], folder: string, env: Record<string, string>, within_ms: number, later: (undo: () => unknown) => void }} run
 */
export async function runToItsEnd({ program, args, folder, env, within_ms, later }) {
  const settings = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: join(folder, "data"), ...env };
  const command = [join(import.meta.dirname, program), ...args];
  const child = spawn(process.execPath, command, { cwd: folder, env: settings, stdio: ["ignore", "pipe", "pipe"] });
  later(() => child.kill("SIGKILL"));
  let [said, complained, isLate] = ["", "", false];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    complained += text;
  });
  const tooLate = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, within_ms);
  const [code, signal] = await once(child, "close");
  clearTimeout(tooLate);
  return {
    code,
    diedByItself: signal === "SIGKILL" && !isLate,
    /** null if it printed nothing */
    said: said === "" ? null : JSON.parse(said),
    why: `${isLate ? "was too slow" : `ended with ${code ?? signal}`}: ${complained}`,
  };
}

/** Runs this many at once. The results are in the order of the items. @template T, R @param {readonly T[]} items @param {number} atOnce @param {(item: T) => Promise<R>} act @returns {Promise<R[]>} */
export async function inTurns(items, atOnce, act) {
  /** @type {R[]} */
  const results = [];
  let next = 0;
  const one = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await act(/** @type {T} */ (items[index]));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return results;
}

/** With the admin's session. Waits if the quota is used up. @param {import("./clients.mjs").Org} org @param {string} method @param {string} path @param {unknown} [body] */
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
