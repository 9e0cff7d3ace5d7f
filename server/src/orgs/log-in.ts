import type { Visitor } from "../http/endpoint.ts";
import type { Turn } from "../proofs/pool.ts";
import type { OrgId, UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { isOwnPage, rememberBrowser } from "./devices.ts";
import { throttled } from "./log-in-throttle.ts";
import { isNewAddress, mailLogInNotice } from "./new-device.ts";
import type { OrgDeps } from "./org.ts";
import { hashPassword, needsRehash, passwordMatches } from "./passwords.ts";
import { type SignedIn, startSession } from "./start-session.ts";
import { confirmLogin, findUser, listMemberships, lookUpLogin, renewPasswordHash } from "./store.ts";
import type { InTurn } from "./throttle.ts";

/** A person whose password was correct when it was checked. `confirmLogin` says whether it still is. */
export interface Proved {
  readonly user_id: UserId;
  readonly password_hash: string;
}

export interface LogIn {
  readonly email: string;
  readonly password: string;
  readonly org_id?: OrgId | undefined;
  readonly mode?: "cookie" | "token" | undefined;
}

/** With the token of the browser, which is known from now on. Null for programs. */
export type LoggedIn = SignedIn & { readonly device_token: string | null };

/** Logs in to the given org, or to the one used last. A wrong e-mail address, password or org gets the same response. */
export async function logIn(deps: OrgDeps, visitor: Visitor, { email, password, org_id, mode }: LogIn): Promise<LoggedIn> {
  const { proved, isKnown } = await provePassword(deps, visitor, email, password);
  const memberships = proved === null ? [] : await deps.db.lease((read) => listMemberships(read, proved.user_id));
  const org = org_id === undefined ? memberships[0] : memberships.find((membership) => membership.org_id === org_id);
  if (proved === null || org === undefined) throw new Problem("invalid_credentials");
  const isBrowser = mode !== "token" && isOwnPage(deps, visitor);
  const shouldNotify = !isKnown && (isBrowser || (await isNewAddress(deps, visitor, proved.user_id)));
  return deps.db.tx(org.org_id, async (tx) => {
    if (!(await confirmLogin(tx, proved.user_id, proved.password_hash))) throw new Problem("invalid_credentials");
    const user = await findUser(tx, proved.user_id);
    const browser = isBrowser ? await rememberBrowser(tx, visitor, user.user_id) : null;
    const signed = await startSession(deps, tx, visitor, user, org, { device_id: browser?.device_id });
    if (shouldNotify) await mailLogInNotice(deps, tx, visitor, signed);
    return { ...signed, device_token: browser?.token ?? null };
  });
}

/** The person, or null for a wrong password. Throws 429 after too many attempts. */
async function provePassword(
  deps: OrgDeps,
  visitor: Visitor,
  email: string,
  password: string,
): Promise<{ readonly proved: Proved | null; readonly isKnown: boolean }> {
  const { result, isKnown } = await throttled(deps, visitor, email, (inTurn, turn) => checkPassword(inTurn, turn, email, password));
  return { proved: result, isKnown };
}

/** The person, or null. A hash with older parameters is renewed. Limits on attempts are not checked here. */
export async function checkPassword(deps: InTurn, turn: Turn, email: string, password: string): Promise<Proved | null> {
  const login = await deps.db.lease((read) => lookUpLogin(read, email));
  if (!(await passwordMatches(deps, login?.password_hash ?? null, password, turn)) || login === null) return null;
  if (!needsRehash(login.password_hash)) return login;
  const renewed = await hashPassword(deps, password, turn);
  const done = await deps.db.system((tx) => renewPasswordHash(tx, login.user_id, login.password_hash, renewed));
  return done ? { user_id: login.user_id, password_hash: renewed } : null;
}
