import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Where what is pressed goes with what it brought: the first control of what is `shown` instead takes the focus. */
export function useFocusOnChange<T extends HTMLElement>(shown: unknown): RefObject<T> {
  const place = useRef<T>(null);
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    const { activeElement, body } = document;
    // Whoever is elsewhere by now stays there.
    if (activeElement !== body && !place.current?.contains(activeElement)) return;
    place.current?.querySelector<HTMLElement>("input, select, button")?.focus();
  }, [shown]);
  return place;
}
