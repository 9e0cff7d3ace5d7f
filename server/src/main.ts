import { sign } from "node:crypto";
import { join } from "node:path";
import { createPdfPool, NotAPdf, type PdfPool, UnreadablePdf } from "@countersign/pdf/pool";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { buildAdministration } from "./administration.ts";
import { type Config, ConfigError } from "./config.ts";
import type { CustomerDeps } from "./customers/customer.ts";
import { customerEndpoints } from "./customers/http.ts";
import { connectDb, type Db } from "./db/connect.ts";
import { DatabaseAway } from "./db/errors.ts";
import { FenceDown, requireQueueLogin, requireServeLogin } from "./db/fence.ts";
import { type OpenDatabase, openForService } from "./db/open.ts";
import { sql } from "./db/sql.ts";
import { forgetOldPages } from "./documents/page-cache.ts";
import { asPdfProblem } from "./documents/pdf-problems.ts";
import { readStored } from "./documents/read-stored.ts";
import { authenticateWidget } from "./embed/authenticate-widget.ts";
import { embedEndpoints } from "./embed/http.ts";
import { embedShells, type ShellDeps } from "./embed/shells.ts";
import type { EnvelopeDeps } from "./envelopes/envelope.ts";
import { finishDocument } from "./envelopes/finish-document.ts";
import { envelopeEndpoints } from "./envelopes/http.ts";
import { statisticsEndpoints } from "./envelopes/http-statistics.ts";
import { issueDocument } from "./envelopes/issue-document.ts";
import { findSentDocument, findSentEnvelope, lockEnvelope, onSubmission } from "./envelopes/record-submission.ts";
import { sweepEnvelopes } from "./envelopes/sweep-envelopes.ts";
import { eventTypes } from "./events/catalogue.ts";
import { type BuiltWeb, readBuiltWeb, WebRefused } from "./http/built-web.ts";
import { addDocs } from "./http/docs.ts";
import { addDownload } from "./http/downloads.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { makeUploads } from "./http/form.ts";
import { addHealth, type Check } from "./http/health.ts";
import { openApiDocument, pagesDocument } from "./http/openapi.ts";
import { buildServer, type Patience } from "./http/server.ts";
import { closeGracefully, prepareStop, stoppingReason } from "./http/stop.ts";
import type { JobHandlers } from "./jobs/catalogue.ts";
import { startWorker, type Worker } from "./jobs/worker.ts";
import { authenticateKey } from "./keys/authenticate.ts";
import { keyEndpoints } from "./keys/http.ts";
import type { KeyDeps } from "./keys/key.ts";
import { makeLogger } from "./logger.ts";
import { mailEndpoints } from "./mail/http.ts";
import type { MailDeps } from "./mail/message.ts";
import { resumeMail } from "./mail/resume-mail.ts";
import { type Attempted, sendMail } from "./mail/send-mail.ts";
import { smtpSender } from "./mail/smtp.ts";
import { authenticateSession } from "./orgs/authenticate-session.ts";
import { cleanUp } from "./orgs/clean-up.ts";
import { orgEndpoints } from "./orgs/http.ts";
import { authEndpoints } from "./orgs/http-auth.ts";
import { emailEndpoints } from "./orgs/http-email.ts";
import { sendBrowserLink } from "./orgs/known-browser.ts";
import { notifyAdmins } from "./orgs/notify-admins.ts";
import { notifyMember } from "./orgs/notify-member.ts";
import type { OrgDeps, SettingsDeps } from "./orgs/org.ts";
import { sendReset } from "./orgs/reset-password.ts";
import { claimSetupNotice, type SetupNotice, setUpHere } from "./orgs/set-up.ts";
import { findLogo } from "./orgs/store.ts";
import { BUILT_WEB, CLIENT_PACKAGE, type ConsoleBoot, consoleShell } from "./pages.ts";
import { createProofPool, type ProofPool } from "./proofs/pool.ts";
import { bringUpToDate, migrationsReason, refuseOldSchema } from "./schema.ts";
import { TIME_STAMP_TIMEOUT_MS, timeStampRoots } from "./seals/ask-time-stamp.ts";
import { openBoughtSeal } from "./seals/bought-seal.ts";
import { ensureInstanceKeys } from "./seals/instance-keys.ts";
import { sealReadiness } from "./seals/readiness.ts";
import { type SealDeps, SealSettingRefused, SealUnavailable } from "./seals/seal.ts";
import { sealDocument } from "./seals/seal-document.ts";
import type { MessageId } from "./shared/ids.ts";
import { operatorName } from "./shared/operator.ts";
import { Problem } from "./shared/problems.ts";
import { deriveKeys, sha256 } from "./shared/secrets.ts";
import { drawPages } from "./signing/builtin/draw-pages.ts";
import { builtinProvider } from "./signing/builtin/provider.ts";
import { cancelSubmission } from "./signing/cancel-submission.ts";
import { signingEndpoints } from "./signing/http.ts";
import { noProvider } from "./signing/none.ts";
import type { SigningProvider } from "./signing/provider.ts";
import type { SigningDeps } from "./signing/submission.ts";
import { filesystemStore } from "./storage/filesystem.ts";
import { storageReadiness } from "./storage/readiness.ts";
import { s3Store } from "./storage/s3.ts";
import type { StorageDeps } from "./storage/store-blob.ts";
import { sweepStorage } from "./storage/sweep.ts";
import { templateEndpoints } from "./templates/http.ts";
import type { TemplateDeps } from "./templates/template.ts";
import { advanceLog } from "./transparency/advance-log.ts";
import { type LogDeps, LogFault, LogStopped } from "./transparency/checkpoint.ts";
import { logReadiness } from "./transparency/readiness.ts";
import { stampLatest } from "./transparency/stamp-checkpoint.ts";
import { publishTrust } from "./transparency/trust.ts";
import { verifyLogWhenDue } from "./transparency/verify-log.ts";
import { assignmentEndpoints } from "./vault/assignments/http.ts";
import type { RecordsSigner, VaultDeps } from "./vault/copy.ts";
import { expireTransfers } from "./vault/custody/expire-transfers.ts";
import { custodyEndpoints } from "./vault/custody/http.ts";
import { countCopies } from "./vault/custody/list-custodians.ts";
import { exportBundle } from "./vault/evidence-bundle.ts";
import { endDueExports } from "./vault/exports/end-export.ts";
import { exportEndpoints } from "./vault/exports/http.ts";
import { vaultEndpoints } from "./vault/http.ts";
import { inTurn } from "./vault/in-turn.ts";
import { keepingEndpoints } from "./vault/keeping/http.ts";
import { requireUnharmed } from "./vault/keeping/require-unharmed.ts";
import { sweepCopies } from "./vault/keeping/sweep-copies.ts";
import { storeEnvelope } from "./vault/store-envelope.ts";
import type { PipelineDeps } from "./vault/vault.ts";
import { vaultWidgetEndpoints } from "./vault/widget/http.ts";
import type { WidgetDeps } from "./vault/widget/visit.ts";
import { version } from "./version.ts";
import { countWebhooks } from "./webhooks/count-attempts.ts";
import { startDelivering } from "./webhooks/deliver-loop.ts";
import { LIMITS, type WebhookDeps } from "./webhooks/endpoint.ts";
import { fanOut } from "./webhooks/fan-out.ts";
import { forgetOldDeliveries } from "./webhooks/forget-deliveries.ts";
import { webhookEndpoints } from "./webhooks/http.ts";
import { makeResolveName } from "./webhooks/resolve-name.ts";
import { RETRY_SCHEDULE } from "./webhooks/retry-schedule.ts";

