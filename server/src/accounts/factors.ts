import { randomBytes } from "node:crypto";
import type { SystemTx, Tx } from "../db/sql.ts";
import type { Words } from "../mail/message.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { base32, matchingStep, newTotpSecret } from "../proofs/totp.ts";
import type { Member } from "../shared/caller.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../shared/durations.ts";
import { type FactorId, newId, type UserId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { decrypt, encrypt, sha256 } from "../shared/secrets.ts";
import { type AccountDeps, after } from "./account.ts";
import { appendInOrgs } from "./append-in-orgs.ts";
import { endOthersIn } from "./end-other-sessions.ts";
import { mailEnrolmentCode, needsEnrolmentCode, newFactorsOf, refuseEnrolment, tryEnrolmentCode } from "./enrolment.ts";
import {
  type App,
  deleteFactor,
  type Factor,
  insertFactor,
  listApps,
  listFactors,
  markFactorConfirmed,
  replaceRecoveryCodes,
  setFactorName,
} from "./factor-store.ts";
import { holdSession } from "./hold-session.ts";
import { factorAddedMail, factorRemovedMail } from "./messages.ts";
import { isBreakGlass, listOrgsDemandingFactor } from "./policy-store.ts";
import { findUser } from "./store.ts";
import { countAction } from "./throttle.ts";

/** A person's own second factors: authenticator apps, and recovery codes for a lost one. */

const APPS_PER_PERSON = 2;
const CODES_PER_SET = 10;
// 120 random bits each, which cannot be guessed, so that a plain hash is enough.
const CODE_BYTES = 15;
const TRIES_PER_HOUR = 20;
const MAIL_SECONDS = 7 * DAY_SECONDS;
const ISSUER = "Countersign";

const contextOf = (factor_id: FactorId): string => `factor ${factor_id}`;

export function secretOf({ keys }: Pick<AccountDeps, "keys">, { factor_id, secret_enc }: Pick<App, "factor_id" | "secret_enc">): Buffer {
  return Buffer.from(decrypt(keys.factors, secret_enc, contextOf(factor_id)), "base64");
}

export interface NewApp {
  readonly factor_id: FactorId;
  /** what the person types if they cannot scan the address */
  readonly secret: string;
  readonly otpauth_url: string;
}

/** Makes the secret of an authenticator app. It counts once the person has entered a code of it. */
export async function addTotp(deps: AccountDeps, member: Member, name: string): Promise<NewApp> {
  const { user_id } = member.session;
  if (await deps.db.system((tx) => needsEnrolmentCode(tx, member))) await mailEnrolmentCode(deps, user_id);
  const [factor_id, bytes] = [newId("factor"), newTotpSecret()];
  const secret_enc = encrypt(deps.keys.factors, bytes.toString("base64"), contextOf(factor_id));
  return deps.db.system(async (tx) => {
    const { email } = await findUser(tx, user_id);
    if (!(await insertFactor(tx, { factor_id, user_id, name, secret_enc, most: APPS_PER_PERSON }))) throw new Problem("too_many_factors");
    const secret = base32(bytes);
    const account = encodeURIComponent(email);
    const otpauth_url = `otpauth://totp/${ISSUER}:${account}?secret=${secret}&issuer=${ISSUER}&algorithm=SHA1&digits=6&period=30`;
    return { factor_id, secret, otpauth_url };
  });
}

export interface FirstCode {
  readonly code: string;
  /** required while an organization of the person waits for their first factor */
  readonly email_code?: string | undefined;
}

/**
 * The recovery codes if this is the person's first factor, otherwise null. From now on a password alone does not log in. Other sessions in
 * organizations that waited for the factor end: they could do nothing there, and would do everything from now on, also those of someone who
 * knows the password alone.
 */
export async function confirmFactor(
  deps: AccountDeps,
  member: Member,
  factor_id: FactorId,
  { code, email_code }: FirstCode,
): Promise<readonly string[] | null> {
  const { user_id } = member.session;
  await countAction(deps, newFactorsOf(user_id), TRIES_PER_HOUR, HOUR_SECONDS);
  // A wrong e-mailed code must be counted, so the transaction commits before the problem is thrown.
  const outcome = await deps.db.system(async (tx): Promise<{ codes: readonly string[] | null } | "missing" | "wrong" | "over"> => {
    await holdSession(tx, member);
    const needsCode = await needsEnrolmentCode(tx, member);
    if (needsCode && email_code === undefined) return "missing";
    const factor = (await listApps(tx, user_id, "all")).find((one) => one.factor_id === factor_id);
    if (factor === undefined) throw new Problem("factor_not_found");
    if (factor.confirmed_at !== null) throw invalidField("code", "conflict", "is not needed: this factor is already confirmed");
    const step = matchingStep(secretOf(deps, factor), code, tx.now);
    if (step === null) throw invalidField("code", "invalid_value", "is not the present code of this app. Check the clock of the device");
    const tried = needsCode ? await tryEnrolmentCode(deps, tx, user_id, email_code ?? "") : "right";
    if (tried !== "right") return tried;
    const waiting = await listOrgsDemandingFactor(tx, user_id);
    const isFirst = await markFactorConfirmed(tx, factor_id, user_id, step);
    if (isFirst === null) throw new Problem("factor_not_found");
    const codes = isFirst ? await makeRecoveryCodes(tx, user_id) : null;
    await endOthersIn(tx, member, waiting);
    const data = { user_id, factor_id, kind: "totp", name: factor.name };
    await appendInOrgs(tx, user_id, { type: "factor.added", by: member, data });
    await mailPerson(deps, tx, user_id, factorAddedMail("totp", factor.name));
    return { codes };
  });
  return typeof outcome === "string" ? refuseEnrolment(deps, outcome) : outcome.codes;
}

export async function renameFactor(
  deps: AccountDeps,
  { session: { user_id } }: Member,
  factor_id: FactorId,
  name: string,
): Promise<Factor> {
  return deps.db.system(async (tx) => {
    const isDone = await setFactorName(tx, factor_id, user_id, name);
    const factor = (await listFactors(tx, user_id)).find((one) => one.factor_id === factor_id);
    if (!isDone || factor === undefined) throw new Problem("factor_not_found");
    return factor;
  });
}

/** With the last factor, the recovery codes are removed too, and the password alone logs in again. */
export async function removeFactor(deps: AccountDeps, member: Member, factor_id: FactorId): Promise<void> {
  const { user_id } = member.session;
  await deps.db.system(async (tx) => {
    await holdSession(tx, member);
    const factor = (await listFactors(tx, user_id)).find((one) => one.factor_id === factor_id);
    if (factor === undefined) throw new Problem("factor_not_found");
    if ((await deleteFactor(tx, factor_id, user_id)) === null) {
      // A person without a password keeps at least two passkeys. Otherwise another request has removed this one.
      const isKept = (await listFactors(tx, user_id)).some((one) => one.factor_id === factor_id);
      throw new Problem(isKept ? "passkeys_missing" : "factor_not_found");
    }
    const left = (await listFactors(tx, user_id)).length;
    // Checked after the removal, whose lock of the person makes two removals at once take turns.
    if (left === 0 && (await isBreakGlass(tx, user_id))) throw lastFactorOfBreakGlass();
    const { kind, name } = factor;
    await appendInOrgs(tx, user_id, { type: "factor.removed", by: member, data: { user_id, factor_id, kind, name } });
    await mailPerson(deps, tx, user_id, factorRemovedMail(kind, name, left));
  });
}

const lastFactorOfBreakGlass = (): Problem => {
  const message = "you are a break-glass admin of an organization that requires single sign-on, and this is your only second factor";
  return new Problem("would_lock_out", "", { details: [{ location: "path", field: "factor_id", code: "would_lock_out", message }] });
};

/** A new set. The codes of the old one stop working. */
export async function renewRecoveryCodes(deps: AccountDeps, member: Member): Promise<readonly string[]> {
  const { user_id } = member.session;
  return deps.db.system(async (tx) => {
    await holdSession(tx, member);
    if ((await listFactors(tx, user_id)).length === 0) throw new Problem("factor_missing");
    const codes = await makeRecoveryCodes(tx, user_id);
    await appendInOrgs(tx, user_id, { type: "recovery_codes.renewed", by: member, data: { user_id } });
    return codes;
  });
}

export async function makeRecoveryCodes(tx: Tx, user_id: UserId): Promise<readonly string[]> {
  const codes = Array.from({ length: CODES_PER_SET }, () => (base32(randomBytes(CODE_BYTES)).match(/.{6}/g) ?? []).join("-"));
  await replaceRecoveryCodes(tx, user_id, codes.map(hashOfCode));
  return codes;
}

/** Capital letters, spaces and hyphens do not matter. */
export const hashOfCode = (code: string): Buffer => sha256(code.toUpperCase().replace(/[^A-Z2-7]/g, ""));

/** About the account, so that its owner learns of it. No admin can read it. */
export async function mailPerson(deps: AccountDeps, tx: SystemTx, user_id: UserId, words: Words): Promise<void> {
  const { email: to } = await findUser(tx, user_id);
  await queueMail(deps.mail, tx, null, { ...words, to, org_name: null, expires_at: after(tx.now, MAIL_SECONDS) });
}
