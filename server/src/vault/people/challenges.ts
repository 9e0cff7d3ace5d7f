import type { Db } from "../../db/connect.ts";
import { CEREMONY_SECONDS, challengeIn, newChallenge } from "../../proofs/passkeys.ts";
import type { PersonId } from "../../shared/ids.ts";
import { sha256 } from "../../shared/secrets.ts";
import { insertChallenge, takeChallenge } from "./store.ts";

type ChallengeDeps = { readonly db: Pick<Db, "system"> };

/** `person_id` is null for log-in, before it is known who it is. */
export async function issueChallenge({ db }: ChallengeDeps, person_id: PersonId | null): Promise<string> {
  const challenge = newChallenge();
  await db.system((tx) => insertChallenge(tx, sha256(challenge), person_id, CEREMONY_SECONDS));
  return challenge;
}

/** The challenge that a browser answered; null if it is not an open one of ours. It works once, whether or not the answer is right. */
export async function useChallenge({ db }: ChallengeDeps, clientDataJSON: string, person_id: PersonId | null): Promise<string | null> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === null) return null;
  return (await db.system((tx) => takeChallenge(tx, sha256(challenge), person_id))) ? challenge : null;
}
