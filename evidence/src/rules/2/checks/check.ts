import type { Facts2 } from "../../../facts-2.ts";
import type { CheckId, CheckResult, Evaluation } from "../../1/checks/check.ts";
import { warningCodes as warningCodesOfRules1 } from "../../1/checks/check.ts";
import type { Failed } from "../../1/checks/wording.ts";
import type { Annex } from "../annexes/annex.ts";
import type { Grade } from "../grade.ts";

/** How far a satisfied check can be recomputed by a third party, and why. */
export type Graded = { readonly grade: "proven" | "attested"; readonly reason: string };

export type GradedFinding = ({ readonly satisfied: true; readonly detail: string } & Graded) | Failed;

export type GradedCheck = {
  readonly number: number;
  readonly id: CheckId;
  readonly weight: number;
  readonly legal_reference: string;
  readonly requirement: string;
  /** Never throws, whatever the facts are. */
  readonly judge: (facts: Facts2) => GradedFinding;
};

export type GradedResult = CheckResult & { readonly grade: Grade; readonly grade_reason: string };

export const standings = ["proven", "attested", "not_passed", "left", "destroyed", "not_assessed"] as const;
/** `not_assessed`: the latest certificate was made under rules 1, which have no grades. */
export type Standing = (typeof standings)[number];

export const warningCodes = [
  ...warningCodesOfRules1,
  "time_late",
  "witness_conflict",
  "log_not_public",
  "controller_is_depositor",
  "possible_duplicate",
  "instrument_not_identified",
  "release_not_witnessed",
  "recovered_after_release",
  "transferable_record_not_agreed",
] as const;

export type GradedEvaluation = Omit<Evaluation, "checks" | "warnings"> & {
  readonly rules: 2;
  /** the sum of the weights of the proven checks */
  readonly proven_score: number;
  /** null in a preview */
  readonly standing: Standing | null;
  readonly warnings: readonly { readonly code: (typeof warningCodes)[number]; readonly message: string }[];
  /** always eight, 1 to 8 */
  readonly checks: readonly GradedResult[];
  /** facts beside the clauses of statutes, which no score counts; missing for a record of type `other` */
  readonly annexes?: readonly Annex[];
};

export const proven = (reason: string): Graded => ({ grade: "proven", reason });
export const attested = (reason: string): Graded => ({ grade: "attested", reason });
