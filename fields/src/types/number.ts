import type { FieldType } from "../field-type.ts";
import { asText, noSettings, refused, tight } from "../parts.ts";

export const number: FieldType = {
  type: "number",
  from: ["tag"],
  draw: "text",
  control: "number",
  size_pt: [100, 22],
  required: false,
  settings: noSettings,
  /** As it was typed, with a point or a comma before the decimals: it is text, and never calculated with. */
  held(_, value) {
    const given = asText(value)?.trim();
    return given !== undefined && /^[+-]?\d+([.,]\d+)?$/.test(given) ? given : refused("must be a number");
  },
  tagDefault: (_, written) => (/^[+-]?\d+(\.\d+)?$/.test(tight(written)) ? tight(written) : refused(`"${written}" is not a number`)),
};
