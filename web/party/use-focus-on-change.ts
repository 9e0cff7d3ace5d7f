import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * When `shown` changes, the focused control may disappear. The new content then takes the focus, before the next key is handled: after
 * painting, a fast Tab would go to the first control of the page.
 */
export function useFocusOnChange<T extends HTMLElement>(shown: unknown): RefObject<T> {
  const place = useRef<T>(null);
  const before = useRef(shown);
  useLayoutEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    const { activeElement, body } = document;
    // The focus is not moved if it is elsewhere.
    if (activeElement === body || place.current?.contains(activeElement)) place.current?.focus();
  }, [shown]);
  return place;
}
