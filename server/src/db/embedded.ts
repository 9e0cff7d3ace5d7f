// The database of a service without DATABASE_URL: a real PostgreSQL from npm, started next to the service and reachable only
// from this machine. It survives a killed service, so a start first looks for a server that is already running.
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { ensureBinaries, findPackage } from "./embedded/binaries.ts";
import {
  type Cluster,
  createCluster,
  ensureDataDir,
  ensureLoginPasswords,
  ensurePassword,
  type LoginPasswords,
  locateCluster,
  lookUpLoginPasswords,
  lookUpPassword,
  rememberPlace,
  removeLeftovers,
} from "./embedded/cluster.ts";
import { ifExists } from "./embedded/files.ts";
import { type Connection, ensureServer, lookUpServer, type Server, stopServer } from "./embedded/postmaster.ts";
import { limitLog } from "./embedded/server-log.ts";
import { QUEUE_LOGIN, SERVE_LOGIN, urlFor } from "./logins.ts";

export interface EmbeddedOptions {
  dataDir: string;
  /** Extra PostgreSQL settings. A server that is already running keeps the settings it was started with. */
  settings?: Record<string, string>;
  log?: (line: string) => void;
  /** Aborts a start that is in progress: it fails, and a server that it launched is stopped. */
  signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  /** The owner's connection, for `pg`. The host is the socket's folder, or 127.0.0.1 if that path would be too long. */
  connection: Connection;
  /** The same connection, as a postgres:// URL. */
  url: string;
  /** The two logins of the service and their passwords. `ensureEmbeddedLogins` creates them on the server. */
  logins: LoginPasswords;
  appUrl: string;
  queueUrl: string;
  /** The folder of the cluster. It is inside the data folder, unless PostgreSQL's account could not reach it there. */
  clusterDir: string;
  /** False if the server was already running. */
  startedHere: boolean;
  /** Ends all sessions and waits until the server has stopped. A second call does nothing. */
  stop(): Promise<void>;
}

// Recovery after a crash takes seconds, because at most about 256 MB of changes are replayed. A longer wait means another problem.
const READY_WITHIN_MS = 60_000;
const LIMIT_LOG_EVERY_MS = 60_000;

/** Starts the database in `dataDir`, and creates it on the first call. Processes that call this at the same time share one server. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const packageDir = findPackage(); // throws on a system without a package, before anything is written
  const place = await locateCluster(await ensureDataDir(options.dataDir));
  const cluster: Cluster = { ...place, password: await ensurePassword(place) };
  const logins = await ensureLoginPasswords(cluster.dataDir);
  const binaries = await ensureBinaries(cluster.account, cacheFor(cluster), packageDir);
  if (!place.exists) {
    log(`Creating a PostgreSQL database in ${cluster.dir}`);
    await createCluster(cluster, binaries);
  }
  await rememberPlace(cluster);
  await removeLeftovers(cluster);

  const launch = { cluster, postgres: binaries.postgres, settings: options.settings ?? {}, log, signal: options.signal };
  const { startedHere, ...server } = await ensureServer(launch, Date.now() + READY_WITHIN_MS);
  log(`PostgreSQL ${startedHere ? "started" : "was already running"} in ${cluster.dir} (process ${server.pid})`);
  const limiter = setInterval(() => {
    limitLog(cluster.dir).catch((error) => log(`The log of PostgreSQL could not be shortened: ${error}`));
  }, LIMIT_LOG_EVERY_MS).unref();
  return {
    ...handleOf(cluster, server, logins),
    startedHere,
    stop: () => {
      clearInterval(limiter);
      return stopServer(cluster, server.pid);
    },
  };
}

/** The server that a running service uses, for commands; null if there is none. Starts and creates nothing. */
export async function lookUpRunning(dataDir: string): Promise<EmbeddedPostgres | null> {
  const folder = await ifExists(realpath(dataDir));
  if (folder === null) return null;
  const { exists, ...place } = await locateCluster(folder);
  const [password, logins] = [await lookUpPassword(folder), await lookUpLoginPasswords(folder)];
  if (!exists || password === null || logins === null) return null;
  const cluster = { ...place, password };
  const server = await lookUpServer(cluster, Date.now() + READY_WITHIN_MS);
  if (server === null) return null;
  return { ...handleOf(cluster, server, logins), startedHere: false, stop: () => stopServer(cluster, server.pid) };
}

// Only root can write to /var/cache, and only root needs a folder there. Other services run PostgreSQL under their own account.
const cacheFor = ({ account, dataDir }: Cluster): string =>
  account === null ? join(dataDir, "postgres-programs") : "/var/cache/countersign";

type Handle = Omit<EmbeddedPostgres, "startedHere" | "stop">;

function handleOf(cluster: Cluster, { connection }: Server, logins: LoginPasswords): Handle {
  const { host, port, user, password, database } = connection;
  // A socket's folder cannot be the host of a URL; `pg` and libpq read it from the query string instead.
  const url = `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}&sslmode=disable`;
  const [appUrl, queueUrl] = [urlFor(url, SERVE_LOGIN, logins[SERVE_LOGIN]), urlFor(url, QUEUE_LOGIN, logins[QUEUE_LOGIN])];
  return { connection, url, logins, appUrl, queueUrl, clusterDir: cluster.dir };
}
