import type { Grade } from "../grade.ts";

export const annexIds = ["ucc_9_105_b", "ucc_9_105_2022", "usc_15_7021", "ueta_16"] as const;

/** A list of facts beside the clauses of a statute. */
export type Annex = { readonly id: (typeof annexIds)[number]; readonly title: string; readonly clauses: readonly Clause[] };

/** One clause, beside the fact that the system has about it. No conclusion of law: whether a clause is met is for its reader. */
export type Clause = { readonly clause: string } & Finding;

export type Finding = {
  /** what the system recorded */
  readonly fact: string;
  readonly grade: Grade;
  /** why this grade */
  readonly reason: string;
  /** the numbers of the audit entries that the fact rests on, ascending */
  readonly entries: readonly number[];
};
