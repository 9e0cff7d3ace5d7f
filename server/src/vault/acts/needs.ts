import type { Read } from "../../db/sql.ts";
import type { ControlPolicy } from "../../shared/control-policies.ts";
import type { OrgId, UserId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { findVault } from "../links/remote-store.ts";
import type { Party } from "../parties/party.ts";
import { findParty } from "../parties/store.ts";
import type { Need, NeedRole } from "./act.ts";
import { type Control, canConfirm } from "./control.ts";

/** The secured party on record must confirm. While there is none, the organization itself controls the record, and proposes. */
export async function controllerNeed(read: Read, control: Control): Promise<Need[]> {
  const { assignee, party, policy, org } = control;
  if (assignee === null) return [];
  return [await needOf(read, org, "controller", party, assignee.party.name, policy)];
}

export const partyNeed = (read: Read, { org, policy }: Pick<Control, "org" | "policy">, role: NeedRole, party: Party): Promise<Need> =>
  needOf(read, org, role, party, party.name, policy);

/** While a pledge stands, the record does not move without the pledgee. */
export async function pledgeeNeeds(read: Read, control: Control): Promise<Need[]> {
  const needs: Need[] = [];
  for (const { party_id } of control.pledges) {
    needs.push(await partyNeed(read, control, "pledgee", await findParty(read, control.org, party_id)));
  }
  return needs;
}

/** What lets the original leave asks all who can lose it by that. */
export const leavingNeeds = async (read: Read, control: Control): Promise<Need[]> => [
  ...(await controllerNeed(read, control)),
  ...(await pledgeeNeeds(read, control)),
];

export const custodianNeed = ({ user_id, name }: { readonly user_id: UserId; readonly name: string }): Need => ({
  role: "custodian",
  party_id: null,
  user_id,
  name,
  asked: true,
});

/** An admin whose principal is neither the proposer's nor that of another decision. */
export const adminNeed: Need = { role: "admin", party_id: null, user_id: null, name: "", asked: true };

async function needOf(read: Read, org: OrgId, role: NeedRole, party: Party | null, name: string, policy: ControlPolicy): Promise<Need> {
  const asked = await canConfirm(read, org, party);
  if (!asked && policy === "confirmed") throw new Problem("party_not_enrolled", "", { words: { party: name } });
  const need = { role, party_id: party?.party_id ?? null, user_id: null, name, asked };
  if (party === null || party.vault_id === null || !asked) return need;
  const { root_sha256, remote_org_id: org_id } = await findVault(read, org, party.vault_id);
  return { ...need, vault: { root_sha256, org_id } };
}
