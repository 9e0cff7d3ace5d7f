import { appendAudit } from "../../audit/append-audit.ts";
import type { Caller } from "../../shared/caller.ts";
import { type EnvelopeId, newId, type PartyId } from "../../shared/ids.ts";
import { invalidField } from "../../shared/problems.ts";
import type { VaultDeps } from "../copy.ts";
import { findParty } from "../parties/store.ts";
import type { AuditFilter, AuditGrant } from "./grant.ts";
import { findGrant, insertGrant, vaultedOf } from "./store.ts";

export interface GrantInput {
  readonly party_id: string;
  readonly envelope_ids?: readonly string[];
  readonly filter?: AuditFilter;
  readonly may_download: boolean;
  readonly until: string;
}

/** Lets the people of a party look at records as auditors. */
export function createGrant(deps: Pick<VaultDeps, "db">, caller: Caller, input: GrantInput): Promise<AuditGrant> {
  const { org, actor: granted_by } = caller;
  const { envelope_ids, filter, may_download } = input;
  const party_id = input.party_id as PartyId;
  if ((envelope_ids === undefined) === (filter === undefined))
    throw invalidField("envelope_ids", "invalid_value", "or filter is needed, and not both");
  if (filter !== undefined && Object.keys(filter).length === 0)
    throw invalidField("filter", "required", "needs customer_id, controller_party_id or external_ids");
  const until = new Date(input.until);
  return deps.db.tx(org, async (tx) => {
    const { kind } = await findParty(tx, org, party_id);
    if (kind !== "people") throw invalidField("party_id", "invalid_value", "has no people who could look at records");
    if (until <= tx.now) throw invalidField("until", "out_of_range", "must be in the future");
    const known = await vaultedOf(tx, org, envelope_ids ?? []);
    const unknown = envelope_ids?.findIndex((id) => !known.has(id)) ?? -1;
    // The same words for a missing record, another organization's, and one that is not vaulted.
    if (unknown >= 0) throw invalidField(`envelope_ids[${unknown}]`, "not_found", "is not a vaulted record of your organization");
    const grant_id = newId("auditGrant", tx.now.getTime());
    const which = { envelope_ids: (envelope_ids as readonly EnvelopeId[] | undefined) ?? null, filter: filter ?? null };
    await insertGrant(tx, org, { grant_id, party_id, ...which, may_download, until, granted_by, granted_at: tx.now });
    const data = { grant_id, party_id, ...which, may_download, until: until.toISOString() };
    await appendAudit(tx, org, { type: "audit_grant.created", by: caller, data });
    return findGrant(tx, org, grant_id);
  });
}
