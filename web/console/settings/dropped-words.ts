import type { Dropped } from "../../ui/theme.ts";
import type { FieldFault } from "../refused-fields.ts";
import { en } from "../words/settings/en.ts";

const words = en.branding;

/** The labels of the colour fields, and names for colours that are only in the style sheet. */
const names: Readonly<Record<string, string>> = { ...words.colours, ...words.otherColours };
export const nameOf = (token: string): string => names[token] ?? token;

/** The colours that are not used. */
export const lostNames = (dropped: readonly Dropped[]): readonly string[] => [
  ...new Set(dropped.flatMap((one) => ("name" in one ? [one.name] : one.lost))),
];

/** Why the colours cannot be saved, for the field of each. */
export function faultsOf(dropped: Dropped): readonly FieldFault[] {
  const fieldOf = (token: string) => `branding.${token.replace("-", "_")}`;
  if ("name" in dropped) return [{ field: fieldOf(dropped.name), message: words.mustBeOpaque }];
  return dropped.lost.map((token) => {
    const other = dropped.pair.find((one) => one !== token) ?? token;
    const name = dropped.lost.includes(other) ? words.quoted(nameOf(other)) : words.defaultOf(nameOf(other));
    return { field: fieldOf(token), message: words.tooFaint(name, contrastOf(dropped)) };
  });
}

// Truncated, not rounded: 4.46 is not enough and must not be shown as 4.5.
const contrastOf = ({ contrast }: { readonly contrast: number }): string => `${(Math.floor(contrast * 10) / 10).toFixed(1)}:1`;

/** Which part of the branding is not applied, and why. */
export function droppedWords(dropped: Dropped): string {
  if ("name" in dropped) return words.opaque(nameOf(dropped.name));
  const { pair, lost } = dropped;
  const other = pair.find((name) => !lost.includes(name));
  const whose = other === undefined ? words.together : words.withDefault(nameOf(other));
  return words.contrast(lost.map(nameOf).join(words.and), whose, contrastOf(dropped));
}
