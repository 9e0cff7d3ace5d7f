import type { Visitor } from "../http/endpoint.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { sealAddress } from "../mail/sealed-address.ts";
import type { Member } from "../shared/caller.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../shared/durations.ts";
import { emailKey } from "../shared/email.ts";
import { coded, invalidField, Problem } from "../shared/problems.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import { type AccountDeps, after } from "./account.ts";
import { appendInOrgs } from "./append-in-orgs.ts";
import { listBrowsers, listDevices, revokeDevice } from "./device-store.ts";
import { addEmailChange, confirmChange, undoChange } from "./email-change-store.ts";
import { needsEnrolmentCode } from "./enrolment.ts";
import { deleteFactorsSince, deleteRecoveryCodesSince, listFactors } from "./factor-store.ts";
import { mailPerson } from "./factors.ts";
import { holdSession } from "./hold-session.ts";
import { addressInUseMail, emailChangedMail, emailChangeMail, emailChangeUndoneMail } from "./messages.ts";
import { endSessionsOfUser, findUser, hasPassword, lookUpLogin, setPasswordHash } from "./store.ts";
import { countAction } from "./throttle.ts";

/** Another e-mail address for an account: the new one is proven by a link, and the owner of the old one can reverse the change. */

const LINK_SECONDS = HOUR_SECONDS;
const UNDO_SECONDS = 7 * DAY_SECONDS;
const CHANGES_PER_DAY = 5;

/**
 * Mails a link to the new address. An address that has an account gets a notice instead, and the caller the same response. A change that
 * was requested before is replaced.
 */
export async function requestEmailChange(deps: AccountDeps, member: Member, new_email: string): Promise<void> {
  const { user_id } = member.session;
  // The code that lets a person add their first factor is mailed to the address, so the password alone must not move it.
  if (await deps.db.system((tx) => needsEnrolmentCode(tx, member))) throw new Problem("enrollment_required");
  if (deps.mail.smtp === null) throw coded("mail_not_set_up", "the new address is proven by a link that is mailed to it");
  await countAction(deps, `email-change:${user_id}`, CHANGES_PER_DAY, DAY_SECONDS);
  const token = newToken();
  await deps.db.system(async (tx) => {
    await holdSession(tx, member);
    const { email } = await findUser(tx, user_id);
    if (emailKey(email) === emailKey(new_email)) throw invalidField("new_email", "invalid_value", "is your address already");
    const isFree = await addEmailChange(tx, sha256(token), { user_id, new_email, life_seconds: LINK_SECONDS });
    const words = isFree ? emailChangeMail(email, `${deps.publicUrl}/console/email#token=${token}`) : addressInUseMail();
    const owner = isFree ? null : await lookUpLogin(tx, new_email);
    // The notice goes to the stored address, never to the one that was typed.
    const to = owner === null ? new_email : (await findUser(tx, owner.user_id)).email;
    await queueMail(deps.mail, tx, null, { ...words, to, org_name: null, expires_at: after(tx.now, LINK_SECONDS) });
    // Without the address, which may be mistyped and belong to someone else.
    await appendInOrgs(tx, user_id, { type: "email.change_requested", by: member, data: { user_id } });
  });
}

/** The link that was mailed to the new address. Mails the old address a link that reverses the change. Returns the new address. */
export async function confirmEmailChange(deps: AccountDeps, visitor: Visitor, token: string): Promise<string> {
  const undo = newToken();
  return deps.db.system(async (tx) => {
    const change = await confirmChange(tx, sha256(token), sha256(undo), UNDO_SECONDS);
    if (change === null) throw new Problem("invalid_link");
    if (change === "taken") throw new Problem("address_taken");
    const { user_id, from, to } = change;
    const actor = { kind: "user", id: user_id } as const;
    await appendInOrgs(tx, user_id, { type: "email.changed", by: { ...visitor, actor }, data: { user_id, from, to } });
    const words = emailChangedMail(to, `${deps.publicUrl}/console/email?undo=1#token=${undo}`);
    await queueMail(deps.mail, tx, null, { ...words, to: from, org_name: null, expires_at: after(tx.now, UNDO_SECONDS) });
    return to;
  });
}

/**
 * The link that was mailed to the old address. The account has it again, and what the person who asked for the change knew or added no
 * longer opens it: all sessions end, no browser stays known, the password and what was added since the request are removed. A link for a
 * new password goes to the address, and a message that says what was removed and what is left.
 */
export async function undoEmailChange(deps: AccountDeps, visitor: Visitor, token: string): Promise<string> {
  return deps.db.system(async (tx) => {
    const change = await undoChange(tx, sha256(token));
    if (change === null) throw new Problem("invalid_link");
    if (change === "taken") throw new Problem("address_taken");
    const { user_id, from, to, requested_at } = change;
    const removed = await deleteFactorsSince(tx, user_id, requested_at);
    const codes = await deleteRecoveryCodesSince(tx, user_id, requested_at);
    const hadPassword = await hasPassword(tx, user_id);
    await setPasswordHash(tx, user_id, null);
    const sessions = await endSessionsOfUser(tx, user_id);
    const browsers = (await listBrowsers(tx, user_id)).length;
    for (const device_id of await listDevices(tx, user_id)) await revokeDevice(tx, device_id);
    const by = { ...visitor, actor: { kind: "user", id: user_id } } as const;
    for (const { factor_id, kind, name } of removed)
      await appendInOrgs(tx, user_id, { type: "factor.removed", by, data: { user_id, factor_id, kind, name } });
    const lost = { factors_removed: removed.length, recovery_codes_removed: codes > 0, password_removed: hadPassword };
    const data = { user_id, from, to, ...lost, browsers_forgotten: browsers, sessions_ended: sessions };
    await appendInOrgs(tx, user_id, { type: "email.change_undone", by, data });
    const kept = await listFactors(tx, user_id);
    await mailPerson(deps, tx, user_id, emailChangeUndoneMail({ requested_at, removed, kept, codes, hadPassword, sessions, browsers }));
    await enqueue(tx, "accounts.send-reset", { address_enc: sealAddress(deps, to) });
    return to;
  });
}
