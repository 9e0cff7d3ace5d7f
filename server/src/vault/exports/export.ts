import type { Head } from "@countersign/evidence";
import type { Actor } from "../../shared/caller.ts";
import { DAY_MS } from "../../shared/durations.ts";
import type { ActId, AuthoritativeCopyId, EnvelopeId, ExportId, OrgId, PersonId } from "../../shared/ids.ts";

export const exportStates = ["escrowed", "acknowledged", "cancelled", "expired"] as const;
export type ExportState = (typeof exportStates)[number];

export interface Recipient {
  readonly name: string;
  readonly email: string;
}

/** A vault export. `state` is the effective one: an overdue export is expired even before the job has run. */
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
  readonly receipt: SavedReceipt | null;
  readonly initiated_by: Actor;
  /** the person behind that credential; null: from before, or a key without a creator */
  readonly principal: string | null;
  readonly principal_email: string | null;
  /** of the recipient; null: started before recipients were people */
  readonly person_id: PersonId | null;
  /** of the act by which a party confirmed it; null: none had to */
  readonly act_id: ActId | null;
  /** when the recipient first downloaded the package at /p/ */
  readonly downloaded_at: Date | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly closed_at: Date | null;
}

/** The proof that the copy has left: canonical JSON, signed by the installation. */
export interface Receipt {
  readonly type: "countersign/export-receipt/1";
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId;
  readonly export_id: ExportId;
  readonly copy_id: AuthoritativeCopyId;
  /** of the authoritative copy and of its package */
  readonly sha256: string;
  readonly package_sha256: string;
  readonly recipient: Recipient;
  readonly acknowledged_at: string;
  /** the envelope's chain including the acknowledgement */
  readonly chain_head: Head;
  readonly key_id: string;
}

/** Recorded with the acknowledgement; signed directly afterwards, because the signer may be another machine. */
export interface SavedReceipt {
  readonly document: Receipt;
  readonly signature: string | null;
}

export interface SignedReceipt extends SavedReceipt {
  /** Ed25519, 64 bytes in hexadecimal, over the document's canonical bytes */
  readonly signature: string;
}

export const isSignedReceipt = (receipt: SavedReceipt): receipt is SignedReceipt => receipt.signature !== null;

// Time for the recipient to download, store and check the package. The copy cannot be used for anything else in the meantime.
export const ESCROW_MS = 14 * DAY_MS;
// For this long, a key of the organization can request a lost response again. Afterwards only the recipient gets the key of the package.
export const KEY_LIFE_HOURS = 24;
