import { appendAudit } from "../audit/append-audit.ts";
import type { SystemTx } from "../db/sql.ts";
import { addressGroup } from "../http/address.ts";
import type { Visitor } from "../http/endpoint.ts";
import type { Jobs } from "../jobs/catalogue.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { queueMail } from "../mail/queue-mail.ts";
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
import { openAddress, sealAddress } from "./sealed-address.ts";
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
import { accountKey, countAct, isAllowed, takingTurns } from "./throttle.ts";

const REQUESTS_PER_ADDRESS = 10;
const REQUESTS_PER_ACCOUNT = 3;
const TRIES_PER_PERSON = 10;

export const resetsOf = (email: string) => `reset:account:${accountKey(email)}`;

/** Takes note of who asked. The work is the same for known and unknown addresses, so its time tells nothing: a job looks the person up. */
export async function requestPasswordReset(deps: OrgDeps, visitor: Visitor, email: string): Promise<void> {
  const group = addressGroup(visitor.ip);
  const inTurn = takingTurns(deps, { known: false, group });
  await countAct(inTurn, `reset:${group}`, REQUESTS_PER_ADDRESS);
  if (!(await isAllowed(inTurn, resetsOf(email), REQUESTS_PER_ACCOUNT, HOUR_SECONDS))) return;
  await inTurn.db.system((tx) => enqueue(tx, "accounts.send-reset", { address_enc: sealAddress(deps, email) }));
}

/** The job: a mail with a link, if the address has an account. A second run sends a second link: better two than none. */
export async function sendReset(deps: OrgDeps, { address_enc }: Jobs["accounts.send-reset"]): Promise<void> {
  await deps.db.system(async (tx) => {
    const link = await makeResetLink(deps, tx, openAddress(deps, address_enc));
    if (link === null) return;
    // To the address that is stored, never to the one that was typed.
    const message = { ...passwordResetMail(link.url), to: link.email, org_name: null };
    await queueMail(deps.mail, tx, null, { ...message, expires_at: after(tx.now, RESET_SECONDS) });
  });
}

/** A link for the command line, or null when nobody has the address. */
export async function makeResetLink(deps: OrgDeps, tx: SystemTx, email: string): Promise<{ url: string; email: string } | null> {
  const token = newToken();
  const found = await addPasswordReset(tx, email, sha256(token), RESET_SECONDS);
  return found === null ? null : { url: `${deps.publicUrl}/console/reset#token=${token}`, email: found.email };
}

/**
 * A new password by the link: one use, and every session of the person ends. Returns the token for the cookie of a browser, which the
 * link makes known as the one for new browsers does; null for a program.
 */
export async function confirmPasswordReset(deps: OrgDeps, visitor: Visitor, token: string, password: string): Promise<string | null> {
  refuseWeakPassword(password, "");
  // Hashing is dear, so only for a link that is good; whether it still is when it is used, the transaction says.
  if (!(await deps.db.lease((read) => isPasswordReset(read, sha256(token))))) throw new Problem("invalid_link");
  const password_hash = await hashPassword(deps, password);
  return deps.db.system(async (tx) => {
    const user_id = await usePasswordReset(tx, sha256(token));
    if (user_id === null) throw new Problem("invalid_link");
    // A refusal here rolls back: the link still works for a better password.
    refuseWeakPassword(password, (await findUser(tx, user_id)).email);
    await replacePassword(tx, visitor, user_id, password_hash, "reset link");
    await reclaimAccount(tx, visitor, user_id, await proofOfReset(tx, sha256(token)));
    return isOwnPage(deps, visitor) ? (await rememberBrowser(tx, visitor, user_id)).token : null;
  });
}

/** A new password by somebody who knows the present one; the other sessions end with it. */
export async function changePassword(deps: OrgDeps, member: Member, current: string, password: string): Promise<void> {
  const user_id = member.session.user_id;
  const { email } = await deps.db.system((tx) => findUser(tx, user_id));
  // Only callers with a session of the person count here, so no one else's failures keep them from it.
  await countAct(deps, `login:user:${user_id}`, TRIES_PER_PERSON);
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
