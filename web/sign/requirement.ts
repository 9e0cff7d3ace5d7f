import type { SigningField } from "@countersign/client/pages";
import type { Locale } from "@countersign/client/types";
import { printed } from "@countersign/fields/print";

/** What a field with settings takes, in a sentence. Loaded only for documents with such fields. */

/** What is stated about limits: both, only the lower or only the upper one. They are printed already. */
interface Limits {
  both(from: string, to: string): string;
  least(from: string): string;
  most(to: string): string;
}

interface Sentences {
  readonly email: string;
  readonly phone: string;
  readonly digits: string;
  readonly letters: string;
  mask(mask: string): string;
  length(n: number): string;
  /** `limits` and `places` may be empty */
  number(limits: string, places: string): string;
  readonly numbers: Limits;
  places(n: number): string;
  readonly dates: Limits;
  readonly ticks: Limits & { exactly(n: string): string };
}

const sentences: Record<Locale, Sentences> = {
  en: {
    email: "Enter an e-mail address such as ann@example.com.",
    phone: "Enter a phone number with its country code, such as +44 20 7946 0000.",
    digits: "Enter digits only.",
    letters: "Enter letters, spaces, hyphens and apostrophes only.",
    mask: (mask) => `Use the form ${mask}: 9 is a digit, A a letter, * either.`,
    length: (n) => (n === 1 ? "At most 1 character." : `At most ${n} characters.`),
    number: (limits, places) => `Enter a number${limits}${places}.`,
    numbers: { both: (a, b) => ` from ${a} to ${b}`, least: (a) => ` of at least ${a}`, most: (b) => ` of at most ${b}` },
    places: (n) => (n === 0 ? " without decimals" : n === 1 ? " with at most 1 decimal" : ` with at most ${n} decimals`),
    dates: {
      both: (a, b) => `Enter a day from ${a} to ${b}.`,
      least: (a) => `Enter ${a} or a later day.`,
      most: (b) => `Enter ${b} or an earlier day.`,
    },
    ticks: {
      both: (a, b) => `Tick ${a} to ${b} of these boxes.`,
      exactly: (n) => `Tick exactly ${n} of these boxes.`,
      least: (a) => `Tick at least ${a} of these boxes.`,
      most: (b) => `Tick at most ${b} of these boxes.`,
    },
  },
  de: {
    email: "Geben Sie eine E-Mail-Adresse wie ann@example.com ein.",
    phone: "Geben Sie eine Telefonnummer mit Landesvorwahl ein, zum Beispiel +44 20 7946 0000.",
    digits: "Geben Sie nur Ziffern ein.",
    letters: "Geben Sie nur Buchstaben, Leerzeichen, Bindestriche und Apostrophe ein.",
    mask: (mask) => `Verwenden Sie die Form ${mask}: 9 ist eine Ziffer, A ein Buchstabe, * eines von beiden.`,
    length: (n) => `Höchstens ${n} Zeichen.`,
    number: (limits, places) => `Geben Sie eine Zahl${limits}${places} ein.`,
    numbers: { both: (a, b) => ` von ${a} bis ${b}`, least: (a) => ` ab ${a}`, most: (b) => ` bis ${b}` },
    places: (n) =>
      n === 0 ? " ohne Nachkommastellen" : n === 1 ? " mit höchstens 1 Nachkommastelle" : ` mit höchstens ${n} Nachkommastellen`,
    dates: {
      both: (a, b) => `Geben Sie einen Tag vom ${a} bis ${b} ein.`,
      least: (a) => `Geben Sie den ${a} oder einen späteren Tag ein.`,
      most: (b) => `Geben Sie den ${b} oder einen früheren Tag ein.`,
    },
    ticks: {
      both: (a, b) => `Kreuzen Sie ${a} bis ${b} dieser Kästchen an.`,
      exactly: (n) => `Kreuzen Sie genau ${n} dieser Kästchen an.`,
      least: (a) => `Kreuzen Sie mindestens ${a} dieser Kästchen an.`,
      most: (b) => `Kreuzen Sie höchstens ${b} dieser Kästchen an.`,
    },
  },
  fr: {
    email: "Saisissez une adresse e-mail telle que ann@example.com.",
    phone: "Saisissez un numéro de téléphone avec l’indicatif du pays, par exemple +44 20 7946 0000.",
    digits: "Saisissez uniquement des chiffres.",
    letters: "Saisissez uniquement des lettres, des espaces, des traits d’union et des apostrophes.",
    mask: (mask) => `Utilisez la forme ${mask} : 9 est un chiffre, A une lettre, * l’un ou l’autre.`,
    length: (n) => (n === 1 ? "1 caractère au maximum." : `${n} caractères au maximum.`),
    number: (limits, places) => `Saisissez un nombre${limits}${places}.`,
    numbers: { both: (a, b) => ` de ${a} à ${b}`, least: (a) => ` d’au moins ${a}`, most: (b) => ` d’au plus ${b}` },
    places: (n) => (n === 0 ? " sans décimales" : n === 1 ? " avec 1 décimale au maximum" : ` avec ${n} décimales au maximum`),
    dates: {
      both: (a, b) => `Saisissez un jour du ${a} au ${b}.`,
      least: (a) => `Saisissez le ${a} ou un jour ultérieur.`,
      most: (b) => `Saisissez le ${b} ou un jour antérieur.`,
    },
    ticks: {
      both: (a, b) => `Cochez de ${a} à ${b} de ces cases.`,
      exactly: (n) => `Cochez exactement ${n} de ces cases.`,
      least: (a) => `Cochez au moins ${a} de ces cases.`,
      most: (b) => `Cochez au plus ${b} de ces cases.`,
    },
  },
  es: {
    email: "Introduzca una dirección de correo como ann@example.com.",
    phone: "Introduzca un número de teléfono con el prefijo del país, por ejemplo +44 20 7946 0000.",
    digits: "Introduzca solo cifras.",
    letters: "Introduzca solo letras, espacios, guiones y apóstrofos.",
    mask: (mask) => `Use la forma ${mask}: 9 es una cifra, A una letra, * cualquiera de las dos.`,
    length: (n) => (n === 1 ? "1 carácter como máximo." : `${n} caracteres como máximo.`),
    number: (limits, places) => `Introduzca un número${limits}${places}.`,
    numbers: { both: (a, b) => ` de ${a} a ${b}`, least: (a) => ` de al menos ${a}`, most: (b) => ` de ${b} como máximo` },
    places: (n) => (n === 0 ? " sin decimales" : n === 1 ? " con 1 decimal como máximo" : ` con ${n} decimales como máximo`),
    dates: {
      both: (a, b) => `Introduzca un día del ${a} al ${b}.`,
      least: (a) => `Introduzca el ${a} o un día posterior.`,
      most: (b) => `Introduzca el ${b} o un día anterior.`,
    },
    ticks: {
      both: (a, b) => `Marque de ${a} a ${b} de estas casillas.`,
      exactly: (n) => `Marque exactamente ${n} de estas casillas.`,
      least: (a) => `Marque al menos ${a} de estas casillas.`,
      most: (b) => `Marque como máximo ${b} de estas casillas.`,
    },
  },
};

