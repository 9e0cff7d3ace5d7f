import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isIP, isIPv4, isIPv6 } from "node:net";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { DAY_SECONDS } from "./shared/durations.ts";
import { isLoopback } from "./shared/loopback.ts";
import { type AppSecrets, parseSecrets } from "./shared/secrets.ts";

/** The schema of all settings. They come from the environment; `X_FILE` names a file that contains the value of a secret. */

interface Setting {
  readonly about: string;
  /** the default, as text for people */
  readonly otherwise: string;
  readonly secret?: boolean;
}

export const settings = {
  PORT: { about: "Port of the HTTP server", otherwise: "3000" },
  HOST: { about: "Address to listen on", otherwise: "127.0.0.1 in local mode, else 0.0.0.0" },
  PUBLIC_URL: { about: "The address that people use; a loopback address means local mode", otherwise: "http://localhost:PORT" },
  EMBED_URL: {
    about: "The address of the signing and vault pages; a separate host isolates them from the console",
    otherwise: "PUBLIC_URL",
  },
  DATA_DIR: { about: "Folder for the embedded database and the service's files", otherwise: "./data" },
  DATABASE_URL: {
    about: "An external PostgreSQL (15 or newer), with the login that owns its tables; for migrate and database, not for serve and worker",
    otherwise: "the embedded one in DATA_DIR",
    secret: true,
  },
  DATABASE_APP_URL: {
    about: "The same database, with the login of the service, which owns nothing; countersign database logins creates it",
    otherwise: "created with the embedded database",
    secret: true,
  },
  DATABASE_QUEUE_URL: {
    about: "The same database, with the login of the job queue; for worker and start",
    otherwise: "created with the embedded database",
    secret: true,
  },
  REPAIR_DATABASE_URL: {
    about: "Only for countersign vault repair-rows: a restored copy of the database, with its owner's login",
    otherwise: "none; nothing can be repaired",
    secret: true,
  },
  DATABASE_POOL_SIZE: { about: "Connections of one process", otherwise: "10" },
  DATABASE_POOLING: {
    about: "transaction: DATABASE_APP_URL leads to a pooler in transaction mode; session: to PostgreSQL, or to a pooler in session mode",
    otherwise: "session",
  },
  DATABASE_PREPARED_STATEMENTS: {
    about: "on: the database keeps the plans of frequent statements; off: it does not, for a pooler that does not know them",
    otherwise: "on, with DATABASE_POOLING=transaction off",
  },
  APP_SECRET: {
    about: "At least 32 characters; the keys for tokens and encryption are derived from it",
    otherwise: "created in DATA_DIR on first start",
    secret: true,
  },
  APP_SECRETS: {
    about: "Versions of that secret, in place of APP_SECRET, which alone is version 1: the first is used for new values, all are accepted",
    otherwise: "APP_SECRET as version 1",
    secret: true,
  },
  KMS: {
    about:
      "What encrypts the keys of organizations: local (APP_SECRET), file:<path of a secret> or aws:<ARN of a key>. Several separated by commas: the first is used for new keys, all are accepted",
    otherwise: "local",
  },
  KMS_ENDPOINT: { about: "Address of AWS KMS, such as that of a private endpoint", otherwise: "the public one of the key's region" },
  KMS_ACCESS_KEY_ID: {
    about: "Access key that can use the key for kms:Encrypt and kms:Decrypt; needed with aws:",
    otherwise: "none",
    secret: true,
  },
  KMS_SECRET_ACCESS_KEY: { about: "Secret key for that access key", otherwise: "none", secret: true },
  ENCRYPT_BLOBS: {
    about: "false: new documents and entered values are stored as they are; those that are encrypted stay encrypted and readable",
    otherwise: "true",
  },
  S3_ENDPOINT: {
    about: "Address of an S3-compatible store for documents; set all five S3 settings or none",
    otherwise: "the folder DATA_DIR/blobs",
  },
  S3_BUCKET: { about: "Its bucket, which must exist", otherwise: "none" },
  S3_REGION: { about: "Its region, such as eu-central-1; many stores accept us-east-1", otherwise: "none" },
  S3_ACCESS_KEY_ID: {
    about: "Access key that can list the bucket and read, write and delete objects in it",
    otherwise: "none",
    secret: true,
  },
  S3_SECRET_ACCESS_KEY: { about: "Secret key for that access key", otherwise: "none", secret: true },
  SIGNING_PROVIDER: { about: "The signing provider: builtin or none", otherwise: "builtin" },
  SEAL_P12_FILE: {
    about: "A purchased certificate for sealing documents, with its key and chain, as a PKCS #12 file",
    otherwise: "a certificate per organization, issued by the installation's root",
  },
  SEAL_P12_PASSWORD: { about: "Password of that file", otherwise: "none", secret: true },
  SIGNER_URL: {
    about: "Address of a signer that keeps new keys of this installation, for example in a hardware module: https, or http on this machine",
    otherwise: "keys are kept in the database, encrypted",
  },
  SIGNER_TOKEN: { about: "Token that the signer requires", otherwise: "none is sent", secret: true },
  SIGNER_CA_FILE: { about: "Certificates to trust for the signer, in PEM format", otherwise: "those included in Node" },
  TSA_URL: {
    about: "Address of a time-stamp authority (RFC 3161) that time-stamps every seal",
    otherwise: "no time-stamps; the time of a seal is the clock of this installation",
  },
  TSA_CA_FILE: { about: "Certificates to trust for time-stamps, in PEM format", otherwise: "those included in Node" },
  UPLOAD_TRUST_FILE: { about: "Certificates under which a signature in an upload names its signer, in PEM format", otherwise: "none" },
  SEAL_LEVEL: {
    about:
      "The highest level of seals with TSA_URL: b-b, b-t, b-lt, or auto for B-LTA; if something for a level is missing, the next lower one is used",
    otherwise: "auto",
  },
  LOG_ORIGIN: {
    about: "The public name of the log, by which witnesses know it; it can never be changed",
    otherwise: "the host of PUBLIC_URL, /log/ and 16 digits of the log's ID",
  },
  LOG_PUBLIC: { about: "false: the log's checkpoints and hashes are not served at /log/", otherwise: "true" },
  WITNESSES: {
    about: "Witnesses that cosign the log: for each its key and its address, separated by a space; several separated by commas or lines",
    otherwise: "none",
  },
  WITNESS_QUORUM: { about: "Number of witnesses whose cosignatures prove the time of a record", otherwise: "1" },
  PDF_WORKERS: { about: "Threads for PDF work; at most two per GiB of memory", otherwise: "the number of cores, at most 4" },
  PDF_DEADLINE_MS: { about: "Time limit for work on one PDF, in milliseconds", otherwise: "30000" },
  PASSWORD_WORKERS: { about: "Threads that hash passwords and identity answers", otherwise: "1 with up to 2 cores, else 2" },
  BREACHED_PASSWORDS_FILE: {
    about:
      "A file of breached passwords that new ones must not be in: SHA-1 hashes in ascending order, one per line, as Pwned Passwords has them ordered by hash. It is searched on disk",
    otherwise: "none",
  },
  PASSKEY_RP_ID: {
    about:
      "The domain that passkeys belong to: the host of PUBLIC_URL or a domain above it. Passkeys of another domain stop working while it is set",
    otherwise: "the host of PUBLIC_URL",
  },
  REMIND_MIN_INTERVAL: { about: "Minimum number of seconds between two reminders to a signer", otherwise: "60" },
  FORM_STARTS_PER_IP_HOUR: { about: "How often one address can start public forms in an hour", otherwise: "10" },
  FORM_MAILS_PER_ADDRESS_DAY: {
    about: "Messages of public forms that one e-mail address gets in 24 hours, from all organizations together",
    otherwise: "3",
  },
  BULK_ROWS_PER_MINUTE: { about: "Envelopes that a bulk send of one organization sends in a minute", otherwise: "600" },
  BULK_RETENTION_DAYS: { about: "Days for which the rows of a bulk send are kept after its last change", otherwise: "30" },
  AUDIT_SYSLOG_URL: {
    about: "Where the audit entries of all organizations are sent to, by syslog over TLS, such as syslog+tls://logs.example.com:6514",
    otherwise: "nowhere",
  },
  AUDIT_SYSLOG_CA_FILE: { about: "Certificates to trust for syslog receivers, in PEM format", otherwise: "those included in Node" },
  SIGN_IN_EVENT_DAYS: { about: "Days for which failed log-ins and refused requests are kept", otherwise: "400" },
  PAGE_CACHE_MB: {
    about:
      "Megabytes of DATA_DIR in which pictures of pages are cached; those used longest ago are removed. Of each machine, not of each process",
    otherwise: "1024",
  },
  SWEEP_HOURS: { about: "Hours within which every vaulted document is read and verified again", otherwise: "24" },
  SWEEP_MBPS: { about: "Megabytes that the sweep of the vault reads in a second, in each worker", otherwise: "20" },
  DEFAULT_RATE_LIMIT_RPM: { about: "Requests per minute for keys without their own limit", otherwise: "100" },
  TRUST_PROXY_HOPS: { about: "Number of proxies in front of the service to trust for the caller's address", otherwise: "0" },
  MAX_CONNECTIONS_PER_ADDRESS: {
    about: "Maximum number of open connections per address; 0 means unlimited. Ignored if TRUST_PROXY_HOPS is above 0",
    otherwise: "256",
  },
  SMTP_URL: {
    about: "Mail server, as smtp://user:password@host:587 (with STARTTLS) or smtps://user:password@host:465",
    otherwise: "messages stay in the outbox, where admins can read them",
    secret: true,
  },
  MAIL_FROM: { about: "Sender address of e-mails", otherwise: "countersign@ followed by the host of PUBLIC_URL" },
  DNS_SERVERS: {
    about:
      "Name servers for webhook endpoints, identity providers, and the records of domains and e-mail senders, such as 10.0.0.2,10.0.0.3:5353",
    otherwise: "those of the system",
  },
  MAIL_ATTACHMENT_MB: {
    about: "Largest signed document, in megabytes, that is attached to an e-mail; larger ones have only a link. 0: none",
    otherwise: "10",
  },
  MAIL_EVENTS_TOKEN: {
    about: "Token with which a mail provider reports deliveries and bounces to /mail-events; at least 32 characters",
    otherwise: "none; /mail-events is 404",
    secret: true,
  },
  WEBHOOK_RETRY_SCHEDULE: {
    about: "Seconds before the second, third, … attempt of a delivery, separated by commas",
    otherwise: "5,300,1800,7200,18000,36000,50400,72000,86400",
  },
  WEBHOOK_RETENTION_DAYS: {
    about: "Days for which deliveries and the receivers' responses are kept at least; they are removed by weeks",
    otherwise: "30",
  },
  EVENT_RETENTION_DAYS: { about: "Days for which events are kept at least; they are removed by months", otherwise: "400" },
  SANDBOX_RETENTION_DAYS: {
    about: "Days after which envelopes of sandboxes are removed with everything about them, whatever retention or holds say",
    otherwise: "90",
  },
  READY_WHEN_HELD: { about: "true: a held installation is ready, so that visitors can come before it is released", otherwise: "false" },
  MAIL_RETENTION_DAYS: { about: "Days for which sent messages are listed that are not about an envelope or an act", otherwise: "400" },
  WEBHOOK_ALLOW_HTTP: { about: "true: endpoints can use http as well as https", otherwise: "false" },
  WEBHOOK_ALLOWED_PRIVATE_CIDRS: {
    about: "Private networks that webhooks can be sent to, such as 10.1.0.0/16, separated by commas",
    otherwise: "none",
  },
  OPERATOR_EMAIL: {
    about: "Addresses, separated by commas, that get an e-mail when a job has failed several times; needs SMTP_URL",
    otherwise: "no one",
  },
  PROBLEM_AFTER_FAILURES: {
    about: "How often a job fails before it is shown as a problem; it is retried for days",
    otherwise: "6",
  },
  METRICS_PORT: {
    about: "Port for /metrics, /healthz and /readyz of each process, worker or serve; 0: none",
    otherwise: "9464; 0 in local mode",
  },
  METRICS_HOST: { about: "Address to listen on for them", otherwise: "127.0.0.1" },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    about: "Address of an OpenTelemetry collector that takes traces by OTLP over HTTP, such as http://127.0.0.1:4318",
    otherwise: "no traces",
  },
  OTEL_TRACES_SAMPLER_ARG: { about: "The part of requests that is traced, from 0 to 1", otherwise: "0.1" },
  SSO_ALLOWED_PRIVATE_CIDRS: {
    about: "Private networks in which identity providers can be, such as 10.1.0.0/16, separated by commas",
    otherwise: "none",
  },
  LOG_LEVEL: { about: "fatal, error, warn, info, debug or silent", otherwise: "info" },
  SETUP_ORG: { about: "Name of the first organization, created on first start", otherwise: "chosen with the set-up link" },
  SETUP_EMAIL: { about: "E-mail address of its first admin", otherwise: "chosen with the set-up link" },
  SETUP_NAME: { about: "Name of its first admin", otherwise: "the e-mail address" },
  SETUP_PASSWORD: { about: "Password of its first admin", otherwise: "chosen with the set-up link", secret: true },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

