import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { authenticateSession, recheckSession } from "./accounts/authenticate-session.ts";
import { authEndpoints } from "./accounts/http-auth.ts";
import { emailEndpoints } from "./accounts/http-email.ts";
import { factorEndpoints } from "./accounts/http-factors.ts";
import { accountJobs } from "./accounts/jobs.ts";
import { noteForbidden } from "./accounts/note-forbidden.ts";
import { addPublicRoutes } from "./add-public-routes.ts";
import { auditSinkEndpoints } from "./audit-sinks/http.ts";
import { sinkEndpoints } from "./audit-sinks/http-sinks.ts";
import { auditSinkJobs } from "./audit-sinks/jobs.ts";
import { bulkEndpoints } from "./bulk/http.ts";
import { bulkJobs } from "./bulk/jobs.ts";
import type { Config } from "./config.ts";
import { customerEndpoints } from "./customers/http.ts";
import { fillCustomerWords } from "./customers/words-store.ts";
import type { Db } from "./db/connect.ts";
import { partitionJobs } from "./db/jobs.ts";
import { authenticateWidget } from "./embed/authenticate-widget.ts";
import { embedEndpoints } from "./embed/http.ts";
import { embedShells } from "./embed/shells.ts";
import { envelopeEndpoints } from "./envelopes/http.ts";
import { attentionEndpoints } from "./envelopes/http-attention.ts";
import { statisticsEndpoints } from "./envelopes/http-statistics.ts";
import { envelopeJobs } from "./envelopes/jobs.ts";
import { requireOwnDraft } from "./envelopes/require-own-draft.ts";
import { fillWords } from "./envelopes/words-store.ts";
import { eventTypes } from "./events/catalogue.ts";
import { failedJobEndpoints } from "./failed-jobs/http.ts";
import { failedJobJobs } from "./failed-jobs/jobs.ts";
import type { Features } from "./features.ts";
import { formEndpoints } from "./forms/http.ts";
import { formShell } from "./forms/shell.ts";
import type { BuiltWeb } from "./http/built-web.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { makeUploads } from "./http/form.ts";
import { addHealth, type Health, type HealthOptions } from "./http/health.ts";
import { openApiDocument, pagesDocument } from "./http/openapi.ts";
import { buildServer, type ClientTimeouts, type HttpOptions } from "./http/server.ts";
import { prepareStop } from "./http/stop.ts";
import { type Backfills, backfillJobs } from "./jobs/backfill.ts";
import type { JobHandlers } from "./jobs/catalogue.ts";
import { authenticateKey, recheckKey } from "./keys/authenticate.ts";
import { keyEndpoints } from "./keys/http.ts";
import { keyJobs } from "./keys/jobs.ts";
import { mailEndpoints } from "./mail/http.ts";
import { mailJobs } from "./mail/jobs.ts";
import { mailSenderEndpoints } from "./mail/sender/http.ts";
import { mailTextEndpoints } from "./mail/texts/http.ts";
import { notificationEndpoints } from "./notifications/http.ts";
import { orgEndpoints } from "./orgs/http.ts";
import { domainEndpoints } from "./orgs/http-domains.ts";
import { joiningEndpoints } from "./orgs/http-joining.ts";
import { sandboxEndpoints } from "./orgs/http-sandboxes.ts";
import { securityEndpoints } from "./orgs/http-security.ts";
import { orgJobs } from "./orgs/jobs.ts";
import { consoleShell, partyShell, previewShell } from "./pages.ts";
import { healthOf, lifeOf, sealingOf } from "./readiness.ts";
import { testEndpoints } from "./sandbox/http.ts";
import { sandboxJobs } from "./sandbox/jobs.ts";
import { secretJobs } from "./secrets/jobs.ts";
import type { JobLog } from "./shared/job-log.ts";
import { deriveKeys } from "./shared/secrets.ts";
import { signingEndpoints } from "./signing/http.ts";
import { previewEndpoints } from "./signing/http-preview.ts";
import { legalTextEndpoints } from "./signing/http-texts.ts";
import { signingJobs } from "./signing/jobs.ts";
import { ssoEndpoints } from "./sso/http.ts";
import { storageJobs } from "./storage/jobs.ts";
import { templateEndpoints } from "./templates/http.ts";
import { transparencyEndpoints } from "./transparency/http.ts";
import { renewalJobs, transparencyJobs } from "./transparency/jobs.ts";
import { actEndpoints } from "./vault/acts/http.ts";
import { personActEndpoints } from "./vault/acts/http-person.ts";
import { assignmentEndpoints } from "./vault/assignments/http.ts";
import { auditEndpoints } from "./vault/audits/http.ts";
import { personAuditEndpoints } from "./vault/audits/http-person.ts";
import { batchEndpoints } from "./vault/batches/http.ts";
import { personBatchEndpoints } from "./vault/batches/http-person.ts";
import { custodyEndpoints } from "./vault/custody/http.ts";
import { keepsRecord } from "./vault/custody/kept-store.ts";
import { endingEndpoints } from "./vault/ends/http.ts";
import { personPaperEndpoints } from "./vault/ends/http-person.ts";
import { exportEndpoints } from "./vault/exports/http.ts";
import { personExportEndpoints } from "./vault/exports/http-person.ts";
import { fingerprintEndpoints } from "./vault/fingerprints/http.ts";
import { vaultEndpoints } from "./vault/http.ts";
import { peopleJobs, vaultJobs } from "./vault/jobs.ts";
import { keepingEndpoints } from "./vault/keeping/http.ts";
import { linkEndpoints } from "./vault/links/http.ts";
import { partyEndpoints } from "./vault/parties/http.ts";
import { authenticatePerson, recheckPerson } from "./vault/people/authenticate-person.ts";
import { peopleEndpoints } from "./vault/people/http.ts";
import { registryEndpoints } from "./vault/registry/http.ts";
import { remoteRequestEndpoints } from "./vault/remote-requests/http.ts";
import { statusShell } from "./vault/status/page.ts";
import { vaultWidgetEndpoints } from "./vault/widget/http.ts";
import { version } from "./version.ts";
import { viewEndpoints } from "./views/http.ts";
import { webhookEndpoints } from "./webhooks/http.ts";
import { webhookJobs } from "./webhooks/jobs.ts";
import { countFailedDeliveries, countWebhooks } from "./webhooks/statistics-store.ts";

