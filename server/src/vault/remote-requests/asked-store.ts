import { type Read, type Sql, sql, type Tx } from "../../db/sql.ts";
import type { ActId, OrgId, RemoteVaultId } from "../../shared/ids.ts";
import type { AskedVault } from "./request.ts";

/** The SQL of the asker: which installations its acts ask. */

const columns = sql`a.org_id, a.vault_id, a.act_id, a.party_id, a.asker_root, a.decider_root, a.decider_org_id, a.settled_at, a.attempts, a.last_error`;

export type NewAskedVault = Omit<AskedVault, "settled_at" | "attempts" | "last_error">;

/** A party can be asked in several roles, and decides once. */
export async function ensureAskedVault(tx: Tx, org: OrgId, one: NewAskedVault): Promise<void> {
  await tx.query(sql`
    insert into asked_vaults (org_id, act_id, party_id, vault_id, asker_root, decider_root, decider_org_id, asked_at)
    values (${org}, ${one.act_id}, ${one.party_id}, ${one.vault_id}, ${one.asker_root}, ${one.decider_root}, ${one.decider_org_id}, ${tx.now})
    on conflict do nothing`);
}

export async function lookUpAskedVault(read: Read, org: OrgId, act_id: string, party_id: string): Promise<AskedVault | null> {
  const { rows } = await read.query<AskedVault>(sql`
    select ${columns} from asked_vaults a where a.org_id = ${org} and a.act_id = ${act_id} and a.party_id = ${party_id}`);
  return rows[0] ?? null;
}

/** For the need `n` of an act: the address of the installation that has not taken the request; null if there is none. */
export const unreachedVault: Sql = sql`(
  select v.url from asked_vaults q join remote_vaults v using (org_id, vault_id)
  where q.org_id = n.org_id and q.act_id = n.act_id and q.party_id = n.party_id and q.last_error is not null and q.taken_at is null
    and q.settled_at is null and not exists (select from act_messages m where m.org_id = q.org_id and m.vault_id = q.vault_id
      and m.act_id = q.act_id and m.party_id = q.party_id and m.kind = 'decision'))`;

/** For the statement that ends an act: the installations that it asked are told with the next run. */
export const makeClosingDue = (org: OrgId, act_id: ActId, at: Date): Sql => sql`
  update asked_vaults set attempts = 0, next_at = ${at} where org_id = ${org} and act_id = ${act_id} and settled_at is null`;

/** When to try again. */
export async function recordAskAttempt(
  tx: Tx,
  org: OrgId,
  { act_id, party_id }: Pick<AskedVault, "act_id" | "party_id">,
  { seconds, error, taken = false }: { readonly seconds: number; readonly error: string | null; readonly taken?: boolean },
): Promise<void> {
  await tx.query(sql`
    update asked_vaults set attempts = attempts + 1, last_error = ${error}, next_at = clock_timestamp() + make_interval(secs => ${seconds}),
      taken_at = coalesce(taken_at, case when ${taken} then clock_timestamp() end)
    where org_id = ${org} and act_id = ${act_id} and party_id = ${party_id} and settled_at is null`);
}

export async function settleAskedVault(tx: Tx, org: OrgId, { act_id, party_id }: Pick<AskedVault, "act_id" | "party_id">): Promise<void> {
  await tx.query(sql`
    update asked_vaults set settled_at = clock_timestamp(), last_error = null
    where org_id = ${org} and act_id = ${act_id} and party_id = ${party_id} and settled_at is null`);
}

/** The copy `c` is here, or has been released to another vault that can still refuse it. */
const canBeHere: Sql = sql`(c.state not in ('exported', 'transferred', 'papered', 'destroyed') or (c.state = 'transferred' and exists (
  select from vault_transfers t where t.org_id = c.org_id and t.copy_id = c.copy_id and t.direction = 'out'
    and (t.closed_at is null or (t.state = 'recovered' and t.settled_at is null)))))`;

/** Whether a party that stands for this vault is asked by an open act, controls a record that can be here, or holds a pledge on one. */
export async function isVaultNeeded(read: Read, org: OrgId, vault_id: RemoteVaultId): Promise<boolean> {
  const { rows } = await read.query<{ needed: boolean }>(sql`
    select exists (select from act_needs n join control_acts a using (org_id, act_id)
        where n.org_id = p.org_id and n.party_id = p.party_id and n.asked and a.closed_at is null)
      or exists (select from authoritative_copies c where c.org_id = p.org_id and c.controller_party_id = p.party_id and ${canBeHere})
      or exists (select from pledges g join authoritative_copies c using (org_id, envelope_id)
        where g.org_id = p.org_id and g.party_id = p.party_id and g.released_act_id is null and ${canBeHere}) as needed
    from parties p where p.org_id = ${org} and p.vault_id = ${vault_id}`);
  return rows.some(({ needed }) => needed);
}
