import type { PdfPool } from "@countersign/pdf/pool";
import type { Db } from "../db/connect.ts";
import { type Caller, systemCaller } from "../shared/caller.ts";
import type { AuthoritativeCopyId, EnvelopeId, OrgId, SealId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { DerivedKeys } from "../shared/secrets.ts";
import type { StorageDeps } from "../storage/store-blob.ts";
import type { SweepPace } from "./keeping/make-sweep-pace.ts";

/** The authoritative copy: its row, which is also the lock for every change to it. */

export interface VaultDeps {
  readonly db: Db;
  readonly pdf: PdfPool;
  readonly storage: StorageDeps;
  /** encrypts the keys of pending exports */
  readonly keys: Pick<DerivedKeys, "exports">;
  /** the installation's key for signing records; call it outside transactions, because the first use creates the key */
  /** the records key in use, or the earlier one with this ID */
  readonly records: (key_id?: string) => Promise<RecordsSigner>;
  /** the evidence bundle with the authoritative bytes, read and hashed again */
  readonly exportBundle: (org: OrgId, envelope_id: EnvelopeId) => Promise<Uint8Array>;
  /** every copy and every chain is verified once in this many hours */
  readonly sweepHours: number;
  /** shared by everything that sweeps in this process */
  readonly sweepPace: SweepPace;
}

export interface RecordsSigner {
  readonly key_id: string;
  /** raw Ed25519 over exactly these bytes */
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>;
}

export type Source = "signed_here" | "electronic_signed" | "paper_upload";
/** The two values of `source` in the specification, "Webhook events". A copy that the pipeline stored automatically has none. */
export const depositSources = ["paper_upload", "electronic_signed"] as const;
export type DepositSource = (typeof depositSources)[number];

/** `source` as in the event `vault.stored`, for every view of a copy. */
export function wireSource({ source, vault_in }: Pick<AuthoritativeCopy, "source" | "vault_in">): DepositSource | null {
  if (vault_in === null) return null;
  return source === "paper_upload" ? source : "electronic_signed";
}

export const isSignedHere = ({ source }: Pick<AuthoritativeCopy, "source">): boolean => source === "signed_here";

export const copyStates = [
  "active",
  "escrowed",
  "exported",
  "tampered",
  "destroying",
  "destroyed",
  "transferred",
  "papering",
  "papered",
] as const;
export type CopyState = (typeof copyStates)[number];

/** The original, in the vault, and not known to be damaged. */
export const live: readonly CopyState[] = ["active", "escrowed"];
/** Those that the sweep verifies: also the record whose paper is not printed yet, because it can still return to the vault. */
export const verifiable: readonly CopyState[] = [...live, "papering"];

export interface AuthoritativeCopy {
  readonly copy_id: AuthoritativeCopyId;
  readonly envelope_id: EnvelopeId;
  readonly sha256: string;
  readonly size: number;
  /** before sealing; for an upload, the hash of the received bytes */
  readonly content_sha256: string;
  readonly parent_sha256: string;
  readonly source: Source;
  readonly vault_in: "signed" | "upload" | null;
  /** null for a record that another vault sealed and released to this one */
  readonly seal_id: SealId | null;
  readonly seal_level: "B-B" | "B-T" | "B-LT" | "B-LTA";
  readonly sealed_at: Date;
  readonly tsa_error: string | null;
  readonly stored_at: Date;
  readonly state: CopyState;
  readonly state_before_tamper: Exclude<CopyState, "tampered" | "destroying" | "destroyed"> | null;
  /** the first root that sealed it and its id there; the same wherever the record goes */
  readonly lineage_id: string;
  /** null while it is live */
  readonly state_since: Date | null;
  readonly custody_version: number;
  /** grows with every change of who controls or keeps the record; an act names the one it was proposed on */
  readonly control_version: number;
  /** what the registry called the latest registration; null if there is none */
  readonly registry_reference: string | null;
  readonly retention_until: Date;
  readonly lock_kind: "application" | "object_lock";
  readonly lock_until: Date;
  readonly verified_at: Date | null;
  /** 128 random bits in hexadecimal, the address of its public status page */
  readonly verify_code: string;
  /** of the latest certificate; null before the first */
  readonly score: number | null;
}

/** `now` is read after the lock is acquired, so times written under the lock never go backwards. */
export interface LockedCopy extends AuthoritativeCopy {
  readonly now: Date;
}

export function requireState({ copy_id, state }: AuthoritativeCopy, ...allowed: readonly CopyState[]): void {
  if (!allowed.includes(state)) throw new Problem("copy_wrong_state", `${copy_id} is ${state}`, { words: { state } });
}

/** A second check behind the lock: an update without the lock changes no row and fails here. */
export function requireOne(rowCount: number, otherwise: string): void {
  if (rowCount !== 1) throw new Error(otherwise);
}

/** Jobs act as the system. */
export const vaultJobCaller = (org: OrgId): Caller => systemCaller(org, "countersign worker", "vault");
