// Limits on the work for one upload. A file beyond any limit is rejected rather than partly read, because partial text would place fields
// wrongly.

import { UnreadablePdf } from "../errors.ts";

export const limits = {
  operators_a_page: 5_000_000,
  operators: 20_000_000,
  glyphs_a_page: 1_000_000,
  glyphs: 10_000_000,
  form_depth: 16,
  forms_a_page: 10_000,
  graphics_stack: 512,
  nesting: 100,
  operands: 200,
  tags: 1_000,
  anchors: 500,
} as const;

const count = new Intl.NumberFormat("en-US");

/** The error, in words for the sender: `tooMany(limits.glyphs, "glyphs")`. */
export function tooMany(limit: number, what: string): UnreadablePdf {
  return new UnreadablePdf("too_complex", `more than ${count.format(limit)} ${what}`);
}
