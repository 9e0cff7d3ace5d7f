// The documents for the PDF figures, created in code: the same bytes in every run.
import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { engine, root } from "./harness.mjs";

const { readFace } = await engine("stamp/face.js");

/** @typedef {string | { dict: string, data: Uint8Array }} Body of an object */
/**
 * @typedef {object} Face how a page's text is written in a font
 * @property {string} name of the resource
 * @property {(text: string) => string} string the text as a PDF string
 */

const WORDS =
  "the of and to in tenant landlord agreement premises shall rent notice party lease term date property deposit written under payment month any such other for by this is be or".split(
    " ",
  );
// Fills a page with about 4,000 glyphs.
const LINES = 46;
const LINE_GLYPHS = 84;
const SIGN_EVERY_PAGES = 10;

/**
 * A contract with as much text as a dense page: a heading, kerned lines in several fonts, columns of numbers, and on every tenth page a
 * place to sign and a tag.
 * @param {number} pages
 * @param {"simple" | "composite"} fonts the standard ones with one-byte codes, or one embedded face with two-byte codes (Type0)
 * @param {number} [seed] another one gives other words
 * @returns {Uint8Array}
 */
export function contract(pages, fonts, seed = pages) {
  const faces = fonts === "simple" ? standardFaces() : embeddedFace();
  const next = dice(seed);
  const first = 3 + faces.objects.length;
  /** @type {Body[]} */
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${Array.from({ length: pages }, (_, n) => `${first + 2 * n} 0 R`).join(" ")}] /Count ${pages} >>`,
    ...faces.objects,
  ];
  for (let n = 0; n < pages; n++) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << ${faces.resources} >> >> /Contents ${first + 2 * n + 1} 0 R >>`,
      flate("", Buffer.from(pageContent(n + 1, faces.faces, next), "latin1")),
    );
  }
  return written(objects);
}

/**
 * A scan of at most `bytes` bytes, with a compressed image on each page, as scanners write them. The images are noise, which does not
 * compress.
 * @param {number} bytes
 */
export function scan(bytes) {
  const [width, height] = [1_000, 700];
  const size = 3 * width * height;
  const pages = Math.floor((bytes - 10_000) / (size + 1_000));
  const next = dice(pages);
  const noise = Buffer.alloc(
    size + pages,
    Uint8Array.from({ length: 65_521 }, () => next(256)),
  );
  /** @type {Body[]} */
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${Array.from({ length: pages }, (_, n) => `${3 + 3 * n} 0 R`).join(" ")}] /Count ${pages} >>`,
  ];
  for (let n = 0; n < pages; n++) {
    const own = 3 + 3 * n;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /XObject << /Scan ${own + 2} 0 R >> >> /Contents ${own + 1} 0 R >>`,
      flate("", Buffer.from("q 612 0 0 428 0 182 cm /Scan Do Q")),
      flate(
        `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8`,
        noise.subarray(n, n + size),
        0,
      ),
    );
  }
  return written(objects);
}

/** The file with one more revision, in which a page and the date of the document are written again, as editors save. @param {Uint8Array} file */
export function withRevision(file) {
  const text = Buffer.from(file).toString("latin1");
  const [, number = "", page = ""] = /\n([0-9]+) 0 obj\n(<< \/Type \/Page .*>>)\nendobj/.exec(text) ?? [];
  return appended(file, new Map([[Number(number), `${page.slice(0, -2)}/Annots [] >>`]]));
}

/** A contract whose first page has a highlight with an appearance, as editors write it. @param {number} pages */
export function highlighted(pages) {
  const file = contract(pages, "simple");
  const text = Buffer.from(file).toString("latin1");
  const [, number = "", page = ""] = /\n([0-9]+) 0 obj\n(<< \/Type \/Page .*>>)\nendobj/.exec(text) ?? [];
  const next = Number(/\/Size ([0-9]+)/.exec(text)?.[1]);
  const quad = "60 732 400 732 60 720 400 720";
  return appended(
    file,
    new Map([
      [Number(number), `${page.slice(0, -2)}/Annots [${next} 0 R] >>`],
      [
        next,
        `<< /Type /Annot /Subtype /Highlight /F 4 /C [1 1 0] /Rect [60 720 400 732] /QuadPoints [${quad}] /AP << /N ${next + 1} 0 R >> >>`,
      ],
      [
        next + 1,
        flate(
          "/Type /XObject /Subtype /Form /BBox [60 720 400 732] /Matrix [1 0 0 1 -60 -720] /Resources << /ExtGState << /G << /BM /Multiply >> >> >>",
          Buffer.from("/G gs 1 1 0 rg 60 720 340 12 re f"),
        ),
      ],
    ]),
  );
}

