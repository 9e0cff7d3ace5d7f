import { createInterface } from "node:readline/promises";
import type { Finding } from "../backup/findings.ts";
import { needed, parse, print, Usage } from "../cli-input.ts";
import { type Config, ConfigError, type Environment, readConfig } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { asSystem } from "../shared/caller.ts";
import { operatorName } from "../shared/operator.ts";
import { deriveKeys } from "../shared/secrets.ts";
import { version } from "../version.ts";
import { administer, here, Refused } from "./command.ts";
import { recordMigrations } from "./database.ts";

/** `countersign backup`, `restore`, `verify-install`, `hold`, `release`. */

const inDatabase = async <T>(config: Config, run: (db: Db) => Promise<T>): Promise<T> =>
  (await import("../administration.ts")).withDatabase(config, run);

export async function backupCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { to: "string", "no-database": "boolean", "no-blobs": "boolean", "skip-missing": "boolean" });
  const to = needed(values, "to");
  const [database, blobs] = [values["no-database"] === undefined, values["no-blobs"] === undefined];
  const wanted = { to, database, blobs, skipMissing: values["skip-missing"] !== undefined };
  if (!wanted.database && !wanted.blobs) throw new Usage("--no-database and --no-blobs together leave nothing to back up");
  const config = readConfig(env);
  const [
    { backUp },
    { buildObjects },
    { withOwner },
    { ensureInstanceKeys },
    { admitSecrets, requireSecrets },
    { listVersions },
    { refuseWrongSecret },
  ] = await Promise.all([
    import("../backup/back-up.ts"),
    import("../storage/build-storage.ts"),
    import("../schema.ts"),
    import("../seals/instance-keys.ts"),
    import("../secrets/admit-secrets.ts"),
    import("../secrets/store.ts"),
    import("../administration.ts"),
  ]);
  const manifest = await refusing(() =>
    withOwner(config, async (ownerUrl) => {
      // Before the snapshot, which must have the key that signs. An old schema or a wrong secret is also told before hours of copying.
      const records = await inDatabase(config, async (db) => {
        // A restore recognizes the secret by its versions, which the first start of the service notes.
        const isNew = (await db.system(listVersions)).length === 0;
        const admitted = isNew
          ? admitSecrets(db, config.appSecrets, async () => undefined)
          : db.system((tx) => requireSecrets(tx, config.appSecrets));
        await admitted.catch(refuseWrongSecret);
        return (await ensureInstanceKeys(await keyDeps(config, db))).records;
      });
      const sign = async (bytes: Uint8Array) => ({
        key_id: records.key_id,
        signature: Buffer.from(await records.sign(bytes)).toString("base64"),
      });
      return backUp({ ownerUrl, objects: buildObjects(config), sign, version, onProgress: print }, wanted);
    }),
  );
  if (manifest.missing !== null) {
    print(
      `Documents that are not in this backup, because the store does not have them: ${manifest.missing.count}, listed in ${to}/${manifest.missing.file}`,
    );
  }
  print(`Backup of ${manifest.made_at} is in ${to}. It does not contain APP_SECRET: keep that in another place.`);
  return 0;
}

async function keyDeps({ appSecrets, seals }: Config, db: Db) {
  const { httpSigner } = await import("../seals/http-signer.ts");
  return { db, sealKey: deriveKeys(appSecrets).seals, signer: seals.signer === null ? null : httpSigner(seals.signer) };
}

export async function restoreCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { from: "string" });
  const from = needed(values, "from");
  const config = readConfig(env);
  const [{ restore }, { buildObjects }, { migrateDatabase, withOwner }, { WrongSecret }] = await Promise.all([
    import("../backup/restore.ts"),
    import("../storage/build-storage.ts"),
    import("../schema.ts"),
    import("../secrets/admit-secrets.ts"),
  ]);
  const deps = { objects: buildObjects(config), secrets: config.appSecrets, operator: operatorName(), onProgress: print };
  const manifest = await refusing(() => withOwner(config, (ownerUrl) => restore({ ownerUrl, ...deps }, from))).catch((cause) => {
    throw cause instanceof WrongSecret ? new ConfigError(cause.message, { cause }) : cause;
  });
  // With the entries of the restore, which the next start makes if this process dies.
  // No process uses a database that was empty.
  await migrateDatabase(config, recordMigrations, "if-safe");
  print(`Restored the backup of ${manifest.made_at}. The installation is held: it sends no mail and no webhook.`);
  print("Next: countersign database logins (external database), countersign verify-install, then countersign release");
  return 0;
}

export async function verifyBackupCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { from: "string", json: "boolean" });
  const from = needed(values, "from");
  // Not the one in DATA_DIR, which is of this machine and need not be that of the backup.
  const isGiven = ["APP_SECRET", "APP_SECRETS"].some((name) => env[name] !== undefined || env[`${name}_FILE`] !== undefined);
  const secrets = isGiven ? readConfig(env).appSecrets : null;
  const { verifyBackup } = await import("../backup/verify-backup.ts");
  return report(values.json !== undefined, async (show) => {
    for await (const found of verifyBackup(from, secrets)) show(found);
  });
}

/** Prints what is found as it is found, or all of it as JSON at the end. 1 if something is wrong. */
async function report(json: boolean, run: (show: (found: Finding) => void) => Promise<void>): Promise<number> {
  const findings: Finding[] = [];
  await run((found) => {
    findings.push(found);
    if (!json) print(`${found.result.padEnd(11)}  ${found.check.padEnd(15)}  ${found.says}`);
  });
  if (json) print(JSON.stringify(findings, null, 2));
  return findings.some(({ result }) => result === "failed") ? 1 : 0;
}

const DEFAULT_SAMPLE = 100;

