// The separation between two consecutive glyphs. Stronger separations have smaller values; they are negative, so they cannot be confused
// with code points.

/** NONE: nothing. SOFT: possibly a space, or a gap from kerning. HARD: certainly a space. BREAK: another line. */
export const NONE = 0;
export const SOFT = -1;
export const HARD = -2;
export const BREAK = -3;
export type JointKind = typeof NONE | typeof SOFT | typeof HARD | typeof BREAK;
