import type { SigningField } from "@countersign/client/pages";
import type { Locale } from "@countersign/client/types";
import { printed } from "@countersign/fields/print";

/** What a field with settings takes, in a sentence. Loaded only for documents with such fields. */

/** `from` and `to` are printed already; null: there is no limit. */
interface Sentences {
  readonly email: string;
  readonly phone: string;
  readonly digits: string;
  readonly letters: string;
  mask(mask: string): string;
  length(n: number): string;
  number(from: string | null, to: string | null, places: number | undefined): string;
  date(from: string | null, to: string | null): string;
  ticks(from: string | null, to: string | null): string;
}

type Range = (from: string | null, to: string | null) => string;

/** The three ways to state limits. */
const range =
  (both: (from: string, to: string) => string, least: (from: string) => string, most: (to: string) => string, none = ""): Range =>
  (from, to) =>
    from !== null && to !== null ? both(from, to) : from !== null ? least(from) : to !== null ? most(to) : none;

const places = (n: number | undefined, whole: string, some: (n: number) => string): string =>
  n === undefined ? "" : n === 0 ? whole : some(n);

const sentences: Record<Locale, Sentences> = {
  en: {
    email: "Enter an e-mail address such as ann@example.com.",
    phone: "Enter a phone number with its country code, such as +44 20 7946 0000.",
    digits: "Enter digits only.",
    letters: "Enter letters, spaces, hyphens and apostrophes only.",
    mask: (mask) => `Use the form ${mask}: 9 is a digit, A a letter, * either.`,
    length: (n) => `At most ${n} characters.`,
    number: (from, to, n) =>
      `Enter a number${range(
        (a, b) => ` from ${a} to ${b}`,
        (a) => ` of at least ${a}`,
        (b) => ` of at most ${b}`,
      )(from, to)}${places(n, " without decimals", (some) => ` with at most ${some} decimals`)}.`,
    date: range(
      (a, b) => `Enter a day from ${a} to ${b}.`,
      (a) => `Enter ${a} or a later day.`,
      (b) => `Enter ${b} or an earlier day.`,
    ),
    ticks: range(
      (a, b) => `Tick ${a} to ${b} of these boxes.`,
      (a) => `Tick at least ${a} of these boxes.`,
      (b) => `Tick at most ${b} of these boxes.`,
    ),
  },
  de: {
    email: "Geben Sie eine E-Mail-Adresse wie ann@example.com ein.",
    phone: "Geben Sie eine Telefonnummer mit Landesvorwahl ein, zum Beispiel +44 20 7946 0000.",
    digits: "Geben Sie nur Ziffern ein.",
    letters: "Geben Sie nur Buchstaben, Leerzeichen, Bindestriche und Apostrophe ein.",
    mask: (mask) => `Verwenden Sie die Form ${mask}: 9 ist eine Ziffer, A ein Buchstabe, * eines von beiden.`,
    length: (n) => `Höchstens ${n} Zeichen.`,
    number: (from, to, n) =>
      `Geben Sie eine Zahl${range(
        (a, b) => ` von ${a} bis ${b}`,
        (a) => ` ab ${a}`,
        (b) => ` bis ${b}`,
      )(from, to)}${places(n, " ohne Nachkommastellen", (some) => ` mit höchstens ${some} Nachkommastellen`)} ein.`,
    date: range(
      (a, b) => `Geben Sie einen Tag vom ${a} bis ${b} ein.`,
      (a) => `Geben Sie den ${a} oder einen späteren Tag ein.`,
      (b) => `Geben Sie den ${b} oder einen früheren Tag ein.`,
    ),
    ticks: range(
      (a, b) => `Kreuzen Sie ${a} bis ${b} dieser Kästchen an.`,
      (a) => `Kreuzen Sie mindestens ${a} dieser Kästchen an.`,
      (b) => `Kreuzen Sie höchstens ${b} dieser Kästchen an.`,
    ),
  },
  fr: {
    email: "Saisissez une adresse e-mail telle que ann@example.com.",
    phone: "Saisissez un numéro de téléphone avec l’indicatif du pays, par exemple +44 20 7946 0000.",
    digits: "Saisissez uniquement des chiffres.",
    letters: "Saisissez uniquement des lettres, des espaces, des traits d’union et des apostrophes.",
    mask: (mask) => `Utilisez la forme ${mask} : 9 est un chiffre, A une lettre, * l’un ou l’autre.`,
    length: (n) => `${n} caractères au maximum.`,
    number: (from, to, n) =>
      `Saisissez un nombre${range(
        (a, b) => ` de ${a} à ${b}`,
        (a) => ` d’au moins ${a}`,
        (b) => ` d’au plus ${b}`,
      )(from, to)}${places(n, " sans décimales", (some) => ` avec ${some} décimales au maximum`)}.`,
    date: range(
      (a, b) => `Saisissez un jour du ${a} au ${b}.`,
      (a) => `Saisissez le ${a} ou un jour ultérieur.`,
      (b) => `Saisissez le ${b} ou un jour antérieur.`,
    ),
    ticks: range(
      (a, b) => `Cochez de ${a} à ${b} de ces cases.`,
      (a) => `Cochez au moins ${a} de ces cases.`,
      (b) => `Cochez au plus ${b} de ces cases.`,
    ),
  },
  es: {
    email: "Introduzca una dirección de correo como ann@example.com.",
    phone: "Introduzca un número de teléfono con el prefijo del país, por ejemplo +44 20 7946 0000.",
    digits: "Introduzca solo cifras.",
    letters: "Introduzca solo letras, espacios, guiones y apóstrofos.",
    mask: (mask) => `Use la forma ${mask}: 9 es una cifra, A una letra, * cualquiera de las dos.`,
    length: (n) => `${n} caracteres como máximo.`,
    number: (from, to, n) =>
      `Introduzca un número${range(
        (a, b) => ` de ${a} a ${b}`,
        (a) => ` de al menos ${a}`,
        (b) => ` de ${b} como máximo`,
      )(from, to)}${places(n, " sin decimales", (some) => ` con ${some} decimales como máximo`)}.`,
    date: range(
      (a, b) => `Introduzca un día del ${a} al ${b}.`,
      (a) => `Introduzca el ${a} o un día posterior.`,
      (b) => `Introduzca el ${b} o un día anterior.`,
    ),
    ticks: range(
      (a, b) => `Marque de ${a} a ${b} de estas casillas.`,
      (a) => `Marque al menos ${a} de estas casillas.`,
      (b) => `Marque como máximo ${b} de estas casillas.`,
    ),
  },
};

/** Null if the settings of the field do not limit its value. `group`: the settings of the first checkbox of its group. */
export function requirement(
  { type, settings }: Pick<SigningField, "type" | "settings">,
  language: Locale,
  group = settings,
): string | null {
  const words = sentences[language];
  const { format, mask, max_length, min, max, places: digits, earliest, latest, unit } = settings;
  const limit = (value: string | number | undefined, control: "number" | "date") =>
    value === undefined ? null : printed(control, String(value), language, unit);
  if (type === "number") {
    return min === undefined && max === undefined && digits === undefined
      ? null
      : words.number(limit(min, "number"), limit(max, "number"), digits);
  }
  if (type === "date")
    return earliest === undefined && latest === undefined ? null : words.date(limit(earliest, "date"), limit(latest, "date"));
  if (type === "checkbox") {
    return group.min === undefined && group.max === undefined ? null : words.ticks(limit(group.min, "number"), limit(group.max, "number"));
  }
  if (mask !== undefined) return words.mask(mask);
  if (format !== undefined) return words[format as "email" | "phone" | "digits" | "letters"];
  return max_length === undefined ? null : words.length(max_length);
}
