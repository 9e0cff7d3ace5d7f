// Inflate (RFC 1951), for a browser. Browsers have it only as a stream, which says neither where the compressed data ended nor what could
// be read of a broken file; both count here.

/** `consumed`: how many bytes of the input the data took. `complete`: the last block was read to its end. */
export type Inflated = { readonly output: Uint8Array; readonly consumed: number; readonly complete: boolean };

export class InflateFault extends Error {
  override readonly name = "InflateFault";
  readonly code: "Z_DATA_ERROR" | "ERR_BUFFER_TOO_LARGE";

  constructor(code: "Z_DATA_ERROR" | "ERR_BUFFER_TOO_LARGE") {
    super(code);
    this.code = code;
  }
}

const MAX_BITS = 15;
const END_OF_BLOCK = 256;
const FIRST_OUTPUT_BYTES = 65_536;

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385,
  24577,
];
const DISTANCE_EXTRA = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** For every 15 bits of input: the symbol that they begin with, times 16, plus the length of its code. 0: no symbol. */
type Codes = Uint16Array;

/** The input ended before the data did. */
const ENDED = Symbol("ended");

/**
 * Inflates raw deflate data. Data that ends too early gives what is there, with `complete: false`. Throws InflateFault for data that is not
 * deflate, and for more than `max` bytes of output.
 */
export function inflate(input: Uint8Array, max: number): Inflated {
  const run = new Run(input, max);
  try {
    run.readBlocks();
    return { output: run.output(), consumed: run.consumed(), complete: true };
  } catch (error) {
    if (error !== ENDED) throw error;
    return { output: run.output(), consumed: input.length, complete: false };
  }
}

class Run {
  readonly #input: Uint8Array;
  readonly #max: number;
  #at = 0;
  #held = 0;
  #heldBits = 0;
  #out = new Uint8Array(FIRST_OUTPUT_BYTES);
  #length = 0;

  constructor(input: Uint8Array, max: number) {
    this.#input = input;
    this.#max = max;
  }

  output(): Uint8Array {
    return this.#out.subarray(0, this.#length);
  }

  /** Whole bytes that were looked at but not used go back. */
  consumed(): number {
    return this.#at - (this.#heldBits >> 3);
  }

  readBlocks(): void {
    for (let isLast = false; !isLast; ) {
      isLast = this.#bits(1) === 1;
      const kind = this.#bits(2);
      if (kind === 0) this.#readStored();
      else if (kind === 1) this.#readCompressed(fixedCodes());
      else if (kind === 2) this.#readCompressed(this.#readCodes());
      else throw new InflateFault("Z_DATA_ERROR");
    }
  }

  #fill(count: number): boolean {
    while (this.#heldBits < count) {
      if (this.#at >= this.#input.length) return false;
      this.#held |= (this.#input[this.#at] as number) << this.#heldBits;
      this.#at += 1;
      this.#heldBits += 8;
    }
    return true;
  }

