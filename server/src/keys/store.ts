import { FENCED } from "../db/fence.ts";
import { type Read, sql, type Tx } from "../db/sql.ts";
import type { KeyId, OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { Scope } from "../shared/scopes.ts";
import type { ApiKey } from "./key.ts";

const columns = sql`k.key_id, k.partner_name, k.key_hint, k.scopes, k.rate_limit_rpm, k.lenient_fields, k.webhook, k.created_by, k.created_at, k.updated_at,
  k.rotated_at, k.deactivated_at, u.last_used_at, s.expires_at as previous_key_expires_at`;
const joined = sql`api_keys k join api_key_usage u using (org_id, key_id)
  left join api_key_secrets s on s.org_id = k.org_id and s.key_id = k.key_id and s.state = 'retiring' and s.expires_at > now()`;

export async function insertKey(tx: Tx, org: OrgId, key: Omit<ApiKey, "created_at" | "updated_at">, secret_hash: Buffer): Promise<void> {
  await tx.query(sql`
    insert into api_keys (org_id, key_id, partner_name, key_hint, scopes, rate_limit_rpm, created_by)
    values (${org}, ${key.key_id}, ${key.partner_name}, ${key.key_hint}, ${key.scopes}, ${key.rate_limit_rpm}, ${key.created_by})`);
  await tx.query(sql`insert into api_key_usage (org_id, key_id) values (${org}, ${key.key_id})`);
  await insertSecret(tx, org, key.key_id, secret_hash);
}

async function insertSecret(tx: Tx, org: OrgId, key_id: KeyId, secret_hash: Buffer): Promise<void> {
  await tx.query(sql`
    insert into api_key_secrets (org_id, key_id, state, secret_hash) values (${org}, ${key_id}, 'current', ${secret_hash})`);
}

export async function findKey(read: Read, org: OrgId, key_id: KeyId): Promise<ApiKey> {
  const { rows } = await read.query<ApiKey>(sql`select ${columns} from ${joined} where k.org_id = ${org} and k.key_id = ${key_id}`);
  const key = rows[0];
  if (key === undefined) throw new Problem("key_not_found");
  return key;
}

/** Locks the key's row for a change. Throws if the key is deactivated. `judge` is called with the key before that check. */
export async function lockActiveKey(tx: Tx, org: OrgId, key_id: KeyId, judge?: (now: ApiKey) => void): Promise<ApiKey> {
  await tx.query(sql`select from api_keys where org_id = ${org} and key_id = ${key_id} for no key update`);
  const key = await findKey(tx, org, key_id);
  judge?.(key);
  if (key.deactivated_at !== null) throw new Problem("key_deactivated");
  return key;
}

export async function listKeys(read: Read, org: OrgId, { page, limit }: PageRequest): Promise<Page<ApiKey>> {
  const { rows } = await read.query<ApiKey>(sql`
    select ${columns} from ${joined} where k.org_id = ${org} order by k.key_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from api_keys where org_id = ${org}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

export async function updateKey(
  tx: Tx,
  org: OrgId,
  key: Pick<ApiKey, "key_id" | "partner_name" | "scopes" | "rate_limit_rpm" | "lenient_fields" | "webhook">,
): Promise<void> {
  const webhook = key.webhook === null ? null : JSON.stringify(key.webhook);
  await tx.query(sql`
    update api_keys set partner_name = ${key.partner_name}, scopes = ${key.scopes}, rate_limit_rpm = ${key.rate_limit_rpm},
      lenient_fields = ${key.lenient_fields}, webhook = ${webhook}, updated_at = now()
    where org_id = ${org} and key_id = ${key.key_id}`);
}

/**
 * Makes the new secret current and retires the previous one with a fixed end, in the caller's transaction. A secret that is still
 * retiring from an earlier rotation is deleted, so at most two secrets work. Without a grace period the previous one is deleted at once.
 */
export async function replaceSecret(
  tx: Tx,
  org: OrgId,
  key_id: KeyId,
  fresh: { hash: Buffer; hint: string },
  retires_at: Date | null,
): Promise<void> {
  await tx.query(sql`delete from api_key_secrets where org_id = ${org} and key_id = ${key_id} and state = 'retiring'`);
  if (retires_at === null) {
    await tx.query(sql`delete from api_key_secrets where org_id = ${org} and key_id = ${key_id} and state = 'current'`);
  } else {
    await tx.query(sql`
      update api_key_secrets set state = 'retiring', expires_at = ${retires_at}
      where org_id = ${org} and key_id = ${key_id} and state = 'current'`);
  }
  await insertSecret(tx, org, key_id, fresh.hash);
  await tx.query(sql`
    update api_keys set key_hint = ${fresh.hint}, rotated_at = now(), updated_at = now() where org_id = ${org} and key_id = ${key_id}`);
}

/** Returns when the key was deactivated; `changed` is true if this call did it. */
export async function markDeactivated(tx: Tx, org: OrgId, key_id: KeyId): Promise<{ deactivated_at: Date; changed: boolean }> {
  const { rows } = await tx.query<{ deactivated_at: Date }>(sql`
    update api_keys set deactivated_at = now(), updated_at = now()
    where org_id = ${org} and key_id = ${key_id} and deactivated_at is null returning deactivated_at`);
  if (rows[0] !== undefined) return { deactivated_at: rows[0].deactivated_at, changed: true };
  const { deactivated_at } = await findKey(tx, org, key_id);
  if (deactivated_at === null) throw new Error("a key is still active after it was deactivated");
  return { deactivated_at, changed: false };
}

export interface UsedSecret {
  org_id: OrgId;
  key_id: KeyId;
  scopes: Scope[];
  secret_expires_at: Date | null;
  accepted: boolean;
  quota: number;
  remaining: number;
  reset_at: string;
  lenient_fields: boolean;
}

/** Finds the secret, counts the request, records the use and sets the org of the connection. Null if there is no such secret. */
export async function useSecret(read: Read, secret_sha256: Uint8Array): Promise<UsedSecret | null> {
  const { rows } = await read.query<UsedSecret>({
    name: "authenticate-key",
    text: `select *, ${FENCED} from authenticate_key($1)`,
    values: [secret_sha256],
  });
  return rows[0] ?? null;
}