export async function verifyInstallCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { sample: "string", all: "boolean", json: "boolean" });
  if (values.sample !== undefined && !/^\d{1,7}$/.test(values.sample)) throw new Usage("--sample needs a number");
  const size = values.all !== undefined ? null : Number(values.sample ?? DEFAULT_SAMPLE);
  const config = readConfig(env);
  const [
    { verifyInstall, verifySchema },
    { buildObjects },
    { withOwner },
    { buildFeatures, closeFeatures },
    { withDatabase },
    { listRoots },
  ] = await Promise.all([
    import("../backup/verify-install.ts"),
    import("../storage/build-storage.ts"),
    import("../schema.ts"),
    import("../features.ts"),
    import("../administration.ts"),
    import("../seals/store.ts"),
  ]);
  return report(values.json !== undefined, (show) =>
    withOwner(config, async (ownerUrl) => {
      const schema = await verifySchema(ownerUrl);
      show(schema);
      // Opening the database of the service would migrate the embedded one.
      if (schema.result === "failed") return;
      await withDatabase(config, async (db, { appUrl, queueUrl }) => {
        const features = buildFeatures(config, db);
        const { storage, seals, mail } = features;
        const logins = { ownerUrl, appUrl, queueUrl: queueUrl ?? config.databaseQueueUrl, db };
        const stored = { objects: buildObjects(config), storage, seals, smtp: mail.smtp };
        try {
          const deps = { ...logins, ...stored, publicUrl: config.publicUrl, roots: () => db.system(listRoots) };
          for await (const found of verifyInstall(deps, { size })) show(found);
        } finally {
          await closeFeatures(features);
        }
      });
    }),
  );
}

export async function holdCommand(args: readonly string[], env: Environment): Promise<number> {
  parse(args, {});
  const operator = operatorName();
  const held = await administer(readConfig(env), async ({ orgs: { db } }) => {
    const { hold } = await import("../backup/release.ts");
    return hold({ db }, asSystem(here()), operator);
  });
  print(
    held
      ? "The installation is held. New messages and requests stop within a second; those on their way are not called back."
      : "The installation is held already.",
  );
  return 0;
}

export async function releaseCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, {
    "cancel-mail-before": "string",
    "cancel-deliveries": "boolean",
    "accept-older": "boolean",
    yes: "boolean",
  });
  const before = values["cancel-mail-before"] === undefined ? null : new Date(values["cancel-mail-before"]);
  if (before !== null && Number.isNaN(before.getTime())) throw new Usage("--cancel-mail-before needs a time, such as 2026-01-31T12:00:00Z");
  const config = readConfig(env);
  const [{ lookAhead, release }, { replaceKept }] = await Promise.all([
    import("../backup/release.ts"),
    import("../transparency/keep-checkpoint.ts"),
  ]);
  return refusing(() =>
    administer(config, async ({ orgs: { db } }) => {
      const storage = await openStorage(config, db);
      const { held, waiting, older } = await lookAhead({ db, storage });
      print(
        `Held since ${held.since.toISOString()} by ${held.by}. Waiting to leave, besides audit exports and messages to registries and other vaults:`,
      );
      for (const { what, waiting: n, oldest } of waiting)
        print(`  ${what}: ${n}${oldest === null ? "" : `, the oldest since ${oldest.toISOString()}`}`);
      if (older !== null && values["accept-older"] === undefined) {
        throw new Refused(
          `The document store has a checkpoint of a log with ${older.kept} entries, which the log of this database (${older.here} entries) does not continue: an older backup was restored, and what was published since is not in it. Restore a newer backup, or use --accept-older, which gives the log a new name.`,
        );
      }
      if (values.yes === undefined && !(await confirmed())) throw new Refused("Nothing was changed.");
      if (older !== null) {
        await restart(db, older);
        await replaceKept({ db, storage });
      }
      const done = await release({ db }, asSystem(here()), {
        cancel_mail_before: before,
        cancel_deliveries: values["cancel-deliveries"] !== undefined,
      });
      print(`The installation is released. Cancelled: ${done.messages} messages, ${done.deliveries} webhook deliveries.`);
      return 0;
    }),
  );
}

async function confirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Usage("Without a terminal, countersign release needs --yes");
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await asking.question("Send all this now? Type yes: ");
  asking.close();
  return answer.trim().toLowerCase() === "yes";
}

async function restart(db: Db, { here: own, kept }: { readonly here: number; readonly kept: number }): Promise<void> {
  const { restartLog, RestartRefused } = await import("../transparency/restart-log.ts");
  const reason = `An older backup was restored: ${kept} entries had been signed, and this log (${own} entries) does not continue them`;
  const origin = await restartLog({ db }, asSystem(here()), { reason, last_note: null }).catch((cause) => {
    throw cause instanceof RestartRefused ? new Refused(cause.message, { cause }) : cause;
  });
  print(`The log continues as ${origin}. Give witnesses its new key: countersign log show`);
}

async function openStorage(config: Config, db: Db) {
  const [{ buildStorage }, { buildKms }, { orgKeys }] = await Promise.all([
    import("../storage/build-storage.ts"),
    import("../secrets/build-kms.ts"),
    import("../secrets/org-keys.ts"),
  ]);
  return buildStorage(config, db, orgKeys({ db, kms: buildKms(config.kms, deriveKeys(config.appSecrets)) }));
}

/** Refusals of a backup are sentences for the operator. */
async function refusing<T>(run: () => Promise<T>): Promise<T> {
  const { BackupRefused } = await import("../backup/backup.ts");
  try {
    return await run();
  } catch (error) {
    throw error instanceof BackupRefused ? new Refused(error.message, { cause: error }) : error;
  }
}
