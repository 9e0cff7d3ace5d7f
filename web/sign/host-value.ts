import type { Control } from "@countersign/fields/pages";

type HostValue = string | boolean | undefined;

/**
 * A value that the host page gives for a field. Numbers are read as the API reads them: digits with a point, or a comma that cannot separate
 * thousands, before the decimals. Undefined for a text that the service cannot store: a mistake of the host must not keep a person from
 * signing.
 */
export function hostValue(control: Control, value: HostValue): HostValue {
  if (typeof value !== "string") return value;
  if (/[\p{Cs}\0]/u.test(value)) return undefined;
  if (control !== "number") return value;
  return value
    .trim()
    .replace(/^\+(?=\d)/, "")
    .replace(/^(-?\d+),(\d{1,2}|\d{4,})$/, "$1.$2");
}
