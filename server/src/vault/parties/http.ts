import { Type } from "typebox";
import { Alternative, type Endpoint, endpoint, listing, reading } from "../../http/endpoint.ts";
import { about, Email, idOf, Name, named, nullable, OptionalTimestamp, Reason, Timestamp } from "../../http/shapes.ts";
import type { Caller } from "../../shared/caller.ts";
import type { PartyId } from "../../shared/ids.ts";
import { invalidField } from "../../shared/problems.ts";
import { addPartyPerson, type PeopleAnswer, removePartyPerson, replaceApprovers } from "../acts/change-people.ts";
import { presentProposed } from "../acts/present.ts";
import { ActProposedView } from "../acts/shapes.ts";
import type { VaultDeps } from "../copy.ts";
import { partyKinds, partyRights, personStates } from "./party.ts";
import { changeParty, createParty, readParty } from "./party-changes.ts";
import { presentParty } from "./present.ts";
import { listParties, peopleOf } from "./store.ts";

const PersonView = named(
  "PartyPerson",
  Type.Object({
    person_id: idOf("person"),
    email: Type.String(),
    name: Type.String(),
    rights: Type.Enum([...partyRights], { description: "approve: confirms and refuses acts for the party. view: sees its records" }),
    state: Type.Enum([...personStates], { description: "invited: has not logged in yet" }),
    added_at: Timestamp,
  }),
);
const PartyView = named(
  "Party",
  Type.Object({
    party_id: idOf("party"),
    kind: Type.Enum([...partyKinds], {
      description:
        "people: persons act for it. org: another organization of this installation. vault: an organization of another installation, by a vault that you have pinned",
    }),
    name: Type.String(),
    identifier: about(nullable(Type.String()), "A registration number or the like, unique among your parties"),
    address: nullable(Type.String()),
    org_id: nullable(idOf("org")),
    vault_id: about(nullable(idOf("remoteVault")), "Of the pinned vault, for kind vault"),
    people: Type.Array(PersonView),
    approvers_replaced_at: about(
      OptionalTimestamp,
      "When you first named an approver because none could be reached. What the party confirms since then is attested at most",
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);

const Identifier = Type.String({ minLength: 1, maxLength: 100 });
const Address = Type.String({ minLength: 1, maxLength: 500 });
const PersonBody = named("PartyPersonInput", Type.Object({ email: Email, name: Name, rights: Type.Enum([...partyRights]) }));

const personExample = {
  person_id: "ppl_01h2xcejqtf2nbrexx3vqjhp41",
  email: "ann@bank.example",
  name: "Ann",
  rights: "approve",
  state: "active",
  added_at: "2026-01-05T09:30:00.000Z",
};
export const partyExample = {
  party_id: "pty_01h2xcejqtf2nbrexx3vqjhp41",
  kind: "people",
  name: "First Example Bank, N.A.",
  identifier: "RSSD 123456",
  address: "1 Example Street",
  org_id: null,
  vault_id: null,
  people: [personExample],
  approvers_replaced_at: null,
  created_at: "2026-01-05T09:30:00.000Z",
  updated_at: "2026-01-05T09:30:00.000Z",
};
const personRequest = { email: personExample.email, name: personExample.name, rights: personExample.rights };

const mayWrite = { anyScope: ["parties:write"] } as const;
const mayRead = { anyScope: ["parties:write", "vault:read"], custodian: "closed" } as const;
const oneParty = { params: { party_id: "party" }, missing: "party_not_found" } as const;

const answered = (answer: PeopleAnswer) =>
  "act" in answer ? new Alternative(presentProposed(answer.act), 202) : presentParty(answer.party);

type PersonInput = Parameters<typeof addPartyPerson>[3] & { readonly approvers_lost?: boolean; readonly reason?: string };

function putPerson(
  deps: VaultDeps,
  caller: Caller,
  party_id: PartyId,
  { approvers_lost, reason, ...person }: PersonInput,
): Promise<PeopleAnswer> {
  if (approvers_lost !== true) {
    if (reason !== undefined) throw invalidField("reason", "invalid_value", "belongs to approvers_lost");
    return addPartyPerson(deps, caller, party_id, person);
  }
  if (reason === undefined) throw invalidField("reason", "required", "is needed with approvers_lost");
  return replaceApprovers(deps, caller, party_id, person, reason);
}

/** Parties, and the people who act for them. */
export function partyEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    endpoint({
      name: "create_party",
      summary: "Create a party",
      description:
        "Adds a party to which records can be assigned or pledged. Its approvers confirm acts at /p/, with a passkey or a code sent to their address. You name the first ones: that they act for the party is your statement, and certificates say so. A party of kind vault is asked by a signed message to its installation, where a member decides; that this installation acts for the party rests on your pinning its root.",
      resource: "Control",
      sdk: "parties.create",
      method: "POST",
      path: "/partner/parties",
      access: mayWrite,
      body: Type.Object({
        kind: Type.Enum([...partyKinds]),
        name: Name,
        identifier: Type.Optional(Identifier),
        address: Type.Optional(Address),
        people: Type.Optional(Type.Array(PersonBody, { maxItems: 50 })),
        org_id: Type.Optional(about(idOf("org"), "Only for kind org")),
        vault_id: Type.Optional(about(idOf("remoteVault"), "Only for kind vault: a vault that you have pinned")),
      }),
      answer: [201, PartyView],
      problems: ["party_exists"],
      examples: {
        request: { kind: "people", name: partyExample.name, identifier: partyExample.identifier, people: [personRequest] },
        answer: partyExample,
      },
      run: async (caller, { body }) => presentParty(await createParty(deps, caller, body)),
    }),
    listing({
      name: "list_parties",
      summary: "List parties",
      description: "Returns the parties of the organization by name, with the people who act for them.",
      resource: "Control",
      sdk: "parties.list",
      path: "/partner/parties",
      access: mayRead,
      query: Type.Partial(
        Type.Object({
          kind: Type.Enum([...partyKinds]),
          search: Type.String({ maxLength: 100, description: "Part of the name or the identifier" }),
        }),
      ),
      item: PartyView,
      examples: { answer: partyExample },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listParties(read, caller.org, query, { page, limit });
        const people = await peopleOf(
          read,
          caller.org,
          items.map(({ party_id }) => party_id),
        );
        return { items: items.map((party) => presentParty({ ...party, people: people.get(party.party_id) ?? [] })), total };
      },
    }),
    reading({
      name: "get_party",
      summary: "Get a party",
      description: "Returns one party with the people who act for it.",
      resource: "Control",
      sdk: "parties.get",
      path: "/partner/parties/:party_id",
      access: mayRead,
      ...oneParty,
      answer: [200, PartyView],
      examples: { answer: partyExample },
      run: async (caller, { params }, read) => presentParty(await readParty(read, caller.org, params.party_id)),
    }),
    endpoint({
      name: "update_party",
      summary: "Change a party",
      description: "Changes name, identifier or address. Registers, acts and certificates keep what they said.",
      resource: "Control",
      sdk: "parties.update",
      method: "PATCH",
      path: "/partner/parties/:party_id",
      access: mayWrite,
      ...oneParty,
      body: Type.Partial(Type.Object({ name: Name, identifier: nullable(Identifier), address: nullable(Address) })),
      ifMatch: true,
      answer: [200, PartyView],
      problems: ["party_exists"],
      examples: { request: { address: "2 Example Street" }, answer: { ...partyExample, address: "2 Example Street" } },
      run: async (caller, { params, body, unchanged }) =>
        presentParty(await changeParty(deps, caller, params.party_id, body, (now) => unchanged(presentParty(now)))),
    }),
    endpoint({
      name: "add_party_person",
      summary: "Add a person who acts for a party",
      description:
        "Adds a person by e-mail address, or changes their name and rights. Once an approver of the party has logged in, the party decides: the response is 202 with an act that one of its approvers confirms. If none of them can be reached, an admin sends approvers_lost with a reason: another admin confirms that act, all people whose address is known for the party are told, and after 14 days without an objection it takes effect. What the party confirms from then on is attested at most.",
      resource: "Control",
      sdk: "parties.people.add",
      method: "POST",
      path: "/partner/parties/:party_id/people",
      access: mayWrite,
      ...oneParty,
      body: Type.Object({
        email: Email,
        name: Name,
        rights: Type.Enum([...partyRights]),
        approvers_lost: Type.Optional(
          Type.Boolean({ description: "No approver of the party can be reached; needs a reason and another admin" }),
        ),
        reason: Type.Optional(about(Reason, "Only with approvers_lost")),
      }),
      answer: [201, PartyView],
      alternative: [202, ActProposedView],
      problems: ["no_principal", "admin_required", "last_approver"],
      examples: { request: personRequest, answer: partyExample },
      run: async (caller, { params, body }) => answered(await putPerson(deps, caller, params.party_id, body as PersonInput)),
    }),
    endpoint({
      name: "remove_party_person",
      summary: "Remove a person from a party",
      description:
        "The person can no longer act for the party. Once an approver of the party has logged in, the party decides: the response is 202 with an act that one of its approvers confirms. The last approver cannot be removed.",
      resource: "Control",
      sdk: "parties.people.remove",
      method: "DELETE",
      path: "/partner/parties/:party_id/people/:person_id",
      access: mayWrite,
      params: { party_id: "party", person_id: "person" },
      missing: "party_not_found",
      answer: [200, PartyView],
      alternative: [202, ActProposedView],
      problems: ["person_not_found", "last_approver", "no_principal"],
      examples: { answer: { ...partyExample, people: [] } },
      run: async (caller, { params }) => answered(await removePartyPerson(deps, caller, params.party_id, params.person_id)),
    }),
  ];
}
