// Reads objects straight from the bytes of a file, without libpdf, to check what libpdf read and wrote. It accepts only what every reader reads
// in the same way: an object that is defined once or, where revisions were appended (ISO 32000-2, 7.5.6), whose last definition in the file is
// also the newest by the cross-reference table. Everything else throws Odd.

import { byteClasses, SPACE } from "./byte-classes.ts";
import { type NewestEntries, newestEntries } from "./newest-entries.ts";
import { Odd, Parser, plainBytes, Ref, type Resolve, Stream, type Value } from "./raw-values.ts";
import { asBuffer } from "./sniff.ts";

export type RawObjects = {
  /** Follows references. Throws Odd for an object that is missing, or of which readers may take different definitions. */
  readonly resolve: Resolve;
  /** The object number of the catalog by the newest trailer; null if no object is defined twice, so that nothing was read by trailers. */
  readonly root: () => number | null;
};

const MAX_HOPS = 16;
// What object streams of a file may have altogether. A contract of 300 pages has 1 MB.
const MAX_INFLATED = 32 * 1024 * 1024;

type Place = {
  readonly bytes: Uint8Array;
  /** Where the value begins in `bytes`. */
  readonly at: number;
  /** Where the object begins in the file, or its object stream. */
  readonly start: number;
  /** The object stream and the place in it. */
  readonly packed: { readonly into: number; readonly index: number } | null;
};

type Definitions = {
  /** The last definition of each object in the file. */
  readonly last: Map<number, Place>;
  readonly repeated: Set<number>;
};

/** The objects of a file. Finding them costs a search of the bytes; each is read when it is asked for, and then kept. */
export function rawObjects(bytes: Uint8Array): RawObjects {
  const found = definitions(bytes);
  const known = new Map<number, Value>();
  const reading = new Set<number>();
  let newest: NewestEntries | undefined;
  const read = (number: number): Value => {
    const value = known.get(number);
    if (value !== undefined) return value;
    const place = found.last.get(number);
    if (place === undefined || reading.has(number)) throw new Odd(`object ${number}`);
    if (found.repeated.has(number)) {
      newest ??= newestEntries(bytes);
      assertNewest(number, place, newest);
    }
    reading.add(number);
    try {
      const own = new Parser(place.bytes, place.at).object(place.packed !== null, resolve);
      known.set(number, own);
      return own;
    } finally {
      reading.delete(number);
    }
  };
  const resolve = (value: Value | undefined): Value => {
    let current = value ?? null;
    for (let hop = 0; current instanceof Ref; hop++) {
      if (hop === MAX_HOPS) throw new Odd("references to references");
      current = read(current.number);
    }
    return current;
  };
  addCompressed(bytes, found, resolve, known);
  return {
    resolve,
    root() {
      if (found.repeated.size === 0) return null;
      newest ??= newestEntries(bytes);
      return newest.root;
    },
  };
}

/** Readers that search the file take the last definition, others follow the table. */
function assertNewest(number: number, { start, packed }: Place, { entries }: NewestEntries): void {
  const entry = entries.get(number) ?? null;
  const isHere = packed === null ? entry?.into === null && entry.at === start : entry?.into === packed.into && entry.at === packed.index;
  if (!isHere) throw new Odd(`object ${number} has several definitions`);
}

function definitions(bytes: Uint8Array): Definitions {
  const file = asBuffer(bytes);
  const found: Definitions = { last: new Map(), repeated: new Set() };
  for (let at = file.indexOf("obj"); at !== -1; at = file.indexOf("obj", at + 3)) {
    const from = Math.max(0, at - 24);
    const before = byteClasses[bytes[at - 1] ?? 0] === SPACE ? file.toString("latin1", from, at) : "";
    const match = /(?<![0-9])([0-9]{1,10})[\0\t\n\f\r ]+[0-9]{1,5}[\0\t\n\f\r ]+$/.exec(before);
    if (match !== null) define(found, Number(match[1]), { bytes, at: at + 3, start: from + match.index, packed: null });
  }
  return found;
}

function define({ last, repeated }: Definitions, number: number, place: Place): void {
  const other = last.get(number);
  if (other === undefined || place.start >= other.start) last.set(number, place);
  if (other === undefined) return;
  repeated.add(number);
  // What is in it would depend on which of them is read.
  if ([place, other].some((each) => each.packed === null && startsObjectStream(each)))
    throw new Odd("an object stream with two definitions");
}

function addCompressed(bytes: Uint8Array, found: Definitions, resolve: Resolve, known: ReadonlyMap<number, Value>): void {
  if (asBuffer(bytes).indexOf("/ObjStm") === -1) return;
  let left = MAX_INFLATED;
  for (const [number, place] of [...found.last]) {
    if (!startsObjectStream(place)) continue;
    const stream = resolve(new Ref(number));
    if (!(stream instanceof Stream)) throw new Odd("an object stream that is none");
    const inner = plainBytes(stream, resolve, left);
    left -= inner.length;
    const [count, first] = [resolve(stream.dict.get("/N")), resolve(stream.dict.get("/First"))];
    if (typeof count !== "number" || typeof first !== "number" || first > inner.length) throw new Odd("an object stream without its size");
    const table = new Parser(inner.subarray(0, first), 0);
    for (let index = 0; index < count; index++) {
      const [own, offset] = [table.value(0), table.value(0)];
      if (typeof own !== "number" || typeof offset !== "number" || first + offset >= inner.length)
        throw new Odd("the index of an object stream");
      // It was needed before it was known to have another definition.
      if (known.has(own)) throw new Odd(`object ${own} has several definitions`);
      define(found, own, { bytes: inner, at: first + offset, start: place.start, packed: { into: number, index } });
    }
  }
}

// The dictionary of an object stream is short.
function startsObjectStream({ bytes, at }: Place): boolean {
  const start = asBuffer(bytes).toString("latin1", at, at + 300);
  return /\/ObjStm\b/.test(start.split(/stream|endobj/, 1)[0] ?? "");
}
