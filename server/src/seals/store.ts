import { locks, shareLock, takeLock } from "../db/locks.ts";
import { type Read, sql, type Tx } from "../db/sql.ts";
import { isSandbox, type OrgId, type SealId } from "../shared/ids.ts";
import type { RevocationReason, SealKey } from "./seal.ts";
import type { SigningAlgorithm } from "./signer.ts";

/** What a key of the installation is for. `test_root` issues the seals of sandboxes. */
export type Purpose = "root" | "records" | "log" | "vault" | "test_root";

export interface InstanceKeyRow {
  readonly purpose: Purpose;
  /** counts the keys of a purpose, from 1 */
  readonly generation: number;
  readonly key_id: string;
  readonly algorithm: SigningAlgorithm | "X25519";
  /** null except for a root */
  readonly certificate: Buffer | null;
  readonly public_key: Buffer;
  readonly signer: "local" | "http";
  /** its name at the signer of SIGNER_URL; null for a local key */
  readonly signer_ref: string | null;
  /** null for a key that a signer keeps */
  readonly private_key_enc: Buffer | null;
  readonly not_before: Date;
  /** null while in use */
  readonly not_after: Date | null;
  readonly revoked_at: Date | null;
  readonly invalid_from: Date | null;
  /** why it ended or was revoked */
  readonly reason: string | null;
}

const keyColumns = sql`purpose, generation, key_id, algorithm, certificate, public_key, signer, signer_ref, private_key_enc,
  not_before, not_after, revoked_at, invalid_from, reason`;

/** All generations, oldest first. Instance keys belong to no organization, so every transaction can read them. */
export async function listInstanceKeys(read: Read): Promise<InstanceKeyRow[]> {
  const { rows } = await read.query<InstanceKeyRow>(sql`select ${keyColumns} from instance_keys order by purpose, generation`);
  return rows;
}

/** What a signature is checked with. */
export type PublicKeyRow = Pick<InstanceKeyRow, "key_id" | "public_key" | "not_before" | "not_after" | "invalid_from">;

/** The public keys that ever signed records, which are available without APP_SECRET. */
export async function listRecordsKeys(read: Read): Promise<PublicKeyRow[]> {
  const { rows } = await read.query<PublicKeyRow>(sql`
    select key_id, public_key, not_before, not_after, invalid_from from instance_keys where purpose = 'records' order by generation`);
  return rows;
}

/** The certificates of all roots, oldest first. Needs no APP_SECRET. */
export const listRoots = (read: Read): Promise<Buffer[]> => listCertificates(read, "root");

/** The roots that issue the seals of the organization, oldest first. A sandbox has one, the test root. */
export const listRootsOf = (read: Read, org: OrgId): Promise<Buffer[]> => listCertificates(read, isSandbox(org) ? "test_root" : "root");

async function listCertificates(read: Read, purpose: Purpose): Promise<Buffer[]> {
  const { rows } = await read.query<{ certificate: Buffer }>(
    sql`select certificate from instance_keys where purpose = ${purpose} order by generation`,
  );
  return rows.map(({ certificate }) => certificate);
}

export type NewInstanceKey = Omit<InstanceKeyRow, "key_id" | "not_after" | "revoked_at" | "invalid_from" | "reason">;

