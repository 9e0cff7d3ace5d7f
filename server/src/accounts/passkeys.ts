import { addressGroup } from "../http/address.ts";
import type { Visitor } from "../http/endpoint.ts";
import {
  type AssertionOptions,
  assertionOptions,
  CEREMONY_SECONDS,
  challengeIn,
  handleOf,
  newChallenge,
  type RegistrationOptions,
  registrationOptions,
} from "../proofs/passkeys.ts";
import type { AssertionResponse, RegistrationResponse } from "../proofs/protocol.ts";
import type { Member } from "../shared/caller.ts";
import { type FactorId, newId, type UserId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { AccountDeps } from "./account.ts";
import { appendInOrgs } from "./append-in-orgs.ts";
import { endOthersIn } from "./end-other-sessions.ts";
import { mailEnrolmentCode, needsEnrolmentCode, refuseEnrolment, tryEnrolmentCode } from "./enrolment.ts";
import { mailPerson, makeRecoveryCodes } from "./factors.ts";
import { holdSession } from "./hold-session.ts";
import { factorAddedMail } from "./messages.ts";
import { insertChallenge, insertPasskey, listPasskeys, lookUpPasskey, takeChallenge } from "./passkey-store.ts";
import { listOrgsDemandingFactor } from "./policy-store.ts";
import { findUser } from "./store.ts";
import { countAction, type InTurn, takingTurns } from "./throttle.ts";

/** Passkeys of people: adding them, and checking what a browser signed. */

const PASSKEYS_PER_PERSON = 10;
const STARTS_PER_ADDRESS = 100;
/** Any log-in, second step or confirmation. Who it is, the passkey says. */
const TO_PROVE = "prove";
const toAdd = (user_id: UserId): string => `add ${user_id}`;

async function issue({ db }: Pick<InTurn, "db">, subject: string): Promise<string> {
  const challenge = newChallenge();
  await db.system((tx) => insertChallenge(tx, sha256(challenge), subject, CEREMONY_SECONDS));
  return challenge;
}

/** The challenge that a browser answered; null if it is not an open one of ours. It works once, whether or not the answer is right. */
async function use({ db }: Pick<InTurn, "db">, clientDataJSON: string, subject: string): Promise<string | null> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === null) return null;
  return (await db.system((tx) => takeChallenge(tx, sha256(challenge), subject))) ? challenge : null;
}

/** What a browser needs to ask for a passkey. It is the same for everyone, except for the challenge. */
export async function startPasskey(deps: AccountDeps, visitor: Visitor): Promise<AssertionOptions> {
  const group = addressGroup(visitor.ip);
  const inTurn = takingTurns(deps, { known: false, group });
  await countAction(inTurn, `passkey:${group}`, STARTS_PER_ADDRESS);
  return assertionOptions(deps.site, await issue(inTurn, TO_PROVE));
}

/** A passkey whose signature was right. `advancePasskey` says whether it still is the person's, and compares the count. */
export interface CheckedPasskey {
  readonly factor_id: FactorId;
  readonly user_id: UserId;
  readonly email: string;
  readonly sign_count: number;
}

export type PasskeyDeps = InTurn & Pick<AccountDeps, "site">;

/** Null if the browser did not answer an open challenge with a passkey of ours. */
export async function checkPasskey(deps: PasskeyDeps, ip: string, given: AssertionResponse): Promise<CheckedPasskey | null> {
  const challenge = await use(deps, given.response.clientDataJSON, TO_PROVE);
  if (challenge === null) return null;
  const passkey = await deps.db.lease((read) => lookUpPasskey(read, given.id));
  const { userHandle = null } = given.response;
  if (passkey === null || (userHandle !== null && userHandle !== handleOf(passkey.user_id))) return null;
  // The count is compared where it is stored, so that one that goes back can be recorded. A forged answer never gets there.
  const key = { ...passkey, sign_count: 0 };
  const checked = await deps.proofs.checkPasskey(deps.site, challenge, given, key, { known: false, group: addressGroup(ip) });
  if (!checked.ok) return null;
  const { factor_id, user_id, email } = passkey;
  return { factor_id, user_id, email, sign_count: checked.sign_count };
}

/** What a browser needs to make a passkey for the person. Refused at once if it could not be kept. */
export async function offerPasskey(deps: AccountDeps, member: Member): Promise<RegistrationOptions> {
  const { user_id } = member.session;
  const { email, held, needsCode } = await deps.db.system(async (tx) => ({
    email: (await findUser(tx, user_id)).email,
    held: await listPasskeys(tx, user_id),
    needsCode: await needsEnrolmentCode(tx, member),
  }));
  if (held.length >= PASSKEYS_PER_PERSON) throw new Problem("too_many_passkeys");
  if (needsCode) await mailEnrolmentCode(deps, user_id);
  const existing = held.map(({ credential_id }) => credential_id);
  return registrationOptions(deps.site, await issue(deps, toAdd(user_id)), { handle: user_id, name: email }, existing);
}

export interface GivenPasskey {
  readonly credential: RegistrationResponse;
  readonly name: string;
  /** required while an organization of the person waits for their first factor */
  readonly email_code?: string | undefined;
}

export interface AddedPasskey {
  readonly factor_id: FactorId;
  /** null unless it is the person's first factor */
  readonly recovery_codes: readonly string[] | null;
}

/** Checks what the browser made and keeps the key. From now on a password alone does not log in. Ends other sessions as `confirmFactor` does. */
export async function addPasskey(deps: AccountDeps, member: Member, { credential, name, email_code }: GivenPasskey): Promise<AddedPasskey> {
  const { user_id } = member.session;
  // Before the challenge is used up, so that the same passkey can be sent again with the code.
  if (email_code === undefined && (await deps.db.system((tx) => needsEnrolmentCode(tx, member)))) refuseEnrolment(deps, "missing");
  const site = deps.site;
  const challenge = await use(deps, credential.response.clientDataJSON, toAdd(user_id));
  if (challenge === null) throw invalidField("credential", "expired", "has an unknown, used or expired challenge. Request new options");
  const made = await deps.proofs.registerPasskey(site, challenge, credential, { known: true, group: user_id });
  if (!made.ok) throw invalidField("credential", "invalid_value", "is not a passkey that this site asked for");
  // A wrong e-mailed code must be counted, so the transaction commits before the problem is thrown.
  const outcome = await deps.db.system(async (tx): Promise<AddedPasskey | "missing" | "wrong" | "over"> => {
    await holdSession(tx, member);
    const needsCode = await needsEnrolmentCode(tx, member);
    if (needsCode && email_code === undefined) return "missing";
    const tried = needsCode ? await tryEnrolmentCode(deps, tx, user_id, email_code ?? "") : "right";
    if (tried !== "right") return tried;
    const waiting = await listOrgsDemandingFactor(tx, user_id);
    const factor_id = newId("factor", tx.now.getTime());
    const added = await insertPasskey(tx, { ...made, factor_id, user_id, name, rp_id: site.rp_id, most: PASSKEYS_PER_PERSON });
    if (added === "too_many") throw new Problem("too_many_passkeys");
    if (added === "taken") throw new Problem("passkey_known");
    await endOthersIn(tx, member, waiting);
    const recovery_codes = added === "first" ? await makeRecoveryCodes(tx, user_id) : null;
    await appendInOrgs(tx, user_id, { type: "factor.added", by: member, data: { user_id, factor_id, kind: "passkey", name } });
    await mailPerson(deps, tx, user_id, factorAddedMail("passkey", name));
    return { factor_id, recovery_codes };
  });
  return typeof outcome === "string" ? refuseEnrolment(deps, outcome) : outcome;
}
