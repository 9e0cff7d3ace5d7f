// Unscored lists of facts beside the clauses of statutes, for the type of record that was declared.

import type { Facts2, RecordType } from "../../../facts-2.ts";
import type { GradedResult } from "../checks/check.ts";
import type { Annex, Finding } from "./annex.ts";
import { consentToChanges, namedAssignee, powerToPrevent, powerToTransfer, withoutAssignee } from "./assignee-clauses.ts";
import { ascending, type Told, weakestFinding } from "./clause.ts";
import { amendments, markedCopies, singleCopy, tellingCopiesApart } from "./copy-clauses.ts";
import { acknowledgedBefore, acknowledgment, keptBy, limitsOfUse, sharedPowers } from "./custody-clauses.ts";
import { agreementOfMakers } from "./maker-clause.ts";

/** Adds no power of its own: it speaks about those of (c)(3). */
function presumed(told: Told): Finding {
  const both = [powerToPrevent(told), powerToTransfer(told)] as const;
  const { grade, reason } = weakestFinding(...both);
  const entries = ascending(both.flatMap((finding) => finding.entries));
  return { fact: "The facts are those that are listed for 9-105(c)(3)(A) and (B).", grade, reason, entries };
}

type Findings = readonly (readonly [clause: string, of: (told: Told) => Finding])[];

/** The six conditions that the three statutes share, by number. */
const six = (section: string): Findings => [
  [`${section}(1)`, singleCopy],
  [`${section}(2)`, namedAssignee],
  [`${section}(3)`, keptBy],
  [`${section}(4)`, consentToChanges],
  [`${section}(5)`, markedCopies],
  [`${section}(6)`, amendments],
];

const of2022: Findings = [
  ["9-105(c)(1)", tellingCopiesApart],
  ["9-105(c)(2)", namedAssignee],
  ["9-105(c)(3)(A)", powerToPrevent],
  ["9-105(c)(3)(B)", powerToTransfer],
  ["9-105(d)(1)", limitsOfUse],
  ["9-105(d)(2)", sharedPowers],
  ["9-105(e)", withoutAssignee],
  ["9-105(f)", presumed],
  ["9-105(g)(1)", acknowledgment],
  ["9-105(g)(2)", acknowledgedBefore],
];

type Listed = Pick<Annex, "id" | "title"> & { readonly findings: Findings };

const annexes: Readonly<Record<RecordType, readonly Listed[]>> = {
  chattel_paper: [
    { id: "ucc_9_105_b", title: "UCC 9-105(b)", findings: six("9-105(b)") },
    { id: "ucc_9_105_2022", title: "UCC 9-105(c) to (g), text of 2022", findings: of2022 },
  ],
  transferable_record: [
    { id: "usc_15_7021", title: "15 USC 7021(a)(1)(B) and (c)", findings: [["7021(a)(1)(B)", agreementOfMakers], ...six("7021(c)")] },
    { id: "ueta_16", title: "UETA 16(a)(2) and (c)", findings: [["16(a)(2)", agreementOfMakers], ...six("16(c)")] },
  ],
  other: [],
};

/** Same facts, same bytes. Never throws, whatever the facts are. */
export function annexesOf(facts: Facts2, checks: readonly GradedResult[]): Annex[] {
  const told = { facts, checks };
  const listed = annexes[facts.identity.record_type] ?? [];
  return listed.map(({ id, title, findings }) => ({ id, title, clauses: findings.map(([clause, of]) => ({ clause, ...of(told) })) }));
}