/** The only file that knows everything: config → database → features → HTTP and worker. */

export interface Features {
  readonly orgs: SettingsDeps;
  readonly keys: KeyDeps;
  readonly customers: CustomerDeps;
  readonly templates: TemplateDeps;
  readonly envelopes: EnvelopeDeps;
  readonly signing: SigningDeps;
  readonly vault: PipelineDeps & VaultDeps & WidgetDeps;
  readonly embed: ShellDeps;
  readonly storage: StorageDeps;
  /** Connections to the mail server open with the first message; whoever built the features closes them. */
  readonly mail: MailDeps;
  readonly webhooks: WebhookDeps;
  readonly seals: SealDeps;
  readonly log: LogDeps;
  /** Threads start with the first document; whoever built the features ends them. */
  readonly pdf: PdfPool;
  /** Threads start with the first password; whoever built the features ends them. */
  readonly proofs: ProofPool;
}

/** `provider`: tests bring one that fails on demand. `pdf`, `proofs`: threads that the caller started, and ends. */
export function buildFeatures(
  config: Config,
  db: Db,
  provider: SigningProvider = providerOf(config, db),
  pdf: PdfPool = createPdfPool(config.pdf),
  proofs: ProofPool = createProofPool({ workers: config.passwordWorkers }),
): Features {
  const smtp = config.smtp === null ? null : smtpSender({ ...config.smtp, from: config.mailFrom });
  const administration = buildAdministration(config, db, smtp, proofs);
  const blobs = config.s3 === null ? filesystemStore(join(config.dataDir, "blobs")) : s3Store(config.s3);
  const storage = { db, blobs };
  const { keys } = administration;
  const orgs = { ...administration.orgs, cleanPng: pngCleaner(pdf), countCopies };
  const { mail } = orgs;
  const templates = { db, pdf, storage, provider, pageCache: join(config.dataDir, "pages") };
  const { embedUrl, remindMinSeconds } = config;
  const seals = sealsOf(config, db, pdf);
  const seal: EnvelopeDeps["seal"] = (org, bytes, reason) => sealDocument(seals, org, bytes, { reason });
  const unharmed: EnvelopeDeps["requireUnharmed"] = (org, envelope_id) => requireUnharmed({ db, storage }, org, envelope_id);
  const consoleUrl = `${config.publicUrl}/console`;
  const envelopes = { ...templates, mail, proofs, embedUrl, consoleUrl, remindMinSeconds, seal, requireUnharmed: unharmed };
  const signing = signingOf(envelopes);
  const embed = { db, keys: orgs.keys, embedUrl, localMode: config.localMode };
  const webhooks = webhooksOf(config, db);
  const log = { db, seals, tsaRoots: tsaRootsOf(config, seals) };
  const vault = vaultOf(config, envelopes, seals, log);
  return { orgs, keys, customers: { db }, templates, envelopes, signing, vault, embed, storage, pdf, proofs, mail, webhooks, seals, log };
}

