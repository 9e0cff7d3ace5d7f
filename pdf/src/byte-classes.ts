/** What a byte is between tokens of a PDF (ISO 32000-2, 7.2.3). */
export const REGULAR = 0;
export const SPACE = 1;
export const DELIMITER = 2;

/** The class of each byte. */
export const byteClasses = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) byteClasses[byte] = SPACE;
for (const char of "()<>[]{}/%") byteClasses[char.charCodeAt(0)] = DELIMITER;
