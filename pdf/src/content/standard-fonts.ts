// The fonts that a PDF may use without embedding them (ISO 32000-2, 9.6.2.2): widths and line box, from Adobe's metrics. `=278,333 name`
// gives the widths, in thousandths of the font size, of the names that follow.

// Six widths each: Helvetica, Helvetica-Bold, Times-Roman, -Bold, -Italic, -BoldItalic. Oblique fonts are as wide as upright ones.
const text = `
=1000,1000,1000,1000,1000,1000 perthousand =1000,1000,1000,1000,889,1000 ellipsis emdash =1000,1000,889,1000,889,944 AE
=1000,1000,889,1000,944,944 OE =1000,1000,980,1000,980,1000 trademark =1015,975,921,930,920,832 at =167,167,167,167,167,167 fraction
=191,238,180,278,214,278 quotesingle =222,278,278,278,278,278 i l lslash lacute lcommaaccent iogonek =222,278,278,333,278,278 j
=222,278,333,333,333,333 quoteright quoteleft quotesinglbase =250,250,250,250,250,250 commaaccent =260,280,200,220,275,220 bar brokenbar
=278,278,250,250,250,250 space comma period periodcentered =278,278,278,278,278,278 slash backslash dotlessi iacute icircumflex idieresis
igrave imacron =278,278,333,389,333,389 I Idieresis Iacute Idotaccent Igrave Imacron Iogonek Icircumflex =278,333,278,333,278,278 t
tcommaaccent =278,333,278,333,333,333 colon semicolon =278,333,333,333,278,333 f =278,333,333,333,333,389 exclam =278,333,333,333,389,333
bracketleft bracketright =299,400,344,394,300,382 lcaron =317,389,326,416,300,366 tcaron =333,333,300,300,300,300 threesuperior
twosuperior onesuperior =333,333,333,333,333,333 parenleft parenright hyphen guilsinglleft guilsinglright grave acute circumflex tilde
macron breve dotaccent dieresis ring cedilla hungarumlaut ogonek caron =333,333,333,333,389,389 exclamdown =333,389,333,444,389,389 r
rcaron racute rcommaaccent =333,500,444,500,556,500 quotedblleft quotedblbase quotedblright =334,389,480,394,400,348 braceleft braceright
=350,350,350,350,350,350 bullet =355,474,408,555,420,555 quotedbl =365,365,310,330,310,300 ordmasculine =370,370,276,300,276,266
ordfeminine =389,389,500,500,500,500 asterisk =400,400,400,400,400,400 degree =453,549,453,549,453,549 radical =469,584,469,581,422,570
asciicircum =471,494,471,494,471,494 lozenge =476,494,476,494,476,494 partialdiff =500,500,444,444,389,389 z zacute zdotaccent zcaron
=500,556,389,389,389,389 s scommaaccent scaron scedilla sacute =500,556,389,500,444,500 J =500,556,444,444,444,444 c ccaron ccedilla
cacute =500,556,500,500,444,444 v y yacute ydieresis =500,556,500,500,444,500 x =500,556,500,556,444,500 k kcommaaccent
=500,611,556,556,500,556 fi fl =537,556,453,540,523,500 paragraph =549,549,549,549,549,549 greaterequal lessequal notequal
=556,556,444,444,444,444 e eacute ecaron ecircumflex edieresis eogonek egrave edotaccent emacron =556,556,444,500,500,500 a abreve aacute
aogonek aring agrave atilde acircumflex adieresis amacron =556,556,500,500,500,500 numbersign dollar zero one two three four five six
seven eight nine underscore cent sterling yen florin section currency guillemotleft endash dagger daggerdbl guillemotright Euro
=556,611,444,500,500,500 question =556,611,500,500,500,500 g o omacron oacute ohungarumlaut ocircumflex gbreve ograve otilde odieresis
gcommaaccent eth =556,611,500,556,500,500 b d p q thorn dcroat =556,611,500,556,500,556 h n u uhungarumlaut uogonek ucircumflex uring
uacute nacute umacron ntilde ugrave ncaron udieresis ncommaaccent =556,611,500,556,500,576 mu =556,611,611,667,556,611 L Lslash Lacute
Lcommaaccent =556,611,611,667,611,611 Lcaron =584,584,541,520,541,570 asciitilde =584,584,564,570,675,570 plus less equal greater divide
multiply plusminus =584,584,564,570,675,606 minus logicalnot =600,600,600,600,600,600 summation =611,611,444,500,500,500 questiondown
=611,611,500,500,500,500 oslash =611,611,500,556,500,500 germandbls =611,611,556,611,611,667 F =611,611,611,667,556,611 T Z Tcommaaccent
Zdotaccent Tcaron Zacute Zcaron =612,612,612,612,612,612 Delta =643,743,588,672,544,608 dcaron =667,667,556,556,500,556 S Sacute Scedilla
Scaron Scommaaccent =667,667,556,611,611,611 P Thorn =667,667,611,667,611,667 E Edieresis Emacron Edotaccent Ecircumflex Egrave Eogonek
Eacute Ecaron =667,667,722,722,556,611 Y Ydieresis Yacute =667,667,722,722,611,667 V X =667,722,667,667,611,667 B =667,722,722,722,611,667
A Acircumflex Amacron Agrave Abreve Aacute Adieresis Atilde Aogonek Aring =667,722,722,778,667,667 K Kcommaaccent =667,722,778,833,778,778
ampersand =722,722,667,722,611,667 R Rcaron Racute Rcommaaccent =722,722,667,722,667,667 C Cacute Ccedilla Ccaron =722,722,722,722,667,722
N Ncommaaccent Nacute Ncaron Ntilde =722,722,722,722,722,722 D U Ucircumflex Uring Udieresis Uacute Dcroat Umacron Eth Uogonek Ugrave
Uhungarumlaut Dcaron =722,722,722,778,722,778 H =722,778,722,722,667,667 w =737,737,760,747,760,747 copyright registered
=778,778,722,778,722,722 G O Q Oslash Gcommaaccent Omacron Ograve Gbreve Oacute Ocircumflex Odieresis Ohungarumlaut Otilde
=833,833,889,944,833,889 M =833,889,778,833,722,778 m =834,834,750,750,750,750 threequarters onehalf onequarter =889,889,667,722,667,722
ae =889,889,833,1000,833,833 percent =944,944,722,722,667,722 oe =944,944,944,1000,833,889 W
`;

