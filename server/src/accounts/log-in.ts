import type { Tx } from "../db/sql.ts";
import type { Visitor } from "../http/endpoint.ts";
import type { Turn } from "../proofs/pool.ts";
import { MINUTE_SECONDS } from "../shared/durations.ts";
import type { OrgId, UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import type { AccountDeps } from "./account.ts";
import { isOwnPage, rememberBrowser, replacesFactor } from "./devices.ts";
import { addPendingLogin, countRecoveryCodes, type Factor, listFactors } from "./factor-store.ts";
import { throttled } from "./log-in-throttle.ts";
import { isNewAddress, mailLogInNotice } from "./new-device.ts";
import { hashPassword, needsRehash, passwordMatches } from "./passwords.ts";
import { findSessionPolicy } from "./policy-store.ts";
import { addressNotAllowed, refuseOtherAddress } from "./refuse-other-address.ts";
import { refuseWithoutSso } from "./refuse-without-sso.ts";
import { noteSignIn } from "./sign-in-store.ts";
import { type SignedIn, startSession } from "./start-session.ts";
import { confirmLogin, findUser, listWaysIn, lookUpLogin, renewPasswordHash, type WayIn } from "./store.ts";
import type { InTurn } from "./throttle.ts";
import { countingIn } from "./throttle.ts";

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

/** The password was correct, and the person has a second factor. `finishLogIn` completes the log-in. */
export interface PendingLogIn {
  readonly login_token: string;
  readonly methods: readonly ("totp" | "passkey" | "recovery_code")[];
  /** how long the org accepts this browser instead of the factor, if the person asks for it; 0: not at all */
  readonly remember_device_days: number;
  readonly expires_at: Date;
}

const PENDING_SECONDS = 10 * MINUTE_SECONDS;

/** Logs in to the given org, or to the one used last. Only begins the log-in of a person with a second factor. A wrong e-mail address, password or org gets the same response. */
export async function logIn(
  deps: AccountDeps,
  visitor: Visitor,
  { email, password, org_id, mode }: LogIn,
): Promise<LoggedIn | PendingLogIn> {
  const { proved, isKnown } = await provePassword(deps, visitor, email, password);
  const ways = proved === null ? [] : await deps.db.lease((read) => listWaysIn(read, proved.user_id, visitor.ip));
  const org = chooseOrg(ways, org_id);
  if (proved === null) throw new Problem("invalid_credentials");
  if (org === undefined) {
    const attempt = { of: proved, method: "password", result: "failed", reason: "not_a_member" } as const;
    await deps.db.lease((read) => noteSignIn(read, visitor, attempt));
    throw new Problem("invalid_credentials");
  }
  if (!org.admits && !org.needs_sso) {
    const attempt = { of: proved, method: "password", result: "refused", reason: "address", org: org.org_id } as const;
    await deps.db.lease((read) => noteSignIn(read, visitor, attempt));
    throw addressNotAllowed(visitor.ip);
  }
  const isBrowser = mode !== "token" && isOwnPage(deps, visitor);
  return deps.db.tx(org.org_id, async (tx) => {
    if (!(await confirmLogin(tx, proved.user_id, proved.password_hash))) throw new Problem("invalid_credentials");
    const rule = await refuseWithoutSso(tx, org.org_id, proved);
    await refuseOtherAddress(tx, org.org_id, visitor);
    const factors = await listFactors(tx, proved.user_id);
    const hasFactor = factors.length > 0;
    const mayRemember = hasFactor && isBrowser && rule?.break_glass !== true;
    const isRemembered = mayRemember && (await replacesFactor(deps, tx, visitor, proved.user_id, org.org_id));
    if (hasFactor && !isRemembered) return wait(tx, proved.user_id, org.org_id, factors);
    const shouldNotify = !isKnown && (isBrowser || (await isNewAddress(countingIn(tx), visitor, proved.user_id)));
    const user = await findUser(tx, proved.user_id);
    const browser = isBrowser ? await rememberBrowser(deps, tx, visitor, user.user_id) : null;
    const options = { device_id: browser?.device_id, factors: isRemembered ? ["device"] : [] };
    const signed = await startSession(deps, tx, visitor, user, org, options);
    if (shouldNotify) await mailLogInNotice(deps, tx, visitor, signed);
    return { ...signed, device_token: browser?.token ?? null };
  });
}

/** The given org, or the one used last that a log-in without single sign-on opens from this address. If there is none, the one used last. */
export function chooseOrg(ways: readonly WayIn[], org_id: OrgId | undefined): WayIn | undefined {
  if (org_id !== undefined) return ways.find((way) => way.org_id === org_id);
  return ways.find(({ needs_sso, admits }) => admits && !needs_sso) ?? ways.find(({ needs_sso }) => !needs_sso) ?? ways[0];
}

async function wait(tx: Tx, user_id: UserId, org: OrgId, factors: readonly Factor[]): Promise<PendingLogIn> {
  const login_token = newToken();
  const expires_at = await addPendingLogin(tx, sha256(login_token), user_id, org, PENDING_SECONDS);
  const left = await countRecoveryCodes(tx, user_id);
  const { remember_device_days } = await findSessionPolicy(tx, org);
  return {
    login_token,
    methods: [...new Set(factors.map(({ kind }) => kind)), ...(left === 0 ? [] : (["recovery_code"] as const))],
    remember_device_days,
    expires_at,
  };
}

/** The person, or null for a wrong password. Throws 429 after too many attempts. */
async function provePassword(
  deps: AccountDeps,
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
  const stored = login?.password_hash ?? null;
  if (!(await passwordMatches(deps, stored, password, turn)) || login === null || stored === null) return null;
  const { user_id } = login;
  if (!needsRehash(stored)) return { user_id, password_hash: stored };
  const renewed = await hashPassword(deps, password, turn);
  const done = await deps.db.system((tx) => renewPasswordHash(tx, user_id, stored, renewed));
  return done ? { user_id, password_hash: renewed } : null;
}
