// Forms with odd values, styles and trees of fields.

import { oneOf } from "./mutate.mjs";
import { border, colour, document, mostly, number, numbers, rectangle, stream, text } from "./odd-values.mjs";

/** @typedef {import("./mutate.mjs").Next} Next */

// Field flags (ISO 32000-2, tables 227 to 233).
const FLAGS = [
  1,
  2,
  4,
  1 << 12,
  1 << 13,
  1 << 14,
  1 << 15,
  1 << 16,
  1 << 17,
  1 << 18,
  1 << 19,
  1 << 20,
  1 << 22,
  1 << 23,
  1 << 24,
  1 << 25,
];
const COMB = 1 << 24;

const STYLES = [
  ...["/Helv 12 Tf 0 g", "/Helv 0 Tf 0 g", "/ZaDb 0 Tf 0 g", "/F1 9 Tf 1 0 0 rg", "/Helv 12 Tf", "0 g", "/Helv 10 Tf 0 0 0 1 k"],
  ...["", "/Helv Tf", "/Nope 12 Tf 0 g", "/Helv -12 Tf 0 g", "/Helv 1e308 Tf 0 g", "/Helv 0.0001 Tf", "/Helv NaN Tf", "12 /Helv Tf"],
  ...["/Helv 12 Tf 0 g Q Q Q", "q q q /Helv 12 Tf", "BT /Helv 12 Tf ET", "/Helv 12 Tf (text) Tj", "/Helv#2012 12 Tf", "/ 12 Tf", "] >> Tf"],
  ...[
    "/Helv 12 Tf 9 9 9 rg",
    "/Helv 12 Tf /Cs1 cs 1 scn",
    `${"/Helv 12 Tf ".repeat(500)}`,
    "BI /W 9999 /H 9999 ID x EI",
    "/Helv 12 Tf 0.5 Tz",
  ],
];

const TREES = [
  "plain",
  "plain",
  "plain",
  "separate widgets",
  "own parent",
  "own kid",
  "shared kid",
  "cycle of two",
  "deep",
  "not listed",
  "no page",
];

/** @param {Next} next */
export function oddForm(next) {
  const count = 1 + next(5);
  /** @type {Record<number, string | { dict: string, data: Uint8Array }>} */
  const objects = {};
  /** @type {number[]} */
  const fields = [];
  /** @type {number[]} */
  const widgets = [];
  for (let at = 10; at < 10 + 10 * count; at += 10) {
    const tree = oneOf(TREES, next);
    const { field, widget } = fieldOf(next, at);
    objects[at] = `<< ${field} ${widget} >>`;
    if (tree === "separate widgets") {
      objects[at] = `<< ${field} /Kids [${at + 1} 0 R ${at + 2} 0 R] >>`;
      objects[at + 1] = `<< ${widget} /Parent ${at} 0 R >>`;
      objects[at + 2] = `<< ${fieldOf(next, at).widget} /Parent ${at} 0 R >>`;
      widgets.push(at + 1, at + 2);
    }
    if (tree === "own parent") objects[at] = `<< ${field} ${widget} /Parent ${at} 0 R >>`;
    if (tree === "own kid") objects[at] = `<< ${field} ${widget} /Kids [${at} 0 R] >>`;
    if (tree === "shared kid") {
      objects[at] = `<< ${field} /Kids [${at + 2} 0 R ${at + 2} 0 R] >>`;
      objects[at + 1] = `<< ${fieldOf(next, at).field} /Kids [${at + 2} 0 R] >>`;
      objects[at + 2] = `<< ${widget} /Parent ${at + 1} 0 R >>`;
      fields.push(at + 1);
      widgets.push(at + 2);
    }
    if (tree === "cycle of two") {
      objects[at] = `<< ${field} /Kids [${at + 1} 0 R] /Parent ${at + 1} 0 R >>`;
      objects[at + 1] = `<< ${widget} /Kids [${at} 0 R] /Parent ${at} 0 R >>`;
      widgets.push(at + 1);
    }
    if (tree === "deep") {
      const depth = oneOf([5, 70, 400], next);
      const from = 1_000 * at;
      for (let level = 0; level < depth; level++)
        objects[from + level] =
          `<< /T (level${level}) /Kids [${level + 1 === depth ? at : from + level + 1} 0 R] /Parent ${from + level - 1} 0 R >>`;
      objects[at] = `<< ${field} ${widget} /Parent ${from + depth - 1} 0 R >>`;
      fields.push(from);
    } else if (tree !== "not listed") fields.push(at);
    if (tree !== "no page" && !tree.includes("separate")) widgets.push(at);
  }
  objects[7] = stream(
    `/Type /XObject /Subtype /Form /BBox ${numbers(next, 4)} ${next(3) === 0 ? `/Matrix ${numbers(next, 6)}` : ""} ${next(3) === 0 ? "/Resources << /XObject << /Self 7 0 R >> >>" : ""}`,
    oneOf(["/Tx BMC q BT /Helv 12 Tf 2 5 Td (shown) Tj ET Q EMC", "/Tx BMC EMC", "", "/Self Do", "q q q", "0 0 9 9 re f"], next),
  );
  objects[6] = `<< /Fields ${mostly(
    next,
    () => `[${fields.map((at) => `${at} 0 R`).join(" ")}]`,
    () => oneOf(["[]", "6 0 R", "[6 0 R]", "null", "[99 0 R]", `[${"10 0 R ".repeat(200)}]`], next),
  )} ${oneOf(["", "/NeedAppearances true", "/NeedAppearances true", "/NeedAppearances false", "/NeedAppearances (yes)", "/NeedAppearances 99 0 R"], next)} ${oneOf(
    ["/DR << /Font << /Helv 5 0 R /ZaDb 8 0 R >> >>", "/DR << /Font << /Helv 5 0 R >> >>", "/DR << /Font 5 0 R >>", "/DR 6 0 R", ""],
    next,
  )} ${next(2) === 0 ? `/DA (${oneOf(STYLES, next)})` : ""} ${next(4) === 0 ? `/Q ${number(next)}` : ""} ${next(6) === 0 ? "/CO [10 0 R 10 0 R 99 0 R]" : ""} ${next(8) === 0 ? `/SigFlags ${number(next)}` : ""} >>`;
  objects[8] = "<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>";
  return document({ catalog: "/AcroForm 6 0 R", annotations: widgets, objects, page: next(6) === 0 ? `/Rotate ${number(next)}` : "" });
}

