import { asSystem, type Origin } from "../shared/caller.ts";
import type { AccountDeps } from "./account.ts";
import { appendInOrgs } from "./append-in-orgs.ts";
import { deleteFactorsOf } from "./factor-store.ts";
import { mailPerson } from "./factors.ts";
import { factorsResetMail } from "./messages.ts";
import { endSessionsOfUser, hasPassword, listMemberships, lookUpLogin } from "./store.ts";

/**
 * For the operator, who makes sure who the person is: removes the second factors of a person who lost them and ends their sessions. The
 * password is still needed. Null if no account has the address.
 */
export async function resetFactors(deps: AccountDeps, by: Origin, email: string): Promise<{ removed: number; entries: number } | null> {
  return deps.db.system(async (tx) => {
    const login = await lookUpLogin(tx, email);
    if (login === null) return null;
    const { user_id } = login;
    const removed = await deleteFactorsOf(tx, user_id);
    if (removed === 0) return { removed, entries: 0 };
    await endSessionsOfUser(tx, user_id);
    await appendInOrgs(tx, user_id, { type: "factor.reset", by: asSystem(by), data: { user_id, removed } });
    await mailPerson(deps, tx, user_id, factorsResetMail("operator", await hasPassword(tx, user_id)));
    return { removed, entries: (await listMemberships(tx, user_id)).length };
  });
}