/** The values of SEAL_LEVEL, which `seals/long-term.ts` explains. */
const SEAL_LEVELS = ["auto", "b-b", "b-t", "b-lt"] as const;
export type Environment = Readonly<Record<string, string | undefined>>;

type KmsSetting =
  | { readonly kind: "local" }
  | { readonly kind: "file"; readonly secret: string }
  | {
      readonly kind: "aws";
      readonly arn: string;
      readonly region: string;
      readonly endpoint: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
    };

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string;
  readonly embedUrl: string;
  readonly localMode: boolean;
  /** what passkeys belong to; null: the host of `publicUrl` */
  readonly passkeyDomain: string | null;
  readonly remindMinSeconds: number;
  readonly forms: { readonly startsPerIpHour: number; readonly mailsPerAddressDay: number };
  readonly signInEventDays: number;
  readonly mailRetentionDays: number;
  /** see docs/operations.md, "Held" */
  readonly readyWhenHeld: boolean;
  readonly syslog: { readonly operatorSyslog: string | null; readonly syslogCa: string | null };
  readonly bulk: { readonly rowsPerMinute: number; readonly retentionDays: number };
  readonly sweepHours: number;
  readonly sweepMbps: number;
  readonly pageCacheBytes: number;
  readonly dataDir: string;
  /** the owner's login; if all three are null, the embedded database is used */
  readonly databaseUrl: string | null;
  readonly databaseAppUrl: string | null;
  readonly databaseQueueUrl: string | null;
  /** null: no restored copy is configured */
  readonly repairDatabaseUrl: string | null;
  readonly databasePoolSize: number;
  readonly databasePooling: "session" | "transaction";
  readonly databasePreparedStatements: boolean;
  /** the first is used for new values */
  readonly appSecrets: AppSecrets;
  /** whether the secret is the file in dataDir that the first start creates */
  readonly ownSecretFile: boolean;
  /** the first wraps new keys of organizations */
  readonly kms: readonly [KmsSetting, ...KmsSetting[]];
  readonly encryptBlobs: boolean;
  /** null: the folder `blobs` in dataDir */
  readonly s3: {
    readonly endpoint: string;
    readonly bucket: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  } | null;
  readonly signingProvider: string;
  /** PEM; null if no signature in an upload is trusted to name its signer */
  readonly uploadTrust: string | null;
  readonly seals: {
    /** null: each organization has its own */
    readonly p12: { readonly bytes: Uint8Array; readonly password: string } | null;
    /** null: keys are kept in the database */
    readonly signer: { readonly url: string; readonly token: string | null; readonly ca: string | null } | null;
    /** null: no time stamps */
    readonly tsaUrl: string | null;
    /** PEM; null: Node's roots */
    readonly tsaRoots: string | null;
    readonly highestLevel: (typeof SEAL_LEVELS)[number];
  };
  readonly log: {
    /** null: the default name */
    readonly origin: string | null;
    readonly isPublic: boolean;
    readonly witnesses: readonly { readonly vkey: string; readonly url: string }[];
    readonly quorum: number;
  };
  readonly pdf: { readonly workers: number; readonly deadline_ms: number };
  readonly passwordWorkers: number;
  readonly breachedPasswordsFile: string | null;
  readonly defaultRateLimitRpm: number;
  readonly trustProxyHops: number;
  /** 0: unlimited */
  readonly maxConnectionsPerAddress: number;
  /** null: no mail is sent */
  readonly smtp: {
    readonly host: string;
    readonly port: number;
    readonly secure: boolean;
    readonly auth: { readonly user: string; readonly pass: string } | null;
  } | null;
  readonly mailFrom: string;
  readonly maxAttachedBytes: number;
  /** undefined: those of the system */
  readonly dnsServers: readonly string[] | undefined;
  readonly sso: { readonly allowedNetworks: readonly string[] };
  /** null: no reports are accepted */
  readonly mailEventsToken: string | null;
  readonly webhooks: {
    /** null: the schedule of outbound/retry-schedule.ts */
    readonly retrySchedule: readonly number[] | null;
    readonly retentionDays: number;
    readonly allowHttp: boolean;
    readonly allowedNetworks: readonly string[];
  };
  readonly problemAfterFailures: number;
  readonly eventRetentionDays: number;
  readonly sandboxRetentionDays: number;
  /** who is told of problems by e-mail */
  readonly operators: readonly string[];
  /** of probes and metrics; port 0: none */
  readonly metrics: { readonly port: number; readonly host: string };
  /** null: off */
  readonly traces: { readonly endpoint: string; readonly ratio: number } | null;
  readonly logLevel: string;
  /** the first organization, if the environment contains all its settings */
  readonly setup: { readonly org_name: string; readonly email: string; readonly name: string; readonly password: string } | null;
}

