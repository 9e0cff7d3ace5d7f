import { createHash, randomBytes, X509Certificate } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { memoryFolder } from "../../../testing/memory-folder.ts";
import { unzipBundle, verifyBundle } from "../../../verify/src/index.ts";
import { client } from "../../test/client.ts";
import { makeLogins, type TestDatabase } from "../../test/database.ts";
import { newEndpoint } from "../../test/deliveries.ts";
import { withClient } from "../../test/global-setup.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { type Finished, type Running, runCommand, startProcess, stopProcess } from "../../test/process.ts";
import { type Receiver, startReceiver } from "../../test/receiver.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { startSmtpPeer } from "../../test/smtp.ts";
import { until } from "../../test/until.ts";
import { vaultedByPipeline } from "../../test/vaulted.ts";
import { locks, tryHoldLock } from "../db/locks.ts";
import { ensureInstanceKeys } from "../seals/instance-keys.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { blobKey, StoreUnavailable } from "../storage/blob-store.ts";
import { filesystemObjects } from "../storage/filesystem.ts";
import { nameBytes } from "../storage/hash.ts";
import { keepBlob, releaseBlobs } from "../storage/store.ts";
import { storeBlob } from "../storage/store-blob.ts";
import { sweepStorage } from "../storage/sweep-storage.ts";
import { advanceLog } from "../transparency/advance-log.ts";
import { keepCheckpoint } from "../transparency/keep-checkpoint.ts";
import { backUp as writeBackup } from "./back-up.ts";
import { BackupRefused, files, type Manifest, type TableEntry } from "./backup.ts";
import { readBlobList, requireWholeFiles } from "./manifest.ts";
import { restore } from "./restore.ts";
import { verifyBackup } from "./verify-backup.ts";

/** Backups as operators make and restore them: the built program, real databases, a mail server and a receiver of webhooks. */

const APP_SECRET = "the secret of an installation that is backed up: 4be1";
const inbox = await startSmtpPeer();
// Without a worker, so that mails and deliveries still wait when the backup is made.
const service = testService({ APP_SECRET, SMTP_URL: inbox.url });
const folder = mkdtempSync(join(memoryFolder(), "countersign-backup-"));
const at = (name: string) => join(folder, name);

let org: TestOrg;
let key: TestKey;
let receiver: Receiver;
let vaulted: EnvelopeId;
let sent: string;

beforeAll(async () => {
  receiver = await startReceiver();
  org = await service.newOrg("Example Company");
  key = await org.newKey();
  await newEndpoint(org, receiver);
  vaulted = await vaultedByPipeline(service, org);
  sent = await newEnvelope(key, await newTemplate(key));
  expect((await key.send("POST", `/partner/envelopes/${sent}/send`, { body: { signers: [tenant, landlord] } })).status).toBe(200);
  await advanceLog(service.features.log);
  // One that a new installation does not have.
  await service.database.owner("select add_partition('events', first_event_id(now() + interval '1 year'))");
});
afterAll(async () => {
  await Promise.all([inbox.stop(), receiver.close()]);
  rmSync(folder, { recursive: true, force: true });
});

type Env = Record<string, string>;
const envOf = (database: Pick<TestDatabase, "url" | "env">, dataDir: string): Env => ({
  ...database.env,
  DATABASE_URL: database.url,
  DATA_DIR: dataDir,
  APP_SECRET,
  SMTP_URL: inbox.url,
  LOG_LEVEL: "error",
});
const here = () => envOf(service.database, service.config.dataDir);
const backUp = (...more: string[]): Promise<Finished> => runCommand(["backup", "--to", at("backup"), ...more], here());
const manifestOf = (backup: string): Manifest => JSON.parse(readFileSync(join(backup, files.manifest), "utf8"));

const made: string[] = [];
afterAll(() =>
  withClient(inject("adminUrl"), async (admin) => {
    for (const name of made) await admin.query(`drop database if exists ${name} with (force)`);
  }),
);
/** Somewhere else: an empty database and an empty folder. */
async function elsewhere(): Promise<{ readonly url: string; readonly env: Env; readonly dataDir: string }> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await withClient(inject("adminUrl"), (admin) => admin.query(`create database ${name}`));
  made.push(name);
  const database = await makeLogins(name);
  const dataDir = at(name);
  return { url: database.url, env: envOf(database, dataDir), dataDir };
}

/** The rows of each table, in any order, as one hash. */
async function contents(url: string): Promise<Record<string, string>> {
  return withClient(url, async (admin) => {
    const { rows: tables } = await admin.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
         and relname not in ('schema_migrations', 'worker_heartbeats', 'installation_mode', 'outbox') order by 1`,
    );
    const found: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await admin.query<{ hash: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as hash from ${name} t`,
      );
      found[name] = rows[0]?.hash ?? "";
    }
    return found;
  });
}

let before: Record<string, string>;

test("a backup is complete, and another one in its place copies only what is new", async () => {
  before = await contents(service.database.url);
  const first = await backUp();
  expect([first.code, first.stderr]).toEqual([0, ""]);
  const { tables, blobs, made_at } = manifestOf(at("backup"));
  expect(Object.fromEntries(tables.map(({ table, rows }) => [table, rows]))).toMatchObject({ envelopes: 2, authoritative_copies: 1 });
  expect(first.stdout).toContain(`Documents: ${blobs?.count}, of which ${blobs?.count} copied and 0 as in the backup before`);
  const again = await backUp();
  expect([again.code, again.stderr]).toEqual([0, ""]);
  expect(again.stdout).toContain(`Documents: ${blobs?.count}, of which 0 copied and ${blobs?.count} as in the backup before`);
  expect(manifestOf(at("backup")).made_at > made_at).toBe(true);
  expect(readdirSync(folder)).toEqual(["backup"]);
  const [noted] = await service.database.owner<{ backed_up_at: Date }>("select backed_up_at from installation_mode");
  expect(noted?.backed_up_at.toISOString()).toBe(manifestOf(at("backup")).made_at);
});

