import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isIPv4, isIPv6 } from "node:net";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { DAY_SECONDS } from "./shared/durations.ts";
import { isLoopback } from "./shared/loopback.ts";

/** The one schema of settings. Environment only; `X_FILE` names a file that holds a secret's value. */

interface Setting {
  readonly about: string;
  /** what holds when it is not set, as text for people */
  readonly otherwise: string;
  readonly secret?: boolean;
}

export const settings = {
  PORT: { about: "Port of the HTTP server", otherwise: "3000" },
  HOST: { about: "Address to listen on", otherwise: "127.0.0.1 in local mode, else 0.0.0.0" },
  PUBLIC_URL: { about: "The address that people use; a loopback address means local mode", otherwise: "http://localhost:PORT" },
  EMBED_URL: {
    about: "The address of the signing and vault pages; a host of their own keeps them away from the console",
    otherwise: "PUBLIC_URL",
  },
  DATA_DIR: { about: "Folder for the embedded database and what the service keeps on disk", otherwise: "./data" },
  DATABASE_URL: {
    about: "An external PostgreSQL (15 or newer), as the owner of its tables; for migrate and database, not for serve and worker",
    otherwise: "the embedded one in DATA_DIR",
    secret: true,
  },
  DATABASE_APP_URL: {
    about: "The same database, as the login that serves and owns nothing; countersign database logins makes it",
    otherwise: "made with the embedded database",
    secret: true,
  },
  DATABASE_QUEUE_URL: {
    about: "The same database, as the login of the job queue, for worker and start",
    otherwise: "made with the embedded database",
    secret: true,
  },
  REPAIR_DATABASE_URL: {
    about: "For countersign vault repair-rows alone: a restored copy of the database, as its owner",
    otherwise: "no copy: nothing can be repaired",
    secret: true,
  },
  DATABASE_POOL_SIZE: { about: "Connections of one process", otherwise: "10" },
  APP_SECRET: {
    about: "At least 32 characters; keys for tokens and encryption come from it",
    otherwise: "made in DATA_DIR on first start",
    secret: true,
  },
  S3_ENDPOINT: {
    about: "Address of an S3-compatible store for documents; the five S3 settings belong together",
    otherwise: "the folder DATA_DIR/blobs",
  },
  S3_BUCKET: { about: "Its bucket, which must be there", otherwise: "none" },
  S3_REGION: { about: "Its region, such as eu-central-1; many stores take us-east-1", otherwise: "none" },
  S3_ACCESS_KEY_ID: {
    about: "Access key of a login that may list the bucket and read, write and delete in it",
    otherwise: "none",
    secret: true,
  },
  S3_SECRET_ACCESS_KEY: { about: "Secret key of that login", otherwise: "none", secret: true },
  SIGNING_PROVIDER: { about: "Who runs the signing ceremony: builtin, or none", otherwise: "builtin" },
  SEAL_P12_FILE: {
    about: "A bought certificate to seal documents with, its key and its chain, as a PKCS #12 file",
    otherwise: "a certificate of each organization's own, under the installation's root",
  },
  SEAL_P12_PASSWORD: { about: "Password of that file", otherwise: "none", secret: true },
  TSA_URL: {
    about: "Address of a time-stamp authority (RFC 3161) that is asked about every seal",
    otherwise: "no time-stamps: the time of a seal is that of this installation",
  },
  TSA_CA_FILE: { about: "Certificates to trust for time-stamps, in PEM form", otherwise: "those that Node brings along" },
  PDF_WORKERS: { about: "Threads for PDF work; two for each GiB of memory", otherwise: "the number of cores, at most 4" },
  PDF_DEADLINE_MS: { about: "The longest that work on one PDF may take, in milliseconds", otherwise: "30000" },
  PASSWORD_WORKERS: { about: "Threads that hash passwords and identity answers", otherwise: "1 with up to 2 cores, else 2" },
  REMIND_MIN_INTERVAL: { about: "Seconds that must pass until a signer can be reminded again", otherwise: "60" },
  SWEEP_HOURS: { about: "Hours within which every vaulted document is read and verified anew", otherwise: "24" },
  DEFAULT_RATE_LIMIT_RPM: { about: "Requests per minute of a key that names no limit", otherwise: "100" },
  TRUST_PROXY_HOPS: { about: "How many proxies in front to believe about the caller's address", otherwise: "0" },
  MAX_CONNECTIONS_PER_ADDRESS: {
    about: "Connections that one address may have open at once; 0 for any number. Not held to while TRUST_PROXY_HOPS is above 0",
    otherwise: "256",
  },
  SMTP_URL: {
    about: "Mail server, as smtp://user:password@host:587 (with STARTTLS) or smtps://user:password@host:465",
    otherwise: "messages wait in the outbox, for admins",
    secret: true,
  },
  MAIL_FROM: { about: "The address that mail comes from", otherwise: "countersign@ and the host of PUBLIC_URL" },
  WEBHOOK_RETRY_SCHEDULE: {
    about: "Seconds before the second attempt of a delivery, the third, …, with commas between",
    otherwise: "5,300,1800,7200,18000,36000,50400,72000,86400",
  },
  WEBHOOK_RETENTION_DAYS: { about: "How long deliveries and what receivers answered are kept", otherwise: "30" },
  WEBHOOK_ALLOW_HTTP: { about: "true: endpoints may be http, not only https", otherwise: "false" },
  WEBHOOK_ALLOWED_PRIVATE_CIDRS: {
    about: "Private networks that webhooks may go to on purpose, such as 10.1.0.0/16, with commas between",
    otherwise: "none",
  },
  LOG_LEVEL: { about: "fatal, error, warn, info, debug or silent", otherwise: "info" },
  SETUP_ORG: { about: "Name of the first organization, made on first start", otherwise: "by the set-up link" },
  SETUP_EMAIL: { about: "E-mail address of its first admin", otherwise: "by the set-up link" },
  SETUP_NAME: { about: "Name of its first admin", otherwise: "the e-mail address" },
  SETUP_PASSWORD: { about: "Password of its first admin", otherwise: "by the set-up link", secret: true },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string;
  readonly embedUrl: string;
  readonly localMode: boolean;
  readonly remindMinSeconds: number;
  readonly sweepHours: number;
  readonly dataDir: string;
  /** the owner's; all three null: the embedded database */
  readonly databaseUrl: string | null;
  readonly databaseAppUrl: string | null;
  readonly databaseQueueUrl: string | null;
  /** null: no copy was restored */
  readonly repairDatabaseUrl: string | null;
  readonly databasePoolSize: number;
  readonly appSecret: string;
  /** null: the folder `blobs` in dataDir */
  readonly s3: {
    readonly endpoint: string;
    readonly bucket: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  } | null;
  readonly signingProvider: string;
  readonly seals: {
    /** null: each org's own */
    readonly p12: { readonly bytes: Uint8Array; readonly password: string } | null;
    /** null: nobody is asked for the time */
    readonly tsaUrl: string | null;
    /** PEM; null: Node's roots */
    readonly tsaRoots: string | null;
  };
  readonly pdf: { readonly workers: number; readonly deadline_ms: number };
  readonly passwordWorkers: number;
  readonly defaultRateLimitRpm: number;
  readonly trustProxyHops: number;
  /** 0: any number */
  readonly maxConnectionsPerAddress: number;
  /** null: nobody sends */
  readonly smtp: {
    readonly host: string;
    readonly port: number;
    readonly secure: boolean;
    readonly auth: { readonly user: string; readonly pass: string } | null;
  } | null;
  readonly mailFrom: string;
  readonly webhooks: {
    /** null: the schedule of webhooks/retry-schedule.ts */
    readonly retrySchedule: readonly number[] | null;
    readonly retentionDays: number;
    readonly allowHttp: boolean;
    readonly allowedNetworks: readonly string[];
  };
  readonly logLevel: string;
  /** the first org, when all of it is in the environment */
  readonly setup: { readonly org_name: string; readonly email: string; readonly name: string; readonly password: string } | null;
}

