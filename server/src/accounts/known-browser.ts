import { appendAudit } from "../audit/append-audit.ts";
import { addressGroup } from "../http/address.ts";
import type { Visitor } from "../http/endpoint.ts";
import type { Jobs } from "../jobs/catalogue.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { openAddress, sealAddress } from "../mail/sealed-address.ts";
import { HOUR_SECONDS } from "../shared/durations.ts";
import { Problem } from "../shared/problems.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import { type AccountDeps, after } from "./account.ts";
import { addAccountLink, useAccountLink } from "./device-store.ts";
import { rememberBrowser } from "./devices.ts";
import { knownBrowserMail } from "./messages.ts";
import { findUser, listMemberships, lookUpLogin } from "./store.ts";
import { accountKey, countAction, type InTurn, isAllowed, takingTurns } from "./throttle.ts";

const LINK_SECONDS = 3600;
const LINKS_PER_ADDRESS = 10;

export const offersOf = (email: string) => `login:mail:${accountKey(email)}`;

/** A visitor requests the link. The response does not reveal whether the address has an account. */
export async function requestBrowserLink(deps: AccountDeps, visitor: Visitor, email: string): Promise<void> {
  const group = addressGroup(visitor.ip);
  const inTurn = takingTurns(deps, { known: false, group });
  await countAction(inTurn, `link:${group}`, LINKS_PER_ADDRESS);
  await offerBrowserLink(inTurn, email);
}

/** At most one mail an hour. The work is the same for known and unknown addresses, because a job looks up the person. */
export async function offerBrowserLink(deps: InTurn, email: string): Promise<void> {
  if (!(await isAllowed(deps, offersOf(email), 1, HOUR_SECONDS))) return;
  await deps.db.system((tx) => enqueue(tx, "accounts.send-browser-link", { address_enc: sealAddress(deps, email) }));
}

/** The job. A second run sends a second link, which is better than none. */
export async function sendBrowserLink(deps: AccountDeps, { address_enc }: Jobs["accounts.send-browser-link"]): Promise<void> {
  const email = openAddress(deps, address_enc);
  await deps.db.system(async (tx) => {
    const login = await lookUpLogin(tx, email);
    // A person without a password logs in with a passkey, which no limit stops.
    if (login === null || login.password_hash === null) return;
    const { user_id, email: to } = await findUser(tx, login.user_id);
    const token = newToken();
    await addAccountLink(tx, sha256(token), { purpose: "known_browser", user_id, session_id: null, life_seconds: LINK_SECONDS });
    const words = knownBrowserMail(`${deps.publicUrl}/console/known-browser#token=${token}`);
    await queueMail(deps.mail, tx, null, { ...words, to, org_name: null, expires_at: after(tx.now, LINK_SECONDS) });
  });
}

/** Marks the link as used and returns the token for the browser's cookie. This does not log in; the password is still needed. */
export async function makeBrowserKnown(deps: AccountDeps, visitor: Visitor, token: string): Promise<string> {
  return deps.db.system(async (tx) => {
    const link = await useAccountLink(tx, sha256(token), "known_browser");
    if (link === null) throw new Problem("invalid_link");
    const { user_id } = link;
    const browser = await rememberBrowser(deps, tx, visitor, user_id);
    const by = { ...visitor, actor: { kind: "user", id: user_id } as const };
    const data = { user_id, device_id: browser.device_id, how: "mailed link" };
    for (const { org_id } of await listMemberships(tx, user_id)) {
      await tx.forOrg(org_id, () => appendAudit(tx, org_id, { type: "browser.known", by, data }));
    }
    return browser.token;
  });
}
