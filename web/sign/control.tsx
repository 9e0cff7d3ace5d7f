import type { SigningField } from "@countersign/client/pages";
import { useSignal } from "@preact/signals";
import { locale, words } from "../i18n/i18n.ts";
import { setValue } from "./autosave.ts";
import { controlOf, drawnValue, type Entry, type Fault, faultOf, printLanguage, requirementOf } from "./ceremony.ts";
import { parseNumber } from "./parse-number.ts";
import { controlId, goNext, leaveField } from "./steps.ts";

/** The inputs for field values: native inputs, on the page or in the panel. */

// The limit of the service.
const MAX_CHARACTERS = 2_000;

interface ControlProps {
  readonly entry: Entry;
  /** the field has room for several lines */
  readonly tall: boolean;
  readonly class: string;
  /** needed on the page, where there is no visible label */
  readonly label?: string;
}

export function errorSentence(entry: Entry, code: Fault): string {
  const { field, undrawable } = entry;
  if (code === "invalid_value" && undrawable.value !== "") return words.value.undrawable(undrawable.value);
  const needed = code === "invalid_value" || field.settings.group !== undefined ? requirementOf(entry) : null;
  if (needed !== null) return needed;
  const sentence = words.value.errors[code];
  return typeof sentence === "string" ? sentence : sentence[field.type as keyof typeof sentence];
}

export const errorId = ({ field }: Entry): string => `error-${field.field_id}`;

/** Today where the signer is, as YYYY-MM-DD. */
export function localDate(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** The input for every type except signatures, initials and radio buttons. */
export function Control({ entry, tall, class: look, label }: ControlProps) {
  const { field, value, error } = entry;
  const common = {
    id: controlId(entry),
    name: field.field_id,
    class: look,
    required: field.required,
    "aria-invalid": error.value !== null,
    "aria-describedby": error.value === null && requirementOf(entry) === null ? undefined : errorId(entry),
    ...(label !== undefined && { "aria-label": label }),
    onBlur: () => leaveField(entry),
  };
  const text = typeof value.value === "string" ? value.value : "";
  const typed = (event: { currentTarget: { value: string } }) =>
    setValue(entry, event.currentTarget.value === "" ? null : event.currentTarget.value);
  // Enter goes to the next field. It never signs.
  const entered = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    void goNext();
  };
  switch (controlOf(field.type)) {
    case "checkbox":
      return (
        <input
          {...common}
          type="checkbox"
          checked={value.value === true}
          onChange={(e) => setValue(entry, e.currentTarget.checked, { now: true })}
        />
      );
    case "select":
      return (
        <select
          {...common}
          value={text}
          onChange={(e) => setValue(entry, e.currentTarget.value === "" ? null : e.currentTarget.value, { now: true })}
        >
          <option value="">{words.value.choose}</option>
          {field.options?.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      );
    case "date":
      return (
        <input
          {...common}
          type="date"
          lang={locale.value}
          min={field.settings.earliest}
          max={field.settings.latest}
          value={text}
          onInput={typed}
          onKeyDown={entered}
        />
      );
    case "number":
      return <NumberInput entry={entry} common={common} onKeyDown={entered} />;
    default:
      // A text with settings has one line, unless they say otherwise.
      return (field.settings.multiline ?? (tall && Object.keys(field.settings).length === 0)) ? (
        <textarea {...common} maxLength={MAX_CHARACTERS} value={text} onInput={typed} />
      ) : (
        <input
          {...common}
          type="text"
          maxLength={MAX_CHARACTERS}
          inputMode={inputModes[field.settings.format ?? ""]}
          placeholder={field.settings.mask}
          autocomplete={autocompleteFor(field)}
          value={text}
          onInput={typed}
          onKeyDown={entered}
        />
      );
  }
}

interface NumberInputProps {
  readonly entry: Entry;
  readonly common: { readonly onBlur: () => void };
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** A number is read as people of the page's language write it, and shown as it is written into the document. It is saved in its normal form. */
function NumberInput({ entry, common, onKeyDown }: NumberInputProps) {
  const raw = useSignal<string | null>(null);
  const typed = (given: string) => {
    raw.value = given;
    setValue(entry, given.trim() === "" ? null : (parseNumber(given, printLanguage.value) ?? given));
  };
  return (
    <input
      {...common}
      type="text"
      inputMode="decimal"
      autocomplete="off"
      maxLength={MAX_CHARACTERS}
      value={raw.value ?? String(drawnValue(entry) ?? "")}
      onInput={(event) => typed(event.currentTarget.value)}
      onBlur={() => {
        raw.value = null;
        common.onBlur();
      }}
      onKeyDown={onKeyDown}
    />
  );
}

const inputModes: Readonly<Record<string, "email" | "tel" | "numeric">> = { email: "email", phone: "tel", digits: "numeric" };

/** The autocomplete hint, guessed from the field name. */
function autocompleteFor({ name, settings }: SigningField): string {
  if (/e-?mail/i.test(name) || settings.format === "email") return "email";
  if (settings.format === "phone") return "tel";
  return /^(full |your )?name$/i.test(name) ? "name" : "on";
}

/** The first option has the id of the field, so that focusing the field focuses it. */
export function choiceId(entry: Entry, option: string): string {
  const index = entry.field.options?.indexOf(option) ?? 0;
  return index === 0 ? controlId(entry) : `${controlId(entry)}-${index}`;
}

/** Whether each option has its own area on the page. */
export const isSpread = ({ type, options, areas }: SigningField): boolean =>
  controlOf(type) === "radio" && options?.length === areas.length;

/** One option of a radio group. */
export function Choice({ entry, option, class: look }: { entry: Entry; option: string; class: string }) {
  const { field, value } = entry;
  return (
    <input
      type="radio"
      class={look}
      id={choiceId(entry, option)}
      name={field.field_id}
      value={option}
      checked={value.value === option}
      aria-label={`${field.name}: ${option}`}
      aria-invalid={entry.error.value !== null}
      onChange={() => setValue(entry, option, { now: true })}
    />
  );
}

export function FieldError({ entry }: { entry: Entry }) {
  const code = entry.error.value === null ? null : faultOf(entry);
  return (
    <p id={errorId(entry)} class={code === null ? "hint" : "error"}>
      {code === null ? requirementOf(entry) : errorSentence(entry, code)}
    </p>
  );
}