/**
 * What the service is made of, as tables: its endpoints, its jobs, its HTTP server. How features are built and connected is in
 * `features.ts`; how the service starts and stops is in `service.ts`.
 */

export function endpointsOf(features: Omit<Features, "storage" | "pdf" | "proofs" | "seals">): Endpoint[] {
  return [
    ...authEndpoints(features.orgs),
    ...joiningEndpoints(features.orgs),
    ...emailEndpoints(features.orgs),
    ...factorEndpoints(features.orgs),
    ...orgEndpoints(features.orgs),
    ...sandboxEndpoints(features.orgs),
    ...securityEndpoints(features.orgs),
    ...domainEndpoints(features.orgs),
    ...ssoEndpoints(features.sso),
    ...keyEndpoints(features.keys, features.envelopes),
    ...customerEndpoints(features.customers),
    ...templateEndpoints(features.templates),
    ...envelopeEndpoints(features.envelopes),
    ...bulkEndpoints(features.bulk),
    ...statisticsEndpoints({ countWebhooks }),
    ...attentionEndpoints({ countFailedDeliveries }),
    ...formEndpoints(features.forms),
    ...viewEndpoints(features.views),
    ...notificationEndpoints(features.notifications),
    ...auditSinkEndpoints(features.auditSinks),
    ...failedJobEndpoints(features.failedJobs),
    ...sinkEndpoints(features.auditSinks),
    ...mailEndpoints(features.mail),
    ...testEndpoints(features),
    ...mailTextEndpoints(features.mail, features.envelopes),
    ...mailSenderEndpoints(features.mail),
    ...embedEndpoints({ ...features.embed, envelopes: features.envelopes }),
    ...signingEndpoints(features.signing),
    ...previewEndpoints(features.signing),
    ...legalTextEndpoints(features),
    ...webhookEndpoints(features.webhooks),
    ...transparencyEndpoints(features.log),
    ...vaultEndpoints(features.vault),
    ...custodyEndpoints(features.vault),
    ...exportEndpoints(features.vault),
    ...endingEndpoints(features.vault),
    ...linkEndpoints(features.vault),
    ...registryEndpoints(features.vault),
    ...assignmentEndpoints(features.vault),
    ...fingerprintEndpoints(features.vault),
    ...keepingEndpoints(features.vault),
    ...partyEndpoints(features.vault),
    ...actEndpoints(features.vault),
    ...remoteRequestEndpoints(features.vault),
    ...batchEndpoints(features.vault),
    ...vaultWidgetEndpoints(features.vault),
    ...peopleEndpoints(features.people),
    ...personActEndpoints(features.people),
    ...personExportEndpoints(features.vault),
    ...personPaperEndpoints(features.vault),
    ...personBatchEndpoints(features.people),
    ...personAuditEndpoints(features.vault),
    ...auditEndpoints(features.vault),
  ];
}

/**
 * Declaring endpoints does not need running features. This is enough for `openapi.json` and everything else that is generated from the
 * list.
 */
