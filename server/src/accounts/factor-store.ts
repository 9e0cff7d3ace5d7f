import { type Read, sql, type Tx } from "../db/sql.ts";
import type { FactorId, OrgId, UserId } from "../shared/ids.ts";
import { listPasskeys } from "./passkey-store.ts";

/** The SQL for second factors and for log-ins that wait for one. These rows belong to a person, not to an org. */

export interface Factor {
  readonly factor_id: FactorId;
  readonly kind: "totp" | "passkey";
  readonly name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

/** An authenticator app. */
export interface App extends Omit<Factor, "kind"> {
  readonly secret_enc: Buffer;
  /** null until the person has entered a code of it */
  readonly confirmed_at: Date | null;
}

/** The apps that count, or also the one that waits for its first code. */
export async function listApps(read: Read, user_id: UserId, which: "confirmed" | "all" = "confirmed"): Promise<App[]> {
  const { rows } = await read.query<App>(sql`
    select factor_id, name, secret_enc, created_at, confirmed_at, last_used_at from find_factors(${user_id})`);
  return which === "all" ? rows : rows.filter(({ confirmed_at }) => confirmed_at !== null);
}

/** The apps and passkeys that count. */
export async function listFactors(read: Read, user_id: UserId): Promise<Factor[]> {
  const apps = (await listApps(read, user_id)).map((app) => ({ ...app, kind: "totp" as const }));
  const passkeys = (await listPasskeys(read, user_id)).map((passkey) => ({ ...passkey, kind: "passkey" as const }));
  return [...apps, ...passkeys];
}

export interface NewFactor extends Pick<App, "factor_id" | "name" | "secret_enc"> {
  readonly user_id: UserId;
  /** how many one person can have */
  readonly most: number;
}

/** False if the person has as many as possible. */
export async function insertFactor(tx: Tx, { factor_id, user_id, name, secret_enc, most }: NewFactor): Promise<boolean> {
  const { rows } = await tx.query<{ done: boolean }>(sql`
    select add_factor(${factor_id}, ${user_id}, ${name}, ${secret_enc}, ${most}) as done`);
  return rows[0]?.done === true;
}

/** Whether it is the person's first factor. Null if it no longer waits for a code. */
export async function markFactorConfirmed(tx: Tx, factor_id: FactorId, user_id: UserId, step: number): Promise<boolean | null> {
  const { rows } = await tx.query<{ first: boolean | null }>(sql`select confirm_factor(${factor_id}, ${user_id}, ${step}) as first`);
  return rows[0]?.first ?? null;
}

/** False if a code of this step or a later one was used before. */
export async function advanceTotp(tx: Tx, factor_id: FactorId, user_id: UserId, step: number): Promise<boolean> {
  const { rows } = await tx.query<{ done: boolean }>(sql`select advance_totp(${factor_id}, ${user_id}, ${step}) as done`);
  return rows[0]?.done === true;
}

export async function setFactorName(tx: Tx, factor_id: FactorId, user_id: UserId, name: string): Promise<boolean> {
  const { rows } = await tx.query<{ done: boolean }>(sql`select rename_factor(${factor_id}, ${user_id}, ${name}) as done`);
  return rows[0]?.done === true;
}

/** Its name. Null if the person has no such factor, or has no password and would keep fewer than two passkeys. */
export async function deleteFactor(tx: Tx, factor_id: FactorId, user_id: UserId): Promise<string | null> {
  const { rows } = await tx.query<{ name: string | null }>(sql`select remove_factor(${factor_id}, ${user_id}) as name`);
  return rows[0]?.name ?? null;
}

/** Removes all factors and recovery codes of a person. Returns how many factors they had. */
export async function deleteFactorsOf(tx: Tx, user_id: UserId): Promise<number> {
  const { rows } = await tx.query<{ removed: string }>(sql`select forget_factors(${user_id}) as removed`);
  return Number(rows[0]?.removed ?? 0);
}

export type RemovedFactor = Pick<Factor, "factor_id" | "kind" | "name">;

/** Removes the factors that count since a moment, and the app that waits for its first code. Returns those that counted. */
export async function deleteFactorsSince(tx: Tx, user_id: UserId, since: Date): Promise<RemovedFactor[]> {
  const { rows } = await tx.query<RemovedFactor>(sql`select factor_id, kind, name from remove_factors_since(${user_id}, ${since})`);
  return rows;
}

/** Removes the recovery codes that were made since a moment, and all if no factor is left. Returns how many. */
export async function deleteRecoveryCodesSince(tx: Tx, user_id: UserId, since: Date): Promise<number> {
  const { rows } = await tx.query<{ removed: string }>(sql`select remove_recovery_codes_since(${user_id}, ${since}) as removed`);
  return Number(rows[0]?.removed ?? 0);
}

export async function replaceRecoveryCodes(tx: Tx, user_id: UserId, code_hashes: readonly Buffer[]): Promise<void> {
  await tx.query(sql`select set_recovery_codes(${user_id}, ${[...code_hashes]})`);
}

/** Marks the code as used and returns how many are left. Null if it is not one of the person's unused codes. */
export async function useRecoveryCode(tx: Tx, user_id: UserId, code_hash: Buffer): Promise<number | null> {
  const { rows } = await tx.query<{ left: string | null }>(sql`select use_recovery_code(${user_id}, ${code_hash}) as left`);
  const left = rows[0]?.left ?? null;
  return left === null ? null : Number(left);
}

export async function countRecoveryCodes(read: Read, user_id: UserId): Promise<number> {
  const { rows } = await read.query<{ n: string }>(sql`select count_recovery_codes(${user_id}) as n`);
  return Number(rows[0]?.n ?? 0);
}

/** Returns when the log-in expires. */
export async function addPendingLogin(tx: Tx, token_hash: Buffer, user_id: UserId, org: OrgId, life_seconds: number): Promise<Date> {
  const { rows } = await tx.query<{ expires_at: Date }>(sql`
    select add_pending_login(${token_hash}, ${user_id}, ${org}, make_interval(secs => ${life_seconds})) as expires_at`);
  const row = rows[0];
  if (row === undefined) throw new Error("add_pending_login returned no row");
  return row.expires_at;
}

/** The person whose log-in waits, or null if none waits under this token. */
export async function lookUpPendingLogin(read: Read, token_hash: Buffer): Promise<{ user_id: UserId; email: string } | null> {
  const { rows } = await read.query<{ user_id: UserId; email: string }>(sql`
    select user_id, email from find_pending_login(${token_hash})`);
  return rows[0] ?? null;
}

/** The org to log in to. Locks the log-in; null if it no longer waits. */
export async function lockPendingLogin(tx: Tx, token_hash: Buffer, user_id: UserId): Promise<OrgId | null> {
  const { rows } = await tx.query<{ org_id: OrgId }>(sql`select org_id from take_pending_login(${token_hash}, ${user_id})`);
  return rows[0]?.org_id ?? null;
}

/** Counts a wrong code, so the transaction must commit. True if the log-in is over. */
export async function failPendingLogin(tx: Tx, token_hash: Buffer, failures: number): Promise<boolean> {
  const { rows } = await tx.query<{ over: boolean }>(sql`select fail_pending_login(${token_hash}, ${failures}) as over`);
  return rows[0]?.over === true;
}

export async function endPendingLogin(tx: Tx, token_hash: Buffer): Promise<void> {
  await tx.query(sql`select end_pending_login(${token_hash})`);
}
