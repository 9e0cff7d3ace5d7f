import { type AssertionOptions, assertionOptions, handleOf } from "../../proofs/passkeys.ts";
import type { AssertionResponse } from "../../proofs/protocol.ts";
import type { Origin } from "../../shared/caller.ts";
import type { PersonId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { issueChallenge, useChallenge } from "./challenges.ts";
import { countVisit, inTurn, turnOf } from "./limits.ts";
import type { PeopleDeps } from "./person.ts";
import { type StartedSession, startSession } from "./start-session.ts";
import { advancePasskey, lookUpPasskey } from "./store.ts";

/** What a browser needs to ask the visitor for a passkey. It is the same for everyone, except for the challenge. */
export async function offerLogIn(deps: PeopleDeps, from: Origin): Promise<AssertionOptions> {
  const visitor = inTurn(deps, from);
  await countVisit(visitor, from, "person-options");
  return assertionOptions(deps.site, await issueChallenge(visitor, null));
}

/** Starts a session with a passkey. Codes that are locked do not matter here. */
export async function logInByPasskey(deps: PeopleDeps, from: Origin, given: AssertionResponse): Promise<StartedSession> {
  const visitor = inTurn(deps, from);
  await countVisit(visitor, from, "person-passkey");
  const challenge = await useChallenge(visitor, given.response.clientDataJSON, null);
  if (challenge === null) throw new Problem("invalid_passkey", "no open challenge");
  const passkey = await visitor.db.lease((read) => lookUpPasskey(read, given.id));
  if (passkey === null || !isHandleOf(passkey.person_id, given)) throw new Problem("invalid_passkey", "unknown passkey");
  const checked = await deps.proofs.checkPasskey(deps.site, challenge, given, passkey, turnOf(from));
  if (!checked.ok) throw new Problem("invalid_passkey", "refused by the check");
  return deps.db.system(async (tx) => {
    if (!(await advancePasskey(tx, passkey.passkey_id, checked.sign_count))) throw new Problem("invalid_passkey", "removed or used twice");
    return startSession(tx, passkey.person_id, passkey.passkey_id);
  });
}

/** Authenticators that keep the person's handle return it. */
function isHandleOf(person_id: PersonId, { response: { userHandle } }: AssertionResponse): boolean {
  return userHandle === undefined || userHandle === null || userHandle === handleOf(person_id);
}
