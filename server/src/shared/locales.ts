/** The languages of the pages and of what signers agree to; the first where nothing else is known. Their words: web/i18n/locales.ts, server/texts/. */
export const locales = ["en", "es", "fr", "de"] as const;
export type Locale = (typeof locales)[number];
