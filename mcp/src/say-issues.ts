import type { z } from "zod";

/** What is wrong with the arguments of a tool, in a sentence. */
export function sayIssues(tool: string, { issues }: z.ZodError): string {
  return `The arguments of ${tool} are wrong: ${issues.map(sayIssue).join("; ")}.`;
}

function sayIssue(issue: z.core.$ZodIssue): string {
  const place = issue.path.reduce<string>(
    (before, part) => (typeof part === "number" ? `${before}[${part}]` : join(before, String(part))),
    "",
  );
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => `${join(place, key)} is not an argument`).join("; ");
  const said = `${place === "" ? "they" : place}: ${issue.message.replace(/^Invalid input: /, "")}`;
  return issue.code === "invalid_type" && issue.message.endsWith("received undefined") ? `${place} is missing` : said;
}

const join = (before: string, part: string): string => (before === "" ? part : `${before}.${part}`);
