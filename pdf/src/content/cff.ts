// Reads the built-in encoding of a CFF font program (Adobe Technical Note 5176): code to glyph name, for fonts without an encoding in the
// PDF.

import { encodings } from "./encodings.ts";

// The standard strings of CFF (appendix A).
const standardStrings = `
.notdef space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk plus comma hyphen period slash
zero one two three four five six seven eight nine colon semicolon less equal greater question at A B C D E F G H I J K L M N O P Q R S T U
V W X Y Z bracketleft backslash bracketright asciicircum underscore quoteleft a b c d e f g h i j k l m n o p q r s t u v w x y z
braceleft bar braceright asciitilde exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft
guilsinglleft guilsinglright fi fl endash dagger daggerdbl periodcentered paragraph bullet quotesinglbase quotedblbase quotedblright
guillemotright ellipsis perthousand questiondown grave acute circumflex tilde macron breve dotaccent dieresis ring cedilla hungarumlaut
ogonek caron emdash AE ordfeminine Lslash Oslash OE ordmasculine ae dotlessi lslash oslash oe germandbls onesuperior logicalnot mu
trademark Eth onehalf plusminus Thorn onequarter divide brokenbar degree thorn threequarters twosuperior registered minus eth multiply
threesuperior copyright Aacute Acircumflex Adieresis Agrave Aring Atilde Ccedilla Eacute Ecircumflex Edieresis Egrave Iacute Icircumflex
Idieresis Igrave Ntilde Oacute Ocircumflex Odieresis Ograve Otilde Scaron Uacute Ucircumflex Udieresis Ugrave Yacute Ydieresis Zcaron
aacute acircumflex adieresis agrave aring atilde ccedilla eacute ecircumflex edieresis egrave iacute icircumflex idieresis igrave ntilde
oacute ocircumflex odieresis ograve otilde scaron uacute ucircumflex udieresis ugrave yacute ydieresis zcaron exclamsmall
Hungarumlautsmall dollaroldstyle dollarsuperior ampersandsmall Acutesmall parenleftsuperior parenrightsuperior twodotenleader
onedotenleader zerooldstyle oneoldstyle twooldstyle threeoldstyle fouroldstyle fiveoldstyle sixoldstyle sevenoldstyle eightoldstyle
nineoldstyle commasuperior threequartersemdash periodsuperior questionsmall asuperior bsuperior centsuperior dsuperior esuperior isuperior
lsuperior msuperior nsuperior osuperior rsuperior ssuperior tsuperior ff ffi ffl parenleftinferior parenrightinferior Circumflexsmall
hyphensuperior Gravesmall Asmall Bsmall Csmall Dsmall Esmall Fsmall Gsmall Hsmall Ismall Jsmall Ksmall Lsmall Msmall Nsmall Osmall Psmall
Qsmall Rsmall Ssmall Tsmall Usmall Vsmall Wsmall Xsmall Ysmall Zsmall colonmonetary onefitted rupiah Tildesmall exclamdownsmall
centoldstyle Lslashsmall Scaronsmall Zcaronsmall Dieresissmall Brevesmall Caronsmall Dotaccentsmall Macronsmall figuredash hypheninferior
Ogoneksmall Ringsmall Cedillasmall questiondownsmall oneeighth threeeighths fiveeighths seveneighths onethird twothirds zerosuperior
foursuperior fivesuperior sixsuperior sevensuperior eightsuperior ninesuperior zeroinferior oneinferior twoinferior threeinferior
fourinferior fiveinferior sixinferior seveninferior eightinferior nineinferior centinferior dollarinferior periodinferior commainferior
Agravesmall Aacutesmall Acircumflexsmall Atildesmall Adieresissmall Aringsmall AEsmall Ccedillasmall Egravesmall Eacutesmall
Ecircumflexsmall Edieresissmall Igravesmall Iacutesmall Icircumflexsmall Idieresissmall Ethsmall Ntildesmall Ogravesmall Oacutesmall
Ocircumflexsmall Otildesmall Odieresissmall OEsmall Oslashsmall Ugravesmall Uacutesmall Ucircumflexsmall Udieresissmall Yacutesmall
Thornsmall Ydieresissmall 001.000 001.001 001.002 001.003 Black Bold Book Light Medium Regular Roman Semibold
`
  .trim()
  .split(/\s+/);

const CHARSET = 15;
const ENCODING = 16;
const CHAR_STRINGS = 17;

