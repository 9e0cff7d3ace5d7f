// Facts beside the clauses of statutes. They add nothing to the score and draw no conclusion.

import type { Annex, Clause } from "../rules/2/annexes/annex.ts";
import type { GradedEvaluation as Evaluation } from "../rules/2/checks/check.ts";
import type { Block, Cell } from "./document.ts";
import { gradeWords } from "./first-page.ts";
import { quiet, small } from "./wording.ts";

const NOTE =
  "Each row names a clause and what this service recorded that bears on it, with the numbers of the audit entries. The rows add nothing to the score. Whether a clause applies and is met is for the reader and for counsel; this service draws no conclusion of law.";

/** Nothing for a record whose type has no annexes. */
export function annexBlocks({ annexes = [] }: Evaluation): Block[] {
  if (annexes.length === 0) return [];
  return [
    { kind: "heading", level: 1, text: "Annexes: facts by clause", new_page: true },
    { kind: "paragraph", words: quiet(NOTE) },
    ...annexes.flatMap(annexBlock),
  ];
}

const annexBlock = ({ title, clauses }: Annex): Block[] => [
  { kind: "heading", level: 2, text: title },
  {
    kind: "table",
    columns: [
      { head: "Clause", share: 70 },
      { head: "What is recorded", share: 210 },
      { head: "Grade and reason", share: 140 },
      { head: "Entries", share: 50 },
    ],
    rows: clauses.map(clauseRow),
  },
];

const clauseRow = ({ clause, fact, grade, reason, entries }: Clause): Cell[] => [
  small(clause),
  small(fact),
  [gradeWords({ grade }), small(reason)],
  small(entries.length === 0 ? "none" : inRanges(entries)),
];

/** `3, 7–9` for ascending numbers. */
export function inRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(", ");
}
