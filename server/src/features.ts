import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ALGORITHMS } from "@countersign/evidence";
import { createPdfPool, NotAPdf, type PdfPool, UnreadablePdf } from "@countersign/pdf/pool";
import { buildAdministration } from "./administration.ts";
import { LIMITS, type SinkDeps } from "./audit-sinks/sink.ts";
import type { AuditSinkDeps } from "./audit-sinks/stream-log.ts";
import type { BulkDeps } from "./bulk/batch.ts";
import { type Config, ConfigError } from "./config.ts";
import type { CustomerDeps } from "./customers/customer.ts";
import type { Db } from "./db/connect.ts";
import type { PartitionDeps } from "./db/keep-partitions.ts";
import { mayLeaveOf } from "./db/mode.ts";
import { observeCache } from "./documents/observe-cache.ts";
import type { PageCache } from "./documents/page-cache.ts";
import { asPdfProblem } from "./documents/pdf-problems.ts";
import { readStored } from "./documents/read-stored.ts";
import type { ShellDeps } from "./embed/shells.ts";
import { attachSigned } from "./envelopes/attach-signed.ts";
import { serveCompletion } from "./envelopes/completion-certificate.ts";
import type { EnvelopeDeps } from "./envelopes/envelope.ts";
import { findPreparedEnvelope } from "./envelopes/find-prepared-envelope.ts";
import { filters } from "./envelopes/http-list.ts";
import { issueDocument } from "./envelopes/issue-document.ts";
import { mailCode } from "./envelopes/mail-code.ts";
import { mailLinkAgain } from "./envelopes/mail-link-again.ts";
import { moveToCustomer } from "./envelopes/move-to-customer.ts";
import { findSentDocument, findSentEnvelope, lockEnvelope, onSubmission } from "./envelopes/on-submission.ts";
import { tellUndelivered } from "./envelopes/tell-undelivered.ts";
import type { FailedJobDeps } from "./failed-jobs/retry-failed-job.ts";
import type { OperatorDeps } from "./failed-jobs/tell-operator.ts";
import type { FormDeps } from "./forms/form.ts";
import type { KeyDeps } from "./keys/key.ts";
import { reachesPeople, type SendingDeps } from "./mail/message.ts";
import { type Smtp, smtpSender } from "./mail/smtp.ts";
import type { Metrics } from "./metrics/registry.ts";
import { timed } from "./metrics/timed.ts";
import type { NotificationDeps } from "./notifications/notification.ts";
import type { DomainDeps } from "./orgs/domain.ts";
import type { SettingsDeps } from "./orgs/org.ts";
import { lookUpLogo } from "./orgs/store.ts";
import { makeFencedFetch } from "./outbound/make-fenced-fetch.ts";
import { makeResolveTexts } from "./outbound/name-resolver.ts";
import { BUILT_WEB } from "./pages.ts";
import { createProofPool, type ProofPool } from "./proofs/pool.ts";
import { labelSandboxes } from "./sandbox/label-sandboxes.ts";
import type { SandboxDeps } from "./sandbox/remove-data.ts";
import { buildSeals } from "./seals/build-seals.ts";
import { type SealDeps, SealSettingRefused } from "./seals/seal.ts";
import { sealDocument } from "./seals/seal-document.ts";
import { listRootsOf } from "./seals/store.ts";
import { buildKms } from "./secrets/build-kms.ts";
import type { SecretDeps } from "./secrets/jobs.ts";
import { orgKeys } from "./secrets/org-keys.ts";
import { orgValues } from "./secrets/org-values.ts";
import type { MayLeave } from "./shared/departures.ts";
import { type Outcomes, trackOutcomes } from "./shared/outcomes.ts";
import { deriveKeys, sha256 } from "./shared/secrets.ts";
import { timeStep } from "./shared/time-step.ts";
import { beginSpan } from "./shared/trace.ts";
import { builtinProvider } from "./signing/builtin/provider.ts";
import { methods as identityMethods } from "./signing/identity/method.ts";
import { noProvider } from "./signing/none.ts";
import type { SigningProvider } from "./signing/provider.ts";
import type { SigningDeps } from "./signing/submission.ts";
import type { SsoDeps } from "./sso/connection.ts";
import { hasTested } from "./sso/store.ts";
import { buildStorage } from "./storage/build-storage.ts";
import type { StorageDeps } from "./storage/store-blob.ts";
import { findPreparedTemplate } from "./templates/find-prepared-template.ts";
import type { TemplateDeps } from "./templates/template.ts";
import { readTexts } from "./texts/read-texts.ts";
import type { Texts } from "./texts/text.ts";
import { buildLog, LogSettingRefused } from "./transparency/build-log.ts";
import type { LogDeps } from "./transparency/checkpoint.ts";
import type { RenewalDeps } from "./transparency/renew-evidence.ts";
import { trustAddress } from "./transparency/trust-address.ts";
import { lookUpActToDecide } from "./vault/acts/decide-as-person.ts";
import { listOthersOfPerson } from "./vault/acts/person-store.ts";
import { tellUnreachable } from "./vault/acts/tell-unreachable.ts";
import { buildVault } from "./vault/build-vault.ts";
import { countCopies } from "./vault/custody/custodian-store.ts";
import { requireUndamaged } from "./vault/keeping/require-undamaged.ts";
import type { PeopleDeps } from "./vault/people/person.ts";
import { version } from "./version.ts";
import type { ViewDeps } from "./views/view.ts";
import { buildWebhooks } from "./webhooks/build-webhooks.ts";
import type { WebhookDeps } from "./webhooks/endpoint.ts";

