import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { poolingOf, refuseWrongSecret } from "./administration.ts";
import { recordRestored } from "./backup/record-restored.ts";
import { type Config, ConfigError, plainConnections } from "./config.ts";
import { connectDb, type Db } from "./db/connect.ts";
import { type FenceDown, requireQueueLogin, requireServeLogin } from "./db/fence.ts";
import { countGauges } from "./db/gauges-store.ts";
import type { Program } from "./db/heartbeats.ts";
import { type OpenDatabase, openForService } from "./db/open.ts";
import { requireSessions } from "./db/pooling.ts";
import type { SystemTx } from "./db/sql.ts";
import { type Heartbeat, startHeartbeat } from "./db/start-heartbeat.ts";
import { startTrimming } from "./documents/trim-pages.ts";
import { buildFeatures, closeFeatures, type Features } from "./features.ts";
import { type BuiltWeb, readBuiltWeb, WebRefused } from "./http/built-web.ts";
import type { Health } from "./http/health.ts";
import { listenForProbes, type Probes, ProbesPortTaken } from "./http/probes.ts";
import { closeGracefully } from "./http/stop.ts";
import { enqueue } from "./jobs/enqueue.ts";
import { startGauges } from "./jobs/gauges.ts";
import { startWorker, type Worker } from "./jobs/worker.ts";
import { makeLogger } from "./logger.ts";
import { buildHttp, jobHandlers } from "./main.ts";
import { createMetrics, type InstallationGauge, type Metrics } from "./metrics/registry.ts";
import type { OrgDeps } from "./orgs/org.ts";
import { recordInEveryOrg } from "./orgs/record-in-every-org.ts";
import { claimSetupNotice, type SetupNotice, setUpLocally } from "./orgs/setup.ts";
import { BUILT_WEB } from "./pages.ts";
import { healthOf, type Life, sealingOf } from "./readiness.ts";
import { isObsolete } from "./sandbox/is-obsolete.ts";
import { bringUpToDate, newestMigration, refuseOtherSchema } from "./schema.ts";
import { certificateEnds } from "./seals/certificate-ends.ts";
import { admitSecrets, type RecordVersion } from "./secrets/admit-secrets.ts";
import { requireKms } from "./secrets/require-kms.ts";
import { asSystem, systemOrigin } from "./shared/caller.ts";
import { isLoopback } from "./shared/loopback.ts";
import { operatorName } from "./shared/operator.ts";
import { Problem } from "./shared/problems.ts";
import { createTracer, type Tracer } from "./shared/trace.ts";
import { diskSpace } from "./storage/disk-space.ts";
import { publishTexts } from "./texts/publish-texts.ts";
import { OriginChanged, requireOrigin } from "./transparency/require-origin.ts";
import { version } from "./version.ts";
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
  for (const line of plainConnections(config, process.env.PGSSLMODE)) logger.warn(line);
  // Checked first, so that the database is not started for nothing.
  const parts = { web: wanted.http ? webOf() : null, worker: wanted.worker };
  const database = await openForService({ ...config, log: (line) => logger.info(line), fatal: (line) => logger.fatal(line) }, wanted);
  try {
    // The lock of the embedded database is held, so no other process uses it.
    await bringUpToDate(database, "alone");
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
  if (!database.embedded) await requirePoolers(config, database, parts.worker);
  const onError = (err: Error) => logger.warn({ err }, "database connection lost");
  let onFenceDown: (err: FenceDown) => void = () => undefined;
  const failed = new Promise<FenceDown>((resolve) => {
    onFenceDown = (err) => {
      logger.fatal({ err }, "the database does not separate organizations; the service stops");
      resolve(err);
    };
  });
  const program = { version, migration: await newestMigration() };
  const metrics = createMetrics({ version, role: roleOf(parts), schema: String(program.migration) });
  const measure = metrics.db;
  const db = connectDb({ url: database.appUrl, poolSize: config.databasePoolSize, ...poolingOf(config), onError, onFenceDown, measure });
  const tracer = tracerOf(config, parts, { logger, metrics });
  try {
    return { ...(await startOn(db, config, parts, { database, logger, metrics, tracer, program })), failed };
  } catch (error) {
    await tracer?.stop();
    await db.end();
    throw error;
  }
}

function tracerOf({ traces }: Config, parts: Parts, { logger, metrics }: Pick<Around, "logger" | "metrics">): Tracer | null {
  if (traces === null) return null;
  const about = {
    "service.name": "countersign",
    "service.version": version,
    "service.instance.id": randomUUID(),
    "countersign.role": roleOf(parts),
  };
  const onFailure = (err: unknown) => logger.warn({ err }, "spans could not be sent to the collector of OTEL_EXPORTER_OTLP_ENDPOINT");
  return createTracer({ ...traces, about, onSpans: metrics.traces.counted, onFailure });
}

