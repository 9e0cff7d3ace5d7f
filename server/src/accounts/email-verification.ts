import { randomInt } from "node:crypto";
import { appendAudit } from "../audit/append-audit.ts";
import type { SystemTx } from "../db/sql.ts";
import { takeQuota } from "../http/quota.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { type Actor, asSystem, type Member, type Origin } from "../shared/caller.ts";
import { DAY_SECONDS } from "../shared/durations.ts";
import type { UserId } from "../shared/ids.ts";
import { coded, invalidField, Problem } from "../shared/problems.ts";
import { macsOf } from "../shared/secrets.ts";
import { type AccountDeps, after, EMAIL_CODE_SECONDS, type Proof } from "./account.ts";
import { emailCodeMail } from "./messages.ts";
import { addEmailCode, findUser, isEmailVerified, listMemberships, lookUpLogin, noteCodeMail, tryEmailCode, verifyEmail } from "./store.ts";

// There are a million codes. With five attempts per code and ten codes a day, continuous guessing succeeds about once in 50 years, and
// the owner of the address gets a mail for each code.
const FAILURES_PER_CODE = 5;
const CODES_PER_DAY = 10;

/** Mails a six-digit code to the person's own address. The previous code stops working. */
export async function sendEmailCode(deps: AccountDeps, member: Member): Promise<void> {
  if (deps.mail.smtp === null) throw coded("mail_not_set_up", "the operator runs: countersign users verify <e-mail>");
  const { user_id } = member.session;
  const taken = await deps.db.lease((read) => takeQuota(read, `email-code:${user_id}`, CODES_PER_DAY, DAY_SECONDS));
  if (!taken.accepted) {
    const retryAfterSeconds = Math.max(1, taken.reset - Math.floor(Date.now() / 1000));
    throw new Problem("rate_limited", "email-code", { retryAfterSeconds, quota: taken });
  }
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  await deps.db.system(async (tx) => {
    if (await isEmailVerified(tx, user_id)) throw alreadyVerified();
    const { email } = await findUser(tx, user_id);
    await addEmailCode(tx, user_id, hashesOf(deps, user_id, code)[0], EMAIL_CODE_SECONDS);
    const expires_at = after(tx.now, EMAIL_CODE_SECONDS);
    const message_id = await queueMail(deps.mail, tx, null, { ...emailCodeMail(code), to: email, org_name: null, expires_at });
    await noteCodeMail(tx, user_id, message_id);
  });
}

const alreadyVerified = (): Problem => coded("address_verified", "you do not need to do anything");

/** Under every version of the secret; the first is the one to store. */
const hashesOf = ({ keys }: AccountDeps, user_id: UserId, code: string): readonly [Buffer, ...Buffer[]] =>
  macsOf(keys.codes, `email ${user_id} ${code}`);

/** Verifies the address by the code that was mailed to it. */
export async function verifyByCode(deps: AccountDeps, member: Member, code: string): Promise<void> {
  const { user_id } = member.session;
  // A wrong attempt must be counted, so the transaction commits before the problem is thrown.
  const outcome = await deps.db.system(async (tx) => {
    if (await isEmailVerified(tx, user_id)) return "verified";
    const tried = await tryEmailCode(tx, user_id, hashesOf(deps, user_id, code), FAILURES_PER_CODE);
    if (tried === "right") await markVerified(tx, member, member.actor, user_id, "mail");
    return tried;
  });
  if (outcome === "verified") throw alreadyVerified();
  if (outcome === "wrong") throw invalidField("code", "invalid_value", "does not match the code in the e-mail");
  if (outcome === "over") throw invalidField("code", "expired", "has expired. Request a new one");
}

/** For the command line. Whether the address was verified just now, and the names of its orgs. Null if no account has the address. */
export async function verifyByOperator(tx: SystemTx, by: Origin, email: string): Promise<{ isNew: boolean; orgs: string[] } | null> {
  const login = await lookUpLogin(tx, email);
  if (login === null) return null;
  const isNew = await markVerified(tx, by, asSystem(by).actor, login.user_id, "operator");
  return { isNew, orgs: (await listMemberships(tx, login.user_id)).map(({ name }) => name) };
}

/** Writes an audit entry in each org of the person. False if the address was already verified. */
async function markVerified(tx: SystemTx, by: Origin, actor: Actor, user_id: UserId, proof: Proof): Promise<boolean> {
  if (!(await verifyEmail(tx, user_id, proof))) return false;
  const entry = { type: "email.verified", by: { ...by, actor }, data: { user_id, verified_by: proof } } as const;
  for (const { org_id } of await listMemberships(tx, user_id)) await tx.forOrg(org_id, () => appendAudit(tx, org_id, entry));
  return true;
}
