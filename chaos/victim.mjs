// The service under attack: `start` on a folder, killed and restarted, and its database, killed and restarted by the service itself, or by
// the run if it is behind a pooler.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { answersAt, lockFile, product, root, startService, statusOf } from "../bench/harness.mjs";

// How long it really takes is in the table of the run. On a machine that is busy with other work, it can be minutes.
const READY_WITHIN_SECONDS = 180;
const POLL_MS = 20;

// For a violation: the last lines of the service's log that are not about a request.
const REQUEST_LINE = /"msg":"request( failed)?"/;
const LOG_LINES = 18;
const LINE_LENGTH = 1_000;

/**
 * A database of its own, and the settings with which the service reaches it. The run starts it again after it was killed.
 * @typedef {Pick<import("../bench/harness.mjs").Database, "url" | "appUrl" | "clusterDir" | "startAgain"> & { env: Record<string, string> }} Outside
 */

/** @param {{ folder: string, port: number, later: (undo: () => unknown) => void, outside?: Outside | null }} place */
export function startVictim({ folder, port, later, outside = null }) {
  const dataDir = join(folder, "data");
  const clusterDir = outside?.clusterDir ?? join(dataDir, "postgres");
  const wanted = { folder, port, env: outside?.env ?? {} };
  let service = startService("start", wanted);
  let over = false;
  later(() => {
    over = true;
    return service.stop("SIGKILL");
  });
  /** @type {string[]} */
  const badEnds = [];
  let isStarting = true;
  // A start that loses its database halfway ends with exit code 1, so that a supervisor restarts it.
  const killedUnder = new WeakSet();

  const startAgain = () => {
    // If the run is interrupted while a kill is in progress, nothing must be left behind.
    if (over) throw new Error("the run is over");
    service = startService("start", wanted);
    isStarting = true;
  };

  /** Waits until the service is ready. A service that ended without being killed is reported and restarted. */
  async function ready() {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await answersAt(service, "/readyz", READY_WITHIN_SECONDS);
        isStarting = false;
        return answer;
      } catch (error) {
        if (service.running()) throw error;
        noteEnd("unexpectedly", await service.ended);
        if (tries === 5) throw new Error("the service no longer starts", { cause: error });
        startAgain();
      }
    }
  }

  /** A lock file may be old and its pid reused, so only the server of this folder counts. */
  async function postmaster() {
    try {
      const { pid } = await lockFile(clusterDir);
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      return command.includes(`/postgres -D ${clusterDir} `) ? pid : null;
    } catch (error) {
      if (["ENOENT", "ESRCH"].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? "")) return null;
      throw error;
    }
  }

  /** @param {"unexpectedly" | "when stopped"} when @param {{ code: number | null, signal: string | null }} end */
  function noteEnd(when, { code, signal }) {
    if (when === "unexpectedly" && code === 1 && killedUnder.has(service)) return;
    const lines = readFileSync(join(folder, "service.log"), "utf8").trimEnd().split("\n");
    const log = lines.filter((line) => !REQUEST_LINE.test(line)).slice(-LOG_LINES);
    badEnds.push(`the service ended ${when} with ${code ?? signal}:\n    ${log.map((line) => line.slice(0, LINE_LENGTH)).join("\n    ")}`);
  }

  /** Of the owner and of the login that serves; null while there is no database. @returns {Promise<{ url: string, appUrl: string } | null>} */
  async function database() {
    if (outside !== null) return outside;
    const { lookUpRunning } = await product("db/embedded.js");
    return lookUpRunning(dataDir);
  }

  return {
    url: service.url,
    dataDir,
    database,
    ready,
    /** each time that the service ended without being killed, or with another exit code than 0 when it was stopped */
    badEnds,

    /** kill -9 and an immediate restart. */
    async killService() {
      if (service.running()) await service.stop("SIGKILL");
      else noteEnd("unexpectedly", await service.ended);
      startAgain();
    },

    /** kill -9 of the postmaster; null if none is running. The service that started it starts another one. */
    async killDatabase() {
      const pid = await postmaster();
      if (pid !== null) process.kill(pid, "SIGKILL");
      if (pid !== null) outside?.startAgain().catch((error) => badEnds.push(`the database could not be started again: ${error}`));
      if (pid !== null && isStarting) killedUnder.add(service);
      return pid;
    },

    /** Waits until a new database is running and the service is ready again. @param {number} killed */
    async healed(killed) {
      const began = performance.now();
      const deadline = began + READY_WITHIN_SECONDS * 1000;
      while (performance.now() < deadline) {
        const now = await postmaster();
        if (now !== null && now !== killed && (await statusOf(`${service.url}/readyz`)) === 200) return;
        if (!service.running()) return void (await ready());
        await delay(POLL_MS);
      }
      throw new Error(`not ready ${READY_WITHIN_SECONDS} s after its database was killed`);
    },

    /** SIGTERM. Returns how it ended, and whether a database was left running. */
    async stopOrderly() {
      const end = await service.stop("SIGTERM");
      if (end.code !== 0) noteEnd("when stopped", end);
      if (outside !== null) return { code: end.code ?? end.signal, databaseLeft: false };
      const { lookUpRunning } = await product("db/embedded.js");
      const left = await lookUpRunning(dataDir);
      await left?.stop();
      return { code: end.code ?? end.signal, databaseLeft: left !== null };
    },
    startAgain,

    /**
     * Queries as the database's owner, to simulate time and to read what no response shows. Rejects while there is no database.
     * @param {string} text @param {unknown[]} [values] @returns {Promise<any[]>}
     */
    async query(text, values = []) {
      const running = await database();
      if (running === null) throw new Error("no database is running");
      const connection = new pg.Client({ connectionString: running.url });
      // The query rejects as well. Without a listener, the process would end.
      connection.on("error", () => undefined);
      try {
        await connection.connect();
        return (await connection.query(text, values)).rows;
      } finally {
        await connection.end().catch(() => undefined);
      }
    },

    /** The command line, next to the running service. @param {string[]} args @param {Record<string, string>} [more] */
    async command(args, more = {}) {
      const program = join(root, "server/bin/countersign.js");
      const options = { cwd: folder, env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), ...wanted.env, ...more } };
      return (await promisify(execFile)(process.execPath, [program, ...args], options)).stdout;
    },
  };
}
