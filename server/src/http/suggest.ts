// More than twice the length of our longest name. The cost of a comparison is the product of both lengths.
const MAX_COMPARED = 100;

/** The known name that the caller probably meant, or null if none is similar: at most a third of the characters can differ. */
export function suggestionFor(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_COMPARED) return null;
  const given = asOurs(name);
  const most = Math.max(1, given.length / 3);
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const wanted = asOurs(candidate);
    if (Math.abs(wanted.length - given.length) > most) continue;
    const distance = editDistance(given, wanted);
    // Names that have no character in common are not similar.
    if (distance <= most && distance < given.length && distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** `externalId`, `external-id` and `External_ID` all become `external_id`. */
function asOurs(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}

/**
 * The number of characters that must be added, removed or replaced to turn `a` into `b`. Two swapped neighbors count as one change (optimal
 * string alignment distance).
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? at(beforeLast, j - 2) + 1 : replaced;
      row.push(Math.min(replaced, swapped, at(last, j) + 1, at(row, j - 1) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;
