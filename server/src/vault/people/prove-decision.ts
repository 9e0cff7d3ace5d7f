import { type PasskeyFault, type PasskeyProof, passkeyProofFault, signCountOf } from "@countersign/evidence";
import type { Tx } from "../../db/sql.ts";
import type { AssertionResponse } from "../../proofs/protocol.ts";
import type { PersonCaller } from "../../shared/caller.ts";
import type { MessageId, PasskeyId } from "../../shared/ids.ts";
import { invalidField, type Problem } from "../../shared/problems.ts";
import type { PeopleDeps } from "./person.ts";
import { advancePasskey, type KnownPasskey, lookUpPasskey, useCode } from "./store.ts";
import { type RightCode, tryCode } from "./try-code.ts";

/** What the person decides on. `sha256` is what a passkey signs: the hash of the act's canonical bytes. */
export interface DecidedAct {
  readonly act_id: string;
  readonly sha256: string;
}

export type DecisionCredential = { readonly assertion: AssertionResponse } | { readonly code: string };

/** A mailed code proves that the person could read the mail of this address. It never contains the code. */
export interface CodeProof {
  readonly address: string;
  /** the e-mail that contained the code */
  readonly message_id: MessageId;
  readonly made_at: string;
  /** when a mail server accepted that e-mail; null if that was not recorded by then */
  readonly mail_accepted_at: string | null;
  readonly used_at: string;
}

export type DecisionProof =
  | { readonly method: "passkey"; readonly proof: PasskeyProof }
  | { readonly method: "code"; readonly proof: CodeProof };

type Prepared =
  | { readonly method: "passkey"; readonly proof: PasskeyProof; readonly passkey_id: PasskeyId; readonly sign_count: number }
  | { readonly method: "code"; readonly right: RightCode };

/** Checks the proof, before the transaction of the decision. Throws 422 if it proves nothing, 429 after too many wrong codes. */
async function prepare(deps: PeopleDeps, { person }: PersonCaller, act: DecidedAct, given: DecisionCredential): Promise<Prepared> {
  if ("assertion" in given) return checkAssertion(deps, person, act, given.assertion);
  const right = await tryCode(deps, { known: true, group: person.person_id }, person.email, act, given.code);
  if (right === null) throw wrongCode();
  return { method: "code", right };
}

/** Uses up what was proven, in the transaction of the decision. Throws 422 if another one has used it since, or the passkey was removed. */
async function save(tx: Tx, prepared: Prepared): Promise<DecisionProof> {
  if (prepared.method === "passkey") {
    const { passkey_id, sign_count, proof } = prepared;
    if (!(await advancePasskey(tx, passkey_id, sign_count))) throw unknownPasskey();
    return { method: "passkey", proof };
  }
  const { person_id, act_sha256, code_hash } = prepared.right;
  const used = await useCode(tx, person_id, act_sha256, code_hash);
  if (used === null) throw wrongCode();
  const { email: address, message_id, made_at, mail_accepted_at } = used;
  const times = {
    made_at: made_at.toISOString(),
    mail_accepted_at: mail_accepted_at?.toISOString() ?? null,
    used_at: tx.now.toISOString(),
  };
  return { method: "code", proof: { address, message_id, ...times } };
}

export const proveDecision = { prepare, save };

async function checkAssertion(
  { db, site }: PeopleDeps,
  { person_id }: PersonCaller["person"],
  { sha256 }: DecidedAct,
  given: AssertionResponse,
): Promise<Prepared> {
  const passkey = await db.lease((read) => lookUpPasskey(read, given.id));
  if (passkey === null || passkey.person_id !== person_id) throw unknownPasskey();
  const proof = proofOf(passkey, given, site);
  const fault = passkeyProofFault(proof, sha256);
  if (fault !== null) throw invalidField("assertion", "invalid_value", faultWords[fault]);
  const sign_count = signCountOf(Buffer.from(proof.authenticator_data, "base64")) ?? 0;
  if (sign_count <= passkey.sign_count && (sign_count > 0 || passkey.sign_count > 0)) throw unknownPasskey();
  return { method: "passkey", proof, passkey_id: passkey.passkey_id, sign_count };
}

const base64 = (base64url: string): string => Buffer.from(base64url, "base64url").toString("base64");

const proofOf = (
  { spki, algorithm }: KnownPasskey,
  { id, response }: AssertionResponse,
  { rp_id, origin }: PeopleDeps["site"],
): PasskeyProof => ({
  credential_id: id,
  spki: Buffer.from(spki).toString("base64"),
  algorithm,
  authenticator_data: base64(response.authenticatorData),
  client_data: base64(response.clientDataJSON),
  signature: base64(response.signature),
  rp_id,
  origin,
});

const MALFORMED = "is not the answer of a browser";
const faultWords: Readonly<Record<PasskeyFault, string>> = {
  key: "does not fit the passkey",
  client_data: MALFORMED,
  type: MALFORMED,
  challenge: "approves something other than this act",
  origin: "was not made on this site",
  authenticator_data: MALFORMED,
  rp_id: "was not made for this site",
  user_not_present: "was made without a person",
  user_not_verified: "was made without a check of the person, such as a PIN or a fingerprint",
  signature: "does not fit the passkey",
};

const unknownPasskey = (): Problem =>
  invalidField("assertion", "invalid_value", "is of a passkey that you do not have, that was removed, or that may have been copied");
const wrongCode = (): Problem => invalidField("code", "invalid_value", "is wrong, has expired or is not for this act");
