// One block per check: its grade and why, the requirement, the legal reference, the evidence and the finding.

import type { Facts2 as Facts } from "../facts-2.ts";
import type { GradedResult as CheckResult, GradedEvaluation as Evaluation } from "../rules/2/checks/check.ts";
import { conditionOf } from "./conditions.ts";
import type { Block } from "./document.ts";
import { gradeWords, pointsOf } from "./first-page.ts";
import { evidenceFor } from "./found-evidence.ts";
import { capitalized, pair, toWords } from "./wording.ts";

export function checkBlocks(facts: Facts, { checks }: Evaluation): Block[] {
  return [{ kind: "heading", level: 1, text: "The eight checks", new_page: true }, ...checks.flatMap((check) => checkBlock(facts, check))];
}

function checkBlock(facts: Facts, check: CheckResult): Block[] {
  const { number, id, requirement, legal_reference, weight, satisfied, detail, remedy, grade_reason } = check;
  return [
    { kind: "heading", level: 2, text: `${number}. ${capitalized(toWords(id))}` },
    {
      kind: "pairs",
      rows: [
        // Of a check that is not satisfied, the finding is the reason.
        pair("Grade", [gradeWords(check, `, ${pointsOf(check)} of ${weight} points`), ...(satisfied ? [grade_reason] : [])]),
        pair("Requirement", requirement),
        pair("Legal reference", legal_reference),
        pair("Condition", conditionOf(id, facts)),
        pair("Finding", satisfied ? detail : { text: detail, tone: "bad" }),
        ...(remedy === null ? [] : [pair("Remedy", remedy)]),
        ...evidenceFor(id, facts),
      ],
    },
  ];
}
