import type { FieldType } from "../field-type.ts";
import { refused } from "../parts.ts";
import { text } from "./text.ts";

/** A fixed text of the sender. It belongs to no signer and cannot be changed. */
export const label: FieldType = {
  type: "label",
  from: ["request"],
  draw: "text",
  control: "shown",
  size_pt: [180, 22],
  required: false,
  settings: ({ options, ...given }) => {
    const named = Object.entries({ ...given, options }).filter(([, value]) => value !== undefined && value !== null);
    const faults = named.map(([setting]) => ({ setting, message: "a field of type label has no such setting" }));
    return faults.length > 0 ? faults : { options: null };
  },
  held: (_, value) => text.held({ options: null }, value),
  tagDefault: () => refused("a field of type label has no default in a tag"),
  requestDefault: () => null,
};