/** @param {Next} next @param {number} at */
function fieldOf(next, at) {
  const type = oneOf(["/Tx", "/Tx", "/Tx", "/Ch", "/Ch", "/Btn", "/Btn", "/Sig", "/Nope", "null"], next);
  let flags = 0;
  for (let left = next(4); left > 0; left--) flags |= oneOf(FLAGS, next);
  const isComb = type === "/Tx" && next(4) === 0;
  if (isComb) flags |= COMB;
  const field = [
    mostly(
      next,
      () => `/T (field${at})`,
      () => oneOf(["", "/T ()", "/T (a.b.c)", `/T ${text(next)}`], next),
    ),
    type === "null" ? "" : `/FT ${type}`,
    `/Ff ${mostly(
      next,
      () => String(flags),
      () => number(next),
    )}`,
    next(8) === 0 ? "" : `/V ${type === "/Btn" ? oneOf(["/Yes", "/Off", "/Nope", "(Yes)", text(next)], next) : text(next)}`,
    next(4) === 0 ? `/DV ${text(next)}` : "",
    isComb || next(4) === 0 ? `/MaxLen ${oneOf(["4", "10", "0", "-1", "1000000", "2147483647", "1e308", number(next)], next)}` : "",
    next(2) === 0 ? `/Q ${number(next)}` : "",
    next(4) > 0 ? `/DA (${oneOf(STYLES, next)})` : next(3) === 0 ? `/DA ${text(next)}` : "",
    type === "/Ch"
      ? `/Opt ${options(next)} ${next(2) === 0 ? `/I ${numbers(next, 1)}` : ""} ${next(3) === 0 ? `/TI ${number(next)}` : ""}`
      : "",
    next(8) === 0 ? `/RV ${text(next)}` : "",
    next(8) === 0 ? `/DS ${text(next)}` : "",
  ].join(" ");
  const widget = [
    "/Type /Annot /Subtype /Widget",
    `/Rect ${rectangle(next)}`,
    next(3) > 0 ? "/P 3 0 R" : "",
    `/F ${mostly(
      next,
      () => "4",
      () => number(next),
    )}`,
    next(2) === 0 ? `/MK ${look(next)}` : "",
    border(next),
    type === "/Btn" || next(8) === 0 ? `/AS ${oneOf(["/Yes", "/Off", "/Nope", "(Yes)", "1"], next)}` : "",
    oneOf(
      [
        "",
        "",
        "/AP << /N 7 0 R >>",
        "/AP << /N << /Yes 7 0 R /Off 7 0 R >> >>",
        "/AP << /N << >> >>",
        "/AP << /D 7 0 R >>",
        "/AP 7 0 R",
        "/AP << /N 3 0 R >>",
      ],
      next,
    ),
  ].join(" ");
  return { field, widget };
}

/** @param {Next} next */
function look(next) {
  return mostly(
    next,
    () => `<< /R ${number(next)} /BC ${colour(next)} /BG ${colour(next)} ${next(2) === 0 ? `/CA ${text(next)}` : ""} >>`,
    () => oneOf(["null", "[]", "6 0 R", "<< /R 45 /BC 1 /BG (red) /CA /x >>", "<< /I 7 0 R /IF << /SW /Z /A [9] >> >>"], next),
  );
}

/** @param {Next} next */
function options(next) {
  const items = Array.from({ length: oneOf([0, 1, 3, 40, 300], next) }, () =>
    next(3) === 0 ? `[${text(next)} ${text(next)}]` : text(next),
  );
  return mostly(
    next,
    () => `[${items.join(" ")}]`,
    () => oneOf(["[]", "null", "(one)", "[[[(deep)]]]", "[[(only one)]]", "[10 0 R]", "6 0 R"], next),
  );
}
