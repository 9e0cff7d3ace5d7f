// LZW as in TIFF (ISO 32000-2, 7.4.4): codes of 9 to 12 bits; 256 clears the table, 257 ends the data.

const CLEAR = 256;
const END = 257;

/** `early` is the EarlyChange parameter: 1, the default, widens the codes one entry before the table is full. */
export function decodeLzw(bytes: Uint8Array, early: number, max_bytes: number): Uint8Array {
  // Entry n is the string of entry `prefix[n]` plus the byte `last[n]`; storing the lengths avoids walking a chain twice.
  const prefix = new Uint16Array(4097);
  const last = new Uint8Array(4097);
  const length = new Uint16Array(4097);
  for (let code = 0; code < 256; code++) {
    last[code] = code;
    length[code] = 1;
  }
  let out = new Uint8Array(Math.max(1024, bytes.length * 4));
  let size = 0;
  let next = 258;
  let width = 9;
  let previous = -1;
  let buffer = 0;
  let bits = 0;

  const write = (code: number): number => {
    const long = length[code] ?? 0;
    if (size + long + 1 > out.length) {
      const grown = new Uint8Array((size + long + 1) * 2);
      grown.set(out);
      out = grown;
    }
    let entry = code;
    for (let at = size + long - 1; at >= size; at--) {
      out[at] = last[entry] ?? 0;
      entry = prefix[entry] ?? 0;
    }
    const first = out[size] ?? 0;
    size += long;
    return first;
  };

  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (buffer >> bits) & ((1 << width) - 1);
    if (code === END || size > max_bytes) break;
    if (code === CLEAR) {
      next = 258;
      width = 9;
      previous = -1;
      continue;
    }
    if (code > next || (code === next && previous < 0)) break;
    const known = code < next;
    const first = write(known ? code : previous);
    if (!known) out[size++] = first;
    if (previous >= 0 && next < 4096) {
      prefix[next] = previous;
      last[next] = first;
      length[next] = (length[previous] ?? 0) + 1;
      next++;
      if (next + early >= 1 << width && width < 12) width++;
    }
    previous = code;
  }
  return out.subarray(0, size);
}
