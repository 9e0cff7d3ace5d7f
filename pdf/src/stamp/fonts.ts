// The fonts in which values are drawn, and the choice of font for a character. Each is opened when a character needs it.

import { statSync } from "node:fs";
import { type Face, openFace } from "./face.ts";
import { chineseOf } from "./han.ts";

/** The fonts for typed signatures; `plain` is the font for values and supports more scripts. */
export type SignatureFont = "dancing-script" | "caveat" | "great-vibes" | "plain";

/** The font and the glyph found for a character. */
export type Found = { readonly face: Face; readonly glyph: number };

export type Fonts = {
  /** `value` is the whole text: its script determines the font for characters that several scripts share. */
  readonly find: (point: number, value: string) => Found | null;
  /** Drawn instead of a character that no font has: U+FFFD. */
  readonly replacement: Found;
  /** Null for `plain`, which `find` uses. */
  readonly signatureFace: (font: SignatureFont) => Face | null;
};

// The same folder for the source and for the built file.
const FOLDER = new URL("../../fonts/", import.meta.url);

const files = {
  plain: "NotoSans-Regular",
  hebrew: "NotoSansHebrew-Regular",
  arabic: "NotoSansArabic-Regular",
  thai: "NotoSansThai-Regular",
  "symbols-2": "NotoSansSymbols2-Regular",
  symbols: "NotoSansSymbols-Regular",
  math: "NotoSansMath-Regular",
  sc: "NotoSansSC-Regular",
  tc: "NotoSansTC-Regular",
  jp: "NotoSansJP-Regular",
  kr: "NotoSansKR-Regular",
  "dancing-script": "DancingScript-Regular",
  caveat: "Caveat-Regular",
  "great-vibes": "GreatVibes-Regular",
} as const;

type Key = keyof typeof files;

// CJK letters, and the punctuation, sound marks and wide forms that only CJK fonts have.
const CJK = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\u3000-\u30ff\uff00-\uffef]/u;
const KANA = /[\p{sc=Hira}\p{sc=Kana}]/u;
const HANGUL = /\p{sc=Hang}/u;
// The fonts have some of them in outline. On screens they are coloured pictures, so no one would sign what they saw.
const EMOJI = /\p{Emoji_Presentation}/u;

const REPLACEMENT = 0xfffd;

/**
 * The fonts, each opened on first use and kept.
 * @example const fonts = openFonts(); fitText("Ann", { w_pt: 120, h_pt: 20 }, fonts)
 */
export function openFonts(): Fonts {
  const faces = new Map<Key, Face>();
  const faceOf = (key: Key): Face => {
    // Asked for every character, so a face that is open costs one look-up.
    const known = faces.get(key);
    if (known !== undefined) return known;
    const path = new URL(`${files[key]}.ttf`, FOLDER);
    const face = openFace(files[key], path, statSync(path).size);
    faces.set(key, face);
    return face;
  };
  return {
    find(point, value) {
      for (const key of candidates(point, value)) {
        const face = faceOf(key);
        const glyph = face.glyphOf(point);
        if (glyph !== 0) return { face, glyph };
      }
      return null;
    },
    get replacement() {
      const face = faceOf("plain");
      return { face, glyph: face.glyphOf(REPLACEMENT) };
    },
    signatureFace: (font) => (font === "plain" ? null : faceOf(font)),
  };
}

/** The fonts that may have a character, the best first. */
function* candidates(point: number, value: string): Generator<Key> {
  yield "plain";
  const character = String.fromCodePoint(point);
  if (EMOJI.test(character)) return;
  if (CJK.test(character)) {
    // Another CJK font is better than none: it has the character, in the shape of another country.
    yield* new Set<Key>([preferred(value), "sc", "tc", "jp", "kr"]);
    return;
  }
  yield* ["hebrew", "arabic", "thai"] as const;
  if (/[\p{S}\p{P}\p{N}]/u.test(character)) yield* ["symbols-2", "symbols", "math", preferred(value)] as const;
}

const preferred = (value: string): Key => (KANA.test(value) ? "jp" : HANGUL.test(value) ? "kr" : chineseOf(value));
