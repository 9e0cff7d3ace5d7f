import type { FieldType, SettingFault, Settings } from "../field-type.ts";
import { readSettings, refused, shortText, tight, wholeNumber } from "../parts.ts";

const MAX_GROUP_NAME = 50;
const MAX_TICKS = 100;

/** How many boxes of a group are ticked is said on its first field. */
function together({ group, min, max }: Settings): readonly SettingFault[] {
  if (group === undefined && (min !== undefined || max !== undefined))
    return [{ setting: "group", message: "is required with min or max" }];
  return min !== undefined && max !== undefined && min > max ? [{ setting: "max", message: "must not be below min" }] : [];
}

export const checkbox: FieldType = {
  type: "checkbox",
  from: ["request", "tag"],
  draw: "cross",
  control: "checkbox",
  size_pt: [16, 16],
  required: false,
  settings: (given) =>
    readSettings(
      "checkbox",
      given,
      { group: shortText(MAX_GROUP_NAME), min: wholeNumber(0, MAX_TICKS), max: wholeNumber(1, MAX_TICKS) },
      together,
    ),
  held(_, value) {
    if (value === true || value === "true") return "true";
    return value === false || value === "false" ? "false" : refused("must be true or false");
  },
  tagDefault: (_, written) =>
    /^(true|false)$/.test(tight(written)) ? tight(written) : refused('the default of a checkbox must be "true" or "false"'),
};
