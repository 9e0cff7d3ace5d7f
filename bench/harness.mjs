// Shared by benchmarks and chaos runs: a temporary folder, a database with orgs and keys, and the product as a process.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { openSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";

export const root = fileURLToPath(new URL("..", import.meta.url));
const built = new URL("../server/dist/", import.meta.url);

/**
 * A module of the built service.
 * @param {string} path
 * @returns {Promise<any>}
 */
export const product = (path) => import(new URL(path, built).href);

/**
 * A module of the built PDF engine.
 * @param {string} path
 * @returns {Promise<any>}
 */
export const engine = (path) => import(new URL(`../pdf/dist/${path}`, import.meta.url).href);

/**
 * @typedef {object} Cleanup
 * @property {(undo: () => unknown) => void} later what to do at the end, last first
 * @property {() => Promise<void>} run
 */

/** Runs all clean-up steps at the end, whatever happens. @returns {Cleanup} */
export function cleanup() {
  /** @type {(() => unknown)[]} */
  const undos = [];
  return {
    later: (undo) => undos.push(undo),
    async run() {
      for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) await undo();
    },
  };
}

/**
 * A folder for one run, with the service's DATA_DIR in `data`. PostgreSQL's user must have access to it if we are root. At the end, a
 * database that a killed service left running is stopped.
 * @param {Cleanup} end
 */
export async function scratchFolder(end) {
  const folder = await mkdtemp(join(tmpdir(), "countersign-run-"));
  await chmod(folder, 0o711);
  end.later(async () => {
    const { lookUpRunning } = await product("db/embedded.js");
    await (await lookUpRunning(join(folder, "data")))?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return folder;
}

/**
 * A folder that stays for the next run, so that a large database is made once. The database in it is stopped at the end.
 * @param {string} folder
 */
export async function keptFolder(folder) {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o711);
  return folder;
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });
}

/**
 * @typedef {object} Database
 * @property {string} url the owner's
 * @property {string} appUrl of the login that serves
 * @property {{ DATABASE_APP_URL: string, DATABASE_QUEUE_URL: string }} env the settings of a service on it
 * @property {number} pid the postmaster's
 * @property {string} clusterDir the folder of the cluster
 * @property {() => Promise<unknown>} startAgain after its postmaster was killed
 * @property {(text: string, values?: unknown[]) => Promise<any[]>} query as the owner, past every fence
 */

/**
 * A separate, migrated PostgreSQL with the durability settings of the product (fsync on).
 * @param {Cleanup} end
 * @param {string} folder
 * @param {Record<string, string>} [settings]
 * @returns {Promise<Database>}
 */
export async function startDatabase(end, folder, settings = {}) {
  const { startEmbedded } = await product("db/embedded.js");
  const { migrate } = await product("db/migrate.js");
  const { migrateQueue } = await product("jobs/queue-schema.js");
  const { ensureEmbeddedLogins } = await product("db/logins.js");
  const start = async () => {
    const started = await startEmbedded({ dataDir: join(folder, "database"), settings });
    end.later(() => started.stop());
    return started;
  };
  const server = await start();
  await ensureEmbeddedLogins(server.url, server.logins);
  await migrate(server.url);
  await migrateQueue(server.url);
  const pool = new pg.Pool({ connectionString: server.url, max: 2 });
  // A run may kill the server; a query then rejects, and an idle connection is no error.
  pool.on("error", () => undefined);
  end.later(() => pool.end());
  const { pid } = await lockFile(server.clusterDir);
  const { url, appUrl, queueUrl, clusterDir } = server;
  const env = { DATABASE_APP_URL: appUrl, DATABASE_QUEUE_URL: queueUrl };
  const query = async (/** @type {string} */ text, /** @type {unknown[]} */ values = []) => (await pool.query(text, values)).rows;
  return { url, appUrl, env, pid, clusterDir, startAgain: start, query };
}

/** PGBOUNCER: another version than the installed one. Debian installs it in a folder that is only on an administrator's path. */
const POOLERS = process.env.PGBOUNCER === undefined ? ["pgbouncer", "/usr/sbin/pgbouncer"] : [process.env.PGBOUNCER];

/** The path of PgBouncer; null if it is not installed. */
export const lookUpPooler = () => POOLERS.find((place) => spawnSync(place, ["--version"]).status === 0) ?? null;

