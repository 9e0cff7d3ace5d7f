import type { Head } from "@countersign/evidence";
import type { Actor } from "../../shared/caller.ts";
import { DAY_MS } from "../../shared/durations.ts";
import type { AuthoritativeCopyId, EnvelopeId, ExportId, OrgId } from "../../shared/ids.ts";

export const exportStates = ["escrowed", "acknowledged", "cancelled", "expired"] as const;
export type ExportState = (typeof exportStates)[number];

export interface Recipient {
  readonly name: string;
  readonly email: string;
}

/** A copy on its way out. `state` is what holds now: what is overdue is expired, whether or not the job has come. */
export interface VaultExport {
  readonly export_id: ExportId;
  readonly copy_id: AuthoritativeCopyId;
  readonly envelope_id: EnvelopeId;
  readonly state: ExportState;
  readonly recipient: Recipient;
  readonly reason: string;
  readonly package_path: string;
  readonly package_sha256: string;
  readonly package_size: number;
  readonly key_enc: Buffer | null;
  readonly receipt: SignedReceipt | null;
  readonly initiated_by: Actor;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly closed_at: Date | null;
}

/** That the copy has left, in canonical JSON under the installation's signature. */
export interface Receipt {
  readonly type: "countersign/export-receipt/1";
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId;
  readonly export_id: ExportId;
  readonly copy_id: AuthoritativeCopyId;
  /** of the authoritative copy, and of the package that it left in */
  readonly sha256: string;
  readonly package_sha256: string;
  readonly recipient: Recipient;
  readonly acknowledged_at: string;
  /** the envelope's chain as it ended with this act */
  readonly chain_head: Head;
  readonly key_id: string;
}

export interface SignedReceipt {
  readonly document: Receipt;
  /** Ed25519, 64 bytes in hexadecimal digits, over the document's canonical bytes */
  readonly signature: string;
}

// The recipient has to fetch, store and check the package; nothing else can happen to the copy meanwhile.
export const ESCROW_MS = 14 * DAY_MS;
// An answer that was lost on its way can be asked for again this long. Kept longer, whoever steals the database later could still open
// packages that have long been somebody else's.
export const KEY_LIFE_HOURS = 24;