const roleOf = ({ web, worker }: Parts): string => (web === null ? "worker" : worker ? "all" : "serve");

interface Around {
  readonly database: OpenDatabase;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** for heartbeats */
  readonly program: Program;
  /** null: traces are off */
  readonly tracer: Tracer | null;
}

async function requirePoolers({ databasePooling }: Config, { appUrl, queueUrl }: OpenDatabase, worker: boolean): Promise<void> {
  if (databasePooling === "session") await requireSessions(appUrl, "DATABASE_APP_URL");
  if (worker && queueUrl !== null) await requireSessions(queueUrl, "DATABASE_QUEUE_URL");
}

async function startOn(
  db: Db,
  given: Config,
  parts: Parts,
  { database, logger, metrics, tracer, program }: Around,
): Promise<Omit<Service, "failed">> {
  await refuseOtherSchema(db);
  await db.system((tx) => recordRestored(tx, tx.forOrg));
  // Before anything is decrypted, and before anything is encrypted that only this secret could open.
  const config = { ...given, appSecrets: await admitSecrets(db, given.appSecrets, recordVersion).catch(refuseWrongSecret) };
  const features = buildFeatures(config, db, undefined, undefined, undefined, undefined, metrics);
  await requireKms(db, features.secrets.kms).catch(refuseWrongSecret);
  await publishTexts(db, features.texts);
  await requireLogOrigin(features);
  if (config.setup !== null) await setUpFromEnvironment(features.orgs, config.setup, logger);
  const sealing = sealingOf(features, logger);
  const { web } = parts;
  let worker: Work | null = null;
  const life: StoppableLife = { isStopping: false, serves: web !== null, turns: parts.worker ? () => worker?.turns() ?? {} : null };
  const health = healthOf({ config, db, features, logger, sealing, life });
  metrics.watch(async () => ({
    pools: { app: db.stats(), ...(worker !== null && { queue: worker.stats() }) },
    pdfWaiting: features.pdf.stats().waiting,
    pageCacheBytes: features.envelopes.pageCache.seen.bytes(),
    disk: await diskSpace(config.dataDir),
    isReady: (await health.ready()).status !== "not ready",
  }));
  const onAnswered = metrics.http.answered;
  const app = web === null ? null : await buildHttp({ config, db, features, logger, health, web, onAnswered, tracer });
  // The port first, because it may be in use. A worker that is already running would have to be stopped again.
  await app?.listen({ port: config.port, host: config.host });
  let probes: Probes | null = null;
  let heartbeat: Heartbeat | null = null;
  try {
    probes = await maybeListenForProbes(config, { health, metrics, logger });
    worker =
      parts.worker && database.queueUrl !== null
        ? await startWork(features, database.queueUrl, {
            db,
            logger,
            metrics,
            tracer,
            program,
            problemAfterFailures: config.problemAfterFailures,
          })
        : null;
    const onSilent = (err: unknown) => logger.warn({ err }, "the database was not told that this process runs");
    heartbeat = app === null ? null : await startHeartbeat(db, program, onSilent);
    const setup = app === null ? null : await claimSetupNotice(features.orgs, operatorName(), mayPrintLinks(config));
    const trimming = startTrimming(features.envelopes.pageCache, ({ failures, last }) =>
      logger.warn({ err: last, failures }, "pictures of pages cannot be cached on this machine; they are drawn for each request"),
    );
    // Not awaited: a service that cannot seal keeps running, and readiness and the log say what to do. It never rejects.
    const tested = sealing();
    return {
      url: app === null ? null : config.publicUrl,
      setup,
      clusterDir: database.clusterDir,
      stop: () => {
        life.isStopping = true;
        return stopParts({ app, probes, worker, heartbeat, trimming, tested, features, tracer, db, database, logger });
      },
    };
  } catch (error) {
    // For example, the database has just become unreachable. An open port would keep this process running without its worker.
    await worker?.stop();
    await heartbeat?.stop();
    await probes?.close();
    await app?.close();
    await closeFeatures(features);
    throw error;
  }
}

/**
 * To a person. What is not printed to a terminal often ends in a log that others read. A link to a service that listens on this machine only
 * opens nothing elsewhere; with another HOST, as in a container, it does.
 */