/** A setting is wrong. The message says which one and what to do, never its value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export function readConfig(env: Environment): Config {
  const value = (name: SettingName) => readSetting(env, name);
  const port = integer("PORT", value("PORT") ?? "3000", 0, 65_535);
  const publicUrl = origin("PUBLIC_URL", value("PUBLIC_URL") ?? `http://localhost:${port}`);
  const localMode = isLoopback(new URL(publicUrl).hostname);
  const dataDir = resolve(value("DATA_DIR") ?? "./data");
  return {
    port,
    publicUrl,
    embedUrl: origin("EMBED_URL", value("EMBED_URL") ?? publicUrl),
    localMode,
    passkeyDomain: passkeyDomain(value("PASSKEY_RP_ID"), publicUrl),
    remindMinSeconds: integer("REMIND_MIN_INTERVAL", value("REMIND_MIN_INTERVAL") ?? "60", 0, DAY_SECONDS),
    forms: {
      startsPerIpHour: integer("FORM_STARTS_PER_IP_HOUR", value("FORM_STARTS_PER_IP_HOUR") ?? "10", 1, 100_000),
      mailsPerAddressDay: integer("FORM_MAILS_PER_ADDRESS_DAY", value("FORM_MAILS_PER_ADDRESS_DAY") ?? "3", 1, 1_000),
    },
    bulk: {
      rowsPerMinute: integer("BULK_ROWS_PER_MINUTE", value("BULK_ROWS_PER_MINUTE") ?? "600", 1, 1_000_000),
      retentionDays: integer("BULK_RETENTION_DAYS", value("BULK_RETENTION_DAYS") ?? "30", 1, 3650),
    },
    syslog: {
      operatorSyslog: syslogUrl(value("AUDIT_SYSLOG_URL")),
      syslogCa: fileOf("AUDIT_SYSLOG_CA_FILE", value)?.toString("utf8") ?? null,
    },
    readyWhenHeld: oneOf("READY_WHEN_HELD", value("READY_WHEN_HELD") ?? "false", ["true", "false"]) === "true",
    mailRetentionDays: integer("MAIL_RETENTION_DAYS", value("MAIL_RETENTION_DAYS") ?? "400", 1, 3650),
    signInEventDays: integer("SIGN_IN_EVENT_DAYS", value("SIGN_IN_EVENT_DAYS") ?? "400", 1, 3650),
    pageCacheBytes: integer("PAGE_CACHE_MB", value("PAGE_CACHE_MB") ?? "1024", 0, 1_000_000) * 1_000_000,
    sweepHours: integer("SWEEP_HOURS", value("SWEEP_HOURS") ?? "24", 1, 720),
    sweepMbps: integer("SWEEP_MBPS", value("SWEEP_MBPS") ?? "20", 1, 10_000),
    dataDir,
    host: value("HOST") ?? (localMode ? "127.0.0.1" : "0.0.0.0"),
    databaseUrl: databaseUrl("DATABASE_URL", value),
    databaseAppUrl: databaseUrl("DATABASE_APP_URL", value),
    databaseQueueUrl: databaseUrl("DATABASE_QUEUE_URL", value),
    repairDatabaseUrl: databaseUrl("REPAIR_DATABASE_URL", value),
    databasePooling: oneOf("DATABASE_POOLING", value("DATABASE_POOLING") ?? "session", ["session", "transaction"]),
    databasePreparedStatements:
      oneOf(
        "DATABASE_PREPARED_STATEMENTS",
        value("DATABASE_PREPARED_STATEMENTS") ?? (value("DATABASE_POOLING") === "transaction" ? "off" : "on"),
        ["on", "off"],
      ) === "on",
    databasePoolSize: integer("DATABASE_POOL_SIZE", value("DATABASE_POOL_SIZE") ?? "10", 2, 1000),
    appSecrets: appSecrets(
      value("APP_SECRET"),
      value("APP_SECRETS"),
      dataDir,
      localMode,
      value("DATABASE_URL") !== undefined || value("DATABASE_APP_URL") !== undefined,
    ),
    ownSecretFile: value("APP_SECRET") === undefined && value("APP_SECRETS") === undefined,
    kms: kms(value),
    encryptBlobs: oneOf("ENCRYPT_BLOBS", value("ENCRYPT_BLOBS") ?? "true", ["true", "false"]) === "true",
    s3: s3(value),
    signingProvider: oneOf("SIGNING_PROVIDER", value("SIGNING_PROVIDER") ?? "builtin", ["builtin", "none"]),
    uploadTrust: fileOf("UPLOAD_TRUST_FILE", value)?.toString("utf8") ?? null,
    seals: {
      p12: p12(value),
      signer: signer(value),
      tsaUrl: tsaUrl(value("TSA_URL")),
      tsaRoots: fileOf("TSA_CA_FILE", value)?.toString("utf8") ?? null,
      highestLevel: oneOf("SEAL_LEVEL", value("SEAL_LEVEL") ?? "auto", SEAL_LEVELS),
    },
    log: {
      origin: value("LOG_ORIGIN") ?? null,
      isPublic: oneOf("LOG_PUBLIC", value("LOG_PUBLIC") ?? "true", ["true", "false"]) === "true",
      witnesses: witnesses(value("WITNESSES")),
      quorum: integer("WITNESS_QUORUM", value("WITNESS_QUORUM") ?? "1", 1, 100),
    },
    pdf: {
      workers: integer("PDF_WORKERS", value("PDF_WORKERS") ?? String(Math.min(availableParallelism(), 4)), 1, 64),
      deadline_ms: integer("PDF_DEADLINE_MS", value("PDF_DEADLINE_MS") ?? "30000", 1_000, 600_000),
    },
    passwordWorkers: integer("PASSWORD_WORKERS", value("PASSWORD_WORKERS") ?? (availableParallelism() > 2 ? "2" : "1"), 1, 16),
    breachedPasswordsFile: value("BREACHED_PASSWORDS_FILE") ?? null,
    defaultRateLimitRpm: integer("DEFAULT_RATE_LIMIT_RPM", value("DEFAULT_RATE_LIMIT_RPM") ?? "100", 1, 100_000),
    trustProxyHops: integer("TRUST_PROXY_HOPS", value("TRUST_PROXY_HOPS") ?? "0", 0, 10),
    maxConnectionsPerAddress: integer("MAX_CONNECTIONS_PER_ADDRESS", value("MAX_CONNECTIONS_PER_ADDRESS") ?? "256", 0, 1_000_000),
    smtp: smtp(value("SMTP_URL")),
    mailFrom: mailFrom(value("MAIL_FROM"), publicUrl),
    maxAttachedBytes: integer("MAIL_ATTACHMENT_MB", value("MAIL_ATTACHMENT_MB") ?? "10", 0, 50) * 1_000_000,
    dnsServers: dnsServers(value("DNS_SERVERS")),
    sso: { allowedNetworks: networks("SSO_ALLOWED_PRIVATE_CIDRS", value) },
    mailEventsToken: mailEventsToken(value("MAIL_EVENTS_TOKEN")),
    webhooks: {
      retrySchedule: retrySchedule(value("WEBHOOK_RETRY_SCHEDULE")),
      retentionDays: integer("WEBHOOK_RETENTION_DAYS", value("WEBHOOK_RETENTION_DAYS") ?? "30", 1, 3650),
      allowHttp: oneOf("WEBHOOK_ALLOW_HTTP", value("WEBHOOK_ALLOW_HTTP") ?? "false", ["true", "false"]) === "true",
      allowedNetworks: networks("WEBHOOK_ALLOWED_PRIVATE_CIDRS", value),
    },
    eventRetentionDays: integer("EVENT_RETENTION_DAYS", value("EVENT_RETENTION_DAYS") ?? "400", 1, 3650),
    sandboxRetentionDays: integer("SANDBOX_RETENTION_DAYS", value("SANDBOX_RETENTION_DAYS") ?? "90", 1, 3650),
    operators: operators(value("OPERATOR_EMAIL"), value("SMTP_URL")),
    problemAfterFailures: integer("PROBLEM_AFTER_FAILURES", value("PROBLEM_AFTER_FAILURES") ?? "6", 1, 25),
    metrics: {
      port: integer("METRICS_PORT", value("METRICS_PORT") ?? (localMode ? "0" : "9464"), 0, 65_535),
      host: value("METRICS_HOST") ?? "127.0.0.1",
    },
    traces: traces(value),
    logLevel: oneOf("LOG_LEVEL", value("LOG_LEVEL") ?? "info", ["fatal", "error", "warn", "info", "debug", "silent"]),
    setup: setup(value("SETUP_ORG"), value("SETUP_EMAIL"), value("SETUP_NAME"), value("SETUP_PASSWORD")),
  };
}

/** The source of each setting, for `countersign config`. */
export function settingSources(env: Environment): { name: SettingName; source: string; about: string }[] {
  return (Object.keys(settings) as SettingName[]).map((name) => {
    const setting: Setting = settings[name];
    const file = setting.secret ? env[`${name}_FILE`] : undefined;
    const source = isSet(env[name]) ? "environment" : isSet(file) ? `${name}_FILE` : `default (${setting.otherwise})`;
    return { name, source, about: setting.about };
  });
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}

