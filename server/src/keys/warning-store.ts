import { sql, type Tx } from "../db/sql.ts";
import type { KeyId, OrgId } from "../shared/ids.ts";

/** Which keys expire soon, and how many days before it the admins got a message. */

export async function findEndingKeys(tx: Tx): Promise<{ org_id: OrgId; key_id: KeyId }[]> {
  const { rows } = await tx.query<{ org_id: OrgId; key_id: KeyId }>(sql`select org_id, key_id from find_ending_keys()`);
  return rows;
}

interface WarnedKey {
  readonly partner_name: string;
  readonly key_hint: string;
  readonly expires_at: Date;
  readonly warned_days: number | null;
}

/** Null if the key has expired, was deactivated, or no longer expires. */
export async function lockWarned(tx: Tx, org: OrgId, key_id: KeyId): Promise<WarnedKey | null> {
  const { rows } = await tx.query<WarnedKey>(sql`
    select partner_name, key_hint, expires_at, warned_days from api_keys
    where org_id = ${org} and key_id = ${key_id} and deactivated_at is null and expires_at > now() for no key update`);
  return rows[0] ?? null;
}

export async function markWarned(tx: Tx, org: OrgId, key_id: KeyId, days: number): Promise<void> {
  await tx.query(sql`update api_keys set warned_days = ${days} where org_id = ${org} and key_id = ${key_id}`);
}
