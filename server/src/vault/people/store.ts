import { FENCED } from "../../db/fence.ts";
import { type Leased, type Read, sql, type Tx } from "../../db/sql.ts";
import type { CodeMail } from "../../http/shapes.ts";
import type { PasskeyAlgorithm, RegisteredPasskey } from "../../proofs/protocol.ts";
import type { PersonCaller } from "../../shared/caller.ts";
import type { MessageId, PasskeyId, PersonId } from "../../shared/ids.ts";
import type { Passkey, Person } from "./person.ts";

/** Everything here goes through functions with the owner's rights (docs/database.md): the tables belong to no organization. */

export async function insertPerson(tx: Tx, person_id: PersonId, email: string): Promise<PersonId> {
  const { rows } = await tx.query<{ person_id: PersonId }>(sql`select ensure_person(${person_id}, ${email}) as person_id`);
  return rows[0]?.person_id ?? person_id;
}

export async function lookUpPerson(read: Read, email: string): Promise<Person | null> {
  const { rows } = await read.query<Person & { [column: string]: unknown }>(sql`select person_id, email from find_person(${email})`);
  return rows[0] ?? null;
}

export interface NewCode {
  readonly person_id: PersonId;
  /** null: for log-in */
  readonly act_sha256: string | null;
  readonly code_hash: string;
  readonly message_id: MessageId;
}

/** The person's previous code for the same purpose stops working. */
export async function insertCode(tx: Tx, { person_id, act_sha256, code_hash, message_id }: NewCode, seconds: number): Promise<void> {
  await tx.query(sql`select add_person_code(${person_id}, ${act_sha256}, ${code_hash}, ${message_id}, make_interval(secs => ${seconds}))`);
}

/** What became of the message with the person's code; null without one that has not expired. */
export async function lookUpCodeMail(read: Read, person_id: PersonId, act_sha256: string): Promise<CodeMail["state"]> {
  const { rows } = await read.query<CodeMail>(sql`select state_of_person_code_mail(${person_id}, ${act_sha256}) as state`);
  return rows[0]?.state ?? null;
}

/** Counts an attempt. Null if the address has no code for this that can still be tried. */
export async function takeCodeTry(
  read: Read,
  email: string,
  act_sha256: string | null,
  tries: number,
): Promise<{ readonly person_id: PersonId; readonly code_hash: string } | null> {
  const { rows } = await read.query<{ person_id: PersonId; code_hash: string }>(
    sql`select person_id, code_hash from try_person_code(${email}, ${act_sha256}, ${tries})`,
  );
  return rows[0] ?? null;
}

export interface UsedCode {
  readonly email: string;
  readonly message_id: MessageId;
  readonly made_at: Date;
  /** when a mail server accepted the e-mail with the code; null if that is not recorded yet */
  readonly mail_accepted_at: Date | null;
}

/** Null if the code was used, replaced or has expired since it was compared. */
export async function useCode(tx: Tx, person_id: PersonId, act_sha256: string | null, code_hash: string): Promise<UsedCode | null> {
  const { rows } = await tx.query<UsedCode & { [column: string]: unknown }>(
    sql`select email, message_id, made_at, mail_accepted_at from use_person_code(${person_id}, ${act_sha256}, ${code_hash})`,
  );
  return rows[0] ?? null;
}

export interface KnownPasskey {
  readonly passkey_id: PasskeyId;
  readonly person_id: PersonId;
  readonly spki: Uint8Array;
  readonly algorithm: PasskeyAlgorithm;
  readonly sign_count: number;
}

/** Null for an unknown and for a removed passkey. */
export async function lookUpPasskey(read: Read, credential_id: string): Promise<KnownPasskey | null> {
  const { rows } = await read.query<Omit<KnownPasskey, "sign_count"> & { sign_count: string }>(
    sql`select passkey_id, person_id, spki, algorithm, sign_count from find_passkey(${credential_id})`,
  );
  return rows[0] === undefined ? null : { ...rows[0], sign_count: Number(rows[0].sign_count) };
}

/** False if the passkey was removed, or its count did not grow. */
export async function advancePasskey(tx: Tx, passkey_id: PasskeyId, sign_count: number): Promise<boolean> {
  const { rows } = await tx.query<{ done: boolean }>(sql`select advance_passkey(${passkey_id}, ${sign_count}) as done`);
  return rows[0]?.done === true;
}