const mayPrintLinks = ({ localMode, host }: Config): boolean => (localMode && isLoopback(host)) || process.stdout.isTTY === true;

const recordVersion: RecordVersion = (tx, version) => {
  const by = asSystem({ ...systemOrigin("environment", "start"), operator: operatorName() });
  return recordInEveryOrg(tx, { type: "secret.rotated", by, data: { version } });
};

async function requireLogOrigin({ log }: Features): Promise<void> {
  try {
    await requireOrigin(log);
  } catch (cause) {
    throw cause instanceof OriginChanged ? new ConfigError(cause.message, { cause }) : cause;
  }
}

type StoppableLife = { -readonly [K in keyof Life]: Life[K] };

async function maybeListenForProbes(
  { metrics: { port, host } }: Config,
  { health, metrics, logger }: { health: Health; metrics: Metrics; logger: Logger },
): Promise<Probes | null> {
  if (port === 0) return null;
  const onFailure = (err: unknown) => logger.error({ err }, "a probe could not be answered");
  return listenForProbes({ port, host, health, metrics: metrics.text, onFailure }).catch((cause: unknown) => {
    throw cause instanceof ProbesPortTaken ? new ConfigError(cause.message, { cause }) : cause;
  });
}

type Work = Pick<Worker, "stop" | "turns" | "stats">;

/** Jobs, and the deliveries that some of them queue. */
async function startWork(
  features: Features,
  url: string,
  { db, logger, metrics, tracer, program, problemAfterFailures }: { db: Db; problemAfterFailures: number } & Omit<Around, "database">,
): Promise<Work> {
  const jobs = await startWorker({
    url,
    handlers: jobHandlers(features, logger),
    isObsolete: (name, payload, queued_at) => isObsolete(features.sandboxes, name, payload, queued_at),
    log: logger,
    program,
    onEnded: metrics.jobs.ended,
    tracer,
    problemAfterFailures,
  });
  // After a long pause there may be no partition for what is written now.
  await db.system((tx) => enqueue(tx, "db.partitions", {}, "db.partitions"));
  const onAttempt = (outcome: string, seconds: number) => {
    features.webhooks.onAttempt?.(outcome, seconds);
    tracer?.addEnded("delivery", seconds, { "countersign.outcome": outcome });
  };
  const delivering = startDelivering({ ...features.webhooks, onAttempt }, logger);
  const gauges = startGauges({
    url,
    read: () => db.system(async (tx) => [...(await countGauges(tx)), ...(await certificateGauges(tx, features))]),
    set: metrics.setGauges,
    onError: (err) => logger.warn({ err }, "the gauges of the installation could not be counted"),
  });
  return {
    stats: jobs.stats,
    turns: () => ({ ...jobs.turns(), delivery: delivering.turnedAt() }),
    stop: async () => {
      const ends = await Promise.allSettled([jobs.stop(), delivering.stop(), gauges.stop()]);
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    },
  };
}

async function certificateGauges(tx: SystemTx, { seals }: Features): Promise<InstallationGauge[]> {
  const ends = await certificateEnds(tx, seals);
  return ends.map(({ kind, ends_at }) => ({
    name: "seal_certificate_expires_seconds",
    task: null,
    kind,
    value: (ends_at.getTime() - tx.now.getTime()) / 1000,
  }));
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
  readonly probes: Probes | null;
  readonly worker: Work | null;
  readonly heartbeat: Heartbeat | null;
  readonly trimming: { stop(): Promise<void> };
  /** the test seal, which ends when its thread does */
  readonly tested: Promise<unknown>;
  readonly features: Features;
  readonly tracer: Tracer | null;
  readonly db: Db;
  readonly database: OpenDatabase;
  readonly logger: Logger;
}

async function stopParts({
  app,
  probes,
  worker,
  heartbeat,
  trimming,
  tested,
  features,
  tracer,
  db,
  database,
  logger,
}: Started): Promise<void> {
  // If one part fails to stop, the next is stopped anyway; left open, it would keep this process and its database running. A worker that
  // cannot reach the database to sign off does no harm: after a while, other workers release its jobs.
  const onStopError = (err: unknown) => logger.warn({ err }, "not everything stopped in order");
  if (app !== null) await closeGracefully(app).catch(onStopError);
  await worker?.stop().catch(onStopError);
  await heartbeat?.stop().catch(onStopError);
  await trimming.stop();
  await probes?.close().catch(onStopError);
  await closeFeatures(features).catch(onStopError);
  await tested;
  await tracer?.stop();
  await db.end().catch(onStopError);
  await database.close();
  logger.info("stopped");
}
