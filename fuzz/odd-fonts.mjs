// Fonts with odd widths, matrices, encodings and programs.

import { oneOf } from "./mutate.mjs";
import { document, mostly, number, numbers, stream, text } from "./odd-values.mjs";

/** @typedef {import("./mutate.mjs").Next} Next */
/** @typedef {Record<number, string | { dict: string, data: Uint8Array }>} Objects */

const BASES = ["Helvetica", "Times-Roman", "Symbol", "ZapfDingbats", "ABCDEF+Any", "MS-Gothic", "", "#00"];
const SHOWN = ["(Sign here, Ann)", "({{Name;type=text}})", "<0041004200430020>", "<00>", "<FFFFFFFF>", "<8140 8E41>", "()", "<414>"];
const GLYPH_NAMES = [
  ...[
    "A",
    "space",
    "uni0041",
    "u1F600",
    "uniD800",
    "uni0041004200430044",
    "afii10017",
    "Euro",
    "f_f_i",
    "g12",
    "cid4242",
    ".notdef",
    "braceleft",
  ],
  ...["uniZZZZ", "u110000", "a".repeat(300), "#20", "A.alt.one"],
];
const CMAPS = [
  ...["Identity-H", "Identity-V", "UniGB-UCS2-H", "UniJIS-UTF16-V", "90ms-RKSJ-H", "GBK-EUC-H", "ETen-B5-V", "KSCms-UHC-H", "UniKS-UTF8-H"],
  ...["Nope", "WinAnsiEncoding", "#49dentity-H"],
];
const ORDERINGS = ["Identity", "Japan1", "GB1", "CNS1", "Korea1", "KR", "UCS", "Nope"];

/** A page that shows text in an odd font. `program` is a TrueType font. @param {Next} next @param {Buffer} program */
export function oddFont(next, program) {
  const make = oneOf([simple, simple, composite, composite, type3], next);
  const fonts = "/F2 20 0 R";
  const sizes = ["12", "1", "-12", "0", "0.0001", "1e308", number(next)];
  const shows = Array.from({ length: 1 + next(4) }, () => {
    const shown = oneOf(SHOWN, next);
    return oneOf(
      [`${shown} Tj`, `[${shown} ${number(next)} ${shown}] TJ`, `${shown} '`, `${number(next)} ${number(next)} ${shown} "`],
      next,
    );
  });
  const state = oneOf(["", "50 Tz", "0 Tz", "3 Tr", "1e308 Tc", "5 Ts", "-1 0 0 1 300 0 Tm", "0 0 0 0 0 0 Tm", `${number(next)} Tw`], next);
  const content = `BT /F2 ${mostly(
    next,
    () => "12",
    () => oneOf(sizes, next),
  )} Tf 72 700 Td 14 TL ${state} ${shows.join(" ")} ET BT /F1 12 Tf 72 400 Td (after) Tj ET`;
  return document({ content, fonts, objects: make(next, program) });
}

/** @param {Next} next @param {Buffer} program @returns {Objects} */
function simple(next, program) {
  return {
    20: `<< /Type /Font /Subtype /${oneOf(["Type1", "TrueType", "MMType1", "Nope"], next)} /BaseFont /${oneOf(BASES, next)} ${widths(next)} ${next(2) === 0 ? `/Encoding ${encoding(next)}` : ""} ${next(2) === 0 ? "/ToUnicode 23 0 R" : ""} ${next(4) > 0 ? "/FontDescriptor 22 0 R" : ""} >>`,
    22: descriptor(next),
    23: toUnicode(next),
    24: fontFile(next, program),
  };
}

/** @param {Next} next @param {Buffer} program @returns {Objects} */
function composite(next, program) {
  const cmap = oneOf([`/${oneOf(CMAPS, next)}`, `/${oneOf(CMAPS, next)}`, "26 0 R", "23 0 R", "null"], next);
  const descendants = mostly(
    next,
    () => "[21 0 R]",
    () => oneOf(["[]", "21 0 R", "[20 0 R]", "[21 0 R 21 0 R]", "[99 0 R]", "20 0 R"], next),
  );
  const map = oneOf(
    ["", "/CIDToGIDMap /Identity", "/CIDToGIDMap 25 0 R", "/CIDToGIDMap 25 0 R", "/CIDToGIDMap /Nope", "/CIDToGIDMap 20 0 R"],
    next,
  );
  const system = `<< /Registry ${oneOf(["(Adobe)", "()", "1"], next)} /Ordering (${oneOf(ORDERINGS, next)}) /Supplement ${number(next)} >>`;
  const metrics = [
    next(2) === 0 ? `/DW ${number(next)}` : "",
    next(2) === 0 ? `/W ${cidWidths(next)}` : "",
    next(4) === 0 ? `/W2 ${cidWidths(next)}` : "",
    next(4) === 0 ? `/DW2 ${numbers(next, 2)}` : "",
  ].join(" ");
  return {
    20: `<< /Type /Font /Subtype /Type0 /BaseFont /${oneOf(BASES, next)} /Encoding ${cmap} /DescendantFonts ${descendants} ${next(2) === 0 ? "/ToUnicode 23 0 R" : next(3) === 0 ? "/ToUnicode /Identity-H" : ""} >>`,
    21: `<< /Type /Font /Subtype /${oneOf(["CIDFontType2", "CIDFontType0", "Type0", "Nope"], next)} /BaseFont /Any /CIDSystemInfo ${system} ${metrics} ${map} /FontDescriptor 22 0 R >>`,
    22: descriptor(next),
    23: toUnicode(next),
    24: fontFile(next, program),
    25: stream("", Buffer.alloc(oneOf([0, 1, 2, 255, 1_000, 131_072, 140_001], next), next(256))),
    26: cmapStream(next),
  };
}

