import { appendAudit } from "../audit/append-audit.ts";
import { addressGroup } from "../http/address.ts";
import { refundQuota } from "../http/quota.ts";
import type { Member } from "../shared/caller.ts";
import { MINUTE_SECONDS } from "../shared/durations.ts";
import { invalidField } from "../shared/problems.ts";
import { type AccountDeps, after } from "./account.ts";
import { listFactors } from "./factor-store.ts";
import { countCode, wrongCodesOf } from "./finish-log-in.ts";
import { checkPassword } from "./log-in.ts";
import { notingCodes, notingSignIns } from "./noting-sign-ins.ts";
import { type FactorProof, type GivenProof, oneProof, proveFactor } from "./prove-factor.ts";
import { findOwnDetails, markSessionConfirmed } from "./store.ts";
import { countAction } from "./throttle.ts";

/** As long as `authenticate_session` accepts it. */
const CONFIRMED_SECONDS = 10 * MINUTE_SECONDS;
const TRIES_PER_PERSON = 10;

type Given = GivenProof & { readonly password?: string | undefined };

/** The person proves again who they are, as at log-in. Their session may then do for ten minutes what needs it. Returns until when. */
export async function confirmIdentity(deps: AccountDeps, member: Member, { password, ...given }: Given): Promise<Date> {
  // A passkey alone is enough: its device checks the person.
  if (password === undefined && given.passkey !== undefined) return finish(deps, member, await oneProof(deps, member.ip, given), []);
  if (password === undefined) throw invalidField("password", "required", "is required, unless passkey is given");
  const { user_id } = member.session;
  const { email, has_password, needsCode } = await deps.db.system(async (tx) => ({
    ...(await findOwnDetails(tx, user_id)),
    needsCode: (await listFactors(tx, user_id)).length > 0,
  }));
  if (!has_password) throw invalidField("password", "conflict", "cannot be used: you have no password. Use a passkey");
  const proof = needsCode ? await oneProof(deps, member.ip, given) : null;
  // Only requests with a session of the person are counted here, so other people cannot use up the limit.
  const passwordTries = `login:user:${user_id}`;
  const notePassword = notingSignIns(deps, member, user_id, "password", "wrong_password");
  await notePassword.blocked(() => countAction(deps, passwordTries, TRIES_PER_PERSON));
  if ((await checkPassword(deps, { known: true, group: addressGroup(member.ip) }, email, password)) === null) {
    await notePassword.failed();
    throw invalidField("password", "invalid_value", "is not your password");
  }
  const counter = wrongCodesOf(user_id, null);
  if (proof !== null) await notingCodes(deps, member, user_id, proof).blocked(() => countCode(deps, counter));
  return finish(deps, member, proof, proof === null ? [passwordTries] : [passwordTries, counter]);
}

async function finish(deps: AccountDeps, member: Member, proof: FactorProof | null, counted: readonly string[]): Promise<Date> {
  const { user_id, session_id } = member.session;
  const confirmed_at = await deps.db.system(async (tx) => {
    if (proof !== null && (await proveFactor(deps, tx, member, user_id, proof)) === null) return null;
    await tx.forOrg(member.org, async () => {
      await markSessionConfirmed(tx, member.org, session_id);
      await appendAudit(tx, member.org, { type: "session.confirmed", by: member, data: { session_id } });
    });
    for (const subject of counted) await refundQuota(tx, subject);
    return tx.now;
  });
  if (confirmed_at !== null) return after(confirmed_at, CONFIRMED_SECONDS);
  if (proof !== null) await notingCodes(deps, member, user_id, proof).failed();
  const [field = "code"] = Object.keys(proof ?? {});
  throw invalidField(field, "invalid_value", field === "passkey" ? "was not accepted" : "is wrong or was already used");
}
