import type { EnvelopeField } from "@countersign/client/types";
import { Card } from "../parts/card.tsx";
import { AreaField, Checkbox, SelectField, TextField } from "../parts/field.tsx";
import { en as words } from "../words/options/en.ts";

/** What the sender has entered, by the name of the field. */
export type SenderValues = Readonly<Record<string, string>>;

/** The fields that only the sender can fill in, each name once: fields of the same name have the same value. */
export function fieldsOfSender(fields: readonly EnvelopeField[]): readonly EnvelopeField[] {
  // The day of signing is locked too, and the service fills it in.
  const isSenders = ({ type, readonly, settings }: EnvelopeField) =>
    settings?.sender_fills === true || type === "label" || (readonly && settings?.fill === undefined);
  const names = new Set<string>();
  return fields.filter((field) => {
    if (!isSenders(field) || names.has(field.name)) return false;
    names.add(field.name);
    return true;
  });
}

export const valuesOf = (fields: readonly EnvelopeField[]): SenderValues =>
  Object.fromEntries(fieldsOfSender(fields).map(({ name, prefilled, default_value }) => [name, prefilled ?? default_value ?? ""]));

/**
 * The values that differ from those that are saved. An empty one takes the saved value away. `taken` are those that were saved as they are
 * on the screen: the service may write them in another form.
 */
export function changedValues(
  fields: readonly EnvelopeField[],
  values: SenderValues,
  taken: SenderValues,
): Readonly<Record<string, string | null>> {
  const saved = valuesOf(fields);
  const changed = Object.entries(values).filter(([name, value]) => value !== saved[name] && value !== taken[name]);
  return Object.fromEntries(changed.map(([name, value]) => [name, value.trim() === "" ? null : value]));
}

interface ValuesCardProps {
  readonly fields: readonly EnvelopeField[];
  readonly values: SenderValues;
  readonly onChange: (values: SenderValues) => void;
  readonly errorOf: (field: string) => string | null;
}

/** Asks the sender for the values that signers see and cannot change. */
export function ValuesCard({ fields, values, onChange, errorOf }: ValuesCardProps) {
  const own = fieldsOfSender(fields);
  if (own.length === 0) return null;
  return (
    <Card title={words.values}>
      <p class="quiet">{words.valuesLead}</p>
      <div class="columns">
        {own.map((field) => (
          <ValueField
            key={field.name}
            field={field}
            value={values[field.name] ?? ""}
            error={errorOf(`prefilled_data.${field.name}`)}
            onValue={(value) => onChange({ ...values, [field.name]: value })}
          />
        ))}
      </div>
    </Card>
  );
}

interface ValueFieldProps {
  readonly field: EnvelopeField;
  readonly value: string;
  readonly error: string | null;
  readonly onValue: (value: string) => void;
}

function ValueField({ field, value, error, onValue }: ValueFieldProps) {
  const { name, type, options, settings } = field;
  const given = { label: name, name: `prefilled_data.${name}`, value, onText: onValue };
  if (type === "checkbox") {
    return (
      <div>
        <Checkbox label={name} checked={value === "true"} onCheck={(isOn) => onValue(isOn ? "true" : "false")} />
        {error !== null && <p class="error">{`${name} ${error}`}</p>}
      </div>
    );
  }
  if (options !== null) {
    const choices = ["", ...options].map((option) => [option, option === "" ? "–" : option] as const);
    return (
      <div>
        <SelectField label={name} name={given.name} value={value} choices={choices} onChoice={onValue} />
        {error !== null && <p class="error">{`${name} ${error}`}</p>}
      </div>
    );
  }
  if (settings?.multiline === true) {
    return (
      <div>
        <AreaField {...given} />
        {error !== null && <p class="error">{`${name} ${error}`}</p>}
      </div>
    );
  }
  return (
    <TextField
      {...given}
      autoComplete="off"
      error={error}
      {...(type === "date" && { type: "date" })}
      {...(type === "number" && { inputMode: "decimal" as const, hint: words.numberHint })}
    />
  );
}