function readSetting(env: Environment, name: SettingName): string | undefined {
  const direct = env[name];
  if (isSet(direct)) return direct;
  const setting: Setting = settings[name];
  const file = setting.secret ? env[`${name}_FILE`] : undefined;
  if (!isSet(file)) return undefined;
  try {
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw new ConfigError(`${name}_FILE names a file that cannot be read`, { cause });
  }
}

function integer(name: SettingName, text: string, min: number, max: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < min || number > max) throw new ConfigError(`${name} must be a whole number from ${min} to ${max}`);
  return number;
}

function oneOf<T extends string>(name: SettingName, text: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === text);
  if (found === undefined) throw new ConfigError(`${name} must be one of: ${allowed.join(", ")}`);
  return found;
}

function origin(name: SettingName, text: string): string {
  const bad = new ConfigError(`${name} must be an address without a path, such as https://sign.example.com`);
  if (!URL.canParse(text)) throw bad;
  const url = new URL(text);
  if (
    (url.protocol !== "https:" && url.protocol !== "http:") ||
    url.pathname !== "/" ||
    url.search !== "" ||
    url.hash !== "" ||
    url.username !== ""
  )
    throw bad;
  return url.origin;
}

function databaseUrl(name: SettingName, value: (name: SettingName) => string | undefined): string | null {
  const text = value(name);
  if (text === undefined) return null;
  if (!/^postgres(ql)?:\/\//.test(text)) throw new ConfigError(`${name} must start with postgres://`);
  // For a socket, `host` stands in the query. `URL` reads a user only if something follows the @; `host` in the query wins over it.
  const url = text.replace(/^([^/]+\/\/[^/?#]*@)(?=\/)/, "$1localhost");
  if (!URL.canParse(url))
    throw new ConfigError(`${name} must be an address such as postgres://user:password@host:5432/database; write @ in a password as %40`);
  return url;
}

/**
 * What leaves this machine without TLS, for warnings at a start. `pgSslMode`: the environment variable PGSSLMODE, which applies to addresses
 * that say nothing.
 */
export function plainConnections(
  { databaseAppUrl, databaseQueueUrl, s3 }: Pick<Config, "databaseAppUrl" | "databaseQueueUrl" | "s3">,
  pgSslMode?: string,
): string[] {
  const databases = { DATABASE_APP_URL: databaseAppUrl, DATABASE_QUEUE_URL: databaseQueueUrl };
  const plain = Object.entries(databases).flatMap(([name, url]) =>
    url !== null && isPlainDatabase(url, pgSslMode)
      ? [`${name} leads to another machine without TLS: add sslmode=verify-full, unless the network between them is encrypted`]
      : [],
  );
  const store = s3 === null ? null : new URL(s3.endpoint);
  if (store === null || store.protocol === "https:" || isLoopback(store.hostname)) return plain;
  return [...plain, "S3_ENDPOINT leads to another machine without TLS: use https, unless the network between them is encrypted"];
}

function isPlainDatabase(text: string, pgSslMode: string | undefined): boolean {
  const { hostname, searchParams } = new URL(text);
  const host = searchParams.get("host") ?? hostname;
  // A folder is that of a socket.
  if (host === "" || host.startsWith("/") || host.startsWith("%2F") || isLoopback(host)) return false;
  const given = searchParams.get("ssl");
  const mode = searchParams.get("sslmode") ?? (given === null ? (pgSslMode ?? "disable") : given);
  return ["disable", "0", "false"].includes(mode);
}

function kms(value: (name: SettingName) => string | undefined): Config["kms"] {
  const [first = "local", ...others] = (value("KMS") ?? "local").split(",").map((part) => part.trim());
  return [keyService(first, value), ...others.map((other) => keyService(other, value))];
}

function keyService(text: string, value: (name: SettingName) => string | undefined): KmsSetting {
  if (text === "local") return { kind: "local" };
  if (text.startsWith("file:")) return { kind: "file", secret: kmsSecret(text.slice("file:".length)) };
  const [, arn, region] = /^aws:(arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:(?:key|alias)\/[\w/-]+)$/.exec(text) ?? [];
  if (arn === undefined || region === undefined)
    throw new ConfigError("KMS must be local, file:<path> or aws:<ARN of a key>, or several of them separated by commas");
  const [accessKeyId, secretAccessKey] = [value("KMS_ACCESS_KEY_ID"), value("KMS_SECRET_ACCESS_KEY")];
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new ConfigError("KMS_ACCESS_KEY_ID and KMS_SECRET_ACCESS_KEY must be set if KMS names a key of AWS");
  const endpoint = origin("KMS_ENDPOINT", value("KMS_ENDPOINT") ?? `https://kms.${region}.amazonaws.com`);
  if (!endpoint.startsWith("https:") && !isLoopback(new URL(endpoint).hostname))
    throw new ConfigError("KMS_ENDPOINT must begin with https, because keys travel to it");
  return { kind: "aws", arn, region, endpoint, accessKeyId, secretAccessKey };
}

function kmsSecret(path: string): string {
  let secret: string;
  try {
    secret = readFileSync(path, "utf8").trim();
  } catch (cause) {
    throw new ConfigError("KMS names a file that cannot be read", { cause });
  }
  if (secret.length < MIN_SECRET_CHARACTERS)
    throw new ConfigError(
      `The file that KMS names must contain at least ${MIN_SECRET_CHARACTERS} characters. Create one with: openssl rand -hex 32`,
    );
  return secret;
}

function s3(value: (name: SettingName) => string | undefined): Config["s3"] {
  const [endpoint, bucket, region] = [value("S3_ENDPOINT"), value("S3_BUCKET"), value("S3_REGION")];
  const [accessKeyId, secretAccessKey] = [value("S3_ACCESS_KEY_ID"), value("S3_SECRET_ACCESS_KEY")];
  if ([endpoint, bucket, region, accessKeyId, secretAccessKey].every((one) => one === undefined)) return null;
  if (!endpoint || !bucket || !region || !accessKeyId || !secretAccessKey)
    throw new ConfigError(
      "S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together. Set all five or none",
    );
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new ConfigError("S3_BUCKET must be only the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens");
  if (!/^[a-z0-9-]+$/.test(region)) throw new ConfigError("S3_REGION must be the name of a region, such as eu-central-1");
  return { endpoint: origin("S3_ENDPOINT", endpoint), bucket, region, accessKeyId, secretAccessKey };
}

function fileOf(name: SettingName, value: (name: SettingName) => string | undefined): Buffer | null {
  const path = value(name);
  if (path === undefined) return null;
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new ConfigError(`${name} names a file that cannot be read`, { cause });
  }
}

function p12(value: (name: SettingName) => string | undefined): Config["seals"]["p12"] {
  const bytes = fileOf("SEAL_P12_FILE", value);
  const password = value("SEAL_P12_PASSWORD");
  if (bytes === null && password !== undefined)
    throw new ConfigError("SEAL_P12_PASSWORD is set, but SEAL_P12_FILE is not. Set both or neither");
  return bytes === null ? null : { bytes, password: password ?? "" };
}

function signer(value: (name: SettingName) => string | undefined): Config["seals"]["signer"] {
  const [text, token, ca] = [value("SIGNER_URL"), value("SIGNER_TOKEN") ?? null, fileOf("SIGNER_CA_FILE", value)?.toString("utf8") ?? null];
  if (text === undefined) {
    if (token !== null || ca !== null) throw new ConfigError("SIGNER_TOKEN or SIGNER_CA_FILE is set, but SIGNER_URL is not");
    return null;
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url === null || !isSafe || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new ConfigError(
      "SIGNER_URL must be an https address such as https://signer.example.com, or http on this machine, without user and password",
    );
  return { url: url.href, token, ca };
}

function tsaUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "" || url.hash !== "")
    throw new ConfigError("TSA_URL must be an address such as https://tsa.example.com/stamp, without user and password");
  return url.href;
}

function syslogUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url?.protocol !== "syslog+tls:" ||
    url.hostname === "" ||
    url.username !== "" ||
    !["", "/"].includes(url.pathname) ||
    url.search !== ""
  )
    throw new ConfigError("AUDIT_SYSLOG_URL must look like syslog+tls://logs.example.com:6514");
  return text;
}

