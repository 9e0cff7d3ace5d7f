import { type EmbeddedPostgres, startEmbedded } from "./embedded.ts";
import { isAway } from "./errors.ts";
import { type ServiceLock, takeServiceLock } from "./service-lock.ts";

/** The database a program works on: the owner's URL, and how to let go of it. */
export interface OpenDatabase {
  readonly url: string;
  readonly embedded: boolean;
  /** where the embedded cluster lives; null for an external database */
  readonly clusterDir: string | null;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly databaseUrl: string | null;
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
export async function openForService(options: OpenOptions): Promise<OpenDatabase> {
  if (options.databaseUrl !== null) return external(options.databaseUrl);
  const first = await startLocked(options);
  const { connection, url, clusterDir } = first.server;
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
    options.fatal(`The embedded database could not be started again: ${messageOf(error)}`);
    process.exit(1);
  });
  return {
    url,
    embedded: true,
    clusterDir,
    close: async () => {
      closing.abort();
      // A start under way is waited for: what it launched would outlive us, and its lock would keep this process alive.
      await held.then(stopLocked, (error) => options.log(`The embedded database was not started again: ${messageOf(error)}`));
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
  const lock = await takeServiceLock(server.url).catch((error) => {
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

const samePort = ({ connection: { host, port } }: Again): Record<string, string> => (host.startsWith("/") ? {} : { port: String(port) });

/** Stopped while the lock is held, so that nobody begins to use it in between; the lock's connection ends with the server. */
async function stopLocked({ server, lock }: Held): Promise<void> {
  await server.stop();
  await lock.lost;
}

/** For a command: beside a running service, or alone, in which case an embedded server that was started for it ends with it. */
export async function openForCommand(options: OpenOptions): Promise<OpenDatabase> {
  if (options.databaseUrl !== null) return external(options.databaseUrl);
  const server = await startEmbedded({ dataDir: options.dataDir, log: options.log });
  return {
    url: server.url,
    embedded: true,
    clusterDir: server.clusterDir,
    close: async () => {
      if (!server.startedHere) return;
      // A service may have begun to use it meanwhile; then it is the service's to stop.
      const lock = await takeServiceLock(server.url, 0);
      if (lock === null) return;
      await stopLocked({ server, lock });
    },
  };
}

function external(url: string): OpenDatabase {
  return { url, embedded: false, clusterDir: null, close: async () => undefined };
}