describe("a document", () => {
  const bytes = Buffer.from("the same bytes, twice uploaded");
  let id: OrgId;
  let sha256: string;
  const store = async (): Promise<void> => {
    ({ sha256 } = await storeBlob(service.features.storage, id, bytes));
    await service.db.tx(id, (tx) => keepBlob(tx, id, sha256));
  };
  const release = () => service.db.tx(id, (tx) => releaseBlobs(tx, id, [sha256]));
  const sweep = async () => {
    await release();
    await service.database.owner(`update blobs set put_at = now() - interval '2 days' where sha256 = '${sha256}'`);
    expect((await sweepStorage(service.features.storage)).blobs).toBe(1);
  };
  const inBackup = () => readFileSync(join(at("documents"), "blobs", blobKey(id, sha256)));
  const inStore = () => readFileSync(join(service.config.dataDir, "blobs", blobKey(id, sha256)));
  const backUpDocuments = async () => {
    const done = await runCommand(["backup", "--to", at("documents"), "--no-database"], here());
    expect([done.code, done.stderr]).toEqual([0, ""]);
  };
  beforeAll(async () => {
    id = org.org_id as OrgId;
    await store();
  });
  afterAll(async () => {
    await sweep();
    rmSync(at("documents"), { recursive: true });
  });

  test("that one record released is in the backup, because another may have it", async () => {
    await release();
    await backUpDocuments();
    expect(inBackup()).toEqual(inStore());
    await store();
  });

  test("is copied again if the earlier backup or its list is damaged", async () => {
    const whole = inStore();
    const path = join(at("documents"), "blobs", blobKey(id, sha256));
    chmodSync(path, 0o600);
    writeFileSync(path, "cut");
    await backUpDocuments();
    expect(inBackup()).toEqual(whole);
    writeFileSync(join(at("documents"), files.blobs), "damaged");
    await backUpDocuments();
    expect(inBackup()).toEqual(whole);
  });

  test("that was removed and uploaded again is copied again, because it has another key", async () => {
    await backUpDocuments();
    const before = inStore();
    await sweep();
    await store();
    expect([inStore().length, inStore().equals(before)]).toEqual([before.length, false]);
    await backUpDocuments();
    expect(inBackup()).toEqual(inStore());
  });
});

test("one backup or restore of a database runs at a time", async () => {
  const [refusedBackup, refusedRestore] = await withClient(service.database.url, async (other) => {
    expect(await tryHoldLock(other, locks.copies)).toBe(true);
    return [await backUp(), await runCommand(["restore", "--from", at("backup")], here())];
  });
  expect([refusedBackup?.code, refusedBackup?.stderr]).toEqual([
    1,
    "Another backup of this installation, or a restore, is running. Wait until it has ended.\n",
  ]);
  expect([refusedRestore?.code, refusedRestore?.stderr]).toEqual([
    1,
    "Another restore into this database, or a backup of it, is running. Wait until it has ended.\n",
  ]);
});

test("a folder with something else is not replaced, and a backup contains no secret of the installation", async () => {
  writeFileSync(at("notes.txt"), "mine");
  const refused = await runCommand(["backup", "--to", folder], here());
  expect([refused.code, refused.stderr]).toEqual([1, `${folder} is not empty and not a backup. Choose another folder.\n`]);
  rmSync(at("notes.txt"));
  const all = readdirSync(at("backup"), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  expect(all.length).toBeGreaterThan(50);
  for (const { parentPath, name } of all) expect(readFileSync(join(parentPath, name)).includes(APP_SECRET)).toBe(false);
});

test("folders beside it that someone else made are not touched, and a link to it stays a link", async () => {
  mkdirSync(at("backup.previous"));
  writeFileSync(at("backup.previous/notes.txt"), "mine");
  mkdirSync(at("backup.partial"));
  writeFileSync(at("backup.partial/notes.txt"), "mine");
  const refused = await backUp();
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `${at("backup.partial")} has notes.txt in it and is not an unfinished backup. Move it, or choose another folder.\n`,
  ]);
  rmSync(at("backup.partial"), { recursive: true });
  mkdirSync(at("disk"));
  symlinkSync(at("backup"), at("disk/link"));
  const { made_at } = manifestOf(at("backup"));
  const done = await runCommand(["backup", "--to", at("disk/link")], here());
  expect([done.code, done.stderr]).toEqual([0, ""]);
  expect([lstatSync(at("disk/link")).isSymbolicLink(), readdirSync(at("disk"))]).toEqual([true, ["link"]]);
  expect(manifestOf(at("backup")).made_at > made_at).toBe(true);
  expect(readFileSync(at("backup.previous/notes.txt"), "utf8")).toBe("mine");
  rmSync(at("backup.previous"), { recursive: true });
  rmSync(at("disk"), { recursive: true });
});

test("a folder that cannot be written is named", async () => {
  writeFileSync(at("file"), "");
  for (const to of [at("file"), at("file/backup")]) {
    const refused = await runCommand(["backup", "--to", to], here());
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^The backup could not be written: ENOTDIR.*mount point/)]);
  }
  rmSync(at("file"));
});

test("tables of others are left out, and what waits in the queue gets numbers that no later job gets", async () => {
  await service.database.owner('create table public."Orders" (id serial primary key)');
  await service.database.owner("select graphile_worker.add_job('mail.resume') from generate_series(1, 3)");
  const done = await runCommand(["backup", "--to", at("queued"), "--no-blobs"], here());
  await service.database.owner('drop table public."Orders"');
  await service.database.owner("delete from graphile_worker._private_jobs");
  expect([done.code, done.stderr]).toEqual([0, ""]);
  expect(manifestOf(at("queued")).queue.rows).toBe(3);

  const there = await elsewhere();
  const signature = readFileSync(join(at("queued"), files.signature));
  writeFileSync(join(at("queued"), files.signature), JSON.stringify({ key_id: "0".repeat(64), signature: "" }));
  expect((await runCommand(["restore", "--from", at("queued")], there.env)).stderr).toContain("The signature");
  writeFileSync(join(at("queued"), files.signature), signature);
  const restored = await runCommand(["restore", "--from", at("queued")], there.env);
  expect([restored.code, restored.stderr]).toEqual([0, ""]);
  expect(restored.stdout).toContain("Not restored, because they are not of this program: Orders\n");
  await withClient(there.url, async (admin) => {
    const { rows } = await admin.query<{ free: boolean }>("select nextval('outbox_outbox_id_seq') > max(outbox_id) as free from outbox");
    expect(rows).toEqual([{ free: true }]);
  });
  rmSync(at("queued"), { recursive: true });
}, 60_000);

