import { type Read, sql } from "../db/sql.ts";
import type { CustomerId, EnvelopeId, OrgId, UserId } from "../shared/ids.ts";
import type { Slug } from "../shared/slugs.ts";
import type { SignerStatus } from "../signing/submission.ts";

/** What callers can have included in each row of the list. */
export const expansions = ["signers", "customer", "recipients", "tags", "owner"] as const;
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
    /** null in a draft */
    readonly slug: Slug | null;
    readonly step: number;
    /** when the person signed or declined, as JSON has it */
    readonly acted_at: string | null;
  }[];
  /** names, in the order in which they are compared */
  readonly tags: readonly string[];
  readonly owner: { readonly user_id: UserId; readonly name: string } | null;
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
            'name', s ->> 'name', 'email', s ->> 'email', 'role', s ->> 'role', 'order', turn, 'status', 'pending', 'slug', null,
            'step', case when e.signing_order = 'sequential' then turn else 1 end, 'acted_at', null) order by turn)
          from jsonb_array_elements(e.signers) with ordinality as saved (s, turn)
        ) else (
          select jsonb_agg(jsonb_build_object('name', name, 'email', email, 'role', role, 'order', turn, 'status', status, 'slug', slug,
            'step', case when e.signing_order = 'sequential' then turn else 1 end, 'acted_at', coalesce(signed_at, declined_at)) order by turn)
          from signers s where s.org_id = e.org_id and s.envelope_id = e.envelope_id
        ) end, '[]') as signers,
      array(select t.name from envelope_tags et join tags t using (org_id, tag_key)
        where et.org_id = e.org_id and et.envelope_id = e.envelope_id order by et.tag_key) as tags,
      (select jsonb_build_object('user_id', u.user_id, 'name', u.name) from users u where u.user_id = e.owner_user_id) as owner,
      case when c.customer_id is not null then jsonb_build_object('customer_id', c.customer_id, 'name', c.name, 'email', c.email) end as customer
    from envelopes e left join customers c on c.org_id = e.org_id and c.customer_id = e.customer_id
    where e.org_id = ${org} and e.envelope_id = any(${ids})`);
  return new Map(rows.map((row) => [row.envelope_id, row]));
}
