// One block per check: its requirement, the legal reference, the evidence and the finding.

import type { Facts } from "../facts.ts";
import type { CheckResult, Evaluation } from "../rules/1/checks/check.ts";
import { conditionOf } from "./conditions.ts";
import type { Block } from "./document.ts";
import { pointsOf, verdict } from "./first-page.ts";
import { evidenceFor } from "./found-evidence.ts";
import { pair, toWords } from "./wording.ts";

export function warningBlocks({ warnings }: Evaluation): Block[] {
  if (warnings.length === 0) return [];
  return [
    { kind: "heading", level: 1, text: "Warnings", new_page: true },
    { kind: "paragraph", words: { text: "Warnings take no points. They say what a reader should know beside the score.", tone: "quiet" } },
    ...warnings.map(
      ({ code, message }): Block => ({
        kind: "callout",
        tone: code === "tamper_detected" ? "bad" : "caution",
        title: sentence(toWords(code)),
        text: message,
      }),
    ),
  ];
}

export function checkBlocks(facts: Facts, { checks, warnings }: Evaluation): Block[] {
  return [
    { kind: "heading", level: 1, text: "The eight checks", new_page: warnings.length === 0 },
    ...checks.flatMap((check) => checkBlock(facts, check)),
  ];
}

function checkBlock(facts: Facts, check: CheckResult): Block[] {
  const { number, id, requirement, legal_reference, weight, satisfied, detail, remedy } = check;
  return [
    { kind: "heading", level: 2, text: `${number}. ${sentence(toWords(id))}` },
    {
      kind: "pairs",
      rows: [
        pair("Result", verdict(check, `, ${pointsOf(check)} of ${weight} points`)),
        pair("Requirement", requirement),
        pair("Legal reference", legal_reference),
        pair("Condition", conditionOf(id, facts)),
        pair("Finding", { text: detail, tone: satisfied ? "good" : "bad" }),
        ...(remedy === null ? [] : [pair("Remedy", remedy)]),
        ...evidenceFor(id, facts),
      ],
    },
  ];
}

const sentence = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
