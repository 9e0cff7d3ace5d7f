// Converts a PNG or JPEG to a one-page PDF. The image is rebuilt, never embedded as a file: anything not needed to show the pixels is
// dropped.

import { NotAPdf } from "./errors.ts";
import type { Image, ImageObject, Orientation } from "./images/image.ts";
import { readJpeg } from "./images/read-jpeg.ts";
import { readPng } from "./images/read-png.ts";
import { sniff } from "./sniff.ts";

// A lower resolution is that of a screen (72, 96) or a default and says nothing about paper; a higher one is a mistake.
const MIN_DPI = 100;
const MAX_DPI = 1_200;

// The height of US Letter: an image without a resolution becomes about one page.
const LONG_EDGE_PT = 792;
// Smaller pages cannot be opened (`open.ts`); an image of one pixel height gets a white border.
const MIN_SIDE_PT = 3;

const PDF_DECIMALS = 4;

/**
 * Returns a one-page PDF. Throws NotAPdf if the file is neither PNG nor JPEG, and UnreadablePdf if it is damaged, of a kind that PDF does
 * not support, or larger than 64 megapixels or 20,000 pixels per side.
 * @example const bytes = await imageToPdf(await readFile("scan.png"))
 */
export async function imageToPdf(bytes: Uint8Array): Promise<Uint8Array> {
  const kind = sniff(bytes);
  if (kind !== "png" && kind !== "jpeg") throw new NotAPdf("neither PNG nor JPEG");
  return onePage(kind === "png" ? await readPng(bytes) : readJpeg(bytes));
}

function onePage(image: Image): Uint8Array {
  const { w, h } = pageSize(image);
  const [pageW, pageH] = [Math.max(w, MIN_SIDE_PT), Math.max(h, MIN_SIDE_PT)];
  const content = `q ${matrix(image.orientation, w, h).map(decimal).join(" ")} cm /Im Do Q`;
  const size = `/Width ${image.width} /Height ${image.height}`;
  const objects: ImageObject[] = [
    { dict: "/Type /Catalog /Pages 2 0 R", data: NONE },
    { dict: "/Type /Pages /Kids [3 0 R] /Count 1", data: NONE },
    {
      dict: `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${decimal(pageW)} ${decimal(pageH)}] /Contents 4 0 R /Resources << /XObject << /Im 5 0 R >> >>`,
      data: NONE,
    },
    { dict: "", data: Buffer.from(content, "latin1") },
    xobject(image.object, image.object.mask === undefined ? size : `${size} /SMask 6 0 R`),
    ...(image.object.mask === undefined ? [] : [xobject(image.object.mask, size)]),
  ];
  return writeFile(objects);
}

// The displayed size: a quarter turn swaps width and height.
function pageSize({ width, height, resolution, orientation }: Image): { w: number; h: number } {
  const stated = resolution !== null && [resolution.x, resolution.y].every((dpi) => dpi >= MIN_DPI - 0.5 && dpi <= MAX_DPI + 0.5);
  const scale = LONG_EDGE_PT / Math.max(width, height);
  const [w, h] = stated ? [(width * 72) / resolution.x, (height * 72) / resolution.y] : [width * scale, height * scale];
  return orientation >= 5 ? { w: h, h: w } : { w, h };
}

// Maps the unit square, in which the first row of an image is at the top, to the page. Exif 2.32, 4.6.4, defines where row 0 and column 0
// are.
function matrix(orientation: Orientation, w: number, h: number): readonly number[] {
  const matrices: Readonly<Record<Orientation, readonly number[]>> = {
    1: [w, 0, 0, h, 0, 0],
    2: [-w, 0, 0, h, w, 0],
    3: [-w, 0, 0, -h, w, h],
    4: [w, 0, 0, -h, 0, h],
    5: [0, -h, -w, 0, w, h],
    6: [0, -h, w, 0, 0, h],
    7: [0, h, w, 0, 0, 0],
    8: [0, h, -w, 0, w, 0],
  };
  return matrices[orientation];
}

const decimal = (value: number): string => String(Number(value.toFixed(PDF_DECIMALS)));

const NONE = new Uint8Array();

const xobject = ({ dict, data }: ImageObject, size: string): ImageObject => ({
  dict: `/Type /XObject /Subtype /Image ${size} ${dict}`,
  data,
});

// Objects 1, 2, 3, … in order; those with data are streams.
function writeFile(objects: readonly ImageObject[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  let length = parts[0]?.length ?? 0;
  const put = (part: Uint8Array): void => {
    parts.push(part);
    length += part.length;
  };
  const offsets = objects.map(({ dict, data }, index) => {
    const offset = length;
    if (data.length === 0) put(ascii(`${index + 1} 0 obj\n<< ${dict} >>\nendobj\n`));
    else {
      put(ascii(`${index + 1} 0 obj\n<< ${dict} /Length ${data.length} >>\nstream\n`));
      put(data);
      put(ascii("\nendstream\nendobj\n"));
    }
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  put(
    ascii(
      `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
}

const ascii = (text: string): Uint8Array => Buffer.from(text, "latin1");