test("while the database is migrated no backup is made", async () => {
  const objects = filesystemObjects(join(service.config.dataDir, "blobs"));
  // One that is not kept is looked for after the tables were copied.
  const { sha256 } = await storeBlob(service.features.storage, org.org_id as OrgId, Buffer.from("not kept"));
  let migrated: Promise<unknown> = Promise.resolve();
  const deps = {
    ownerUrl: service.database.url,
    objects: { ...objects, sizeOf: (...key: Parameters<typeof objects.sizeOf>) => migrated.then(() => objects.sizeOf(...key)) },
    sign: async () => expect.fail("it is signed"),
    version: "test",
    onProgress: (line: string) => {
      if (line.startsWith("Database:")) migrated = service.database.owner("insert into schema_migrations values ('9999-later.sql', '')");
    },
  };
  const during = writeBackup(deps, { to: at("migrated"), database: true, blobs: true, skipMissing: false });
  await expect(during).rejects.toThrow("The database was migrated while it was copied. No backup was made. Run it again.");
  await service.database.owner("delete from schema_migrations where name = '9999-later.sql'");
  await service.database.owner(`delete from blobs where sha256 = '${sha256}'`);
  expect(readdirSync(folder)).toEqual(["backup"]);
});

test("a backup of an installation that was never started can be restored, with its own secret only", async () => {
  const [fresh, there] = [await elsewhere(), await elsewhere()];
  expect((await runCommand(["migrate"], fresh.env)).code).toBe(0);
  const done = await runCommand(["backup", "--to", at("fresh")], fresh.env);
  expect([done.code, done.stderr]).toEqual([0, ""]);
  const wrong = await runCommand(["restore", "--from", at("fresh")], { ...there.env, APP_SECRET: "another secret altogether: 77a1f0" });
  expect([wrong.code, wrong.stderr]).toEqual([1, "APP_SECRET is not the one that this database was made with\n"]);
  const restored = await runCommand(["restore", "--from", at("fresh")], there.env);
  expect([restored.code, restored.stderr]).toEqual([0, ""]);
  rmSync(at("fresh"), { recursive: true });
}, 60_000);

test("without the documents it is one of the database alone, and the other way round", async () => {
  for (const [flag, has] of [
    ["--no-blobs", [true, false]],
    ["--no-database", [false, true]],
  ] as const) {
    const done = await runCommand(["backup", "--to", at("part"), flag], here());
    expect([done.code, done.stderr]).toEqual([0, ""]);
    const { has_database, blobs } = manifestOf(at("part"));
    expect([has_database, blobs !== null]).toEqual(has);
  }
  const there = await elsewhere();
  const refused = await runCommand(["restore", "--from", at("part")], there.env);
  expect([refused.code, refused.stderr]).toEqual([1, "This backup has no database (--no-database), so it cannot be restored alone.\n"]);
});

/** As the command does it, in this process. */
function restoreInto(there: Awaited<ReturnType<typeof elsewhere>>, backup: string): Promise<Manifest> {
  const objects = filesystemObjects(join(there.dataDir, "blobs"));
  const own = { secrets: service.config.appSecrets, operator: "ada", onProgress: () => undefined };
  return restore({ ownerUrl: there.url, objects, ...own }, backup);
}

