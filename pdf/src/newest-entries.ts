// Where the cross-reference sections of a file say that its objects are (ISO 32000-2, 7.5.4 and 7.5.8), read without libpdf. Sections that
// readers could read in different ways throw Odd.

import { inflateSync } from "node:zlib";
import { undoPredictor } from "./content/predictor.ts";
import { type Dict, Odd, Parser, Ref, Stream, type Value } from "./raw-values.ts";
import { asBuffer } from "./sniff.ts";

/** `at` is the position of an object in the file, or its place in the object stream `into`. Null if the object was removed. */
export type Entry = { readonly at: number; readonly into: number | null } | null;

export type NewestEntries = {
  /** By object number, each from the newest section that lists it. */
  readonly entries: ReadonlyMap<number, Entry>;
  /** The object number of the catalog. */
  readonly root: number;
};

// As the limit of revisions.
const MAX_SECTIONS = 64;
const MAX_SECTION_BYTES = 16 * 1024 * 1024;
// The last line of a file.
const TAIL_BYTES = 64;

export function newestEntries(bytes: Uint8Array): NewestEntries {
  const file = asBuffer(bytes);
  if (file.toString("latin1", 0, 5) !== "%PDF-") throw new Odd("bytes before the file");
  const tail = file.toString("latin1", Math.max(0, bytes.length - TAIL_BYTES));
  const start = /startxref\s+([0-9]{1,10})\s+%%EOF\s*$/.exec(tail)?.[1];
  if (start === undefined) throw new Odd("no cross-reference section at the end");
  const entries = new Map<number, Entry>();
  const seen = new Set<number>();
  let root: number | null = null;
  for (let at: number | null = Number(start); at !== null; ) {
    if (seen.has(at) || seen.size === MAX_SECTIONS) throw new Odd("too many cross-reference sections");
    seen.add(at);
    const section: Section = file.toString("latin1", at, at + 4) === "xref" ? readTable(file, at) : readStream(file, at);
    for (const [number, entry] of section.entries) if (!entries.has(number)) entries.set(number, entry);
    const catalog = section.dict.get("/Root");
    if (root === null && catalog instanceof Ref) root = catalog.number;
    at = previousOf(section.dict);
  }
  if (root === null) throw new Odd("no catalog");
  return { entries, root };
}

type Section = { readonly entries: ReadonlyMap<number, Entry>; readonly dict: Dict };

function previousOf(dict: Dict): number | null {
  const previous = dict.get("/Prev");
  if (previous === undefined) return null;
  if (typeof previous !== "number" || dict.has("/XRefStm")) throw new Odd("the place of the previous section");
  return previous;
}

const RANGE = /[\0\t\n\f\r ]*([0-9]{1,10}) ([0-9]{1,10})[\t ]*(?:\r\n|\r|\n)/y;
const LINE = /([0-9]{10}) ([0-9]{5}) ([nf])(?:\r\n| \r| \n)/y;
const END = /[\0\t\n\f\r ]*trailer/y;

function readTable(file: Buffer, at: number): Section {
  const end = file.indexOf("trailer", at);
  if (end === -1 || end - at > MAX_SECTION_BYTES) throw new Odd("a table without a trailer");
  const text = file.toString("latin1", at + 4, end + 7);
  const entries = new Map<number, Entry>();
  let place = 0;
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = place;
    const found = pattern.exec(text);
    if (found !== null) place = pattern.lastIndex;
    return found;
  };
  while (next(END) === null) {
    const range = next(RANGE);
    if (range === null) throw new Odd("a range of a table");
    const [first, count] = [Number(range[1]), Number(range[2])];
    for (let number = first; number < first + count; number++) {
      const line = next(LINE);
      if (line === null || entries.has(number)) throw new Odd("a line of a table");
      entries.set(number, line[3] === "f" ? null : { at: Number(line[1]), into: null });
    }
  }
  const dict = new Parser(file, end + 7).value(0);
  if (!(dict instanceof Map) || dict.has("/XRefStm")) throw new Odd("a trailer");
  return { entries, dict };
}

const direct = (value: Value | undefined): Value => {
  if (value instanceof Ref) throw new Odd("a reference in a cross-reference stream");
  return value ?? null;
};

const HEAD = /[0-9]{1,10}[\0\t\n\f\r ]+[0-9]{1,5}[\0\t\n\f\r ]+obj/y;

function readStream(file: Buffer, at: number): Section {
  HEAD.lastIndex = 0;
  const head = HEAD.exec(file.toString("latin1", at, at + TAIL_BYTES))?.[0];
  if (head === undefined) throw new Odd("a cross-reference section");
  const stream = new Parser(file, at + head.length).object(false, direct);
  if (!(stream instanceof Stream) || stream.dict.get("/Type") !== "/XRef") throw new Odd("a cross-reference stream");
  const { dict } = stream;
  const [typeBytes = -1, firstBytes = -1, secondBytes = -1, ...more] = numbersIn(dict.get("/W"));
  const widths = [typeBytes, firstBytes, secondBytes];
  if (more.length > 0 || widths.some((width) => !(Number.isInteger(width) && width >= 0 && width <= 6))) throw new Odd("widths of entries");
  const rows = asBuffer(decoded(stream));
  const ranges = dict.has("/Index") ? numbersIn(dict.get("/Index")) : [0, ...numbersIn([dict.get("/Size") ?? null])];
  const entries = new Map<number, Entry>();
  let place = 0;
  const field = (width: number, otherwise: number): number => {
    if (width === 0) return otherwise;
    if (place + width > rows.length) throw new Odd("a short cross-reference stream");
    place += width;
    return rows.readUIntBE(place - width, width);
  };
  for (let range = 0; range < ranges.length; range += 2) {
    const [first = 0, count = 0] = ranges.slice(range, range + 2);
    if (count > rows.length) throw new Odd("a short cross-reference stream");
    for (let number = first; number < first + count; number++) {
      const [type, own, index] = [field(typeBytes, 1), field(firstBytes, 0), field(secondBytes, 0)];
      if (entries.has(number) || type > 2) throw new Odd("an entry of a cross-reference stream");
      entries.set(number, type === 0 ? null : type === 1 ? { at: own, into: null } : { at: index, into: own });
    }
  }
  return { entries, dict };
}

function numbersIn(value: Value | undefined): number[] {
  if (!Array.isArray(value)) throw new Odd("an array of numbers");
  return (value as readonly Value[]).map((item) => {
    if (typeof item !== "number") throw new Odd("an array of numbers");
    return item;
  });
}

function decoded({ dict, raw }: Stream): Uint8Array {
  const filter = direct(dict.get("/Filter"));
  if (filter === null) return raw;
  if (filter !== "/FlateDecode") throw new Odd("the filter of a cross-reference stream");
  const parameters = direct(dict.get("/DecodeParms"));
  const parameter = (key: string, otherwise: number): number => {
    const value = parameters instanceof Map ? parameters.get(`/${key}`) : undefined;
    return typeof value === "number" ? value : otherwise;
  };
  try {
    return undoPredictor(inflateSync(raw, { maxOutputLength: MAX_SECTION_BYTES }), parameter);
  } catch (cause) {
    throw new Odd("a damaged cross-reference stream", { cause });
  }
}
