/** The languages that pages and what signers agree to are written in; the first where nothing else is known. */
export const locales = ["en", "es", "fr", "de"] as const;
export type Locale = (typeof locales)[number];
