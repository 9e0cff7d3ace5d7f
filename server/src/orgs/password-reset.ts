import { appendAudit } from "../audit/append-audit.ts";
import type { SystemTx } from "../db/sql.ts";
import { addressGroup } from "../http/address.ts";
import type { Visitor } from "../http/endpoint.ts";
import type { Jobs } from "../jobs/catalogue.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { openAddress, sealAddress } from "../mail/sealed-address.ts";
import type { Member, Origin } from "../shared/caller.ts";
import { HOUR_SECONDS } from "../shared/durations.ts";
import type { UserId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import { isOwnPage, rememberBrowser } from "./devices.ts";
import { checkPassword } from "./log-in.ts";
import { passwordResetMail } from "./messages.ts";
import { after, type OrgDeps, RESET_SECONDS } from "./org.ts";
import { hashPassword, refuseWeakPassword } from "./passwords.ts";
import { reclaimAccount } from "./reclaim-account.ts";
import {
  addPasswordReset,
  endSessionsOfUser,
  findUser,
  isPasswordReset,
  listMemberships,
  proofOfReset,
  setPasswordHash,
  usePasswordReset,
} from "./store.ts";
import { accountKey, countAction, isAllowed, takingTurns } from "./throttle.ts";

const REQUESTS_PER_ADDRESS = 10;
const REQUESTS_PER_ACCOUNT = 3;
const TRIES_PER_PERSON = 10;

export const resetsOf = (email: string) => `reset:account:${accountKey(email)}`;

/** Queues the request. A job looks up the person, so the response takes the same time for known and unknown addresses. */
export async function requestPasswordReset(deps: OrgDeps, visitor: Visitor, email: string): Promise<void> {
  const group = addressGroup(visitor.ip);
  const inTurn = takingTurns(deps, { known: false, group });
  await countAction(inTurn, `reset:${group}`, REQUESTS_PER_ADDRESS);
  if (!(await isAllowed(inTurn, resetsOf(email), REQUESTS_PER_ACCOUNT, HOUR_SECONDS))) return;
  await inTurn.db.system((tx) => enqueue(tx, "accounts.send-reset", { address_enc: sealAddress(deps, email) }));
}

/** The job. Mails a link if the address has an account. A second run sends a second link, which is better than none. */
export async function sendReset(deps: OrgDeps, { address_enc }: Jobs["accounts.send-reset"]): Promise<void> {
  await deps.db.system(async (tx) => {
    const link = await makeResetLink(deps, tx, openAddress(deps, address_enc));
    if (link === null) return;
    // To the stored address, never to the one that was typed.
    const message = { ...passwordResetMail(link.url), to: link.email, org_name: null };
    await queueMail(deps.mail, tx, null, { ...message, expires_at: after(tx.now, RESET_SECONDS) });
  });
}

/** A link for the command line, or null if no account has the address. */
export async function makeResetLink(deps: OrgDeps, tx: SystemTx, email: string): Promise<{ url: string; email: string } | null> {
  const token = newToken();
  const found = await addPasswordReset(tx, email, sha256(token), RESET_SECONDS);
  return found === null ? null : { url: `${deps.publicUrl}/console/reset#token=${token}`, email: found.email };
}

/**
 * Sets a new password with the link, which works once, and ends every session of the person. A browser becomes known; the function
 * returns the token for its cookie. Null for a program.
 */
export async function confirmPasswordReset(deps: OrgDeps, visitor: Visitor, token: string, password: string): Promise<string | null> {
  refuseWeakPassword(password, "");
  // Hashing is expensive, so it is only done for a valid link. The transaction checks the link again.
  if (!(await deps.db.lease((read) => isPasswordReset(read, sha256(token))))) throw new Problem("invalid_link");
  const password_hash = await hashPassword(deps, password);
  return deps.db.system(async (tx) => {
    const user_id = await usePasswordReset(tx, sha256(token));
    if (user_id === null) throw new Problem("invalid_link");
    // A weak password rolls the transaction back, so the link still works for a better one.
    refuseWeakPassword(password, (await findUser(tx, user_id)).email);
    await replacePassword(tx, visitor, user_id, password_hash, "reset link");
    await reclaimAccount(tx, visitor, user_id, await proofOfReset(tx, sha256(token)));
    return isOwnPage(deps, visitor) ? (await rememberBrowser(tx, visitor, user_id)).token : null;
  });
}

/** Changes the password of a person who knows the current one, and ends their other sessions. */
export async function changePassword(deps: OrgDeps, member: Member, current: string, password: string): Promise<void> {
  const user_id = member.session.user_id;
  const { email } = await deps.db.system((tx) => findUser(tx, user_id));
  // Only requests with a session of the person are counted here, so other people cannot use up the limit.
  await countAction(deps, `login:user:${user_id}`, TRIES_PER_PERSON);
  if ((await checkPassword(deps, { known: true, group: addressGroup(member.ip) }, email, current)) === null)
    throw invalidField("current_password", "invalid_value", "is not your password");
  refuseWeakPassword(password, email, "new_password");
  const password_hash = await hashPassword(deps, password);
  await deps.db.system((tx) => replacePassword(tx, member, user_id, password_hash, "signed in"));
}

async function replacePassword(tx: SystemTx, by: Origin, user_id: UserId, password_hash: string, how: string): Promise<void> {
  await setPasswordHash(tx, user_id, password_hash);
  await endSessionsOfUser(tx, user_id);
  const actor = { kind: "user", id: user_id } as const;
  for (const { org_id } of await listMemberships(tx, user_id)) {
    await tx.forOrg(org_id, () => appendAudit(tx, org_id, { type: "password.changed", by: { ...by, actor }, data: { user_id, how } }));
  }
}
