import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { newId, type OrgId, type PartyId, type PersonId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import type { VaultDeps } from "../copy.ts";
import { dropPerson, findPerson, putPerson, refuseNoPeople } from "../parties/member-changes.ts";
import type { NewPerson, Party } from "../parties/party.ts";
import { isApprover } from "../parties/party.ts";
import { type PartyWithPeople, readParty } from "../parties/party-changes.ts";
import { listPeople, lockParty, markReplaced } from "../parties/store.ts";
import { findPrincipal, isAdmin } from "../principal-store.ts";
import { ACT_DAYS, type ActWithDecisions, type Need, OBJECTION_DAYS } from "./act.ts";
import { type ActDocument, nameParty, type PeopleChange, readDocument } from "./document.ts";
import { insertProposal } from "./insert-proposal.ts";
import { adminNeed } from "./needs.ts";
import { beginWait, findAct, setActState } from "./store.ts";

/** Either it happened, or an approver of the party was asked. */
export type PeopleAnswer = { readonly party: PartyWithPeople } | { readonly act: ActWithDecisions };

/**
 * Adds a person who acts for a party. The organization names the first ones. Once an approver has logged in, the party decides about its
 * own people: an act, which one of its approvers confirms.
 */
export const addPartyPerson = (deps: Pick<VaultDeps, "db">, caller: Caller, party_id: PartyId, person: NewPerson): Promise<PeopleAnswer> =>
  change(deps, caller, party_id, async () => ({ add: person }));

/**
 * Names an approver of a party none of whose approvers can be reached. Another admin confirms, all people whose address is known are told and
 * can object, and without an objection it takes effect.
 */
export function replaceApprovers(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  party_id: PartyId,
  person: NewPerson,
  reason: string,
): Promise<PeopleAnswer> {
  const { org } = caller;
  if (person.rights !== "approve")
    throw invalidField("rights", "invalid_value", "must be `approve` when the approvers of the party are lost");
  return deps.db.tx(org, async (tx) => {
    const party = await lockParty(tx, org, party_id);
    refuseNoPeople(party);
    if (!(await isAdmin(tx, org, await findPrincipal(tx, caller)))) throw new Problem("admin_required");
    if (!(await isDecidedByParty(tx, org, party_id)))
      throw invalidField("approvers_lost", "invalid_value", "is for a party with an approver who has logged in; add the person without it");
    return { act: await proposeChange(tx, caller, party, { add: person, approvers_lost: true }, reason) };
  });
}

export const removePartyPerson = (
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  party_id: PartyId,
  person_id: PersonId,
): Promise<PeopleAnswer> =>
  change(deps, caller, party_id, async (tx) => {
    const { email } = await findPerson(tx, caller.org, party_id, person_id);
    return { remove: { person_id, email } };
  });

function change(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  party_id: PartyId,
  whatOf: (tx: Tx) => Promise<PeopleChange>,
): Promise<PeopleAnswer> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const party = await lockParty(tx, org, party_id);
    refuseNoPeople(party);
    const what = await whatOf(tx);
    if (await isDecidedByParty(tx, org, party_id)) return { act: await proposeChange(tx, caller, party, what) };
    await apply(tx, caller, party, what);
    return { party: await readParty(tx, org, party_id) };
  });
}

const isDecidedByParty = async (tx: Tx, org: OrgId, party_id: PartyId): Promise<boolean> =>
  (await listPeople(tx, org, party_id)).some((person) => isApprover(person) && person.state === "active");

async function apply(tx: Tx, caller: Caller, party: Party, what: PeopleChange): Promise<void> {
  if ("add" in what) return putPerson(tx, caller, party, what.add);
  await dropPerson(tx, caller, party, what.remove.person_id as PersonId);
}

async function proposeChange(tx: Tx, caller: Caller, party: Party, people: PeopleChange, reason = ""): Promise<ActWithDecisions> {
  const { org } = caller;
  const principal = await findPrincipal(tx, caller);
  const act_id = newId("act", tx.now.getTime());
  const isLost = "approvers_lost" in people;
  const approver: Need = { role: "approver", party_id: party.party_id, user_id: null, name: party.name, asked: !isLost };
  const needs: Need[] = isLost ? [adminNeed, approver] : [approver];
  const document: ActDocument = {
    type: "countersign/act/1",
    act_id,
    kind: "change_people",
    org_id: org,
    envelope_id: null,
    batch: null,
    record_name: null,
    copy_sha256: null,
    present_version: null,
    present_party: null,
    reason,
    party: nameParty(party),
    share_bp: null,
    user: null,
    hold_id: null,
    vault: null,
    recipient: null,
    people,
    needs,
    proposed_at: tx.now.toISOString(),
    expires_at: new Date(tx.now.getTime() + ACT_DAYS * DAY_MS).toISOString(),
  };
  await insertProposal(tx, caller, document, principal);
  await enqueue(tx, "vault.tell-asked", { org_id: org, act_id });
  return findAct(tx, org, act_id);
}

/** When an approver of the party has confirmed it, or two admins. The caller holds the locks of party and act. */
export async function changePeople(tx: Tx, caller: Caller, act: ActWithDecisions): Promise<void> {
  const { org } = caller;
  const { party, people } = readDocument(act);
  if (party?.party_id == null || people === null) throw new Error(`${act.act_id} names no change of people`);
  const isLost = "approvers_lost" in people;
  if (isLost && act.waits_until === null) return waitForObjections(tx, org, act);
  await apply(tx, caller, await lockParty(tx, org, party.party_id), people);
  if (isLost) await markReplaced(tx, org, party.party_id);
  const { act_id, kind, sha256 } = act;
  await setActState(tx, org, act, "effective", tx.now);
  await appendAudit(tx, org, { type: "act.effective", by: caller, data: { act_id, kind, sha256 } });
}

async function waitForObjections(tx: Tx, org: OrgId, act: ActWithDecisions): Promise<void> {
  await beginWait(tx, org, act, new Date(tx.now.getTime() + OBJECTION_DAYS * DAY_MS), tx.now);
  await enqueue(tx, "vault.tell-asked", { org_id: org, act_id: act.act_id });
}
