// What several types have in common.
import type { Fault, FieldType, GivenSettings, Origin, SettingFault, Settings } from "./field-type.ts";

export const refused = (message: string): Fault => ({ code: "invalid_value", message });

/** Text as it was given; numbers of JSON in their shortest form. null for anything else. */
export function asText(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : null;
}

/** Without any white space, in lower case: for values that contain none, however the document breaks its lines. */
export const tight = (text: string): string => text.replace(/\s+/g, "").toLowerCase();

/** What is wrong with the value of one setting, as the end of a sentence: "must be true or false". Null if nothing is. */
export type Check = (value: unknown) => string | null;

export const isTrueOrFalse: Check = (value) => (typeof value === "boolean" ? null : "must be true or false");

export const wholeNumber =
  (from: number, to: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= from && Number(value) <= to ? null : `must be a whole number from ${from} to ${to}`;

export const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string) ? null : `must be ${words.length === 1 ? "" : "one of: "}${words.join(", ")}`;

/** A short text without control characters and without spaces at its ends. */
export const shortText =
  (length: number): Check =>
  (value) =>
    typeof value === "string" && value !== "" && value.trim() === value && [...value].length <= length && !/\p{C}/u.test(value)
      ? null
      : `must be text of at most ${length} characters, without spaces at its ends`;

type Checks = Readonly<Record<string, Check>>;

/** What a sender can say about every field that a signer fills in. */
const COMMON: Checks = { sender_fills: isTrueOrFalse };

/** Reads the settings of a type that has these members. `together` finds members that are right alone and wrong beside others. */
export function readSettings(
  type: string,
  { options, ...given }: GivenSettings,
  own: Checks,
  together: (settings: Settings) => readonly SettingFault[] = () => [],
): Settings | readonly SettingFault[] {
  const checks: Checks = { ...COMMON, ...own };
  const members = Object.entries(given).filter(([, value]) => value !== undefined);
  const faults = members.flatMap(([setting, value]): SettingFault[] => {
    const message = Object.hasOwn(checks, setting) ? checks[setting]?.(value) : `a field of type ${type} has no such setting`;
    return message == null ? [] : [{ setting, message }];
  });
  if (options !== undefined) faults.push({ setting: "options", message: `a field of type ${type} has no options` });
  if (faults.length > 0) return faults;
  const settings: Settings = { options: null, ...Object.fromEntries(members) };
  const wrong = together(settings);
  return wrong.length > 0 ? wrong : settings;
}

export const isFaulty = (read: Settings | readonly SettingFault[]): read is readonly SettingFault[] => Array.isArray(read);

const MAX_OPTIONS = 100;
const MAX_OPTION_LENGTH = 200;

/** What a type with a list of options adds: one of them is chosen. */
export const oneOfOptions = {
  from: ["request", "tag"],
  required: false,
  settings({ options, ...given }, from) {
    const read = readSettings(this.type, given, {});
    const message = optionsFault(this.type, options, from);
    const others = isFaulty(read) ? read : [];
    if (message !== null) return [{ setting: "options", message }, ...others];
    return isFaulty(read) ? read : { ...read, options: options ?? null };
  },
  held({ options }, value) {
    const text = asText(value);
    return text !== null && options?.includes(text) ? text : refused(`must be one of: ${(options ?? []).join(", ")}`);
  },
  requestDefault(settings, value) {
    return this.held(settings, value);
  },
  tagDefault({ options }, written) {
    return options?.find((option) => option === written) ?? refused(`"${written}" is not one of the options`);
  },
} satisfies Partial<FieldType> & ThisType<FieldType>;

function optionsFault(type: string, options: readonly string[] | undefined, from: Origin): string | null {
  if (options === undefined)
    return from === "tag" ? `a field of type ${type} needs options=a,b,c` : `a field of type ${type} needs options`;
  if (from === "tag" && (options.includes("") || options.length > MAX_OPTIONS)) {
    return `options must be 1 to ${MAX_OPTIONS} texts separated by commas`;
  }
  const isLong = options.some((option) => option.trim() === "" || option.length > MAX_OPTION_LENGTH);
  if (from === "request" && (options.length < 2 || options.length > MAX_OPTIONS || isLong)) {
    return `must be 2 to ${MAX_OPTIONS} texts of at most ${MAX_OPTION_LENGTH} characters`;
  }
  return new Set(options).size < options.length ? "options must not be repeated" : null;
}

/** What a signer makes by hand and no one can fill in for them. */
export const madeBySigner = {
  from: ["request", "tag"],
  draw: "mark",
  control: "mark",
  required: true,
  settings(given) {
    return readSettings(this.type, given, { sender_fills: () => "can only be filled in by the signer" });
  },
  held: () => refused("can only be filled in by the signer"),
  tagDefault() {
    return refused(`a field of type ${this.type} has no default`);
  },
} satisfies Partial<FieldType> & ThisType<FieldType>;
