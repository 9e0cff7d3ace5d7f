import { addressGroup } from "../http/address.ts";
import type { Visitor } from "../http/endpoint.ts";
import type { AssertionResponse } from "../proofs/protocol.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { AccountDeps } from "./account.ts";
import { isOwnPage, knownDevice, rememberBrowser } from "./devices.ts";
import { chooseOrg, type LoggedIn } from "./log-in.ts";
import { isNewAddress, mailLogInNotice } from "./new-device.ts";
import { notingSignIns } from "./noting-sign-ins.ts";
import { checkPasskey } from "./passkeys.ts";
import { usePasskey } from "./prove-factor.ts";
import { addressNotAllowed } from "./refuse-other-address.ts";
import { noteSignIn } from "./sign-in-store.ts";
import { startSession } from "./start-session.ts";
import { findUser, listWaysIn, type WayIn } from "./store.ts";
import { countingIn, takingTurns } from "./throttle.ts";

interface PasskeyLogIn {
  readonly passkey: AssertionResponse;
  readonly org_id?: OrgId | undefined;
  readonly mode?: "cookie" | "token" | undefined;
}

/**
 * Logs in with a passkey alone, which counts as two factors, because its device checks the person. Other people's wrong passwords and codes
 * do not matter here. Whatever is wrong gets the same response.
 */
export async function logInByPasskey(deps: AccountDeps, visitor: Visitor, { passkey, org_id, mode }: PasskeyLogIn): Promise<LoggedIn> {
  const inTurn = { ...takingTurns(deps, { known: false, group: addressGroup(visitor.ip) }), site: deps.site };
  const checked = await checkPasskey(inTurn, visitor.ip, passkey);
  if (checked === null) throw new Problem("invalid_passkey");
  const { user_id, email } = checked;
  const known = await knownDevice(deps, inTurn, visitor, email);
  const isBrowser = mode !== "token" && isOwnPage(deps, visitor);
  // A count that goes back must be recorded, so the transaction commits before the problem is thrown.
  const signed = await deps.db.system(async (tx): Promise<LoggedIn | WayIn | null> => {
    if (!(await usePasskey(tx, visitor, user_id, checked))) return null;
    const org = chooseOrg(await listWaysIn(tx, user_id, visitor.ip), org_id);
    if (org === undefined) return null;
    if (!org.admits && !org.needs_sso) return org;
    const user = await findUser(tx, user_id);
    const browser = isBrowser ? await rememberBrowser(deps, tx, visitor, user_id) : null;
    const options = { device_id: browser?.device_id, factors: ["passkey"], via: "passkey" as const };
    const session = await tx.forOrg(org.org_id, () => startSession(deps, tx, visitor, user, org, options));
    const isReported = known === null && (isBrowser || (await isNewAddress(countingIn(tx), visitor, user_id)));
    if (isReported) await mailLogInNotice(deps, tx, visitor, session);
    return { ...session, device_token: browser?.token ?? null };
  });
  if (signed === null) {
    await notingSignIns(deps, visitor, user_id, "passkey", "passkey_not_accepted").failed();
    throw new Problem("invalid_passkey");
  }
  if ("token" in signed) return signed;
  const attempt = { of: { user_id }, method: "passkey", result: "refused", reason: "address", org: signed.org_id } as const;
  await deps.db.lease((read) => noteSignIn(read, visitor, attempt));
  throw addressNotAllowed(visitor.ip);
}