export async function listPasskeys(read: Read, person_id: PersonId): Promise<Passkey[]> {
  const { rows } = await read.query<Passkey & { [column: string]: unknown }>(sql`select * from passkeys_of_person(${person_id})`);
  return rows;
}

export type Added = "added" | "taken" | "too_many" | "passkey_required" | "code_required";

export async function insertPasskey(
  tx: Tx,
  { person_id, began_with }: PersonCaller["person"],
  { credential_id, spki, algorithm, sign_count, backed_up }: RegisteredPasskey,
  { passkey_id, name, most }: { readonly passkey_id: PasskeyId; readonly name: string; readonly most: number },
): Promise<Added> {
  const { rows } = await tx.query<{ added: Added }>(sql`
    select add_passkey(${person_id}, ${began_with}, ${most}, ${passkey_id}, ${credential_id}, ${Buffer.from(spki)}, ${algorithm},
      ${sign_count}, ${backed_up}, ${name}) as added`);
  if (rows[0] === undefined) throw new Error("add_passkey returned no row");
  return rows[0].added;
}

/** The name of the passkey; null if the person has none with this id. */
export async function revokePasskey(tx: Tx, person_id: PersonId, passkey_id: PasskeyId): Promise<string | null> {
  const { rows } = await tx.query<{ name: string | null }>(sql`select revoke_passkey(${person_id}, ${passkey_id}) as name`);
  return rows[0]?.name ?? null;
}

export async function insertChallenge(read: Read, hash: Uint8Array, person_id: PersonId | null, seconds: number): Promise<void> {
  await read.query(sql`select add_person_challenge(${hash}, ${person_id}, make_interval(secs => ${seconds}))`);
}

/** Whether the challenge was open. It works once. */
export async function takeChallenge(read: Read, hash: Uint8Array, person_id: PersonId | null): Promise<boolean> {
  const { rows } = await read.query<{ taken: boolean }>(sql`select take_person_challenge(${hash}, ${person_id}) as taken`);
  return rows[0]?.taken === true;
}

/** Begun with the passkey, or with a code if it is null. Returns when the session ends. */
export async function insertSession(
  tx: Tx,
  token_hash: Uint8Array,
  person_id: PersonId,
  passkey_id: PasskeyId | null,
  seconds: number,
): Promise<Date> {
  const { rows } = await tx.query<{ expires_at: Date }>(
    sql`select start_person_session(${token_hash}, ${person_id}, ${passkey_id}, make_interval(secs => ${seconds})) as expires_at`,
  );
  if (rows[0] === undefined) throw new Error("start_person_session returned no row");
  return rows[0].expires_at;
}

export interface UsedSession extends Person {
  readonly began_with: "code" | "passkey";
  readonly expires_at: Date;
  readonly accepted: boolean;
  readonly quota: number;
  readonly remaining: number;
  readonly reset_at: string;
}

/** Null for a session that has ended. Sets the connection to no organization. */
export async function useSession(read: Leased, token_hash: Uint8Array, calls_per_minute: number): Promise<UsedSession | null> {
  const { rows } = await read.query<UsedSession & { [column: string]: unknown }>({
    name: "authenticate-person",
    text: `select *, ${FENCED} from authenticate_person($1, $2, $3)`,
    values: [token_hash, calls_per_minute, read.isShared],
  });
  return rows[0] ?? null;
}

/** The same, without counting a request. */
export async function lookUpSession(
  read: Read,
  token_hash: Uint8Array,
): Promise<Pick<UsedSession, keyof Person | "began_with" | "expires_at"> | null> {
  const { rows } = await read.query<Pick<UsedSession, keyof Person | "began_with" | "expires_at">>(sql`
    select person_id, email, began_with, expires_at from find_person_session(${Buffer.from(token_hash)})`);
  return rows[0] ?? null;
}

export async function endSession(tx: Tx, token_hash: Uint8Array): Promise<void> {
  await tx.query(sql`select end_person_session(${token_hash})`);
}

export async function clearCounters(read: Read, subjects: readonly string[]): Promise<void> {
  await read.query(sql`select clear_quotas(${[...subjects]})`);
}
