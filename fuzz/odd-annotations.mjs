// Annotations with odd shapes, borders and appearances.

import { oneOf } from "./mutate.mjs";
import { border, colour, document, mostly, number, numbers, rectangle, stream, text } from "./odd-values.mjs";

/** @typedef {import("./mutate.mjs").Next} Next */

const MARKUP = ["Highlight", "Underline", "StrikeOut", "Squiggly"];
const SHAPES = ["Square", "Circle", "Line", "Polygon", "PolyLine", "Ink", "FreeText", "Stamp", "Caret", "Text", "Redact"];
const OTHERS = ["Link", "Popup", "Widget", "FileAttachment", "Watermark", "Projection", "TrapNet", "Screen", "3D", "Nope"];
const ENDINGS = ["None", "Square", "Circle", "Diamond", "OpenArrow", "ClosedArrow", "Butt", "ROpenArrow", "RClosedArrow", "Slash", "Nope"];
const STAMPS = ["Approved", "Draft", "NotApproved", "Final", "Sold", "Nope", "#00"];

/** @param {Next} next */
export function oddAnnotations(next) {
  const count = mostly(
    next,
    () => 1 + next(6),
    () => oneOf([0, 40, 200], next),
  );
  /** @type {Record<number, string | { dict: string, data: Uint8Array }>} */
  const objects = {};
  /** @type {string[]} */
  const list = [];
  for (let at = 20; at < 20 + count; at++) {
    objects[at] = annotationOf(next, at, count);
    list.push(`${at} 0 R`);
  }
  objects[7] = stream(
    `/Type /XObject ${next(4) > 0 ? "/Subtype /Form" : ""} /BBox ${numbers(next, 4)} ${next(2) === 0 ? `/Matrix ${numbers(next, 6)}` : ""} ${next(3) === 0 ? "/Resources << /XObject << /Self 7 0 R >> >>" : ""}`,
    oneOf(["1 0 0 rg 0 0 20 20 re f", "/Self Do", "", "q q q", "Q Q Q", "BT /F1 12 Tf (annotated) Tj ET", "BI ID EI"], next),
  );
  const annotations = mostly(
    next,
    () => `[${list.join(" ")}]`,
    () =>
      oneOf(
        ["20 0 R", `[${list.join(" ")} ${list.join(" ")}]`, "[3 0 R 4 0 R 99 0 R null 5 (x)]", `[[${list.join(" ")}]]`, "9 0 R", "<< >>"],
        next,
      ),
  );
  objects[9] = `[${list.join(" ")} 9 0 R]`;
  return document({ annotations, objects, page: next(6) === 0 ? `/Rotate ${number(next)} /UserUnit ${number(next)}` : "" });
}

/** @param {Next} next @param {number} at @param {number} count */
function annotationOf(next, at, count) {
  const kind = oneOf(oneOf([MARKUP, SHAPES, SHAPES, OTHERS], next), next);
  const other = `${20 + next(count)} 0 R`;
  const parts = [
    `/Type /Annot /Subtype /${kind} /Rect ${rectangle(next)}`,
    next(2) === 0 ? `/C ${colour(next)}` : "",
    next(4) === 0 ? `/IC ${colour(next)}` : "",
    next(4) === 0 ? `/CA ${number(next)}` : "",
    border(next),
    next(3) === 0 ? `/Contents ${text(next)}` : "",
    next(4) === 0 ? `/F ${number(next)}` : "/F 4",
    next(6) === 0 ? `/RD ${numbers(next, 4)}` : "",
    next(6) === 0 ? `/Popup ${other}` : "",
    next(6) === 0 ? `/Parent ${other}` : "",
    next(6) === 0 ? `/IRT ${other} /RT /Group` : "",
    next(6) === 0
      ? `/OC ${oneOf(["<< /Type /OCG /Name (x) >>", "99 0 R", "<< /Type /OCMD /OCGs [99 0 R] /VE [/Not [/And 1]] >>", "null"], next)}`
      : "",
    next(8) === 0 ? `/BE << /S /C /I ${number(next)} >>` : "",
    oneOf(
      [
        "",
        "",
        "",
        "/AP << /N 7 0 R >>",
        "/AP << /N << /On 7 0 R >> >> /AS /On",
        "/AP << /N null >>",
        "/AP << >>",
        "/AP 7 0 R",
        "/AP << /N 20 0 R >>",
      ],
      next,
    ),
  ];
  if (MARKUP.includes(kind) || kind === "Redact" || next(8) === 0) parts.push(`/QuadPoints ${quads(next)}`);
  if (kind === "Ink" || next(12) === 0) parts.push(`/InkList ${ink(next)}`);
  if (kind.startsWith("Poly") || next(12) === 0) parts.push(`/Vertices ${numbers(next, oneOf([2, 6, 8], next))}`);
  if (kind === "Line")
    parts.push(
      `/L ${numbers(next, 4)} /LE [/${oneOf(ENDINGS, next)} /${oneOf(ENDINGS, next)}] /LL ${number(next)} /LLE ${number(next)} /Cap ${next(2) === 0}`,
    );
  if (kind === "PolyLine") parts.push(`/LE [/${oneOf(ENDINGS, next)}]`);
  if (kind === "FreeText")
    parts.push(
      `/DA ${oneOf(["(/Helv 12 Tf 0 g)", "()", "(/Nope 1e308 Tf)", text(next)], next)} /CL ${numbers(next, 6)} /Q ${number(next)} /RC ${text(next)}`,
    );
  if (kind === "Stamp") parts.push(`/Name /${oneOf(STAMPS, next)}`);
  if (kind === "Link")
    parts.push(
      oneOf(["/Dest [3 0 R /Fit]", "/A << /S /URI /URI (https://example.com) >>", "/A << /S /GoTo /D (none) >>", "/PA 20 0 R"], next),
    );
  if (kind.startsWith("Poly") && next(4) === 0) parts.push(`/Path [${numbers(next, 2)} ${numbers(next, 6)}]`);
  if (next(40) === 0) parts.push(`/Kids [${at} 0 R]`);
  return `<< ${parts.join(" ")} >>`;
}

/** @param {Next} next */
function quads(next) {
  const [x, y, w, h] = [next(500), next(700), next(200), next(40)];
  const one = `${x} ${y + h} ${x + w} ${y + h} ${x} ${y} ${x + w} ${y}`;
  return mostly(
    next,
    () => oneOf([`[${one}]`, `[${one} ${one}]`, numbers(next, 8)], next),
    () =>
      oneOf(
        [
          "[]",
          `[${one} 1 2 3]`,
          "[NaN NaN NaN NaN NaN NaN NaN NaN]",
          `[${"1e308 ".repeat(8)}]`,
          `[${`${one} `.repeat(300)}]`,
          "null",
          "20 0 R",
          numbers(next, 4),
        ],
        next,
      ),
  );
}

/** @param {Next} next */
function ink(next) {
  const strokes = Array.from({ length: oneOf([1, 1, 2, 60], next) }, () => numbers(next, oneOf([0, 2, 4, 40], next)));
  return mostly(
    next,
    () => `[${strokes.join(" ")}]`,
    () => oneOf(["[]", "[[]]", "[[1]]", "[1 2 3 4]", "[[[1 2]]]", "[null]", "[99 0 R]", "20 0 R"], next),
  );
}
