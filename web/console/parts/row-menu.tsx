import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Glyph, type GlyphName } from "./glyph.tsx";

export interface MenuItem {
  readonly words: string;
  readonly icon?: GlyphName;
  readonly onPress: () => void;
  /** set apart at the end of the menu */
  readonly danger?: boolean;
}

interface RowMenuProps {
  /** names the button for screen readers */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** shown on the button instead of three dots */
  readonly words?: string;
  readonly icon?: GlyphName;
}

/** A button that opens a menu. The browser's popover shows it above everything and closes it at a click elsewhere. */
export function RowMenu({ label, items, words, icon }: RowMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const shown = menu.current;
    const follow = (event: Event) => setOpen((event as ToggleEvent).newState === "open");
    shown?.addEventListener("toggle", follow);
    return () => shown?.removeEventListener("toggle", follow);
  }, []);
  const close = () => {
    menu.current?.hidePopover();
    button.current?.focus();
  };
  const open = () => {
    const [shown, at] = [menu.current, button.current?.getBoundingClientRect()];
    if (shown === null || at === undefined) return;
    shown.showPopover();
    place(shown, at);
    itemsIn(shown)[0]?.focus();
  };
  const press = (item: MenuItem) => {
    close();
    item.onPress();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={words === undefined ? "row-menu-button" : "button"}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        {...(words === undefined && { "aria-label": label })}
        onClick={() => (isOpen ? close() : open())}
      >
        {icon !== undefined && <Glyph name={icon} />}
        {words ?? <Glyph name="more" />}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        class="row-menu"
        onKeyDown={(event) => moveIn(event, close)}
      >
        {items.map((item) => (
          <button
            key={item.words}
            type="button"
            role="menuitem"
            tabIndex={-1}
            class={item.danger === true ? "danger" : undefined}
            onClick={() => press(item)}
          >
            {item.icon !== undefined && <Glyph name={item.icon} />}
            {item.words}
          </button>
        ))}
      </div>
    </>
  );
}

const itemsIn = (menu: HTMLElement): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')];

/** Below the button, or above it where there is no room, and never beyond the edge of the window. */
function place(menu: HTMLElement, at: DOMRect): void {
  const [gap, edge] = [4, 8];
  const { offsetWidth: width, offsetHeight: height } = menu;
  const isAbove = at.bottom + gap + height > innerHeight - edge && at.top - gap - height > edge;
  menu.style.left = `${Math.max(edge, Math.min(at.right - width, innerWidth - width - edge))}px`;
  menu.style.top = `${isAbove ? at.top - gap - height : at.bottom + gap}px`;
}

function moveIn(event: KeyboardEvent, close: () => void): void {
  const items = itemsIn(event.currentTarget as HTMLElement);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to: Readonly<Record<string, number>> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const wanted = to[event.key];
  if (event.key === "Tab" || event.key === "Escape") close();
  else if (wanted !== undefined) items[wanted]?.focus();
  if (event.key === "Escape" || wanted !== undefined) event.preventDefault();
  // The keys of the list do not act while its menu is open.
  event.stopPropagation();
}