function vaultOf({ appSecret, sweepHours, publicUrl }: Config, envelopes: EnvelopeDeps, seals: SealDeps, log: LogDeps): Features["vault"] {
  const parts = { ...envelopes, seals, log, publicUrl, keys: deriveKeys(appSecret), records: () => recordsSigner(seals), sweepHours };
  return { ...parts, findLogo, exportBundle: (org, envelope_id) => exportBundle(parts, org, envelope_id) };
}

async function recordsSigner(seals: SealDeps): Promise<RecordsSigner> {
  const { records } = await seals.db.system((tx) => ensureInstanceKeys(seals, tx));
  return { key_id: sha256(records.public_key).toString("hex"), sign: (bytes) => sign(null, bytes, records.key) };
}

/** What settings need of the PDF engine: a picture as it is shown, without what else the file had. */
const pngCleaner =
  (pdf: PdfPool): SettingsDeps["cleanPng"] =>
  async (org, png) => {
    try {
      return (await pdf.picture(png, {}, { key: org, priority: "interactive" })).bytes;
    } catch (error) {
      if (error instanceof NotAPdf || error instanceof UnreadablePdf) return null;
      return asPdfProblem(error);
    }
  };

/** Without an authority, now or earlier (whose certificates are kept for the tokens that are there), nobody's tokens are to be trusted. */
const tsaRootsOf = ({ seals }: Config, { timeStamps }: SealDeps): LogDeps["tsaRoots"] =>
  seals.tsaUrl === null && seals.tsaRoots === null ? [] : timeStamps.roots;

/** What the ceremony needs of envelopes and storage, which it does not know. */
function signingOf(envelopes: EnvelopeDeps): SigningDeps {
  return {
    db: envelopes.db,
    pdf: envelopes.pdf,
    proofs: envelopes.proofs,
    pageCache: envelopes.pageCache,
    readPdf: (org, sha256) => readStored(envelopes, org, sha256, "document_unavailable"),
    findDocument: findSentDocument,
    findLogo,
    issueDocument: (who) =>
      issueDocument(envelopes, { caller: who, named: who.holder.user_email, early: "partial" }, who.holder.envelope_id),
    findEnvelope: findSentEnvelope,
    lockEnvelope,
    onSubmission: onSubmission(envelopes),
  };
}

function webhooksOf({ webhooks, appSecret, localMode }: Config, db: Db): WebhookDeps {
  return {
    db,
    secretKey: deriveKeys(appSecret).webhooks,
    fence: { loopback: localMode, plainHttp: webhooks.allowHttp, allowedNetworks: webhooks.allowedNetworks },
    resolve: makeResolveName(),
    limits: LIMITS,
    retrySchedule: webhooks.retrySchedule ?? RETRY_SCHEDULE,
    retentionDays: webhooks.retentionDays,
    version,
  };
}

