// What may lie between two glyphs that follow each other. The stronger, the smaller; no code point is below zero.

/** Nothing between; maybe a space (a gap that kerning may make, too); surely a space; another line. */
export const NONE = 0;
export const SOFT = -1;
export const HARD = -2;
export const BREAK = -3;
export type JointKind = typeof NONE | typeof SOFT | typeof HARD | typeof BREAK;
