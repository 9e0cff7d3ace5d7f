import type { Read, Tx } from "../db/sql.ts";
import { type Taken, takeQuota } from "../http/quota.ts";
import type { Turn } from "../proofs/fair-queue.ts";
import { MINUTE_SECONDS } from "../shared/durations.ts";
import { emailKey } from "../shared/email.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { AccountDeps } from "./account.ts";

/** Limits for people who are not logged in. The counters are shared by all processes. */

export const QUARTER_SECONDS = 15 * MINUTE_SECONDS;

/** The dependencies with a database that is only available in turn. */
export type InTurn = Pick<AccountDeps, "keys" | "proofs"> & { readonly db: Pick<AccountDeps["db"], "lease" | "system"> };

/** For visitors who are not logged in. */
export const takingTurns = (deps: AccountDeps, turn: Turn): InTurn => ({ ...deps, db: deps.visitorQueue.through(deps.db, turn) });

export type CountDeps = { readonly db: { lease<T>(run: (read: Read) => Promise<T>): Promise<T> } };

/** Counters that change only if the transaction commits. */
export const countingIn = (tx: Tx): CountDeps => ({ db: { lease: (run) => run(tx) } });

/** A counter's name for an address. It is the same whether or not the address has an account. */
export function accountKey(email: string): string {
  return sha256(emailKey(email)).toString("hex");
}

export const take = (deps: CountDeps, subject: string, limit: number, seconds: number): Promise<Taken> =>
  deps.db.lease((read) => takeQuota(read, subject, limit, seconds));

/** Counts one action of `subject`. Throws 429 with the remaining wait once the limit is reached. */
export async function countAction(deps: CountDeps, subject: string, limit: number, seconds = QUARTER_SECONDS): Promise<void> {
  const taken = await take(deps, subject, limit, seconds);
  if (!taken.accepted) throw limited(subject.split(":")[0] ?? "", taken);
}

export function limited(why: string, quota: Taken, details?: Problem["details"]): Problem {
  const retryAfterSeconds = Math.max(1, quota.reset - Math.floor(Date.now() / 1000));
  return new Problem("rate_limited", why, { retryAfterSeconds, quota, ...(details !== undefined && { details }) });
}

/** Counts one action and says whether it is within the limit. For actions whose refusal the caller must not notice. */
export async function isAllowed(deps: CountDeps, subject: string, limit: number, seconds: number): Promise<boolean> {
  return (await take(deps, subject, limit, seconds)).accepted;
}