/**
 * A form of a few lines with a text and a check box, filled in: in the file itself, or by appending a revision.
 * @param {boolean} isAppended
 */
export function filledForm(isAppended) {
  const labels = ["Application", "Name of the applicant:", "I agree to the terms:", "Please return this form to the office."];
  const lines = labels.map((label, n) => `BT /F0 12 Tf 72 ${720 - 60 * n} Td (${label}) Tj ET`).join("\n");
  const form = (/** @type {string} */ box, /** @type {string} */ content) =>
    flate(`/Type /XObject /Subtype /Form /BBox ${box} /Resources << /Font << /F0 3 0 R >> >>`, Buffer.from(content));
  const text = (/** @type {string} */ value, /** @type {number} */ appearance) =>
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /F 4 /DA (/F0 12 Tf 0 g) /P 4 0 R /Rect [220 655 420 675] ${value} /AP << /N ${appearance} 0 R >> >>`;
  const box = (/** @type {string} */ state) =>
    `<< /Type /Annot /Subtype /Widget /FT /Btn /T (Terms) /F 4 /P 4 0 R /Rect [220 595 236 611] /V /${state} /AS /${state} /AP << /N << /Yes 10 0 R >> >> >>`;
  const value = form("[0 0 200 20]", "/Tx BMC q BT /F0 12 Tf 0 g 2 6 Td (Ann Example) Tj ET Q EMC");
  const file = written([
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 7 0 R] /DA (/F0 12 Tf 0 g) /DR << /Font << /F0 3 0 R >> >> >> >>",
    "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F0 3 0 R >> >> /Contents 5 0 R /Annots [6 0 R 7 0 R] >>",
    flate("", Buffer.from(lines)),
    isAppended ? text("", 8) : text("/V (Ann Example)", 9),
    box(isAppended ? "Off" : "Yes"),
    form("[0 0 200 20]", "/Tx BMC EMC"),
    value,
    form("[0 0 16 16]", "1 w 2 2 m 14 14 l 14 2 m 2 14 l S"),
  ]);
  if (!isAppended) return file;
  return appended(
    file,
    new Map([
      [6, text("/V (Ann Example)", 9)],
      [7, box("Yes")],
    ]),
  );
}

/** @param {number} page @param {Face[]} faces @param {(limit: number) => number} next */
function pageContent(page, faces, next) {
  const face = (/** @type {number} */ n) => /** @type {Face} */ (faces[n % faces.length]);
  const heading = face(1);
  const out = ["q 0.5 w 72 760 468 0 re S Q", `BT /${heading.name} 14 Tf 72 742 Td ${heading.string(`Section ${page}`)} Tj ET`];
  for (let line = 0; line < LINES; line++) {
    const own = line % 9 === 4 ? face(2) : line % 13 === 7 ? face(1) : face(0);
    const y = 722 - 14 * line;
    if (page % SIGN_EVERY_PAGES === 0 && line === LINES - 2) {
      out.push(
        `BT /${own.name} 9 Tf 1 0 0 1 60 ${y} Tm ${own.string(`Sign here: {{Signature ${page};role=Tenant;type=signature}}`)} Tj ET`,
      );
    } else if (line % 15 === 14) {
      const figures = [0, 1, 2, 3].map((n) => `1 0 0 1 ${60 + 120 * n} ${y} Tm ${face(2).string(`${next(90_000)}.${10 + next(90)}`)} Tj`);
      out.push(`BT /${face(2).name} 9 Tf ${figures.join(" ")} ET`);
    } else {
      out.push(`BT /${own.name} 9 Tf 1 0 0 1 60 ${y} Tm [${kerned(own, words(next), next)}] TJ ET`);
    }
  }
  return out.join("\n");
}

/** @param {(limit: number) => number} next */
function words(next) {
  let text = "";
  while (text.length < LINE_GLYPHS) text += `${WORDS[next(WORDS.length)]} `;
  return text.trimEnd();
}

/** Kerns a pair of letters every few glyphs, like a typesetter. @param {Face} face @param {string} text @param {(limit: number) => number} next */
function kerned(face, text, next) {
  const parts = [];
  for (let at = 0; at < text.length; ) {
    const length = 3 + next(9);
    parts.push(face.string(text.slice(at, at + length)));
    at += length;
  }
  return parts.join(` ${next(2) === 0 ? -12 : 15} `);
}

function standardFaces() {
  const names = ["Times-Roman", "Helvetica-Bold", "Courier"];
  const string = (/** @type {string} */ text) => `(${text.replace(/[\\()]/g, "\\$&")})`;
  return {
    objects: names.map((name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`),
    resources: names.map((_, n) => `/F${n} ${3 + n} 0 R`).join(" "),
    faces: names.map((_, n) => ({ name: `F${n}`, string })),
  };
}

