import { type Read, sql } from "../../db/sql.ts";
import type { ControlPolicy } from "../../shared/control-policies.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";

/** Records that the law treats like paper notes are always under `confirmed`; for others the organization decides. */
export async function policyOf(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<ControlPolicy> {
  const { rows } = await read.query<{ control_policy: ControlPolicy }>(sql`
    select case when e.record_type in ('chattel_paper', 'transferable_record') then 'confirmed' else s.control_policy end as control_policy
    from org_settings s join envelopes e using (org_id) where s.org_id = ${org} and e.envelope_id = ${envelope_id}`);
  if (rows[0] === undefined) throw new Error("the organization has no settings");
  return rows[0].control_policy;
}