/** A setting is wrong; the message says which and what to do, never its value. */
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
    remindMinSeconds: integer("REMIND_MIN_INTERVAL", value("REMIND_MIN_INTERVAL") ?? "60", 0, DAY_SECONDS),
    sweepHours: integer("SWEEP_HOURS", value("SWEEP_HOURS") ?? "24", 1, 720),
    dataDir,
    host: value("HOST") ?? (localMode ? "127.0.0.1" : "0.0.0.0"),
    databaseUrl: databaseUrl("DATABASE_URL", value),
    databaseAppUrl: databaseUrl("DATABASE_APP_URL", value),
    databaseQueueUrl: databaseUrl("DATABASE_QUEUE_URL", value),
    repairDatabaseUrl: databaseUrl("REPAIR_DATABASE_URL", value),
    databasePoolSize: integer("DATABASE_POOL_SIZE", value("DATABASE_POOL_SIZE") ?? "10", 2, 1000),
    appSecret: appSecret(
      value("APP_SECRET"),
      dataDir,
      localMode,
      value("DATABASE_URL") !== undefined || value("DATABASE_APP_URL") !== undefined,
    ),
    s3: s3(value),
    signingProvider: oneOf("SIGNING_PROVIDER", value("SIGNING_PROVIDER") ?? "builtin", ["builtin", "none"]),
    seals: { p12: p12(value), tsaUrl: tsaUrl(value("TSA_URL")), tsaRoots: fileOf("TSA_CA_FILE", value)?.toString("utf8") ?? null },
    pdf: {
      workers: integer("PDF_WORKERS", value("PDF_WORKERS") ?? String(Math.min(availableParallelism(), 4)), 1, 64),
      deadline_ms: integer("PDF_DEADLINE_MS", value("PDF_DEADLINE_MS") ?? "30000", 1_000, 600_000),
    },
    passwordWorkers: integer("PASSWORD_WORKERS", value("PASSWORD_WORKERS") ?? (availableParallelism() > 2 ? "2" : "1"), 1, 16),
    defaultRateLimitRpm: integer("DEFAULT_RATE_LIMIT_RPM", value("DEFAULT_RATE_LIMIT_RPM") ?? "100", 1, 100_000),
    trustProxyHops: integer("TRUST_PROXY_HOPS", value("TRUST_PROXY_HOPS") ?? "0", 0, 10),
    maxConnectionsPerAddress: integer("MAX_CONNECTIONS_PER_ADDRESS", value("MAX_CONNECTIONS_PER_ADDRESS") ?? "256", 0, 1_000_000),
    smtp: smtp(value("SMTP_URL")),
    mailFrom: mailFrom(value("MAIL_FROM"), publicUrl),
    webhooks: {
      retrySchedule: retrySchedule(value("WEBHOOK_RETRY_SCHEDULE")),
      retentionDays: integer("WEBHOOK_RETENTION_DAYS", value("WEBHOOK_RETENTION_DAYS") ?? "30", 1, 3650),
      allowHttp: oneOf("WEBHOOK_ALLOW_HTTP", value("WEBHOOK_ALLOW_HTTP") ?? "false", ["true", "false"]) === "true",
      allowedNetworks: networks(value("WEBHOOK_ALLOWED_PRIVATE_CIDRS")),
    },
    logLevel: oneOf("LOG_LEVEL", value("LOG_LEVEL") ?? "info", ["fatal", "error", "warn", "info", "debug", "silent"]),
    setup: setup(value("SETUP_ORG"), value("SETUP_EMAIL"), value("SETUP_NAME"), value("SETUP_PASSWORD")),
  };
}