  #drop(count: number): void {
    this.#held >>>= count;
    this.#heldBits -= count;
  }

  #bits(count: number): number {
    if (count === 0) return 0;
    if (!this.#fill(count)) throw ENDED;
    const value = this.#held & ((1 << count) - 1);
    this.#drop(count);
    return value;
  }

  #symbol(codes: Codes): number {
    // Near the end of the input fewer bits may be left than the longest code has.
    this.#fill(MAX_BITS);
    const entry = codes[this.#held & 0x7fff] as number;
    const length = entry & 15;
    if (entry === 0) throw this.#heldBits < MAX_BITS ? ENDED : new InflateFault("Z_DATA_ERROR");
    if (length > this.#heldBits) throw ENDED;
    this.#drop(length);
    return entry >> 4;
  }

  #room(count: number): void {
    const needed = this.#length + count;
    if (needed > this.#max) throw new InflateFault("ERR_BUFFER_TOO_LARGE");
    if (needed <= this.#out.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#out.length * 2));
    larger.set(this.output());
    this.#out = larger;
  }

  #readStored(): void {
    this.#drop(this.#heldBits & 7);
    const length = this.#bits(16);
    if ((this.#bits(16) ^ 0xffff) !== length) throw new InflateFault("Z_DATA_ERROR");
    this.#at = this.consumed();
    [this.#held, this.#heldBits] = [0, 0];
    const bytes = this.#input.subarray(this.#at, this.#at + length);
    this.#room(bytes.length);
    this.#out.set(bytes, this.#length);
    this.#length += bytes.length;
    this.#at += bytes.length;
    if (bytes.length < length) throw ENDED;
  }

  #readCompressed({ lengths, distances }: { lengths: Codes; distances: Codes }): void {
    for (let symbol = this.#symbol(lengths); symbol !== END_OF_BLOCK; symbol = this.#symbol(lengths)) {
      if (symbol > END_OF_BLOCK) this.#copy(symbol - 257, distances);
      else {
        this.#room(1);
        this.#out[this.#length++] = symbol;
      }
    }
  }

  #copy(lengthSymbol: number, distances: Codes): void {
    const length = this.#from(LENGTH_BASE, LENGTH_EXTRA, lengthSymbol);
    const distance = this.#from(DISTANCE_BASE, DISTANCE_EXTRA, this.#symbol(distances));
    if (distance > this.#length) throw new InflateFault("Z_DATA_ERROR");
    this.#room(length);
    // Byte by byte, because the source may overlap the target.
    for (let n = 0; n < length; n++, this.#length++) this.#out[this.#length] = this.#out[this.#length - distance] as number;
  }

  #from(bases: readonly number[], extras: readonly number[], symbol: number): number {
    const [base, extra] = [bases[symbol], extras[symbol]];
    if (base === undefined || extra === undefined) throw new InflateFault("Z_DATA_ERROR");
    return base + this.#bits(extra);
  }

  // RFC 1951, 3.2.7.
  #readCodes(): { lengths: Codes; distances: Codes } {
    const [literals, distances, codes] = [this.#bits(5) + 257, this.#bits(5) + 1, this.#bits(4) + 4];
    if (literals > 286 || distances > 30) throw new InflateFault("Z_DATA_ERROR");
    const ofCodes = new Uint8Array(19);
    for (const place of CODE_ORDER.slice(0, codes)) ofCodes[place] = this.#bits(3);
    const ofSymbols = this.#readLengths(codesOf(ofCodes, false), literals + distances);
    if (ofSymbols[END_OF_BLOCK] === 0) throw new InflateFault("Z_DATA_ERROR");
    return { lengths: codesOf(ofSymbols.subarray(0, literals), true), distances: codesOf(ofSymbols.subarray(literals), true) };
  }

  #readLengths(codes: Codes, count: number): Uint8Array {
    const lengths = new Uint8Array(count);
    for (let n = 0; n < count; ) {
      const symbol = this.#symbol(codes);
      if (symbol < 16) {
        lengths[n++] = symbol;
        continue;
      }
      if (symbol === 16 && n === 0) throw new InflateFault("Z_DATA_ERROR");
      const [value, repeat] =
        symbol === 16 ? [lengths[n - 1] as number, 3 + this.#bits(2)] : [0, symbol === 17 ? 3 + this.#bits(3) : 11 + this.#bits(7)];
      if (n + repeat > count) throw new InflateFault("Z_DATA_ERROR");
      lengths.fill(value, n, n + repeat);
      n += repeat;
    }
    return lengths;
  }
}

let fixed: { readonly lengths: Codes; readonly distances: Codes } | undefined;

// RFC 1951, 3.2.6.
function fixedCodes(): { lengths: Codes; distances: Codes } {
  fixed ??= {
    lengths: codesOf(
      Uint8Array.from({ length: 288 }, (_, n) => (n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8)),
      true,
    ),
    distances: codesOf(new Uint8Array(32).fill(5), true),
  };
  return fixed;
}

/**
 * The table of a set of code lengths (RFC 1951, 3.2.2). As in zlib, a set may be incomplete only if it has a single code, or none.
 * `mayBeIncomplete` is false for the codes of code lengths.
 */
function codesOf(lengths: Uint8Array, mayBeIncomplete: boolean): Codes {
  const counts = new Uint16Array(MAX_BITS + 1);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] as number) + 1;
  const next = new Uint16Array(MAX_BITS + 2);
  let left = 1;
  for (let bits = 1; bits <= MAX_BITS; bits++) {
    left = left * 2 - (counts[bits] as number);
    if (left < 0) throw new InflateFault("Z_DATA_ERROR");
    next[bits + 1] = ((next[bits] as number) + (counts[bits] as number)) << 1;
  }
  const used = counts.reduce((sum, each) => sum + each, 0);
  if (left > 0 && !(mayBeIncomplete && (used === 0 || (used === 1 && counts[1] === 1)))) throw new InflateFault("Z_DATA_ERROR");
  const table = new Uint16Array(1 << MAX_BITS);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const code = next[length] as number;
    next[length] = code + 1;
    for (let at = reversed(code, length); at < table.length; at += 1 << length) table[at] = (symbol << 4) | length;
  }
  return table;
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let n = 0; n < length; n++) result |= ((code >> n) & 1) << (length - 1 - n);
  return result;
}
