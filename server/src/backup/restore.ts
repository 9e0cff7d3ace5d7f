import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { copyAlone, isUnused, type Loader, withLoader } from "../db/copies.ts";
import { type Migration, migrate, newestOf, numberOf, readMigrations, TableInUse } from "../db/migrate.ts";
import { isSignatureBy } from "../seals/signer.ts";
import { requireVersions } from "../secrets/admit-secrets.ts";
import type { OrgId } from "../shared/ids.ts";
import type { AppSecrets } from "../shared/secrets.ts";
import { BytesChanged, blobKey, type StoredForm } from "../storage/blob-store.ts";
import { nameStream, piecesOf } from "../storage/hash.ts";
import { BackupRefused, files, type Manifest, type Objects, type Progress } from "./backup.ts";
import { countMissing, type ReadManifest, readBlobList, readManifest, requireWholeFiles } from "./manifest.ts";
import { holdRestored, lookUpRecordsKey } from "./store.ts";

export interface RestoreDeps {
  readonly ownerUrl: string;
  readonly objects: Objects;
  readonly secrets: AppSecrets;
  /** the operating system's user, for the audit trails */
  readonly operator: string;
  readonly onProgress: Progress;
}

/**
 * Fills an empty database and the document store with a backup. Everything is checked before anything is written: the files, the secret, the
 * migrations, and that the database is empty. All rows are committed at once, after the documents are in place, together with the mode
 * `held`, so nothing ever leaves a restored installation before it is released. A restore that died can be run again.
 */
export async function restore(deps: RestoreDeps, folder: string): Promise<Manifest> {
  const manifest = await copyAlone(deps.ownerUrl, () => restoreAlone(deps, folder));
  if (manifest === null)
    throw new BackupRefused("Another restore into this database, or a backup of it, is running. Wait until it has ended.");
  return manifest;
}

async function restoreAlone({ ownerUrl, objects, secrets, operator, onProgress }: RestoreDeps, folder: string): Promise<Manifest> {
  const read = await readManifest(folder);
  const { manifest } = read;
  if (!manifest.has_database) throw new BackupRefused("This backup has no database (--no-database), so it cannot be restored alone.");
  await requireWholeFiles(folder, manifest);
  requireSecretsOf(manifest, secrets);
  const wanted = migrationsOf(manifest, await readMigrations());
  if (!(await isUnused(ownerUrl))) throw new BackupRefused(NOT_EMPTY);
  onProgress(`Backup of ${manifest.made_at}: all files are as they were written`);
  await migrate(ownerUrl, wanted).catch(refuseOtherSchema);
  await withLoader(ownerUrl, async (loader) => {
    if (manifest.partitions.length > 0) await loader.setPartitions(manifest.partitions);
    await loadTables(loader, folder, manifest, onProgress);
    await requireSigned(loader, read);
    if (manifest.blobs !== null) onProgress(`Documents: ${await copyBlobs(objects, folder)}`);
    const { made_at, version, log_size } = manifest;
    const missing = manifest.blobs === null ? null : Object.fromEntries(await countMissing(folder, manifest));
    await holdRestored(loader, { made_at, version, log_size, missing, operator });
  });
  onProgress(`Database: ${manifest.tables.length} tables, ${manifest.tables.reduce((sum, { rows }) => sum + rows, 0)} rows`);
  if (manifest.missing !== null) {
    onProgress(
      `Documents that are not restored, because the store did not have them when the backup was made: ${manifest.missing.count}, listed in ${join(folder, manifest.missing.file)}`,
    );
  }
  return manifest;
}

/** Throws `WrongSecret` unless the secrets are those of the backup. */
export function requireSecretsOf({ secret_versions, made_at }: Manifest, secrets: AppSecrets): void {
  const known = secret_versions.map(({ version, check, in_use, retired }) => ({
    version,
    check_enc: Buffer.from(check, "base64"),
    used_from: in_use ? new Date(made_at) : null,
    retired_at: retired ? new Date(made_at) : null,
  }));
  requireVersions(known, secrets);
}

