import { locks, takeLock } from "../db/locks.ts";
import { type Read, sql, type Tx } from "../db/sql.ts";
import type { KeyLabel } from "../shared/secrets.ts";

export interface KnownVersion {
  readonly version: number;
  readonly check_enc: Buffer;
  readonly first_seen_at: Date;
  /** since when new values are encrypted under it; null while it is only accepted */
  readonly used_from: Date | null;
  readonly retired_at: Date | null;
}

/** Processes that start at the same time, and commands that change versions, take turns. */
export async function lockVersions(tx: Tx): Promise<void> {
  await takeLock(tx, locks.secretVersions);
}

export async function listVersions(read: Read): Promise<KnownVersion[]> {
  const { rows } = await read.query<KnownVersion>(sql`
    select version, check_enc, first_seen_at, used_from, retired_at from secret_versions order by version`);
  return rows;
}

export async function insertVersion(tx: Tx, version: number, check_enc: Buffer): Promise<void> {
  await tx.query(sql`insert into secret_versions (version, check_enc) values (${version}, ${check_enc})`);
}

export async function markUsed(tx: Tx, version: number): Promise<void> {
  await tx.query(sql`update secret_versions set used_from = clock_timestamp() where version = ${version}`);
}

export async function markRetired(tx: Tx, version: number): Promise<void> {
  await tx.query(sql`update secret_versions set retired_at = now() where version = ${version}`);
}

export interface EncryptedValue {
  /** sorts all values */
  readonly position: string;
  /** table and column */
  readonly place: string;
  readonly org_id: string | null;
  readonly id: string;
  readonly label: KeyLabel;
  readonly context: string;
  readonly value: Buffer;
}

/** Values of all orgs that are not encrypted under this version. */
export async function listValuesToReWrap(read: Read, version: number, after: string, limit: number): Promise<EncryptedValue[]> {
  const { rows } = await read.query<EncryptedValue>(sql`
    select "position", place, org_id, id, label, context, value from values_to_re_wrap(${version}, ${after}, ${limit})`);
  return rows;
}

/** False if the value has changed or was erased in the meantime. */
export async function replaceValue(tx: Tx, { place, org_id, id, value }: EncryptedValue, renewed: Buffer): Promise<boolean> {
  const { rows } = await tx.query<{ replaced: boolean }>(sql`
    select re_wrap_value(${place}, ${org_id}, ${id}, ${value}, ${renewed}) as replaced`);
  return rows[0]?.replaced === true;
}

/** How many values are encrypted under each version; 0 stands for values from before versions. */
export async function countValues(read: Read): Promise<ReadonlyMap<number, number>> {
  const { rows } = await read.query<{ version: number; n: number }>(sql`select version, n::int as n from count_secret_values()`);
  return new Map(rows.map(({ version, n }) => [version, n]));
}