function traces(value: (name: SettingName) => string | undefined): Config["traces"] {
  const [text, ratio] = [value("OTEL_EXPORTER_OTLP_ENDPOINT"), value("OTEL_TRACES_SAMPLER_ARG") ?? "0.1"];
  if (!/^(0|1|0?\.\d{1,9}|1\.0{1,9})$/.test(ratio))
    throw new ConfigError("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, such as 0.1");
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new ConfigError("OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://127.0.0.1:4318, without user and password");
  return { endpoint: url.href, ratio: Number(ratio) };
}

function smtp(text: string | undefined): Config["smtp"] {
  if (text === undefined) return null;
  const bad = new ConfigError(
    "SMTP_URL must look like smtp://user:password@mail.example.com:587 or smtps://…, with special characters in user and password as %XX",
  );
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) throw bad;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (hostname === "" || (pathname !== "" && pathname !== "/") || search !== "" || hash !== "") throw bad;
  if ((username === "") !== (password === "")) throw new ConfigError("SMTP_URL must contain both user and password, or neither");
  const secure = protocol === "smtps:";
  const auth = username === "" ? null : { user: unescaped(username, bad), pass: unescaped(password, bad) };
  return { host: hostname, port: port === "" ? (secure ? 465 : 587) : Number(port), secure, auth };
}