/**
 * A real PgBouncer in front of a database. Returns the settings of a service behind it. In transaction mode the queue has its own connection
 * to the database, as the service requires.
 * @param {Cleanup} end @param {string} folder @param {Pick<Database, "env">} database
 * @param {{ mode: "session" | "transaction", connections: number }} wanted connections: to the database, for each login
 * @returns {Promise<Record<string, string> & { DATABASE_APP_URL: string, DATABASE_QUEUE_URL: string }>}
 */
export async function startPooler(end, folder, { env }, { mode, connections }) {
  const program = lookUpPooler();
  if (program === null) throw new Error("PgBouncer is not installed (apt-get install pgbouncer)");
  const { chooseAccount, spawnAs } = await product("db/embedded/account.js");
  const [place, port] = [join(folder, "pooler"), await freePort()];
  await mkdir(place);
  await chmod(place, 0o755);
  const logins = Object.values(env).map((url) => new URL(url));
  const server = logins[0];
  // It has the plain passwords, so that it can log in to the server.
  await writeFile(join(place, "users"), logins.map(({ username, password }) => `"${username}" "${password}"\n`).join(""));
  await writeFile(
    join(place, "pgbouncer.ini"),
    `[databases]
* = host=${server?.searchParams.get("host") ?? server?.hostname} port=${server?.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = md5
auth_file = ${join(place, "users")}
pool_mode = ${mode}
default_pool_size = ${connections}
max_client_conn = 500
server_login_retry = 1
ignore_startup_parameters = options
`,
  );
  const output = openSync(join(folder, "pooler.log"), "a");
  // It refuses to run as root, as PostgreSQL does.
  const child = spawn(program, [join(place, "pgbouncer.ini")], { ...spawnAs(await chooseAccount()), stdio: ["ignore", output, output] });
  const ended = once(child, "exit");
  end.later(() => {
    child.kill("SIGTERM");
    return ended;
  });
  for (let tries = 0; !(await accepts(port)); tries++) {
    if (tries === 500 || child.exitCode !== null) throw new Error(`PgBouncer does not listen; see ${join(folder, "pooler.log")}`);
    await delay(POLL_MS);
  }
  const through = (/** @type {string} */ url) => {
    const changed = new URL(url);
    changed.searchParams.delete("host");
    changed.host = `127.0.0.1:${port}`;
    return changed.href;
  };
  const DATABASE_APP_URL = through(env.DATABASE_APP_URL);
  return mode === "session"
    ? { DATABASE_APP_URL, DATABASE_QUEUE_URL: through(env.DATABASE_QUEUE_URL) }
    : { DATABASE_APP_URL, DATABASE_QUEUE_URL: env.DATABASE_QUEUE_URL, DATABASE_POOLING: "transaction" };
}

/** Whether something listens at a port of this machine. @param {number} port @returns {Promise<boolean>} */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** The first line of PostgreSQL's own lock file. @param {string} clusterDir */
export async function lockFile(clusterDir) {
  const [pid] = (await readFile(join(clusterDir, "postmaster.pid"), "utf8")).split("\n");
  return { pid: Number(pid) };
}

/**
 * One org with `envelopes` envelopes and `keys` keys without a rate limit.
 * @param {Pick<Database, "appUrl" | "query">} database
 * @param {{ envelopes: number, keys: number, scopes?: string[] }} wanted
 * @returns {Promise<{ org_id: string, keys: string[], admin: { email: string, password: string } }>}
 */
