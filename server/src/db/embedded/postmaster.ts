// Finds, starts and stops the server of a cluster. PostgreSQL's own lock file (postmaster.pid) is the only record of a
// running server; we keep none that could become outdated.
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

/** Returns without waiting. Throws if the server is running and rejects our connection. */
export async function inspect(cluster: Cluster): Promise<State> {
  const lock = await readLockFile(cluster.dir);
  if (lock === null) return { kind: "absent", stalePid: null };
  const visible = await isPostmasterOf(lock.pid, cluster.dir);
  // The port in an old lock file may belong to another program by now, which could ask for our password.
  if (!visible && !lock.usesSocket) return { kind: "absent", stalePid: lock.pid };
  if (visible && lock.status !== "ready") return { kind: "busy", reason: `it is ${lock.status}` };

  const connection = connectionTo(cluster, lock);
  const answer = await ask(connection);
  if (answer.kind === "ready") return { kind: "ready", server: { pid: lock.pid, connection } };
  // A server that answers on the socket in the cluster's folder is the right one, even if it runs in a container and we cannot see it.
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
  const pid = Math.abs(Number(lines?.[0])); // negative while a stand-alone backend uses the cluster
  if (lines === undefined || !(pid > 0)) return null;
  return { pid, port: Number(lines[3]), usesSocket: (lines[4] ?? "") !== "", status: lines[7]?.trim() || "starting" };
}

/** Checks the command line too, because after a reboot or in a container the pid can belong to another process. */
async function isPostmasterOf(pid: number, dir: string): Promise<boolean> {
  return (await commandOf(pid)).includes(`/postgres -D ${dir} -c `);
}

async function commandOf(pid: number): Promise<string> {
  if (process.platform === "linux") return ((await lookUpText(`/proc/${pid}/cmdline`)) ?? "").replaceAll("\0", " ");
  // The `ps` of macOS garbles non-ASCII paths unless the locale supports them.
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
const PASSING = /^(53|57)/; // SQLSTATE classes: too many connections, starting up, shutting down. Waiting does not help with other errors

async function ask(connection: Connection): Promise<Answer> {
  const client = new Client({ ...connection, ssl: false, connectionTimeoutMillis: ANSWER_WITHIN_MS, query_timeout: ANSWER_WITHIN_MS });
  client.on("error", () => undefined); // the failing call below reports it too; without a listener the process would end
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

// For one small service on one machine: about 20 MB of memory when idle. The caller's values take precedence.
const SETTINGS = {
  // Committed data survives a power failure.
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  max_connections: "100",
  shared_buffers: "32MB",
  huge_pages: "off",
  // Turns off helper processes that a small service does not need.
  io_method: "sync",
  max_logical_replication_workers: "0",
  // Parallel queries share memory through /dev/shm, which has only 64 MB in a container.
  max_parallel_workers_per_gather: "0",
  jit: "off",
  min_wal_size: "32MB",
  max_wal_size: "256MB",
  unix_socket_permissions: "0700",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  // Statements and error details contain customers' data, so the log must not contain them.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

// A socket's path can have 104 bytes on macOS and 108 on Linux, including the terminating zero.
const SOCKET_PATH_MAX_BYTES = 103;
const SOCKET_PORT = 5432; // only a part of the socket's name

/** The socket is in the cluster's folder, which only its owner can enter. If its path would be too long, the server uses loopback and the password. */
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

// A launch fails if another process launched first, if the free port was taken in the meantime, or while a session of a killed server
// still runs its last query and holds the shared memory (we wait for that). After these attempts the failure is permanent.
const LAUNCHES_MAX = 5;
const RELAUNCH_AFTER_MS = 200; // grows with each launch, to two seconds in total, so a wrong setting is reported soon
const POLL_MS = 25;

/** The cluster's server, started if needed. Many processes can call this at the same time; PostgreSQL's lock file permits only one server. */
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
 * Whether a session of a killed server still runs its last query and holds shared memory that a new server must not use. This ends
 * with the query, so the caller waits for it until the deadline.
 */
async function isMemoryHeld(dir: string): Promise<boolean> {
  return (await tailOfLog(dir)).trimEnd().split("\n").slice(-4).join("\n").includes("shared memory block");
}

/** Stops a server that we started if it rejects our connection or the start was aborted. */
async function stopAndThrow(cluster: Cluster, child: ChildProcess | null, error: unknown): Promise<never> {
  if (child?.pid !== undefined) await stopServer(cluster, child.pid);
  throw error;
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/** Starts the server in its own session, detached from our terminal and pipes, so that it survives us and is only stopped explicitly. */
async function startPostmaster({ cluster, postgres, settings, log }: Launch, stalePid: number | null): Promise<ChildProcess> {
  const all = { ...SETTINGS, ...(await chooseAddress(cluster.dir)), ...settings };
  const args = ["-D", cluster.dir, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  // PostgreSQL respects a lock file if a process with its pid exists. We know that this process is not the cluster's server, and pass
  // its pid in the variable that pg_ctl uses. PostgreSQL then still checks the shared memory before it replaces the file. Removing the
  // file would skip that check.
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

/** Waits while the server starts or stops. Null if there is none. */
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

/** Stops exactly this server, never a later one. A second call does nothing. */
export async function stopServer(cluster: Cluster, pid: number): Promise<void> {
  if (!(await isPostmasterOf(pid, cluster.dir))) return refuseHidden(cluster, pid);
  signal(pid, "SIGINT"); // fast: ends the sessions, then writes a checkpoint
  if (await isGoneWithin(FAST_STOP_MS, cluster, pid)) return;
  signal(pid, "SIGQUIT"); // immediate, without a checkpoint: the next start recovers from the write-ahead log
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
    if (!hasCode(error, "ESRCH")) throw error; // it ended in the meantime
  }
}

async function isGoneWithin(wait_ms: number, cluster: Cluster, pid: number): Promise<boolean> {
  for (const deadline_ms = Date.now() + wait_ms; Date.now() < deadline_ms; await delay(POLL_MS)) {
    if (!(await isPostmasterOf(pid, cluster.dir))) return true;
  }
  return false;
}
