import { randomBytes } from "node:crypto";
import type { AuditType } from "../audit/catalogue.ts";
import { parse, print, Usage } from "../cli-input.ts";
import { type Config, ConfigError, type Environment, readConfig, secretFileIn } from "../config.ts";
import type { Db } from "../db/connect.ts";
import type { OpenDatabase } from "../db/open.ts";
import type { RecordVersion } from "../secrets/admit-secrets.ts";
import { asSystem } from "../shared/caller.ts";
import { type AppSecrets, deriveKeys, type SecretVersion } from "../shared/secrets.ts";
import { here, Refused } from "./command.ts";

/** These commands also run while a version is missing or wrong, so that it can be retired. */
const inDatabase = async <T>(config: Config, run: (db: Db, database: OpenDatabase) => Promise<T>): Promise<T> =>
  (await import("../administration.ts")).withDatabase(config, run);

export async function secretStatusCommand(args: readonly string[], env: Environment): Promise<number> {
  parse(args, {});
  const config = readConfig(env);
  const { known, counts, inUse, plain, plainValues } = await inDatabase(config, async (db) => {
    const [{ countValues, listVersions }, { latestUsed }, { countBlobsToEncrypt }, { countPlainValues }] = await Promise.all([
      import("../secrets/store.ts"),
      import("../secrets/admit-secrets.ts"),
      import("../storage/store.ts"),
      import("../secrets/plain-value-store.ts"),
    ]);
    return db.system(async (tx) => {
      const versions = await listVersions(tx);
      const [counts, plain] = [await countValues(tx), await countBlobsToEncrypt(tx)];
      const plainValues = await countPlainValues(tx);
      return { known: versions, counts, inUse: latestUsed(versions)?.version, plain, plainValues };
    });
  });
  for (const { version, used_from, retired_at } of known) {
    const state =
      retired_at !== null
        ? `retired ${retired_at.toISOString()}`
        : version === inUse && used_from !== null
          ? `in use since ${used_from.toISOString()}`
          : "accepted";
    const given = config.appSecrets.some((one) => one.version === version) ? "" : ", not among the given secrets";
    print(`version ${version}: ${state}${given}; values: ${counts.get(version) ?? 0}`);
  }
  const unversioned = counts.get(0) ?? 0;
  if (known.length === 0) print("No version is recorded yet. The first start records it.");
  if (unversioned > 0) print(`from before versions; values: ${unversioned}`);
  print(`documents that are not encrypted: ${plain}`);
  print(`entered values that are not encrypted: ${plainValues}`);
  return 0;
}

const STEPS = `APP_SECRET comes from the settings, or several machines can use this database, so the new version has to reach all of them:
1. Create a secret: openssl rand -hex 32
2. Add it second, as in APP_SECRETS=1:<present secret>,2:<new secret>, and restart all processes.
3. Put it first, as in APP_SECRETS=2:<new secret>,1:<present secret>, and restart all processes. A worker encrypts all values again.
4. After seven days: countersign secrets retire 1. Then remove version 1 from APP_SECRETS.`;

/** All steps on one machine. The service must not run, because it would not know the new version. */
export async function rotateSecretCommand(args: readonly string[], env: Environment): Promise<number> {
  parse(args, {});
  const config = readConfig(env);
  const { isExternal } = await import("../db/open.ts");
  if (!config.ownSecretFile || isExternal(config)) throw new Refused(STEPS);
  await inDatabase(config, async (db, { appUrl }) => {
    const { takeServiceLock } = await import("../db/service-lock.ts");
    const lock = await takeServiceLock(appUrl, 0);
    if (lock === null) throw new Refused("Stop the service first. It does not know the new version until it starts again.");
    try {
      await rotate(config, db);
    } finally {
      await lock.release();
    }
  });
  return 0;
}

async function rotate({ appSecrets, dataDir }: Config, db: Db): Promise<void> {
  const [{ admitSecrets, requireSecrets }, { listVersions }, { writeSecrets }] = await Promise.all([
    import("../secrets/admit-secrets.ts"),
    import("../secrets/store.ts"),
    import("../secrets/write-secrets.ts"),
  ]);
  const { accepted, known } = await checked(() =>
    db.system(async (tx) => ({ accepted: await requireSecrets(tx, appSecrets), known: await listVersions(tx) })),
  );
  const version = Math.max(...[...known, ...appSecrets].map((one) => one.version)) + 1;
  const secrets: AppSecrets = [{ version, secret: randomBytes(32).toString("hex") }, ...accepted];
  // Recorded for the database that has no versions yet, because its values were encrypted under the present one.
  await admitSecrets(db, accepted, recordAs("secret.rotated"));
  // The file first: a secret that something was encrypted under must not be lost in a crash.
  writeSecrets(secretFileIn(dataDir), secrets);
  await admitSecrets(db, secrets, recordAs("secret.rotated"));
  print(`Version ${version} is in ${secretFileIn(dataDir)} and is used from now on. Back up this file.`);
  await reWrapAll(db, secrets);
  const earlier = accepted.map((one) => one.version).join(", ");
  print(`Earlier versions (${earlier}) are still accepted. After seven days: countersign secrets retire ${accepted[0].version}`);
}

