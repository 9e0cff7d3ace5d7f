import { type Read, sql, type Tx } from "../db/sql.ts";
import type { CustomerId, OrgId } from "../shared/ids.ts";

/** What keeps a customer from being deleted, and what a deletion removes. */

export interface Keeping {
  readonly drafts: number;
  /** sent, and neither signed by everyone nor ended */
  readonly open: number;
  /** signed by everyone and not in the vault */
  readonly signed: number;
  /** in the vault, under a legal hold, or ended before the retention period has passed */
  readonly vaulted: number;
  readonly held: number;
  readonly retained_until: Date | null;
  /** records on their way from another vault */
  readonly arriving: number;
}

/** An envelope past its expiry date is not open, even if the sweep has not ended it yet. */
export async function findKeeping(read: Read, org: OrgId, customer_id: CustomerId): Promise<Keeping> {
  const { rows } = await read.query<Keeping>(sql`
    with of_customer as materialized (
      select e.envelope_id, e.status, e.expires_at from envelopes e where e.org_id = ${org} and e.customer_id = ${customer_id}
    ), records as (
      select c.retention_until, exists (
          select from legal_holds h where h.org_id = c.org_id and h.copy_id = c.copy_id and h.released_at is null) as is_held,
        coalesce(c.state_before_tamper, c.state) not in ('exported', 'transferred', 'papered', 'destroyed') as is_here
      from of_customer e join authoritative_copies c on c.org_id = ${org} and c.envelope_id = e.envelope_id
    ), kept as (
      select * from records where is_here or is_held or retention_until > now()
    )
    select count(*) filter (where status in ('pending', 'uploaded', 'preparing'))::int as drafts,
      count(*) filter (where status in ('sent', 'viewed') and (expires_at is null or expires_at > now()))::int as open,
      count(*) filter (where status = 'completed' and not exists (
        select from authoritative_copies c where c.org_id = ${org} and c.envelope_id = e.envelope_id))::int as signed,
      (select count(*)::int from kept) as vaulted,
      (select count(*)::int from kept where is_held) as held,
      (select max(retention_until) from kept) as retained_until,
      (select count(*)::int from vault_transfers t
        where t.org_id = ${org} and t.direction = 'in' and t.envelope_id is null and t.state not in ('cancelled', 'refused')
          and t.customer_id in (select c.customer_id from customers c
            where c.org_id = ${org} and (c.customer_id = ${customer_id} or c.merged_into = ${customer_id}))) as arriving
    from of_customer e`);
  return rows[0] as Keeping;
}

/**
 * The customer, those that were merged into it, the words of all, and their addresses among the people to whom envelopes were sent, unless
 * another customer has the address. Returns the ids.
 */
export async function deleteRows(tx: Tx, org: OrgId, customer_id: CustomerId): Promise<CustomerId[]> {
  const { rows } = await tx.query<{ customer_id: CustomerId; email_key: string | null }>(sql`
    delete from customers where org_id = ${org} and (customer_id = ${customer_id} or merged_into = ${customer_id})
    returning customer_id, email_key`);
  const ids = rows.map((row) => row.customer_id);
  await tx.query(sql`delete from customer_words where org_id = ${org} and customer_id = any(${ids})`);
  const addresses = rows.flatMap(({ email_key }) => (email_key === null ? [] : [email_key]));
  await tx.query(sql`
    delete from recent_recipients r where r.org_id = ${org} and r.email_key = any(${addresses})
      and not exists (select from customers c where c.org_id = ${org} and c.email_key = r.email_key)`);
  return ids;
}