/** Empty if there is no limit. */
function stated({ both, least, most }: Limits, from: string | undefined, to: string | undefined, print: (limit: string) => string): string {
  const [low, high] = [from, to].map((limit) => (limit === undefined ? undefined : print(limit)));
  if (low !== undefined && high !== undefined) return both(low, high);
  return low !== undefined ? least(low) : high !== undefined ? most(high) : "";
}

/** Null if the settings of the field do not limit its value. */
export function requirement({ type, settings }: Pick<SigningField, "type" | "settings">, language: Locale): string | null {
  const words = sentences[language];
  const { format, mask, max_length, min, max, places, earliest, latest, unit, group } = settings;
  if (type === "number") {
    const limits = stated(words.numbers, min, max, (limit) => printed("number", limit, language, unit));
    const decimals = places === undefined ? "" : words.places(places);
    return limits + decimals === "" ? null : words.number(limits, decimals);
  }
  if (type === "date") return stated(words.dates, earliest, latest, (day) => printed("date", day, language)) || null;
  if (type === "checkbox") {
    const exactly = min === max && min !== undefined ? words.ticks.exactly(min) : null;
    // At least none is no limit.
    const ticks = exactly ?? stated(words.ticks, Number(min) > 0 ? min : undefined, max, String);
    return ticks === "" ? null : `${group}: ${ticks}`;
  }
  if (mask !== undefined) return words.mask(mask);
  if (format !== undefined) return words[format as "email" | "phone" | "digits" | "letters"];
  return max_length === undefined ? null : words.length(max_length);
}
