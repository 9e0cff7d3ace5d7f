import type { MarkFont } from "@countersign/client/pages";
import type { MarkType } from "../ceremony.ts";
import { faceFor } from "./faces.ts";

export const fonts: readonly MarkFont[] = ["dancing-script", "caveat", "great-vibes", "plain"];

export const fontNamed = (name: string): MarkFont => fonts.find((font) => font === name) ?? "plain";

/** What the service takes. */
export const MAX_TEXT = 100;

/** Nothing that anybody would see. */
export const blankText = (text: string): boolean => /^[\s\p{Cf}]*$/u.test(text);

/** What a signer need not type: the name, or the first letters of its words. */
export function proposed(what: MarkType, name: string): string {
  const words = name.normalize("NFC").split(/\s+/);
  const text = what === "signature" ? words.join(" ") : words.map((word) => /\p{L}/u.exec(word)?.[0] ?? "").join("");
  return text.trim().slice(0, MAX_TEXT);
}

export const canWrite = (font: MarkFont, text: string): boolean => faceFor(text, font) === font;

/** The chosen face, or the first that has every letter: the plain one is the last. */
export function fontFor(text: string, chosen: MarkFont): MarkFont {
  return [chosen, ...fonts].find((font) => canWrite(font, text)) ?? "plain";
}
