import { type EmbeddedPostgres, startEmbedded } from "./embedded.ts";
import { isAway } from "./errors.ts";
import { missingAppUrl, missingOwnerUrl, missingQueueUrl } from "./fence.ts";
import { ensureEmbeddedLogins } from "./logins.ts";
import { type ServiceLock, takeServiceLock } from "./service-lock.ts";

/** The database a program works on: a URL for each login that the program uses, and how to let go of it. */
export interface OpenDatabase {
  /** of the login that serves */
  readonly appUrl: string;
  /** of the queue's login; null where no worker runs */
  readonly queueUrl: string | null;
  /** set for the embedded database alone: what is external has its tables made by `countersign migrate` */
  readonly ownerUrl: string | null;
  readonly embedded: boolean;
  /** where the embedded cluster lives; null for an external database */
  readonly clusterDir: string | null;
  close(): Promise<void>;
}

/** The settings that name an external database; all null: the embedded one. */
export interface DatabaseUrls {
  readonly databaseUrl: string | null;
  readonly databaseAppUrl: string | null;
  readonly databaseQueueUrl: string | null;
}

export const isExternal = (urls: DatabaseUrls): boolean =>
  urls.databaseUrl !== null || urls.databaseAppUrl !== null || urls.databaseQueueUrl !== null;

export interface OpenOptions extends DatabaseUrls {
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** the last words before the process ends */
  readonly fatal: (line: string) => void;
}

/** A second service on the same folder. */
export class AlreadyRunning extends Error {
  override readonly name = "AlreadyRunning";
}

/**
 * For a service: the external database, or the embedded one with the lock that makes this the only service of its folder. An
 * embedded server that dies meanwhile is started again.
 */
export async function openForService(options: OpenOptions, parts: { readonly worker: boolean }): Promise<OpenDatabase> {
  if (isExternal(options)) return external(options, parts.worker);
  const first = await startLocked(options);
  const { connection, url, appUrl, queueUrl, clusterDir } = first.server;
  const closing = new AbortController();
  let held = Promise.resolve(first); // pending while the server is being started again
  const watch = async (): Promise<void> => {
    await (await held).lock.lost;
    if (closing.signal.aborted) return;
    held = startLocked(options, { connection, signal: closing.signal });
    options.log("The embedded database is gone; starting it again");
    return watch();
  };
  watch().catch((error) => {
    if (closing.signal.aborted) return; // close() waits for the same start and says how it ended
    // Without a database there is nothing to serve, and whoever runs us can start us again.
    options.fatal(`The embedded database could not be restarted: ${messageOf(error)}`);
    process.exit(1);
  });
  return {
    appUrl,
    queueUrl,
    ownerUrl: url,
    embedded: true,
    clusterDir,
    close: async () => {
      closing.abort();
      // A start under way is waited for: what it launched would outlive us, and its lock would keep this process alive.
      await held.then(stopLocked, (error) => options.log(`The embedded database was not restarted: ${messageOf(error)}`));
    },
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface Held {
  readonly server: EmbeddedPostgres;
  readonly lock: ServiceLock;
}

interface Again {
  /** where the server was, which everybody who is connected still believes; a new one must be found there */
  readonly connection: EmbeddedPostgres["connection"];
  readonly signal: AbortSignal;
}

async function startLocked(options: OpenOptions, again?: Again): Promise<Held> {
  const { dataDir, log } = options;
  const server = await startEmbedded({ dataDir, log, ...(again && { settings: samePort(again), signal: again.signal }) });
  const lock = await lockAsService(server).catch((error) => {
    // A command that had started the server is stopping it at this moment: the next start waits for that and makes another.
    if (isAway(error)) return "away" as const;
    throw error;
  });
  if (lock === "away") return startLocked(options, again);
  if (lock === null) {
    throw new AlreadyRunning(`Another Countersign is running on ${dataDir}. Stop it first, or set DATA_DIR to another folder.`);
  }
  return { server, lock };
}

/** With the login that serves: a connection as the owner would stay open for as long as the service lives. */
async function lockAsService({ url, appUrl, logins }: EmbeddedPostgres): Promise<ServiceLock | null> {
  await ensureEmbeddedLogins(url, logins);
  return takeServiceLock(appUrl);
}

const samePort = ({ connection: { host, port } }: Again): Record<string, string> => (host.startsWith("/") ? {} : { port: String(port) });

/** Stopped while the lock is held, so that nobody begins to use it in between; the lock's connection ends with the server. */
async function stopLocked({ server, lock }: Held): Promise<void> {
  await server.stop();
  await lock.lost;
}

/** For a command: beside a running service, or alone, in which case an embedded server that was started for it ends with it. */
export async function openForCommand(options: OpenOptions): Promise<OpenDatabase> {
  if (isExternal(options)) return external(options, false);
  const { url, appUrl, queueUrl, clusterDir, close } = await openEmbedded(options);
  return { appUrl, queueUrl, ownerUrl: url, embedded: true, clusterDir, close };
}

/** For a command that changes tables or logins. */
export async function openForOwner(options: OpenOptions): Promise<{ readonly url: string; close(): Promise<void> }> {
  if (!isExternal(options)) return openEmbedded(options);
  if (options.databaseUrl === null) throw missingOwnerUrl();
  return { url: options.databaseUrl, close: async () => undefined };
}

async function openEmbedded({ dataDir, log }: OpenOptions): Promise<EmbeddedPostgres & { close(): Promise<void> }> {
  const server = await startEmbedded({ dataDir, log });
  const close = async () => {
    if (!server.startedHere) return;
    // A service may have begun to use it meanwhile; then it is the service's to stop.
    const lock = await takeServiceLock(server.appUrl, 0);
    if (lock === null) return;
    await stopLocked({ server, lock });
  };
  await ensureEmbeddedLogins(server.url, server.logins).catch(async (error: unknown) => {
    // What was started for this command alone would outlive it.
    if (server.startedHere) await server.stop();
    throw error;
  });
  return { ...server, close };
}

/** The owner's URL is left alone, even if it is set: nothing that serves may use it. */
function external({ databaseAppUrl, databaseQueueUrl }: OpenOptions, worker: boolean): OpenDatabase {
  if (databaseAppUrl === null) throw missingAppUrl();
  if (worker && databaseQueueUrl === null) throw missingQueueUrl();
  const close = async () => undefined;
  return { appUrl: databaseAppUrl, queueUrl: databaseQueueUrl, ownerUrl: null, embedded: false, clusterDir: null, close };
}