/** Where each setting comes from, for `countersign config`. */
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

function oneOf(name: SettingName, text: string, allowed: readonly string[]): string {
  if (!allowed.includes(text)) throw new ConfigError(`${name} must be one of: ${allowed.join(", ")}`);
  return text;
}

function origin(name: SettingName, text: string): string {
  const bad = new ConfigError(`${name} must be an address such as https://sign.example.com, without a path`);
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
  if (!/^postgres(ql)?:\/\//.test(text)) throw new ConfigError(`${name} must begin with postgres://`);
  return text;
}

function s3(value: (name: SettingName) => string | undefined): Config["s3"] {
  const [endpoint, bucket, region] = [value("S3_ENDPOINT"), value("S3_BUCKET"), value("S3_REGION")];
  const [accessKeyId, secretAccessKey] = [value("S3_ACCESS_KEY_ID"), value("S3_SECRET_ACCESS_KEY")];
  if ([endpoint, bucket, region, accessKeyId, secretAccessKey].every((one) => one === undefined)) return null;
  if (!endpoint || !bucket || !region || !accessKeyId || !secretAccessKey)
    throw new ConfigError(
      "S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: set all five or none",
    );
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new ConfigError("S3_BUCKET must be a bucket's name alone: 3 to 63 lower-case letters, digits, dots and hyphens");
  if (!/^[a-z0-9-]+$/.test(region)) throw new ConfigError("S3_REGION must be a region's name such as eu-central-1");
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
    throw new ConfigError("SEAL_P12_PASSWORD is set, but SEAL_P12_FILE is not: set both or neither");
  return bytes === null ? null : { bytes, password: password ?? "" };
}

function tsaUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "" || url.hash !== "")
    throw new ConfigError("TSA_URL must be an address such as https://tsa.example.com/stamp, without user and password");
  return url.href;
}

