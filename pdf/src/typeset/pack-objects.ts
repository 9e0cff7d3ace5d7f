// Puts the objects of a file that libpdf has just written into object streams (ISO 32000-2, 7.5.7), because libpdf has none: the structure of
// a long audit trail has 50,000 small objects, which are four fifths of the file and compress to a tenth.

import { deflateSync } from "node:zlib";
import { asBuffer } from "../sniff.ts";

// Small documents stay as they are: they would save a few kilobytes.
const FROM_OBJECTS = 1_000;
// A reader inflates a whole stream for one object. More objects compress little better.
const OBJECTS_A_STREAM = 200;

type Placed = { readonly number: number; readonly offset: number; readonly body: Buffer };

/** An entry of the cross-reference stream (table 18): its type, and two fields. */
type Entry = readonly [type: 0 | 1 | 2, second: number, third: number];

const OBJECT_END = "\nendobj\n";

/** The same document, shorter. Expects one revision with a cross-reference table, and no encryption. */
export function packObjects(bytes: Uint8Array): Uint8Array {
  const file = asBuffer(bytes);
  const { objects, trailer, header } = readFile(file);
  if (objects.length < FROM_OBJECTS) return bytes;
  const parts: Buffer[] = [header];
  let at = header.length;
  const entries = new Map<number, Entry>([[0, [0, 0, 65_535]]]);
  const put = (number: number, body: Buffer): void => {
    const whole = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from(OBJECT_END)]);
    entries.set(number, [1, at, 0]);
    parts.push(whole);
    at += whole.length;
  };
  const plain = objects.filter(({ body }) => !isStream(body));
  for (const { number, body } of objects) if (isStream(body)) put(number, body);
  let next = Math.max(...objects.slice(-1).map(({ number }) => number)) + 1;
  for (let from = 0; from < plain.length; from += OBJECTS_A_STREAM) {
    const together = plain.slice(from, from + OBJECTS_A_STREAM);
    for (const [index, { number }] of together.entries()) entries.set(number, [2, next, index]);
    put(next++, objectStream(together));
  }
  const start = at;
  entries.set(next, [1, start, 0]);
  put(next, crossReferences(entries, next + 1, trailer));
  return Buffer.concat([...parts, Buffer.from(`startxref\n${start}\n%%EOF\n`)]);
}

// A string, which may end with this word, ends with a bracket.
const isStream = (body: Buffer): boolean => body.subarray(-9).toString("latin1") === "endstream";

function readFile(file: Buffer): { objects: Placed[]; trailer: string; header: Buffer } {
  const last = /startxref\n(\d+)\n%%EOF\n$/.exec(file.toString("latin1", file.length - 40));
  const table = Number(last?.[1]);
  const text = file.toString("latin1", table);
  const [, head = "", lines = "", trailer] =
    /^xref\n(0 \d+)\n((?:\d{10} \d{5} [nf]\r\n)+)trailer\n<<([\s\S]*)>>\nstartxref\n/.exec(text) ?? [];
  if (trailer === undefined) throw new Error("libpdf wrote another cross-reference table");
  const offsets = lines
    .split("\r\n")
    .slice(1, -1)
    .map((line) => Number(line.slice(0, 10)));
  if (head !== `0 ${offsets.length + 1}`) throw new Error("libpdf left numbers of objects out");
  const objects = offsets.map((offset, index): Placed => {
    const number = index + 1;
    const start = `${number} 0 obj\n`;
    const end = offsets[index + 1] ?? table;
    const isWhole =
      file.toString("latin1", offset, offset + start.length) === start &&
      file.toString("latin1", end - OBJECT_END.length, end) === OBJECT_END;
    if (!isWhole) throw new Error(`object ${number} is not where libpdf says`);
    return { number, offset, body: file.subarray(offset + start.length, end - OBJECT_END.length) };
  });
  return { objects, trailer, header: file.subarray(0, offsets[0] ?? table) };
}

function objectStream(objects: readonly Placed[]): Buffer {
  let at = 0;
  const index = objects.map(({ number, body }) => {
    const place = `${number} ${at}`;
    at += body.length + 1;
    return place;
  });
  const head = Buffer.from(`${index.join(" ")}\n`);
  const content = Buffer.concat([head, ...objects.flatMap(({ body }) => [body, Buffer.from("\n")])]);
  return stream(`/Type /ObjStm /N ${objects.length} /First ${head.length}`, content);
}

function crossReferences(entries: ReadonlyMap<number, Entry>, size: number, trailer: string): Buffer {
  const table = Buffer.alloc(size * 7);
  for (const [number, [type, second, third]] of entries) {
    table.writeUInt8(type, number * 7);
    table.writeUInt32BE(second, number * 7 + 1);
    table.writeUInt16BE(third, number * 7 + 5);
  }
  return stream(`/Type /XRef /W [1 4 2] /Size ${size}${trailer.replace(/\/Size \d+/, "")}`, table);
}

function stream(entries: string, content: Buffer): Buffer {
  const data = deflateSync(content);
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Filter /FlateDecode /Length ${data.length} >>\nstream\n`, "latin1"),
    data,
    Buffer.from("\nendstream"),
  ]);
}
