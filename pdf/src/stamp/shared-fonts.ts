// The fonts of this thread.

import { type Fonts, openFonts } from "./fonts.ts";

let fonts: Fonts | null = null;

/** Opened once per thread; each font is loaded on first use. */
export function sharedFonts(): Fonts {
  fonts ??= openFonts();
  return fonts;
}