/** @param {Next} next @returns {Objects} */
function type3(next) {
  const matrix = mostly(
    next,
    () => oneOf(["[0.001 0 0 0.001 0 0]", "[0.00048828125 0 0 0.00048828125 0 0]", "[1 0 0 1 0 0]"], next),
    () =>
      oneOf(
        [
          "[0 0 0 0 0 0]",
          "[0.000004 0 0 0.000004 0 0]",
          "[1 1 1 1 0 0]",
          "[1e308 0 0 1e308 0 0]",
          "[-0.001 0 0 -0.001 9 9]",
          numbers(next, 6),
          "",
        ],
        next,
      ),
  );
  const glyphs = [
    "600 0 0 0 600 700 d1 0 0 600 700 re f",
    "600 0 d0 /F2 12 Tf (A) Tj",
    "BT /F2 1 Tf (A) Tj ET",
    "",
    "q q",
    "1e308 0 d0 0 0 1 1 re f",
    "/Self Do",
  ];
  return {
    20: `<< /Type /Font /Subtype /Type3 /FontBBox ${numbers(next, 4)} ${matrix === "" ? "" : `/FontMatrix ${matrix}`} ${widths(next)} /Encoding ${encoding(next)} /CharProcs << /A 21 0 R /space 21 0 R /S 25 0 R /i 21 0 R /uni0041 21 0 R >> ${oneOf(["/Resources << >>", "/Resources << /Font << /F2 20 0 R >> >>", "/Resources 20 0 R", ""], next)} ${next(2) === 0 ? "/ToUnicode 23 0 R" : ""} >>`,
    21: stream("", oneOf(glyphs, next)),
    23: toUnicode(next),
    25: stream("", oneOf(glyphs, next)),
  };
}

/** @param {Next} next */
function widths(next) {
  const [first, last] = [mostly(next, () => "32", () => number(next)), mostly(next, () => "126", () => number(next))]; // biome-ignore format: a pair
  const list = oneOf([numbers(next, 95), numbers(next, 95), `[${"500 ".repeat(70_000)}]`, "[(wide) /wide null]", "22 0 R", "null"], next);
  return next(6) === 0 ? "" : `/FirstChar ${first} /LastChar ${last} /Widths ${list}`;
}

/** @param {Next} next */
function cidWidths(next) {
  return oneOf(
    [
      "[0 [500 600 700] 10 20 800]",
      "[0 65535 1000]",
      "[0 [500] 5]",
      "[5 1 500]",
      "[-1 [500]]",
      "[0 4294967295 500]",
      "[[500]]",
      "[0 [1e308 NaN]]",
      numbers(next, 3),
      "[]",
    ],
    next,
  );
}

/** @param {Next} next */
function encoding(next) {
  const base = oneOf(
    ["", "/BaseEncoding /WinAnsiEncoding", "/BaseEncoding /MacRomanEncoding", "/BaseEncoding /MacExpertEncoding", "/BaseEncoding /Nope"],
    next,
  );
  const differences = Array.from({ length: oneOf([0, 2, 20, 3_000], next) }, () =>
    next(4) === 0 ? oneOf(["0", "65", "255", "256", "-1", "70000", "1e9", "(x)", "null"], next) : `/${oneOf(GLYPH_NAMES, next)}`,
  );
  return mostly(
    next,
    () => oneOf(["/WinAnsiEncoding", "/MacRomanEncoding", `<< ${base} /Differences [65 ${differences.join(" ")}] >>`], next),
    () =>
      oneOf(
        ["/Nope", `<< /Differences [${differences.join(" ")}] >>`, "<< /Differences 65 >>", "<< >>", "[65 /A]", "20 0 R", "(text)"],
        next,
      ),
  );
}

