import type { SigningField } from "@countersign/client/pages";
import { locale, words } from "../i18n/i18n.ts";
import { enter } from "./autosave.ts";
import { controlOf, type Entry, type Fault, faultOf } from "./ceremony.ts";
import { controlId, goOn, leave } from "./steps.ts";

/** What people fill in: the browser's own inputs, on the page or in the panel. */

// The service's own limit.
const MAX_CHARACTERS = 2_000;

interface ControlProps {
  readonly entry: Entry;
  /** several lines have room */
  readonly tall: boolean;
  readonly class: string;
  /** over the page there is no other label */
  readonly label?: string;
}

export function errorSentence(field: SigningField, code: Fault): string {
  const sentence = words.value.errors[code];
  return typeof sentence === "string" ? sentence : sentence[field.type as keyof typeof sentence];
}

export const errorId = ({ field }: Entry): string => `error-${field.field_id}`;

/** Today where the signer is, as YYYY-MM-DD. */
export function localDate(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** Every kind but signatures and initials, which are pressed, and radio buttons. */
export function Control({ entry, tall, class: look, label }: ControlProps) {
  const { field, value, error } = entry;
  const common = {
    id: controlId(entry),
    name: field.field_id,
    class: look,
    required: field.required,
    "aria-invalid": error.value !== null,
    "aria-describedby": error.value === null ? undefined : errorId(entry),
    ...(label !== undefined && { "aria-label": label }),
    // Whoever presses a button beside it goes on with it: what is still wrong is told when that is done.
    onBlur: ({ relatedTarget }: FocusEvent) => leave(entry, { quietly: isInTask(relatedTarget) }),
  };
  const text = typeof value.value === "string" ? value.value : "";
  const typed = (event: { currentTarget: { value: string } }) =>
    enter(entry, event.currentTarget.value === "" ? null : event.currentTarget.value);
  // Enter goes on; it never signs.
  const entered = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    goOn();
  };
  switch (controlOf(field.type)) {
    case "checkbox":
      return (
        <input
          {...common}
          type="checkbox"
          checked={value.value === true}
          onChange={(e) => enter(entry, e.currentTarget.checked, { now: true })}
        />
      );
    case "select":
      return (
        <select
          {...common}
          value={text}
          onChange={(e) => enter(entry, e.currentTarget.value === "" ? null : e.currentTarget.value, { now: true })}
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
      return <input {...common} type="date" lang={locale.value} value={text} onInput={typed} onKeyDown={entered} />;
    case "number":
      return <input {...common} type="text" inputMode="decimal" autocomplete="off" value={text} onInput={typed} onKeyDown={entered} />;
    default:
      return tall ? (
        <textarea {...common} maxLength={MAX_CHARACTERS} value={text} onInput={typed} />
      ) : (
        <input
          {...common}
          type="text"
          maxLength={MAX_CHARACTERS}
          autocomplete={completion(field)}
          value={text}
          onInput={typed}
          onKeyDown={entered}
        />
      );
  }
}

const isInTask = (target: EventTarget | null): boolean => target instanceof Element && target.closest("#task") !== null;

/** What the browser may offer by itself; guessed wrongly, it offers nothing. */
function completion({ name }: SigningField): string {
  if (/e-?mail/i.test(name)) return "email";
  return /^(full |your )?name$/i.test(name) ? "name" : "on";
}

/** The first one has the field's own, so that going to the field goes there. */
export function choiceId(entry: Entry, option: string): string {
  const index = entry.field.options?.indexOf(option) ?? 0;
  return index === 0 ? controlId(entry) : `${controlId(entry)}-${index}`;
}

/** Each option has a place of its own on the page. */
export const isSpread = ({ type, options, areas }: SigningField): boolean =>
  controlOf(type) === "radio" && options?.length === areas.length;

/** Radio buttons where each option has a place or a line of its own. */
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
      onChange={() => enter(entry, option, { now: true })}
    />
  );
}

export function FieldError({ entry }: { entry: Entry }) {
  const code = entry.error.value === null ? null : faultOf(entry);
  return (
    <p id={errorId(entry)} class="error">
      {code === null ? "" : errorSentence(entry.field, code)}
    </p>
  );
}
