import { iso, isoOrNull } from "../../http/shapes.ts";
import type { PartyPerson } from "./party.ts";
import type { PartyWithPeople } from "./party-changes.ts";

export const presentParty = (party: PartyWithPeople) => ({
  party_id: party.party_id,
  kind: party.kind,
  name: party.name,
  identifier: party.identifier,
  address: party.address,
  org_id: party.org_ref,
  vault_id: party.vault_id,
  people: party.people.map(presentPerson),
  approvers_replaced_at: isoOrNull(party.approvers_replaced_at),
  created_at: iso(party.created_at),
  updated_at: iso(party.updated_at),
});

const presentPerson = ({ person_id, email, name, rights, state, added_at }: PartyPerson) => ({
  person_id,
  email,
  name,
  rights,
  state,
  added_at: iso(added_at),
});
