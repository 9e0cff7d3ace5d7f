import { compareDecimals, firstFrom, isDecimal, placesOf, withPlaces } from "../decimal.ts";
import type { FieldType, SettingFault, Settings } from "../field-type.ts";
import { asText, type Check, readSettings, refused, shortText, tight, wholeNumber } from "../parts.ts";

const MAX_UNIT = 20;
const MAX_PLACES = 6;
const MAX_LIMIT = 40;

/** As text, because settings are hashed, and a hash of a number depends on how it is written. */
const decimal: Check = (value) =>
  typeof value === "string" && value.length <= MAX_LIMIT && isDecimal(value)
    ? null
    : `must be a number as text of at most ${MAX_LIMIT} characters, such as "1200.50"`;

function together({ min, max, places }: Settings): readonly SettingFault[] {
  if (min === undefined || max === undefined) return [];
  if (compareDecimals(min, max) > 0) return [{ setting: "max", message: "must not be less than the smallest value" }];
  if (places === undefined || compareDecimals(firstFrom(min, places), max) <= 0) return [];
  return [{ setting: "places", message: "leaves no number between the smallest and the largest value" }];
}

export const number: FieldType = {
  type: "number",
  from: ["request", "tag"],
  draw: "text",
  control: "number",
  size_pt: [100, 22],
  required: false,
  settings: (given) =>
    readSettings("number", given, { min: decimal, max: decimal, places: wholeNumber(0, MAX_PLACES), unit: shortText(MAX_UNIT) }, together),
  /** In its normal form: digits with a point before the decimals. It is text, and never calculated with. */
  held({ min, max, places }, value) {
    const given = asText(value)?.trim() ?? "";
    // 1,200 is a thousand in one country and one in another.
    if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(given)) return refused("must be a number with a point before the decimals, such as 1200.50");
    const text = given.replace(/^\+/, "").replace(",", ".");
    if (!isDecimal(text)) return refused("must be a number such as 1200.50");
    if (places !== undefined && placesOf(text) > places) {
      return refused(places === 0 ? "must be a whole number" : `must have at most ${places} digits after the decimal point`);
    }
    if (min !== undefined && compareDecimals(text, min) < 0) return refused(`must be at least ${min}`);
    if (max !== undefined && compareDecimals(text, max) > 0) return refused(`must be at most ${max}`);
    return places === undefined ? text : withPlaces(text, places);
  },
  tagDefault: (_, written) =>
    /^[+-]?\d+(\.\d+)?$/.test(tight(written)) ? tight(written).replace("+", "") : refused(`"${written}" is not a number`),
  requestDefault(settings, value) {
    return this.held(settings, value);
  },
};