describe("a restore is refused, and nothing is written,", () => {
  let there: Awaited<ReturnType<typeof elsewhere>>;
  beforeAll(async () => {
    there = await elsewhere();
  });
  const tablesThere = () =>
    withClient(
      there.url,
      async (admin) => (await admin.query("select from pg_class where relnamespace = 'public'::regnamespace")).rowCount,
    );
  const usedThere = () => withClient(there.url, async (admin) => (await admin.query("select from orgs")).rowCount);
  const restoreThere = (backup: string) => restoreInto(there, backup);

  test("with another secret", async () => {
    const wrong = await runCommand(["restore", "--from", at("backup")], { ...there.env, APP_SECRET: "another secret altogether: 77a1f0" });
    expect([wrong.code, wrong.stderr]).toEqual([1, "APP_SECRET is not the one that this database was made with\n"]);
    expect(await tablesThere()).toBe(0);
  });

  test("into a database that is in use", async () => {
    const refused = await runCommand(["restore", "--from", at("backup")], here());
    expect([refused.code, refused.stderr]).toEqual([1, "The database is not empty. A backup is restored into an empty database only.\n"]);
    expect(await contents(service.database.url)).toEqual(before);
  });

  test("from something that is not a backup", async () => {
    const refused = await runCommand(["restore", "--from", folder], there.env);
    expect([refused.code, refused.stderr]).toEqual([1, `${folder} is not a backup: it has no ${files.manifest}.\n`]);
  });

  const fileNames = (): string[] =>
    readdirSync(at("backup"), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
  const isBlob = (file: string): boolean => file.includes("/blobs/");
  const isListed = (file: string): boolean => !isBlob(file) && !file.includes("manifest");

  async function requireRefused(changedFiles: readonly string[], read: (file: string) => Promise<unknown>): Promise<void> {
    for (const file of changedFiles) {
      const whole = readFileSync(file);
      const changed = Buffer.from(whole);
      const middle = Math.floor(whole.length / 2);
      changed.writeUInt8(changed.readUInt8(middle) ^ 1, middle);
      rmSync(file);
      writeFileSync(file, changed);
      await expect(read(file), file).rejects.toThrow(BackupRefused);
      rmSync(file);
      writeFileSync(file, whole);
    }
  }

  // The other tables are not read again for each.
  test("with one flipped bit in any of its tables and lists", () => {
    const manifest = manifestOf(at("backup"));
    return requireRefused(fileNames().filter(isListed), (file) =>
      requireWholeFiles(at("backup"), { ...manifest, tables: manifest.tables.filter((table) => file.endsWith(`/${table.file}`)) }),
    );
  });

  test("with one flipped bit in its manifest, its signature or a document", async () => {
    const others = fileNames().filter((file) => !isListed(file));
    // Each needs a whole restore to be found, so one document stands for all.
    const document = others.filter(isBlob).slice(0, 1);
    await requireRefused([...others.filter((file) => !isBlob(file)), ...document], () => restoreThere(at("backup")));
    expect(await usedThere()).toBe(0);
  }, 90_000);

  test("when the store fails in the middle; the next run begins again and succeeds", async () => {
    const objects = filesystemObjects(join(there.dataDir, "blobs"));
    const blobs: string[] = [];
    for await (const { org_id, sha256 } of readBlobList(at("backup"))) blobs.push(blobKey(org_id as OrgId, sha256));
    for (const nth of [1, Math.ceil(blobs.length / 2), blobs.length]) {
      let puts = 0;
      const failing = {
        ...objects,
        put: async (...args: Parameters<typeof objects.put>) => {
          if (++puts === nth) throw new StoreUnavailable("the disk is full");
          return objects.put(...args);
        },
      };
      const own = { secrets: service.config.appSecrets, operator: "ada", onProgress: () => undefined };
      const deps = { ownerUrl: there.url, objects: failing, ...own };
      await expect(restore(deps, at("backup"))).rejects.toThrow("the disk is full");
      expect(await usedThere()).toBe(0);
    }
    await restoreThere(at("backup"));
    expect(await contents(there.url)).toEqual(before);
  }, 90_000);

  test("whose host dies after the rows are committed; the next start says in the audit trails that they were restored, once", async () => {
    const trail = () =>
      withClient(there.url, async (admin) => {
        const { rows } = await admin.query<{ subject: string; data: Record<string, unknown> }>(
          `select e.subject, d.data from audit_entries e join audit_entry_data d using (org_id, subject, seq)
            where e.type = 'installation.restored'`,
        );
        return rows.map(({ subject, data }) => ({
          subject,
          operator: data.operator,
          of: data.backup_made_at,
          missing: data.missing_documents,
        }));
      });
    expect(await trail()).toEqual([]);
    const entry = { subject: org.org_id, operator: "ada", of: manifestOf(at("backup")).made_at, missing: 0 };
    expect(await stopProcess(await startProcess("serve", there.env))).toBe(0);
    expect(await trail()).toEqual([entry]);
    expect((await runCommand(["migrate"], there.env)).stdout).toBe("The database is up to date.\n");
    expect(await trail()).toEqual([entry]);
  }, 60_000);
});

describe("a document that the store has lost", () => {
  let id: OrgId;
  let hashes: string[];
  const pathOf = (sha256: string) => join(service.config.dataDir, "blobs", blobKey(id, sha256));
  const inBackup = (backup: string, sha256: string) => join(at(backup), "blobs", blobKey(id, sha256));
  let template: string;
  let wholes: Buffer[];
  beforeAll(async () => {
    id = org.org_id as OrgId;
    template = await newTemplate(key);
    const rows = await service.database.owner<{ sha256: string }>(
      `select distinct sha256 from blobs b join template_documents t on t.pdf_sha256 = b.sha256 where t.template_id = '${template}'`,
    );
    hashes = rows.map(({ sha256 }) => sha256);
    // Another one that only this test has.
    const other = await storeBlob(service.features.storage, id, Buffer.from("lost for good"));
    await service.db.tx(id, (tx) => keepBlob(tx, id, other.sha256));
    hashes.push(other.sha256);
    expect(hashes.length).toBe(2);
    wholes = hashes.map((sha256) => readFileSync(pathOf(sha256)));
  });
  afterAll(async () => {
    for (const [index, sha256] of hashes.entries()) writeFileSync(pathOf(sha256), wholes[index] ?? "");
    await service.database.owner(`update blobs set kept = false where sha256 = '${hashes[1]}'`);
    for (const name of ["lost", "lost-again"]) rmSync(at(name), { recursive: true, force: true });
  });
  const run = (to: string, ...more: string[]) => runCommand(["backup", "--to", at(to), ...more], here());

  test("stops a backup, which names it and where it is used", async () => {
    expect((await run("lost")).code).toBe(0);
    for (const sha256 of hashes) rmSync(pathOf(sha256));
    const refused = await run("lost");
    expect(refused.code).toBe(1);
    const lines = refused.stderr.split("\n");
    expect(lines[0]).toBe("Documents that the database names and the store does not have: 2");
    const used = lines.find((line) => line.startsWith(`  ${blobKey(id, hashes[0] ?? "")}  `)) ?? "";
    expect(used.split(", ")).toEqual(
      expect.arrayContaining([expect.stringContaining(`${template} (template_documents)`), `still in ${at("lost")}`]),
    );
    expect(lines).toContain(`  ${blobKey(id, hashes[1] ?? "")}  still in ${at("lost")}`);
    expect(refused.stderr).toContain("No backup was made.");
    expect(manifestOf(at("lost")).missing).toBeNull();
  });

  test("is taken over from the backup before with --skip-missing, if that is whole", async () => {
    const [kept = "", changed = ""] = hashes;
    const was = readFileSync(inBackup("lost", kept));
    chmodSync(inBackup("lost", changed), 0o600);
    writeFileSync(inBackup("lost", changed), "changed");
    const done = await run("lost", "--skip-missing");
    expect([done.code, done.stderr]).toEqual([0, ""]);
    expect(done.stdout).toContain("Documents that are not in the store, taken from the backup before: 1\n");
    expect(done.stdout).toContain(
      `Documents that are not in this backup, because the store does not have them: 1, listed in ${at("lost/missing.tsv")}\n`,
    );
    expect(readFileSync(inBackup("lost", kept))).toEqual(was);
    expect(readFileSync(at("lost/missing.tsv"), "utf8")).toBe(`${id}\t${changed}\n`);
    // And again, so that the only copy is not lost with the second backup.
    expect((await run("lost", "--skip-missing")).code).toBe(0);
    expect(readFileSync(inBackup("lost", kept))).toEqual(was);
  });

  test("is listed by a backup that has no earlier one; the restore, its audit trail and verify-install say so", async () => {
    const done = await run("lost-again", "--skip-missing");
    expect([done.code, done.stderr]).toEqual([0, ""]);
    expect(readFileSync(at("lost-again/missing.tsv"), "utf8").trimEnd().split("\n").sort()).toEqual(
      hashes.map((sha256) => `${id}\t${sha256}`).sort(),
    );
    const there = await elsewhere();
    const restored = await runCommand(["restore", "--from", at("lost-again")], there.env);
    expect([restored.code, restored.stderr]).toEqual([0, ""]);
    expect(restored.stdout).toContain(
      "Documents that are not restored, because the store did not have them when the backup was made: 2, listed in",
    );
    const entries = await withClient(there.url, async (admin) => {
      const { rows } = await admin.query<{ missing: number }>(
        `select (d.data ->> 'missing_documents')::int as missing from audit_entries e join audit_entry_data d using (org_id, subject, seq)
          where e.type = 'installation.restored'`,
      );
      return rows;
    });
    expect(entries).toEqual([{ missing: 2 }]);
    const checked = await runCommand(["verify-install", "--sample", "0"], there.env);
    const line = checked.stdout.split("\n").find((one) => /^failed +documents /.test(one)) ?? "";
    for (const sha256 of hashes) expect(line).toContain(`${id}/${sha256}`);
    expect(line).toContain(`Missing already in the backup of ${manifestOf(at("lost-again")).made_at}, which was restored here: 2`);
    // What is missing here is as long missing in the backups of this installation.
    const again = await runCommand(["backup", "--to", at("lost-again")], there.env);
    expect([again.code, again.stderr.split("\n")[0]]).toEqual([1, "Documents that the database names and the store does not have: 2"]);
  }, 90_000);
});

describe("a backup is checked in its folder, without a database or a store:", () => {
  const check = (from: string, env: Env = {}) => runCommand(["verify-backup", "--from", from], env);
  const lines = (stdout: string) => stdout.trimEnd().split("\n");

  test("a whole one passes, with its secret only", async () => {
    const done = await check(at("backup"), { APP_SECRET });
    expect([done.code, done.stderr]).toEqual([0, ""]);
    expect(lines(done.stdout).map((line) => line.replace(/ {2}.*/, ""))).toEqual(["ok", "ok", "ok", "ok", "ok", "ok"]);
    const { tables, blobs } = manifestOf(at("backup"));
    expect(done.stdout).toMatch(
      new RegExp(`^ok +tables +${tables.length} with ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows`, "m"),
    );
    expect(done.stdout).toMatch(new RegExp(`^ok +documents +${blobs?.count}, each with the bytes that were written$`, "m"));
    const wrong = await check(at("backup"), { APP_SECRET: "another secret altogether: 77a1f0" });
    expect([wrong.code, lines(wrong.stdout).at(-1)]).toEqual([
      1,
      "failed       secret           APP_SECRET is not the one that this database was made with",
    ]);
    const unknown = await check(at("backup"));
    expect([unknown.code, lines(unknown.stdout).at(-1)]).toEqual([
      0,
      "not checked  secret           APP_SECRET is not set for this command",
    ]);
    const json = await runCommand(["verify-backup", "--from", at("backup"), "--json"], {});
    expect((JSON.parse(json.stdout) as { check: string }[]).map((one) => one.check)).toEqual([
      "manifest",
      "tables",
      "signature",
      "documents",
      "program",
      "secret",
    ]);
  });

  const failures = async () => {
    const found: Record<string, string> = {};
    for await (const one of verifyBackup(at("backup"), null)) if (one.result === "failed") found[one.check] = one.says;
    return found;
  };
  const NOT_SIGNED = "manifest.sig.json is not a signature of a key of this backup over manifest.json";
  let there: Awaited<ReturnType<typeof elsewhere>>;
  beforeAll(async () => {
    there = await elsewhere();
  });
  /** What a restore into an empty database refuses. */
  const restoring = (): Promise<string> =>
    restoreInto(there, at("backup")).then(
      () => expect.fail("it is restored"),
      (error: unknown) => (error instanceof BackupRefused ? error.message : expect.fail(String(error))),
    );
  async function withManifest(changed: unknown, run: () => Promise<void>): Promise<void> {
    const name = join(at("backup"), files.manifest);
    const whole = readFileSync(name);
    writeFileSync(name, JSON.stringify(changed));
    await run().finally(() => writeFileSync(name, whole));
  }

  test("each file with one flipped bit is found, and each that is missing", async () => {
    const all = readdirSync(at("backup"), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    // Those of a kind at once: three faults are named, and the others counted.
    const kinds = [
      ...[files.manifest, files.signature, files.blobs].map((name) => ({ check: null, of: all.filter((file) => file.endsWith(name)) })),
      { check: "documents", of: all.filter((file) => file.includes("/blobs/")) },
      { check: "tables", of: all.filter((file) => file.endsWith(".copy.gz")) },
    ];
    expect(kinds.flatMap(({ of }) => of).sort()).toEqual(all.sort());
    for (const { check, of } of kinds) {
      const wholes = of.map((file) => ({ file, bytes: readFileSync(file) }));
      for (const { file, bytes } of wholes) {
        const changed = Buffer.from(bytes);
        const middle = Math.floor(bytes.length / 2);
        changed.writeUInt8(changed.readUInt8(middle) ^ 1, middle);
        rmSync(file);
        writeFileSync(file, changed);
      }
      const flipped = await failures();
      for (const { file } of wholes) rmSync(file);
      for (const found of [flipped, await failures()]) {
        expect(Object.keys(found).length, String(check)).toBeGreaterThan(0);
        if (check !== null) expect(found[check]).toMatch(new RegExp(` And ${of.length - 3} more\\.$`));
      }
      for (const { file, bytes } of wholes) writeFileSync(file, bytes);
    }
    expect(await failures()).toEqual({});
  }, 90_000);

  test("a manifest that was changed together with a table is refused by its signature", async () => {
    const name = join(at("backup"), files.manifest);
    const whole = readFileSync(name, "utf8");
    const table = join(at("backup"), files.table("tags"));
    const rows = readFileSync(table);
    const changed = gzipSync("");
    writeFileSync(table, changed);
    const manifest = manifestOf(at("backup"));
    const tables = manifest.tables.map((one) => (one.table === "tags" ? { ...one, rows: 0, ...nameBytes(changed) } : one));
    writeFileSync(name, JSON.stringify({ ...manifest, tables }));
    const done = await check(at("backup"));
    expect([done.code, done.stdout.match(/^failed.*$/gm)]).toEqual([
      1,
      ["failed       signature        manifest.sig.json is not a signature of a key of this backup over manifest.json"],
    ]);
    writeFileSync(table, rows);
    writeFileSync(name, whole);
  });

  test("one of the first program that wrote backups is read: its manifest has no member `missing`", async () => {
    const { missing, ...old } = manifestOf(at("backup"));
    expect(missing).toBeNull();
    await withManifest(old, async () => {
      // Its own signature would be over these bytes.
      expect(await failures()).toEqual({ signature: NOT_SIGNED });
      expect(await restoring()).toBe("The signature in manifest.sig.json is not one of this installation over manifest.json.");
    });
  }, 30_000);

  test("a manifest that no backup writes is refused, by the restore too, and no path in it leads out of the folder", async () => {
    const manifest = manifestOf(at("backup"));
    const [first, ...others] = manifest.tables;
    if (first === undefined || manifest.blobs === null) return expect.fail("the backup is empty");
    writeFileSync(at("outside.copy.gz"), readFileSync(join(at("backup"), first.file)));
    const hostile: readonly object[] = [
      { tables: [{ ...first, file: "../outside.copy.gz" }, ...others] },
      { tables: [{ ...first, table: "../../outside", file: "tables/../../outside.copy.gz" }, ...others] },
      { tables: [{ ...first, rows: -1 }, ...others] },
      { tables: [{ ...first, rows: 1e300 }, ...others] },
      { tables: null },
      { queue: { ...manifest.queue, file: "../outside.copy.gz" } },
      { queue: null },
      { blobs: { ...manifest.blobs, file: "../blobs.tsv.gz" } },
      { missing: { file: "../missing.tsv", count: 1, size: 0, sha256: "0".repeat(64) } },
      { version: "1\u001b[2J" },
      { made_at: "yesterday" },
      { migrations: [null] },
      { sequences: [{ name: "s", last_value: "nextval" }] },
      { secret_versions: {} },
      { partitions: [{ table: "events", ends: "evt_0123456789'); drop table orgs; --" }] },
      { has_database: "yes" },
    ];
    const says = `The backup in ${at("backup")} is damaged: its manifest.json is not as a backup writes it.`;
    for (const part of hostile) {
      await withManifest({ ...manifest, ...part }, async () => {
        expect(await failures(), JSON.stringify(part)).toEqual({ manifest: says });
        expect(await restoring(), JSON.stringify(part)).toBe(says);
      });
    }
    rmSync(at("outside.copy.gz"));
    const signature = join(at("backup"), files.signature);
    const signed = readFileSync(signature);
    writeFileSync(signature, "{}");
    expect(await failures()).toEqual({ manifest: `${at("backup")} has no readable manifest.sig.json.` });
    writeFileSync(signature, signed);
  });

  test("one without a database, or without documents, says what cannot be known; another folder is not a backup", async () => {
    for (const [flag, unknown] of [
      ["--no-database", ["tables", "signature", "program", "secret"]],
      ["--no-blobs", ["documents", "secret"]],
    ] as const) {
      expect((await runCommand(["backup", "--to", at("half"), flag], here())).code).toBe(0);
      const done = await check(at("half"));
      expect([done.code, done.stdout.match(/^failed.*$/gm)]).toEqual([0, null]);
      expect([...done.stdout.matchAll(/^not checked {2}(\S+)/gm)].map(([, name]) => name)).toEqual(unknown);
      rmSync(at("half"), { recursive: true });
    }
    const none = await check(folder);
    expect([none.code, none.stdout]).toEqual([1, `failed       manifest         ${folder} is not a backup: it has no manifest.json.\n`]);
  });
});

/** Changes a copy of the backup's manifest, and signs it as the installation would have. */
async function signedAnew(name: string, change: (manifest: Manifest) => object): Promise<string> {
  cpSync(at("backup"), at(name), { recursive: true });
  const { records } = await ensureInstanceKeys(service.features.seals);
  const bytes = Buffer.from(JSON.stringify(change(manifestOf(at("backup")))));
  writeFileSync(join(at(name), files.manifest), bytes);
  const signature = { key_id: records.key_id, signature: Buffer.from(await records.sign(bytes)).toString("base64") };
  writeFileSync(join(at(name), files.signature), JSON.stringify(signature));
  return at(name);
}

/** Removes the last columns of a table from a copy of the backup, and returns how its file is listed then. */
function withoutColumns(name: string, entry: TableEntry, columns: number): TableEntry {
  if (columns === 0) return entry;
  const path = join(at(name), entry.file);
  const lines = gunzipSync(readFileSync(path)).toString().split("\n");
  const bytes = gzipSync(lines.map((line) => line.split("\t").slice(0, -columns).join("\t")).join("\n"));
  writeFileSync(path, bytes);
  return { ...entry, size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** How many columns migrations from 0096 on add to tables of the backup. */
const ADDED_LATER: Readonly<Record<string, number>> = { outbox: 2, email_codes: 1, sessions: 1, orgs: 4, signers: 1, mail_messages: 1 };

test("a backup of an earlier release, with fewer migrations, columns and members, is restored and migrated", async () => {
  const name = "earlier";
  const from = await signedAnew(name, ({ missing: _later, partitions: _none, migrations, tables, ...manifest }) => ({
    ...manifest,
    migrations: migrations.filter((one) => one.name < "0096"),
    tables: tables.map((one) => withoutColumns(name, one, ADDED_LATER[one.table] ?? 0)),
  }));
  const checked = await runCommand(["verify-backup", "--from", from], {});
  expect([checked.code, checked.stdout.match(/^failed.*$/gm)]).toEqual([0, null]);
  const there = await elsewhere();
  const done = await runCommand(["restore", "--from", from], there.env);
  expect([done.code, done.stderr]).toEqual([0, ""]);
  expect((await runCommand(["migrate"], there.env)).stdout).toBe("The database is up to date.\n");
  const { missing_documents } = await withClient(there.url, async (admin) => {
    const { rows } = await admin.query<{ missing_documents: string }>(
      `select d.data ->> 'missing_documents' as missing_documents from audit_entries e join audit_entry_data d using (org_id, subject, seq)
        where e.type = 'installation.restored'`,
    );
    expect(rows).toHaveLength(1);
    return rows[0] as { missing_documents: string };
  });
  expect(missing_documents).toBe("0");
  const state = await runCommand(["verify-install"], there.env);
  expect(state.stdout).toMatch(/^ok +migrations +/m);
  expect(state.stdout).toMatch(/^ok +partitions +for the present and the next three periods$/m);
  const events = "select (select count(*) from events_oldest)::int as before, nextval('events_event_seq_seq')::int as next";
  const [kept] = await service.database.owner<{ n: number }>("select count(*)::int as n from events");
  const [last] = await service.database.owner<{ n: number }>("select last_value::int as n from events_event_seq_seq");
  expect(await withClient(there.url, async (admin) => (await admin.query(events)).rows)).toEqual([
    { before: kept?.n, next: (last?.n ?? 0) + 1 },
  ]);
  expect(state.stdout).toMatch(/^ok +audit trails +/m);
  rmSync(from, { recursive: true });
}, 90_000);

test("a backup that the database cannot note is complete, and a lost connection is not taken for a folder's fault", async () => {
  const { owner } = service.database;
  await owner(`create function refuse_note() returns trigger language plpgsql as $$ begin raise 'no note today'; end $$;
    create trigger refuse_note before update on installation_mode for each row execute function refuse_note()`);
  const done = await runCommand(["backup", "--to", at("unnoted")], here()).finally(() => owner("drop function refuse_note cascade"));
  expect([done.code, done.stderr]).toEqual([0, ""]);
  expect(done.stdout).toContain("The backup is complete, but the database could not note its time");
  expect(done.stdout).toContain("no note today");
  expect((await runCommand(["verify-backup", "--from", at("unnoted")], {})).code).toBe(0);
  rmSync(at("unnoted"), { recursive: true });

  const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read" });
  const deps = {
    ownerUrl: service.database.url,
    objects: { ...filesystemObjects(join(service.config.dataDir, "blobs")), sizeOf: () => Promise.reject(reset) },
    sign: async () => expect.fail("it is signed"),
    version: "test",
    onProgress: () => undefined,
  };
  await expect(writeBackup(deps, { to: at("reset"), database: true, blobs: true, skipMissing: false })).rejects.toBe(reset);
  expect(readdirSync(folder)).not.toContain("reset.partial");
}, 30_000);

test("the backup of another installation is not replaced", async () => {
  const other = await elsewhere();
  expect((await runCommand(["migrate"], other.env)).code).toBe(0);
  const whole = readFileSync(join(at("backup"), files.manifest));
  const refused = await runCommand(["backup", "--to", at("backup")], other.env);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `${at("backup")} has a backup of ${manifestOf(at("backup")).made_at} that was signed with a key which this database does not have: it is of another installation, or newer than the backup from which this one was restored. It was not replaced. Choose another folder.\n`,
  ]);
  expect(readFileSync(join(at("backup"), files.manifest))).toEqual(whole);
  expect(readdirSync(folder)).not.toContain("backup.partial");
});

describe("a restored installation", () => {
  let there: Awaited<ReturnType<typeof elsewhere>>;
  const running: Running[] = [];
  const start = async (part: "serve" | "worker", more: Env = {}): Promise<Running> => {
    const one = await startProcess(part, { ...there.env, ...more });
    running.push(one);
    return one;
  };
  afterAll(() => Promise.all(running.map((one) => stopProcess(one))));
  const run = (...args: string[]): Promise<Finished> => runCommand(args, there.env);
  const rows = async <R extends object>(text: string): Promise<R[]> =>
    withClient(there.url, async (admin) => (await admin.query(text)).rows as R[]);

  test("has every row and document, and is held", async () => {
    there = await elsewhere();
    const done = await run("restore", "--from", at("backup"));
    expect([done.code, done.stderr]).toEqual([0, ""]);
    expect(done.stdout).toContain("The installation is held");
    const after = await contents(there.url);
    const changed = Object.keys(before).filter((table) => before[table] !== after[table]);
    // The audit trails say that they were restored.
    expect(changed).toEqual(["audit_entries", "audit_entry_data", "audit_heads", "log_queue"]);
    const partitions = "select parent, starts, ends from list_partitions() order by 1, 3";
    expect(await rows(partitions)).toEqual(await service.database.owner(partitions));
    const [mode] = await rows<{ held_by: string }>("select held_by from installation_mode");
    expect(mode?.held_by).toBe("restore");
    const queued = await service.database.owner("select task, payload from outbox order by outbox_id");
    expect(await rows("select task, payload from outbox order by outbox_id")).toEqual(queued);
  }, 90_000);

  test("passes verify-install; a missing right, a missing document and a changed trail are named", async () => {
    const sound = await run("verify-install", "--all");
    expect([sound.stderr, sound.code, sound.stdout.match(/^failed.*$/gm)]).toEqual(["", 0, null]);
    expect(sound.stdout).toMatch(/^ok {11}mode +held since/m);
    expect(sound.stdout).toMatch(/^not checked {2}address +there was no answer/m);

    const [newest] = await rows<{ name: string; checksum: string }>(
      "delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, checksum",
    );
    const old = await run("verify-install");
    expect([old.code, old.stdout]).toEqual([1, expect.stringMatching(/^failed +migrations +migrations are missing: 1\.[^\n]*\n$/)]);
    await rows(`insert into schema_migrations (name, checksum) values ('${newest?.name}', '${newest?.checksum}')`);

    const [dropped] = await rows<{ name: string }>(
      "select name from list_partitions() where parent = 'webhook_attempts' order by ends desc limit 1",
    );
    await rows(`drop table ${dropped?.name}`);
    await rows("revoke select on tags from countersign_app");
    const [blob] = await rows<{ org_id: OrgId; sha256: string }>("select org_id, sha256 from blobs where kept order by 2 limit 1");
    const path = join(there.dataDir, "blobs", blobKey(blob?.org_id as OrgId, blob?.sha256 ?? ""));
    copyFileSync(path, at("moved"));
    rmSync(path);
    await rows(`update audit_entries set type = 'envelope.voided' where subject = '${sent}' and seq = 2`);
    const broken = await run("verify-install", "--all", "--json");
    expect([broken.code, broken.stderr]).toEqual([1, ""]);
    const failed = (JSON.parse(broken.stdout) as { check: string; result: string; says: string }[]).filter(
      ({ result }) => result === "failed",
    );
    expect(failed.map(({ check }) => check)).toEqual(["rights", "partitions", "documents", "document hashes", "audit trails"]);
    expect(failed[0]?.says).toContain("missing: table tags: countersign_app may");
    expect(failed[1]?.says).toBe(
      "webhook_attempts: partitions for the next periods are missing. A worker adds them each day; or run: countersign migrate",
    );
    expect(failed[4]?.says).toContain(sent);
    expect((await run("migrate")).code).toBe(0);
    expect((await run("verify-install")).stdout).toMatch(/^ok +partitions +for the present/m);

    await rows("grant select on tags to countersign_app");
    copyFileSync(at("moved"), path);
    await rows(`update audit_entries set type = 'envelope.created' where subject = '${sent}' and seq = 2`);
  }, 90_000);

  test("sends nothing while it is held, but serves: keys work, and its evidence verifies", async () => {
    const { url } = await start("serve", { READY_WHEN_HELD: "true" });
    const serving = url.replace("localhost", "127.0.0.1");
    await start("worker");
    const ready = await fetch(`${serving}/readyz`);
    const { status, checks } = (await ready.json()) as { status: string; checks: Record<string, string> };
    expect([ready.status, status, checks.mode]).toEqual([200, "degraded", expect.stringContaining("countersign release")]);
    const send = client(serving, { "x-api-key": key.api_key });
    expect((await send("GET", `/partner/envelopes/${sent}/status`)).json.data.status).toBe("sent");
    const { bytes } = await send("GET", `/partner/envelopes/${vaulted}/vault/evidence`);
    const trust = (await (await fetch(`${service.url}/.well-known/countersign-trust.json`)).json()) as { root_certificate: string };
    const root = createHash("sha256")
      .update(new X509Certificate(Buffer.from(trust.root_certificate, "base64")).raw)
      .digest("hex");
    expect((await verifyBundle(() => unzipBundle(bytes), { root, tsa_roots: null })).outcome).toBe("VERIFIED");
    await until("the jobs to be done", async () => {
      const [left] = await rows<{ n: number }>(
        "select (select count(*) from outbox)::int + (select count(*) from graphile_worker.jobs where run_at <= now())::int as n",
      );
      return left?.n === 0;
    });
    expect([inbox.messages.length, receiver.requests.length]).toEqual([0, 0]);
    const untried = await rows<{ to_address: string }>("select to_address from mail_messages where state = 'queued' and attempts = 0");
    expect(untried.map(({ to_address }) => to_address)).toContain(tenant.email);
    const [deliveries] = await rows<{ attempts: number; waiting: number }>(
      "select sum(attempt_count)::int as attempts, count(*) filter (where status = 'pending')::int as waiting from webhook_deliveries",
    );
    expect(deliveries).toEqual({ attempts: 0, waiting: expect.toSatisfy((n: number) => n > 0) });
  }, 90_000);

  test("without READY_WHEN_HELD gets no visitors from a balancer", async () => {
    const { url } = await start("serve");
    const answer = await fetch(`${url.replace("localhost", "127.0.0.1")}/readyz`);
    expect([answer.status, ((await answer.json()) as { status: string }).status]).toEqual([503, "not ready"]);
  });

  test("is not released while its store has a newer checkpoint, except if the operator accepts that", async () => {
    await org.admin("POST", "/partner/tags", { body: { name: "Later" } });
    await key.send("POST", `/partner/envelopes/${sent}/remind`);
    await advanceLog(service.features.log);
    await keepCheckpoint({ db: service.db, storage: service.features.storage });
    const note = await service.features.storage.blobs.readNote("checkpoint");
    await filesystemObjects(join(there.dataDir, "blobs")).writeNote("checkpoint", note ?? expect.fail("no checkpoint was kept"));
    const older = await run("release", "--yes");
    expect([older.code, older.stderr]).toEqual([1, expect.stringContaining("an older backup was restored")]);
    expect((await run("release")).stderr).toContain("--accept-older");
    expect([inbox.messages.length, receiver.requests.length]).toEqual([0, 0]);
  });

  test("sends what waited once it is released, and nothing of what was cancelled", async () => {
    const noTerminal = await run("release", "--accept-older");
    expect([noTerminal.code, noTerminal.stderr.split("\n")[0]]).toEqual([2, "Without a terminal, countersign release needs --yes"]);
    const done = await run("release", "--accept-older", "--cancel-deliveries", "--yes");
    expect([done.stderr, done.code]).toEqual(["", 0]);
    const waiting = Number(/messages: (\d+), the oldest since/.exec(done.stdout)?.[1]);
    expect(done.stdout).toMatch(/The log continues as \S+\/2/);
    await until("the messages", async () => inbox.messages.length === waiting, 60_000);
    expect(inbox.messages.map(({ to }) => to)).toContainEqual([tenant.email]);
    expect(receiver.requests).toEqual([]);
    expect((await run("release", "--yes")).stderr).toBe("The installation is not held.\n");
  }, 90_000);

  test("can be held by hand", async () => {
    expect((await run("hold")).stdout).toContain("The installation is held");
    expect((await run("hold")).stdout).toBe("The installation is held already.\n");
    const trail = await rows<{ type: string }>(
      `select type from audit_entries where subject = '${org.org_id}' and type like 'installation.%' order by seq`,
    );
    expect(trail.map(({ type }) => type)).toEqual(["installation.restored", "installation.released", "installation.held"]);
  }, 90_000);
});