/**
 * Builds every feature from its settings and from what it needs of the others.
 *
 * Some features need something of a feature that imports them. They do not import it; they are handed a function, and this file is the
 * only place where that happens:
 * - `keys/` is handed the count of webhook endpoints, because it shows it and must not load `webhooks/` (`administration.ts`).
 * - `orgs/` is handed `countCopies` of `vault/`: a custodian cannot be removed. And `cleanPng`, because a logo is rewritten by the PDF engine.
 * - `orgs/` is handed `hasTestedSso` of `sso/`, which imports it: single sign-on is required only after a test.
 * - `envelopes/` is handed `seal`, `sealCopy` and `lookUpRoot` of `seals/`, so that it knows no keys, and `requireUndamaged` of `vault/`, which imports envelopes.
 * - `signing/` is handed `findEnvelope`, `lockEnvelope`, `onSubmission`, `findDocument`, `issueDocument`, `mailCode`, `mailLinkAgain` and `serveCompletion` of `envelopes/`: a signing
 *   provider runs the ceremony without knowing what an envelope is, and `envelopes/` imports `signing/`.
 * - `signing/`, `forms/` and `vault/` are handed `lookUpLogo` of `orgs/`, which they show and do not otherwise use.
 * - people of `vault/` are handed the `visitorQueue` of `accounts/`, so that visitors of both wait in one queue.
 * - `mail/` is handed `attachSigned` of `envelopes/`, which imports it, and `tellUndelivered` and `tellUnreachable` as `onFailed`.
 * - statistics of `envelopes/` are handed the figures of `webhooks/` (`endpointsOf` in `main.ts`).
 */

