import { type EmbeddedPostgres, startEmbedded } from "./embedded.ts";
import { isUnavailable } from "./errors.ts";
import { missingAppUrl, missingOwnerUrl, missingQueueUrl } from "./fence.ts";
import { ensureEmbeddedLogins } from "./logins.ts";
import { type ServiceLock, takeServiceLock } from "./service-lock.ts";

/** The database of a program: a URL for each login that the program uses, and how to close it. */
export interface OpenDatabase {
  /** for the serving login */
  readonly appUrl: string;
  /** for the queue login; null if no worker runs */
  readonly queueUrl: string | null;
  /** only set for the embedded database; an external one is migrated with `countersign migrate` */
  readonly ownerUrl: string | null;
  readonly embedded: boolean;
  /** the folder of the embedded cluster; null for an external database */
  readonly clusterDir: string | null;
  close(): Promise<void>;
}

/** The settings of an external database. If all are null, the embedded one is used. */
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
  /** called with the reason before the process ends */
  readonly fatal: (line: string) => void;
}

/** Another service uses the same folder. */
export class AlreadyRunning extends Error {
  override readonly name = "AlreadyRunning";
}

/**
 * Opens the external database for a service, or the embedded one with the lock that permits only one service per folder. An embedded
 * server that dies is started again.
 */
export async function openForService(options: OpenOptions, parts: { readonly worker: boolean }): Promise<OpenDatabase> {
  if (isExternal(options)) return external(options, parts.worker);
  const first = await startLocked(options);
  const { connection, url, appUrl, queueUrl, clusterDir } = first.server;
  const closing = new AbortController();
  let held = Promise.resolve(first); // pending while the server is restarted
  const watch = async (): Promise<void> => {
    await (await held).lock.lost;
    if (closing.signal.aborted) return;
    held = startLocked(options, { connection, signal: closing.signal });
    options.log("The embedded database is gone; starting it again");
    return watch();
  };
  watch().catch((error) => {
    if (closing.signal.aborted) return; // close() waits for the same start and reports its result
    // The service cannot work without a database, so the process ends; its supervisor can restart it.
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
      // Waits for a start in progress. Otherwise its server would survive us, and its lock would keep this process alive.
      await held.then(stopLocked, (error) => options.log(`The embedded database was not restarted: ${messageOf(error)}`));
    },
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface Held {
  readonly server: EmbeddedPostgres;
  readonly lock: ServiceLock;
}

interface Restart {
  /** the address of the earlier server; the new one must use it too, because the pools connect to it */
  readonly connection: EmbeddedPostgres["connection"];
  readonly signal: AbortSignal;
}

async function startLocked(options: OpenOptions, restart?: Restart): Promise<Held> {
  const { dataDir, log } = options;
  const server = await startEmbedded({ dataDir, log, ...(restart && { settings: samePort(restart), signal: restart.signal }) });
  const lock = await lockAsService(server).catch((error) => {
    // A command that started the server is stopping it right now. The next start waits for that and starts a new one.
    if (isUnavailable(error)) return "away" as const;
    throw error;
  });
  if (lock === "away") return startLocked(options, restart);
  if (lock === null) {
    throw new AlreadyRunning(`Another Countersign is running on ${dataDir}. Stop it first, or set DATA_DIR to another folder.`);
  }
  return { server, lock };
}

/** Uses the serving login, because this connection stays open as long as the service runs, and the owner's should not. */
async function lockAsService({ url, appUrl, logins }: EmbeddedPostgres): Promise<ServiceLock | null> {
  await ensureEmbeddedLogins(url, logins);
  return takeServiceLock(appUrl);
}

const samePort = ({ connection: { host, port } }: Restart): Record<string, string> => (host.startsWith("/") ? {} : { port: String(port) });

/** Stops the server while the lock is held, so that no other service starts using it. The lock's connection ends with the server. */
async function stopLocked({ server, lock }: Held): Promise<void> {
  await server.stop();
  await lock.lost;
}

/** For a command, with or without a running service. An embedded server that was started for the command stops with it. */
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
    // If a service has started using the server in the meantime, the service will stop it.
    const lock = await takeServiceLock(server.appUrl, 0);
    if (lock === null) return;
    await stopLocked({ server, lock });
  };
  await ensureEmbeddedLogins(server.url, server.logins).catch(async (error: unknown) => {
    // Otherwise a server that was started only for this command would survive it.
    if (server.startedHere) await server.stop();
    throw error;
  });
  return { ...server, close };
}

/** Ignores the owner's URL even if it is set, because the service must not use it. */
function external({ databaseAppUrl, databaseQueueUrl }: OpenOptions, worker: boolean): OpenDatabase {
  if (databaseAppUrl === null) throw missingAppUrl();
  if (worker && databaseQueueUrl === null) throw missingQueueUrl();
  const close = async () => undefined;
  return { appUrl: databaseAppUrl, queueUrl: databaseQueueUrl, ownerUrl: null, embedded: false, clusterDir: null, close };
}
