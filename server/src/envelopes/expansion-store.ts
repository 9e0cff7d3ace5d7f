import { type Read, sql } from "../db/sql.ts";
import type { CustomerId, EnvelopeId, OrgId, UserId } from "../shared/ids.ts";
import type { ShownRecipient } from "./envelope.ts";
import { SHOWN_RECIPIENTS } from "./store.ts";

/** What callers can have included in each row of the list. */
export const expansions = ["signers", "customer", "recipients", "tags", "owner"] as const;
export type Expansion = (typeof expansions)[number];

export interface ExpandedEnvelope {
  readonly envelope_id: EnvelopeId;
  /** by step; for a draft, the saved ones */
  readonly recipients: readonly ShownRecipient[];
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
      ${SHOWN_RECIPIENTS} as recipients,
      array(select t.name from envelope_tags et join tags t using (org_id, tag_key)
        where et.org_id = e.org_id and et.envelope_id = e.envelope_id order by et.tag_key) as tags,
      (select jsonb_build_object('user_id', u.user_id, 'name', u.name) from users u where u.user_id = e.owner_user_id) as owner,
      case when c.customer_id is not null then jsonb_build_object('customer_id', c.customer_id, 'name', c.name, 'email', c.email) end as customer
    from envelopes e left join customers c on c.org_id = e.org_id and c.customer_id = e.customer_id
    where e.org_id = ${org} and e.envelope_id = any(${ids})`);
  return new Map(rows.map((row) => [row.envelope_id, row]));
}
