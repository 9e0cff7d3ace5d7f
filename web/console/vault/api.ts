/** What the API answers about the vault, as far as these screens show it. */

export const copyStates = ["active", "escrowed", "exported", "tampered", "destroyed"] as const;
export type CopyState = (typeof copyStates)[number];

/** How a document was deposited. */
export type AttestedSource = "electronic_signed" | "paper_upload";

/** `source` is null when the copy was stored automatically after signing. */
export interface CameFrom {
  readonly source: AttestedSource | null;
  readonly signed_here: boolean;
}

/** The three origins that people tell apart. */
export const origins = ["signed_here", "electronic_signed", "paper_upload"] as const;
export type Origin = (typeof origins)[number];

export const originOf = ({ source, signed_here }: CameFrom): Origin => (signed_here || source === null ? "signed_here" : source);

export interface ListedCopy extends CameFrom {
  readonly envelope_id: string;
  readonly envelope_name: string;
  readonly external_id: string | null;
  readonly state: CopyState;
  readonly score: number;
  readonly passed: boolean;
  readonly stored_at: string;
  readonly retention_until: string;
  readonly verified_at: string | null;
}

export interface Party {
  readonly name: string;
  readonly role?: string;
  readonly address?: string;
  readonly email?: string;
  readonly identifier?: string;
}

export interface VaultCopy extends CameFrom {
  readonly envelope_id: string;
  readonly state: CopyState;
  readonly hash: string;
  readonly size: number;
  readonly stored_at: string;
  readonly retention_until: string;
  readonly legal_hold: boolean;
  readonly custodian: { readonly permission_id: string; readonly user_id: string; readonly since: string } | null;
  readonly secured_party: Party | null;
  readonly certificate: { readonly revision: number; readonly score: number; readonly passed: boolean };
  readonly verified_at: string | null;
}

export interface Check {
  readonly number: number;
  readonly id: CheckId;
  readonly requirement: string;
  readonly legal_reference: string;
  readonly weight: number;
  readonly satisfied: boolean;
  readonly detail: string;
  readonly remedy: string | null;
}

export type CheckId =
  | "single_authoritative_copy"
  | "tamper_evident_record"
  | "custodian"
  | "signatures_complete"
  | "consent_and_attribution"
  | "audit_trail"
  | "copies_and_retention"
  | "secured_party";

export interface Compliance {
  readonly envelope_id: string;
  readonly envelope_name: string;
  readonly passed: boolean;
  readonly score: number;
  readonly evaluated_at: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly checks: readonly Check[];
}

/** whoever did something: a person, a key, the service itself */
export interface Actor {
  readonly kind: string;
  readonly id: string;
}

export interface TrailItem {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly actor: Actor;
  /** null once it was erased */
  readonly data: Readonly<Record<string, unknown>> | null;
}

export interface Hold {
  readonly hold_id: string;
  readonly reason: string;
  readonly placed_by: Actor;
  readonly placed_at: string;
  readonly released_by: Actor | null;
  readonly released_at: string | null;
}

export interface Assignment {
  readonly seq: number;
  readonly secured_party: Party;
  readonly consent: {
    readonly method: string;
    readonly given_by: { readonly name: string; readonly email: string | null };
    readonly statement: string | null;
    readonly given_at: string;
  } | null;
  readonly status: "pending" | "effective" | "refused";
  readonly recorded_at: string;
}

export const transferStatuses = ["pending", "accepted", "rejected", "cancelled", "expired"] as const;
export type TransferStatus = (typeof transferStatuses)[number];

export interface Transfer {
  readonly permission_id: string;
  readonly envelope_id: string;
  readonly from_user_id: string;
  readonly to_user_id: string;
  readonly status: TransferStatus;
  readonly initiated_at: string;
  readonly expires_at: string;
  readonly reason: string | null;
  readonly initiated_by: Actor;
  readonly decided_at: string | null;
}

export interface Recipient {
  readonly name: string;
  readonly email: string;
}

export interface Export {
  readonly export_id: string;
  readonly status: "escrowed" | "acknowledged" | "cancelled" | "expired";
  readonly recipient: Recipient;
  readonly reason: string;
  readonly package_sha256: string;
  readonly package_size: number;
  readonly created_at: string;
  readonly expires_at: string;
  readonly closed_at: string | null;
  /** signed by the installation; there once it was acknowledged */
  readonly receipt: object | null;
}

export interface Acknowledged {
  readonly key: string;
  readonly receipt: object;
}

export interface Terms {
  readonly terms_version: string;
  readonly text: string;
}

export interface Attestation {
  readonly attested_by: { readonly name: string; readonly title: string | null };
  readonly signers: readonly {
    readonly name: string | null;
    readonly email: string | null;
    readonly role: string | null;
    readonly signed_on: string | null;
    readonly identified_by: string | null;
    readonly auth_methods: readonly string[];
  }[];
  readonly paper: {
    readonly ink_signed: boolean | null;
    readonly all_signatures_present: boolean | null;
    readonly page_count: number | null;
    readonly original_disposition: string | null;
    readonly disposition_on: string | null;
    readonly disposition_by: string | null;
  } | null;
  readonly external: {
    readonly provider: string | null;
    readonly transaction_id: string | null;
    readonly consent_confirmed: boolean | null;
    readonly prior_copy_status: string | null;
    readonly document_sha256: string | null;
    readonly evidence_sha256: string | null;
  } | null;
}
