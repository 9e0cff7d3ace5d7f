import { addressGroup } from "../http/address.ts";
import type { Visitor } from "../http/endpoint.ts";
import { giveBackQuota, takeQuota } from "../http/quota.ts";
import type { Turn } from "../proofs/pool.ts";
import { emailKey } from "../shared/email.ts";
import type { OrgId, UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { OrgDeps } from "./org.ts";
import { hashPassword, needsRehash, passwordMatches } from "./passwords.ts";
import { type SignedIn, startSession } from "./start-session.ts";
import { confirmLogin, findUser, listMemberships, lookUpLogin, renewPasswordHash } from "./store.ts";

export const TRY_WINDOW_SECONDS = 15 * 60;
const TRIES_PER_PERSON = 10;
const TRIES_PER_ADDRESS = 50;

/** A person whose password was right a moment ago; `confirmLogin` says whether it still is. */
export interface Proved {
  readonly user_id: UserId;
  readonly password_hash: string;
}

/** Signs in to the named org, or to the one used last. Whatever is wrong with e-mail, password or org gets the same answer. */
export async function logIn(deps: OrgDeps, visitor: Visitor, email: string, password: string, org_id?: OrgId): Promise<SignedIn> {
  const tries = await countTry(deps, visitor, email);
  const proved = await checkPassword(deps, turnOf(visitor), email, password);
  const memberships = proved === null ? [] : await deps.db.lease((read) => listMemberships(read, proved.user_id));
  const org = org_id === undefined ? memberships[0] : memberships.find((membership) => membership.org_id === org_id);
  if (proved === null || org === undefined) throw new Problem("invalid_credentials");
  return deps.db.tx(org.org_id, async (tx) => {
    if (!(await confirmLogin(tx, proved.user_id, proved.password_hash))) throw new Problem("invalid_credentials");
    // Only guesses are limited: an office where fifty people sign in each morning has one address too.
    for (const subject of tries) await giveBackQuota(tx, subject);
    return startSession(deps, tx, visitor, await findUser(tx, proved.user_id), org);
  });
}

/** Where a browser that proved nothing waits. */
export const turnOf = ({ ip }: Pick<Visitor, "ip">): Turn => ({ known: false, group: addressGroup(ip) });

/** The person, or null; a hash of older parameters is renewed on the way. */
export async function checkPassword(deps: OrgDeps, turn: Turn, email: string, password: string): Promise<Proved | null> {
  const login = await deps.db.lease((read) => lookUpLogin(read, email));
  if (!(await passwordMatches(deps, login?.password_hash ?? null, password, turn)) || login === null) return null;
  if (!needsRehash(login.password_hash)) return login;
  const renewed = await hashPassword(deps, password, turn);
  const done = await deps.db.system((tx) => renewPasswordHash(tx, login.user_id, login.password_hash, renewed));
  return done ? { user_id: login.user_id, password_hash: renewed } : null;
}

/** Counted before the password is looked at, so that a thousand tries at once are no way around it. Returns what was counted. */
export async function countTry(deps: OrgDeps, { ip }: Pick<Visitor, "ip">, email: string): Promise<string[]> {
  const address = `login:${addressGroup(ip)}`;
  const person = `${address}:${sha256(emailKey(email)).toString("hex")}`;
  await countAct(deps, person, TRIES_PER_PERSON);
  await countAct(deps, address, TRIES_PER_ADDRESS);
  return [person, address];
}

/** Throws 429 with the real wait once `subject` has done it too often in a quarter of an hour. */
export async function countAct(deps: OrgDeps, subject: string, limit: number): Promise<void> {
  const taken = await deps.db.lease((read) => takeQuota(read, subject, limit, TRY_WINDOW_SECONDS));
  if (taken.accepted) return;
  const retryAfterSeconds = Math.max(1, taken.reset - Math.floor(Date.now() / 1000));
  throw new Problem("rate_limited", subject.split(":")[0], { retryAfterSeconds, quota: taken });
}
