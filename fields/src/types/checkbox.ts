import type { FieldType } from "../field-type.ts";
import { noSettings, refused, tight } from "../parts.ts";

export const checkbox: FieldType = {
  type: "checkbox",
  from: ["request", "tag"],
  draw: "cross",
  control: "checkbox",
  size_pt: [16, 16],
  required: false,
  settings: noSettings,
  held(_, value) {
    if (value === true || value === "true") return "true";
    return value === false || value === "false" ? "false" : refused("must be true or false");
  },
  tagDefault: (_, written) =>
    /^(true|false)$/.test(tight(written)) ? tight(written) : refused('the default of a checkbox must be "true" or "false"'),
};