function smtp(text: string | undefined): Config["smtp"] {
  if (text === undefined) return null;
  const bad = new ConfigError(
    "SMTP_URL must be like smtp://user:password@mail.example.com:587 or smtps://…, with special characters of user and password as %XX",
  );
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) throw bad;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (hostname === "" || (pathname !== "" && pathname !== "/") || search !== "" || hash !== "") throw bad;
  if ((username === "") !== (password === "")) throw new ConfigError("SMTP_URL must name both user and password, or neither");
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

function mailFrom(text: string | undefined, publicUrl: string): string {
  const address = text ?? `countersign@${new URL(publicUrl).hostname}`;
  if (!/^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;"()\\]{1,189}$/.test(address))
    throw new ConfigError("MAIL_FROM must be an e-mail address alone, such as sign@example.com");
  return address;
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

function networks(text: string | undefined): string[] {
  const list = (text ?? "").split(",").map((part) => part.trim());
  return list.filter(isSet).map((network) => {
    const [address = "", bits = ""] = network.split("/");
    const widest = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
    if (!/^\d{1,3}$/.test(bits) || Number(bits) > widest)
      throw new ConfigError("WEBHOOK_ALLOWED_PRIVATE_CIDRS must be networks such as 10.1.0.0/16 or fd00:1::/32, with commas between");
    return network;
  });
}

const MIN_SECRET_CHARACTERS = 32;
/** The value that .env.example shows: fine for a look around, never for a service that others can reach. */
export const SAMPLE_SECRET = "replace-this-with-64-random-hexadecimal-characters-before-going-public";

function appSecret(given: string | undefined, dataDir: string, localMode: boolean, shared: boolean): string {
  // Each machine would make its own, and none could read what another encrypted or signed.
  if (given === undefined && shared && !localMode) {
    throw new ConfigError("APP_SECRET must be set when DATABASE_URL or DATABASE_APP_URL is: every process on one database needs the same");
  }
  if (given === undefined) return ensureSecretFile(dataDir);
  if (given.length < MIN_SECRET_CHARACTERS)
    throw new ConfigError(`APP_SECRET must have at least ${MIN_SECRET_CHARACTERS} characters. Make one with: openssl rand -hex 32`);
  if (!localMode && (given === SAMPLE_SECRET || new Set(given).size < 8)) {
    throw new ConfigError("APP_SECRET is a sample or too simple. Make one with: openssl rand -hex 32");
  }
  return given;
}

/** Made once; whoever loses a race to make it reads the winner's. */
function ensureSecretFile(dataDir: string): string {
  const file = join(dataDir, "app.secret");
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    try {
      writeFileSync(file, `${randomBytes(32).toString("hex")}\n`, { flag: "wx", mode: 0o600, flush: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  const secret = readFileSync(file, "utf8").trim();
  if (secret.length < MIN_SECRET_CHARACTERS)
    throw new ConfigError("app.secret in DATA_DIR is damaged. Restore it from a backup; what it encrypted cannot be read without it");
  return secret;
}

function setup(
  org_name: string | undefined,
  email: string | undefined,
  name: string | undefined,
  password: string | undefined,
): Config["setup"] {
  if (org_name === undefined && email === undefined && password === undefined) return null;
  if (org_name === undefined || email === undefined || password === undefined)
    throw new ConfigError("SETUP_ORG, SETUP_EMAIL and SETUP_PASSWORD belong together: set all three or none");
  return { org_name, email, name: name ?? email, password };
}
