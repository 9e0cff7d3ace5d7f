// Predictors of Flate and LZW (ISO 32000-2, 7.4.4.4): 2 is TIFF's; 10 and above are PNG's, with a filter byte before each row.

/** Reverses the prediction. `parameter` reads DecodeParms with a default; implausible values leave the bytes unchanged. */
export function undoPredictor(bytes: Uint8Array, parameter: (key: string, otherwise: number) => number): Uint8Array {
  const predictor = parameter("Predictor", 1);
  if (predictor < 2) return bytes;
  const colors = parameter("Colors", 1);
  const bits = parameter("BitsPerComponent", 8);
  const columns = parameter("Columns", 1);
  const row = Math.ceil((colors * bits * columns) / 8);
  const step = Math.max(1, Math.ceil((colors * bits) / 8));
  if (!(row >= 1 && row <= 1 << 24 && step <= row + 1)) return bytes;
  return predictor === 2 ? undoTiff(bytes, row, step, bits) : undoPng(bytes, row, step);
}

function undoTiff(bytes: Uint8Array, row: number, step: number, bits: number): Uint8Array {
  if (bits !== 8) return bytes; // does not occur in content streams, only in images
  const out = bytes.slice();
  for (let start = 0; start < out.length; start += row) {
    const end = Math.min(start + row, out.length);
    for (let at = start + step; at < end; at++) out[at] = (out[at] ?? 0) + (out[at - step] ?? 0);
  }
  return out;
}

function undoPng(bytes: Uint8Array, row: number, step: number): Uint8Array {
  const rows = Math.ceil(bytes.length / (row + 1));
  const out = new Uint8Array(rows * row);
  let size = 0;
  for (let index = 0; index < rows; index++) {
    const from = index * (row + 1);
    const filter = bytes[from] ?? 0;
    const length = Math.min(row, bytes.length - from - 1);
    const start = index * row;
    for (let i = 0; i < length; i++) {
      const left = i >= step ? (out[start + i - step] ?? 0) : 0;
      const up = index > 0 ? (out[start + i - row] ?? 0) : 0;
      const corner = i >= step && index > 0 ? (out[start + i - row - step] ?? 0) : 0;
      out[start + i] = (bytes[from + 1 + i] ?? 0) + predicted(filter, left, up, corner);
    }
    size = start + Math.max(0, length);
  }
  return out.subarray(0, size);
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  return filter === 4 ? paeth(left, up, corner) : 0;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const toLeft = Math.abs(guess - left);
  const toUp = Math.abs(guess - up);
  const toCorner = Math.abs(guess - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