function unescaped(text: string, bad: ConfigError): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    throw bad;
  }
}

function dnsServers(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const servers = text.split(",").map((one) => one.trim());
  // With a port, an IPv6 address is in brackets.
  const addressOf = (server: string) =>
    /^\[(.+)\](?::\d{1,5})?$/.exec(server)?.[1] ?? (isIP(server) === 6 ? server : server.replace(/:\d{1,5}$/, ""));
  if (!servers.every((server) => isIP(addressOf(server)) !== 0))
    throw new ConfigError("DNS_SERVERS must be addresses, each with an optional port, separated by commas");
  return servers;
}

/** A browser refuses a passkey of a domain that is not above its page, or in which anyone can register. */
function passkeyDomain(text: string | undefined, publicUrl: string): string | null {
  if (text === undefined) return null;
  const { hostname } = new URL(publicUrl);
  const domain = text.toLowerCase();
  const isAbove = isIP(hostname) === 0 && hostname.endsWith(`.${domain}`) && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain);
  if (domain !== hostname && !isAbove)
    throw new ConfigError(
      `PASSKEY_RP_ID must be the host of PUBLIC_URL (${hostname}) or a domain above it with at least two parts, such as example.com above sign.example.com`,
    );
  return domain;
}

const ADDRESS = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;"()\\]{1,189}$/;