/** Null if the bytes are not a CFF font, or are one whose codes are CIDs. */
export function cffEncoding(bytes: Uint8Array): readonly (string | undefined)[] | null {
  try {
    return readEncoding(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (error instanceof RangeError) return null; // an offset points outside the data
    throw error;
  }
}

function readEncoding(view: DataView): readonly (string | undefined)[] | null {
  if (view.byteLength < 4 || view.getUint8(0) !== 1) return null;
  const names = readIndex(view, view.getUint8(2));
  const tops = readIndex(view, names.end);
  const strings = readIndex(view, tops.end);
  const top = readDict(view, tops.items[0] ?? [0, 0]);
  const charStrings = top.get(CHAR_STRINGS);
  if (charStrings === undefined) return null;
  const encoding = top.get(ENCODING) ?? 0;
  if (encoding < 2) return encodings.StandardEncoding;
  const glyphs = readCharset(view, top.get(CHARSET) ?? 0, view.getUint16(charStrings));
  const nameOf = (sid: number): string | undefined => {
    const item = strings.items[sid - standardStrings.length];
    return standardStrings[sid] ?? (item === undefined ? undefined : latin1(view, item));
  };
  return codesOf(view, encoding).map((glyph) => (glyph === undefined ? undefined : nameOf(glyphs[glyph] ?? 0)));
}

type Item = readonly [from: number, to: number];

const latin1 = (view: DataView, [from, to]: Item): string => Buffer.from(view.buffer, view.byteOffset + from, to - from).toString("latin1");

function readIndex(view: DataView, at: number): { items: Item[]; end: number } {
  const count = view.getUint16(at);
  if (count === 0) return { items: [], end: at + 2 };
  const size = view.getUint8(at + 2);
  const offset = (i: number): number => {
    let value = 0;
    for (let k = 0; k < size; k++) value = value * 256 + view.getUint8(at + 3 + i * size + k);
    return value;
  };
  const base = at + 2 + (count + 1) * size;
  const items = Array.from({ length: count }, (_, i): Item => [base + offset(i), base + offset(i + 1)]);
  return { items, end: base + offset(count) };
}

/** Maps each operator to its last integer operand; nothing else is needed here. */
function readDict(view: DataView, [from, to]: Item): Map<number, number> {
  const entries = new Map<number, number>();
  let operand = 0;
  for (let at = from; at < to; ) {
    const byte = view.getUint8(at++);
    if (byte === 12) at++;
    else if (byte < 22) entries.set(byte, operand);
    else if (byte === 28) {
      operand = view.getInt16(at);
      at += 2;
    } else if (byte === 29) {
      operand = view.getInt32(at);
      at += 4;
    } else if (byte === 30) while (at < to && (view.getUint8(at++) & 15) !== 15);
    else if (byte < 247) operand = byte - 139;
    else operand = byte < 251 ? (byte - 247) * 256 + view.getUint8(at++) + 108 : -(byte - 251) * 256 - view.getUint8(at++) - 108;
  }
  return entries;
}

/** Maps glyphs to string IDs. The predefined ISOAdobe charset counts up; the expert charsets contain no letters. */
function readCharset(view: DataView, offset: number, glyphs: number): number[] {
  if (offset < 3) return Array.from({ length: glyphs }, (_, glyph) => glyph);
  const sids = [0];
  const format = view.getUint8(offset);
  for (let at = offset + 1; sids.length < glyphs; ) {
    const first = view.getUint16(at);
    const more = format === 0 ? 0 : format === 1 ? view.getUint8(at + 2) : view.getUint16(at + 2);
    for (let i = 0; i <= more && sids.length < glyphs; i++) sids.push(first + i);
    at += format === 0 ? 2 : format === 1 ? 3 : 4;
  }
  return sids;
}

/** Maps codes to glyphs. */
function codesOf(view: DataView, offset: number): (number | undefined)[] {
  const codes = new Array<number | undefined>(256).fill(undefined);
  const format = view.getUint8(offset) & 127;
  const count = view.getUint8(offset + 1);
  let glyph = 1;
  for (let i = 0; i < count; i++) {
    const first = view.getUint8(offset + 2 + (format === 0 ? i : 2 * i));
    const more = format === 0 ? 0 : view.getUint8(offset + 3 + 2 * i);
    for (let code = first; code <= first + more && code < 256; code++) codes[code] = glyph++;
  }
  return codes;
}
