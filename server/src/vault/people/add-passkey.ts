import { type RegistrationOptions, registrationOptions } from "../../proofs/passkeys.ts";
import type { RegistrationResponse } from "../../proofs/protocol.ts";
import type { PersonCaller } from "../../shared/caller.ts";
import { newId, type PasskeyId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import { issueChallenge, useChallenge } from "./challenges.ts";
import { MAX_PASSKEYS, type PeopleDeps } from "./person.ts";
import { reportPasskeyChange } from "./report-passkey-change.ts";
import { type Added, insertPasskey, listPasskeys } from "./store.ts";

/** What a browser needs to make a passkey for the person. Refused at once if it could not be kept. */
async function offer(deps: PeopleDeps, { person }: PersonCaller): Promise<RegistrationOptions> {
  const held = await deps.db.system((tx) => listPasskeys(tx, person.person_id));
  if (held.length > 0 && person.began_with === "code") refuse("passkey_required");
  if (held.length === 0 && person.began_with === "passkey") refuse("code_required");
  if (held.length >= MAX_PASSKEYS) refuse("too_many");
  const challenge = await issueChallenge(deps, person.person_id);
  const user = { handle: person.person_id, name: person.email };
  return registrationOptions(
    deps.site,
    challenge,
    user,
    held.map(({ credential_id }) => credential_id),
  );
}

/** Checks what the browser returned and keeps the key. Everyone who acts with the person is told. */
async function save(deps: PeopleDeps, who: PersonCaller, given: RegistrationResponse, name: string): Promise<PasskeyId> {
  const { person } = who;
  const challenge = await useChallenge(deps, given.response.clientDataJSON, person.person_id);
  if (challenge === null) throw invalidField("credential", "expired", "has an unknown, used or expired challenge. Request new options");
  const made = await deps.proofs.registerPasskey(deps.site, challenge, given, { known: true, group: person.person_id });
  if (!made.ok) throw invalidField("credential", "invalid_value", "is not a passkey that this site asked for");
  return deps.db.system(async (tx) => {
    const passkey_id = newId("passkey", tx.now.getTime());
    const added = await insertPasskey(tx, person, made, { passkey_id, name, most: MAX_PASSKEYS });
    if (added !== "added") refuse(added);
    await reportPasskeyChange(deps, tx, who, { change: "added", name });
    return passkey_id;
  });
}

const refusals = {
  taken: "passkey_known",
  too_many: "too_many_passkeys",
  passkey_required: "passkey_required",
  code_required: "code_required",
} as const;

function refuse(why: Exclude<Added, "added">): never {
  throw new Problem(refusals[why]);
}

export const addPasskey = { offer, save };
