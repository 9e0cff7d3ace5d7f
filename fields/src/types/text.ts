import type { FieldType, SettingFault, Settings, TextFormat } from "../field-type.ts";
import { asText, type Check, isTrueOrFalse, oneOf, readSettings, refused, wholeNumber } from "../parts.ts";

export const MAX_CHARACTERS = 2_000;
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
  typeof value === "string" && value.length <= MAX_MASK && /[9A*]/.test(value) && !LINE_END.test(value) && !HIDDEN.test(value)
    ? null
    : `must be text of at most ${MAX_MASK} characters with at least one of 9, A and *`;

const places: Readonly<Record<string, RegExp>> = { "9": /^\d$/, A: /^\p{L}$/u, "*": /^[\p{L}\d]$/u };

function fitsMask(text: string, wanted: string): boolean {
  const [letters, marks] = [[...text], [...wanted]];
  return letters.length === marks.length && marks.every((mark, at) => places[mark]?.test(letters[at] ?? "") ?? letters[at] === mark);
}

function together({ mask, format, multiline }: Settings): readonly SettingFault[] {
  if (mask !== undefined && format !== undefined) return [{ setting: "mask", message: "cannot be combined with format" }];
  const isOneLine = mask !== undefined || format !== undefined;
  return isOneLine && multiline === true ? [{ setting: "multiline", message: "cannot be combined with format or mask" }] : [];
}

/** The text as it is stored, without regard to how many lines it has. */
function plain(value: unknown, max_length = MAX_CHARACTERS): string | null {
  const given = asText(value);
  return given !== null && given.length <= max_length && !HIDDEN.test(given) ? given : null;
}

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
  held({ max_length = MAX_CHARACTERS, multiline, format, mask }, value) {
    const given = plain(value, max_length);
    if (given === null) return refused(`must be text of at most ${max_length} characters, without control characters`);
    const isOneLine = multiline === false || format !== undefined || mask !== undefined;
    if (isOneLine && LINE_END.test(given)) return refused("must be a single line");
    if (mask !== undefined) return fitsMask(given.trim(), mask) ? given.trim() : refused(`must have the form ${mask}`);
    if (format === undefined) return given;
    return formats[format].read(given.trim()) ?? refused(formats[format].message);
  },
  tagDefault: (_, written) =>
    [...written].length <= MAX_CHARACTERS ? written : refused(`the default must have at most ${MAX_CHARACTERS} characters`),
  // Without settings, the schema of the request limits its length, and the signer sees it before it is held.
  requestDefault(settings, value) {
    const held = Object.keys(settings).length > 1 ? this.held(settings, value) : value;
    return typeof held === "string" ? null : held;
  },
};
