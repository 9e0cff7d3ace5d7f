// What a process needs to judge a value while it is typed: whether it can be drawn in its area. Text and faces of our own only; a
// document has no part in it.

export { fitText, type TextBox, textBox } from "./stamp/fit-text.ts";
export { type Fonts, openFonts, type SignatureFont } from "./stamp/fonts.ts";
export { hasInk, isDrawable } from "./stamp/shape.ts";
