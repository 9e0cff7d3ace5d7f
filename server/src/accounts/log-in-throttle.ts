import type { Read } from "../db/sql.ts";
import { addressGroup } from "../http/address.ts";
import type { Visitor } from "../http/endpoint.ts";
import { refundQuota } from "../http/quota.ts";
import type { Turn } from "../proofs/pool.ts";
import { HOUR_SECONDS } from "../shared/durations.ts";
import type { DeviceId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { AccountDeps } from "./account.ts";
import { knownDevice } from "./devices.ts";
import { offerBrowserLink } from "./known-browser.ts";
import { noteSignIn } from "./sign-in-store.ts";
import { accountKey, countAction, type InTurn, limited, QUARTER_SECONDS, take, takingTurns } from "./throttle.ts";

/**
 * Limits how often a password can be tried. Counters that other people can fill never block a known browser. Attempts are counted before
 * the password is checked, so that a thousand at once cannot get around the limit. Only failures stay counted.
 */

const FAILURES_PER_KNOWN_BROWSER = 10;
const FAILURES_PER_ACCOUNT = 20;
const FAILURES_PER_ADDRESS = 50;

const ofDevice = (device_id: DeviceId) => `login:device:${device_id}`;
const ofAccount = (email: string) => `login:account:${accountKey(email)}`;
const ofAddress = (group: string) => `login:${group}`;
const ofLane = (group: string) => `login:lane:${group}`;

/** All counters of an account. `users unlock` clears them. */
export const countersOf = (email: string, devices: readonly DeviceId[]): string[] => [ofAccount(email), ...devices.map(ofDevice)];

interface Throttled<T> {
  readonly result: T | null;
  readonly isKnown: boolean;
}

type Attempt<T> = (inTurn: InTurn, turn: Turn) => Promise<T | null>;

/**
 * Runs `attempt` if the visitor may try a password of this account, and throws 429 if not. `attempt` returns null for a wrong password.
 * If it throws, the attempt is not counted. Failures and refusals are recorded for the organizations of the person.
 */
export async function throttled<T>(deps: AccountDeps, visitor: Visitor, email: string, attempt: Attempt<T>): Promise<Throttled<T>> {
  const note = (result: "failed" | "blocked", reason: string) =>
    deps.db.lease((read) => noteSignIn(read, visitor, { of: { email }, method: "password", result, reason }));
  try {
    const tried = await tryPassword(deps, visitor, email, attempt);
    if (tried.result === null) await note("failed", "wrong_password");
    return tried;
  } catch (error) {
    if (error instanceof Problem && error.code === "rate_limited") await note("blocked", "too_many_attempts");
    throw error;
  }
}

async function tryPassword<T>(deps: AccountDeps, visitor: Visitor, email: string, attempt: Attempt<T>): Promise<Throttled<T>> {
  const group = addressGroup(visitor.ip);
  const unknownTurn = { known: false, group };
  const inTurn = takingTurns(deps, unknownTurn);
  const device_id = await knownDevice(deps, inTurn, visitor, email);
  if (device_id !== null) {
    const subject = ofDevice(device_id);
    const knownTurn = { known: true, group };
    const knownInTurn = takingTurns(deps, knownTurn);
    await countAction(knownInTurn, subject, FAILURES_PER_KNOWN_BROWSER, QUARTER_SECONDS);
    return { result: await counted(deps, [subject], () => attempt(knownInTurn, knownTurn)), isKnown: true };
  }
  const tryHere = (subjects: string[]) =>
    counted(deps, subjects, async () => {
      await refuseGuessedAccount(inTurn, email);
      return counted(deps, [ofAccount(email)], () => attempt(inTurn, unknownTurn));
    });
  const address = ofAddress(group);
  const taken = await take(inTurn, address, FAILURES_PER_ADDRESS, QUARTER_SECONDS);
  if (taken.accepted) return { result: await tryHere([address]), isKnown: false };
  const isFree = async () => (await take(inTurn, ofLane(group), 1, deps.logInLane.spacing_seconds)).accepted;
  return { result: await deps.logInLane.run(group, isFree, () => tryHere([])), isKnown: false };
}

/** Gives the quota back unless a wrong password was tried. */
async function counted<T>(deps: AccountDeps, subjects: readonly string[], attempt: () => Promise<T | null>): Promise<T | null> {
  let isFailure = false;
  try {
    const result = await attempt();
    isFailure = result === null;
    return result;
  } finally {
    if (!isFailure && subjects.length > 0) await deps.db.lease((read) => giveBack(read, subjects));
  }
}

async function giveBack(read: Read, subjects: readonly string[]): Promise<void> {
  for (const subject of subjects) await refundQuota(read, subject);
}

/** After too many failures, unknown browsers are rejected whatever the password. The owner gets a link by e-mail that lets them log in. */
async function refuseGuessedAccount(deps: InTurn, email: string): Promise<void> {
  const taken = await take(deps, ofAccount(email), FAILURES_PER_ACCOUNT, HOUR_SECONDS);
  if (taken.accepted) return;
  await offerBrowserLink(deps, email);
  const message =
    "too many failed log-ins from browsers that are new to this account. Use a browser that you have used before, or the link that we mail to the owner of the account";
  throw limited("account", taken, [{ location: "body", field: null, code: "unknown_browser", message }]);
}
