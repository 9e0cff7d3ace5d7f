import type { FieldType } from "../field-type.ts";
import { readSettings, refused } from "../parts.ts";
import { text } from "./text.ts";

/** A fixed text of the sender. It belongs to no signer and cannot be changed. */
export const label: FieldType = {
  type: "label",
  from: ["request"],
  draw: "text",
  control: "shown",
  size_pt: [180, 22],
  required: false,
  settings: (given) => readSettings("label", given, { sender_fills: () => "a label is always filled in by the sender" }),
  held: (_, value) => text.held({ options: null }, value),
  tagDefault: () => refused("a field of type label has no default in a tag"),
  requestDefault(settings, value) {
    return this.held(settings, value);
  },
};
