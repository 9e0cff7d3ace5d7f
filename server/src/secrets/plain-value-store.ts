import { type Read, sql, type Tx } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";

/** A value that is not encrypted yet, although its column can be. */
export interface PlainValue {
  /** table and column of the encrypted value */
  readonly place: string;
  /** the columns that identify its row */
  readonly id: Readonly<Record<string, string | number>>;
  readonly context: string;
  readonly value: Buffer;
}

/** The first organization after this one that has any. */
export async function nextOrgToEncrypt(read: Read, after: string): Promise<OrgId | null> {
  const { rows } = await read.query<{ org_id: OrgId | null }>(sql`select next_org_to_encrypt(${after}) as org_id`);
  return rows[0]?.org_id ?? null;
}

/** Of the organization of the transaction: at least one, and no more once they have this many bytes. */
export async function listPlainValues(tx: Tx, limit: number, bytes: number): Promise<PlainValue[]> {
  const { rows } = await tx.query<PlainValue>(sql`
    select place, id, context, value from (
      select v.*, sum(octet_length(v.value)) over (rows between unbounded preceding and 1 preceding) as before
      from (select place, id, context, value from plain_values limit ${limit}) v) sized
    where coalesce(before, 0) < ${bytes}`);
  return rows;
}

/** Returns how many of them were still the same. */
export async function encryptValues(
  tx: Tx,
  place: string,
  rows: readonly (PlainValue["id"] & { readonly plain_sha256: string; readonly sealed: string })[],
): Promise<number> {
  const { rows: done } = await tx.query<{ n: number }>(sql`select encrypt_values(${place}, ${JSON.stringify(rows)}::jsonb)::int as n`);
  return done[0]?.n ?? 0;
}

export async function countPlainValues(read: Read): Promise<number> {
  const { rows } = await read.query<{ n: number }>(sql`select count_values_to_encrypt()::float8 as n`);
  return rows[0]?.n ?? 0;
}
