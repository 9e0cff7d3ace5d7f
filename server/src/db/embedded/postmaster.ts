// The running server of a cluster: finding it, starting it, stopping it. PostgreSQL's own lock file (postmaster.pid) is
// the only record of it; we keep none, so none can go stale.
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import { childEnv, run, spawnAs } from "./account.ts";
import { type Cluster, lostPassword, NAME } from "./cluster.ts";
import { hasCode, lookUpText } from "./files.ts";
import { openLog, tailOfLog } from "./server-log.ts";

export interface Connection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export interface Server {
  pid: number;
  connection: Connection;
}

export type State =
  | { kind: "ready"; server: Server }
  | { kind: "busy"; reason: string } // a server of this cluster is starting or stopping
  | { kind: "absent"; stalePid: number | null };

/** Answers without waiting. Throws when the server is there and will not let us in. */
export async function inspect(cluster: Cluster): Promise<State> {
  const lock = await readLockFile(cluster.dir);
  if (lock === null) return { kind: "absent", stalePid: null };
  const visible = await isPostmasterOf(lock.pid, cluster.dir);
  // A port that an old lock file names may be anybody's by now, and a stranger who listens there could ask for our password.
  if (!visible && !lock.usesSocket) return { kind: "absent", stalePid: lock.pid };
  if (visible && lock.status !== "ready") return { kind: "busy", reason: `it is ${lock.status}` };

  const connection = connectionTo(cluster, lock);
  const answer = await ask(connection);
  if (answer.kind === "ready") return { kind: "ready", server: { pid: lock.pid, connection } };
  // Whoever answers on the socket in the cluster's own folder is its server, also when another container hides the process from us.
  if (!visible && answer.kind === "silent") return { kind: "absent", stalePid: lock.pid };
  if (answer.kind === "refused") throw new Error(refusal(cluster, answer));
  return { kind: "busy", reason: answer.reason };
}

function refusal({ dataDir, dir }: Cluster, { code, reason }: Refused): string {
  const said = `PostgreSQL in ${dir} refuses the connection: ${reason}.`;
  return code === WRONG_PASSWORD ? `${said} ${lostPassword(dataDir, dir)}` : `${said} Remove the cause and try again.`;
}

interface LockFile {
  pid: number;
  port: number;
  usesSocket: boolean;
  status: string;
}

/** The lines of postmaster.pid, in PostgreSQL's order: pid, data folder, start time, port, socket folder, TCP address, shared memory, status. */
async function readLockFile(dir: string): Promise<LockFile | null> {
  const lines = (await lookUpText(join(dir, "postmaster.pid")))?.split("\n");
  const pid = Math.abs(Number(lines?.[0])); // negative while a stand-alone backend holds the cluster
  if (lines === undefined || !(pid > 0)) return null;
  return { pid, port: Number(lines[3]), usesSocket: (lines[4] ?? "") !== "", status: lines[7]?.trim() || "starting" };
}

/** A pid alone proves nothing: after a reboot, and in every container, it soon belongs to another process. */
async function isPostmasterOf(pid: number, dir: string): Promise<boolean> {
  return (await commandOf(pid)).includes(`/postgres -D ${dir} -c `);
}

async function commandOf(pid: number): Promise<string> {
  if (process.platform === "linux") return ((await lookUpText(`/proc/${pid}/cmdline`)) ?? "").replaceAll("\0", " ");
  // The ps of macOS garbles paths that are not ASCII unless the locale can show them.
  return (await run("/usr/bin/env", ["LC_ALL=en_US.UTF-8", "ps", "-ww", "-o", "command=", "-p", String(pid)])).output;
}

const connectionTo = (cluster: Cluster, lock: LockFile): Connection => ({
  host: lock.usesSocket ? cluster.dir : "127.0.0.1",
  port: lock.port,
  user: NAME,
  password: cluster.password,
  database: NAME,
});

type Refused = { kind: "refused"; code: string; reason: string };
type Answer = { kind: "ready" } | { kind: "unready" | "silent"; reason: string } | Refused;

const ANSWER_WITHIN_MS = 5_000;
const WRONG_PASSWORD = "28P01";
const PASSING = /^(53|57)/; // classes of SQLSTATE: too many connections, starting up, shutting down. Nothing else gets better by waiting

