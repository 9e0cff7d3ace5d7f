// The content of a page whose annotations became part of it, taken apart again: the page's own content, which an enclosing `q … Q` leaves
// as it is, and the forms that are drawn above it. Whatever is not written in exactly this way is not taken apart.

import type { Matrix } from "./content/matrix.ts";
import { leftOpen } from "./isolate-content.ts";

/** A form that is drawn above the page, and where. */
export type DrawnForm = { readonly name: string; readonly matrix: Matrix };

export type Layers = {
  /** Which of the parts are the page's own, from the first to before the last. */
  readonly own: readonly [from: number, to: number];
  /** In the order in which they are drawn. */
  readonly drawn: readonly DrawnForm[];
};

const BEFORE = "q\n";
const AFTER = "\n Q\n";
const DRAWING = /^\nq\n([\s\S]*)\nQ\n$/;
const NUMBER = "(-?[0-9.]{1,30})";
const FORM = new RegExp(`^q ${Array(6).fill(NUMBER).join(" ")} cm /([A-Za-z]+[0-9]+) Do Q$`);
// A drawing begins with the space that it is in: the page's own.
const OWN_SPACE = "1 0 0 1 0 0 cm";
// What is added around the page's own parts, each time that something is drawn above them.
const ADDED_PARTS = 3;

/** `own` is how many parts the page had before. Null if the parts are not these, enclosed and followed by forms. */
export function layersOf(parts: readonly Uint8Array[], own: number): Layers | null {
  const drawn: DrawnForm[][] = [];
  let [from, to] = [0, parts.length];
  while (to - from > own) {
    if (to - from < own + ADDED_PARTS) return null;
    const forms = formsOf(textOf(parts[to - 1]));
    if (textOf(parts[from]) !== BEFORE || textOf(parts[to - 2]) !== AFTER || forms === null) return null;
    drawn.unshift(forms);
    from += 1;
    to -= 2;
  }
  return to - from === own ? { own: [from, to], drawn: drawn.flat() } : null;
}

// Longer than what is drawn above a page with a thousand fields.
const MAX_TEXT = 262_144;

const textOf = (part: Uint8Array | undefined): string =>
  part === undefined || part.length > MAX_TEXT ? "" : Buffer.from(part.buffer, part.byteOffset, part.length).toString("latin1");

function formsOf(part: string): DrawnForm[] | null {
  const lines = DRAWING.exec(part)?.[1]?.split("\n");
  if (lines === undefined) return null;
  const forms: DrawnForm[] = [];
  for (const line of lines[0] === OWN_SPACE ? lines.slice(1) : lines) {
    const found = FORM.exec(line);
    if (found === null) return null;
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = found.slice(1, 7).map(Number);
    if (![a, b, c, d, e, f].every(Number.isFinite)) return null;
    forms.push({ name: found[7] as string, matrix: [a, b, c, d, e, f] });
  }
  return forms;
}

/**
 * Whether content looks the same between `q` and `Q`, and with the given names of forms added to its resources: it leaves nothing open, ends
 * nothing that it has not begun, and uses none of the names.
 */
export function canBeEnclosed(content: Uint8Array, names: readonly string[]): boolean {
  const { surplus, closers, isBroken } = leftOpen(content);
  if (isBroken || closers !== "" || surplus.length > 0) return false;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  return names.every((name) => !bytes.includes(name));
}
