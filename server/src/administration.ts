import { LogInLane } from "./accounts/log-in-lane.ts";
import { VisitorQueue } from "./accounts/visitor-queue.ts";
import { type Config, ConfigError } from "./config.ts";
import { connectDb, type Db, type DbOptions } from "./db/connect.ts";
import { requireServeLogin } from "./db/fence.ts";
import { type OpenDatabase, openForCommand } from "./db/open.ts";
import type { KeyDeps } from "./keys/key.ts";
import type { Smtp } from "./mail/smtp.ts";
import type { OrgDeps } from "./orgs/org.ts";
import { siteOf } from "./proofs/passkeys.ts";
import { createProofPool, type ProofPool } from "./proofs/pool.ts";
import { bringUpToDate, refuseOtherSchema } from "./schema.ts";
import { requireSecrets, WrongSecret } from "./secrets/admit-secrets.ts";
import { deriveKeys } from "./shared/secrets.ts";
import { countEnabled } from "./webhooks/store.ts";

/** Organizations, their members and their keys, for the command line. No HTTP, job or PDF code is loaded for them. */
export interface Administration {
  readonly orgs: OrgDeps;
  readonly keys: KeyDeps;
}

export function buildAdministration(config: Config, db: Db, smtp: Smtp | null, proofs: ProofPool): Administration {
  const derived = deriveKeys(config.appSecrets);
  const mail = { db, mailKey: derived.mail, smtp };
  return {
    orgs: {
      db,
      keys: derived,
      mail,
      proofs,
      logInLane: new LogInLane(),
      visitorQueue: new VisitorQueue(),
      publicUrl: config.publicUrl,
      site: siteOf(config.publicUrl, config.passkeyDomain),
      localMode: config.localMode,
    },
    keys: {
      db,
      defaultRateLimitRpm: config.defaultRateLimitRpm,
      trustProxyHops: config.trustProxyHops,
      countEndpoints: countEnabled,
    },
  };
}

/** For the command line: opens the database, and closes everything afterwards. */
export async function withAdministration<T>(config: Config, run: (administration: Administration) => Promise<T>): Promise<T> {
  return withDatabase(config, async (db) => {
    await db.system((tx) => requireSecrets(tx, config.appSecrets)).catch(refuseWrongSecret);
    const smtp = await maybeSmtp(config);
    const proofs = createProofPool({ workers: config.passwordWorkers, breached_file: config.breachedPasswordsFile });
    return await run(buildAdministration(config, db, smtp, proofs)).finally(() => Promise.all([smtp?.close(), proofs.close()]));
  });
}

export function refuseWrongSecret(cause: unknown): never {
  throw cause instanceof WrongSecret ? new ConfigError(cause.message, { cause }) : cause;
}

export const poolingOf = ({ databasePooling, databasePreparedStatements }: Config): Pick<DbOptions, "pooling" | "preparedStatements"> => ({
  pooling: databasePooling,
  preparedStatements: databasePreparedStatements,
});

/** The database alone, without a check of the secrets. */
export async function withDatabase<T>(config: Config, run: (db: Db, database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await openForCommand({ ...config, log: () => undefined, fatal: () => undefined });
  try {
    await bringUpToDate(database, "if-safe");
    await requireServeLogin(database.appUrl);
    const db = connectDb({ url: database.appUrl, poolSize: 2, ...poolingOf(config) });
    try {
      await refuseOtherSchema(db);
      return await run(db, database);
    } finally {
      await db.end();
    }
  } finally {
    await database.close();
  }
}

/** The library is loaded only if there is a mail server. */
async function maybeSmtp({ smtp, mailFrom }: Config): Promise<Smtp | null> {
  if (smtp === null) return null;
  const { smtpSender } = await import("./mail/smtp.ts");
  return smtpSender({ ...smtp, from: mailFrom });
}
