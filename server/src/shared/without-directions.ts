// Marks, embeddings, overrides and isolates of Unicode. With one of them "gpj.exe" is displayed as "exe.jpg".
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text without invisible characters that change the direction of the text around them. Hebrew and Arabic need none of them. */
export const withoutDirections = (text: string): string => text.replace(DIRECTIONS, "");
