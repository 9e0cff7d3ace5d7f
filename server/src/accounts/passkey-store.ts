import { type Read, sql, type Tx } from "../db/sql.ts";
import type { PasskeyAlgorithm, PasskeyKey, RegisteredPasskey } from "../proofs/protocol.ts";
import type { FactorId, UserId } from "../shared/ids.ts";

/** The SQL for passkeys of people and for what browsers are asked to sign. These rows belong to a person, not to an org. */

export interface OwnPasskey {
  readonly factor_id: FactorId;
  readonly name: string;
  readonly credential_id: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

export async function listPasskeys(read: Read, user_id: UserId): Promise<OwnPasskey[]> {
  const { rows } = await read.query<OwnPasskey>(sql`
    select factor_id, name, credential_id, created_at, last_used_at from passkeys_of_user(${user_id})`);
  return rows;
}

export interface NewPasskey extends RegisteredPasskey {
  readonly factor_id: FactorId;
  readonly user_id: UserId;
  readonly name: string;
  readonly rp_id: string;
  /** how many one person can have */
  readonly most: number;
}

/** `first`: the person had no factor before. `taken`: the passkey is known already. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<"first" | "added" | "taken" | "too_many"> {
  const { factor_id, user_id, name, credential_id, spki, algorithm, sign_count, backed_up, rp_id, most } = passkey;
  const { rows } = await tx.query<{ added: "first" | "added" | "taken" | "too_many" }>(sql`
    select add_account_passkey(${factor_id}, ${user_id}, ${name}, ${credential_id}, ${Buffer.from(spki)}, ${algorithm}, ${sign_count},
      ${backed_up}, ${rp_id}, ${most}) as added`);
  return rows[0]?.added ?? "taken";
}

export interface KnownPasskey extends PasskeyKey {
  readonly factor_id: FactorId;
  readonly user_id: UserId;
  readonly email: string;
}

export async function lookUpPasskey(read: Read, credential_id: string): Promise<KnownPasskey | null> {
  const { rows } = await read.query<Omit<KnownPasskey, "sign_count"> & { algorithm: PasskeyAlgorithm; sign_count: string }>(sql`
    select factor_id, user_id, email, spki, algorithm, sign_count from find_account_passkey(${credential_id})`);
  const row = rows[0];
  return row === undefined ? null : { ...row, sign_count: Number(row.sign_count) };
}

/** `behind`: its count did not grow, so it may have been copied. `gone`: it was removed meanwhile. */
export async function advancePasskey(
  tx: Tx,
  factor_id: FactorId,
  user_id: UserId,
  sign_count: number,
): Promise<"advanced" | "behind" | "gone"> {
  const { rows } = await tx.query<{ outcome: "advanced" | "behind" | "gone" }>(sql`
    select advance_account_passkey(${factor_id}, ${user_id}, ${sign_count}) as outcome`);
  return rows[0]?.outcome ?? "gone";
}

export async function insertChallenge(tx: Tx, challenge_hash: Buffer, subject: string, life_seconds: number): Promise<void> {
  await tx.query(sql`select add_account_challenge(${challenge_hash}, ${subject}, make_interval(secs => ${life_seconds}))`);
}

/** False if it is unknown, was used or has expired, or is for something else. */
export async function takeChallenge(tx: Tx, challenge_hash: Buffer, subject: string): Promise<boolean> {
  const { rows } = await tx.query<{ taken: boolean }>(sql`select take_account_challenge(${challenge_hash}, ${subject}) as taken`);
  return rows[0]?.taken === true;
}