function operators(text: string | undefined, smtpUrl: string | undefined): readonly string[] {
  if (text === undefined) return [];
  if (smtpUrl === undefined) throw new ConfigError("OPERATOR_EMAIL needs SMTP_URL, because without a mail server no message is sent");
  const addresses = [...new Set(text.split(",").map((part) => part.trim()))];
  if (!addresses.every((address) => ADDRESS.test(address)))
    throw new ConfigError("OPERATOR_EMAIL must be e-mail addresses separated by commas, such as ops@example.com");
  return addresses;
}

function mailFrom(text: string | undefined, publicUrl: string): string {
  const address = text ?? `countersign@${new URL(publicUrl).hostname}`;
  if (!ADDRESS.test(address)) throw new ConfigError("MAIL_FROM must be only an e-mail address, such as sign@example.com");
  return address;
}

/** It travels in a header, so it has no spaces and no other characters than ASCII. */
function mailEventsToken(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^[!-~]{32,256}$/.test(text))
    throw new ConfigError(
      "MAIL_EVENTS_TOKEN must have 32 to 256 characters: letters, digits and signs without spaces. Create one with: openssl rand -hex 32",
    );
  return text;
}

const MAX_RETRIES = 50;
const MAX_RETRY_SECONDS = 30 * DAY_SECONDS;