/** Those that the backup was made with. Files that take something away may have been left for later then. */
export function migrationsOf({ migrations }: Manifest, ours: readonly Migration[]): readonly Migration[] {
  const known = new Map(ours.map((migration) => [migration.name, migration]));
  return migrations.map(({ name, checksum }) => {
    if (numberOf(name) > newestOf(ours))
      throw new BackupRefused(`A newer version of this program made the backup (it has ${name}). Use that version.`);
    const own = known.get(name);
    if (own === undefined || own.checksum !== checksum)
      throw new BackupRefused(`The backup has a migration ${name} that this program does not have.`);
    return own;
  });
}

const NOT_EMPTY = "The database is not empty. A backup is restored into an empty database only.";

/** The database has tables of something else, or of a newer program. */
function refuseOtherSchema(cause: unknown): never {
  if (cause instanceof TableInUse) throw new BackupRefused(cause.message, { cause });
  throw new BackupRefused(`${NOT_EMPTY} (${cause instanceof Error ? cause.message : String(cause)})`, { cause });
}

async function loadTables(loader: Loader, folder: string, { tables, queue, sequences }: Manifest, onProgress: Progress): Promise<void> {
  // The same migrations made the same tables, so these belong to someone else.
  const others = tables.filter(({ table }) => !loader.tables.includes(table));
  if (others.length > 0) onProgress(`Not restored, because they are not of this program: ${others.map(({ table }) => table).join(", ")}`);
  // In the order of the foreign keys here, which need not be the one of the backup.
  for (const table of loader.tables) {
    const entry = tables.find((one) => one.table === table);
    if (entry === undefined) throw new BackupRefused(`The backup has no table ${table}.`);
    const { stream, rows } = loader.loadTable(table);
    await pipeline(createReadStream(join(folder, entry.file)), createGunzip(), stream);
    if (rows() !== entry.rows) throw new BackupRefused(`The table ${table} has ${rows()} rows instead of ${entry.rows}.`);
  }
  // Before the queue, whose rows take new numbers. A sequence keeps its number when an earlier restore was rolled back.
  for (const sequence of sequences) await loader.setSequence(sequence);
  const { stream, rows } = loader.loadQueue();
  await pipeline(createReadStream(join(folder, queue.file)), createGunzip(), stream);
  if (rows() !== queue.rows) throw new BackupRefused(`The queue has ${rows()} jobs instead of ${queue.rows}.`);
}

/** The key is in the backup too, so this shows that manifest and database belong together, not who made them. */
async function requireSigned(loader: Loader, { bytes, signed }: ReadManifest): Promise<void> {
  const public_key = await lookUpRecordsKey(loader, signed.key_id);
  const signature = Buffer.from(signed.signature, "base64");
  if (public_key === null || !isSignatureBy({ algorithm: "EdDSA", public_key }, bytes, signature))
    throw new BackupRefused(`The signature in ${files.signature} is not one of this installation over ${files.manifest}.`);
}

async function copyBlobs(objects: Objects, folder: string): Promise<number> {
  let copied = 0;
  for await (const { org_id, sha256, size, stored_sha256 } of readBlobList(folder)) {
    const path = join(folder, "blobs", blobKey(org_id as OrgId, sha256));
    if (!existsSync(path)) throw new BackupRefused(`The backup is incomplete: the document ${sha256} of ${org_id} is missing.`);
    await objects.put(org_id as OrgId, sha256, storedForm(path, { size, sha256: stored_sha256 })).catch((cause: unknown) => {
      if (!(cause instanceof BytesChanged)) throw cause;
      throw new BackupRefused(`The backup is damaged: the document ${sha256} of ${org_id} has changed since it was made.`, { cause });
    });
    copied++;
  }
  return copied;
}

/** The bytes of a store as they were, encrypted or not. They are compared with their hash when they have arrived. */
const storedForm = (path: string, { size, sha256 }: { readonly size: number; readonly sha256: string }): StoredForm => ({
  size,
  sha256: async () => sha256,
  open: () => piecesOf(path),
  file: path,
  isSound: async (pieces) => (await nameStream(pieces)).sha256 === sha256,
});
