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
  /** In its normal form: digits with a point before the decimals. It is text, and never calculated with. */
  held(_, value) {
    const given = asText(value)?.trim() ?? "";
    // 1,200 is a thousand in one country and one in another.
    if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(given)) return refused("must be a number with a point before the decimals, such as 1200.50");
    return /^[+-]?\d+([.,]\d+)?$/.test(given) ? given.replace("+", "").replace(",", ".") : refused("must be a number such as 1200.50");
  },
  tagDefault: (_, written) =>
    /^[+-]?\d+(\.\d+)?$/.test(tight(written)) ? tight(written).replace("+", "") : refused(`"${written}" is not a number`),
};