export interface Features {
  readonly texts: Texts;
  readonly orgs: DomainDeps;
  readonly sso: SsoDeps;
  readonly keys: KeyDeps;
  readonly customers: CustomerDeps;
  readonly templates: TemplateDeps;
  readonly envelopes: EnvelopeDeps;
  readonly bulk: BulkDeps;
  readonly signing: SigningDeps;
  readonly vault: ReturnType<typeof buildVault>;
  readonly people: PeopleDeps;
  readonly forms: FormDeps;
  readonly views: ViewDeps;
  readonly notifications: NotificationDeps;
  readonly embed: ShellDeps;
  readonly storage: StorageDeps;
  readonly secrets: SecretDeps;
  /** Connections to the mail server open with the first message. The caller of `buildFeatures` closes them. */
  readonly mail: SendingDeps;
  /** of the attempts to reach the mail server */
  readonly mailOutcomes: Outcomes;
  readonly webhooks: WebhookDeps;
  readonly seals: SealDeps;
  readonly log: LogDeps;
  readonly auditSinks: AuditSinkDeps & SinkDeps;
  readonly failedJobs: FailedJobDeps & OperatorDeps;
  readonly renewal: RenewalDeps;
  readonly sandboxes: SandboxDeps;
  readonly partitions: PartitionDeps;
  /** Threads start with the first document. The caller of `buildFeatures` ends them. */
  readonly pdf: PdfPool;
  /** Threads start with the first password. The caller of `buildFeatures` ends them. */
  readonly proofs: ProofPool;
}

/**
 * `provider`: tests pass one that fails on demand. `pdf`, `proofs`: threads that the caller started, and ends. `texts`: tests pass those of
 * a later release. `metrics`: null where they are not asked for.
 */
