import { FENCED } from "../db/fence.ts";
import { type Leased, type Read, sql, type Tx } from "../db/sql.ts";
import type { Origin } from "../shared/caller.ts";
import type { KeyId, OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { Scope } from "../shared/scopes.ts";
import type { ApiKey } from "./key.ts";

const columns = sql`k.org_id, k.key_id, k.partner_name, k.key_hint, k.scopes, k.rate_limit_rpm, k.lenient_fields, k.webhook, k.created_by, k.created_at, k.updated_at,
  k.expires_at, k.allowed_cidrs::text[], k.rotated_at, k.deactivated_at, u.last_used_at, host(u.last_used_ip) as last_used_ip, u.last_used_user_agent, s.expires_at as previous_key_expires_at`;
const joined = sql`api_keys k join api_key_usage u using (org_id, key_id)
  left join api_key_secrets s on s.org_id = k.org_id and s.key_id = k.key_id and s.state = 'retiring' and s.expires_at > now()`;

type NewRow = Pick<
  ApiKey,
  "key_id" | "partner_name" | "key_hint" | "scopes" | "rate_limit_rpm" | "expires_at" | "allowed_cidrs" | "created_by"
>;

export async function insertKey(tx: Tx, org: OrgId, key: NewRow, secret_hash: Buffer): Promise<void> {
  await tx.query(sql`
    insert into api_keys (org_id, key_id, partner_name, key_hint, scopes, rate_limit_rpm, expires_at, allowed_cidrs, created_by)
    values (${org}, ${key.key_id}, ${key.partner_name}, ${key.key_hint}, ${key.scopes}, ${key.rate_limit_rpm}, ${key.expires_at},
      ${key.allowed_cidrs}::cidr[], ${key.created_by})`);
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

export async function findOrgName(read: Read, org: OrgId): Promise<string> {
  const { rows } = await read.query<{ name: string }>(sql`select name from orgs where org_id = ${org}`);
  if (rows[0] === undefined) throw new Error("the organization of an authenticated caller is gone");
  return rows[0].name;
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
  key: Pick<
    ApiKey,
    "key_id" | "partner_name" | "scopes" | "rate_limit_rpm" | "expires_at" | "allowed_cidrs" | "lenient_fields" | "webhook"
  >,
): Promise<void> {
  const webhook = key.webhook === null ? null : JSON.stringify(key.webhook);
  await tx.query(sql`
    update api_keys set partner_name = ${key.partner_name}, scopes = ${key.scopes}, rate_limit_rpm = ${key.rate_limit_rpm},
      lenient_fields = ${key.lenient_fields}, webhook = ${webhook}, allowed_cidrs = ${key.allowed_cidrs}::cidr[],
      warned_days = case when expires_at is not distinct from ${key.expires_at} then warned_days end, expires_at = ${key.expires_at},
      updated_at = now()
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
  /** of the key or of its retiring secret, whichever is first */
  expires_at: Date | null;
  accepted: boolean;
  quota: number;
  remaining: number;
  reset_at: string;
  lenient_fields: boolean;
}

/**
 * Finds the secret, counts the request, records the use and sets the org of the connection. Null if there is no such secret, or if its key has
 * ended or does not allow the address, which is recorded.
 */
export async function useSecret(
  read: Leased,
  secret_sha256: Uint8Array,
  { ip, user_agent }: Pick<Origin, "ip" | "user_agent">,
): Promise<UsedSecret | null> {
  const { rows } = await read.query<UsedSecret>({
    name: "authenticate-key",
    text: `select *, ${FENCED} from authenticate_key($1, $2, $3, $4)`,
    values: [secret_sha256, ip === "" ? null : ip, user_agent, read.isShared],
  });
  return rows[0] ?? null;
}

/** Of the key with this secret, if it works from this address. Null otherwise. Counts and records nothing. */
export async function lookUpScopes(read: Read, org: OrgId, secret_sha256: Uint8Array, ip: string): Promise<Scope[] | null> {
  const { rows } = await read.query<{ scopes: Scope[] }>(sql`
    select a.scopes from api_key_secrets s join api_keys a on a.org_id = s.org_id and a.key_id = s.key_id
    where s.org_id = ${org} and s.secret_hash = ${Buffer.from(secret_sha256)} and (s.expires_at is null or s.expires_at > now())
      and a.deactivated_at is null and (a.expires_at is null or a.expires_at > now())
      and (a.allowed_cidrs = '{}' or ${ip === "" ? null : ip}::inet <<= any(a.allowed_cidrs))`);
  return rows[0]?.scopes ?? null;
}

/** How many days a new key of the organization may last. Null: no limit. */
export async function lookUpMaxDays(tx: Tx, org: OrgId): Promise<number | null> {
  const { rows } = await tx.query<{ max_key_days: number | null }>(sql`select max_key_days from org_security where org_id = ${org}`);
  return rows[0]?.max_key_days ?? null;
}
