const ofBrowser = globalThis.navigator?.language ?? "";
/** Numbers, dates and times are in English like the words around them, whatever language the browser has. It says which English. */
export const language = /^en\b/i.test(ofBrowser) ? ofBrowser : "en";

const numbers = new Intl.NumberFormat(language);
export const formatNumber = (count: number): string => numbers.format(count);

const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
export const formatTenths = (count: number): string => tenths.format(count);
