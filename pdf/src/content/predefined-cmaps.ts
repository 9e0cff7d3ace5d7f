// The predefined CMaps (ISO 32000-2, table 116): codes of one to four bytes in the encodings of East Asia, and their CIDs. The text of a
// code is that of its CID in the CMap's character collection; codes that are Unicode are their own text.

import { type CMap, type CodeRange, parseCMap } from "./cmap.ts";
import { type Collection, cidOfText, isCollection, readTable, textOfCid } from "./collections.ts";

/** The number of bytes of the code at `at`; a number if all codes have the same length. */
export type CodeLength = number | ((bytes: Uint8Array, at: number) => number);

export type PredefinedCMap = {
  readonly vertical: boolean;
  readonly length: CodeLength;
  readonly text: (code: number, length: number) => string;
  readonly cid: (code: number, length: number) => number | undefined;
};

const known = new Map<string, PredefinedCMap | null>();

// The table of names has fewer than 200 entries; a document can name any number of others.
const MAX_KNOWN = 500;

/** Null if the name is not predefined. `Identity-H`: two bytes, the code is the CID. */
export function predefinedCMap(name: string): PredefinedCMap | null {
  const found = known.get(name);
  if (found !== undefined) return found;
  const cmap = findCMap(name);
  if (known.size < MAX_KNOWN) known.set(name, cmap);
  return cmap;
}

function findCMap(name: string): PredefinedCMap | null {
  const vertical = /(^|-)V$/.test(name);
  if (/^Identity-[HV]$/.test(name)) return { vertical, length: 2, text: () => "", cid: (code) => code };
  const [, script = "", form = "", half] = /^Uni(JIS|GB|CNS|KS|AKR)\w*?-(UCS2|UTF8|UTF16|UTF32)(-HW)?-[HV]$/.exec(name) ?? [];
  const collection = ({ JIS: "Japan1", GB: "GB1", CNS: "CNS1", KS: "Korea1", AKR: "KR" } as const)[script];
  return collection === undefined ? tableCMap(name) : unicodeCMap(form, vertical, collection, half === undefined ? null : HALF_WIDTH_SPACE);
}

// The CID of the half-width space of Japan1; the rest of ASCII follows.
const HALF_WIDTH_SPACE = 231;

function tableCMap(name: string): PredefinedCMap | null {
  const table = readTable(`${name}.cmap`);
  if (table === null) return null;
  const split = table.indexOf(0x0a);
  const collection = Buffer.from(table.subarray(0, split)).toString("latin1");
  if (!isCollection(collection)) return null;
  const cmap: CMap = parseCMap(table.subarray(split + 1));
  const base = cmap.base === null ? null : predefinedCMap(cmap.base);
  const cid = (code: number, length: number): number | undefined => cmap.cid(code) ?? base?.cid(code, length);
  return {
    vertical: cmap.vertical,
    length: cmap.codespaces.length === 0 ? (base?.length ?? 2) : codeLength(cmap.codespaces),
    text: (code, length) => textOfCid(collection, cid(code, length) ?? 0),
    cid,
  };
}

export function codeLength(ranges: readonly CodeRange[]): CodeLength {
  const lengths = [...new Set(ranges.map((range) => range.bytes))].sort((a, b) => a - b);
  const shortest = lengths[0] ?? 2;
  if (lengths.length === 1) return shortest;
  return (bytes, at) => lengths.find((length) => ranges.some((range) => range.bytes === length && isWithin(range, bytes, at))) ?? shortest;
}

// Ranges apply to each byte: <8140> to <9ffc> means 81 to 9f, then 40 to fc.
function isWithin({ bytes: length, low, high }: CodeRange, bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < length; i++) {
    const divisor = 256 ** (length - 1 - i);
    const byte = bytes[at + i];
    if (byte === undefined || byte < (Math.floor(low / divisor) & 255) || byte > (Math.floor(high / divisor) & 255)) return false;
  }
  return true;
}

function unicodeCMap(form: string, vertical: boolean, collection: Collection, halfWidth: number | null): PredefinedCMap {
  const text = (code: number, size: number): string => {
    if (form === "UTF16" && size === 4) return String.fromCharCode(code >>> 16, code & 0xffff);
    if (form === "UTF8") return new TextDecoder().decode(bytesOf(code, size));
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  };
  const length = (bytes: Uint8Array, at: number): number => {
    const lead = bytes[at] ?? 0;
    if (form === "UTF32") return 4;
    if (form === "UTF8") return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    return form === "UTF16" && lead >= 0xd8 && lead <= 0xdb ? 4 : 2;
  };
  const cid = (code: number, size: number): number | undefined => {
    if (halfWidth !== null && code >= 32 && code < 127) return halfWidth + code - 32;
    return cidOfText(collection, text(code, size));
  };
  return { vertical, length, text, cid };
}

function bytesOf(code: number, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => Math.floor(code / 256 ** (size - 1 - i)) & 255);
}
