/** Browsers can have tags that `Intl` refuses, such as `en-US@posix` on a system without a language. */
const ENGLISH = /^en(-([a-z]{2}|\d{3}))?(?![a-z\d])/i;

export const englishOf = (tag: string): string => ENGLISH.exec(tag)?.[0] ?? "en";

/** Numbers, dates and times are in English like the words around them, whatever language the browser has. It says which English. */
export const language = englishOf(globalThis.navigator?.language ?? "");

const numbers = new Intl.NumberFormat(language);
export const formatNumber = (count: number): string => numbers.format(count);

const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
export const formatTenths = (count: number): string => tenths.format(count);
