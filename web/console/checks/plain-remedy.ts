/**
 * The API's advice without the calls that a program would make: the console has buttons for these. Null if nothing is left that a person
 * could do here.
 */
export function plainRemedy(remedy: string | null): string | null {
  if (remedy === null) return null;
  const text = remedy
    .replace(/,? then evaluate again \((?:POST|PUT) …[^)]*\)/g, "")
    .replace(/ \((?:POST|PUT|GET|DELETE|PATCH) …[^)]*\)/g, "")
    .trim();
  return /\b(?:POST|PUT|GET|DELETE|PATCH)\b/.test(text) ? null : text;
}
