// Embeds the fonts that a drawing uses in the document (ISO 32000-2, 9.7): each once, with only the glyphs in use, and with the
// characters they represent, so that stamped text can be searched and copied.

import { createHash } from "node:crypto";
import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfRef, PdfStream, PdfString } from "@libpdf/core";
import { type Doc, register } from "../doc.ts";
import type { Face } from "./face.ts";
import { glyphCount, subsetFont } from "./subset-font.ts";

/** Glyphs are numbered in order of use. An unused font leaves no trace in the document. */
export type FontBook = {
  /** The two-byte code of a glyph in hex; `text` is what it represents. */
  readonly code: (face: Face, glyph: number, text: string) => string;
  /** The reference to the font in the document. */
  readonly refOf: (face: Face) => PdfRef;
  /** Writes the fonts; no glyph may be added after that. */
  readonly finish: () => void;
};

type Coded = { readonly code: string; readonly glyph: number; readonly text: string };

/** Keyed by glyph and text: a glyph that represents two characters gets a code for each, so that each is extracted correctly. */
type Entry = { readonly ref: PdfRef; readonly dict: PdfDict; readonly coded: Map<string, Coded> };

// Not fixed pitch, not serif; symbolic, since the codes are our own (ISO 32000-2, table 121).
const SYMBOLIC = 4;
// Required, but has no effect while the font is embedded.
const STEM_WIDTH = 80;

export function openFontBook(doc: Pick<Doc, "pdf">): FontBook {
  const entries = new Map<Face, Entry>();
  const entryOf = (face: Face): Entry => {
    const known = entries.get(face);
    if (known !== undefined) return known;
    const dict = PdfDict.of({ Type: PdfName.of("Font") });
    const entry: Entry = { ref: register(doc, dict), dict, coded: new Map([["", { code: hex(0), glyph: 0, text: "" }]]) };
    entries.set(face, entry);
    return entry;
  };
  return {
    code(face, glyph, text) {
      const { coded } = entryOf(face);
      const key = `${glyph} ${text}`;
      const known = coded.get(key) ?? { code: hex(coded.size), glyph, text };
      coded.set(key, known);
      return known.code;
    },
    refOf: (face) => entryOf(face).ref,
    finish() {
      for (const [face, entry] of entries) writeFont(doc, face, entry);
    },
  };
}

const hex = (code: number): string => code.toString(16).padStart(4, "0").toUpperCase();

function writeFont(doc: Pick<Doc, "pdf">, face: Face, { dict, coded }: Entry): void {
  const glyphs = [...coded.values()];
  const program = subsetFont(
    face,
    glyphs.map(({ glyph }) => glyph),
  );
  const name = PdfName.of(`${tagOf(program)}+${face.name}`);
  const file = new PdfStream(PdfDict.of({ Length1: PdfNumber.of(program.length) }), program);
  const descriptor = PdfDict.of({
    Type: PdfName.of("FontDescriptor"),
    FontName: name,
    Flags: PdfNumber.of(SYMBOLIC),
    FontBBox: numberArray(face.bbox),
    ItalicAngle: PdfNumber.of(0),
    Ascent: PdfNumber.of(face.ascent),
    Descent: PdfNumber.of(face.descent),
    CapHeight: PdfNumber.of(face.cap_height),
    StemV: PdfNumber.of(STEM_WIDTH),
    FontFile2: register(doc, file),
    CIDSet: register(doc, new PdfStream(new PdfDict(), cidSet(glyphCount(program)))),
  });
  const widths = glyphs.map(({ glyph }) => Math.round(1000 * face.widthOf(glyph)));
  const descendant = PdfDict.of({
    Type: PdfName.of("Font"),
    Subtype: PdfName.of("CIDFontType2"),
    BaseFont: name,
    CIDSystemInfo: PdfDict.of({
      Registry: PdfString.fromString("Adobe"),
      Ordering: PdfString.fromString("Identity"),
      Supplement: PdfNumber.of(0),
    }),
    FontDescriptor: register(doc, descriptor),
    DW: PdfNumber.of(widths[0] ?? 0),
    W: new PdfArray([PdfNumber.of(0), numberArray(widths)]),
    CIDToGIDMap: PdfName.of("Identity"),
  });
  dict.set("Subtype", PdfName.of("Type0"));
  dict.set("BaseFont", name);
  dict.set("Encoding", PdfName.of("Identity-H"));
  dict.set("DescendantFonts", new PdfArray([register(doc, descendant)]));
  dict.set("ToUnicode", register(doc, new PdfStream(new PdfDict(), Buffer.from(toUnicode(glyphs)))));
}

/** All glyphs of the subset, one bit each, the first in the highest bit (ISO 19005-1, 6.3.5; ISO 32000-1, table 124). */
function cidSet(count: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(count / 8)).fill(0xff);
  if (count % 8 !== 0) bits[bits.length - 1] = (0xff << (8 - (count % 8))) & 0xff;
  return bits;
}

// The six-letter prefix of a subset's name; the same subset always gets the same letters.
function tagOf(program: Uint8Array): string {
  const digest = createHash("sha256").update(program).digest();
  return String.fromCharCode(...digest.subarray(0, 6).map((byte) => 65 + (byte % 26)));
}

const numberArray = (values: readonly number[]): PdfArray => new PdfArray(values.map((value) => PdfNumber.of(value)));

// The maximum number of mappings in one block of a CMap (Adobe Technical Note 5014).
const MAPPINGS_A_BLOCK = 100;

function toUnicode(glyphs: readonly Coded[]): string {
  const mappings = glyphs.filter(({ text }) => text !== "").map(({ code, text }) => `<${code}> <${utf16(text)}>`);
  const blocks: string[] = [];
  for (let at = 0; at < mappings.length; at += MAPPINGS_A_BLOCK) {
    const block = mappings.slice(at, at + MAPPINGS_A_BLOCK);
    blocks.push(`${block.length} beginbfchar\n${block.join("\n")}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
${blocks.join("\n")}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

/** UTF-16, big-endian, in hex. */
export const utf16 = (text: string): string => Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase();