async function ask(connection: Connection): Promise<Answer> {
  const client = new Client({ ...connection, ssl: false, connectionTimeoutMillis: ANSWER_WITHIN_MS, query_timeout: ANSWER_WITHIN_MS });
  client.on("error", () => undefined); // the call that fails below reports it too; with nobody listening it would end the process
  try {
    await client.connect();
    await client.query("select 1");
    return { kind: "ready" };
  } catch (error) {
    if (!(error instanceof DatabaseError)) return { kind: "silent", reason: String(error) };
    const { code = "", message: reason } = error;
    return PASSING.test(code) ? { kind: "unready", reason } : { kind: "refused", code, reason };
  } finally {
    await client.end();
  }
}

// Made for one small service on one machine: about 20 MB of memory with no work to do. Values given by the caller win.
const SETTINGS = {
  // What was acknowledged survives a power cut.
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  max_connections: "100",
  shared_buffers: "32MB",
  huge_pages: "off",
  // No helper processes that a small service does not need.
  io_method: "sync",
  max_logical_replication_workers: "0",
  // Parallel queries share memory through /dev/shm, of which a container has 64 MB.
  max_parallel_workers_per_gather: "0",
  jit: "off",
  min_wal_size: "32MB",
  max_wal_size: "256MB",
  unix_socket_permissions: "0700",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  // Statements and details hold what customers typed; the log holds neither.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

// A socket's path has 104 bytes on macOS and 108 on Linux, with the zero at its end.
const SOCKET_PATH_MAX_BYTES = 103;
const SOCKET_PORT = 5432; // only a part of the socket's name

/** The socket lies in the cluster's folder, which only its owner may enter. Where its path would be too long: loopback, and the password. */
async function chooseAddress(dir: string): Promise<Record<string, string>> {
  const fits = Buffer.byteLength(join(dir, `.s.PGSQL.${SOCKET_PORT}`)) <= SOCKET_PATH_MAX_BYTES;
  if (fits) return { listen_addresses: "", unix_socket_directories: ".", port: String(SOCKET_PORT) };
  return { listen_addresses: "127.0.0.1", unix_socket_directories: "", port: String(await findFreePort()) };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("No free port was found.")),
      );
    });
  });
}

export interface Launch {
  cluster: Cluster;
  postgres: string;
  settings: Record<string, string>;
  log: (line: string) => void;
  signal: AbortSignal | undefined;
}

// A launch fails when another process launched first, when the port that was free a moment ago is taken, or while a session of a
// killed server still works on its last query and holds the shared memory (that one is waited for). What still fails then, stays.
const LAUNCHES_MAX = 5;
const RELAUNCH_AFTER_MS = 200; // more with each launch, two seconds in all: as long as a wrong setting takes to be reported
const POLL_MS = 25;

/** The cluster's server, started if nobody has. Any number of processes may call this at once: PostgreSQL's lock file lets one server live. */
export async function ensureServer(launch: Launch, deadline_ms: number): Promise<Server & { startedHere: boolean }> {
  const { cluster, signal } = launch;
  let child: ChildProcess | null = null;
  let launches = 0;
  let launchAfter_ms = 0;
  let waitingFor = "no answer";
  for (; Date.now() < deadline_ms; await delay(POLL_MS)) {
    if (signal?.aborted) return stopAndThrow(cluster, child, new Error("the start was called off"));
    const state = await inspect(cluster).catch((error) => stopAndThrow(cluster, child, error));
    if (state.kind === "ready") return { ...state.server, startedHere: state.server.pid === child?.pid };
    if (state.kind === "busy") waitingFor = state.reason;
    if (state.kind === "busy" || (child !== null && isRunning(child))) continue;
    if (launches === LAUNCHES_MAX && !(await isMemoryHeld(cluster.dir))) {
      throw new Error(`PostgreSQL does not start. Remove the cause and try again.\n${await tailOfLog(cluster.dir)}`);
    }
    if (Date.now() < launchAfter_ms) continue;
    child = await startPostmaster(launch, state.stalePid);
    launches = Math.min(launches + 1, LAUNCHES_MAX);
    launchAfter_ms = Date.now() + launches * RELAUNCH_AFTER_MS;
  }
  throw new Error(
    `PostgreSQL was not ready in time (${waitingFor}). If it is recovering after a crash it goes on doing so: ` +
      `start again in a while.\n${await tailOfLog(cluster.dir)}`,
  );
}

