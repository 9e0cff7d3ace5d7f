import type { Read, Sql } from "../../db/sql.ts";
import { join, sql } from "../../db/sql.ts";
import type { EnvelopeId, OrgId, PartyId } from "../../shared/ids.ts";
import type { NamedParty } from "../acts/document.ts";

/** The SQL that reads all records of a batch at once. */

/** What decides whether a record can be in a batch. Two records that differ in none of `control` are judged alike. */
export interface Candidate {
  readonly envelope_id: EnvelopeId;
  readonly envelope_name: string;
  readonly external_id: string | null;
  /** null: it is not vaulted */
  readonly sha256: string | null;
  readonly control_version: number;
  readonly present_party: NamedParty | null;
  /** everything else that the rules of acts look at */
  readonly control: {
    readonly state: string;
    readonly policy: string;
    readonly confirmation: string | null;
    readonly pledgees: readonly PartyId[];
    readonly custodian: string | null;
    readonly pending: boolean;
    readonly held: boolean;
  };
}

export interface RecordFilter {
  readonly customer_id?: string;
  readonly controller_party_id?: string;
  readonly external_ids?: readonly string[];
}

export const listNamed = (read: Read, org: OrgId, envelope_ids: readonly string[]): Promise<Candidate[]> =>
  candidates(read, sql`e.org_id = ${org} and e.envelope_id = any(${envelope_ids})`, envelope_ids.length);

/** Active records that match, at most `limit`. */
export function listMatching(read: Read, org: OrgId, filter: RecordFilter, limit: number): Promise<Candidate[]> {
  const conditions = [sql`e.org_id = ${org}`, sql`e.status = 'vaulted'`, sql`c.state = 'active'`];
  if (filter.customer_id !== undefined) {
    conditions.push(sql`e.customer_id = coalesce((
      select k.merged_into from customers k where k.org_id = ${org} and k.customer_id = ${filter.customer_id}), ${filter.customer_id})`);
  }
  if (filter.controller_party_id !== undefined) conditions.push(sql`c.controller_party_id = ${filter.controller_party_id}`);
  if (filter.external_ids !== undefined) conditions.push(sql`e.external_id = any(${filter.external_ids})`);
  return candidates(read, join(conditions, " and "), limit);
}

async function candidates(read: Read, which: Sql, limit: number): Promise<Candidate[]> {
  const { rows } = await read.query<Candidate>(sql`
    select e.envelope_id, e.envelope_name, e.external_id, case when e.status = 'vaulted' then c.sha256 end as sha256,
      coalesce(c.control_version, 1) as control_version,
      case when a.seq is not null then jsonb_build_object('party_id', p.party_id, 'name', coalesce(p.name, a.party ->> 'name'),
        'identifier', case when p.party_id is null then a.party ->> 'identifier' else p.identifier end) end as present_party,
      jsonb_build_object('state', coalesce(c.state, ''), 'confirmation', a.confirmation,
        'policy', case when e.record_type in ('chattel_paper', 'transferable_record') then 'confirmed' else s.control_policy end,
        'pledgees', array(
          select g.party_id from pledges g
          where g.org_id = e.org_id and g.envelope_id = e.envelope_id and g.released_act_id is null order by g.party_id),
        'custodian', (select k.user_id from custodian_permissions k where k.org_id = e.org_id and k.copy_id = c.copy_id and k.state = 'active'),
        'pending', exists (select from custodian_permissions k where k.org_id = e.org_id and k.copy_id = c.copy_id and k.state = 'pending'),
        'held', exists (select from legal_holds h where h.org_id = e.org_id and h.copy_id = c.copy_id and h.released_at is null)
      ) as control
    from envelopes e join org_settings s using (org_id)
      left join authoritative_copies c on c.org_id = e.org_id and c.envelope_id = e.envelope_id
      left join lateral (
        select seq, party, party_id, confirmation from assignments
        where org_id = e.org_id and envelope_id = e.envelope_id and state = 'effective' order by seq desc limit 1) a on true
      left join parties p on p.org_id = e.org_id and p.party_id = a.party_id
    where ${which} order by e.envelope_id limit ${limit}`);
  return rows;
}