const symbol = `
=167 fraction =200 bar =247 minute =250 space comma period dotmath =274 integral =278 slash colon semicolon =329 iota angleleft angleright
=333 exclam parenleft parenright Iota bracketleft bracketright =384 parenlefttp parenleftex parenleftbt bracketlefttp bracketleftex
bracketleftbt parenrighttp parenrightex parenrightbt bracketrighttp bracketrightex bracketrightbt =400 degree =411 gamma second =439
suchthat sigma1 epsilon tau =444 question =460 bullet =480 braceleft braceright =493 xi =494 delta zeta partialdiff lozenge bracelefttp
braceleftmid braceleftbt braceex bracerighttp bracerightmid bracerightbt =500 numbersign asteriskmath zero one two three four five six
seven eight nine underscore radicalex florin =521 phi nu theta =549 existential plus minus less equal greater congruent beta chi kappa
lambda omicron pi rho similar lessequal plusminus greaterequal multiply divide notequal equivalence approxequal radical =556 Rho =576 mu
upsilon =592 Sigma =603 Gamma eta phi1 sigma arrowup arrowdown arrowvertex logicaland logicalor arrowdblup arrowdbldown =611 Epsilon Tau
Zeta =612 Delta =620 Upsilon1 =631 theta1 alpha =645 Xi =658 perpendicular carriagereturn =667 Beta =686 Lambda omega psi Ifraktur
integraltp integralex integralbt =690 Upsilon =713 universal omega1 infinity proportional propersuperset reflexsuperset notsubset
propersubset reflexsubset element notelement gradient logicalnot summation =722 Alpha Chi Eta Kappa Nu Omicron =741 Theta =750 Euro =753
club diamond heart spade =763 Phi =768 Pi Omega circlemultiply circleplus intersection union angle =778 ampersand =786 trademarksans =790
registerserif copyrightserif registersans copyrightsans apple =795 Psi Rfraktur =823 aleph emptyset product =833 percent =863 therefore
=889 Mu =890 trademarkserif =987 arrowleft arrowright weierstrass arrowdblleft arrowdblright =1000 ellipsis arrowhorizex =1042 arrowboth
arrowdblboth
`;