function sealsOf({ seals, appSecret }: Config, db: Db, pdf: PdfPool): SealDeps {
  try {
    const bought = seals.p12 === null ? null : openBoughtSeal(seals.p12, new Date());
    const timeStamps = { url: seals.tsaUrl, roots: timeStampRoots(seals.tsaRoots), timeout_ms: TIME_STAMP_TIMEOUT_MS };
    return { db, pdf, sealKey: deriveKeys(appSecret).seals, bought, timeStamps };
  } catch (cause) {
    throw cause instanceof SealSettingRefused ? new ConfigError(cause.message, { cause }) : cause;
  }
}

function providerOf(config: Config, db: Db): SigningProvider {
  return config.signingProvider === "none" ? noProvider : builtinProvider({ db });
}

export function endpointsOf(features: Omit<Features, "storage" | "pdf" | "proofs" | "seals" | "log">): Endpoint[] {
  return [
    ...authEndpoints(features.orgs),
    ...emailEndpoints(features.orgs),
    ...orgEndpoints(features.orgs),
    ...keyEndpoints(features.keys),
    ...customerEndpoints(features.customers),
    ...templateEndpoints(features.templates),
    ...envelopeEndpoints(features.envelopes),
    ...statisticsEndpoints({ countWebhooks }),
    ...mailEndpoints(features.mail),
    ...embedEndpoints({ ...features.embed, envelopes: features.envelopes }),
    ...signingEndpoints(features.signing),
    ...webhookEndpoints(features.webhooks),
    ...vaultEndpoints(features.vault),
    ...custodyEndpoints(features.vault),
    ...exportEndpoints(features.vault),
    ...assignmentEndpoints(features.vault),
    ...keepingEndpoints(features.vault),
    ...vaultWidgetEndpoints(features.vault),
  ];
}

/** Endpoints are declared without touching what they will run on: enough for `openapi.json` and for what is generated from the list. */
export function declaredEndpoints(): Endpoint[] {
  const rooms = ["orgs", "keys", "customers", "templates", "envelopes", "signing", "embed", "mail", "webhooks", "vault"];
  const undeployed = Object.fromEntries(rooms.map((room) => [room, {}]));
  return endpointsOf(undeployed as unknown as Features);
}

let described: ApiDocuments | undefined;

export interface ApiDocuments {
  /** for integrators: what `openapi.json` holds */
  readonly api: Record<string, unknown>;
  /** the protocol of our own pages: what `openapi-pages.json` holds */
  readonly pages: Record<string, unknown>;
}

export function apiDocuments(): ApiDocuments {
  described ??= {
    api: openApiDocument(declaredEndpoints(), eventTypes, version),
    pages: pagesDocument(declaredEndpoints(), version),
  };
  return described;
}

export interface HttpParts {
  readonly config: Config;
  readonly db: Db;
  readonly features: Features;
  readonly logger: Logger;
  /** whether documents can be sealed, for who has asked already; else it is found out with the first readiness */
  readonly sealing?: Check;
  /** the pages of web/; tests of what has none do without */
  readonly web?: BuiltWeb;
  readonly checkAnswers?: boolean;
  /** tests do not wait as long as slow clients may take */
  readonly patience?: Patience;
}

export async function buildHttp(parts: HttpParts): Promise<FastifyInstance> {
  const { config, db, features, logger, sealing = sealingOf(features, logger), checkAnswers = false } = parts;
  const app = buildServer({
    db,
    endpoints: endpointsOf(features),
    shells: [...embedShells(features.embed), consoleShell(consoleBoot(config))],
    web: parts.web ?? null,
    authenticate: {
      key: authenticateKey,
      session: (read, token) => authenticateSession(features.orgs, read, token),
      widget: (read, token, access) => authenticateWidget(features.embed, read, token, access),
    },
    logger,
    trustProxyHops: config.trustProxyHops,
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    ...(parts.patience === undefined ? {} : { patience: parts.patience }),
    defaultQuota: config.defaultRateLimitRpm,
    loopbackOnly: config.localMode,
    publicUrl: config.publicUrl,
    embedUrl: config.embedUrl,
    uploads: await makeUploads(join(config.dataDir, "uploads")),
    fingerprintKey: deriveKeys(config.appSecret).fingerprints,
    checkAnswers,
  });
  prepareStop(app);
  addHealth(
    app,
    {
      service: async () => stoppingReason(app),
      database: () => databaseReason(db),
      tenancy: () => tenancyReason(db),
      migrations: async () =>
        (await tenancyReason(db)) ?? ((await databaseReason(db)) === null ? migrationsReason(db) : "unknown while the database is away"),
      storage: storageReadiness(features.storage.blobs, (err) => logger.warn({ err }, "blob store away")),
      seals: sealing,
      log: () => logReadiness(features.log),
    },
    (err) => logger.warn({ err }, "not ready"),
  );
  addTrust(app, features.log);
  app.get("/", async (_request, reply) => reply.redirect("/console/"));
  await addDocs(app, apiDocuments);
  addDownload(app, "/docs/downloads/countersign-client.tgz", CLIENT_PACKAGE);
  return app;
}

