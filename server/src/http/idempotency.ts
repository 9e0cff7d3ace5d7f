import type { Db } from "../db/connect.ts";
import { isLockTimeout } from "../db/errors.ts";
import { sql, type Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import { Problem } from "../shared/problems.ts";
import { type KeyRing, macsOf } from "../shared/secrets.ts";

/** A response as it is stored and replayed. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
  readonly replayed: boolean;
}

export type Fingerprints = readonly [Buffer, ...Buffer[]];

export interface IdempotentRequest {
  readonly key: string;
  /** under every version of the secret; the first is stored */
  readonly fingerprints: Fingerprints;
  /** a response with a secret is not stored, so its replay is 409 */
  readonly secret: boolean;
}

// How long a repeated request waits for the transaction of the first.
const WAIT = "5s";
const RETRY_AFTER_SECONDS = 1;

/** The header's value, or undefined without the header. 422 if it is not 1 to 255 printable ASCII characters. */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === "string" && /^[\x20-\x7e]{1,255}$/.test(header)) return header;
  const message = "must be 1 to 255 printable ASCII characters";
  throw new Problem("invalid_request", "", {
    details: [{ location: "header", field: "Idempotency-Key", code: "invalid_format", message }],
  });
}

/** Keyed, because bodies can be easy to guess: someone who steals the database must not be able to test guesses against the hash. */
export function fingerprintsOf(keys: KeyRing, method: string, url: string, body: Uint8Array): Fingerprints {
  return macsOf(keys, `${method} ${url}\n`, body);
}

/**
 * Runs `produce` at most once per key. The key, the effect and the response commit in one transaction, so a second request either waits
 * for the first and repeats its response, or finds no trace of it. Only successful responses are stored; a problem rolls back.
 */
export async function answerOnce(
  db: Db,
  caller: Caller,
  request: IdempotentRequest,
  produce: () => Promise<StoredAnswer>,
): Promise<StoredAnswer> {
  return db.enclosing(caller.org, async (tx) => {
    if (!(await claim(tx, caller, request))) return (await replay(tx, caller, request)) ?? forgotten();
    const answer = await produce();
    const body = request.secret ? null : answer.body;
    await tx.query(sql`
      update idempotent_answers set status = ${answer.status}, body = ${body}
      where org_id = ${caller.org} and credential = ${caller.actor.id} and idempotency_key = ${request.key}`);
    return answer;
  });
}

async function claim(tx: Tx, caller: Caller, { key, fingerprints: [fingerprint] }: IdempotentRequest): Promise<boolean> {
  await tx.query(sql`select set_config('lock_timeout', ${WAIT}, true)`);
  try {
    const { rowCount } = await tx.query(sql`
      insert into idempotent_answers (org_id, credential, idempotency_key, fingerprint)
      values (${caller.org}, ${caller.actor.id}, ${key}, ${fingerprint}) on conflict do nothing`);
    if (rowCount === 1) await tx.query(sql`select set_config('lock_timeout', '0', true)`);
    return rowCount === 1;
  } catch (cause) {
    if (!isLockTimeout(cause)) throw cause;
    throw new Problem("idempotency_in_progress", "", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
  }
}

/** The response to an earlier request, so that work before the transaction is not repeated. Null if there is none. */
export function lookUpAnswer(db: Db, caller: Caller, request: IdempotentRequest): Promise<StoredAnswer | null> {
  return db.tx(caller.org, (tx) => replay(tx, caller, request));
}

async function replay(tx: Tx, caller: Caller, { key, fingerprints }: IdempotentRequest): Promise<StoredAnswer | null> {
  const { rows } = await tx.query<{ fingerprint: Buffer; status: number; body: string | null }>(sql`
    select fingerprint, status, body from idempotent_answers
    where org_id = ${caller.org} and credential = ${caller.actor.id} and idempotency_key = ${key}`);
  const stored = rows[0];
  if (stored === undefined) return null;
  if (!fingerprints.some((one) => stored.fingerprint.equals(one))) throw new Problem("idempotency_mismatch");
  if (stored.body === null) throw new Problem("idempotency_secret");
  return { status: stored.status, body: stored.body, replayed: true };
}

/** The clean-up deleted the row between the two statements. The caller can simply repeat the request. */
function forgotten(): never {
  throw new Problem("idempotency_in_progress", "forgotten", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
