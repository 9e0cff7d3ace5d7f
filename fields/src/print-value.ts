// How a value is written into the document and shown on pages, in the language of the person who entered it. The service and the signing
// page run this same code, so that a signer sees what is stamped.
import type { Control } from "./field-type.ts";

/** The languages in which values are printed. */
export type PrintLanguage = keyof typeof forms;

interface Form {
  readonly decimal: "." | ",";
  date(year: string, month: string, day: string): string;
}

// In words, because 01/03/2027 is in January for some readers of English and in March for others.
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const slashes: Form = { decimal: ",", date: (year, month, day) => `${day}/${month}/${year}` };

const forms = {
  en: { decimal: ".", date: (year, month, day) => `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}` },
  es: slashes,
  fr: slashes,
  de: { decimal: ",", date: (year, month, day) => `${day}.${month}.${year}` },
} satisfies Record<string, Form>;

export const printLanguages = Object.keys(forms) as readonly PrintLanguage[];

/** The printed form of a held value, with the unit of a number. A number or date that an earlier version held in another form is printed as it is. */
export function printed(control: Control, held: string, language: PrintLanguage, unit?: string): string {
  const { decimal, date } = forms[language];
  // A no-break space, so that the unit stays with its number.
  if (control === "number" && /^-?\d+(\.\d+)?$/.test(held)) return held.replace(".", decimal) + (unit ? `\u00a0${unit}` : "");
  if (control !== "date") return held;
  return held.replace(/^(\d{4})-(\d\d)-(\d\d)$/, (_, year: string, month: string, day: string) => date(year, month, day));
}
