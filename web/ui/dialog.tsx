import { signal } from "@preact/signals";
import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../i18n/i18n.ts";

interface DialogProps {
  readonly title: string;
  readonly class?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A notice that must stay visible and usable while a modal dialog covers the page. */
export const inDialogs = signal<FunctionComponent | null>(null);

/** A native modal dialog. The browser keeps the focus inside and returns it to the opener. Esc closes the dialog. */
export function Dialog({ title, class: look, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const Notice = inDialogs.value;
  useEffect(() => {
    const opener = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      // The opener cannot take the focus while the dialog is open.
      shown?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={look === undefined ? "dialog" : `dialog ${look}`}
      aria-label={title}
      onCancel={(event) => {
        // Closing a file picker inside the dialog also fires `cancel`, and the event bubbles.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div>
        <div class="dialog-head">
          <h1>{title}</h1>
          <button type="button" class="button quiet" onClick={onClose}>
            {words.value.close}
          </button>
        </div>
        {Notice !== null && <Notice />}
        {children}
      </div>
    </dialog>
  );
}
