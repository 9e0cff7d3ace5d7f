import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import { isSandbox, newId, type OrgId, type PartyId, type RemoteVaultId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import type { VaultDeps } from "../copy.ts";
import { isPinned } from "../links/remote-store.ts";
import { ensurePerson } from "../people/ensure-person.ts";
import type { NewPerson, Party, PartyKind, PartyPerson } from "./party.ts";
import { addPerson, findParty, hasOrg, insertParty, listPeople, lockParty, updateParty } from "./store.ts";

export interface PartyWithPeople extends Party {
  readonly people: readonly PartyPerson[];
}

export interface PartyInput {
  readonly kind: PartyKind;
  readonly name: string;
  readonly identifier?: string;
  readonly address?: string;
  readonly people?: readonly NewPerson[];
  readonly org_id?: string;
  readonly vault_id?: string;
}

/** Adds a party to the organization's list. The first people are named by the organization, and the checks say so. */
export function createParty(deps: Pick<VaultDeps, "db">, caller: Caller, input: PartyInput): Promise<PartyWithPeople> {
  const { org } = caller;
  refuseMixed(org, input);
  const { kind, name, identifier = null, address = null, people = [] } = input;
  const org_id = (input.org_id ?? null) as OrgId | null;
  return deps.db.tx(org, async (tx) => {
    if (org_id !== null && !(await hasOrg(tx, org_id)))
      throw invalidField("org_id", "not_found", "is not an organization of this installation");
    const vault_id = (input.vault_id ?? null) as RemoteVaultId | null;
    if (vault_id !== null && !(await isPinned(tx, org, vault_id)))
      throw invalidField("vault_id", "not_found", "is not a vault that you have pinned");
    const party_id = newId("party");
    const party = { party_id, kind, name, identifier, address, org_ref: org_id, vault_id };
    if (!(await insertParty(tx, org, party))) throw new Problem("party_exists");
    const added: { person_id: string; email: string; rights: string }[] = [];
    for (const person of people) {
      const person_id = await ensurePerson(tx, person.email);
      await addPerson(tx, org, party_id, person_id, person);
      added.push({ person_id, email: person.email, rights: person.rights });
    }
    await appendAudit(tx, org, { type: "party.created", by: caller, data: { party_id, kind, name, people: added } });
    return readParty(tx, org, party_id);
  });
}

function refuseMixed(org: OrgId, { kind, people, org_id, vault_id }: PartyInput): void {
  if (kind !== "people" && people !== undefined)
    throw invalidField("people", "invalid_value", "do not belong to an organization, whose admins act for it");
  if (kind === "org" && org_id === undefined) throw invalidField("org_id", "required", "is needed for a party of kind org");
  if (kind !== "org" && org_id !== undefined) throw invalidField("org_id", "invalid_value", "belongs to a party of kind org");
  if (kind === "vault" && vault_id === undefined) throw invalidField("vault_id", "required", "is needed for a party of kind vault");
  if (kind !== "vault" && vault_id !== undefined) throw invalidField("vault_id", "invalid_value", "belongs to a party of kind vault");
  if (org_id !== undefined && (isSandbox(org) || isSandbox(org_id as OrgId)))
    throw invalidField("org_id", "invalid_value", "must not be a sandbox, and in a sandbox no other organization is a party");
  if (org_id === org) throw invalidField("org_id", "invalid_value", "is this organization, which needs no party");
}

export interface PartyChange {
  readonly name?: string;
  readonly identifier?: string | null;
  readonly address?: string | null;
}

/** Changes how the party is described. Registers and acts keep what they said. */
export function changeParty(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  party_id: PartyId,
  change: PartyChange,
  unchanged: (now: PartyWithPeople) => void,
): Promise<PartyWithPeople> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const before = await lockParty(tx, org, party_id);
    unchanged(await readParty(tx, org, party_id));
    const after = { ...before, ...change };
    const changed = (["name", "identifier", "address"] as const).filter((field) => after[field] !== before[field]);
    if (changed.length === 0) return readParty(tx, org, party_id);
    if (!(await updateParty(tx, org, after))) throw new Problem("party_exists");
    const changes = Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
    await appendAudit(tx, org, { type: "party.changed", by: caller, data: { party_id, changes } });
    return readParty(tx, org, party_id);
  });
}

export async function readParty(tx: Pick<Tx, "query">, org: OrgId, party_id: PartyId): Promise<PartyWithPeople> {
  return { ...(await findParty(tx, org, party_id)), people: await listPeople(tx, org, party_id) };
}
