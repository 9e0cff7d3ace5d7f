/** What programs call something, and what people call it. */
const plainWords: readonly (readonly [string, string])[] = [
  ["Restore the blob", "Restore the stored file"],
  ["external.document_sha256", "the hash that the issuing system gave out"],
  ["Propose an act correct_party with the real party", "Propose to correct the secured party"],
];

/** The advice of a check without the calls that a program would make. Null if nothing is left that a person could do. */
export function plainRemedy(remedy: string | null): string | null {
  if (remedy === null) return null;
  const withoutCalls = remedy
    .replace(/,? then evaluate again \((?:POST|PUT) …[^)]*\)/g, "")
    .replace(/ \((?:POST|PUT|GET|DELETE|PATCH) …[^)]*\)/g, "")
    .trim();
  const text = plainWords.reduce((words, [name, plain]) => words.replace(name, plain), withoutCalls);
  return /\b(?:POST|PUT|GET|DELETE|PATCH)\b/.test(text) ? null : text;
}
