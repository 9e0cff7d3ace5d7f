import type { PersonCaller } from "../../shared/caller.ts";
import type { EnvelopeId, OrgId, PartyId } from "../../shared/ids.ts";
import type { VaultDeps } from "../copy.ts";
import { grantsFor } from "./find-audited.ts";
import { recordsOfGrant } from "./store.ts";

export interface AuditedRecord {
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId;
  readonly party_id: PartyId;
  readonly held_as: "audit";
}

/** The records that the person may look at now, each once. */
export async function listAudited(deps: Pick<VaultDeps, "db">, who: PersonCaller, limit: number): Promise<AuditedRecord[]> {
  const records = new Map<EnvelopeId, AuditedRecord>();
  for (const grant of await grantsFor(deps, who)) {
    const { org: org_id, party_id } = grant;
    const found = await deps.db.tx(org_id, (tx) => recordsOfGrant(tx, org_id, grant, Math.max(0, limit - records.size)));
    for (const envelope_id of found) records.set(envelope_id, { org_id, envelope_id, party_id, held_as: "audit" });
  }
  return [...records.values()];
}
