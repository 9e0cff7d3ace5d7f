// How the facts beside a clause are put together and graded.

import type { ActFacts, Facts2 } from "../../../facts-2.ts";
import type { CheckId } from "../../1/checks/check.ts";
import { entriesOf } from "../../1/checks/wording.ts";
import type { Graded, GradedResult } from "../checks/check.ts";
import { memberOf } from "../control.ts";
import type { Grade } from "../grade.ts";
import type { Finding } from "./annex.ts";

/** What the clauses are told from: the facts, and the eight checks on them. */
export type Told = { readonly facts: Facts2; readonly checks: readonly GradedResult[] };

export const NOT_STORED = "No authoritative copy is stored.";

export const ascending = (numbers: readonly number[]): number[] => [...new Set(numbers)].filter((seq) => seq > 0).sort((a, b) => a - b);

export const found = (fact: string, { grade, reason }: Graded, entries: readonly number[]): Finding => ({
  fact,
  grade,
  reason,
  entries: ascending(entries),
});

export const notShown = (fact: string, reason: string, entries: readonly number[] = []): Finding => ({
  fact,
  grade: "not_shown",
  reason,
  entries: ascending(entries),
});

/** With the grade of the weakest of these checks, and its reason. */
export function byChecks({ checks }: Told, ids: readonly CheckId[], fact: string, entries: readonly number[]): Finding {
  const { grade, grade_reason } = weakestCheck(checks.filter(({ id }) => ids.includes(id)));
  return { fact, grade, reason: grade_reason, entries: ascending(entries) };
}

const strength: readonly Grade[] = ["not_shown", "attested", "proven"];

function weakestCheck(checks: readonly GradedResult[]): Pick<GradedResult, "grade" | "grade_reason"> {
  const [weakest] = [...checks].sort((a, b) => strength.indexOf(a.grade) - strength.indexOf(b.grade));
  return weakest ?? { grade: "not_shown", grade_reason: NOT_STORED };
}

/** The finding that shows least; of equal ones the first. */
export const weakestFinding = (first: Finding, ...others: readonly Finding[]): Finding =>
  others.reduce((weakest, each) => (strength.indexOf(each.grade) < strength.indexOf(weakest.grade) ? each : weakest), first);

export const seqsOf = (facts: Facts2, ...types: readonly string[]): number[] =>
  types.flatMap((type) => entriesOf(facts, type).map(({ seq }) => seq));

/** That it was confirmed, that a registry accepted it, and that it took effect. */
export const seqsOfAct = (facts: Facts2, { act_id, entry_seq }: ActFacts): number[] => [
  ...["act.confirmed", "act.registered"]
    .flatMap((type) => entriesOf(facts, type))
    .filter(({ said }) => memberOf(said, "act_id") === act_id)
    .map(({ seq }) => seq),
  entry_seq,
];

/** Nothing that an audit trail says by being silent is shown by one that does not verify. */
export function brokenTrail({ facts, checks }: Told): string | null {
  if (facts.chain.fault === null && facts.chain.head !== null) return null;
  return checks.find(({ id }) => id === "audit_trail")?.detail ?? "The audit trail does not verify.";
}
