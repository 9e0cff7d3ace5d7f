import type { FieldType, SettingFault, Settings } from "../field-type.ts";
import { type Check, readSettings, refused, shortText, tight } from "../parts.ts";

const MAX_GROUP_NAME = 50;
const MAX_TICKS = 100;

/** As text, like the limits of a number: one member of the API has one type. */
const ticks =
  (from: number): Check =>
  (value) =>
    typeof value === "string" && /^\d{1,3}$/.test(value) && Number(value) >= from && Number(value) <= MAX_TICKS
      ? null
      : `must be a whole number from ${from} to ${MAX_TICKS} as text, such as "1"`;

/** How many boxes of a group are ticked is said on its first field. */
function together({ group, min, max }: Settings): readonly SettingFault[] {
  if (group === undefined && (min !== undefined || max !== undefined))
    return [{ setting: "group", message: "is required where the number of ticked boxes is limited" }];
  return min !== undefined && max !== undefined && Number(min) > Number(max)
    ? [{ setting: "max", message: "must not be less than the number that must be ticked" }]
    : [];
}

export const checkbox: FieldType = {
  type: "checkbox",
  from: ["request", "tag"],
  draw: "cross",
  control: "checkbox",
  size_pt: [16, 16],
  required: false,
  settings: (given) => readSettings("checkbox", given, { group: shortText(MAX_GROUP_NAME), min: ticks(0), max: ticks(1) }, together),
  held(_, value) {
    if (value === true || value === "true") return "true";
    return value === false || value === "false" ? "false" : refused("must be true or false");
  },
  tagDefault: (_, written) =>
    /^(true|false)$/.test(tight(written)) ? tight(written) : refused('the default of a checkbox must be "true" or "false"'),
};
