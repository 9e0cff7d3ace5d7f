import { type Read, sql } from "../db/sql.ts";
import type { CustomerId, EnvelopeId, OrgId } from "../shared/ids.ts";
import type { SignerStatus } from "../signing/submission.ts";

/** What callers can have included in each row of the list. */
export const expansions = ["signers", "customer"] as const;
export type Expansion = (typeof expansions)[number];

export interface ExpandedEnvelope {
  readonly envelope_id: EnvelopeId;
  /** in signing order; for a draft, the saved ones */
  readonly signers: readonly {
    readonly name: string;
    readonly email: string;
    readonly role: string;
    readonly order: number;
    readonly status: SignerStatus;
  }[];
  readonly customer: { readonly customer_id: CustomerId; readonly name: string | null; readonly email: string | null } | null;
}

/** One statement for a page of the list, no matter how long it is. */
export async function expandEnvelopes(
  read: Read,
  org: OrgId,
  ids: readonly EnvelopeId[],
): Promise<ReadonlyMap<EnvelopeId, ExpandedEnvelope>> {
  const { rows } = await read.query<ExpandedEnvelope>(sql`
    select e.envelope_id,
      coalesce(case when e.submission_id is null then (
          select jsonb_agg(jsonb_build_object(
            'name', s ->> 'name', 'email', s ->> 'email', 'role', s ->> 'role', 'order', turn, 'status', 'pending') order by turn)
          from jsonb_array_elements(e.signers) with ordinality as saved (s, turn)
        ) else (
          select jsonb_agg(jsonb_build_object('name', name, 'email', email, 'role', role, 'order', turn, 'status', status) order by turn)
          from signers s where s.org_id = e.org_id and s.envelope_id = e.envelope_id
        ) end, '[]') as signers,
      case when c.customer_id is not null then jsonb_build_object('customer_id', c.customer_id, 'name', c.name, 'email', c.email) end as customer
    from envelopes e left join customers c on c.org_id = e.org_id and c.customer_id = e.customer_id
    where e.org_id = ${org} and e.envelope_id = any(${ids})`);
  return new Map(rows.map((row) => [row.envelope_id, row]));
}
