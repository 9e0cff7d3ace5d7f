import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import type { ActId, OrgId } from "../../shared/ids.ts";
import type { VaultDeps } from "../copy.ts";
import { findOrgSettings } from "../store.ts";
import type { ActWithDecisions } from "./act.ts";
import { findAct, listActsOfPartyOrg, lookUpActOfPartyOrg } from "./store.ts";

/** An act as another organization or a person sees it. */
export interface ActOfOther extends ActWithDecisions {
  readonly org_name: string;
}

export const findActOfOther = async (tx: Tx, owner: OrgId, act_id: ActId): Promise<ActOfOther> => ({
  ...(await findAct(tx, owner, act_id)),
  org_name: (await findOrgSettings(tx, owner)).name,
});

/** Whose act it is: this organization's, or another one's that asks this organization. */
export async function findOwnerOfAct(deps: Pick<VaultDeps, "db">, org: OrgId, act_id: ActId): Promise<OrgId> {
  return (await deps.db.tx(org, (tx) => lookUpActOfPartyOrg(tx, act_id)))?.org_id ?? org;
}

/** An act of this organization, or of another one that asks this organization. */
export async function readAct(deps: Pick<VaultDeps, "db">, { org }: Caller, act_id: ActId): Promise<ActWithDecisions | ActOfOther> {
  const owner = await findOwnerOfAct(deps, org, act_id);
  return deps.db.tx(owner, (tx) => (owner === org ? findAct(tx, org, act_id) : findActOfOther(tx, owner, act_id)));
}

// An organization is asked about few acts at a time; a pool of records is one act.
const MAX_REQUESTS = 200;

export async function listRequests(deps: Pick<VaultDeps, "db">, { org }: Caller): Promise<ActOfOther[]> {
  const open = await deps.db.tx(org, (tx) => listActsOfPartyOrg(tx, true, MAX_REQUESTS));
  const acts: ActOfOther[] = [];
  for (const { org_id, act_id } of open) acts.push(await deps.db.tx(org_id, (tx) => findActOfOther(tx, org_id, act_id)));
  return acts;
}
