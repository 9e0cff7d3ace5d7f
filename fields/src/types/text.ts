import type { Fault, FieldType, SettingFault, Settings, TextFormat } from "../field-type.ts";
import { asText, type Check, isTrueOrFalse, oneOf, readSettings, refused, shortText, wholeNumber } from "../parts.ts";

const MAX_CHARACTERS = 2_000;
const MAX_MASK = 100;

// Characters that are invisible or reverse the order of others: a reader would see another text than the one that is signed.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const LINE_END = /[\n\r\u0085\u2028\u2029]/;

/** The text as it is stored, or null if it does not have the format. */
const formats: Record<TextFormat, { readonly read: (text: string) => string | null; readonly message: string }> = {
  email: {
    read: (text) => (/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text) ? text : null),
    message: "must be an e-mail address such as ann@example.com",
  },
  phone: {
    read: (text) => /^\+\d{6,15}$/.exec(text.replaceAll(/[ \u00a0-]/g, ""))?.[0] ?? null,
    message: "must be a phone number with its country code, such as +44 20 7946 0000",
  },
  digits: { read: (text) => (/^\d+$/.test(text) ? text : null), message: "must consist of digits only" },
  letters: {
    read: (text) => (/^[\p{L}\p{M} '\u2019-]+$/u.test(text) ? text : null),
    message: "must consist of letters, spaces, hyphens and apostrophes only",
  },
};

const mask: Check = (value) =>
  shortText(MAX_MASK)(value) === null && /[9A*]/.test(String(value))
    ? null
    : `must be text of at most ${MAX_MASK} characters with at least one of 9, A and *, without spaces at its ends`;

const places: Readonly<Record<string, RegExp>> = { "9": /^\d$/, A: /^\p{L}$/u, "*": /^[\p{L}\d]$/u };

/** Both are composed: some keyboards write ä as a letter and a mark. */
function fitsMask(text: string, wanted: string): boolean {
  const [letters, marks] = [[...text], [...wanted.normalize()]];
  return letters.length === marks.length && marks.every((mark, at) => places[mark]?.test(letters[at] ?? "") ?? letters[at] === mark);
}

function together({ mask, format, multiline, max_length }: Settings): readonly SettingFault[] {
  if (mask !== undefined && format !== undefined) return [{ setting: "mask", message: "cannot be combined with format" }];
  if (mask !== undefined && max_length !== undefined) return [{ setting: "max_length", message: "cannot be combined with mask" }];
  const isOneLine = mask !== undefined || format !== undefined;
  return isOneLine && multiline === true ? [{ setting: "multiline", message: "cannot be combined with format or mask" }] : [];
}

const hasSettings = (settings: Settings): boolean => Object.keys(settings).some((name) => name !== "options");

/** In the form that the settings ask for. */
function formed({ format, mask }: Settings, given: string): string | Fault {
  if (mask !== undefined) {
    const text = given.trim().normalize();
    return fitsMask(text, mask) ? text : refused(`must have the form ${mask}`);
  }
  return format === undefined ? given : (formats[format].read(given.trim()) ?? refused(formats[format].message));
}

// Characters as people count them; some take two places in a text of JavaScript.
const isLonger = (text: string, than: number): boolean => text.length > 2 * than || [...text].length > than;

export const text: FieldType = {
  type: "text",
  from: ["request", "tag"],
  draw: "text",
  control: "text",
  size_pt: [180, 22],
  required: false,
  settings: (given) =>
    readSettings(
      "text",
      given,
      { multiline: isTrueOrFalse, max_length: wholeNumber(1, MAX_CHARACTERS), format: oneOf(...Object.keys(formats)), mask },
      together,
    ),
  held(settings, value) {
    const { max_length = MAX_CHARACTERS, multiline } = settings;
    const given = asText(value);
    const unsound = refused(`must be text of at most ${max_length} characters, without control characters`);
    if (given === null || isLonger(given, MAX_CHARACTERS) || HIDDEN.test(given)) return unsound;
    // A text from before there were settings has as many lines as fit, and so has that of a tag.
    if (hasSettings(settings) && multiline !== true && LINE_END.test(given)) return refused("must be a single line");
    const text = formed(settings, given);
    return typeof text === "string" && isLonger(text, max_length) ? unsound : text;
  },
  tagDefault: (_, written) =>
    [...written].length <= MAX_CHARACTERS ? written : refused(`the default must have at most ${MAX_CHARACTERS} characters`),
  // Without settings, the schema of the request limits its length, and the signer sees it before it is held.
  requestDefault(settings, value) {
    return hasSettings(settings) ? this.held(settings, value) : value;
  },
};
