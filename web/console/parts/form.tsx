import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { refusedFields } from "../refused-fields.ts";
import type { Sending } from "../sending.ts";
import { en } from "../words/parts/en.ts";
import { ErrorNotice } from "./error-notice.tsx";

interface FormProps {
  readonly sending: Sending;
  readonly onSend: () => Promise<unknown>;
  readonly children: ComponentChildren;
  /** uses several columns where there is room */
  readonly wide?: boolean;
  /** the fields that show their own errors; by default, every field with a control of that name */
  readonly shown?: readonly string[];
  /** stays at the bottom of the window, below the error; by default, the error is the end of the form */
  readonly bar?: ComponentChildren;
}

/** Enter submits. Errors of a field are shown at the field, all others at its end. The first invalid field gets the focus. */
export function Form({ sending, onSend, children, wide = false, shown, bar }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isAtFields, setAtFields] = useState(false);
  // Before the screen is painted: a notice that is not needed must not appear first.
  useLayoutEffect(() => {
    const wrong = sending.error === null ? null : (form.current?.querySelector<HTMLElement>("[aria-invalid=true],[data-wrong]") ?? null);
    wrong?.focus();
    setAtFields(wrong !== null);
  }, [sending.error]);
  // Only with an error: in a form of a hundred people, this takes longer than everything else that a key causes.
  const controls = sending.error === null ? [] : (form.current?.querySelectorAll<HTMLInputElement>("[name]") ?? []);
  const named = shown ?? [...controls].map(({ name }) => name);
  const notice = <ErrorNotice error={sending.error} shown={named} isAtFields={isAtFields} />;
  return (
    <form
      ref={form}
      class={wide ? "form wide" : "form"}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const missing = emptyFields(event.currentTarget);
        void sending.run(missing.length === 0 ? onSend : () => Promise.reject(incomplete(missing)));
      }}
    >
      {children}
      {bar === undefined ? (
        notice
      ) : (
        <div class="prepare-bar">
          {notice}
          {bar}
        </div>
      )}
    </form>
  );
}

const REQUIRED = ":is(input, select, textarea)[required]:not(:disabled)";

/** The names of required fields without a value. Blanks are characters of a password. What a browser cannot read as a number or a date is not empty. */
const emptyFields = (form: HTMLFormElement): readonly string[] =>
  [...form.querySelectorAll<HTMLInputElement>(REQUIRED)]
    .filter(({ type, value, validity }) => (type === "password" ? value : value.trim()) === "" && !validity.badInput)
    .map(({ name }) => name);

const incomplete = (fields: readonly string[]): Error =>
  refusedFields(
    en.error.incomplete,
    fields.map((field) => ({ field, message: en.error.required })),
  );
