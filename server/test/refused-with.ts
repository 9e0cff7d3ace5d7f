import { expect } from "vitest";
import { type ProblemCode, problems } from "../src/shared/problems.ts";

/** The complete body of a refusal without its own details: its message, and one detail that repeats it with the problem's code. */
export function refusedWith(error: string) {
  return { error, details: [expect.objectContaining({ code: codeOf(error), message: error })] };
}

/** The same as the exact text of the body. */
export function refusalText(error: string, location = "request", field: string | null = null): string {
  return JSON.stringify({ error, details: [{ location, field, code: codeOf(error), message: error }] });
}

function codeOf(sentence: string): ProblemCode {
  const all = Object.entries(problems) as [ProblemCode, { says: string }][];
  const found = all.find(([, { says }]) => matches(says, sentence)) ?? expect.fail(`no problem says: ${sentence}`);
  return found[0];
}

/** The variable parts of a message are in braces. */
function matches(says: string, sentence: string): boolean {
  const parts = says.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`).test(sentence);
}