/**
 * A session of a killed server works on its last query and holds the memory that a new server must not touch. That ends with the
 * query, however long it takes, so it is waited for until the deadline.
 */
async function isMemoryHeld(dir: string): Promise<boolean> {
  return (await tailOfLog(dir)).trimEnd().split("\n").slice(-4).join("\n").includes("shared memory block");
}

/** A server that we started and that will not let us in, or that nobody wants any more, is of no use to anybody. */
async function stopAndThrow(cluster: Cluster, child: ChildProcess | null, error: unknown): Promise<never> {
  if (child?.pid !== undefined) await stopServer(cluster, child.pid);
  throw error;
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/** In a session of its own and with no tie to our terminal or pipes: it outlives us and is stopped only on purpose. */
async function startPostmaster({ cluster, postgres, settings, log }: Launch, stalePid: number | null): Promise<ChildProcess> {
  const all = { ...SETTINGS, ...(await chooseAddress(cluster.dir)), ...settings };
  const args = ["-D", cluster.dir, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  // PostgreSQL takes a lock file for live when its pid is. We know that this pid is not the cluster's server and say so with the
  // variable that pg_ctl uses; PostgreSQL then still checks the shared memory before it replaces the file. Removing it would skip that.
  const env = stalePid === null ? childEnv() : { ...childEnv(), PG_GRANDPARENT_PID: String(stalePid) };
  const output = await openLog(cluster);
  try {
    const child = spawn(postgres, args, {
      ...spawnAs(cluster.account),
      cwd: cluster.dir,
      env,
      detached: true,
      stdio: ["ignore", output.fd, output.fd],
    });
    child.on("error", (error) => log(`PostgreSQL could not be started: ${error.message}`));
    child.unref();
    return child;
  } finally {
    await output.close();
  }
}

/** Waits while the server starts or stops; null when there is none. */
export async function lookUpServer(cluster: Cluster, deadline_ms: number): Promise<Server | null> {
  for (;;) {
    const state = await inspect(cluster);
    if (state.kind === "ready") return state.server;
    if (state.kind === "absent") return null;
    if (Date.now() >= deadline_ms) {
      throw new Error(`PostgreSQL runs but is not ready (${state.reason}). Try again in a while.\n${await tailOfLog(cluster.dir)}`);
    }
    await delay(POLL_MS);
  }
}

const FAST_STOP_MS = 20_000;
const IMMEDIATE_STOP_MS = 10_000;

/** Stops this very server, never a later one. A second call finds it gone and returns. */
export async function stopServer(cluster: Cluster, pid: number): Promise<void> {
  if (!(await isPostmasterOf(pid, cluster.dir))) return refuseHidden(cluster, pid);
  signal(pid, "SIGINT"); // fast: ends the sessions, then writes a checkpoint
  if (await isGoneWithin(FAST_STOP_MS, cluster, pid)) return;
  signal(pid, "SIGQUIT"); // at once, without a checkpoint: the next start recovers from the log of changes
  if (await isGoneWithin(IMMEDIATE_STOP_MS, cluster, pid)) return;
  throw new Error(`PostgreSQL (process ${pid}) does not stop. Look into ${join(cluster.dir, "server.log")} and stop it by hand.`);
}

async function refuseHidden(cluster: Cluster, pid: number): Promise<void> {
  const state = await inspect(cluster);
  if (state.kind !== "ready" || state.server.pid !== pid) return;
  throw new Error(
    `PostgreSQL in ${cluster.dir} runs, but its process ${pid} is not visible here. Stop it in the container that started it.`,
  );
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasCode(error, "ESRCH")) throw error; // it ended by itself meanwhile
  }
}

async function isGoneWithin(wait_ms: number, cluster: Cluster, pid: number): Promise<boolean> {
  for (const deadline_ms = Date.now() + wait_ms; Date.now() < deadline_ms; await delay(POLL_MS)) {
    if (!(await isPostmasterOf(pid, cluster.dir))) return true;
  }
  return false;
}
