import { signal } from "@preact/signals";
import { type ComponentChildren, render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { en as words } from "../words/toast/en.ts";
import { cut } from "./cut.tsx";
import { Glyph } from "./glyph.tsx";

/** Long enough to read two lines. */
const SHOWN_MS = 6_000;

interface Toast {
  readonly message: ComponentChildren;
  /** a button that takes the action back or opens its result */
  readonly action?: ComponentChildren;
}

const shown = signal<Toast | null>(null);

/**
 * Says what an action has done, for six seconds, at the bottom of the page. One at a time; it survives a change of screen. Errors, and
 * results that the user has to act on, stand beside their cause instead.
 */
export function showToast(message: ComponentChildren, action?: ComponentChildren): void {
  shown.value = { message, action };
  // The frame has an empty live region, because screen readers announce only changes. This code is loaded by the screens that need it.
  const place = document.getElementById("toasts");
  if (place !== null) render(<Toasts />, place);
}

const close = () => {
  shown.value = null;
};

function Toasts() {
  const toast = shown.value;
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const hold = () => clearTimeout(timer.current);
  const release = () => {
    hold();
    timer.current = setTimeout(close, SHOWN_MS);
  };
  useEffect(() => {
    if (toast !== null) release();
    return hold;
  }, [toast]);
  if (toast === null) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: being over it only keeps it on the screen
    <div
      class="toast"
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocusIn={hold}
      onFocusOut={release}
      onKeyDown={(event) => event.key === "Escape" && close()}
    >
      <Glyph name="check" />
      <p>{cut(toast.message)}</p>
      {toast.action !== undefined && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the click was on the button or link inside
        // biome-ignore lint/a11y/useKeyWithClickEvents: the same
        <span class="toast-action" onClick={close}>
          {toast.action}
        </span>
      )}
      <button type="button" class="button" aria-label={words.dismiss} onClick={close}>
        <Glyph name="cross" />
      </button>
    </div>
  );
}
