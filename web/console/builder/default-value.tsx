import { type Control, controls } from "@countersign/fields/pages";
import { SelectField, TextField } from "../parts/field.tsx";
import type { Field } from "./field.ts";

interface DefaultValueProps {
  readonly field: Field;
  readonly error: string | null;
  readonly onValue: (value: string | null) => void;
}

const inputs: Partial<Record<Control, string>> = { text: "text", date: "date", number: "text" };

/** The default value of a field. Signatures and initials have none. */
export function DefaultValue({ field, error, onValue }: DefaultValueProps) {
  const { type, default_value, options } = field;
  const control = controls[type];
  if (control === "mark") return null;
  const input = inputs[control];
  // A checkbox without a default stays unticked; only a tag can set its default.
  if (control === "checkbox" && default_value === null) return null;
  if (input !== undefined) {
    return (
      <TextField
        label="Default value"
        name="default_value"
        type={input}
        value={default_value ?? ""}
        onText={(text) => onValue(text === "" ? null : text)}
        error={error}
        optional
        maxLength={2_000}
        autoComplete="off"
      />
    );
  }
  const choices = control === "checkbox" ? (["true", "false"] as const) : (options ?? []);
  return (
    <SelectField
      label="Default value"
      name="default_value"
      value={default_value ?? ""}
      choices={[["", "None"], ...choices.map((one) => [one, one] as const)]}
      onChoice={(value) => onValue(value === "" ? null : value)}
      optional
    />
  );
}