const MAPPINGS = [
  "1 beginbfrange <0000> <FFFF> <0000> endbfrange",
  "1 beginbfrange <00> <FF> <0000> endbfrange",
  "1 beginbfrange <0041> <0043> [<0041> <0042>] endbfrange",
  "1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange",
  "1 beginbfrange <0043> <0041> <0041> endbfrange",
  "1 beginbfrange <41> <0043> <FFFF> endbfrange",
  "2 beginbfchar <41> <D83DDE00> <42> <D83D> endbfchar",
  "1 beginbfchar <0041> <> endbfchar",
  `1 beginbfchar <0041> <${"0041".repeat(2_000)}> endbfchar`,
  "1 beginbfchar <41> /Euro endbfchar",
  "1 beginbfchar <41> (text) endbfchar",
  "99 beginbfchar <41>",
  "1 begincidrange <0000> <FFFF> 0 endcidrange",
  "1 begincidrange <0000> <FFFFFFFF> 4294967295 endcidrange",
  "1 begincidchar <8140> 633 endcidchar",
  "1 beginnotdefrange <00> <FF> 1 endnotdefrange",
  "/Identity-H usecmap",
  "/Self usecmap",
  "endbfrange endbfchar endcidrange",
  "[ [ [ << << ( <",
];
const CODESPACES = [
  "<00> <FF>",
  "<0000> <FFFF>",
  "<00> <80> <8140> <FEFE>",
  "<00000000> <FFFFFFFF>",
  "<FF> <00>",
  "<00> <FFFF>",
  "<> <>",
  "<0000000000> <FFFFFFFFFF>",
  "",
];

/** @param {Next} next */
function mappings(next) {
  return Array.from({ length: 1 + next(3) }, () => oneOf(MAPPINGS, next)).join("\n");
}

/** @param {Next} next */
function toUnicode(next) {
  const space = oneOf(CODESPACES, next);
  const cmap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange ${space} endcodespacerange ${mappings(next)} endcmap end end`;
  return stream(
    "",
    mostly(
      next,
      () => cmap,
      () => cmap.slice(0, next(cmap.length)),
    ),
  );
}

/** @param {Next} next */
function cmapStream(next) {
  const parent = oneOf(["", "", "/UseCMap /Identity-H", "/UseCMap 26 0 R", "/UseCMap 23 0 R", "/UseCMap (x)"], next);
  return {
    ...toUnicode(next),
    dict: `/Type /CMap /CMapName /X /CIDSystemInfo << /Registry (Adobe) /Ordering ${text(next)} /Supplement 0 >> /WMode ${number(next)} ${parent}`,
  };
}

/** @param {Next} next */
function descriptor(next) {
  const file = oneOf(
    ["", "/FontFile 24 0 R", "/FontFile2 24 0 R", "/FontFile2 24 0 R", "/FontFile3 24 0 R", "/FontFile2 22 0 R", "/FontFile3 (x)"],
    next,
  );
  return `<< /Type /FontDescriptor /FontName /Any /Flags ${number(next)} /FontBBox ${numbers(next, 4)} /ItalicAngle ${number(next)} /Ascent ${number(next)} /Descent ${number(next)} /CapHeight ${number(next)} /StemV ${number(next)} /MissingWidth ${number(next)} ${file} >>`;
}

const TYPE1 =
  "%!PS-AdobeFont-1.0: Any\n/FontMatrix [0.001 0 0 0.001 0 0] readonly def\n/Encoding 256 array dup 65 /A put dup 999 /B put readonly def\ncurrentfile eexec\n";
// A CFF font of two glyphs would be long; these are its header and indexes, cut and miscounted.
const CFF = ["01000401", "0100040100010101044142430001010113", "01000404ffffffffffffffff", "0100040100000000", "0200050000"];

/** A font program: whole, cut, damaged, or of another kind than stated. @param {Next} next @param {Buffer} program */
function fontFile(next, program) {
  const kind = next(6);
  const dict = `/Length1 ${number(next)} /Length2 ${number(next)} /Subtype /${oneOf(["Type1C", "CIDFontType0C", "OpenType", "Nope"], next)}`;
  if (kind === 0) return stream(dict, TYPE1.slice(0, 1 + next(TYPE1.length)) + "\x80\x02\xff".repeat(next(50)));
  if (kind === 1) return stream(dict, Buffer.concat([Buffer.from(oneOf(CFF, next), "hex"), Buffer.alloc(next(300), next(256))]));
  // The tables that are read lie in the first half.
  const whole = Buffer.from(program.subarray(0, kind === 2 ? next(400) : next(program.length)));
  for (let left = kind === 3 ? 0 : next(12); left > 0 && whole.length > 0; left--) whole[next(Math.min(whole.length, 400))] = next(256);
  for (let left = kind === 5 ? next(60) : 0; left > 0 && whole.length > 0; left--)
    whole[next(whole.length)] = oneOf([0, 1, 127, 128, 255], next);
  return stream(dict, whole);
}
