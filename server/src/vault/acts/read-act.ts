import type { Caller } from "../../shared/caller.ts";
import type { ActId } from "../../shared/ids.ts";
import type { VaultDeps } from "../copy.ts";
import type { ActWithDecisions } from "./act.ts";
import { findAct, listActsOfPartyOrg, lookUpActOfPartyOrg } from "./store.ts";

/** An act of this organization, or of another one that asks this organization. */
export async function readAct(deps: Pick<VaultDeps, "db">, { org }: Caller, act_id: ActId): Promise<ActWithDecisions> {
  const foreign = await deps.db.tx(org, (tx) => lookUpActOfPartyOrg(tx, act_id));
  const owner = foreign?.org_id ?? org;
  return deps.db.tx(owner, (tx) => findAct(tx, owner, act_id));
}

// An organization is asked about few acts at a time; a pool of records is one act.
const MAX_REQUESTS = 200;

export async function listRequests(deps: Pick<VaultDeps, "db">, { org }: Caller): Promise<ActWithDecisions[]> {
  const open = await deps.db.tx(org, (tx) => listActsOfPartyOrg(tx, true, MAX_REQUESTS));
  const acts: ActWithDecisions[] = [];
  for (const { org_id, act_id } of open) acts.push(await deps.db.tx(org_id, (tx) => findAct(tx, org_id, act_id)));
  return acts;
}
