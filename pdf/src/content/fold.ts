// Two normal forms of a character. The folded form is for anchors: case, width, ligatures and typographic quotes do not matter. The plain
// form is for tags, whose names keep their case. Both work on one code point at a time, so that indexes into the folded text stay
// correct: lower-casing a whole string may change its length (`İ` becomes two).

/** Characters that are neither shown nor typed: soft hyphen, zero-width characters, direction marks, byte order mark. */
export function isIgnorable(point: number): boolean {
  if (point < 0xad) return false;
  return point === 0xad || (point >= 0x200b && point <= 0x200f) || (point >= 0x202a && point <= 0x202e) || isRareIgnorable(point);
}

const isRareIgnorable = (point: number): boolean => (point >= 0x2060 && point <= 0x2069) || point === 0xfeff || point === 0x180e;

export function isSpace(point: number): boolean {
  if (point <= 0x20) return true;
  if (point < 0xa0) return false;
  return point === 0xa0 || point === 0x1680 || (point >= 0x2000 && point <= 0x200a) || point === 0x2028 || isRareSpace(point);
}

const isRareSpace = (point: number): boolean => point === 0x2029 || point === 0x202f || point === 0x205f || point === 0x3000;

const likenesses: readonly (readonly [string, string])[] = [
  ["'", "\u2018\u2019\u201a\u201b\u2032\u02bc"],
  ['"', "\u201c\u201d\u201e\u201f\u2033"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"],
];

const likeness = new Map(likenesses.flatMap(([plain, others]) => [...others].map((other) => [other.codePointAt(0), plain] as const)));

const folded = new Map<number, string>();

/** The form in which anchors are compared. A space is " ", an ignorable character "". */
export function fold(point: number): string {
  let form = folded.get(point);
  if (form === undefined) {
    form = foldAnew(point);
    folded.set(point, form);
  }
  return form;
}

function foldAnew(point: number): string {
  if (isIgnorable(point)) return "";
  if (isSpace(point)) return " ";
  const plain = likeness.get(point);
  if (plain !== undefined) return plain;
  // Lower case first: the capital sharp s has no other upper case, and the small one becomes two letters.
  const form = String.fromCodePoint(point).normalize("NFKD").toLowerCase().toUpperCase().toLowerCase().normalize("NFKD");
  let kept = "";
  for (const char of form) {
    const each = char.codePointAt(0) ?? 0;
    kept += isIgnorable(each) ? "" : isSpace(each) ? " " : (likeness.get(each) ?? char);
  }
  return kept;
}

/** Folds a whole text: runs of white space become one space, and are trimmed at both ends. "" if nothing is left. */
export function foldText(text: string): string {
  let form = "";
  for (const char of text) form += fold(char.codePointAt(0) ?? 0);
  return form.replace(/ +/g, " ").trim();
}

const plain = new Map<number, string>();

/** The form in which tags are read: NFKC, except that only real braces count as braces. */
export function plainForm(point: number): string {
  let form = plain.get(point);
  if (form === undefined) {
    const char = String.fromCodePoint(point);
    const compatible = isIgnorable(point) ? "" : isSpace(point) ? " " : char.normalize("NFKC");
    form = point > 0x7f && /[{}]/.test(compatible) ? char : compatible;
    plain.set(point, form);
  }
  return form;
}
