import type { Status } from "../parts/chip.tsx";
import type { Locale } from "../parts/languages.ts";

/** What the screens of envelopes use of the API's answers. */

export type SignerStatus = "pending" | "viewed" | "signed" | "declined" | "locked" | "cancelled";

export interface ListedEnvelope {
  readonly envelope_id: string;
  readonly envelope_name: string;
  readonly status: Status;
  readonly external_id: string | null;
  readonly updated_at: string;
  readonly signers?: readonly { readonly name: string; readonly email: string; readonly status: SignerStatus }[];
  readonly customer?: { readonly customer_id: string; readonly name: string | null; readonly email: string | null } | null;
}

export interface SecuredParty {
  readonly name: string;
  readonly role?: string;
  readonly address?: string;
  readonly email?: string;
  readonly identifier?: string;
}

export interface Envelope {
  readonly envelope_id: string;
  readonly envelope_name: string;
  readonly status: Status;
  readonly customer_id: string | null;
  readonly external_id: string | null;
  readonly template_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly metadata: {
    readonly custom: Readonly<Record<string, unknown>> | null;
    readonly auto_vault_enabled: boolean;
    readonly kba_required: boolean;
    readonly sent_at: string | null;
    readonly expires_at: string | null;
    readonly secured_party: SecuredParty | null;
  };
}

export interface Signer {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly order: number;
  /** null before it is sent, and for those who may only look */
  readonly slug: string | null;
  readonly status: SignerStatus;
  /** null: as their browser has it */
  readonly locale: Locale | null;
  readonly viewed_at: string | null;
  readonly signed_at: string | null;
  readonly declined_at: string | null;
}

export interface Customer {
  readonly customer_id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly company?: string | null;
}

export interface TrailItem {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string };
  /** null once it was erased */
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly hash: string;
}

export interface PageSize {
  readonly w_pt: number;
  readonly h_pt: number;
}

export interface EnvelopeFields {
  readonly roles: readonly string[];
  readonly pages: readonly PageSize[];
  readonly fields: readonly { readonly name: string; readonly type: string; readonly role: string | null }[];
}

export interface Check {
  readonly number: number;
  readonly id: string;
  readonly requirement: string;
  readonly legal_reference: string;
  readonly weight: number;
  readonly satisfied: boolean;
  readonly detail: string;
  readonly remedy: string | null;
}

export interface Compliance {
  readonly vaulted: boolean;
  readonly passed: boolean;
  readonly score: number;
  readonly evaluated_at: string;
  readonly certificate_path: string | null;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly checks: readonly Check[];
}

export interface Terms {
  readonly terms_version: string;
  readonly text: string;
}

/** An id may come from the address bar, where anybody can write anything. */
export const pathOf = (envelope_id: string, below = ""): string => `/partner/envelopes/${encodeURIComponent(envelope_id)}${below}`;

/** Not sent yet: its sender may change it. */
export const isDraft = (status: Status): boolean => status === "pending" || status === "uploaded" || status === "preparing";
/** With its signers. */
export const isOpen = (status: Status): boolean => status === "sent" || status === "viewed";
/** Nothing changes it by itself any more. */
export const isOver = (status: Status): boolean => ["vaulted", "declined", "voided", "expired"].includes(status);