export async function fillDatabase(database, { envelopes, keys, scopes = ["envelopes:read"] }) {
  const { connectDb } = await product("db/connect.js");
  const { createOrg } = await product("orgs/create-org.js");
  const { createProofPool } = await product("proofs/pool.js");
  const { createKey } = await product("keys/create-key.js");
  const { systemCaller } = await product("shared/caller.js");
  const { newId } = await product("shared/ids.js");
  const db = connectDb({ url: database.appUrl, poolSize: 2 });
  const by = { ip: "127.0.0.1", user_agent: "bench", request_id: "bench" };
  const admin = { email: "admin@example.com", name: "Admin", password: randomBytes(16).toString("hex") };
  const proofs = createProofPool();
  const prepared = await createOrg.prepare({ proofs }, { org_name: "Bench", ...admin });
  const { org_id } = await db.system((/** @type {any} */ tx) => createOrg.save(tx, by, prepared));
  await proofs.close();
  const made = [];
  for (let n = 0; n < keys; n++) {
    const wanted = { partner_name: `Partner ${n}`, scopes, rate_limit_rpm: 100_000 };
    made.push((await createKey({ db, defaultRateLimitRpm: 100 }, systemCaller(org_id), wanted)).api_key);
  }
  await db.end();
  const ids = Array.from({ length: envelopes }, () => newId("envelope"));
  await database.query("insert into customers (org_id, customer_id) select $1, 'cust_' || n from generate_series(0, 39) as n", [org_id]);
  await database.query(
    `insert into envelopes (org_id, envelope_id, envelope_name, status, customer_id, external_id)
     select $1, id, 'Service agreement ' || n, (array['sent', 'viewed', 'completed', 'vaulted'])[1 + n % 4], 'cust_' || n % 40, 'contract-' || n
     from unnest($2::text[]) with ordinality as made(id, n)`,
    [org_id, ids],
  );
  await database.query("vacuum analyze");
  return { org_id, keys: made, admin: { email: admin.email, password: admin.password } };
}

/**
 * @typedef {object} Program
 * @property {number} pid
 * @property {string} url
 * @property {Promise<{ code: number | null, signal: NodeJS.Signals | null }>} ended
 * @property {() => boolean} running
 * @property {(signal?: NodeJS.Signals) => Promise<{ code: number | null, signal: NodeJS.Signals | null }>} stop sends it and waits for the end
 */

/**
 * Starts a program that listens on `port`. Its output goes to `log`.
 * @param {{ args: string[], env: Record<string, string | undefined>, port: number, log: string, command?: string, cwd?: string, group?: boolean }} wanted
 *   group: a process group of its own, which `stop` then ends as a whole
 * @returns {Program}
 */
export function startProgram({ args, env, port, log, command = process.execPath, cwd = root, group = false }) {
  const output = openSync(log, "a");
  const child = spawn(command, args, {
    cwd,
    detached: group,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), ...env },
    stdio: ["ignore", output, output],
  });
  const pid = child.pid ?? 0;
  const ended = once(child, "exit").then(([code, signal]) => ({ code, signal }));
  const running = () => child.exitCode === null && child.signalCode === null;
  return {
    pid,
    url: `http://127.0.0.1:${port}`,
    ended,
    running,
    async stop(signal = "SIGTERM") {
      if (running()) process.kill(group ? -pid : pid, signal);
      return ended;
    },
  };
}

// As in `npm start` and docs/operations.md.
const NODE_ARGS = ["--v8-pool-size=1"];

/**
 * The service: `start`, `serve` or `worker`.
 * @param {string} command
 * @param {{ folder: string, port: number, env?: Record<string, string>, nodeArgs?: string[] }} wanted
 */
export function startService(command, { folder, port, env = {}, nodeArgs = [] }) {
  const args = [...NODE_ARGS, ...nodeArgs, join(root, "server/bin/countersign.js"), command];
  // The folder is also the working directory, so that a `.env` of the repository is not used.
  return startProgram({ args, env: { DATA_DIR: join(folder, "data"), ...env }, port, log: join(folder, "service.log"), cwd: folder });
}

/** The status of a plain GET; 0 if there is no response. @param {string} url @returns {Promise<number>} */
export function statusOf(url) {
  return new Promise((resolve) => {
    const asked = request(url, { agent: false, timeout: 5_000 }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode ?? 0));
      answer.once("error", () => resolve(0));
    });
    asked.once("timeout", () => asked.destroy());
    asked.once("error", () => resolve(0));
    asked.end();
  });
}

const POLL_MS = 20;

/**
 * Waits for the first 200 and returns how many seconds that took.
 * @param {Program} program
 * @param {string} path
 * @param {number} withinSeconds
 */
export async function answersAt(program, path, withinSeconds) {
  const began = performance.now();
  while (performance.now() - began < withinSeconds * 1000) {
    if ((await statusOf(program.url + path)) === 200) return (performance.now() - began) / 1000;
    if (!program.running()) throw new Error(`the program ended with ${JSON.stringify(await program.ended)} before its first response`);
    await delay(POLL_MS);
  }
  throw new Error(`no response at ${path} within ${withinSeconds} s`);
}
