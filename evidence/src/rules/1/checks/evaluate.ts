import type { Facts } from "../../../facts.ts";
import { singleAuthoritativeCopy } from "./01-single-authoritative-copy.ts";
import { tamperEvidentRecord } from "./02-tamper-evident-record.ts";
import { custodian } from "./03-custodian.ts";
import { signaturesComplete } from "./04-signatures-complete.ts";
import { consentAndAttribution } from "./05-consent-and-attribution.ts";
import { auditTrail } from "./06-audit-trail.ts";
import { copiesAndRetention } from "./07-copies-and-retention.ts";
import { securedParty } from "./08-secured-party.ts";
import type { Check, CheckResult, Evaluation } from "./check.ts";
import { warningsOf } from "./warnings.ts";

export const checks: readonly Check[] = [
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
 * The eight checks on these facts, all of them, in their order. Same facts, same bytes; no clock, nothing is read.
 * @example evaluate(facts).missing_requirements // ["secured_party: No secured party is named on the envelope."]
 */
export function evaluate(facts: Facts): Evaluation {
  const results = checks.map((check) => resultOf(check, facts));
  const score = results.reduce((sum, { satisfied, weight }) => sum + (satisfied ? weight : 0), 0);
  return {
    evaluated_at: facts.evaluated_at,
    score,
    passed: score === PASSING_SCORE,
    missing_requirements: results.filter(({ satisfied }) => !satisfied).map(({ id, detail }) => `${id}: ${detail}`),
    warnings: warningsOf(facts),
    checks: results,
  };
}

function resultOf({ number, id, requirement, legal_reference, weight, judge }: Check, facts: Facts): CheckResult {
  const finding = judge(facts);
  const { satisfied, detail } = finding;
  const remedy = finding.satisfied ? null : finding.remedy;
  return { number, id, requirement, legal_reference, weight, satisfied, detail, remedy };
}
