import type { Db } from "../../db/connect.ts";
import { addressGroup } from "../../http/address.ts";
import { refundQuota, type Taken, takeQuota } from "../../http/quota.ts";
import type { Turn } from "../../proofs/pool.ts";
import type { Origin } from "../../shared/caller.ts";
import { DAY_MS, DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../shared/durations.ts";
import { emailKey } from "../../shared/email.ts";
import { Problem } from "../../shared/problems.ts";
import { sha256 } from "../../shared/secrets.ts";
import { CODE_SECONDS, type PeopleDeps } from "./person.ts";
import { clearCounters } from "./store.ts";

/**
 * Limits for people who are not logged in, and on codes. Counters are named by hashes of addresses, so an unknown address has them too and
 * gets the same answers.
 */

type CountDeps = { readonly db: Pick<Db, "lease"> };

const QUARTER_SECONDS = 15 * MINUTE_SECONDS;
// An office can have many people behind one IP address.
const REQUESTS_PER_ADDRESS = 60;
export const CODES_PER_HOUR = 6;
export const TRIES_PER_CODE = 5;
export const FAILURES_PER_DAY = 20;

const hashOf = (email: string): string => sha256(emailKey(email)).toString("hex");
const codesOf = (email: string) => `person-codes:${hashOf(email)}`;
const triesOf = (email: string, purpose: string | null) => `person-tries:${hashOf(email)}:${purpose ?? "log-in"}`;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const failuresOf = (email: string) => `person-failures:${hashOf(email)}:${dayOf(Date.now())}`;

export const turnOf = ({ ip }: Origin): Turn => ({ known: false, group: addressGroup(ip) });

/** The dependencies with a database that is only available in turn. */
export const inTurn = <D extends PeopleDeps>(deps: D, from: Origin) => ({ ...deps, db: deps.visitorQueue.through(deps.db, turnOf(from)) });

const take = (deps: CountDeps, subject: string, limit: number, seconds: number): Promise<Taken> =>
  deps.db.lease((read) => takeQuota(read, subject, limit, seconds));

/** Throws 429 if too many requests of this kind came from the visitor's IP address. */
export async function countVisit(deps: CountDeps, from: Origin, kind: string): Promise<void> {
  const taken = await take(deps, `${kind}:${addressGroup(from.ip)}`, REQUESTS_PER_ADDRESS, QUARTER_SECONDS);
  if (!taken.accepted) throw new Problem("rate_limited", kind, { retryAfterSeconds: secondsUntil(taken.reset), quota: taken });
}

const secondsUntil = (reset: number): number => Math.max(1, reset - Math.floor(Date.now() / 1000));

/** Whether another code may be mailed to this address. It brings new tries. */
export async function mayRequestCode(deps: CountDeps, email: string, purpose: string | null): Promise<boolean> {
  return deps.db.lease(async (read) => {
    const failures = failuresOf(email);
    if (!(await takeQuota(read, failures, FAILURES_PER_DAY, DAY_SECONDS)).accepted) return false;
    await refundQuota(read, failures);
    if (!(await takeQuota(read, codesOf(email), CODES_PER_HOUR, HOUR_SECONDS)).accepted) return false;
    await clearCounters(read, [triesOf(email, purpose)]);
    return true;
  });
}

/**
 * Runs an attempt to enter a code, which returns null if it failed. Throws 429 for the sixth attempt with a code, and after 20 failures on
 * one day. Attempts are counted before, so that a thousand at once do not get around the limits.
 */
export async function countTry<T>(
  deps: CountDeps,
  email: string,
  purpose: string | null,
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const [failures, tries] = [failuresOf(email), triesOf(email, purpose)];
  const today = await take(deps, failures, FAILURES_PER_DAY, DAY_SECONDS);
  if (!today.accepted) throw locked(today);
  let isFailure = false;
  try {
    const tried = await take(deps, tries, TRIES_PER_CODE, CODE_SECONDS);
    if (!tried.accepted) throw tooOften(tried);
    const result = await attempt();
    isFailure = result === null;
    if (result !== null) await deps.db.lease((read) => clearCounters(read, [tries]));
    return result;
  } finally {
    if (!isFailure) await deps.db.lease((read) => refundQuota(read, failures));
  }
}

function tooOften(quota: Taken): Problem {
  const message = "too many attempts. Request a new code";
  return new Problem("rate_limited", "code", { retryAfterSeconds: secondsUntil(quota.reset), quota, details: [detail(message)] });
}

function locked(quota: Taken): Problem {
  const message = "too many wrong codes today. Log in with a passkey, or request a code tomorrow (UTC)";
  const retryAfterSeconds = Math.ceil((DAY_MS - (Date.now() % DAY_MS)) / 1000);
  return new Problem("rate_limited", "code", { retryAfterSeconds, quota, details: [detail(message)] });
}

const detail = (message: string) => ({ location: "body", field: "code", code: "locked", message }) as const;
