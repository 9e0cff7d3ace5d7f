import { FENCED } from "../db/fence.ts";
import { named, type Read, raw, sql, type Tx } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";

export interface WrappedOrgKey {
  readonly key_no: number;
  readonly wrapped: Buffer;
  /** the key service that wrapped it */
  readonly kek_id: string;
}

/** Without a number: the latest one. */
export async function lookUpOrgKey(read: Read, org: OrgId, key_no: number | null): Promise<WrappedOrgKey | null> {
  const { rows } = await read.query<WrappedOrgKey>(named("org-key")`
    select key_no, wrapped, kek_id, ${raw(FENCED)} from find_org_key(${org}, ${key_no})`);
  return rows[0] ?? null;
}

/** Does nothing if another process was faster. */
export async function insertOrgKey(tx: Tx, org: OrgId, { key_no, wrapped, kek_id }: WrappedOrgKey): Promise<void> {
  await tx.query(sql`
    insert into org_keys (org_id, key_no, wrapped, kek_id) values (${org}, ${key_no}, ${wrapped}, ${kek_id}) on conflict do nothing`);
}

/** False if the key was wrapped again in the meantime. */
export async function replaceOrgKey(tx: Tx, org: OrgId, before: WrappedOrgKey, after: WrappedOrgKey): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update org_keys set wrapped = ${after.wrapped}, kek_id = ${after.kek_id}
    where org_id = ${org} and key_no = ${before.key_no} and wrapped = ${before.wrapped}`);
  return rowCount === 1;
}

export async function listOrgKeysToReWrap(read: Read, kek_id: string, limit: number): Promise<{ org_id: OrgId; key_no: number }[]> {
  const { rows } = await read.query<{ org_id: OrgId; key_no: number }>(sql`
    select org_id, key_no from find_org_keys_to_re_wrap(${kek_id}, ${limit})`);
  return rows;
}

export async function listKeyServices(read: Read): Promise<string[]> {
  const { rows } = await read.query<{ kek_id: string }>(sql`select kek_id from list_key_services()`);
  return rows.map(({ kek_id }) => kek_id);
}
