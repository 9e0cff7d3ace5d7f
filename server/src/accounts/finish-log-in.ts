import { addressGroup } from "../http/address.ts";
import type { Visitor } from "../http/endpoint.ts";
import { refundQuota } from "../http/quota.ts";
import { HOUR_SECONDS } from "../shared/durations.ts";
import type { DeviceId, UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { AccountDeps } from "./account.ts";
import { rememberDevice } from "./device-store.ts";
import { isOwnPage, knownDevice, rememberBrowser } from "./devices.ts";
import { endPendingLogin, failPendingLogin, lockPendingLogin, lookUpPendingLogin } from "./factor-store.ts";
import type { LoggedIn } from "./log-in.ts";
import { isNewAddress, mailLogInNotice } from "./new-device.ts";
import { notingCodes } from "./noting-sign-ins.ts";
import { type GivenProof, oneProof, proveFactor } from "./prove-factor.ts";
import { startSession } from "./start-session.ts";
import { findUser, listMemberships } from "./store.ts";
import { type CountDeps, countAction, countingIn, takingTurns } from "./throttle.ts";

const FAILURES_PER_LOG_IN = 5;
const FAILURES_PER_ACCOUNT = 20;

/** The counter of wrong codes. A known browser has its own, so that other people who know the password cannot use it up. */
export const wrongCodesOf = (user_id: UserId, device_id: DeviceId | null): string =>
  device_id === null ? `factor:user:${user_id}` : `factor:device:${device_id}`;

export const countCode = (deps: CountDeps, subject: string): Promise<void> =>
  countAction(deps, subject, FAILURES_PER_ACCOUNT, HOUR_SECONDS);

export interface SecondFactor extends GivenProof {
  readonly login_token: string;
  readonly mode?: "cookie" | "token" | undefined;
  /** whether this browser replaces the factor from now on, for as long as the org allows */
  readonly remember_device?: boolean | undefined;
}

/** Completes a log-in whose password was correct. The fifth wrong code ends it. */
export async function finishLogIn(
  deps: AccountDeps,
  visitor: Visitor,
  { login_token, mode, remember_device = false, ...given }: SecondFactor,
): Promise<LoggedIn> {
  const token_hash = sha256(login_token);
  const inTurn = { ...takingTurns(deps, { known: false, group: addressGroup(visitor.ip) }), site: deps.site };
  const proof = await oneProof(inTurn, visitor.ip, given);
  const person = await inTurn.db.lease((read) => lookUpPendingLogin(read, token_hash));
  if (person === null) throw new Problem("invalid_login_token");
  const { user_id } = person;
  const known = await knownDevice(deps, inTurn, visitor, person.email);
  const counter = wrongCodesOf(user_id, known);
  // Counted before the code is checked, so that many attempts at once cannot get around the limit. Only failures stay counted.
  // Passkeys and recovery codes cannot be guessed, and work although others have used up the limit.
  const note = notingCodes(deps, visitor, user_id, proof);
  if ("code" in proof) await note.blocked(() => countCode(inTurn, counter));
  const isBrowser = mode !== "token" && isOwnPage(deps, visitor);
  // A wrong attempt must be counted, so the transaction commits before the problem is thrown.
  const outcome = await deps.db.system(async (tx): Promise<LoggedIn | "wrong" | "over"> => {
    const org_id = await lockPendingLogin(tx, token_hash, user_id);
    const org = org_id === null ? undefined : (await listMemberships(tx, user_id)).find((one) => one.org_id === org_id);
    if (org === undefined) return "over";
    const factor = await proveFactor(deps, tx, visitor, user_id, proof);
    if (factor === null) return (await failPendingLogin(tx, token_hash, FAILURES_PER_LOG_IN)) ? "over" : "wrong";
    await endPendingLogin(tx, token_hash);
    const user = await findUser(tx, user_id);
    const browser = isBrowser ? await rememberBrowser(deps, tx, visitor, user_id) : null;
    if (browser !== null && remember_device) await rememberDevice(tx, browser.device_id);
    const options = { device_id: browser?.device_id, factors: [factor] };
    const signed = await tx.forOrg(org.org_id, () => startSession(deps, tx, visitor, user, org, options));
    if (factor === "totp") await refundQuota(tx, counter);
    const isReported = known === null && (isBrowser || (await isNewAddress(countingIn(tx), visitor, user_id)));
    if (isReported) await mailLogInNotice(deps, tx, visitor, signed);
    return { ...signed, device_token: browser?.token ?? null };
  });
  if (outcome !== "wrong" && outcome !== "over") return outcome;
  await note.failed();
  throw new Problem(outcome === "over" ? "invalid_login_token" : "invalid_code");
}
