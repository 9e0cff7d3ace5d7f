import { appendAudit } from "../audit/append-audit.ts";
import type { Read, SystemTx } from "../db/sql.ts";
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
import { type AccountDeps, after, RESET_SECONDS, type User } from "./account.ts";
import { clearQuotas } from "./device-store.ts";
import { isOwnPage, rememberBrowser } from "./devices.ts";
import { deleteEmailChange } from "./email-change-store.ts";
import { enrolmentCounters } from "./enrolment.ts";
import { mailPerson } from "./factors.ts";
import { holdSession } from "./hold-session.ts";
import { checkPassword } from "./log-in.ts";
import { passwordChangedMail, passwordResetMail } from "./messages.ts";
import { hashPassword, type PasswordContext, refuseWeakPassword } from "./passwords.ts";
import { findMinPassword } from "./policy-store.ts";
import { reclaimAccount } from "./reclaim-account.ts";
import {
  addPasswordReset,
  endSessionsOfUser,
  findOwnDetails,
  listMemberships,
  lookUpPasswordReset,
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
export async function requestPasswordReset(deps: AccountDeps, visitor: Visitor, email: string): Promise<void> {
  const group = addressGroup(visitor.ip);
  const inTurn = takingTurns(deps, { known: false, group });
  await countAction(inTurn, `reset:${group}`, REQUESTS_PER_ADDRESS);
  if (!(await isAllowed(inTurn, resetsOf(email), REQUESTS_PER_ACCOUNT, HOUR_SECONDS))) return;
  await inTurn.db.system((tx) => enqueue(tx, "accounts.send-reset", { address_enc: sealAddress(deps, email) }));
}

/** The job. Mails a link if the address has an account. A second run sends a second link, which is better than none. */
export async function sendReset(deps: AccountDeps, { address_enc }: Jobs["accounts.send-reset"]): Promise<void> {
  await deps.db.system(async (tx) => {
    const link = await makeResetLink(deps, tx, openAddress(deps, address_enc));
    if (link === null) return;
    // To the stored address, never to the one that was typed.
    const message = { ...passwordResetMail(link.url), to: link.email, org_name: null };
    await queueMail(deps.mail, tx, null, { ...message, expires_at: after(tx.now, RESET_SECONDS) });
  });
}

/** A link for the command line, or null if no account has the address. */
export async function makeResetLink(deps: AccountDeps, tx: SystemTx, email: string): Promise<{ url: string; email: string } | null> {
  const token = newToken();
  const found = await addPasswordReset(tx, email, sha256(token), RESET_SECONDS);
  return found === null ? null : { url: `${deps.publicUrl}/console/reset#token=${token}`, email: found.email };
}

/**
 * Sets a new password with the link, which works once, and ends every session of the person. A browser becomes known; the function
 * returns the token for its cookie. Null for a program.
 */
export async function confirmPasswordReset(deps: AccountDeps, visitor: Visitor, token: string, password: string): Promise<string | null> {
  // Hashing is expensive, so it is only done for a valid link. The transaction checks the link again.
  const person = await deps.db.lease((read) => lookUpPasswordReset(read, sha256(token)));
  if (person === null) throw new Problem("invalid_link");
  // The link still works for a better password.
  await refuseWeakPassword(deps, password, await deps.db.lease((read) => rulesFor(read, person)));
  const password_hash = await hashPassword(deps, password);
  return deps.db.system(async (tx) => {
    const user_id = await usePasswordReset(tx, sha256(token));
    if (user_id === null) throw new Problem("invalid_link");
    await deleteEmailChange(tx, user_id);
    await replacePassword(deps, tx, visitor, user_id, { password_hash, how: "reset link" });
    await reclaimAccount(tx, visitor, user_id, await proofOfReset(tx, sha256(token)));
    // A person who knew the password before may have used them up.
    await clearQuotas(tx, enrolmentCounters(user_id));
    return isOwnPage(deps, visitor) ? (await rememberBrowser(deps, tx, visitor, user_id)).token : null;
  });
}

/** Changes the password of a person who knows the current one, or has none, and ends all their sessions. */
export async function changePassword(deps: AccountDeps, member: Member, current: string | undefined, password: string): Promise<void> {
  const user_id = member.session.user_id;
  const { email, has_password, rules } = await deps.db.system(async (tx) => {
    const person = await findOwnDetails(tx, user_id);
    return { ...person, rules: await rulesFor(tx, person) };
  });
  // Only requests with a session of the person are counted here, so other people cannot use up the limit.
  await countAction(deps, `login:user:${user_id}`, TRIES_PER_PERSON);
  // A person without a password confirmed with a passkey, which the endpoint demands.
  if (has_password) await proveCurrent(deps, member, email, current);
  else if (current !== undefined) throw invalidField("current_password", "conflict", "must be left out: you have no password");
  await refuseWeakPassword(deps, password, { ...rules, field: "new_password" });
  const password_hash = await hashPassword(deps, password);
  await deps.db.system(async (tx) => {
    await holdSession(tx, member);
    await replacePassword(deps, tx, member, user_id, { password_hash, how: "signed in" });
  });
}

async function rulesFor(read: Read, { user_id, email, name }: User): Promise<PasswordContext> {
  const orgs = await listMemberships(read, user_id);
  return { email, names: [name, ...orgs.map((org) => org.name)], min: await findMinPassword(read, user_id) };
}

async function proveCurrent(deps: AccountDeps, { ip }: Member, email: string, current: string | undefined): Promise<void> {
  if (current === undefined) throw invalidField("current_password", "required", "is required");
  if ((await checkPassword(deps, { known: true, group: addressGroup(ip) }, email, current)) === null)
    throw invalidField("current_password", "invalid_value", "is not your password");
}

interface NewPassword {
  readonly password_hash: string;
  readonly how: "reset link" | "signed in";
}

async function replacePassword(
  deps: AccountDeps,
  tx: SystemTx,
  by: Origin,
  user_id: UserId,
  { password_hash, how }: NewPassword,
): Promise<void> {
  await setPasswordHash(tx, user_id, password_hash);
  await endSessionsOfUser(tx, user_id);
  const actor = { kind: "user", id: user_id } as const;
  for (const { org_id } of await listMemberships(tx, user_id)) {
    await tx.forOrg(org_id, () => appendAudit(tx, org_id, { type: "password.changed", by: { ...by, actor }, data: { user_id, how } }));
  }
  await mailPerson(deps, tx, user_id, passwordChangedMail(how));
}
