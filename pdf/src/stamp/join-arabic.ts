// Arabic letters change their shape depending on their neighbours. Fonts have rules for that, but Unicode also has each shape as a
// character (presentation forms, U+FB50-FBFF and U+FE70-FEFC). Using these only requires knowing which letters join, and our font has all
// of them.

/** `text` is what the shape represents: one letter, or lam and alef together. */
export type Joined = { readonly point: number; readonly text: string };

type Shapes = { readonly isolated: number; readonly final: number; readonly initial: number; readonly medial: number };

const LAM = 0x644;
// These connect on both sides and have no shapes themselves.
const TATWEEL = 0x640;
const ZERO_WIDTH_JOINER = 0x200d;
const ALEF_MAKSURA = 0x649;
const UIGHUR_INITIAL = 0xfbe8;

const TRANSPARENT = /^[\p{Mn}\p{Me}]$/u;
const ARABIC = /\p{sc=Arab}/u;

let letters: Map<number, Shapes> | null = null;
let lamAlef: Map<number, Shapes> | null = null;

/** The shapes in logical order, one per character, except for a lam followed by an alef. Other scripts are unchanged. */
export function joinArabic(points: readonly number[]): Joined[] {
  if (!points.some((point) => ARABIC.test(String.fromCodePoint(point)))) return points.map(asItIs);
  readShapes();
  const joined: Joined[] = [];
  for (let i = 0; i < points.length; i++) {
    const point = points[i] as number;
    const before = joinsOnwards(neighbour(points, i, -1));
    const next = points[i + 1];
    const ligature = point === LAM && next !== undefined ? lamAlef?.get(next) : undefined;
    if (ligature !== undefined && next !== undefined) {
      joined.push({ point: before ? ligature.final : ligature.isolated, text: String.fromCodePoint(point, next) });
      i++;
    } else {
      const after = joinsOnwards(point) && joinsBack(neighbour(points, i, 1));
      joined.push({ point: shapeOf(point, before, after), text: String.fromCodePoint(point) });
    }
  }
  return joined;
}

/** Whether it is an Arabic letter without shapes in Unicode, which would appear unjoined within a word. */
export function lacksShapes(point: number): boolean {
  const letter = String.fromCodePoint(point);
  if (!ARABIC.test(letter) || !/\p{Lo}/u.test(letter) || letter.normalize("NFKC") !== letter) return false;
  readShapes();
  return letters?.has(point) === false;
}

const asItIs = (point: number): Joined => ({ point, text: String.fromCodePoint(point) });

function neighbour(points: readonly number[], from: number, step: 1 | -1): number | undefined {
  let at = from + step;
  while (at in points && TRANSPARENT.test(String.fromCodePoint(points[at] as number))) at += step;
  return points[at];
}

function joinsOnwards(point: number | undefined): boolean {
  if (point === undefined) return false;
  const shapes = letters?.get(point);
  return point === TATWEEL || point === ZERO_WIDTH_JOINER || (shapes !== undefined && shapes.initial !== 0);
}

function joinsBack(point: number | undefined): boolean {
  if (point === undefined) return false;
  const shapes = letters?.get(point);
  return point === TATWEEL || point === ZERO_WIDTH_JOINER || (shapes !== undefined && shapes.final !== 0);
}

function shapeOf(point: number, before: boolean, after: boolean): number {
  const shapes = letters?.get(point);
  if (shapes === undefined) return point;
  if (before && shapes.final !== 0) return after && shapes.medial !== 0 ? shapes.medial : shapes.final;
  return after && shapes.initial !== 0 ? shapes.initial : shapes.isolated;
}

// Unicode lists the shapes of a letter in sequence: isolated, final, and, for letters that join on both sides, initial and medial. Each
// decomposes to its letter, so the table is derived from the characters.
function readShapes(): void {
  if (letters !== null) return;
  letters = new Map();
  lamAlef = new Map();
  const blocks: readonly (readonly [number, number])[] = [
    [0xfb50, 0xfbff],
    [0xfe80, 0xfefc],
  ];
  for (const [first, last] of blocks) {
    for (let point = first; point <= last; ) {
      const text = String.fromCodePoint(point).normalize("NFKC");
      let end = point + 1;
      while (end <= last && String.fromCodePoint(end).normalize("NFKC") === text) end++;
      note([...text], point, end - point);
      point = end;
    }
  }
  const maksura = letters.get(ALEF_MAKSURA);
  if (maksura !== undefined) letters.set(ALEF_MAKSURA, { ...maksura, initial: UIGHUR_INITIAL, medial: UIGHUR_INITIAL + 1 });
}

function note(text: readonly string[], first: number, count: number): void {
  const [letter, alef] = text.map((character) => character.codePointAt(0) ?? 0);
  const shapes: Shapes = {
    isolated: first,
    final: count >= 2 ? first + 1 : 0,
    initial: count === 4 ? first + 2 : 0,
    medial: count === 4 ? first + 3 : 0,
  };
  if (letter === undefined || letter === first) return;
  if (text.length === 1) letters?.set(letter, shapes);
  else if (text.length === 2 && letter === LAM && alef !== undefined && first >= 0xfef5) lamAlef?.set(alef, shapes);
}
