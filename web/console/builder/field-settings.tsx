import { controls } from "@countersign/fields/pages";
import { AreaField, Checkbox, SelectField, TextField } from "../parts/field.tsx";
import { en as words } from "../words/field-panel/en.ts";
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
          label={words.bySender}
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
        label={words.choices}
        name="options"
        rows={4}
        value={options.join("\n")}
        onText={(text) => onOptions(text.split("\n"))}
        hint={words.choicesHint}
      />
      {error !== null && <p class="error">{`${words.choices} ${error}`}</p>}
    </div>
  );
}

const formats = [
  ["", words.formats.any],
  ["email", words.formats.email],
  ["phone", words.formats.phone],
  ["digits", words.formats.digits],
  ["letters", words.formats.letters],
] as const;

const lines = [
  ["false", words.linesOf.one],
  ["true", words.linesOf.several],
] as const;
// Only of a text without settings.
const anyLines = [["", words.linesOf.any], ...lines] as const;

function OfText({ settings, set, errorOf }: OwnProps) {
  const isPlain = Object.keys(settings).length === 0;
  return (
    <>
      <SelectField
        label={words.format}
        name="format"
        value={settings.format ?? ""}
        choices={formats}
        onChoice={(format) => set("format", format === "" ? undefined : format)}
      />
      <TextField
        label={words.pattern}
        name="mask"
        value={settings.mask ?? ""}
        onText={(mask) => set("mask", mask === "" ? undefined : mask)}
        error={errorOf("mask")}
        hint={words.patternHint}
        optional
        autoComplete="off"
      />
      <SelectField
        label={words.lines}
        name="multiline"
        value={isPlain ? "" : String(settings.multiline === true)}
        choices={isPlain ? anyLines : lines}
        onChoice={(chosen) => set("multiline", chosen === "" ? undefined : chosen === "true")}
      />
      {errorOf("multiline") !== null && <p class="error">{`${words.lines} ${errorOf("multiline")}`}</p>}
      <WholeNumber
        label={words.maxLength}
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
        label={words.signingDayFilled}
        checked={isAtSigning}
        onCheck={(isChosen) => replace(isChosen ? { fill: "signing_day" } : {}, "fill")}
      />
      {errorOf("fill") !== null && <p class="error">{`${words.signingDay} ${errorOf("fill")}`}</p>}
      {!isAtSigning && bound("earliest", words.earliest)}
      {!isAtSigning && bound("latest", words.latest)}
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
      {text("min", words.min, "0")}
      {text("max", words.max, "1200.50")}
      <WholeNumber
        label={words.places}
        name="places"
        value={settings.places}
        onNumber={(n) => set("places", n)}
        error={errorOf("places")}
      />
      {text("unit", words.unit, "EUR")}
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
        label={words.group}
        name="group"
        value={settings.group ?? ""}
        onText={(group) => (group.trim() === "" ? replace(ungrouped, "group") : set("group", group))}
        error={errorOf("group")}
        hint={words.groupHint}
        optional
        autoComplete="off"
      />
      {settings.group !== undefined && count("min", words.least)}
      {settings.group !== undefined && count("max", words.most)}
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
