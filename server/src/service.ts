import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { type Config, ConfigError } from "./config.ts";
import { connectDb, type Db } from "./db/connect.ts";
import { type FenceDown, requireQueueLogin, requireServeLogin } from "./db/fence.ts";
import { type OpenDatabase, openForService } from "./db/open.ts";
import { buildFeatures, closeFeatures, type Features } from "./features.ts";
import { type BuiltWeb, readBuiltWeb, WebRefused } from "./http/built-web.ts";
import { closeGracefully } from "./http/stop.ts";
import { startWorker, type Worker } from "./jobs/worker.ts";
import { makeLogger } from "./logger.ts";
import { buildHttp, jobHandlers, sealingOf } from "./main.ts";
import type { OrgDeps } from "./orgs/org.ts";
import { claimSetupNotice, type SetupNotice, setUpLocally } from "./orgs/setup.ts";
import { BUILT_WEB } from "./pages.ts";
import { bringUpToDate, refuseOldSchema } from "./schema.ts";
import { systemOrigin } from "./shared/caller.ts";
import { operatorName } from "./shared/operator.ts";
import { Problem } from "./shared/problems.ts";
import { publishTexts } from "./texts/publish-texts.ts";
import { OriginChanged, requireOrigin } from "./transparency/require-origin.ts";
import { startDelivering } from "./webhooks/delivery-loop.ts";

/** Starting and stopping the service: database, features, port, worker. */

export interface Service {
  readonly url: string | null;
  /** null once the installation is set up, and for a worker */
  readonly setup: SetupNotice;
  readonly clusterDir: string | null;
  /** resolves when the service can no longer serve and must be stopped */
  readonly failed: Promise<Error>;
  stop(): Promise<void>;
}

export interface WantedParts {
  readonly http: boolean;
  readonly worker: boolean;
}

interface Parts {
  /** null: no HTTP */
  readonly web: BuiltWeb | null;
  readonly worker: boolean;
}

export async function startService(config: Config, wanted: WantedParts): Promise<Service> {
  const logger = makeLogger(config.logLevel);
  // Checked first, so that the database is not started for nothing.
  const parts = { web: wanted.http ? webOf() : null, worker: wanted.worker };
  const database = await openForService({ ...config, log: (line) => logger.info(line), fatal: (line) => logger.fatal(line) }, wanted);
  try {
    await bringUpToDate(database);
    return await startParts(config, parts, database, logger);
  } catch (error) {
    await database.close();
    throw error;
  }
}

function webOf(): BuiltWeb {
  try {
    return readBuiltWeb(BUILT_WEB);
  } catch (cause) {
    throw cause instanceof WebRefused ? new ConfigError(cause.message, { cause }) : cause;
  }
}

async function startParts(config: Config, parts: Parts, database: OpenDatabase, logger: Logger): Promise<Service> {
  await requireServeLogin(database.appUrl);
  if (parts.worker && database.queueUrl !== null) await requireQueueLogin(database.queueUrl);
  const onError = (err: Error) => logger.warn({ err }, "database connection lost");
  let onFenceDown: (err: FenceDown) => void = () => undefined;
  const failed = new Promise<FenceDown>((resolve) => {
    onFenceDown = (err) => {
      logger.fatal({ err }, "the database does not separate organizations; the service stops");
      resolve(err);
    };
  });
  const db = connectDb({ url: database.appUrl, poolSize: config.databasePoolSize, onError, onFenceDown });
  try {
    return { ...(await startOn(db, config, parts, database, logger)), failed };
  } catch (error) {
    await db.end();
    throw error;
  }
}

async function startOn(db: Db, config: Config, parts: Parts, database: OpenDatabase, logger: Logger): Promise<Omit<Service, "failed">> {
  const features = buildFeatures(config, db);
  await refuseOldSchema(db);
  await publishTexts(db, features.texts);
  await requireLogOrigin(features);
  if (config.setup !== null) await setUpFromEnvironment(features.orgs, config.setup, logger);
  const sealing = sealingOf(features, logger);
  const { web } = parts;
  const app = web === null ? null : await buildHttp({ config, db, features, logger, sealing, web });
  // The port first, because it may be in use. A worker that is already running would have to be stopped again.
  await app?.listen({ port: config.port, host: config.host });
  let worker: Work | null = null;
  try {
    worker = parts.worker && database.queueUrl !== null ? await startWork(features, database.queueUrl, logger) : null;
    const setup = app === null ? null : await claimSetupNotice(features.orgs, operatorName());
    // Not awaited: a service that cannot seal keeps running, and readiness and the log say what to do. It never rejects.
    const tested = sealing();
    return {
      url: app === null ? null : config.publicUrl,
      setup,
      clusterDir: database.clusterDir,
      stop: () => stopParts({ app, worker, tested, features, db, database, logger }),
    };
  } catch (error) {
    // For example, the database has just become unreachable. An open port would keep this process running without its worker.
    await worker?.stop();
    await app?.close();
    await closeFeatures(features);
    throw error;
  }
}

async function requireLogOrigin({ log }: Features): Promise<void> {
  try {
    await requireOrigin(log);
  } catch (cause) {
    throw cause instanceof OriginChanged ? new ConfigError(cause.message, { cause }) : cause;
  }
}

type Work = Pick<Worker, "stop">;

/** Jobs, and the deliveries that some of them queue. */
async function startWork(features: Features, url: string, logger: Logger): Promise<Work> {
  const jobs = await startWorker({ url, handlers: jobHandlers(features, logger), log: logger });
  const delivering = startDelivering(features.webhooks, logger);
  return {
    stop: async () => {
      const ends = await Promise.allSettled([jobs.stop(), delivering.stop()]);
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    },
  };
}

async function setUpFromEnvironment(orgs: OrgDeps, setup: NonNullable<Config["setup"]>, logger: Logger): Promise<void> {
  try {
    await setUpLocally(orgs, { ...systemOrigin("environment", "start"), operator: operatorName() }, setup);
    logger.info("the first organization was made from the environment");
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "setup_done") throw error;
  }
}

interface Started {
  readonly app: FastifyInstance | null;
  readonly worker: Work | null;
  /** the test seal, which ends when its thread does */
  readonly tested: Promise<unknown>;
  readonly features: Features;
  readonly db: Db;
  readonly database: OpenDatabase;
  readonly logger: Logger;
}

async function stopParts({ app, worker, tested, features, db, database, logger }: Started): Promise<void> {
  // If one part fails to stop, the next is stopped anyway; left open, it would keep this process and its database running. A worker that
  // cannot reach the database to sign off does no harm: after a while, other workers release its jobs.
  const onStopError = (err: unknown) => logger.warn({ err }, "not everything stopped in order");
  if (app !== null) await closeGracefully(app).catch(onStopError);
  await worker?.stop().catch(onStopError);
  await closeFeatures(features).catch(onStopError);
  await tested;
  await db.end().catch(onStopError);
  await database.close();
  logger.info("stopped");
}
