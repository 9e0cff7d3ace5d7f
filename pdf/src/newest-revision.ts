// Which definition of an object counts if the cross-reference sections of a file cannot be followed. libpdf then searches for objects, but
// prefers any object in an object stream to one outside, one generation to another by chance, and the first catalog: a value of an earlier
// revision. Other readers take the last definition in the file, because revisions are appended (ISO 32000-2, 7.5.6). So do we.

import { type PDF, PdfNumber, PdfRef, PdfStream } from "@libpdf/core";
import { resolve } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";
import { asBuffer } from "./sniff.ts";

// As libpdf.
const MAX_OBJECT_NUMBER = 10_000_000;

/** `at` is where the definition begins; for an object in an object stream, where that stream begins. */
type Definition = {
  readonly number: number;
  readonly generation: number;
  readonly at: number;
  /** The object stream, and the place in it. */
  readonly into?: number;
  readonly index?: number;
  readonly is?: "object stream" | "catalog" | null;
};

type Found = {
  /** In the order of the file. */
  readonly definitions: readonly Definition[];
  readonly roots: readonly { readonly number: number; readonly generation: number; readonly at: number }[];
};

/**
 * A file that libpdf read by searching, followed by a cross-reference section of its newest objects; null if libpdf took them already.
 * Throws `unparseable` if readers would disagree on which are the newest. `bytes` are those that `pdf` was loaded from.
 */
export function withNewestReference(pdf: PDF, bytes: Uint8Array): Uint8Array | null {
  const found = search(bytes);
  const plain = new Map(found.definitions.map((definition) => [definition.number, definition]));
  const newest = new Map<number, Definition>();
  let isRepeated = false;
  const define = (definition: Definition): void => {
    const before = newest.get(definition.number);
    newest.set(definition.number, definition);
    if (before === undefined || (before.at === definition.at && before.into === definition.into)) return;
    isRepeated = true;
    if (before.generation <= definition.generation) return;
    throw new UnreadablePdf("unparseable", `object ${definition.number} is defined twice, and readers disagree on which is newer`);
  };
  for (const definition of found.definitions) {
    define(definition);
    // libpdf's parser can hang on damage, so that only object streams are read.
    if (definition.is !== "object stream" || plain.get(definition.number) !== definition) continue;
    for (const inner of compressed(pdf, bytes, definition)) define(inner);
  }
  const guessed = pdf.context.info.trailer.getRef("Root");
  const stated = found.roots.filter(({ number }) => number > 0 && newest.has(number)).at(-1);
  const root = stated ? PdfRef.of(stated.number, stated.generation) : guessed;
  if (root === undefined) return null;
  if (root.objectNumber !== guessed?.objectNumber && newest.get(root.objectNumber)?.is !== "catalog") {
    throw new UnreadablePdf("unparseable", `the last trailer names object ${root.objectNumber}, which is no catalog`);
  }
  assertOneCatalog(newest, root, stated?.at ?? -1);
  if (!isRepeated && root.objectNumber === guessed?.objectNumber) return null;
  return withReference(bytes, newest, root);
}

const DEFINITION = /(?<![^\0\t\n\f\r ])([0-9]{1,10})[\0\t\n\f\r ]+([0-9]{1,5})[\0\t\n\f\r ]+obj(?![^\0\t\n\f\r ()<>[\]{}/%])|\btrailer\b/g;

function search(bytes: Uint8Array): Found {
  const text = asBuffer(bytes).toString("latin1");
  const lengths = new Map(
    [...text.matchAll(/\b([0-9]{1,10})\s+[0-9]{1,5}\s+obj\s+([0-9]{1,10})\s+endobj/g)].map((m) => [m[1], Number(m[2])]),
  );
  const definitions: Definition[] = [];
  const roots: Found["roots"][number][] = [];
  const lastEnd = text.lastIndexOf("endstream");
  const pattern = new RegExp(DEFINITION);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const from = pattern.lastIndex;
    const number = match[1] === undefined ? null : Number(match[1]);
    const data = number === null ? null : startOfData(text, from);
    const head = number === null ? endingAt(text, /startxref|%%EOF|\bobj\b|trailer/g, from) : data === null ? "" : text.slice(from, data);
    if (number === null || /\/Type\s*\/XRef\b/.test(head)) {
      const [, root, generation] = /\/Root\s+([0-9]{1,10})\s+([0-9]{1,5})\s+R\b/.exec(head) ?? [];
      if (root !== undefined) roots.push({ number: Number(root), generation: Number(generation), at: match.index });
    }
    if (number !== null && number <= MAX_OBJECT_NUMBER) {
      const is = kindOf(data === null ? endingAt(text, /\bobj\b|endobj/g, from) : head);
      definitions.push({ number, generation: Number(match[2]), at: match.index, is });
    }
    // What looks like an object within a stream, such as an attached PDF, is none.
    if (data !== null) pattern.lastIndex = endOfData(text, data, head, lengths, lastEnd);
  }
  return { definitions, roots };
}

