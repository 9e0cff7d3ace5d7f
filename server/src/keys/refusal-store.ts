import { sql, type Tx } from "../db/sql.ts";
import type { KeyId, OrgId } from "../shared/ids.ts";

/** Refused requests with existing keys, until they are in the audit chain. `authenticate_key` inserts them. */

export interface Refusal {
  readonly key_id: KeyId;
  readonly partner_name: string;
  readonly key_hint: string;
  readonly reason: "expired" | "address";
  readonly ip: string;
  readonly user_agent: string;
  readonly requests: number;
  readonly minute: Date;
}

export async function findOrgsWithRefusals(tx: Tx): Promise<OrgId[]> {
  const { rows } = await tx.query<{ org_id: OrgId }>(sql`select org_id from find_orgs_with_refusals()`);
  return rows.map(({ org_id }) => org_id);
}

/** Those of minutes that are over, so that each of their rows is complete. */
export async function takeRefusals(tx: Tx, org: OrgId): Promise<Refusal[]> {
  const { rows } = await tx.query<Refusal>(sql`
    with taken as (
      delete from key_refusals where org_id = ${org} and minute < date_trunc('minute', now())
      returning key_id, reason, host(ip) as ip, user_agent, requests, minute
    )
    select t.*, k.partner_name, k.key_hint from taken t join api_keys k on k.org_id = ${org} and k.key_id = t.key_id
    order by t.minute, t.key_id, t.ip`);
  return rows;
}

/** False if the admins got a message about this key in the last day. */
export async function markRefusalMailed(tx: Tx, org: OrgId, key_id: KeyId): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update api_keys set refusal_mailed_at = now()
    where org_id = ${org} and key_id = ${key_id} and (refusal_mailed_at is null or refusal_mailed_at < now() - interval '1 day')`);
  return rowCount === 1;
}
