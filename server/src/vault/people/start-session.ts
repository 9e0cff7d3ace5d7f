import type { Tx } from "../../db/sql.ts";
import type { PasskeyId, PersonId } from "../../shared/ids.ts";
import { newToken, sha256 } from "../../shared/secrets.ts";
import { activatePerson } from "../parties/store.ts";
import { PERSON_SESSION_SECONDS } from "./person.ts";
import { insertSession } from "./store.ts";

export interface StartedSession {
  readonly token: string;
  readonly expires_at: Date;
}

/** `passkey_id`: the passkey that it begins with; null for a code. Only the hash of the token is stored. */
export async function startSession(tx: Tx, person_id: PersonId, passkey_id: PasskeyId | null): Promise<StartedSession> {
  await activatePerson(tx, person_id);
  const token = newToken();
  return { token, expires_at: await insertSession(tx, sha256(token), person_id, passkey_id, PERSON_SESSION_SECONDS) };
}
