import { recordTypes } from "@countersign/client/lists";
import type { InstrumentInput, RecordType } from "@countersign/client/types";
import { SelectField, TextField } from "../parts/field.tsx";
import type { Sending } from "../sending.ts";
import { en } from "../words/deposit/en.ts";
import { recordTypeWords } from "./words.tsx";

const w = en.instrumentFields;

/** What the depositor declares about the document itself. */
export interface DeclaredForm {
  readonly record_type: RecordType;
  readonly type: string;
  readonly number: string;
  readonly date: string;
}

export const nothingDeclared: DeclaredForm = { record_type: "other", type: "", number: "", date: "" };

/** The instrument is left out if nothing of it was filled in. */
export function declaredOf({ record_type, type, number, date }: DeclaredForm): { record_type: RecordType; instrument?: InstrumentInput } {
  const isDeclared = [type, number, date].some((value) => value.trim() !== "");
  return { record_type, ...(isDeclared && { instrument: { type: type.trim(), number: number.trim(), date } }) };
}

interface InstrumentFieldsProps {
  readonly value: DeclaredForm;
  readonly onChange: (value: DeclaredForm) => void;
  readonly sending: Sending;
}

export function InstrumentFields({ value, onChange, sending }: InstrumentFieldsProps) {
  const field = (name: "type" | "number" | "date") => ({
    name: `instrument.${name}`,
    value: value[name],
    onText: (text: string) => onChange({ ...value, [name]: text }),
    sending,
    optional: true,
  });
  return (
    <>
      <SelectField
        label={w.typeOfRecord}
        name="record_type"
        value={value.record_type}
        choices={recordTypes.map((type) => [type, recordTypeWords[type]] as const)}
        onChoice={(record_type) => onChange({ ...value, record_type })}
      />
      <div class="columns">
        <TextField label={w.instrument} {...field("type")} maxLength={100} placeholder={w.promissoryNote} />
        <TextField label={w.numberOfThe} {...field("number")} maxLength={100} />
        <TextField label={w.dateOfThe} {...field("date")} type="date" />
      </div>
      <p class="hint">{w.aSecondDeposit}</p>
    </>
  );
}
