import { randomInt } from "node:crypto";
import type { Read, SystemTx, Tx } from "../db/sql.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { asSystem, type Member, type Origin } from "../shared/caller.ts";
import { DAY_SECONDS } from "../shared/durations.ts";
import type { UserId } from "../shared/ids.ts";
import { coded, invalidField } from "../shared/problems.ts";
import { macsOf } from "../shared/secrets.ts";
import { type AccountDeps, after, EMAIL_CODE_SECONDS } from "./account.ts";
import { appendInOrgs } from "./append-in-orgs.ts";
import { enrolmentCodeMail } from "./messages.ts";
import { listOrgsDemandingFactor } from "./policy-store.ts";
import { addEmailCode, type CodeOutcome, findUser, listMemberships, lookUpLogin, noteCodeMail, tryEmailCode } from "./store.ts";
import { countAction } from "./throttle.ts";

/**
 * A person whose organization requires a second factor adds the first one in a session that began with the password alone. A code from
 * their mailbox, or from the operator, keeps a thief of the password from adding theirs.
 */

const CODES_PER_DAY = 10;
const FAILURES_PER_CODE = 5;
// As long as a factor waits to be confirmed.
const PRINTED_SECONDS = 900;

/** The counters that someone with the password alone can use up, so that the owner of the mailbox could not enrol. */
const codesOf = (user_id: UserId): string => `enrolment-code:${user_id}`;
export const newFactorsOf = (user_id: UserId): string => `factor:new:${user_id}`;
export const enrolmentCounters = (user_id: UserId): string[] => [codesOf(user_id), newFactorsOf(user_id)];

const newCode = (): string => String(randomInt(1_000_000)).padStart(6, "0");

const hashesOf = ({ keys }: Pick<AccountDeps, "keys">, user_id: UserId, code: string): readonly [Buffer, ...Buffer[]] =>
  macsOf(keys.codes, `enrolment ${user_id} ${code}`);

/**
 * Whether adding a factor takes the code. The account decides, not the session: otherwise the factor would be added without a code in an
 * organization that demands none, and open the one that does.
 */
export async function needsEnrolmentCode(read: Read, { session: { user_id, limited } }: Member): Promise<boolean> {
  return limited !== undefined || (await listOrgsDemandingFactor(read, user_id)).length > 0;
}

/** Without a mail server, the operator prints the code; one that was printed before still works. */
export async function mailEnrolmentCode(deps: AccountDeps, user_id: UserId): Promise<void> {
  if (deps.mail.smtp === null) return;
  await countAction(deps, codesOf(user_id), CODES_PER_DAY, DAY_SECONDS);
  const code = newCode();
  await deps.db.system(async (tx) => {
    const { email: to } = await findUser(tx, user_id);
    await addEmailCode(tx, user_id, hashesOf(deps, user_id, code)[0], EMAIL_CODE_SECONDS);
    const message = { ...enrolmentCodeMail(code), to, org_name: null, expires_at: after(tx.now, EMAIL_CODE_SECONDS) };
    await noteCodeMail(tx, user_id, await queueMail(deps.mail, tx, null, message));
  });
}

/** For the operator, who makes sure who the person is. Null if no account has the address. */
export async function printEnrolmentCode(
  deps: Pick<AccountDeps, "keys">,
  tx: SystemTx,
  by: Origin,
  email: string,
): Promise<{ code: string; entries: number } | null> {
  const login = await lookUpLogin(tx, email);
  if (login === null) return null;
  const { user_id } = login;
  const code = newCode();
  await addEmailCode(tx, user_id, hashesOf(deps, user_id, code)[0], PRINTED_SECONDS);
  await appendInOrgs(tx, user_id, { type: "enrollment_code.printed", by: asSystem(by), data: { user_id } });
  return { code, entries: (await listMemberships(tx, user_id)).length };
}

/** Counts a wrong code, so the transaction must commit; `refuseEnrolment` then says what is wrong. */
export function tryEnrolmentCode(deps: AccountDeps, tx: Tx, user_id: UserId, code: string): Promise<CodeOutcome> {
  return tryEmailCode(tx, user_id, hashesOf(deps, user_id, code), FAILURES_PER_CODE);
}

export function refuseEnrolment({ mail }: Pick<AccountDeps, "mail">, outcome: "missing" | "wrong" | "over"): never {
  if (outcome === "wrong") throw invalidField("email_code", "invalid_value", "does not match the code in the e-mail");
  if (outcome === "over") throw invalidField("email_code", "expired", "has expired. Begin again to get a new one");
  throw coded(
    "email_code_required",
    mail.smtp === null ? "the operator runs: countersign users code <e-mail>" : "we mailed it to you when you began",
  );
}