const zapfDingbats = `
=138 a82 =234 a87 a88 =276 a91 a92 =277 a83 =278 space =317 a93 a94 =334 a95 a96 =390 a89 a90 =392 a97 a98 =410 a206 a86 =415 a84 =438 a81
=458 a164 =463 a177 =494 a6 =509 a205 a85 =537 a8 =544 a102 a103 =549 a13 =552 a7 =571 a23 =577 a9 =595 a111 =626 a109 =667 a106 =668 a99
a100 =677 a24 =682 a56 =687 a63 =689 a65 =690 a117 =692 a10 =694 a110 =695 a49 =696 a64 a181 a200 =701 a57 =707 a54 a62 =708 a55 =713 a68
=719 a4 =723 a45 =732 a101 =744 a44 =748 a196 a192 =749 a46 =754 a28 =755 a19 =759 a27 a53 a75 a204 =760 a26 a107 a108 a183 =761 a22 a73
=762 a21 a74 a203 =763 a25 =768 a51 =771 a197 a194 =776 a50 a112 =784 a79 =785 a70 =786 a29 a66 =787 a67 =788 a30 a31 a78 a120 a121 a122
a123 a124 a125 a126 a127 a128 a129 a130 a131 a132 a133 a134 a135 a136 a137 a138 a139 a140 a141 a142 a143 a144 a145 a146 a147 a148 a149
a150 a151 a152 a153 a154 a155 a156 a157 a158 a159 =789 a5 a37 a60 a61 =790 a119 a32 a47 =791 a118 a69 a71 =792 a48 a52 =793 a33 =794 a34
=815 a59 =816 a35 a41 =823 a36 a39 =826 a58 =828 a172 =831 a42 a187 =833 a40 =834 a170 =836 a179 a193 =838 a161 =841 a38 =846 a20 =855 a14
=865 a185 =867 a180 a199 =873 a72 a171 a188 =874 a182 a201 =883 a178 =888 a198 a195 =892 a76 a77 =894 a160 =910 a104 =911 a15 a105 =917
a174 =918 a166 a191 =923 a43 =924 a165 a173 a162 =927 a167 a189 =928 a168 a169 =930 a175 =931 a176 =933 a16 =939 a12 =945 a17 =946 a184
=960 a11 =961 a2 =967 a186 =970 a190 =974 a1 a202 a18 =980 a3 =1016 a163
`;

export type StandardFont = {
  /** The width of a glyph by its name, in ems; undefined if the font has no such glyph. */
  readonly width: (name: string) => number | undefined;
  readonly ascent: number;
  readonly descent: number;
  /** Symbol and ZapfDingbats have their own encoding. */
  readonly ownEncoding: "Symbol" | "ZapfDingbats" | null;
};

const COURIER_EMS = 0.6;

// Alternative names of the same fonts, without spaces and with "-" for ",": Arial has the widths of Helvetica.
const families: readonly (readonly [RegExp, "Helvetica" | "Times" | "Courier"])[] = [
  [/^(Arial|ArialMT|ArialUnicodeMS|Helvetica|Helv)$/, "Helvetica"],
  [/^(TimesNewRoman|TimesNewRomanPS|TimesNewRomanPSMT|Times|TiRo)$/, "Times"],
  [/^(CourierNew|CourierNewPS|CourierNewPSMT|Courier|Cour)$/, "Courier"],
];

/** The standard font named by `BaseFont`, with or without a subset prefix; null if it is not a standard font. */
export function standardFont(baseFont: string): StandardFont | null {
  const name = baseFont
    .replace(/^[A-Z]{6}\+/, "")
    .replaceAll(" ", "")
    .replaceAll(",", "-");
  if (name === "Symbol") return { width: widthOf(tables().symbol, 0), ascent: 0.8, descent: -0.2, ownEncoding: "Symbol" };
  if (name === "ZapfDingbats") return { width: widthOf(tables().zapf, 0), ascent: 0.82, descent: -0.143, ownEncoding: "ZapfDingbats" };
  const [, stem = "", style = ""] = /^([A-Za-z]+?)(?:-(.*?))?(?:MT|PSMT)?$/.exec(name) ?? [];
  const family = families.find(([pattern]) => pattern.test(stem))?.[1];
  if (family === undefined) return null;
  const bold = /bold/i.test(style);
  if (family === "Courier") return { width: () => COURIER_EMS, ascent: 0.629, descent: -0.157, ownEncoding: null };
  if (family === "Helvetica") return { width: widthOf(tables().text, bold ? 1 : 0), ascent: 0.718, descent: -0.207, ownEncoding: null };
  const column = 2 + (bold ? 1 : 0) + (/italic|oblique/i.test(style) ? 2 : 0);
  return { width: widthOf(tables().text, column), ascent: 0.683, descent: -0.217, ownEncoding: null };
}

type Table = ReadonlyMap<string, readonly number[]>;

const widthOf = (table: Table, column: number) => (name: string) => {
  const thousandths = table.get(name)?.[column];
  return thousandths === undefined ? undefined : thousandths / 1000;
};

let read: { readonly text: Table; readonly symbol: Table; readonly zapf: Table } | undefined;

function tables() {
  read ??= { text: readTable(text), symbol: readTable(symbol), zapf: readTable(zapfDingbats) };
  return read;
}

function readTable(list: string): Table {
  const table = new Map<string, readonly number[]>();
  let widths: readonly number[] = [];
  for (const word of list.trim().split(/\s+/)) {
    if (word.startsWith("=")) widths = word.slice(1).split(",").map(Number);
    else table.set(word, widths);
  }
  return table;
}
