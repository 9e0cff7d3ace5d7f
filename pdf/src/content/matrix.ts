// Affine maps in PDF notation: [a b c d e f] maps (x, y) to (ax + cy + e, bx + dy + f). `times(m, n)` applies m first.

export type Matrix = readonly [number, number, number, number, number, number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

export function times(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[1] * n[2],
    m[0] * n[1] + m[1] * n[3],
    m[2] * n[0] + m[3] * n[2],
    m[2] * n[1] + m[3] * n[3],
    m[4] * n[0] + m[5] * n[2] + n[4],
    m[4] * n[1] + m[5] * n[3] + n[5],
  ];
}

/** The bounding box of the mapped rectangle: [left, bottom, right, top]. */
export function mapBox(m: Matrix, [x0, y0, x1, y1]: readonly [number, number, number, number]): [number, number, number, number] {
  const xs = [x0, x1, x0, x1].map((x, i) => m[0] * x + m[2] * (i < 2 ? y0 : y1) + m[4]);
  const ys = [x0, x1, x0, x1].map((x, i) => m[1] * x + m[3] * (i < 2 ? y0 : y1) + m[5]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Six finite numbers, or null. */
export function asMatrix(values: readonly unknown[] | null): Matrix | null {
  if (values === null || values.length < 6) return null;
  const [a, b, c, d, e, f] = values;
  const all = [a, b, c, d, e, f];
  return all.every((value) => typeof value === "number" && Number.isFinite(value)) ? (all as unknown as Matrix) : null;
}