export function buildFeatures(
  config: Config,
  db: Db,
  provider: SigningProvider = config.signingProvider === "none" ? noProvider : builtinProvider({ db }),
  givenPdf: PdfPool = createPdfPool(config.pdf),
  proofs: ProofPool = createProofPool({ workers: config.passwordWorkers, breached_file: config.breachedPasswordsFile }),
  texts: Texts = readTexts(),
  metrics: Metrics | null = null,
): Features {
  const measuredPdf = metrics === null ? givenPdf : timed(givenPdf, ["stats", "close"], metrics.pdf.ended, () => undefined, spanOf("pdf"));
  const pdf = labelSandboxes(measuredPdf);
  const { publicUrl, embedUrl, localMode, remindMinSeconds } = config;
  const derived = deriveKeys(config.appSecrets);
  const mayLeave = mayLeaveOf(db);
  const mailOutcomes = trackOutcomes();
  const smtp = config.smtp === null ? null : noting(smtpSender({ ...config.smtp, from: config.mailFrom }), mailOutcomes, metrics);
  const administration = buildAdministration(config, db, smtp, proofs);
  const { keys } = administration;
  const resolveTexts = makeResolveTexts(config.dnsServers);
  const orgs = {
    ...administration.orgs,
    mailRetentionDays: config.mailRetentionDays,
    trustProxyHops: config.trustProxyHops,
    cleanPng: pngCleaner(pdf),
    countCopies,
    hasTestedSso: hasTested,
    resolveTexts,
  };
  const kms = buildKms(config.kms, derived);
  const orgKeysOf = orgKeys({ db, kms });
  const stored = buildStorage(config, db, orgKeysOf);
  const storage =
    metrics === null
      ? stored
      : { ...stored, blobs: timed(stored.blobs, [], metrics.storage.ended, metrics.storage.failed, spanOf("blob")) };
  const seals = sealsOf(config, db, pdf, mayLeave);
  const log = { db, seals, notes: notesOf(config, mayLeave), tsaRoots: tsaRootsOf(config, seals) };
  const outgoing = buildWebhooks(config.webhooks, {
    db,
    mayLeave,
    dnsServers: config.dnsServers,
    secretKey: derived.webhooks,
    localMode,
    version,
  });
  const webhooks: WebhookDeps = { ...outgoing, onAttempt: metrics?.webhooks.attempted };
  const values = orgValues({ orgKeys: orgKeysOf, isOn: config.encryptBlobs });
  const templates = { db, pdf, storage, provider, pageCache: pageCacheOf(config, storage, metrics) };
  const onStep = metrics?.pipeline.ended;
  const envelopes: EnvelopeDeps = {
    ...templates,
    identityMethods,
    texts,
    mail: orgs.mail,
    proofs,
    values,
    embedUrl,
    consoleUrl: `${publicUrl}/console`,
    remindMinSeconds,
    onStep,
    seal: (org, bytes, reason) => timeStep({ onStep }, "seal", () => sealDocument(seals, org, bytes, { reason })),
    sealCopy: (org, bytes, reason) => sealDocument(seals, org, bytes, { reason, plain: true }),
    lookUpRoot: async (read, org) => {
      const root = (await listRootsOf(read, org)).at(-1);
      return root === undefined ? null : sha256(root).toString("hex");
    },
    publicUrl,
    trustAddress: (org) => trustAddress(publicUrl, org),
    requireUndamaged: (org, envelope_id) => requireUndamaged({ db, storage }, org, envelope_id),
  };
  const mail: SendingDeps = {
    ...orgs.mail,
    mayLeave,
    onFailed: async (tx, org, failed) => {
      await tellUndelivered(envelopes, tx, org, failed);
      await tellUnreachable(envelopes, tx, org, failed);
    },
    dns: { resolveName: webhooks.resolve, resolveTexts },
    fence: webhooks.fence,
    attach: (org, envelope_id, to) => attachSigned({ ...envelopes, maxAttachedBytes: config.maxAttachedBytes }, org, envelope_id, to),
  };
  const signing = signingOf(envelopes);
  const { retrySchedule, secretKey, fence, resolve, limits } = webhooks;
  const registry = { outbound: { mayLeave, fence, resolve, limits }, retrySchedule, secretKey, version };
  const vault = buildVault(config, { envelopes, seals, log, keys: derived, lookUpLogo, verifierSha256: hashOfVerifier(), registry });
  const people: PeopleDeps = {
    db,
    keys: derived,
    mail: orgs.mail,
    proofs,
    site: orgs.site,
    visitorQueue: orgs.visitorQueue,
    otherPeopleOf: listOthersOfPerson,
    lookUpActOf: lookUpActToDecide,
  };
  const embed = { db, keys: orgs.keys, embedUrl, localMode };
  return {
    texts,
    orgs,
    sso: {
      ...administration.orgs,
      fetch: makeFencedFetch({ fence: { loopback: localMode, plainHttp: false, allowedNetworks: config.sso.allowedNetworks }, resolve }),
    },
    keys,
    // Envelopes belong to customers, so `customers/` does not import `envelopes/`.
    customers: { db, moveEnvelopes: moveToCustomer },
    templates,
    envelopes,
    bulk: { db, envelopes, ...config.bulk },
    signing,
    vault,
    people,
    forms: { db, envelopes, embed, limits: config.forms, lookUpLogo },
    views: { db, parameters: Object.keys(filters) },
    notifications: { db },
    embed,
    storage,
    secrets: { db, keys: derived, kms },
    pdf,
    proofs,
    mail,
    mailOutcomes,
    webhooks,
    sandboxes: { db, retentionDays: config.sandboxRetentionDays },
    partitions: { db, deliveryDays: config.webhooks.retentionDays, eventDays: config.eventRetentionDays },
    seals,
    log,
    auditSinks: {
      db,
      signInEventDays: config.signInEventDays,
      ...{ mayLeave, fence, resolve, retrySchedule, version },
      limits: LIMITS,
      orgKeys: orgKeysOf,
      host: new URL(publicUrl).hostname,
      ...config.syslog,
    },
    failedJobs: { db, mail: orgs.mail, operators: config.operators, publicUrl },
    renewal: { ...log, seals, storage, algorithms: ALGORITHMS, now: () => new Date() },
  };
}

const spanOf = (name: string) => (operation: string) => beginSpan(name, operation);

