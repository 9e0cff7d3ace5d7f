import { signal } from "@preact/signals";
import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { words } from "../i18n/i18n.ts";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** What must be seen and pressed although a dialog is open, which covers everything else. */
export const inDialogs = signal<FunctionComponent | null>(null);

/** A native modal dialog: the browser keeps the focus inside and gives it back to whatever opened it; Esc closes. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const Notice = inDialogs.value;
  useEffect(() => {
    const opener = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      // While it is open, whatever opened it cannot take the focus.
      shown?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={heading}
      onCancel={(event) => {
        // A file dialog that is closed says so too, and bubbles.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div>
        <div class="dialog-head">
          <h1 id={heading}>{title}</h1>
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
