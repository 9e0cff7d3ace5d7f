import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Sending } from "../sending.ts";
import { ErrorNotice } from "./error-notice.tsx";

interface FormProps {
  readonly sending: Sending;
  readonly onSend: () => Promise<unknown>;
  readonly children: ComponentChildren;
  /** uses several columns where there is room */
  readonly wide?: boolean;
  /** the fields that show their own errors; by default, every field with a control of that name */
  readonly shown?: readonly string[];
}

/** Enter submits. Errors of a field are shown at the field, all others below the form. The first invalid field gets the focus. */
export function Form({ sending, onSend, children, wide = false, shown }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (sending.error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [sending.error]);
  const named = shown ?? [...(form.current?.querySelectorAll<HTMLInputElement>("[name]") ?? [])].map(({ name }) => name);
  return (
    <form
      ref={form}
      class={wide ? "form wide" : "form"}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void sending.run(onSend);
      }}
    >
      {children}
      <ErrorNotice error={sending.error} shown={named} />
    </form>
  );
}
