import { readRemoteTrust } from "@countersign/evidence";
import { isUniqueViolation } from "../../db/errors.ts";
import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { OrgId, RemoteVaultId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { Problem } from "../../shared/problems.ts";
import type { RemoteVault } from "./link.ts";

/** The SQL of pinned vaults. */

const columns = sql`v.vault_id, v.name, v.url, v.root_sha256, v.remote_org_id, v.trust, v.pinned_by, v.pinned_at, v.state`;

export async function findVault(read: Read, org: OrgId, vault_id: RemoteVaultId): Promise<RemoteVault> {
  const { rows } = await read.query<RemoteVault>(sql`
    select ${columns} from remote_vaults v where v.org_id = ${org} and v.vault_id = ${vault_id}`);
  if (rows[0] === undefined) throw new Problem("remote_vault_not_found");
  return rows[0];
}

/** The vault of this organization elsewhere that was pinned by this root, else one whose roots include it; null if there is none. */
export async function lookUpPinned(read: Read, org: OrgId, root: string, remote_org_id: string): Promise<RemoteVault | null> {
  const pinned = await listPinned(read, org, remote_org_id);
  const exact = pinned.find(({ root_sha256 }) => root_sha256 === root);
  return exact ?? pinned.find(({ trust, root_sha256 }) => readRemoteTrust(trust, root_sha256)?.roots.includes(root)) ?? null;
}

/** It then stays pinned until the transaction ends. */
export async function isPinned(read: Read, org: OrgId, vault_id: RemoteVaultId): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from remote_vaults where org_id = ${org} and vault_id = ${vault_id} and state = 'pinned' for share`);
  return rows.length === 1;
}

/** Waits for those who rely on its being pinned. */
export async function lockVault(tx: Tx, org: OrgId, vault_id: RemoteVaultId): Promise<RemoteVault> {
  await tx.query(sql`select from remote_vaults where org_id = ${org} and vault_id = ${vault_id} for no key update`);
  return findVault(tx, org, vault_id);
}

/** The pinned vaults of an organization elsewhere. */
export async function listPinned(read: Read, org: OrgId, remote_org_id: string): Promise<RemoteVault[]> {
  const { rows } = await read.query<RemoteVault>(sql`
    select ${columns} from remote_vaults v
    where v.org_id = ${org} and v.remote_org_id = ${remote_org_id} and v.state = 'pinned' order by v.vault_id`);
  return rows;
}

export type NewVault = Pick<RemoteVault, "vault_id" | "name" | "url" | "root_sha256" | "remote_org_id" | "trust" | "pinned_by">;

export async function insertVault(tx: Tx, org: OrgId, one: NewVault): Promise<void> {
  try {
    await tx.query(sql`
      insert into remote_vaults (org_id, vault_id, name, url, root_sha256, remote_org_id, trust, pinned_by)
      values (${org}, ${one.vault_id}, ${one.name}, ${one.url}, ${one.root_sha256}, ${one.remote_org_id}, ${one.trust},
        ${JSON.stringify(one.pinned_by)})`);
  } catch (cause) {
    throw isUniqueViolation(cause) ? new Problem("vault_already_pinned", "", { cause }) : cause;
  }
}

/** A newer trust document of the same vault. */
export async function updateTrust(tx: Tx, org: OrgId, vault_id: RemoteVaultId, trust: string): Promise<void> {
  await tx.query(sql`update remote_vaults set trust = ${trust} where org_id = ${org} and vault_id = ${vault_id} and state = 'pinned'`);
}

/** False if it was removed before. */
export async function removeVaultRow(tx: Tx, org: OrgId, vault_id: RemoteVaultId): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update remote_vaults set state = 'removed', removed_at = clock_timestamp()
    where org_id = ${org} and vault_id = ${vault_id} and state = 'pinned'`);
  return rowCount === 1;
}

export async function listVaults(read: Read, org: OrgId, { page, limit }: PageRequest): Promise<Page<RemoteVault>> {
  const { rows } = await read.query<RemoteVault>(sql`
    select ${columns} from remote_vaults v where v.org_id = ${org} and v.state = 'pinned'
    order by v.vault_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`
    select count(*)::int as total from remote_vaults where org_id = ${org} and state = 'pinned'`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

/** Whether a transfer with this vault has not ended, or was recovered and the vault may still answer. */
export async function hasOpenTransfers(read: Read, org: OrgId, vault_id: RemoteVaultId): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from vault_transfers where org_id = ${org} and vault_id = ${vault_id} and (closed_at is null or (state = 'recovered' and settled_at is null)) limit 1`);
  return rows.length > 0;
}
