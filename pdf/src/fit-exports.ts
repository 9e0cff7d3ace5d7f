// The exports for checking a value while it is typed: whether it can be drawn in its area. Needs only the text and our own fonts, no
// document.

export { fitText, type TextBox, textBox } from "./stamp/fit-text.ts";
export { openFonts, type SignatureFont } from "./stamp/fonts.ts";
export { hasInk } from "./stamp/shape.ts";
export { sharedFonts } from "./stamp/shared-fonts.ts";
export { undrawableIn } from "./stamp/undrawable.ts";
