import type { Facts2 } from "../../../facts-2.ts";
import type { Check } from "../../1/checks/check.ts";
import { seenByRules1 } from "../seen-by-rules-1.ts";
import type { Graded, GradedCheck } from "./check.ts";

/** A check with the conditions of rules 1, and a grade for what satisfies them. */
export function fromRules1(check: Check, grade: (facts: Facts2) => Graded): GradedCheck {
  return {
    ...check,
    judge: (facts) => {
      const finding = check.judge(seenByRules1(facts));
      return finding.satisfied ? { ...finding, ...grade(facts) } : finding;
    },
  };
}