/** A message that the server refused shows that the server works. */
const noting = (smtp: Smtp, outcomes: Outcomes, metrics: Metrics | null): Smtp => ({
  ...smtp,
  async send(mail) {
    const outcome = await smtp.send(mail);
    metrics?.mail.attempted(outcome.kind);
    if (outcome.kind === "away") outcomes.failed();
    else outcomes.succeeded();
    return outcome;
  },
});

function hashOfVerifier(): string | null {
  const file = join(BUILT_WEB, "verify.html");
  return existsSync(file) ? sha256(readFileSync(file)).toString("hex") : null;
}

/** What a signing ceremony needs of envelopes, storage and the org's settings, none of which `signing/` imports. */
function signingOf(envelopes: EnvelopeDeps): SigningDeps {
  return {
    db: envelopes.db,
    texts: envelopes.texts,
    pdf: envelopes.pdf,
    proofs: envelopes.proofs,
    values: envelopes.values,
    pageCache: envelopes.pageCache,
    readPdf: (org, sha256) => readStored(envelopes, org, sha256, "document_unavailable"),
    findDocument: findSentDocument,
    prepared: {
      envelope: (org, envelope_id) => (read) => findPreparedEnvelope(read, org, envelope_id),
      template: (org, template_id) => (read) => findPreparedTemplate(read, org, template_id),
    },
    lookUpLogo,
    issueDocument: (who) =>
      issueDocument(envelopes, { caller: who, named: who.holder.user_email, early: "partial" }, who.holder.envelope_id),
    issuePaper: (who) => issueDocument(envelopes, { caller: who, named: who.holder.user_email, early: "paper" }, who.holder.envelope_id),
    identityMethods: envelopes.identityMethods,
    mailsCodes: (org) => reachesPeople(envelopes.mail, org),
    mailCode: (tx, who, you, code) => mailCode(envelopes, tx, who, you, code),
    mailLinkAgain: (tx, who, slug) => mailLinkAgain(envelopes, tx, who, slug),
    serveCompletion: (org, envelope_id) => serveCompletion(envelopes, org, envelope_id),
    findEnvelope: findSentEnvelope,
    lockEnvelope,
    onSubmission: onSubmission(envelopes),
  };
}

const pageCacheOf = ({ dataDir, pageCacheBytes }: Config, { keys, blobs }: StorageDeps, metrics: Metrics | null): PageCache => ({
  folder: join(dataDir, "pages"),
  keys,
  shared: blobs.shared,
  max_bytes: pageCacheBytes,
  seen: observeCache(metrics?.pages.counted),
});

/** A logo as it is shown, without anything else that the file contained; null if the engine cannot read it. */
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

/** Empty if the installation never had a time-stamp authority: then no token is trusted. The roots of an earlier one are kept for its tokens. */
const tsaRootsOf = ({ seals }: Config, { timeStamps }: SealDeps): LogDeps["tsaRoots"] =>
  seals.tsaUrl === null && seals.tsaRoots === null ? [] : timeStamps.roots;

function sealsOf({ seals, appSecrets, localMode }: Config, db: Db, pdf: PdfPool, mayLeave: MayLeave): SealDeps {
  try {
    return buildSeals(seals, deriveKeys(appSecrets).seals, db, pdf, localMode, mayLeave);
  } catch (cause) {
    throw cause instanceof SealSettingRefused ? new ConfigError(cause.message, { cause }) : cause;
  }
}

function notesOf({ log, publicUrl }: Config, mayLeave: MayLeave): LogDeps["notes"] {
  try {
    return buildLog(log, publicUrl, mayLeave);
  } catch (cause) {
    throw cause instanceof LogSettingRefused ? new ConfigError(cause.message, { cause }) : cause;
  }
}

/** Ends what runs outside the process's own thread: connections to the mail server, and the threads of PDFs and passwords. */
export async function closeFeatures({ pdf, proofs, mail }: Features): Promise<void> {
  mail.smtp?.close();
  await Promise.all([pdf.close(), proofs.close()]);
}
