/** What the service answers under `/embed/vault/:envelope_id`; `openapi.json` says the same for other programs. */

export type CopyState = "active" | "escrowed" | "exported" | "tampered" | "destroyed";
export type CheckId =
  | "single_authoritative_copy"
  | "tamper_evident_record"
  | "custodian"
  | "signatures_complete"
  | "consent_and_attribution"
  | "audit_trail"
  | "copies_and_retention"
  | "secured_party";

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

export interface CustodyStep {
  readonly from: string | null;
  readonly to: string;
  readonly status: "pending" | "accepted" | "rejected" | "cancelled" | "expired";
  readonly initiated_at: string;
  readonly since: string | null;
  readonly until: string | null;
}

export interface Assignment {
  readonly seq: number;
  readonly name: string;
  readonly status: "pending" | "effective" | "refused";
  readonly with_consent: boolean;
  readonly recorded_at: string;
}

export interface VaultRecord {
  readonly envelope: { readonly envelope_id: string; readonly name: string; readonly status: string; readonly sender: string };
  readonly you: { readonly email: string; readonly may_have_evidence: boolean };
  readonly copy: {
    readonly copy_id: string;
    readonly state: CopyState;
    readonly state_since: string | null;
    /** how it was deposited; null when it was stored automatically after signing */
    readonly source: "electronic_signed" | "paper_upload" | null;
    readonly signed_here: boolean;
    readonly sha256: string;
    readonly size: number;
    readonly stored_at: string;
    readonly verified_at: string | null;
    readonly retention_until: string;
    readonly legal_hold: boolean;
  };
  readonly document: {
    readonly page_count: number;
    readonly pages: readonly { readonly n: number; readonly w: number; readonly h: number }[];
  };
  readonly custodian: { readonly name: string; readonly since: string } | null;
  readonly custody: readonly CustodyStep[];
  readonly secured_party: SecuredParty | null;
  readonly assignments: readonly Assignment[];
  readonly certificate: { readonly revision: number; readonly score: number; readonly passed: boolean; readonly evaluated_at: string };
  readonly checks: readonly Check[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly time_source: "external" | "self_operated";
  readonly default_locale: string;
  readonly branding: Readonly<Record<string, string>>;
  readonly token_expires_at: string;
  readonly server_time: string;
}

export interface SecuredParty {
  readonly name: string;
  readonly role?: string;
  readonly address?: string;
  readonly email?: string;
  readonly identifier?: string;
}

export interface Access {
  readonly seq: number;
  readonly at: string;
  readonly kind: "key" | "user" | "system" | "signer" | "viewer";
  readonly who: string | null;
  readonly what: string | null;
}

export interface Verification {
  readonly checked_at: string;
  readonly recorded_sha256: string;
  readonly found_sha256: string | null;
  readonly match: boolean;
  readonly seal: "sound" | "broken" | "unread";
  readonly chain: "sound" | "broken";
  readonly entries: number;
  readonly registers: "sound" | "different" | "unread";
  readonly timestamp: "external" | "broken" | "self_operated" | "unread";
  readonly sound: boolean;
  readonly state: CopyState;
  readonly duration_ms: number;
  readonly file: KnownFile | null;
}

export interface KnownFile {
  readonly kind: "authoritative" | "certificate" | "copy" | "signed";
  readonly copy_id: string | null;
  readonly revision: number | null;
  readonly at: string;
}