function retrySchedule(text: string | undefined): readonly number[] | null {
  if (text === undefined) return null;
  const parts = text.split(",").map((part) => part.trim());
  if (parts.length > MAX_RETRIES || parts.some((part) => !/^\d{1,7}$/.test(part) || Number(part) > MAX_RETRY_SECONDS))
    throw new ConfigError(`WEBHOOK_RETRY_SCHEDULE must be at most ${MAX_RETRIES} whole numbers of seconds, each at most 30 days`);
  return parts.map(Number);
}

function networks(name: SettingName, value: (name: SettingName) => string | undefined): string[] {
  const list = (value(name) ?? "").split(",").map((part) => part.trim());
  return list.filter(isSet).map((network) => {
    const [address = "", bits = ""] = network.split("/");
    const widest = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
    if (!/^\d{1,3}$/.test(bits) || Number(bits) > widest)
      throw new ConfigError(`${name} must be networks such as 10.1.0.0/16 or fd00:1::/32, separated by commas`);
    return network;
  });
}

/** Whether a key is one is checked where it is used. */
function witnesses(text: string | undefined): Config["log"]["witnesses"] {
  const lines = (text ?? "").split(/[\n,]/).map((line) => line.trim());
  return lines.filter(isSet).map((line) => {
    const [vkey = "", url = "", ...more] = line.split(/\s+/);
    const isAddress = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && new URL(url).search === "";
    if (!isAddress || more.length > 0)
      throw new ConfigError("WITNESSES must contain keys and addresses, such as: w.example/w1+da77ade7+BOvN… https://w.example");
    return { vkey, url };
  });
}

const MIN_SECRET_CHARACTERS = 32;
/** The value in .env.example: fine for local use, but not for a service that others can reach. */
export const SAMPLE_SECRET = "replace-this-with-64-random-hexadecimal-characters-before-going-public";

function appSecrets(
  single: string | undefined,
  several: string | undefined,
  dataDir: string,
  localMode: boolean,
  shared: boolean,
): AppSecrets {
  if (single !== undefined && several !== undefined)
    throw new ConfigError("APP_SECRET and APP_SECRETS are both set. Remove APP_SECRET and list it in APP_SECRETS as version 1");
  // Each machine would create its own secret and could not read what another has encrypted or signed.
  if (single === undefined && several === undefined && shared && !localMode) {
    throw new ConfigError(
      "APP_SECRET must be set if DATABASE_URL or DATABASE_APP_URL is set, because all processes on one database need the same secret",
    );
  }
  if (several !== undefined) {
    const secrets = parseSecrets(several);
    if (secrets === null)
      throw new ConfigError(
        "APP_SECRETS must be versions with their secrets, such as 2:<secret>,1:<secret>. Versions are numbers from 1 to 65535, each listed once",
      );
    for (const { secret } of secrets) refuseWeak("APP_SECRETS", secret, localMode);
    return secrets;
  }
  if (single === undefined) return ensureSecretFile(dataDir);
  refuseWeak("APP_SECRET", single, localMode);
  return [{ version: 1, secret: single }];
}

function refuseWeak(name: SettingName, secret: string, localMode: boolean): void {
  const what = name === "APP_SECRET" ? name : `Each secret in ${name}`;
  if (secret.length < MIN_SECRET_CHARACTERS)
    throw new ConfigError(`${what} must have at least ${MIN_SECRET_CHARACTERS} characters. Create one with: openssl rand -hex 32`);
  if (!localMode && (secret === SAMPLE_SECRET || new Set(secret).size < 8))
    throw new ConfigError(
      `${name === "APP_SECRET" ? name : `A secret in ${name}`} is a sample or too simple. Create one with: openssl rand -hex 32`,
    );
}

/** Created once. A process that loses the race to create it reads the winner's file. */
function ensureSecretFile(dataDir: string): AppSecrets {
  const file = secretFileIn(dataDir);
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    try {
      writeFileSync(file, `${randomBytes(32).toString("hex")}\n`, { flag: "wx", mode: 0o600, flush: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  const text = readFileSync(file, "utf8").trim();
  // Until it is rotated, the file holds a secret alone.
  const secrets = /^\d{1,5}:/.test(text) ? parseSecrets(text) : ([{ version: 1, secret: text }] as const);
  if (secrets === null || secrets.some(({ secret }) => secret.length < MIN_SECRET_CHARACTERS))
    throw new ConfigError("app.secret in DATA_DIR is damaged. Restore it from a backup; data encrypted with it cannot be read without it");
  return secrets;
}

export const secretFileIn = (dataDir: string): string => join(dataDir, "app.secret");

function setup(
  org_name: string | undefined,
  email: string | undefined,
  name: string | undefined,
  password: string | undefined,
): Config["setup"] {
  if (org_name === undefined && email === undefined && password === undefined) return null;
  if (org_name === undefined || email === undefined || password === undefined)
    throw new ConfigError("SETUP_ORG, SETUP_EMAIL and SETUP_PASSWORD belong together. Set all three or none");
  return { org_name, email, name: name ?? email, password };
}
