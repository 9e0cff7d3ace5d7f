// The requests of S1 and S3: the first page of the envelopes of an org with a few hundred of them, and the status of one, with 50 keys.
import { join } from "node:path";
import { answersAt, fillDatabase, freePort, scratchFolder, startDatabase, startProgram, startService } from "./harness.mjs";
import { startLoader } from "./load.mjs";
import { cpuSecondsOf, databaseCpuSeconds } from "./process-use.mjs";

export const PATH = "/api/v2/partner/envelopes?limit=20";
export const KEYS = 50;
const ENVELOPES = 500;
const POOL_SIZE = "10";

/**
 * @typedef {object} Measured one run of load
 * @property {number} requests
 * @property {number} perSecond
 * @property {number} p50_ms
 * @property {number} p99_ms
 * @property {number} serverCpu_ms per request: user and system time of the server process
 * @property {number} databaseCpu_ms per request, of all of PostgreSQL's processes
 */

/**
 * A filled database, and servers that use it.
 * @param {import("./harness.mjs").Cleanup} end
 * @param {Record<string, string>} [settings] of PostgreSQL
 */
export async function listBench(end, settings = {}) {
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder, settings);
  // One more than are used in turn: the hot one.
  const { keys } = await fillDatabase(database, { envelopes: ENVELOPES, keys: KEYS + 1 });
  const loader = startLoader();
  end.later(() => loader.stop());
  const env = { ...database.env, DATABASE_POOL_SIZE: POOL_SIZE };

  /** @param {import("./harness.mjs").Program} program */
  const whenReady = async (program) => {
    end.later(() => program.stop());
    await answersAt(program, "/healthz", 30);
    return program;
  };
  const [one] = await database.query("select envelope_id from envelopes order by envelope_id limit 1");
  return {
    database,
    statusPath: `/api/v2/partner/envelopes/${one.envelope_id}/status`,
    manyKeys: keys.slice(0, KEYS),
    hotKey: keys.slice(KEYS),
    /** `serve` with defaults: default log level, with the log in a file. */
    async startProduct(nodeArgs = /** @type {string[]} */ ([])) {
      return whenReady(startService("serve", { folder, port: await freePort(), env, nodeArgs }));
    },
    /** @param {string} name */
    async startFloor(name) {
      const port = await freePort();
      const log = join(folder, `${name}.log`);
      return whenReady(startProgram({ args: [join(import.meta.dirname, "floor.mjs")], env, port, log }));
    },
    /**
     * @param {import("./harness.mjs").Program} server
     * @param {string[]} used
     * @param {number} connections
     * @param {number} seconds
     * @param {string} [path]
     * @returns {Promise<Measured>}
     */
    async load(server, used, connections, seconds, path = PATH) {
      const before = [cpuSecondsOf(server.pid), databaseCpuSeconds(database.pid)];
      const tally = await loader.run({ port: Number(new URL(server.url).port), path, keys: used, connections, seconds });
      const after = [cpuSecondsOf(server.pid), databaseCpuSeconds(database.pid)];
      if (Object.keys(tally.refused).length > 0) throw new Error(`responses other than 200: ${JSON.stringify(tally.refused)}`);
      const { requests, perSecond, p50_ms, p99_ms } = tally;
      const [serverCpu_ms = 0, databaseCpu_ms = 0] = after.map((value, index) => ((value - (before[index] ?? 0)) * 1000) / requests);
      return { requests, perSecond, p50_ms, p99_ms, serverCpu_ms, databaseCpu_ms };
    },
  };
}
