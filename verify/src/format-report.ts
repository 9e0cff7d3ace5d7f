import { leftWords } from "./copy-left.ts";
import type { Report, StepReport } from "./verify-bundle.ts";

/** One line of the output for a step, also on the page. */
export function formatStep({ number, name, passed, says, file, entry }: StepReport): string {
  const where = passed ? "" : ` ${file}${entry === null ? "" : `, entry ${entry}`}:`;
  return `${String(number).padStart(2)} ${name.padEnd(12)} ${passed ? "ok    " : "FAILED"}${where} ${says}`;
}

/** The last line, also on the page: a verified bundle of a copy that left says so, and one of a test that was accepted. */
export const verdictOf = ({ outcome, left, test }: Pick<Report, "outcome" | "left" | "test">): string =>
  outcome === "VERIFIED" ? [outcome, ...(test ? ["TEST RECORD"] : []), ...(left === null ? [] : [leftWords(left)])].join(", ") : outcome;

/** `outcome` is printed last, because callers of the program may know more than the report. */
export function formatReport({ steps, notes }: Report, outcome: string): string {
  return `${[...steps.map(formatStep), "", ...notes, ...(notes.length > 0 ? [""] : []), outcome].join("\n")}\n`;
}
