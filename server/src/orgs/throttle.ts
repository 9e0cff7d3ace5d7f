import { type Taken, takeQuota } from "../http/quota.ts";
import type { Turn } from "../proofs/fair-queue.ts";
import { MINUTE_SECONDS } from "../shared/durations.ts";
import { emailKey } from "../shared/email.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { OrgDeps } from "./org.ts";

/** Counters of what people do before they have a session. They hold over all processes. */

export const QUARTER_SECONDS = 15 * MINUTE_SECONDS;

/** What a feature needs, with a database that is waited for. */
export type InTurn = Pick<OrgDeps, "keys" | "proofs"> & { readonly db: Pick<OrgDeps["db"], "lease" | "system"> };

/** For those who are not signed in. */
export const takingTurns = (deps: OrgDeps, turn: Turn): InTurn => ({ ...deps, db: deps.turnstile.through(deps.db, turn) });

type CountDeps = { readonly db: Pick<OrgDeps["db"], "lease"> };

/** Unknown accounts count alike: the counter's name does not tell whether there is one. */
export function accountKey(email: string): string {
  return sha256(emailKey(email)).toString("hex");
}

export const take = (deps: CountDeps, subject: string, limit: number, seconds: number): Promise<Taken> =>
  deps.db.lease((read) => takeQuota(read, subject, limit, seconds));

/** Throws 429 with the real wait once `subject` has done it too often. */
export async function countAct(deps: CountDeps, subject: string, limit: number, seconds = QUARTER_SECONDS): Promise<void> {
  const taken = await take(deps, subject, limit, seconds);
  if (!taken.accepted) throw limited(subject.split(":")[0] ?? "", taken);
}

export function limited(why: string, quota: Taken, details?: Problem["details"]): Problem {
  const retryAfterSeconds = Math.max(1, quota.reset - Math.floor(Date.now() / 1000));
  return new Problem("rate_limited", why, { retryAfterSeconds, quota, ...(details !== undefined && { details }) });
}

/** Whether it may be done once more; for acts whose refusal is not to be told. */
export async function isAllowed(deps: CountDeps, subject: string, limit: number, seconds: number): Promise<boolean> {
  return (await take(deps, subject, limit, seconds)).accepted;
}
