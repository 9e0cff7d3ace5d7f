import { controls } from "@countersign/fields/pages";
import { AreaField, Checkbox, SelectField, TextField } from "../parts/field.tsx";
import type { Field, FieldSettings } from "./field.ts";

interface FieldSettingsProps {
  readonly field: Field;
  readonly errorOf: (part: string) => string | null;
  readonly onChange: (changes: Pick<Field, "settings"> | Pick<Field, "options">, part: string) => void;
}

type Set = <N extends keyof FieldSettings>(name: N, value: FieldSettings[N] | undefined) => void;

interface OwnProps {
  readonly settings: FieldSettings;
  readonly set: Set;
  /** all settings at once, where one excludes or needs others */
  readonly replace: (settings: FieldSettings, part: string) => void;
  readonly errorOf: (part: string) => string | null;
}

/** What the field has beyond its type. Signatures, initials and fixed texts have nothing. */
export function FieldSettingsPart({ field, errorOf, onChange }: FieldSettingsProps) {
  const { type, settings, options } = field;
  const control = controls[type];
  if (control === "mark" || control === "shown") return null;
  const set: Set = (name, value) => {
    const { [name]: _, ...others } = settings;
    onChange({ settings: value === undefined ? others : { ...others, [name]: value } }, name);
  };
  const replace: OwnProps["replace"] = (given, part) => onChange({ settings: given }, part);
  const own = { settings, set, replace, errorOf: (name: string) => errorOf(`settings.${name}`) };
  return (
    <>
      {options !== null && (
        <Options options={options} error={errorOf("options")} onOptions={(given) => onChange({ options: given }, "options")} />
      )}
      {type === "text" && <OfText {...own} />}
      {type === "date" && <OfDate {...own} />}
      {type === "number" && <OfNumber {...own} />}
      {type === "checkbox" && <OfCheckbox {...own} />}
      {settings.fill === undefined && (
        <Checkbox
          label="Filled in by the sender"
          checked={settings.sender_fills === true}
          onCheck={(isSenders) => set("sender_fills", isSenders || undefined)}
        />
      )}
    </>
  );
}

function Options({
  options,
  error,
  onOptions,
}: {
  options: readonly string[];
  error: string | null;
  onOptions: (options: readonly string[]) => void;
}) {
  return (
    <div>
      <AreaField
        label="Choices"
        name="options"
        rows={4}
        value={options.join("\n")}
        onText={(text) => onOptions(text.split("\n"))}
        hint="One per line, 2 to 100"
      />
      {error !== null && <p class="error">Choices {error}</p>}
    </div>
  );
}

const formats = [
  ["", "Any text"],
  ["email", "E-mail address"],
  ["phone", "Phone number"],
  ["digits", "Digits"],
  ["letters", "Letters"],
] as const;

const lines = [
  ["false", "One"],
  ["true", "Several"],
] as const;
// Only of a text without settings.
const anyLines = [["", "As many as fit"], ...lines] as const;

function OfText({ settings, set, errorOf }: OwnProps) {
  const isPlain = Object.keys(settings).length === 0;
  return (
    <>
      <SelectField
        label="Format"
        name="format"
        value={settings.format ?? ""}
        choices={formats}
        onChoice={(format) => set("format", format === "" ? undefined : format)}
      />
      <TextField
        label="Pattern"
        name="mask"
        value={settings.mask ?? ""}
        onText={(mask) => set("mask", mask === "" ? undefined : mask)}
        error={errorOf("mask")}
        hint="9 is a digit, A a letter, * either, such as 99-AA-9999"
        optional
        autoComplete="off"
      />
      <SelectField
        label="Lines"
        name="multiline"
        value={isPlain ? "" : String(settings.multiline === true)}
        choices={isPlain ? anyLines : lines}
        onChoice={(chosen) => set("multiline", chosen === "" ? undefined : chosen === "true")}
      />
      {errorOf("multiline") !== null && <p class="error">Lines {errorOf("multiline")}</p>}
      <WholeNumber
        label="Maximum length"
        name="max_length"
        value={settings.max_length}
        onNumber={(n) => set("max_length", n)}
        error={errorOf("max_length")}
      />
    </>
  );
}

function OfDate({ settings, set, replace, errorOf }: OwnProps) {
  const bound = (name: "earliest" | "latest", label: string) => (
    <TextField
      label={label}
      name={name}
      type="date"
      value={settings[name] ?? ""}
      onText={(day) => set(name, day === "" ? undefined : day)}
      error={errorOf(name)}
      optional
    />
  );
  const isAtSigning = settings.fill === "signing_day";
  return (
    <>
      <Checkbox
        label="Day of signing, filled in automatically"
        checked={isAtSigning}
        onCheck={(isChosen) => replace(isChosen ? { fill: "signing_day" } : {}, "fill")}
      />
      {errorOf("fill") !== null && <p class="error">Day of signing {errorOf("fill")}</p>}
      {!isAtSigning && bound("earliest", "Earliest day")}
      {!isAtSigning && bound("latest", "Latest day")}
    </>
  );
}

function OfNumber({ settings, set, errorOf }: OwnProps) {
  const text = (name: "min" | "max" | "unit", label: string, placeholder: string) => (
    <TextField
      label={label}
      name={name}
      value={String(settings[name] ?? "")}
      onText={(given) => set(name, given.trim() === "" ? undefined : given)}
      error={errorOf(name)}
      placeholder={placeholder}
      optional
      autoComplete="off"
    />
  );
  return (
    <>
      {text("min", "Smallest value", "0")}
      {text("max", "Largest value", "1200.50")}
      <WholeNumber
        label="Decimal places"
        name="places"
        value={settings.places}
        onNumber={(n) => set("places", n)}
        error={errorOf("places")}
      />
      {text("unit", "Unit", "EUR")}
    </>
  );
}

function OfCheckbox({ settings, set, replace, errorOf }: OwnProps) {
  const { group: _, min: _min, max: _max, ...ungrouped } = settings;
  const count = (name: "min" | "max", label: string) => (
    <WholeNumber
      label={label}
      name={name}
      value={settings[name] === undefined ? undefined : Number(settings[name])}
      onNumber={(n) => set(name, n === undefined ? undefined : String(n))}
      error={errorOf(name)}
    />
  );
  return (
    <>
      <TextField
        label="Group"
        name="group"
        value={settings.group ?? ""}
        onText={(group) => (group.trim() === "" ? replace(ungrouped, "group") : set("group", group))}
        error={errorOf("group")}
        hint="Checkboxes with the same group are counted together"
        optional
        autoComplete="off"
      />
      {settings.group !== undefined && count("min", "At least ticked")}
      {settings.group !== undefined && count("max", "At most ticked")}
    </>
  );
}

interface WholeNumberProps {
  readonly label: string;
  readonly name: string;
  readonly value: number | undefined;
  readonly onNumber: (value: number | undefined) => void;
  readonly error: string | null;
}

function WholeNumber({ label, name, value, onNumber, error }: WholeNumberProps) {
  return (
    <TextField
      label={label}
      name={name}
      value={value === undefined ? "" : String(value)}
      onText={(given) => onNumber(/^\d{1,6}$/.test(given) ? Number(given) : undefined)}
      error={error}
      inputMode="numeric"
      optional
      autoComplete="off"
    />
  );
}
