import type { Leased } from "../../db/sql.ts";
import type { PersonAdmission } from "../../http/authenticate.ts";
import { sha256 } from "../../shared/secrets.ts";
import { PERSON_CALLS_PER_MINUTE } from "./person.ts";
import { useSession } from "./store.ts";

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
