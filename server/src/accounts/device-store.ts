import { type Read, sql, type Tx } from "../db/sql.ts";
import type { DeviceId, OrgId, SessionId, UserId } from "../shared/ids.ts";

/** The SQL for known browsers and mailed links. These rows belong to a person, not to an org. */

/** The browser behind the cookie, if it is known to the account of this address. */
export async function lookUpDevice(read: Read, token_hash: Buffer, email: string): Promise<DeviceId | null> {
  const { rows } = await read.query<{ device_id: DeviceId }>(sql`select device_id from find_device(${token_hash}, ${email})`);
  return rows[0]?.device_id ?? null;
}

export interface NewDevice {
  readonly device_id: DeviceId;
  readonly user_id: UserId;
  /** hash of the cookie that the browser sent, if any */
  readonly shown: Buffer | null;
  readonly fresh: Buffer;
  readonly label: string;
  readonly ip: string;
  readonly life_seconds: number;
  /** how many browsers one person can have */
  readonly most: number;
}

export async function keepDevice(tx: Tx, device: NewDevice): Promise<{ device_id: DeviceId; keeps_cookie: boolean }> {
  const { device_id, user_id, shown, fresh, label, ip, life_seconds, most } = device;
  const { rows } = await tx.query<{ device_id: DeviceId; keeps_cookie: boolean }>(sql`
    select device_id, keeps_cookie from keep_device(
      ${device_id}, ${user_id}, ${shown}, ${fresh}, ${label}, ${ip}, make_interval(secs => ${life_seconds}), ${most})`);
  const row = rows[0];
  if (row === undefined) throw new Error("keep_device returned no row");
  return row;
}

/** Whether the person proved a second factor in the browser of this cookie, recently enough for the org. */
export async function isDeviceRemembered(read: Read, token_hash: Buffer, user_id: UserId, org: OrgId): Promise<boolean> {
  const { rows } = await read.query<{ is: boolean }>(sql`select is_device_remembered(${token_hash}, ${user_id}, ${org}) as is`);
  return rows[0]?.is === true;
}

/** From now on the browser can replace the second factor, for as long as each org allows. */
export async function rememberDevice(tx: Tx, device_id: DeviceId): Promise<void> {
  await tx.query(sql`select remember_device(${device_id})`);
}

export async function revokeDevice(tx: Tx, device_id: DeviceId): Promise<void> {
  await tx.query(sql`select revoke_device(${device_id})`);
}

export async function listDevices(read: Read, user_id: UserId): Promise<DeviceId[]> {
  const { rows } = await read.query<{ device_id: DeviceId }>(sql`select device_id from devices_of_user(${user_id})`);
  return rows.map(({ device_id }) => device_id);
}

export interface Browser {
  readonly device_id: DeviceId;
  /** such as "Firefox on Linux" */
  readonly label: string;
  readonly first_ip: string;
  readonly last_ip: string;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly known_until: Date;
  /** when it last replaced a second factor by the person's wish; null if it does not */
  readonly remembered_at: Date | null;
}

/** The browsers that the person's account knows, the one used last first. At most 50. */
export async function listBrowsers(read: Read, user_id: UserId): Promise<Browser[]> {
  const { rows } = await read.query<Browser>(sql`
    select device_id, label, first_ip, last_ip, created_at, last_seen_at, known_until, remembered_at from browsers_of_user(${user_id})`);
  return rows;
}

/** False if the account knows no such browser. */
export async function deleteDevice(tx: Tx, device_id: DeviceId, user_id: UserId): Promise<boolean> {
  const { rows } = await tx.query<{ done: boolean }>(sql`select forget_device(${device_id}, ${user_id}) as done`);
  return rows[0]?.done === true;
}

/** The browser of a session; null for a program. */
export async function lookUpDeviceOfSession(read: Read, org: OrgId, session_id: SessionId): Promise<DeviceId | null> {
  const { rows } = await read.query<{ device_id: DeviceId | null }>(sql`
    select device_id from sessions where org_id = ${org} and session_id = ${session_id}`);
  return rows[0]?.device_id ?? null;
}

export type LinkPurpose = "known_browser" | "not_me" | "factor_reset";

export interface NewLink {
  readonly purpose: LinkPurpose;
  readonly user_id: UserId;
  readonly session_id: SessionId | null;
  readonly life_seconds: number;
}

export async function addAccountLink(tx: Tx, token_hash: Buffer, { purpose, user_id, session_id, life_seconds }: NewLink): Promise<void> {
  await tx.query(sql`
    select add_account_link(${token_hash}, ${purpose}, ${user_id}, ${session_id}, make_interval(secs => ${life_seconds}))`);
}

export interface UsedLink {
  readonly user_id: UserId;
  readonly session_id: SessionId | null;
  /** the org of the session, if the session still exists */
  readonly org_id: OrgId | null;
  readonly device_id: DeviceId | null;
}

/** Whose link it is. Does not mark it as used. Null if the link is not valid. */
export async function lookUpAccountLink(
  read: Read,
  token_hash: Buffer,
  purpose: LinkPurpose,
): Promise<{ user_id: UserId; email: string } | null> {
  const { rows } = await read.query<{ user_id: UserId; email: string }>(sql`
    select user_id, email from find_account_link(${token_hash}, ${purpose})`);
  return rows[0] ?? null;
}

/** Marks the link as used in this transaction. Null if the link was not valid. */
export async function useAccountLink(tx: Tx, token_hash: Buffer, purpose: LinkPurpose): Promise<UsedLink | null> {
  const { rows } = await tx.query<UsedLink>(sql`
    select user_id, session_id, org_id, device_id from use_account_link(${token_hash}, ${purpose})`);
  return rows[0] ?? null;
}

export async function clearQuotas(tx: Tx, subjects: readonly string[]): Promise<void> {
  await tx.query(sql`select clear_quotas(${[...subjects]})`);
}
