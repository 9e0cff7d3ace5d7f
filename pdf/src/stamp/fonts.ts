// The fonts in which values are drawn, and the choice of font for a character. The fonts that almost every document needs come with this
// package; the large Chinese, Japanese and Korean fonts are loaded from optional packages.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Face, readFace } from "./face.ts";

/** The fonts for typed signatures; `plain` is the font for values and supports more scripts. */
export type SignatureFont = "dancing-script" | "caveat" | "great-vibes" | "plain";

/** The font and the glyph found for a character. */
export type Found = { readonly face: Face; readonly glyph: number };

export type Fonts = {
  /** `value` is the whole text: its script determines the font for characters that several scripts share. */
  readonly find: (point: number, value: string) => Found | null;
  /** The package to install for a character that `find` does not find; null if none is known. */
  readonly missingPackage: (point: number, value: string) => string | null;
  /** Drawn instead of a character that no font has: U+FFFD. */
  readonly replacement: Found;
  /** Null for `plain`, which `find` uses. */
  readonly signatureFace: (font: SignatureFont) => Face | null;
};

// The same folder for the source and for the built file.
const FOLDER = new URL("../../fonts/", import.meta.url);

const own = {
  plain: "NotoSans-Regular",
  hebrew: "NotoSansHebrew-Regular",
  arabic: "NotoSansArabic-Regular",
  "dancing-script": "DancingScript-Regular",
  caveat: "Caveat-Regular",
  "great-vibes": "GreatVibes-Regular",
} as const;

const installed = {
  jp: { package: "@expo-google-fonts/noto-sans-jp", file: "400Regular/NotoSansJP_400Regular.ttf", name: "NotoSansJP-Regular" },
  kr: { package: "@expo-google-fonts/noto-sans-kr", file: "400Regular/NotoSansKR_400Regular.ttf", name: "NotoSansKR-Regular" },
  sc: { package: "@expo-google-fonts/noto-sans-sc", file: "400Regular/NotoSansSC_400Regular.ttf", name: "NotoSansSC-Regular" },
} as const;

type Cjk = keyof typeof installed;

// CJK letters, and the punctuation and wide forms that only CJK fonts have.
const CJK = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\u3000-\u303f\uff00-\uffef]/u;
const KANA = /[\p{sc=Hira}\p{sc=Kana}]/u;
const HANGUL = /\p{sc=Hang}/u;

const REPLACEMENT = 0xfffd;

/**
 * The fonts, each loaded on first use and kept. Optional packages are resolved as for a module at `from`.
 * @example const fonts = openFonts(); fitText("Ann", { w_pt: 120, h_pt: 20 }, fonts)
 */
export function openFonts(from: string | URL = import.meta.url): Fonts {
  const faces = new Map<string, Face | null>();
  const kept = (key: string, read: () => Face | null): Face | null => {
    if (!faces.has(key)) faces.set(key, read());
    return faces.get(key) ?? null;
  };
  const ownFace = (key: keyof typeof own): Face =>
    kept(key, () => readFace(own[key], readFileSync(new URL(`${own[key]}.ttf`, FOLDER)))) as Face;
  const cjkFace = (key: Cjk): Face | null => kept(key, () => readInstalled(from, key));
  return {
    find: (point, value) => find(point, value, ownFace, cjkFace),
    missingPackage: (point, value) => (CJK.test(String.fromCodePoint(point)) ? installed[preferred(value)].package : null),
    get replacement() {
      const face = ownFace("plain");
      return { face, glyph: face.glyphOf(REPLACEMENT) };
    },
    signatureFace: (font) => (font === "plain" ? null : ownFace(font)),
  };
}

function find(point: number, value: string, ownFace: (key: keyof typeof own) => Face, cjkFace: (key: Cjk) => Face | null): Found | null {
  const inFace = (face: Face | null): Found | null => {
    const glyph = face?.glyphOf(point) ?? 0;
    return face === null || glyph === 0 ? null : { face, glyph };
  };
  const plain = inFace(ownFace("plain"));
  if (plain !== null) return plain;
  if (CJK.test(String.fromCodePoint(point))) {
    // Another CJK font is better than none: it has the character, in the shape of another country.
    for (const key of new Set<Cjk>([preferred(value), "sc", "jp", "kr"])) {
      const found = inFace(cjkFace(key));
      if (found !== null) return found;
    }
    return null;
  }
  return inFace(ownFace("hebrew")) ?? inFace(ownFace("arabic"));
}

const preferred = (value: string): Cjk => (KANA.test(value) ? "jp" : HANGUL.test(value) ? "kr" : "sc");

function readInstalled(from: string | URL, key: Cjk): Face | null {
  const { package: name, file, name: face } = installed[key];
  try {
    return readFace(face, readFileSync(createRequire(from).resolve(`${name}/${file}`)));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return null;
    throw error;
  }
}
