// What several types have in common.
import type { Fault, FieldType, GivenSettings, SettingFault, Settings } from "./field-type.ts";

export const refused = (message: string): Fault => ({ code: "invalid_value", message });

/** Text as it was given; numbers of JSON in their shortest form. null for anything else. */
export function asText(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : null;
}

/** Without any white space, in lower case: for values that contain none, however the document breaks its lines. */
export const tight = (text: string): string => text.replace(/\s+/g, "").toLowerCase();

export function noSettings(this: Pick<FieldType, "type">, { options }: GivenSettings): Settings | readonly SettingFault[] {
  return options === undefined ? { options: null } : [{ setting: "options", message: `a field of type ${this.type} has no options` }];
}

const MAX_OPTIONS = 100;

/** What a type with a list of options adds: one of them is chosen. */
export const oneOfOptions = {
  from: ["tag"],
  required: false,
  settings({ options }) {
    const wrong = (message: string): readonly SettingFault[] => [{ setting: "options", message }];
    if (options === undefined) return wrong(`a field of type ${this.type} needs options=a,b,c`);
    if (options.includes("") || options.length > MAX_OPTIONS) return wrong(`options must be 1 to ${MAX_OPTIONS} texts separated by commas`);
    return new Set(options).size < options.length ? wrong("options must not be repeated") : { options };
  },
  held({ options }, value) {
    const text = asText(value);
    return text !== null && options?.includes(text) ? text : refused(`must be one of: ${(options ?? []).join(", ")}`);
  },
  tagDefault({ options }, written) {
    return options?.find((option) => option === written) ?? refused(`"${written}" is not one of the options`);
  },
} satisfies Partial<FieldType> & ThisType<FieldType>;

/** What a signer makes by hand and nobody can fill in for them. */
export const madeBySigner = {
  from: ["request", "tag"],
  draw: "mark",
  control: "mark",
  required: true,
  settings: noSettings,
  held: () => refused("can only be filled in by the signer"),
  tagDefault() {
    return refused(`a field of type ${this.type} has no default`);
  },
} satisfies Partial<FieldType> & ThisType<FieldType>;
