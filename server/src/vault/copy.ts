import type { PdfPool } from "@countersign/pdf/pool";
import type { Db } from "../db/connect.ts";
import { type Read, type Sql, sql, type Tx } from "../db/sql.ts";
import { type Caller, systemCaller } from "../shared/caller.ts";
import type { AuthoritativeCopyId, EnvelopeId, OrgId, SealId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { DerivedKeys } from "../shared/secrets.ts";
import type { StorageDeps } from "../storage/store-blob.ts";

/** The authoritative copy: its row, and the lock of everything that happens to it. */

export interface VaultDeps {
  readonly db: Db;
  readonly pdf: PdfPool;
  readonly storage: StorageDeps;
  /** what keys of exports are encrypted under while they wait */
  readonly keys: Pick<DerivedKeys, "exports">;
  /** the installation's key for what is signed as a record; not for inside a transaction, because the first use makes it */
  readonly records: () => Promise<RecordsSigner>;
  /** the evidence bundle with the authoritative bytes in it, read and hashed anew */
  readonly exportBundle: (org: OrgId, envelope_id: EnvelopeId) => Promise<Uint8Array>;
  /** every copy, and every chain, is looked at once in this many hours */
  readonly sweepHours: number;
}

export interface RecordsSigner {
  readonly key_id: string;
  /** raw Ed25519 over exactly these bytes */
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

export type Source = "signed_here" | "electronic_signed" | "paper_upload";
/** The two doors of the specification, "Webhook events": what a partner is told. A copy that the pipeline stored by itself has none. */
export const depositSources = ["paper_upload", "electronic_signed"] as const;
export type DepositSource = (typeof depositSources)[number];

/** `source` as the event `vault.stored` has it, for every view of a copy. */
export function wireSource({ source, vault_in }: Pick<AuthoritativeCopy, "source" | "vault_in">): DepositSource | null {
  if (vault_in === null) return null;
  return source === "paper_upload" ? source : "electronic_signed";
}

export const isSignedHere = ({ source }: Pick<AuthoritativeCopy, "source">): boolean => source === "signed_here";

export const copyStates = ["active", "escrowed", "exported", "tampered", "destroyed"] as const;
export type CopyState = (typeof copyStates)[number];

/** In the vault and as it was stored, as far as anybody knows. */
export const live: readonly CopyState[] = ["active", "escrowed"];

export interface AuthoritativeCopy {
  readonly copy_id: AuthoritativeCopyId;
  readonly envelope_id: EnvelopeId;
  readonly sha256: string;
  readonly size: number;
  /** before the seal; of an upload, of the received bytes */
  readonly content_sha256: string;
  readonly parent_sha256: string;
  readonly source: Source;
  readonly vault_in: "signed" | "upload" | null;
  readonly seal_id: SealId;
  readonly seal_level: "B-B" | "B-T";
  readonly sealed_at: Date;
  readonly tsa_error: string | null;
  readonly stored_at: Date;
  readonly state: CopyState;
  readonly state_before_tamper: "active" | "escrowed" | "exported" | null;
  /** null while it is live */
  readonly state_since: Date | null;
  readonly custody_version: number;
  readonly retention_until: Date;
  readonly lock_kind: "application" | "object_lock";
  readonly lock_until: Date;
  readonly verified_at: Date | null;
  /** of the latest certificate; null before the first */
  readonly score: number | null;
}

/** `now` is the clock after the wait for the lock: what one holder of it writes down is never earlier than what the one before did. */
export interface LockedCopy extends AuthoritativeCopy {
  readonly now: Date;
}

const columns = sql`c.copy_id, c.envelope_id, c.sha256, c.size, c.content_sha256, c.parent_sha256, c.source, c.vault_in, c.seal_id,
  c.seal_level, c.sealed_at, c.tsa_error, c.stored_at, c.state, c.state_before_tamper, c.state_since, c.custody_version, c.retention_until,
  c.lock_kind, c.lock_until, c.verified_at, c.score, date_trunc('milliseconds', clock_timestamp()) as now`;

/** Also between the storing of a copy and its first certificate, when the envelope is still `completed`. */
export async function lookUpCopy(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<LockedCopy | null> {
  return (await copiesBy(read, org, sql`c.envelope_id = ${envelope_id}`))[0] ?? null;
}

/** 404 without the envelope, 409 while it is not vaulted. */
export async function findCopy(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<LockedCopy> {
  const { rows } = await read.query<LockedCopy & { status: string; copy_id: AuthoritativeCopyId | null }>(sql`
    select ${columns}, e.status from envelopes e left join authoritative_copies c using (org_id, envelope_id)
    where org_id = ${org} and envelope_id = ${envelope_id}`);
  if (rows[0] === undefined) throw new Problem("envelope_not_found");
  const { status, ...copy } = rows[0];
  if (copy.copy_id === null || status !== "vaulted") throw new Problem("envelope_not_vaulted", status);
  return copy;
}

/** By the copy's own id, for whoever has it from a row that names it. */
export async function lockCopyById(tx: Tx, org: OrgId, copy_id: AuthoritativeCopyId): Promise<LockedCopy> {
  await tx.query(sql`select from authoritative_copies where org_id = ${org} and copy_id = ${copy_id} for no key update`);
  const [copy] = await copiesBy(tx, org, sql`c.copy_id = ${copy_id}`);
  if (copy === undefined) throw new Error(`a row names ${copy_id}, which is not there`);
  return copy;
}

/** The first lock of custody and of vault-out; who needs the envelope's row too takes that one before. */
export async function lockCopy(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<LockedCopy> {
  await tx.query(sql`select from authoritative_copies where org_id = ${org} and envelope_id = ${envelope_id} for no key update`);
  return findCopy(tx, org, envelope_id);
}

async function copiesBy(read: Read, org: OrgId, which: Sql): Promise<LockedCopy[]> {
  const { rows } = await read.query<LockedCopy>(sql`select ${columns} from authoritative_copies c where c.org_id = ${org} and ${which}`);
  return rows;
}

export function requireState({ copy_id, state }: AuthoritativeCopy, ...allowed: readonly CopyState[]): void {
  if (!allowed.includes(state)) throw new Problem("copy_wrong_state", `${copy_id} is ${state}`, { words: { state } });
}

/** Moves it from where the caller, who holds its lock, found it. */
export async function setCopyState(
  tx: Tx,
  org: OrgId,
  { copy_id, state: from, now }: LockedCopy,
  to: "active" | "escrowed" | "exported",
): Promise<void> {
  const since = live.includes(to) ? null : now;
  const { rowCount } = await tx.query(sql`
    update authoritative_copies set state = ${to}, state_since = ${since}, state_before_tamper = null
    where org_id = ${org} and copy_id = ${copy_id} and state = ${from}`);
  requireOne(rowCount, `${copy_id} is ${from} no longer`);
}

/** A second fence behind the lock: whoever got here without it changes nothing. */
export function requireOne(rowCount: number, otherwise: string): void {
  if (rowCount !== 1) throw new Error(otherwise);
}

/** Jobs act as the system. */
export const keeper = (org: OrgId): Caller => systemCaller(org, "countersign worker", "vault");
