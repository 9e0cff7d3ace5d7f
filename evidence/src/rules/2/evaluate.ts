import type { Facts2 } from "../../facts-2.ts";
import { annexesOf } from "./annexes/annexes-of.ts";
import { singleAuthoritativeCopy } from "./checks/01-single-authoritative-copy.ts";
import { tamperEvidentRecord } from "./checks/02-tamper-evident-record.ts";
import { custodian } from "./checks/03-custodian.ts";
import { signaturesComplete } from "./checks/04-signatures-complete.ts";
import { consentAndAttribution } from "./checks/05-consent-and-attribution.ts";
import { auditTrail } from "./checks/06-audit-trail.ts";
import { copiesAndRetention } from "./checks/07-copies-and-retention.ts";
import { securedParty } from "./checks/08-secured-party.ts";
import type { GradedCheck, GradedEvaluation, GradedResult, Standing } from "./checks/check.ts";
import { isImported, judgeImported } from "./imported.ts";
import { warningsOf } from "./warnings.ts";

export const checks: readonly GradedCheck[] = [
  singleAuthoritativeCopy,
  tamperEvidentRecord,
  custodian,
  signaturesComplete,
  consentAndAttribution,
  auditTrail,
  copiesAndRetention,
  securedParty,
];

const PASSING_SCORE = 100;

/**
 * The eight checks on these facts with their grades. Same facts, same bytes; no clock, nothing is read.
 * @example evaluate(facts).standing // "attested"
 */
export function evaluate(facts: Facts2): GradedEvaluation {
  const results = checks.map((check) => resultOf(check, facts));
  const sumOf = (counts: (result: GradedResult) => boolean) =>
    results.reduce((sum, result) => sum + (counts(result) ? result.weight : 0), 0);
  const score = sumOf(({ satisfied }) => satisfied);
  const annexes = annexesOf(facts, results);
  const proven_score = sumOf(({ grade }) => grade === "proven");
  return {
    rules: 2,
    evaluated_at: facts.evaluated_at,
    score,
    proven_score,
    passed: score === PASSING_SCORE,
    standing: standingOf(facts, score, proven_score),
    missing_requirements: results.filter(({ satisfied }) => !satisfied).map(({ id, detail }) => `${id}: ${detail}`),
    warnings: warningsOf(facts),
    checks: results,
    ...(annexes.length > 0 && { annexes }),
  };
}

function resultOf({ number, id, requirement, legal_reference, weight, judge }: GradedCheck, facts: Facts2): GradedResult {
  const check = { number, id, requirement, legal_reference, weight };
  const finding = isImported(facts) ? judgeImported(id, facts) : judge(facts);
  if (finding.satisfied) {
    const { detail, grade, reason } = finding;
    return { ...check, satisfied: true, detail, remedy: null, grade, grade_reason: reason };
  }
  return { ...check, satisfied: false, detail: finding.detail, remedy: finding.remedy, grade: "not_shown", grade_reason: finding.detail };
}

function standingOf({ certificate, copy }: Facts2, score: number, proven_score: number): Standing | null {
  if (certificate === null) return null;
  if (copy?.state === "exported" || copy?.state === "transferred" || copy?.state === "papered") return "left";
  if (copy?.state === "destroyed" || copy?.state === "destroying") return "destroyed";
  if (score !== PASSING_SCORE) return "not_passed";
  return proven_score === PASSING_SCORE ? "proven" : "attested";
}