function embeddedFace() {
  const file = readFileSync(`${root}pdf/fonts/NotoSans-Regular.ttf`);
  const face = readFace("NotoSans", new Uint8Array(file));
  const used = Array.from({ length: 95 }, (_, n) => ({ point: 32 + n, glyph: face.glyphOf(32 + n) })).sort((a, b) => a.glyph - b.glyph);
  const hex = (/** @type {number} */ code) => code.toString(16).padStart(4, "0");
  const widths = used.map(({ glyph }) => `${glyph} [${Math.round(1000 * face.widthOf(glyph))}]`).join(" ");
  const toUnicode = `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ${used.length} beginbfchar ${used
    .map(({ point, glyph }) => `<${hex(glyph)}> <${hex(point)}>`)
    .join(" ")} endbfchar endcmap`;
  /** @type {Body[]} */
  const objects = [
    "<< /Type /Font /Subtype /Type0 /BaseFont /NotoSans /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 7 0 R >>",
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /NotoSans /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /CIDToGIDMap /Identity /FontDescriptor 5 0 R /W [${widths}] >>`,
    `<< /Type /FontDescriptor /FontName /NotoSans /Flags 4 /FontBBox [${face.bbox.join(" ")}] /ItalicAngle 0 /Ascent ${face.ascent} /Descent ${face.descent} /CapHeight ${face.cap_height} /StemV 80 /FontFile2 6 0 R >>`,
    flate(`/Length1 ${file.length}`, file),
    flate("", Buffer.from(toUnicode)),
  ];
  const string = (/** @type {string} */ text) => `<${[...text].map((char) => hex(face.glyphOf(char.codePointAt(0) ?? 0))).join("")}>`;
  return { objects, resources: "/F0 3 0 R", faces: [{ name: "F0", string }] };
}

/** @param {string} dict @param {Uint8Array} data @param {number} [level] @returns {Body} */
const flate = (dict, data, level) => ({
  dict: `${dict} /Filter /FlateDecode`,
  data: deflateSync(data, level === undefined ? {} : { level }),
});

/** @param {Body[]} objects from number 1; the first is the catalog */
const written = (objects) => appended(Buffer.from("%PDF-1.7\n"), new Map(objects.map((body, index) => [index + 1, body])));

/** The file with one more revision; the catalog is object 1. @param {Uint8Array} file @param {Map<number, Body>} objects */
function appended(file, objects) {
  /** @type {Uint8Array[]} */
  const parts = [file];
  let size = file.length;
  const put = (/** @type {Uint8Array} */ part) => {
    parts.push(part);
    size += part.length;
  };
  const before = Buffer.from(file).toString("latin1");
  const previous = /startxref\n([0-9]+)\n%%EOF\n$/.exec(before)?.[1];
  const numbers = [...objects.keys()].sort((a, b) => a - b);
  const ranges = previous === undefined ? [`0 ${numbers.length + 1}\n0000000000 65535 f \n`] : [];
  for (const number of numbers) {
    ranges.push(`${previous === undefined ? "" : `${number} 1\n`}${String(size).padStart(10, "0")} 00000 n \n`);
    const body = /** @type {Body} */ (objects.get(number));
    if (typeof body === "string") put(Buffer.from(`${number} 0 obj\n${body}\nendobj\n`));
    else {
      put(Buffer.from(`${number} 0 obj\n<< ${body.dict} /Length ${body.data.length} >>\nstream\n`));
      put(body.data);
      put(Buffer.from("\nendstream\nendobj\n"));
    }
  }
  const own = Math.max(Number(/\/Size ([0-9]+)/.exec(before)?.[1] ?? 0), (numbers.at(-1) ?? 0) + 1);
  const trailer = `trailer\n<< /Size ${own} /Root 1 0 R${previous === undefined ? "" : ` /Prev ${previous}`} >>`;
  put(Buffer.from(`xref\n${ranges.join("")}${trailer}\nstartxref\n${size}\n%%EOF\n`));
  return new Uint8Array(Buffer.concat(parts));
}

/** Numbers from 0 to below `limit`, the same in every run (Park and Miller's generator). @param {number} seed */
function dice(seed) {
  let state = seed + 1;
  return (/** @type {number} */ limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}
