import type { ComponentChildren, JSX } from "preact";
import { useId, useMemo } from "preact/hooks";
import type { Sending } from "../sending.ts";
import { en as words } from "../words/parts/en.ts";
import { Glyph } from "./glyph.tsx";

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly optional?: boolean;
  /** what was entered: an error goes when that is changed */
  readonly value?: string;
  /** follows the label, as in "Name must not be empty" */
  readonly error?: string | null;
  /** the error is a sentence of its own and is shown without the label */
  readonly isWholeSentence?: boolean;
  readonly children: (given: {
    readonly id: string;
    readonly "aria-describedby": string | undefined;
    readonly "aria-invalid": boolean;
  }) => ComponentChildren;
}

/** A label, a control, a hint and an error, connected for screen readers. */
export function Field({ label, hint, optional = false, value, error: given = null, isWholeSentence = false, children }: FieldProps) {
  const id = useId();
  // The value that the error was found in.
  const found = useMemo(() => value, [given]);
  const error = found === value ? given : null;
  const hintId = hint === undefined ? null : `${id}-hint`;
  const errorId = error === null ? null : `${id}-error`;
  const described = [hintId, errorId].filter((one) => one !== null).join(" ");
  return (
    <div class="form-field">
      <label class="label" htmlFor={id}>
        {label}
        {optional && <span class="note">{words.optional}</span>}
      </label>
      {children({ id, "aria-describedby": described === "" ? undefined : described, "aria-invalid": error !== null })}
      {hintId !== null && (
        <div class="hint" id={hintId}>
          {hint}
        </div>
      )}
      {errorId !== null && (
        <p class="error" id={errorId}>
          <Glyph name="warning" />
          <span>{isWholeSentence ? error : `${label} ${error}`}</span>
        </p>
      )}
    </div>
  );
}

type Input = Omit<JSX.HTMLAttributes<HTMLInputElement>, "name" | "value" | "onInput" | "onChange" | "label">;

interface TextFieldProps extends Input {
  readonly label: string;
  /** the API's name of the field; the API's errors for it are shown here */
  readonly name: string;
  readonly value: string;
  readonly onText: (value: string) => void;
  readonly hint?: ComponentChildren;
  readonly optional?: boolean;
  readonly sending?: Sending;
  readonly error?: string | null;
  readonly isWholeSentence?: boolean;
  readonly type?: string;
  readonly autoComplete?: string;
  readonly maxLength?: number;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly step?: number | string;
  readonly placeholder?: string;
  /** the id of a list of suggestions */
  readonly list?: string;
  readonly required?: boolean;
  readonly inputMode?: "numeric" | "decimal" | "email" | "url" | "search" | "text";
}

export function TextField(props: TextFieldProps) {
  const { label, name, value, onText, hint, optional = false, sending, error, isWholeSentence = false, ...more } = props;
  const shown = error ?? sending?.errorOf(name) ?? null;
  return (
    <Field
      label={label}
      value={value}
      optional={optional}
      error={shown}
      isWholeSentence={isWholeSentence}
      {...(hint !== undefined && { hint })}
    >
      {(given) => (
        <input {...more} {...given} class="input" name={name} value={value} onInput={(event) => onText(event.currentTarget.value)} />
      )}
    </Field>
  );
}

interface AreaFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onText: (value: string) => void;
  readonly hint?: ComponentChildren;
  readonly optional?: boolean;
  readonly sending?: Sending;
  readonly rows?: number;
  readonly maxLength?: number;
  readonly required?: boolean;
}

export function AreaField(props: AreaFieldProps) {
  const { label, name, value, onText, hint, optional = false, sending, rows = 3, maxLength, required = false } = props;
  return (
    <Field label={label} value={value} optional={optional} error={sending?.errorOf(name) ?? null} {...(hint !== undefined && { hint })}>
      {(given) => (
        <textarea
          {...given}
          {...(maxLength !== undefined && { maxLength })}
          class="input"
          name={name}
          rows={rows}
          required={required}
          value={value}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SelectFieldProps<T extends string> {
  readonly label: string;
  readonly name: string;
  readonly value: T;
  readonly choices: readonly (readonly [T, string])[];
  readonly onChoice: (value: T) => void;
  readonly hint?: ComponentChildren;
  readonly optional?: boolean;
  readonly sending?: Sending;
  readonly disabled?: boolean;
  readonly required?: boolean;
}

export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { label, name, value, choices, onChoice, hint, optional = false, sending, disabled = false, required = false } = props;
  return (
    <Field label={label} value={value} optional={optional} error={sending?.errorOf(name) ?? null} {...(hint !== undefined && { hint })}>
      {(given) => (
        <select
          {...given}
          class="input"
          name={name}
          value={value}
          disabled={disabled}
          required={required}
          onChange={(event) => onChoice(event.currentTarget.value as T)}
        >
          {choices.map(([code, words]) => (
            <option key={code} value={code}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckboxProps {
  readonly label: ComponentChildren;
  readonly checked: boolean;
  readonly onCheck: (checked: boolean) => void;
  readonly hint?: ComponentChildren;
  readonly disabled?: boolean;
}

export function Checkbox({ label, checked, onCheck, hint, disabled = false }: CheckboxProps) {
  const id = useId();
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : id}
        onChange={(event) => onCheck(event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint !== undefined && (
          <span class="hint" id={id}>
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