export async function reWrapCommand(args: readonly string[], env: Environment): Promise<number> {
  parse(args, {});
  const { appSecrets } = readConfig(env);
  return inDatabase(readConfig(env), async (db) => {
    const { requireSecrets } = await import("../secrets/admit-secrets.ts");
    const accepted = await checked(() => db.system((tx) => requireSecrets(tx, appSecrets)));
    const config = readConfig(env);
    const [values, keys] = [await reWrapAll(db, accepted), await reWrapKeys(db, config, accepted)];
    return values && keys && (await encryptEntered(db, config, accepted)) ? 0 : 1;
  });
}

/** Whether all values could be read. */
async function reWrapAll(db: Db, secrets: AppSecrets): Promise<boolean> {
  const { reWrap } = await import("../secrets/re-wrap.ts");
  const { renewed, unreadable } = await reWrap({ db, keys: deriveKeys(secrets) });
  print(`Values encrypted again under version ${secrets[0].version}: ${renewed}.`);
  for (const { place, org_id, id } of unreadable)
    process.stderr.write(`Cannot be read with the given secrets: ${place} of ${org_id ?? "the installation"}, ${id}\n`);
  return unreadable.length === 0;
}

/** Whether the keys of all organizations could be unwrapped. */
async function reWrapKeys(db: Db, { kms }: Config, secrets: AppSecrets): Promise<boolean> {
  const [{ buildKms }, { reWrapOrgKeys }, { KmsUnavailable }] = await Promise.all([
    import("../secrets/build-kms.ts"),
    import("../secrets/re-wrap-org-keys.ts"),
    import("../secrets/kms.ts"),
  ]);
  const services = buildKms(kms, deriveKeys(secrets));
  try {
    const { renewed, unreadable } = await reWrapOrgKeys({ db, kms: services });
    print(`Keys of organizations wrapped by ${services.current.id}: ${renewed}.`);
    for (const { org_id } of unreadable) process.stderr.write(`Cannot be unwrapped by any service in KMS: the key of ${org_id}\n`);
    return unreadable.length === 0;
  } catch (cause) {
    if (!(cause instanceof KmsUnavailable)) throw cause;
    throw new Refused(`The key service is not available: ${cause.message}. Run the command again later.`, { cause });
  }
}

/** Whether the keys of all organizations with values from before the encryption could be had. */
async function encryptEntered(db: Db, { kms, encryptBlobs }: Config, secrets: AppSecrets): Promise<boolean> {
  const [{ buildKms }, { orgKeys }, { orgValues }, { encryptPlainValues }] = await Promise.all([
    import("../secrets/build-kms.ts"),
    import("../secrets/org-keys.ts"),
    import("../secrets/org-values.ts"),
    import("../secrets/encrypt-plain-values.ts"),
  ]);
  const values = orgValues({ orgKeys: orgKeys({ db, kms: buildKms(kms, deriveKeys(secrets)) }), isOn: encryptBlobs });
  let encrypted = 0;
  for (;;) {
    const run = await encryptPlainValues({ db, values });
    encrypted += run.encrypted;
    if (run.encrypted > 0) continue;
    print(`Entered values encrypted: ${encrypted}.`);
    for (const { org_id, cause } of run.waiting) process.stderr.write(`The key of ${org_id} is not available: ${cause.says}\n`);
    for (const { org_id, cause } of run.failed) process.stderr.write(`The values of ${org_id} could not be encrypted: ${String(cause)}\n`);
    return run.waiting.length === 0 && run.failed.length === 0;
  }
}

export async function retireSecretCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { now: "boolean", lost: "boolean" }, 1);
  const version = Number(positionals[0] ?? "");
  if (!Number.isInteger(version) || version < 1) throw new Usage("countersign secrets retire needs the number of a version");
  const config = readConfig(env);
  const given = { version, now: values.now !== undefined, lost: values.lost !== undefined, record: recordAs("secret.retired") };
  const lost = await inDatabase(config, async (db) => {
    const { retireVersion } = await import("../secrets/retire-version.ts");
    return checked(() => retireVersion(db, config.appSecrets, given));
  });
  print(`Version ${version} is retired. Processes no longer accept it once they are started again.`);
  if (lost > 0) print(`Values that can no longer be read: ${lost}.`);
  const [first, ...others] = config.appSecrets.filter((one: SecretVersion) => one.version !== version);
  if (config.ownSecretFile && first !== undefined && others.length + 1 < config.appSecrets.length) {
    const { writeSecrets } = await import("../secrets/write-secrets.ts");
    writeSecrets(secretFileIn(config.dataDir), [first, ...others]);
  } else if (others.length + 1 < config.appSecrets.length) print("Remove it from APP_SECRETS, and restart all processes.");
  return 0;
}

/** A refusal becomes a sentence of the command line. */
async function checked<T>(run: () => Promise<T>): Promise<T> {
  const [{ WrongSecret }, { RetirementRefused }] = await Promise.all([
    import("../secrets/admit-secrets.ts"),
    import("../secrets/retire-version.ts"),
  ]);
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof RetirementRefused) throw new Refused(cause.message, { cause });
    throw cause instanceof WrongSecret ? new ConfigError(cause.message, { cause }) : cause;
  }
}

/** The secret belongs to all organizations, so every audit trail gets an entry. */
const recordAs =
  (type: AuditType): RecordVersion =>
  async (tx, version) => {
    const { recordInEveryOrg } = await import("../orgs/record-in-every-org.ts");
    await recordInEveryOrg(tx, { type, by: asSystem(here()), data: { version } });
  };