const consoleBoot = ({ smtp, embedUrl }: Config): ConsoleBoot => ({
  mail: smtp === null ? "outbox" : "server",
  version,
  embed_url: embedUrl,
});

// Whoever verifies something just signed must not be shown the keys of yesterday.
const TRUST_CACHE_SECONDS = 60;

/** For whoever verifies without us: no credential, and a place that every installation has. */
function addTrust(app: FastifyInstance, log: LogDeps): void {
  const trust = publishTrust(log, TRUST_CACHE_SECONDS);
  app.get("/.well-known/countersign-trust.json", async (_request, reply) =>
    reply
      .header("cache-control", `public, max-age=${TRUST_CACHE_SECONDS}`)
      .type("application/json; charset=utf-8")
      .send(await trust()),
  );
}

const sealingOf = (features: Features, logger: Logger): Check =>
  sealReadiness(features.seals, (err) => logger.error({ err }, "documents cannot be sealed"));

/** Strangers may read readiness: that the database is away is enough for them, where it should be is not theirs to know. */
async function databaseReason(db: Db): Promise<string | null> {
  const failure = await failureOf(db);
  return failure instanceof DatabaseAway ? "the database cannot be reached" : null;
}

/** Null also while the database is away: nothing is served then either, and the check of the database says so. */
async function tenancyReason(db: Db): Promise<string | null> {
  const failure = await failureOf(db);
  return failure instanceof FenceDown ? "row-level security does not hold for the database login" : null;
}

async function failureOf(db: Db): Promise<DatabaseAway | FenceDown | null> {
  try {
    await db.system((tx) => tx.query(sql`select 1`));
    return null;
  } catch (error) {
    if (error instanceof DatabaseAway || error instanceof FenceDown) return error;
    throw error;
  }
}

/** Where handlers say what is no failure of the job. */
type JobLog = Pick<Logger, "warn"> & Partial<Pick<Logger, "error">>;

