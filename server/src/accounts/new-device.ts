import type { Tx } from "../db/sql.ts";
import { addressGroup } from "../http/address.ts";
import type { Visitor } from "../http/endpoint.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { DAY_SECONDS } from "../shared/durations.ts";
import type { UserId } from "../shared/ids.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import { type AccountDeps, after } from "./account.ts";
import { browserName } from "./browser-name.ts";
import { addAccountLink } from "./device-store.ts";
import { newDeviceMail } from "./messages.ts";
import type { SignedIn } from "./start-session.ts";
import { type CountDeps, isAllowed } from "./throttle.ts";

const REMEMBERED_SECONDS = 180 * DAY_SECONDS;
const NOTICES_PER_DAY = 5;
const LINK_SECONDS = 7 * DAY_SECONDS;

/**
 * For programs, which keep no cookie: whether the account has not been used from this address group in the last 180 days. A script that
 * logs in daily from one machine is reported twice a year; one with changing addresses at most five times a day.
 */
export async function isNewAddress(deps: CountDeps, { ip }: Pick<Visitor, "ip">, user_id: UserId): Promise<boolean> {
  if (!(await isAllowed(deps, `seen:${user_id}:${addressGroup(ip)}`, 1, REMEMBERED_SECONDS))) return false;
  return isAllowed(deps, `seen:${user_id}`, NOTICES_PER_DAY, DAY_SECONDS);
}

/** Tells the person by e-mail when, from where and with which browser their account was used, with the link "This was not me". */
export async function mailLogInNotice(
  deps: AccountDeps,
  tx: Tx,
  { ip, user_agent }: Visitor,
  { user, session_id }: SignedIn,
): Promise<void> {
  const token = newToken();
  const { user_id, email: to } = user;
  await addAccountLink(tx, sha256(token), { purpose: "not_me", user_id, session_id, life_seconds: LINK_SECONDS });
  const url = `${deps.publicUrl}/console/not-me#token=${token}`;
  const words = newDeviceMail({ at: tx.now, ip, browser: browserName(user_agent), url });
  await queueMail(deps.mail, tx, null, { ...words, to, org_name: null, expires_at: after(tx.now, LINK_SECONDS) });
}
