import type { Caller, PersonCaller } from "../../shared/caller.ts";
import type { AuditGrantId, EnvelopeId, OrgId, PartyId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { VaultDeps } from "../copy.ts";
import type { AuditGrant } from "./grant.ts";
import { findGrant, grantsOfPerson, recordsOfGrant } from "./store.ts";

/** A person who looks at a record of an organization under a grant. Entries name the person; their address, party and grant are in the data. */
export type AuditCaller = Caller & {
  readonly auditor: { readonly email: string; readonly party_id: PartyId; readonly grant_id: AuditGrantId };
};

export interface GrantOfOrg extends AuditGrant {
  readonly org: OrgId;
}

// More grants than a person has at a time.
const MAX_GRANTS = 200;

/** The grants that the person has now, newest first. */
export async function grantsFor(deps: Pick<VaultDeps, "db">, { person }: PersonCaller): Promise<GrantOfOrg[]> {
  const all = await deps.db.system((tx) => grantsOfPerson(tx, person.person_id, MAX_GRANTS));
  const grants: GrantOfOrg[] = [];
  for (const { org_id: org, grant_id } of all) {
    grants.push({ ...(await deps.db.tx(org, (tx) => findGrant(tx, org, grant_id))), org });
  }
  return grants;
}

/**
 * The grant under which the person may look at the record now, and the person as a caller of its organization. One that permits downloads
 * comes first. 404 for a record that no grant of theirs covers, as for a missing one.
 */
export async function findAudited(
  deps: Pick<VaultDeps, "db">,
  who: PersonCaller,
  envelope_id: EnvelopeId,
): Promise<{ readonly caller: AuditCaller; readonly grant: GrantOfOrg }> {
  const covering: GrantOfOrg[] = [];
  for (const grant of await grantsFor(deps, who)) {
    const found = await deps.db.tx(grant.org, (tx) => recordsOfGrant(tx, grant.org, grant, 1, envelope_id));
    if (found.length > 0) covering.push(grant);
  }
  const grant = covering.find(({ may_download }) => may_download) ?? covering[0];
  if (grant === undefined) throw new Problem("envelope_not_found");
  const { org, party_id, grant_id } = grant;
  const { actor, ip, user_agent, request_id } = who;
  const auditor = { email: who.person.email, party_id, grant_id };
  return { caller: { org, actor, ip, user_agent, request_id, scopes: [], session: null, auditor }, grant };
}

export function requireDownload({ may_download }: Pick<AuditGrant, "may_download">): void {
  if (!may_download) throw new Problem("download_not_granted");
}