export function jobHandlers(features: Features, logger?: JobLog): JobHandlers {
  return {
    "orgs.clean-up": async () => {
      await cleanUp(features.orgs);
    },
    "accounts.send-reset": (payload) => sendReset(features.orgs, payload),
    "accounts.send-browser-link": (payload) => sendBrowserLink(features.orgs, payload),
    "orgs.notify-admins": (payload) => notifyAdmins(features.orgs, payload),
    "orgs.notify-member": (payload) => notifyMember(features.orgs, payload),
    "signing.cancel": (payload) => cancelSubmission(features.envelopes.provider, payload),
    "signing.draw-pages": (payload) => drawPages(features.signing, payload),
    "signing.forget-pages": async () => {
      await forgetOldPages(features.signing);
    },
    "envelopes.finish-document": (payload) => finishDocument(features.envelopes, payload),
    "vault.store": (payload) => storeEnvelope(features.vault, payload),
    "envelopes.sweep": async () => {
      await sweepEnvelopes(features.envelopes);
    },
    "storage.sweep": async () => {
      const { away } = await sweepStorage(features.storage);
      if (away !== null) logger?.warn({ err: away }, "the sweep of the blob store stopped; the next one goes on");
    },
    "mail.send": async ({ message_id }) => {
      const attempted = await sendMail(features.mail, message_id);
      if (attempted !== null) warnUnsent(logger, message_id, attempted);
    },
    "mail.resume": () => resumeMail(features.mail, ({ message_id, ...attempted }) => warnUnsent(logger, message_id, attempted)),
    "webhooks.fan-out": (payload) => fanOut(features.webhooks, payload),
    "webhooks.forget": async () => {
      await forgetOldDeliveries(features.webhooks);
    },
    "log.checkpoint": () => alerting(logger, () => advanceLog(features.log)),
    "log.stamp": async () => {
      const stamp = await stampLatest(features.log);
      if (stamp !== null && stamp.error !== null)
        logger?.warn({ error: stamp.error }, "the log was not time-stamped; the next hour tries again");
    },
    "log.verify": () => alerting(logger, () => verifyLogWhenDue(features.log)),
    "vault.expire": async () => {
      await inTurn([expireTransfers, endDueExports], async (end) => (await end(features.vault)) > 0);
    },
    "vault.sweep": async () => {
      const { away, tampered, failures } = await sweepCopies(features.vault);
      if (away !== null) logger?.warn({ err: away }, "the sweep of the vault stopped; the next one goes on");
      if (tampered > 0) logger?.warn({ tampered }, "vaulted documents are not as they were stored");
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} vaulted documents could not be looked at`);
    },
  };
}

/** A log that stands still, or cannot be signed, is told once a run: to try the same job again would not mend it. The next one looks again. */
async function alerting(logger: JobLog | undefined, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (err) {
    if (!(err instanceof LogFault || err instanceof LogStopped || err instanceof SealUnavailable)) throw err;
    logger?.error?.({ err }, "the log does not go on");
  }
}

/** The id and the server's codes alone: to whom it goes and what it says are nothing for a log. */
function warnUnsent(logger: Pick<Logger, "warn"> | undefined, message_id: MessageId, { outcome, state }: Attempted): void {
  if (outcome.kind === "sent") return;
  const { kind, error } = outcome;
  logger?.warn({ message_id, outcome: kind, error }, state === "failed" ? "mail failed for good" : "mail will be tried again");
}

export interface Service {
  readonly url: string | null;
  /** null once the installation is set up, and for a worker */
  readonly setup: SetupNotice;
  readonly clusterDir: string | null;
  /** resolves when the service can serve no longer and is to be stopped */
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
  // Before the database is started in vain.
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
      logger.fatal({ err }, "tenancy is not kept by the database; the service stops");
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
  if (config.setup !== null) await setUpFromEnvironment(features.orgs, config.setup, logger);
  const sealing = sealingOf(features, logger);
  const { web } = parts;
  const app = web === null ? null : await buildHttp({ config, db, features, logger, sealing, web });
  // First the port, which may be taken; a worker that runs already would have to be stopped again.
  await app?.listen({ port: config.port, host: config.host });
  let worker: Worker | null = null;
  try {
    worker = parts.worker && database.queueUrl !== null ? await startWork(features, database.queueUrl, logger) : null;
    const setup = app === null ? null : await claimSetupNotice(features.orgs, operatorName());
    // Nobody waits for it: a service that cannot seal goes on, and readiness and the log say what to do. It never rejects.
    const tested = sealing();
    return {
      url: app === null ? null : config.publicUrl,
      setup,
      clusterDir: database.clusterDir,
      stop: () => stopParts({ app, worker, tested, features, db, database, logger }),
    };
  } catch (error) {
    // The database went away just now, say. A port that still answers would keep this process alive as half of a service.
    await worker?.stop();
    await app?.close();
    await closeFeatures(features);
    throw error;
  }
}

/** Jobs, and the deliveries that some of them queue. */
async function startWork(features: Features, url: string, logger: Logger): Promise<Worker> {
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
    const by = { ip: "127.0.0.1", user_agent: "environment", request_id: "start", operator: operatorName() };
    await setUpHere(orgs, by, setup);
    logger.info("the first organization was made from the environment");
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "setup_done") throw error;
  }
}

interface Started {
  readonly app: FastifyInstance | null;
  readonly worker: Worker | null;
  /** the test seal, which ends when its thread does */
  readonly tested: Promise<unknown>;
  readonly features: Features;
  readonly db: Db;
  readonly database: OpenDatabase;
  readonly logger: Logger;
}

async function stopParts({ app, worker, tested, features, db, database, logger }: Started): Promise<void> {
  // Whatever becomes of one part, the next is stopped too: left open, it would keep this process and its database alive. A worker whose
  // goodbye finds the database away does no harm: once it is silent, others give its jobs back.
  const outOfOrder = (err: unknown) => logger.warn({ err }, "not everything stopped in order");
  if (app !== null) await closeGracefully(app).catch(outOfOrder);
  await worker?.stop().catch(outOfOrder);
  await closeFeatures(features).catch(outOfOrder);
  await tested;
  await db.end().catch(outOfOrder);
  await database.close();
  logger.info("stopped");
}

async function closeFeatures({ pdf, proofs, mail }: Features): Promise<void> {
  mail.smtp?.close();
  await Promise.all([pdf.close(), proofs.close()]);
}
