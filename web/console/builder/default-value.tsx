import { type Control, controls } from "@countersign/fields/pages";
import { SelectField, TextField } from "../parts/field.tsx";
import { en as words } from "../words/field-panel/en.ts";
import type { Field } from "./field.ts";

interface DefaultValueProps {
  readonly field: Field;
  readonly error: string | null;
  readonly onValue: (value: string | null) => void;
}

const inputs: Partial<Record<Control, string>> = { text: "text", date: "date", number: "text", shown: "text" };

/** The default value of a field. Signatures and initials have none. */
export function DefaultValue({ field, error, onValue }: DefaultValueProps) {
  const { type, default_value, options, settings } = field;
  const control = controls[type];
  if (control === "mark" || settings.fill !== undefined) return null;
  const isSenders = control === "shown" || settings.sender_fills === true;
  const label = control === "shown" ? words.text : isSenders ? words.value : words.defaultValue;
  const input = inputs[control];
  // A checkbox without a default stays unticked; a tag or the sender can set its value.
  if (control === "checkbox" && default_value === null && !isSenders) return null;
  if (input !== undefined) {
    return (
      <TextField
        label={label}
        name="default_value"
        type={input}
        value={default_value ?? ""}
        onText={(text) => onValue(text === "" ? null : text)}
        error={error}
        optional={!isSenders}
        maxLength={2_000}
        autoComplete="off"
      />
    );
  }
  const choices = control === "checkbox" ? (["true", "false"] as const) : (options ?? []);
  return (
    <SelectField
      label={label}
      name="default_value"
      value={default_value ?? ""}
      choices={[["", words.none], ...choices.map((one) => [one, one] as const)]}
      onChoice={(value) => onValue(value === "" ? null : value)}
      optional
    />
  );
}
