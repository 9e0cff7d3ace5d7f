import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import { newId } from "../../shared/ids.ts";
import { ensurePerson } from "../people/ensure-person.ts";
import type { Party } from "./party.ts";
import { addPerson, findParty, insertParty, lookUpPartyOfPerson } from "./store.ts";

export interface NamedByAddress {
  readonly name: string;
  readonly email: string;
  readonly identifier?: string;
  readonly address?: string;
}

/** The party that a name and an e-mail address stand for. One with this name for which this address acts is taken; else it is created. */
export async function ensureParty(tx: Tx, caller: Caller, { name, email, identifier, address }: NamedByAddress): Promise<Party> {
  const { org } = caller;
  const person_id = await ensurePerson(tx, email);
  const known = await lookUpPartyOfPerson(tx, org, person_id, name);
  if (known !== null) return known;
  const party_id = newId("party");
  const party = { party_id, kind: "people", name, address: address ?? null, org_ref: null, vault_id: null } as const;
  // Another party may have the identifier, with other people: an invented one must not take it over.
  if (!(await insertParty(tx, org, { ...party, identifier: identifier ?? null })))
    await insertParty(tx, org, { ...party, identifier: null });
  await addPerson(tx, org, party_id, person_id, { email, name, rights: "approve" });
  await appendAudit(tx, org, {
    type: "party.created",
    by: caller,
    data: { party_id, kind: "people", name, people: [{ person_id, email }] },
  });
  return findParty(tx, org, party_id);
}
