import type { SystemTx } from "../db/sql.ts";
import { addressGroup } from "../http/address.ts";
import type { Visitor } from "../http/endpoint.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { HOUR_SECONDS } from "../shared/durations.ts";
import type { UserId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import { type AccountDeps, after } from "./account.ts";
import { appendInOrgs } from "./append-in-orgs.ts";
import { addAccountLink, lookUpAccountLink, useAccountLink } from "./device-store.ts";
import { deleteFactorsOf } from "./factor-store.ts";
import { mailPerson } from "./factors.ts";
import { checkPassword } from "./log-in.ts";
import { factorResetMail, factorsResetMail } from "./messages.ts";
import { confirmLogin, endSessionsOfUser, findUser, hasPassword } from "./store.ts";
import { countAction, takingTurns } from "./throttle.ts";

/** Removing all second factors of a person who lost them: an admin requests it, and the person needs the mailed link and the password. */

const LINK_SECONDS = HOUR_SECONDS;
const TRIES_PER_HOUR = 5;

/** Mails the link to the person. */
export async function mailFactorReset(deps: AccountDeps, tx: SystemTx, user_id: UserId, org_name: string): Promise<void> {
  const token = newToken();
  await addAccountLink(tx, sha256(token), { purpose: "factor_reset", user_id, session_id: null, life_seconds: LINK_SECONDS });
  const { email: to } = await findUser(tx, user_id);
  const words = factorResetMail(org_name, `${deps.publicUrl}/console/reset?factors=1#token=${token}`);
  await queueMail(deps.mail, tx, null, { ...words, to, org_name: null, expires_at: after(tx.now, LINK_SECONDS) });
}

/** Link and password together remove the factors and end all sessions. A wrong password leaves the link as it is. */
export async function useFactorReset(deps: AccountDeps, visitor: Visitor, token: string, password: string): Promise<void> {
  const turn = { known: false, group: addressGroup(visitor.ip) };
  const inTurn = takingTurns(deps, turn);
  const person = await inTurn.db.lease((read) => lookUpAccountLink(read, sha256(token), "factor_reset"));
  if (person === null) throw new Problem("invalid_link");
  const { user_id, email } = person;
  if (!(await inTurn.db.lease((read) => hasPassword(read, user_id)))) throw new Problem("password_missing");
  await countAction(inTurn, `factor-reset:${user_id}`, TRIES_PER_HOUR, HOUR_SECONDS);
  const proved = await checkPassword(inTurn, turn, email, password);
  if (proved === null) throw invalidField("password", "invalid_value", "is not your password");
  await deps.db.system(async (tx) => {
    if ((await useAccountLink(tx, sha256(token), "factor_reset")) === null) throw new Problem("invalid_link");
    if (!(await confirmLogin(tx, user_id, proved.password_hash))) throw new Problem("invalid_link");
    const removed = await deleteFactorsOf(tx, user_id);
    await endSessionsOfUser(tx, user_id);
    const actor = { kind: "user", id: user_id } as const;
    await appendInOrgs(tx, user_id, { type: "factor.reset", by: { ...visitor, actor }, data: { user_id, removed } });
    await mailPerson(deps, tx, user_id, factorsResetMail("link", true));
  });
}
