import type { Leased, Read } from "../../db/sql.ts";
import type { PersonAdmission } from "../../http/authenticate.ts";
import type { PersonCaller } from "../../shared/caller.ts";
import { sha256 } from "../../shared/secrets.ts";
import { PERSON_CALLS_PER_MINUTE } from "./person.ts";
import { lookUpSession, useSession } from "./store.ts";

export async function authenticatePerson(read: Leased, token: string): Promise<PersonAdmission | null> {
  const token_hash = sha256(token);
  const row = await useSession(read, token_hash, PERSON_CALLS_PER_MINUTE);
  if (row === null) return null;
  const { person_id, email, began_with, expires_at } = row;
  return {
    actor: { kind: "person", id: person_id },
    person: { person_id, email, began_with, expires_at, token_hash },
    accepted: row.accepted,
    quota: { limit: row.quota, remaining: row.remaining, reset: Number(row.reset_at) },
  };
}

/** The session as it is by now; null if it has ended. The request was counted when it was admitted. */
export async function recheckPerson(read: Read, { person: { token_hash } }: PersonAdmission): Promise<PersonCaller["person"] | null> {
  const row = await lookUpSession(read, token_hash);
  return row === null ? null : { ...row, token_hash };
}
