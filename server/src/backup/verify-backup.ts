import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { readMigrations } from "../db/migrate.ts";
import { isSignatureBy } from "../seals/signer.ts";
import { WrongSecret } from "../secrets/admit-secrets.ts";
import type { OrgId } from "../shared/ids.ts";
import type { AppSecrets } from "../shared/secrets.ts";
import { sha256 as hashOf } from "../shared/secrets.ts";
import { blobKey } from "../storage/blob-store.ts";
import { nameFile } from "../storage/hash.ts";
import { BackupRefused, files, type Manifest } from "./backup.ts";
import { type Finding, finding, Unknown, Wrong } from "./findings.ts";
import { type ReadManifest, readBlobList, readManifest, requireWhole } from "./manifest.ts";
import { migrationsOf, requireSecretsOf } from "./restore.ts";

/**
 * Checks a backup in its folder, without a database or a store: everything that a restore would refuse, except that its rows fit together.
 * `secrets` are those of this command's settings, if it has any.
 */
export async function* verifyBackup(folder: string, secrets: AppSecrets | null): AsyncGenerator<Finding> {
  let read: ReadManifest | null = null;
  yield await finding("manifest", async () => {
    read = await readManifest(folder);
    return about(read.manifest);
  });
  // Assigned in the closure above, which the compiler does not follow.
  const found = read as ReadManifest | null;
  if (found === null) return;
  const { manifest } = found;
  const checks: Readonly<Record<string, () => Promise<string>>> = {
    tables: () => tables(folder, manifest),
    signature: () => signature(folder, found),
    documents: () => documents(folder, manifest),
    program: () => program(manifest),
    secret: () => secret(manifest, secrets),
  };
  for (const [check, run] of Object.entries(checks)) yield await finding(check, run);
}

function about({ made_at, version, has_database, blobs }: Manifest): string {
  const parts = [has_database ? "the database" : null, blobs === null ? null : `${blobs.count} documents`].filter((one) => one !== null);
  return `made ${made_at} by version ${version}, with ${parts.join(" and ")}`;
}

const NO_DATABASE = "this backup has no database (--no-database)";

async function tables(folder: string, { has_database, tables: listed, queue }: Manifest): Promise<string> {
  if (!has_database) throw new Unknown(NO_DATABASE);
  const faults: string[] = [];
  for (const { file, sha256, rows } of [...listed, queue]) {
    const fault = await faultOf(folder, { file, sha256 });
    if (fault !== null) faults.push(fault);
    else {
      const found = await countRows(join(folder, file));
      if (found !== rows) faults.push(`${file} has ${found} rows instead of ${rows}.`);
    }
  }
  refuse(faults);
  return `${listed.length} with ${listed.reduce((sum, { rows }) => sum + rows, 0)} rows, and ${queue.rows} queued jobs, as they were written`;
}

async function faultOf(folder: string, entry: Parameters<typeof requireWhole>[1]): Promise<string | null> {
  try {
    await requireWhole(folder, entry);
    return null;
  } catch (error) {
    if (error instanceof BackupRefused) return error.message;
    throw error;
  }
}

const SHOWN = 3;

function refuse(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const more = faults.length > SHOWN ? ` And ${faults.length - SHOWN} more.` : "";
  throw new Wrong(`${faults.slice(0, SHOWN).join(" ")}${more}`);
}

/** COPY writes one line for each row; line breaks in values are escaped. */
async function countRows(path: string): Promise<number> {
  let rows = 0;
  for await (const chunk of createReadStream(path).pipe(createGunzip()) as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) rows++;
  return rows;
}

const NEWLINE = 0x0a;

/** The key is in the backup too, so this shows that its files belong together, not who made them. */
async function signature(folder: string, { manifest, bytes, signed }: ReadManifest): Promise<string> {
  if (!manifest.has_database) throw new Unknown(`${NO_DATABASE}, which has the key`);
  const keys = manifest.tables.find(({ table }) => table === "instance_keys");
  if (keys === undefined) throw new Wrong(`${files.manifest} has no table instance_keys, which has the key`);
  await requireWhole(folder, keys);
  const public_key = await lookUpKeyIn(join(folder, keys.file), signed.key_id);
  const isRight = public_key !== null && isSignatureBy({ algorithm: "EdDSA", public_key }, bytes, Buffer.from(signed.signature, "base64"));
  if (!isRight) throw new Wrong(`${files.signature} is not a signature of a key of this backup over ${files.manifest}`);
  return `of the records key ${signed.key_id}, which is in the backup`;
}

/** Among the rows as COPY wrote them, whatever the order of their columns. A key is known by its hash, which is no column of a backup. */
async function lookUpKeyIn(path: string, key_id: string): Promise<Buffer | null> {
  for await (const line of createInterface({ input: createReadStream(path).pipe(createGunzip()) })) {
    const columns = line.split("\t");
    if (!columns.includes("records")) continue;
    const values = columns.filter((one) => one.startsWith("\\\\x")).map((one) => Buffer.from(one.slice(3), "hex"));
    const key = values.find((value) => hashOf(value).toString("hex") === key_id);
    if (key !== undefined) return key;
  }
  return null;
}

async function documents(folder: string, { blobs, missing }: Manifest): Promise<string> {
  if (blobs === null) throw new Unknown("this backup has no documents (--no-blobs)");
  for (const entry of missing === null ? [blobs] : [blobs, missing]) await requireWhole(folder, entry);
  const faults: string[] = [];
  let count = 0;
  for await (const { org_id, sha256, size, stored_sha256 } of readBlobList(folder)) {
    const path = join(folder, "blobs", blobKey(org_id as OrgId, sha256));
    const found = existsSync(path) ? await nameFile(path) : null;
    if (found === null) faults.push(`The document ${sha256} of ${org_id} is missing.`);
    else if (found.sha256 !== stored_sha256 || found.size !== size) faults.push(`The document ${sha256} of ${org_id} has changed.`);
    count++;
  }
  if (count !== blobs.count) faults.push(`${files.blobs} lists ${count} documents instead of ${blobs.count}.`);
  refuse(faults);
  const without = missing === null ? "" : `; ${missing.count} were missing in the store and are not in it (${files.missing})`;
  return `${count}, each with the bytes that were written${without}`;
}

async function program(manifest: Manifest): Promise<string> {
  if (!manifest.has_database) throw new Unknown(NO_DATABASE);
  migrationsOf(manifest, await readMigrations());
  return "this version can restore it";
}

async function secret(manifest: Manifest, secrets: AppSecrets | null): Promise<string> {
  if (!manifest.has_database) throw new Unknown(NO_DATABASE);
  if (secrets === null) throw new Unknown("APP_SECRET is not set for this command");
  try {
    requireSecretsOf(manifest, secrets);
  } catch (error) {
    throw error instanceof WrongSecret ? new Wrong(error.message) : error;
  }
  return "APP_SECRET is the one of this backup";
}
