// The first page of a PDF as three viewers show it.

import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { PDFiumLibrary } from "@hyzyla/pdfium";

/** @typedef {import("./png.mjs").Picture} Picture */

const DPI = 96;

export const viewers = /** @type {const} */ (["PDFium", "poppler", "MuPDF"]);

/** Which of these commands are missing. @param {string[]} commands */
export const missing = (commands) => commands.filter((command) => spawnSync(command, ["--version"]).error !== undefined);

/**
 * In the order of `viewers`. PDFium shows the fields of a form, as browsers do. Null where a viewer refuses the file.
 * @param {string} file @param {string} scratch a path for intermediate files @returns {Promise<(Picture | null)[]>}
 */
export async function picturesOf(file, scratch) {
  return [
    await byPdfium(file),
    byCommand("pdftoppm", ["-r", String(DPI), "-f", "1", "-l", "1", "-singlefile", file, scratch], `${scratch}.ppm`),
    byCommand("mutool", ["draw", "-q", "-r", String(DPI), "-F", "ppm", "-o", `${scratch}-mu.ppm`, file, "1"], `${scratch}-mu.ppm`),
  ];
}

/** @param {string} file @returns {Promise<Picture | null>} */
async function byPdfium(file) {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(new Uint8Array(readFileSync(file))).catch(() => null);
  if (document === null) return null;
  const { width, height, data } = await document.getPage(0).render({ scale: DPI / 72, render: "bitmap", renderFormFields: true });
  const picture = { width, height, data: new Uint8Array(data) };
  document.destroy();
  library.destroy();
  return picture;
}

/** @param {string} command @param {string[]} args @param {string} written */
function byCommand(command, args, written) {
  try {
    execFileSync(command, args, { stdio: "ignore" });
  } catch {
    return null;
  }
  return fromPpm(readFileSync(written));
}

/** @param {Buffer} ppm @returns {Picture} */
function fromPpm(ppm) {
  const head = /^P6\s(?:#.*\s)*(\d+)\s+(\d+)\s+255\s/.exec(ppm.toString("latin1", 0, 200));
  if (head === null) throw new Error("not a picture of three bytes a pixel");
  const [width, height, from] = [Number(head[1]), Number(head[2]), head[0].length];
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    data.set(ppm.subarray(from + 3 * at, from + 3 * at + 3), 4 * at);
    data[4 * at + 3] = 255;
  }
  return { width, height, data };
}

const GAP = 8;

/** Rows of pictures on grey; a missing picture is dark. @param {(Picture | null)[][]} rows @returns {Picture} */
export function sheetOf(rows) {
  const all = rows.flat().filter((each) => each !== null);
  const [w, h] = [Math.max(...all.map(({ width }) => width)), Math.max(...all.map(({ height }) => height))];
  const width = Math.max(...rows.map((row) => row.length)) * (w + GAP) + GAP;
  const height = rows.length * (h + GAP) + GAP;
  const data = new Uint8Array(width * height * 4).fill(190);
  for (const [down, row] of rows.entries()) {
    for (const [across, picture] of row.entries()) {
      const [left, top] = [GAP + across * (w + GAP), GAP + down * (h + GAP)];
      for (let y = 0; y < (picture?.height ?? h); y++) {
        const place = ((top + y) * width + left) * 4;
        if (picture === null) data.fill(60, place, place + w * 4);
        else data.set(picture.data.subarray(y * picture.width * 4, (y + 1) * picture.width * 4), place);
      }
    }
  }
  return { width, height, data };
}
