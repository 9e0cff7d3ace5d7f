import type { Member } from "../shared/caller.ts";
import { Problem } from "../shared/problems.ts";
import type { AccountDeps } from "./account.ts";
import { appendInOrgs } from "./append-in-orgs.ts";
import { mailPerson } from "./factors.ts";
import { holdSession } from "./hold-session.ts";
import { passwordRemovedMail } from "./messages.ts";
import { deletePassword, hasPassword } from "./store.ts";

/** So that a lost device does not lock the person out. A person without a password always keeps as many (`remove_factor`). */
export const PASSKEYS_INSTEAD = 2;

/** From now on only passkeys log in. Sessions go on. */
export async function removePassword(deps: AccountDeps, member: Member): Promise<void> {
  const { user_id } = member.session;
  await deps.db.system(async (tx) => {
    await holdSession(tx, member);
    if (!(await hasPassword(tx, user_id))) throw new Problem("password_missing");
    if (!(await deletePassword(tx, user_id, PASSKEYS_INSTEAD))) throw new Problem("passkeys_missing");
    await appendInOrgs(tx, user_id, { type: "password.removed", by: member, data: { user_id } });
    await mailPerson(deps, tx, user_id, passwordRemovedMail());
  });
}
