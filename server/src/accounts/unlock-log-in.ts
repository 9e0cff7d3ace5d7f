import { appendAudit } from "../audit/append-audit.ts";
import { asSystem, type Origin } from "../shared/caller.ts";
import type { AccountDeps } from "./account.ts";
import { clearQuotas, listDevices } from "./device-store.ts";
import { wrongCodesOf } from "./finish-log-in.ts";
import { offersOf } from "./known-browser.ts";
import { countersOf } from "./log-in-throttle.ts";
import { resetsOf } from "./password-reset.ts";
import { findUser, listMemberships, lookUpLogin } from "./store.ts";

/** Lets an account log in again at once, from every browser. For the operator. False if no account has the address. */
export async function unlockLogIn(deps: AccountDeps, by: Origin, email: string): Promise<boolean> {
  return deps.db.system(async (tx) => {
    const login = await lookUpLogin(tx, email);
    if (login === null) return false;
    const { user_id } = await findUser(tx, login.user_id);
    const devices = await listDevices(tx, user_id);
    const codes = [null, ...devices].map((device_id) => wrongCodesOf(user_id, device_id));
    await clearQuotas(tx, [...countersOf(email, devices), ...codes, offersOf(email), resetsOf(email)]);
    const entry = { type: "login.unlocked", by: asSystem(by), data: { user_id } } as const;
    for (const { org_id } of await listMemberships(tx, user_id)) await tx.forOrg(org_id, () => appendAudit(tx, org_id, entry));
    return true;
  });
}
