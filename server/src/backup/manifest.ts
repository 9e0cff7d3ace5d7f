import { createReadStream, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { nameFile } from "../storage/hash.ts";
import {
  BackupRefused,
  type FileEntry,
  FORMAT,
  files,
  type Manifest,
  type ManifestSignature,
  readLine,
  type StoredBlob,
} from "./backup.ts";

export interface ReadManifest {
  readonly manifest: Manifest;
  readonly bytes: Uint8Array;
  readonly signed: ManifestSignature;
}

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Word = Type.String({ pattern: "^[\\w.+-]{1,200}$" });
const entry = { size: Count, sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }) };
const isNull = Type.Null();

const Signature = Type.Object({ key_id: Type.String({ pattern: "^[0-9a-f]{64}$" }), signature: Type.String({ maxLength: 200 }) });

/** Names of tables that others made can be any; in a path they must be one name. Control characters would reach the operator's terminal. */
const Table = Type.String({ pattern: "^[^/\\u0000-\\u001f\\u007f-\\u009f]{1,63}$" });

const Described = Type.Object({
  made_at: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$" }),
  version: Word,
  migrations: Type.Array(Type.Object({ name: Word, checksum: Word })),
  secret_versions: Type.Array(Type.Object({ version: Count, check: Type.String(), in_use: Type.Boolean(), retired: Type.Boolean() })),
  log_size: Type.Union([Count, isNull]),
  tables: Type.Array(Type.Object({ table: Table, rows: Count, file: Type.String(), ...entry })),
  sequences: Type.Array(Type.Object({ name: Type.String(), last_value: Type.Union([Type.String({ pattern: "^-?\\d{1,19}$" }), isNull]) })),
  // Backups of before there were partitions have no such member.
  partitions: Type.Optional(Type.Array(Type.Object({ table: Table, ends: Type.String({ pattern: "^\\w{1,19}$" }) }))),
  blobs: Type.Union([Type.Object({ file: Type.Literal(files.blobs), count: Count, bytes: Count, ...entry }), isNull]),
  // The first program that wrote this format had no such member.
  missing: Type.Optional(Type.Union([Type.Object({ file: Type.Literal(files.missing), count: Count, ...entry }), isNull])),
});
const Queue = Type.Object({ file: Type.Literal(files.queue), rows: Count, ...entry });
const WithDatabase = Type.Object({ has_database: Type.Literal(true), queue: Queue });
const WithoutDatabase = Type.Object({ has_database: Type.Literal(false), tables: Type.Array(Type.Unknown(), { maxItems: 0 }) });

/** Every file has the name that `backup` gives it, so no path of a manifest leads out of its folder. */
const isManifest = (value: unknown): value is Manifest =>
  Check(Described, value) &&
  (Check(WithDatabase, value) || Check(WithoutDatabase, value)) &&
  value.tables.every(({ table, file }) => file === files.table(table));

export async function readManifest(folder: string): Promise<ReadManifest> {
  if (!existsSync(join(folder, files.manifest))) throw new BackupRefused(`${folder} is not a backup: it has no ${files.manifest}.`);
  const bytes = await readFile(join(folder, files.manifest));
  const read = parsed(bytes);
  if ((read as { format?: unknown } | null)?.format !== FORMAT)
    throw new BackupRefused(`${folder} is not a backup that this program can read.`);
  if (!isManifest(read)) throw new BackupRefused(`The backup in ${folder} is damaged: its ${files.manifest} is not as a backup writes it.`);
  const signed = existsSync(join(folder, files.signature)) ? parsed(await readFile(join(folder, files.signature))) : null;
  if (!Check(Signature, signed)) throw new BackupRefused(`${folder} has no readable ${files.signature}.`);
  return { manifest: { ...read, missing: read.missing ?? null, partitions: read.partitions ?? [] }, bytes, signed };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return null;
  }
}

/** Throws if one file of the backup, except a blob, is not as the manifest says. Blobs are compared while they are copied. */
export async function requireWholeFiles(folder: string, { tables, queue, blobs, missing, has_database }: Manifest): Promise<void> {
  const listed: FileEntry[] = [...tables, ...(has_database ? [queue] : []), ...[blobs, missing].filter((one) => one !== null)];
  for (const one of listed) await requireWhole(folder, one);
}

export async function requireWhole(folder: string, { file, sha256 }: Pick<FileEntry, "file" | "sha256">): Promise<void> {
  const path = join(folder, file);
  if (!existsSync(path)) throw new BackupRefused(`The backup is incomplete: ${file} is missing.`);
  if ((await nameFile(path)).sha256 !== sha256) throw new BackupRefused(`The backup is damaged: ${file} has changed since it was made.`);
}

/** How many documents of each organization the store did not have when the backup was made. */
export async function countMissing(folder: string, { missing }: Pick<Manifest, "missing">): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  if (missing === null) return counts;
  for await (const line of createInterface({ input: createReadStream(join(folder, missing.file)) })) {
    const [org_id = ""] = line.split("\t");
    counts.set(org_id, (counts.get(org_id) ?? 0) + 1);
  }
  return counts;
}

export async function* readBlobList(folder: string): AsyncGenerator<StoredBlob> {
  const path = join(folder, files.blobs);
  if (!existsSync(path)) return;
  for await (const line of createInterface({ input: createReadStream(path).pipe(createGunzip()) })) yield readLine(line);
}
