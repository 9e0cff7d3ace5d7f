import { iso, isoOrNull } from "../../http/shapes.ts";
import { type AuditGrant, stateOf } from "./grant.ts";

export const presentGrant = (grant: AuditGrant) => ({
  grant_id: grant.grant_id,
  party_id: grant.party_id,
  party_name: grant.party_name,
  envelope_ids: grant.envelope_ids === null ? null : [...grant.envelope_ids],
  filter: grant.filter,
  may_download: grant.may_download,
  until: iso(grant.until),
  state: stateOf(grant, new Date()),
  granted_by: grant.granted_by,
  granted_at: iso(grant.granted_at),
  revoked_at: isoOrNull(grant.revoked_at),
});
