import { type Read, sql, type Tx } from "../db/sql.ts";
import type { OrgId, SealId } from "../shared/ids.ts";
import type { SealKey } from "./seal.ts";

export type Purpose = "root" | "records";

export interface InstanceKey {
  readonly purpose: Purpose;
  /** null except for the root */
  readonly certificate: Buffer | null;
  readonly public_key: Buffer;
  readonly private_key_enc: Buffer;
}

/** Instance keys belong to no organization, so every transaction can read them. */
export async function lookUpInstanceKey(read: Read, purpose: Purpose): Promise<InstanceKey | null> {
  const { rows } = await read.query<InstanceKey>(sql`
    select purpose, certificate, public_key, private_key_enc from instance_keys where purpose = ${purpose}`);
  return rows[0] ?? null;
}

/** A second insert waits for the first and changes nothing; the caller reads again. */
export async function insertInstanceKey(tx: Tx, key: InstanceKey): Promise<void> {
  await tx.query(sql`
    insert into instance_keys (purpose, certificate, public_key, private_key_enc)
    values (${key.purpose}, ${key.certificate}, ${key.public_key}, ${key.private_key_enc}) on conflict do nothing`);
}

const columns = sql`seal_id, generation, certificate, certificate_sha256, issuers, private_key_enc, not_before, not_after, revoked_at`;

export async function lookUpSeal(read: Read, org: OrgId, seal_id: SealId): Promise<SealKey | null> {
  const { rows } = await read.query<SealKey>(sql`select ${columns} from seal_keys where org_id = ${org} and seal_id = ${seal_id}`);
  return rows[0] ?? null;
}

/** The organization's newest own certificate. */
export async function lookUpOwnSeal(read: Read, org: OrgId): Promise<SealKey | null> {
  const { rows } = await read.query<SealKey>(sql`
    select ${columns} from seal_keys where org_id = ${org} and generation is not null order by generation desc limit 1`);
  return rows[0] ?? null;
}

export async function lookUpSealOf(read: Read, org: OrgId, certificate_sha256: string): Promise<SealKey | null> {
  const { rows } = await read.query<SealKey>(sql`
    select ${columns} from seal_keys where org_id = ${org} and certificate_sha256 = ${certificate_sha256}`);
  return rows[0] ?? null;
}

/** Every certificate that the organization's documents were ever sealed with, oldest first. */
export async function listSeals(read: Read, org: OrgId): Promise<SealKey[]> {
  const { rows } = await read.query<SealKey>(sql`select ${columns} from seal_keys where org_id = ${org} order by seal_id`);
  return rows;
}

/** A second insert with the same generation or certificate changes nothing; the caller reads again. */
export async function insertSeal(tx: Tx, org: OrgId, seal: Omit<SealKey, "revoked_at">): Promise<void> {
  const { seal_id, generation, certificate, certificate_sha256, issuers, private_key_enc, not_before, not_after } = seal;
  await tx.query(sql`
    insert into seal_keys (org_id, seal_id, generation, certificate, certificate_sha256, issuers, private_key_enc, not_before, not_after)
    values (${org}, ${seal_id}, ${generation}, ${certificate}, ${certificate_sha256}, ${issuers}, ${private_key_enc}, ${not_before},
      ${not_after})
    on conflict do nothing`);
}

/** The current time, not the start of the transaction; see readOrgNow. */
export async function readNow(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ at: Date }>(sql`select clock_timestamp() as at`);
  return rows[0]?.at ?? tx.now;
}

/** The current time, after all waits of this transaction: a certificate that was issued meanwhile is valid by then. */
export async function readOrgNow(tx: Tx, org: OrgId): Promise<{ org_name: string; at: Date }> {
  const { rows } = await tx.query<{ org_name: string; at: Date }>(sql`
    select name as org_name, clock_timestamp() as at from orgs where org_id = ${org}`);
  return rows[0] ?? noSuchOrg(org);
}

function noSuchOrg(org: OrgId): never {
  throw new Error(`there is no org ${org} to seal for`);
}