export function declaredEndpoints(): Endpoint[] {
  const rooms = "orgs sso keys customers templates envelopes bulk signing embed mail webhooks vault people log forms".split(" ");
  const undeployed = Object.fromEntries(rooms.map((room) => [room, {}]));
  return endpointsOf(undeployed as unknown as Features);
}

let described: ApiDocuments | undefined;

export interface ApiDocuments {
  /** for integrators: the contents of `openapi.json` */
  readonly api: Record<string, unknown>;
  /** for our own pages: the contents of `openapi-pages.json` */
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
  /** of the process, if it has more than this server; otherwise that of this server */
  readonly health?: Health;
  /** the pages of web/; some tests need none */
  readonly web?: BuiltWeb;
  readonly checkAnswers?: boolean;
  readonly onAnswered?: HttpOptions["onAnswered"];
  readonly tracer?: HttpOptions["tracer"];
  /** in tests, which change the declaration of an endpoint */
  readonly declare?: (endpoint: Endpoint) => Endpoint;
  /** shorter in tests */
  readonly timeouts?: ClientTimeouts;
  /** in tests, which neither wait nor fail because the machine is busy */
  readonly checks?: Pick<HealthOptions, "rememberedMs" | "limitMs">;
}

export async function buildHttp(parts: HttpParts): Promise<FastifyInstance> {
  const { config, db, features, logger, checkAnswers = false } = parts;
  const app = buildServer({
    db,
    endpoints: endpointsOf(features).map(parts.declare ?? ((endpoint) => endpoint)),
    shells: [
      ...embedShells(features.embed),
      consoleShell({ mail: config.smtp === null ? "outbox" : "server", version, embed_url: config.embedUrl }),
      statusShell(features.vault),
      partyShell,
      previewShell,
      formShell(features.forms),
    ],
    web: parts.web ?? null,
    authenticate: {
      key: authenticateKey,
      session: (read, token, from) => authenticateSession(features.orgs, read, token, from),
      widget: (read, token, access) => authenticateWidget(features.embed, read, token, access),
      party: authenticatePerson,
      again: (read, { org, session }, { apiKey = "" }, from) =>
        session === null ? recheckKey(read, org, apiKey, from) : recheckSession(read, org, session, from),
      partyAgain: recheckPerson,
      keeps: keepsRecord,
      requireOwnDraft,
      noteForbidden,
    },
    logger,
    trustProxyHops: config.trustProxyHops,
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    ...(parts.timeouts === undefined ? {} : { timeouts: parts.timeouts }),
    defaultQuota: config.defaultRateLimitRpm,
    loopbackOnly: config.localMode,
    publicUrl: config.publicUrl,
    embedUrl: config.embedUrl,
    uploads: await makeUploads(join(config.dataDir, "uploads")),
    fingerprintKeys: deriveKeys(config.appSecrets).fingerprints,
    checkAnswers,
    ...(parts.onAnswered === undefined ? {} : { onAnswered: parts.onAnswered }),
    tracer: parts.tracer,
  });
  prepareStop(app);
  addHealth(app, parts.health ?? healthOf({ ...parts, sealing: sealingOf(features, logger), life: lifeOf(app) }));
  addPublicRoutes(app, parts, apiDocuments);
  return app;
}

/** What the job `db.backfill` fills in, by the names in the table `backfills`. */
export const backfills = {
  "customer-words": fillCustomerWords,
  // Since customers are found by the words of those that were merged into them.
  "former-customer-words": fillCustomerWords,
  "envelope-words": fillWords,
} satisfies Backfills;

/** Each job is declared by the feature that its name begins with. */
export function jobHandlers(features: Features, log?: JobLog): JobHandlers {
  return {
    ...accountJobs(features.orgs),
    ...orgJobs(features.orgs),
    ...keyJobs(features.keys),
    ...auditSinkJobs(features.auditSinks, log),
    ...signingJobs(features.signing, features.envelopes.provider),
    ...envelopeJobs(features.envelopes),
    ...backfillJobs(features.envelopes, backfills),
    ...bulkJobs(features.bulk, log),
    ...storageJobs({ ...features.storage, values: features.envelopes.values }, log),
    ...secretJobs(features.secrets, log),
    ...sandboxJobs(features.sandboxes),
    ...mailJobs(features.mail, log),
    ...failedJobJobs(features.failedJobs),
    ...webhookJobs(features.webhooks),
    ...partitionJobs(features.partitions),
    ...transparencyJobs(features.log, log),
    ...renewalJobs(features.renewal, log),
    ...vaultJobs(features.vault, log),
    ...peopleJobs(features.people),
  };
}
