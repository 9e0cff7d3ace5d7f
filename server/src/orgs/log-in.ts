import type { Visitor } from "../http/endpoint.ts";
import { takeQuota } from "../http/quota.ts";
import type { OrgId, UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { OrgDeps } from "./org.ts";
import { hashPassword, needsRehash, passwordMatches } from "./passwords.ts";
import { type SignedIn, startSession } from "./start-session.ts";
import { findUser, listMemberships, lookUpLogin, setPasswordHash } from "./store.ts";

export const TRY_WINDOW_SECONDS = 15 * 60;
const TRIES_PER_PERSON = 10;
const TRIES_PER_ADDRESS = 50;

/** Signs in to the named org, or to the one used last. Whatever is wrong with e-mail, password or org gets the same answer. */
export async function logIn(deps: OrgDeps, visitor: Visitor, email: string, password: string, org_id?: OrgId): Promise<SignedIn> {
  await countTry(deps, visitor, email);
  const login = await checkPassword(deps, email, password);
  const memberships = login === null ? [] : await deps.db.lease((read) => listMemberships(read, login));
  const org = org_id === undefined ? memberships[0] : memberships.find((membership) => membership.org_id === org_id);
  if (login === null || org === undefined) throw new Problem("invalid_credentials");
  return deps.db.tx(org.org_id, async (tx) => startSession(deps, tx, visitor, await findUser(tx, login), org));
}

/** The person, or null; a hash of older parameters is renewed on the way. */
export async function checkPassword(deps: OrgDeps, email: string, password: string): Promise<UserId | null> {
  const login = await deps.db.lease((read) => lookUpLogin(read, email));
  if (!(await passwordMatches(login?.password_hash ?? null, password)) || login === null) return null;
  if (needsRehash(login.password_hash)) {
    const renewed = await hashPassword(password);
    await deps.db.system((tx) => setPasswordHash(tx, login.user_id, renewed));
  }
  return login.user_id;
}

/** Counted before the password is looked at, so that a thousand tries at once are no way around it. */
export async function countTry(deps: OrgDeps, visitor: Pick<Visitor, "ip">, email: string): Promise<void> {
  const person = `login:${visitor.ip}:${sha256(email.toLowerCase()).toString("hex")}`;
  for (const [subject, limit] of [
    [person, TRIES_PER_PERSON],
    [`login:${visitor.ip}`, TRIES_PER_ADDRESS],
  ] as const) {
    const taken = await deps.db.lease((read) => takeQuota(read, subject, limit, TRY_WINDOW_SECONDS));
    if (!taken.accepted) {
      const retryAfterSeconds = Math.max(1, taken.reset - Math.floor(Date.now() / 1000));
      throw new Problem("rate_limited", "log-on tries", { retryAfterSeconds });
    }
  }
}
