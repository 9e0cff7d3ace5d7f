import type { MarkFont } from "@countersign/client/pages";
import type { MarkType } from "../ceremony.ts";
import { faceFor } from "./faces.ts";

export const fonts: readonly MarkFont[] = ["dancing-script", "caveat", "great-vibes", "plain"];

export const fontNamed = (name: string): MarkFont => fonts.find((font) => font === name) ?? "plain";

/** The limit of the service. */
export const MAX_TEXT = 100;

/** Whether the text has no visible character. */
export const blankText = (text: string): boolean => /^[\s\p{Cf}]*$/u.test(text);

/** The suggested text: the name, or its first letters. */
export function suggestedText(what: MarkType, name: string): string {
  const words = name.normalize("NFC").split(/\s+/);
  const text = what === "signature" ? words.join(" ") : words.map((word) => /\p{L}/u.exec(word)?.[0] ?? "").join("");
  return text.trim().slice(0, MAX_TEXT);
}

export const canWrite = (font: MarkFont, text: string): boolean => faceFor(text, font) === font;

/** The chosen font, or the first one that has every letter. The plain font is the last resort. */
export function fontFor(text: string, chosen: MarkFont): MarkFont {
  return [chosen, ...fonts].find((font) => canWrite(font, text)) ?? "plain";
}