// The dictionaries of trailers, catalogs and object streams are short; only an index of objects can be long.
const MAX_HEAD = 65_536;

function endingAt(text: string, end: RegExp, from: number): string {
  const ending = new RegExp(end);
  ending.lastIndex = from;
  const to = ending.exec(text)?.index ?? text.length;
  return text.slice(from, Math.min(to, from + MAX_HEAD));
}

function kindOf(head: string): "object stream" | "catalog" | null {
  const plain = head.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (/\/Type\s*\/ObjStm\b/.test(plain)) return "object stream";
  return /\/Type\s*\/Catalog\b/.test(plain) ? "catalog" : null;
}

/** Where the data of the stream begins that an object is; null if it is no stream. */
function startOfData(text: string, from: number): number | null {
  const next = />>[\0\t\n\f\r ]*stream[\t ]*(?:\r\n?|\n)|\bendobj\b|[0-9][\0\t\n\f\r ]+obj\b/g;
  next.lastIndex = from;
  return next.exec(text)?.[0].startsWith(">>") ? next.lastIndex : null;
}

function endOfData(text: string, from: number, head: string, lengths: ReadonlyMap<string | undefined, number>, last: number): number {
  const [, direct, isReference] = /\/Length\s+([0-9]{1,10})(\s+[0-9]{1,5}\s+R)?/.exec(head) ?? [];
  const stated = isReference === undefined ? Number(direct) : lengths.get(direct);
  if (stated !== undefined && /^\s{0,2}endstream/.test(text.slice(from + stated, from + stated + 16))) return from + stated;
  return from > last ? from : text.indexOf("endstream", from);
}

/** The objects in an object stream. */
function compressed(pdf: PDF, bytes: Uint8Array, { number, generation, at }: Definition): Definition[] {
  const stream = pdf.context.resolve(PdfRef.of(number, generation));
  const isHere = stream instanceof PdfStream && startsIn(stream, bytes, at);
  const [count, first] = isHere ? [resolve({ pdf }, stream.get("N")), resolve({ pdf }, stream.get("First"))] : [];
  if (!(isHere && count instanceof PdfNumber && first instanceof PdfNumber)) {
    throw new UnreadablePdf("unparseable", `object stream ${number} cannot be read, so that newer objects may be in it`);
  }
  const text = asBuffer(stream.getDecodedData()).toString("latin1");
  const pairs = (text.slice(0, first.value).match(/[0-9]+/g) ?? []).map(Number);
  return Array.from({ length: Math.min(count.value, pairs.length >> 1) }, (_, index) => {
    const [own, from, next] = [pairs[2 * index] ?? 0, pairs[2 * index + 1] ?? 0, pairs[2 * index + 3] ?? text.length];
    const is = kindOf(text.slice(first.value + from, first.value + Math.min(next, from + MAX_HEAD))) === "catalog" ? "catalog" : null;
    return { number: own, generation: 0, at, into: number, index, is };
  });
}

// libpdf's streams are views into the bytes of the file.
function startsIn(stream: PdfStream, bytes: Uint8Array, at: number): boolean {
  const { data } = stream;
  const offset = data.byteOffset - bytes.byteOffset;
  if (data.buffer !== bytes.buffer || offset < at) return false;
  return !/\bendobj\b/.test(asBuffer(bytes).toString("latin1", at, offset));
}

/** A catalog after the last trailer belongs to a revision whose trailer is lost. */
function assertOneCatalog(newest: ReadonlyMap<number, Definition>, root: PdfRef, after: number): void {
  for (const { number, at, is } of newest.values()) {
    if (is !== "catalog" || at < after || number === root.objectNumber) continue;
    const message = `the file has the catalogs ${root.objectNumber} and ${number}, and nothing says which is newer`;
    throw new UnreadablePdf("unparseable", message);
  }
}

function withReference(bytes: Uint8Array, newest: ReadonlyMap<number, Definition>, root: PdfRef): Uint8Array {
  const entries = [...newest.values()].sort((a, b) => a.number - b.number);
  const own = (entries.at(-1)?.number ?? 0) + 1;
  const rows = Buffer.alloc(9 * entries.length);
  for (const [row, { generation, at, into, index }] of entries.entries()) {
    rows.writeUInt8(into === undefined ? 1 : 2, 9 * row);
    rows.writeUInt32BE(into ?? at, 9 * row + 1);
    rows.writeUInt32BE(index ?? generation, 9 * row + 5);
  }
  const index = entries.map(({ number }) => `${number} 1`).join(" ");
  const dict = `/Type /XRef /W [1 4 4] /Index [${index}] /Size ${own + 1} /Root ${root.objectNumber} ${root.generation} R /Length ${rows.length}`;
  const head = Buffer.from(`\n${own} 0 obj\n<< ${dict} >>\nstream\n`, "latin1");
  const tail = Buffer.from(`\nendstream\nendobj\nstartxref\n${bytes.length + 1}\n%%EOF\n`, "latin1");
  return new Uint8Array(Buffer.concat([bytes, head, rows, tail]));
}
