import type { MarkFont } from "@countersign/client/pages";

/** The fonts of typed marks. They are the same files that the seal uses, and loaded on demand. */

type WrittenFont = Exclude<MarkFont, "plain">;

const LATIN = " -~\\u00a0-\\u0148\\u014a-\\u017e\\u01fa-\\u021b\\u2013\\u2014\\u2018-\\u201a\\u201c-\\u201e\\u2026";
const VIETNAMESE = "\\u01a0\\u01a1\\u01af\\u01b0\\u1ea0-\\u1ef9";
const CYRILLIC = "\\u0400-\\u045f\\u0490\\u0491";

const faces = {
  "dancing-script": {
    url: new URL("../../../pdf/fonts/DancingScript-Regular.ttf", import.meta.url),
    letters: new RegExp(`^[${LATIN}${VIETNAMESE}]*$`),
  },
  caveat: { url: new URL("../../../pdf/fonts/Caveat-Regular.ttf", import.meta.url), letters: new RegExp(`^[${LATIN}${CYRILLIC}]*$`) },
  "great-vibes": {
    url: new URL("../../../pdf/fonts/GreatVibes-Regular.ttf", import.meta.url),
    letters: new RegExp(`^[${LATIN}${VIETNAMESE}${CYRILLIC}]*$`),
  },
} satisfies Record<WrittenFont, { url: URL; letters: RegExp }>;

// Declared in layer/values.css: the fonts of the seal, except for Chinese, Japanese and Korean.
const PLAIN = "values, system-ui, sans-serif";

export const familyOf = (font: MarkFont): string => (font === "plain" ? PLAIN : `"${font}", cursive`);

/** One line of composed characters, as the seal draws it. */
export const lineOf = (text: string): string => text.normalize("NFC").replaceAll(/\s+/g, " ").trim();

/** The font for a name. If the chosen font lacks a letter, the whole name is plain: a name in two fonts would look forged. */
export function faceFor(text: string, font: string): MarkFont {
  return isWritten(font) && faces[font].letters.test(lineOf(text)) ? font : "plain";
}

const isWritten = (font: string): font is WrittenFont => Object.hasOwn(faces, font);

const loading = new Map<MarkFont, Promise<unknown>>();

/** Rejects if the file could not be loaded. The next mark tries again. */
export async function loadFace(font: MarkFont, text: string): Promise<void> {
  if (font === "plain") return void (await document.fonts.load(`16px ${PLAIN}`, text));
  const known = loading.get(font) ?? fetchFace(font);
  loading.set(font, known);
  await known.catch((error: unknown) => {
    loading.delete(font);
    throw error;
  });
}

function fetchFace(font: WrittenFont): Promise<unknown> {
  const face = new FontFace(font, `url("${faces[font].url.href}")`, { display: "swap" });
  document.fonts.add(face);
  return face.load();
}

/** The extent of a glyph or a line, in ems. */
export interface Ink {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
}

/** Script fonts extend beyond their line box, so the ink is measured. Letters are placed without kerning or joining, as in the seal. */
export function inkOf(letters: readonly Ink[]): Ink {
  let x = 0;
  const line = { left: Infinity, right: -Infinity, top: -Infinity, bottom: Infinity };
  for (const { left, right, top, bottom, width } of letters) {
    if (right > left) {
      line.left = Math.min(line.left, x + left);
      line.right = Math.max(line.right, x + right);
      line.top = Math.max(line.top, top);
      line.bottom = Math.min(line.bottom, bottom);
    }
    x += width;
  }
  return { ...line, width: x };
}

// Large enough that rounding to whole pixels is not visible.
const MEASURED_PX = 200;

export function measure(text: string, font: MarkFont): Ink {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) throw new Error("canvas is not available");
  context.font = `${MEASURED_PX}px ${familyOf(font)}`;
  context.fontKerning = "none";
  // Other scripts join and reorder letters, so plain text is measured as a whole.
  return inkOf((font === "plain" ? [text] : [...text]).map((letter) => glyphInk(context.measureText(letter))));
}

function glyphInk(glyph: TextMetrics): Ink {
  const [left, right, top, bottom, width] = [
    -glyph.actualBoundingBoxLeft,
    glyph.actualBoundingBoxRight,
    glyph.actualBoundingBoxAscent,
    -glyph.actualBoundingBoxDescent,
    glyph.width,
  ].map((px) => px / MEASURED_PX) as [number, number, number, number, number];
  return { left, right, top, bottom, width };
}
