// What a check is, and what an evaluation answers. Weights, references and requirements are product policy (vault.md section 2).

import type { Facts } from "../../../facts.ts";

export const checkIds = [
  "single_authoritative_copy",
  "tamper_evident_record",
  "custodian",
  "signatures_complete",
  "consent_and_attribution",
  "audit_trail",
  "copies_and_retention",
  "secured_party",
] as const;

export type CheckId = (typeof checkIds)[number];

/** What one check found: a sentence, and on failure what to do about it. */
export type Finding =
  | { readonly satisfied: true; readonly detail: string }
  | { readonly satisfied: false; readonly detail: string; readonly remedy: string };

export type Check = {
  readonly number: number;
  readonly id: CheckId;
  readonly weight: number;
  readonly legal_reference: string;
  readonly requirement: string;
  /** Never throws, whatever the facts are. */
  readonly judge: (facts: Facts) => Finding;
};

/** One of the eight, as the API answers it (api.md section 7). */
export type CheckResult = {
  readonly number: number;
  readonly id: CheckId;
  readonly requirement: string;
  readonly legal_reference: string;
  readonly weight: number;
  readonly satisfied: boolean;
  readonly detail: string;
  /** null when satisfied */
  readonly remedy: string | null;
};

export const warningCodes = [
  "secured_party_incomplete",
  "time_self_operated",
  "seal_self_issued",
  "lock_application_only",
  "identity_asserted_by_partner",
  "kba_weak_provider",
  "low_resolution",
  "signatures_removed_by_cleaning",
  "tamper_detected",
  "custodian_not_designated_by_secured_party",
] as const;

/** Unscored. */
export type Warning = { readonly code: (typeof warningCodes)[number]; readonly message: string };

export type Evaluation = {
  readonly evaluated_at: string;
  readonly score: number;
  readonly passed: boolean;
  /** per failed check `<id>: <detail>` */
  readonly missing_requirements: readonly string[];
  readonly warnings: readonly Warning[];
  /** always eight, 1 to 8 */
  readonly checks: readonly CheckResult[];
};