/** A second insert of a generation waits for the first and changes nothing; the caller reads again. */
export async function insertInstanceKey(tx: Tx, key: NewInstanceKey): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into instance_keys (purpose, generation, algorithm, certificate, public_key, signer, signer_ref, private_key_enc, not_before)
    values (${key.purpose}, ${key.generation}, ${key.algorithm}, ${key.certificate}, ${key.public_key}, ${key.signer}, ${key.signer_ref},
      ${key.private_key_enc}, ${key.not_before}) on conflict (purpose, generation) do nothing`);
  return rowCount === 1;
}

/** A statement that one root follows another. */
export interface SuccessionRow {
  readonly old_root_sha256: string;
  readonly new_root_sha256: string;
  /** canonical JSON, which is signed */
  readonly bytes: Buffer;
  /** null if the old key was lost */
  readonly old_signature: Buffer | null;
  readonly new_signature: Buffer;
  readonly at: Date;
}

export async function listSuccessions(read: Read): Promise<SuccessionRow[]> {
  const { rows } = await read.query<SuccessionRow>(sql`
    select old_root_sha256, new_root_sha256, bytes, old_signature, new_signature, at from root_successions order by at`);
  return rows;
}

export async function insertSuccession(tx: Tx, one: SuccessionRow): Promise<void> {
  await tx.query(sql`
    insert into root_successions (old_root_sha256, new_root_sha256, bytes, old_signature, new_signature, at)
    values (${one.old_root_sha256}, ${one.new_root_sha256}, ${one.bytes}, ${one.old_signature}, ${one.new_signature}, ${one.at})`);
}

/** False if it has ended already. */
export async function endInstanceKey(
  tx: Tx,
  { purpose, generation }: Pick<InstanceKeyRow, "purpose" | "generation">,
  not_after: Date,
  reason: string,
): Promise<boolean> {
  const { rows } = await tx.query<{ ended: boolean }>(
    sql`select end_instance_key(${purpose}, ${generation}, ${not_after}, ${reason}) as ended`,
  );
  return rows[0]?.ended === true;
}

/** The time of the newest checkpoint, which is later than the clock if that was set back; null if there is none. */
export async function readCheckpointTime(read: Read): Promise<Date | null> {
  const { rows } = await read.query<{ at: Date }>(sql`
    select (convert_from(bytes, 'utf8')::json ->> 'at')::timestamptz as at from checkpoints order by tree_size desc limit 1`);
  return rows[0]?.at ?? null;
}

/** No generation ends until the transaction is over: a time that is read under this lock is in the interval of the keys that are read. */
export async function shareKeys(tx: Tx): Promise<void> {
  await shareLock(tx, locks.keys);
}

/** Waits for readers. A time that is read afterwards is later than theirs. */
export async function lockKeys(tx: Tx): Promise<void> {
  await takeLock(tx, locks.keys);
}

const columns = sql`seal_id, generation, certificate, certificate_sha256, issuers, private_key_enc, not_before, not_after,
  revoked_at, revoked_reason, invalid_from`;

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

export type NewSeal = Omit<SealKey, "revoked_at" | "revoked_reason" | "invalid_from">;

/** A second insert with the same generation or certificate changes nothing; the caller reads again. */
export async function insertSeal(tx: Tx, org: OrgId, seal: NewSeal): Promise<void> {
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

/** Of all organizations, with the certificate of this seal. */
export async function listSealsLike(read: Read, seal_id: SealId): Promise<{ org_id: OrgId; seal_id: SealId; revoked_at: Date | null }[]> {
  const { rows } = await read.query<{ org_id: OrgId; seal_id: SealId; revoked_at: Date | null }>(
    sql`select org_id, seal_id, revoked_at from find_seals_like(${seal_id})`,
  );
  return rows;
}

/** Of the transaction's organization; null if there is none that is not revoked yet. `invalid_from` null: from now on. */
export async function revokeSealRow(
  tx: Tx,
  seal_id: SealId,
  reason: RevocationReason,
  invalid_from: Date | null,
): Promise<{ revoked_at: Date; invalid_from: Date } | null> {
  const { rows } = await tx.query<{ revoked_at: Date; invalid_from: Date }>(
    sql`select revoked_at, invalid_from from revoke_seal(${seal_id}, ${reason}, ${invalid_from})`,
  );
  return rows[0] ?? null;
}

export interface RevokedCertificate {
  readonly certificate: Buffer;
  /** the root that issued it */
  readonly issuer: Buffer;
  readonly revoked_at: Date;
  readonly reason: RevocationReason;
  readonly invalid_from: Date;
}

/** Of all organizations, those that this installation issued. */
export async function listRevokedSeals(read: Read): Promise<RevokedCertificate[]> {
  const { rows } = await read.query<RevokedCertificate>(sql`select * from list_revoked_seals()`);
  return rows;
}
